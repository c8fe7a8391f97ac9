package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Comparisons of a counter with what is the same in all iterations hold for the first lanes of a block, or for the last ones:
//
//	x < hi                     %n = umin(smax(hi, x) - x, lanes)      x in lane 0
//	                           k < %n                                 in lanes of any width
//
// Counters have 64 bits, of which four lanes fill a register; pixels have 8. Where nothing else is as wide, this leaves more lanes.

// A cut is such a comparison.
type cut struct {
	counter *vir.Value
	limit   *vir.Value
	down    bool // the counter counts down
	kind    cutKind
	not     bool // it holds for the lanes for which the kind does not

	unsigned bool // the counter is not negative, and the limit unsigned
}

// A cutKind is the relation of the counter and the limit as the counter moves towards it.
type cutKind uint8

const (
	ahead   cutKind = iota // the counter has not reached the limit
	notPast                // or has just reached it
	meets                  // it is at the limit
)

// cutWidth is the size of elements up to which lanes of numbers are worth it: wider ones may as well be compared themselves.
const cutWidth = 4

func (l *loop) findCuts() {
	l.cuts = make(map[*vir.Value]*cut)
	if l.isNest() {
		return
	}
	for _, v := range l.insts {
		if c := l.cutOf(v); c != nil {
			l.cuts[v] = c
		}
	}
}

// cutOf is v as a cut, nil when it is none.
func (l *loop) cutOf(v *vir.Value) *cut {
	if v.Op.Info().Rule != vir.RuleIntCmp || v.Args[0].Type != vir.Scalar(vir.I64) {
		return nil
	}
	for i, x := range v.Args {
		limit := v.Args[1-i]
		a, ok := l.sc.Affine(x)
		if !ok || len(a.Wrap) > 0 || a.Step != 1 && a.Step != -1 || !l.uniform(limit) || l.periodics[v] != nil || !l.inLanes(v) {
			continue
		}
		c := &cut{counter: x, limit: limit, down: a.Step < 0}
		switch v.Op {
		case vir.OpIcmpEq, vir.OpIcmpNe:
			c.kind, c.not = meets, v.Op == vir.OpIcmpNe
			return c
		case vir.OpIcmpUlt, vir.OpIcmpUle:
			c.unsigned = true
		}
		// x < limit counting up, and limit < x counting down, hold until the limit is reached.
		strict := v.Op == vir.OpIcmpSlt || v.Op == vir.OpIcmpUlt
		towards := (i == 0) != c.down
		c.not = !towards
		if strict != towards {
			c.kind = notPast
		}
		if !l.inBounds(a) && (!l.sc.Ordered(a) || c.unsigned && !l.sc.Natural(a)) {
			return nil
		}
		return c
	}
	return nil
}

// inBounds reports whether a bound of all calls says that a is never negative, and does not wrap.
func (l *loop) inBounds(a scev.Affine) bool {
	return slices.ContainsFunc(l.bounds, func(b plan.Bound) bool {
		d, ok := scev.Diff(a.Start, b.Start)
		return ok && d == 0 && a.Step == b.Step && !b.Conditional && b.Lo.Op == plan.ExprConst && b.Lo.Const >= 0
	})
}

// cut is the lanes of c. The number of those that it holds for, from the first one on, is computed as a scalar.
func (w *widener) cut(c *cut) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	b, x, limit := w.b, w.rampAt(c.counter, 0), w.e.value(c.limit)
	lanes := b.Int(i64, int64(w.lanes))
	from, to := x, limit
	if c.down {
		from, to = limit, x
	}
	var last *vir.Value // lane for which it holds; a number that no lane has, -1 or, in so many bits, that of lanes, for none
	switch c.kind {
	case ahead:
		switch {
		case c.down:
			from = b.Op(vir.OpSmin, i64, limit, x)
		case c.unsigned:
			to = b.Op(vir.OpUmax, i64, limit, x)
		default:
			to = b.Op(vir.OpSmax, i64, limit, x)
		}
		n := b.Op(vir.OpUmin, i64, b.Op(vir.OpSub, i64, to, from), lanes)
		last = b.Op(vir.OpAdd, i64, n, b.Int(i64, -1))
	case notPast:
		n := b.Op(vir.OpUmin, i64, b.Op(vir.OpSub, i64, to, from), b.Int(i64, int64(w.lanes-1)))
		reached := vir.OpIcmpSle
		if c.unsigned {
			reached = vir.OpIcmpUle
		}
		last = b.Op(vir.OpSelect, i64, b.Cmp(reached, from, to), n, b.Int(i64, -1))
	default:
		last = b.Op(vir.OpUmin, i64, b.Op(vir.OpSub, i64, to, from), lanes)
	}
	return w.upTo(c, last)
}

// upTo is the lanes up to last, or that one alone.
func (w *widener) upTo(c *cut, last *vir.Value) *vir.Value {
	e := w.cutElem()
	t := vir.Vec(e, w.lanes)
	numbers := make([]uint64, w.lanes)
	for k := range numbers {
		numbers[k] = uint64(k) & e.Ones()
	}
	n := w.b.Op(vir.OpBroadcast, t, w.b.Op(vir.OpTrunc, vir.Scalar(e), last))
	k := w.b.Lanes(t, numbers)
	switch {
	case c.kind == meets && c.not:
		return w.b.Cmp(vir.OpIcmpNe, k, n)
	case c.kind == meets:
		return w.b.Cmp(vir.OpIcmpEq, k, n)
	case c.not:
		return w.b.Cmp(vir.OpIcmpSlt, n, k)
	}
	return w.b.Cmp(vir.OpIcmpSle, k, n)
}

// cutElem is the type of lanes' numbers: as wide as the widest elements, with which masks are used, and wide enough for them.
func (w *widener) cutElem() vir.Elem {
	switch size := w.e.l.widest(); {
	case size >= 4:
		return vir.I32
	case size == 2 || w.lanes > 128:
		return vir.I16
	}
	return vir.I8
}
