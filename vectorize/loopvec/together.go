package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Inner loops that the lanes of a block begin together, at the least of their numbers
// (package align). Whether a lane has begun is a comparison of small numbers: by how much
// it begins later than the first one, with the iterations since then.
//
//	%start <= %j            {0, 1, 2, ... 7} <= min(%j - least, 8), in as many bits as lanes have

// togetherMin is the least number of iterations of nests that begin loops together. Where
// there are not many, inner loops are short as well, and a block is mostly waiting.
func (l *loop) togetherMin() int64 {
	if l.nest == nil || !slices.ContainsFunc(l.insts, func(v *vir.Value) bool { return v.Op == vir.OpLeast }) {
		return 0
	}
	if l.storesMidway() {
		return 24
	}
	return 12
}

// firstTogether is the count of the loop that lanes begin together in the first iteration
// of the region, if there is one such loop only, and it is longest there.
func (l *loop) firstTogether() (t plan.Trip, ok bool) {
	if l.nest == nil {
		return t, false
	}
	for _, f := range l.nest.forest.All {
		c, counts := l.sc.InnerCount(f)
		if f.Depth < 2 || !counts || c.Start.Op != vir.OpLeast {
			continue
		}
		start, _ := l.sc.Affine(c.Start.Args[0])
		limit, known := l.sc.Invariant(c.Limit)
		if ok || !known || start.Step < 0 {
			return t, false
		}
		t, ok = plan.Trip{Cond: c.Cond, Start: start.Start, Limit: limit, Step: 1}, true
	}
	return t, ok
}

// leastLane is the lane with the least operand of v.
func (l *loop) leastLane(v *vir.Value, lanes int) int64 {
	if a, _ := l.sc.Affine(v.Args[0]); a.Step < 0 {
		return int64(lanes - 1)
	}
	return 0
}

// begins is the OpLeast of the loop of which v asks whether it has begun; nil when v is
// something else.
func (l *loop) begins(v *vir.Value) *vir.Value {
	if l.nest == nil || v.Op != vir.OpIcmpSle && v.Op != vir.OpIcmpSlt || v.Args[1].Op != vir.OpPhi {
		return nil
	}
	_, least, _ := l.sc.Inner(v.Args[1])
	if least == nil || least.Op != vir.OpLeast {
		return nil
	}
	a, ok := l.sc.Affine(v.Args[0])
	b, ok2 := l.sc.Affine(least.Args[0])
	if !ok || !ok2 || a.Step != b.Step || a.Width != b.Width || len(a.Wrap) > 0 {
		return nil
	}
	d, ok := scev.Diff(b.Start, a.Start)
	if !ok || d != 0 && v.Op == vir.OpIcmpSle || d != 1 && v.Op == vir.OpIcmpSlt {
		return nil
	}
	return least
}

// begun is the lanes that have begun, v.
func (n *nestWriter) begun(v *vir.Value) *vir.Value {
	l, i64 := n.e.l, vir.Scalar(vir.I64)
	least := l.begins(v)
	a, _ := l.sc.Affine(least.Args[0])
	step := max(a.Step, -a.Step)
	end := int64(n.lanes) * step
	size := min(l.widest(), 8)
	for size < 8 && end >= 1<<(8*size-1) {
		size *= 2
	}
	t := vir.Vec(vir.IntElem(size), n.lanes)
	at := make([]uint64, n.lanes)
	for k := range at {
		at[k] = uint64(int64(k) * step)
		if a.Step < 0 {
			at[k] = uint64(int64(n.lanes-1-k) * step)
		}
	}
	since := n.b.Op(vir.OpSub, i64, n.first(v.Args[1]), n.first(least))
	since = n.b.Op(vir.OpSmin, i64, since, n.b.Int(i64, end))
	if size < 8 {
		since = n.b.Op(vir.OpTrunc, t.Lane(), since)
	}
	return n.b.Cmp(vir.OpIcmpSle, n.b.Lanes(t, at), n.b.Op(vir.OpBroadcast, t, since))
}

// blockwise reports whether linear v is made of something that is the same for the lanes
// of a block only.
func (l *loop) blockwise(v *vir.Value) bool {
	switch {
	case v.Op == vir.OpLeast:
		return true
	case l.isAtom(v) || l.ramp(v):
		return false
	case v.Op == vir.OpPhi:
		_, start, _ := l.sc.Inner(v)
		return start != nil && l.blockwise(start)
	}
	for _, a := range v.Args {
		if l.blockwise(a) {
			return true
		}
	}
	return false
}

// missesCorners reports whether the corners of a block are no good for subscript check v:
// lanes that have not begun are where the subscript is out of the range of all others.
func (l *loop) missesCorners(v *vir.Value) bool {
	n, _ := l.sc.Nested(v.Args[0])
	lane, ok := constant(n.Step(nil))
	for _, f := range l.sc.Around(v) {
		if c := l.nest.stores.counts[f]; c.Start == nil || c.Start.Op != vir.OpLeast {
			continue
		}
		if turn, ok2 := constant(n.Step(f)); ok && ok2 && (lane < 0) != (turn < 0) && lane != 0 && turn != 0 {
			return true
		}
	}
	return false
}

// asWritten is condition c without what asks whether lanes have begun, nil when nothing
// is left: the loop as written does not ask.
func (l *loop) asWritten(c *vir.Value) *vir.Value {
	p := positive(c)
	switch {
	case l.begins(p) != nil:
		return nil
	case p.Op == vir.OpAnd:
		x, y := l.asWritten(p.Args[0]), l.asWritten(p.Args[1])
		if x == nil {
			return y
		} else if y == nil {
			return x
		}
	}
	return c
}

func constant(x *plan.Expr) (int64, bool) { return x.Const, x.Op == plan.ExprConst }
