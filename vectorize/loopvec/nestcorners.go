package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// What subscripts and limits are at the corners of what a block of a nest that stores midway
// runs through: see neststore.go for why.

// A corner is a place in what a block runs through.
type corner struct {
	lane int64                // 0 or the last one
	far  map[*loops.Loop]bool // at the last iteration of these
	box  bool                 // loops run as long as the longest lane does
}

// A cornerWriter computes linear values at corners.
type cornerWriter struct {
	e    *emitter
	w    *widener // nil before the first block, where nothing depends on the lanes
	b    *vir.Builder
	last int64 // lane
}

// onLanes reports whether v is different at different lanes of a block, or in
// different blocks.
func (l *loop) onLanes(v *vir.Value) bool {
	if l.blockwise(v) {
		return true
	}
	n, _ := l.sc.Nested(v) // without terms for what is the same everywhere
	return !n.Step(nil).IsConst(0)
}

// lanesDecide reports whether check v, or how long a loop around it runs, depends on
// the lanes.
func (l *loop) lanesDecide(v *vir.Value) bool {
	return l.onLanes(v.Args[0]) || slices.ContainsFunc(l.sc.Around(v), l.countsDiffer)
}

// countsDiffer reports whether f runs from or to different numbers in different lanes.
func (l *loop) countsDiffer(f *loops.Loop) bool {
	c := l.nest.stores.counts[f]
	return l.onLanes(c.Start) || l.onLanes(c.Limit)
}

// at is v at corner c.
func (w *cornerWriter) at(v *vir.Value, c corner) *vir.Value {
	l, i64 := w.e.l, vir.Scalar(vir.I64)
	switch {
	case v.Op == vir.OpConst:
		x, _ := v.ConstInt()
		return w.b.Int(i64, x)
	case l.isAtom(v):
		return w.e.value(v)
	case l.ramp(v):
		return w.ramp(v, c.lane)
	case v.Op == vir.OpLeast:
		c.lane = l.leastLane(v, int(w.last)+1)
		return w.at(v.Args[0], c)
	case v.Op != vir.OpPhi:
		x := &vir.Value{Op: v.Op, Type: v.Type, Pos: w.b.Pos}
		for _, a := range v.Args {
			x.Args = append(x.Args, w.at(a, c))
		}
		return w.b.Append(x)
	}
	f, start, step := l.sc.Inner(v)
	x := w.at(start, c)
	if !c.far[f] {
		return x
	}
	d := w.distance(f, c)
	if c.box {
		other := c
		other.lane = w.last - c.lane
		d = w.b.Op(vir.OpSmax, i64, d, w.distance(f, other))
	}
	d = w.b.Op(vir.OpSmax, i64, d, w.b.Int(i64, 0))
	op := vir.OpAdd
	if step < 0 {
		op, step = vir.OpSub, -step
	}
	if !l.countMoves(f) {
		d = w.multiple(d, step)
	}
	return w.b.Op(op, i64, x, d)
}

// ramp is v, which follows the iterations, at a lane. What is tested before the first block
// depends on no lane: a v in there is taken off again, as in i - (i-n), and its first
// number does.
func (w *cornerWriter) ramp(v *vir.Value, lane int64) *vir.Value {
	if w.w != nil {
		return w.w.rampAt(v, lane)
	}
	a, _ := w.e.l.sc.Affine(v)
	return w.e.expr(a.Start)
}

// countMoves reports whether f runs from or to numbers that loops around it change.
// Then the last number is not known to the step: the corners of all lanes between
// would not be those between the corners.
func (l *loop) countMoves(f *loops.Loop) bool {
	c := l.nest.stores.counts[f]
	for _, v := range []*vir.Value{c.Start, c.Limit} {
		if n, _ := l.sc.Nested(v); len(n.Terms) > 0 {
			return true
		}
	}
	return false
}

// multiple is the largest multiple of step up to d.
func (w *cornerWriter) multiple(d *vir.Value, step int64) *vir.Value {
	switch {
	case step == 1:
		return d
	case step&(step-1) == 0:
		return w.b.Op(vir.OpAnd, d.Type, d, w.b.Int(d.Type, -step))
	}
	s := w.b.Int(d.Type, step)
	return w.b.Op(vir.OpMul, d.Type, w.b.Op(vir.OpUdiv, d.Type, d, s), s)
}

// distance is how far the counter of f goes, to a number that it may not quite meet;
// negative when f does not run at all.
func (w *cornerWriter) distance(f *loops.Loop, c corner) *vir.Value {
	n, i64 := w.e.l.nest.stores.counts[f], vir.Scalar(vir.I64)
	from, to := w.at(n.Start, c), w.at(n.Limit, c)
	if n.Step < 0 {
		from, to = to, from
	}
	d := w.b.Op(vir.OpSub, i64, to, from)
	if n.Cond == plan.Less || n.Cond == plan.Greater {
		d = w.b.Op(vir.OpSub, i64, d, w.b.Int(i64, 1))
	}
	return d
}

// corners are those at which something that runs in all of around may be extreme.
func (w *cornerWriter) corners(around []*loops.Loop, lanes, box bool) []corner {
	all := []corner{{box: box, far: map[*loops.Loop]bool{}}}
	if lanes && w.last > 0 {
		all = append(all, corner{lane: w.last, box: box, far: map[*loops.Loop]bool{}})
	}
	for _, f := range around {
		for _, c := range slices.Clone(all) {
			far := map[*loops.Loop]bool{f: true}
			for g := range c.far {
				far[g] = true
			}
			all = append(all, corner{c.lane, far, c.box})
		}
	}
	return all
}

// passes is whether check v holds wherever a block makes it.
func (w *cornerWriter) passes(v *vir.Value) *vir.Value {
	l := w.e.l
	around, lanes := l.sc.Around(v), l.lanesDecide(v)
	n := w.e.value(v.Args[1])
	var ok *vir.Value
	for _, c := range w.corners(around, lanes, !v.Masked) {
		ok = w.and(ok, w.b.Cmp(vir.OpIcmpUlt, w.at(v.Args[0], c), n))
	}
	for i, f := range around {
		ok = w.b.Op(vir.OpOr, ok.Type, ok, w.b.Cmp(vir.OpIcmpSlt, w.longest(f, around[:i]), w.b.Int(vir.Scalar(vir.I64), 0)))
	}
	return ok
}

func (w *cornerWriter) and(x, y *vir.Value) *vir.Value {
	if x == nil {
		return y
	}
	return w.b.Op(vir.OpAnd, x.Type, x, y)
}

// longest is the largest distance of f, inside of around, in a block.
func (w *cornerWriter) longest(f *loops.Loop, around []*loops.Loop) *vir.Value {
	var d *vir.Value
	lanes := w.e.l.countsDiffer(f) || slices.ContainsFunc(around, w.e.l.countsDiffer)
	for _, c := range w.corners(around, lanes, false) {
		x := w.distance(f, c)
		if d == nil {
			d = x
		} else {
			d = w.b.Op(vir.OpSmax, d.Type, d, x)
		}
	}
	return d
}

// turnsDiffer reports whether how long f runs depends on the lanes, by itself or by the
// loops around it.
func (l *loop) turnsDiffer(f *loops.Loop) bool {
	return slices.ContainsFunc(l.sc.Around(f.Header.Term()), l.countsDiffer)
}

// longEnough is whether f has leastTurns iterations.
func (w *cornerWriter) longEnough(f *loops.Loop) *vir.Value {
	chain := w.e.l.sc.Around(f.Header.Term())
	step := w.e.l.nest.stores.counts[f].Step
	least := w.b.Int(vir.Scalar(vir.I64), (leastTurns-1)*max(step, -step))
	return w.b.Cmp(vir.OpIcmpSle, least, w.longest(f, chain[:len(chain)-1]))
}

// worthwhile is whether the lanes of a block run loop f about as long: a quarter as
// long at least, or no more than two iterations less from lane to lane.
func (w *cornerWriter) worthwhile(f *loops.Loop) *vir.Value {
	i64, bool1 := vir.Scalar(vir.I64), vir.Scalar(vir.Bool)
	corners := w.corners(nil, true, false)
	a, b := w.distance(f, corners[0]), w.distance(f, corners[1])
	most, least := w.b.Op(vir.OpSmax, i64, a, b), w.b.Op(vir.OpSmin, i64, a, b)
	step := w.e.l.nest.stores.counts[f].Step
	near := w.b.Op(vir.OpAdd, i64, least, w.b.Int(i64, 2*w.last*max(step, -step)))
	quarter := w.b.Op(vir.OpShl, i64, least, w.b.Int(i64, 2))
	return w.b.Op(vir.OpOr, bool1, w.b.Cmp(vir.OpIcmpSle, most, near), w.b.Cmp(vir.OpIcmpSle, most, quarter))
}

// mostTurns is more iterations of a loop than any call may do.
const mostTurns = 1 << 20

// iterations is the number of iterations of inner loops that a block may take, those of
// loops that the lanes decide about or the others.
func (w *cornerWriter) iterations(lanes bool) *vir.Value {
	l, i64 := w.e.l, vir.Scalar(vir.I64)
	var total *vir.Value
	for _, f := range l.nest.stores.loops {
		chain := l.sc.Around(f.Header.Term())
		if l.turnsDiffer(f) != lanes {
			continue
		}
		var n *vir.Value
		for i, g := range chain {
			// The last time the condition fails counts as well.
			d := w.b.Op(vir.OpSmax, i64, w.longest(g, chain[:i]), w.b.Int(i64, 0))
			if s := max(l.nest.stores.counts[g].Step, -l.nest.stores.counts[g].Step); s > 1 {
				d = w.b.Op(vir.OpUdiv, i64, d, w.b.Int(i64, s))
			}
			d = w.b.Op(vir.OpSmin, i64, d, w.b.Int(i64, mostTurns))
			d = w.b.Op(vir.OpAdd, i64, d, w.b.Int(i64, 1))
			if n == nil {
				n = d
			} else {
				n = w.b.Op(vir.OpMul, i64, n, d)
			}
		}
		if total == nil {
			total = n
		} else {
			total = w.b.Op(vir.OpAdd, i64, total, n)
		}
	}
	return total
}
