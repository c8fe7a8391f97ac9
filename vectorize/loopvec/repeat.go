package loopvec

import (
	"math/bits"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loads of elements that several iterations in a row share, u[i/2]. With s the
// number that is divided in the first lane of a block, lane k needs element
// (s+k)/d. The lanes r, r+d, r+2d, ... need neighbours, from (s+r)/d on, so that
//
//	d loads of 1/d of the lanes, at (s+0)/d, (s+1)/d, ..., interleaved
//
// are right for any s, and read no element that the iterations do not. Elements must lie
// side by side: fields of structs do not. Lanes of which d or more share one need two elements
// at most: that of the first of them, and that of the last from the lane on where it begins.

// repeats tells the division in the subscript of load a.
func (l *loop) repeats(a *dep.Access) (scev.Shifted, bool) {
	if l.isNest() || a.Store || a.Kind != dep.Indexed || a.Inst.Masked || a.Scale != a.Stream.Size {
		return scev.Shifted{}, false
	}
	return l.sc.Shifted(a.Index)
}

// isRepeated reports whether several lanes in a row of load a share an element.
func (l *loop) isRepeated(a *dep.Access) bool {
	_, ok := l.repeats(a)
	return ok
}

// quotientBound is the bound that index check v comes to when its index is a
// quotient: x/d < n means x < d*n. Lengths are far below what a product with d
// could overflow, but for elements without size.
func (l *loop) quotientBound(v *vir.Value) (plan.Bound, bool) {
	if l.isNest() || v.Op != vir.OpCheckIndex {
		return plan.Bound{}, false
	}
	x, ok := l.sc.Shifted(v.Args[0])
	n, ok2 := l.sc.Invariant(v.Args[1])
	if !ok || !ok2 || !l.isLength(v.Args[1]) {
		return plan.Bound{}, false
	}
	hi := scev.Simplify(plan.Mul(n, plan.Const(x.Divisor)))
	return plan.Bound{Start: x.Start, Step: 1, Lo: plan.Const(0), Hi: hi, Conditional: v.Masked}, true
}

// sharedIndex is a quotient and what is added to it, the same in all iterations, that make index v. In
// a block it grows by a few, so that its first and last lanes decide about the others.
func (l *loop) sharedIndex(v *vir.Value) (x scev.Shifted, base *plan.Expr, ok bool) {
	if l.isNest() {
		return x, nil, false
	}
	if x, ok = l.sc.Shifted(v); ok {
		return x, plan.Const(0), true
	}
	if v.Op != vir.OpAdd {
		return x, nil, false
	}
	for k, a := range v.Args {
		by, known := l.sc.Invariant(v.Args[1-k])
		if !known {
			continue
		}
		if x, base, ok = l.sharedIndex(a); ok {
			return x, plan.Add(base, by), true
		}
	}
	return x, nil, false
}

// sharedLane is such an index by lane.
func (w *widener) sharedLane(v *vir.Value) func(lane int64) *vir.Value {
	x, base, _ := w.e.l.sharedIndex(v)
	return func(lane int64) *vir.Value {
		return w.b.Op(vir.OpAdd, vir.Scalar(vir.I64), w.shared(x, lane), w.e.expr(scev.Simplify(base)))
	}
}

// shared is quotient x in one lane.
func (w *widener) shared(x scev.Shifted, lane int64) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	return w.b.Op(vir.OpAshr, i64, w.dividend(x, lane), w.b.Int(i64, int64(bits.TrailingZeros64(uint64(x.Divisor)))))
}

// dividend is what quotient x divides in one lane.
func (w *widener) dividend(x scev.Shifted, lane int64) *vir.Value {
	return w.b.Op(vir.OpAdd, vir.Scalar(vir.I64), w.t, w.e.expr(scev.Simplify(plan.Add(x.Start, plan.Const(lane)))))
}

// place is the remainder, the number of the iterations before one lane that share its element.
func (w *widener) place(x scev.Shifted, lane int64) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	return w.b.Op(vir.OpAnd, i64, w.dividend(x, lane), w.b.Int(i64, x.Divisor-1))
}

// isLength reports whether v counts elements that take memory.
func (l *loop) isLength(v *vir.Value) bool {
	if c, ok := v.ConstInt(); ok {
		return 0 <= c && c < 1<<48
	}
	for _, p := range l.region.Fn.Params {
		if p.Param.Len == v && p.Param.ElemSize > 0 {
			return true
		}
	}
	return false
}

// repeated is the lanes of load a, whose subscript is the quotient x, behind checks of that block: a
// subscript with something else in it has no quotientBound.
func (w *widener) repeated(a *dep.Access, x scev.Shifted) *vir.Value {
	w.flush()
	e, d := a.Inst.Type.Elem, int(x.Divisor)
	register := w.e.l.target.Lanes(e)
	if w.lanes < d || register < d {
		return w.repeatedTwo(a, x)
	}
	n := min(w.lanes, register)
	rows := make([]vir.Addr, d)
	for r := range rows {
		rows[r] = w.quotient(a, x, r)
	}
	var parts []*vir.Value
	for o := 0; o < w.lanes; o += n {
		loads := make([]*vir.Value, d)
		for r, at := range rows {
			at.Disp += int64(o/d) * a.Scale
			loads[r] = w.b.Load(vir.OpLoadUnit, vir.Vec(e, n/d), at, nil)
		}
		parts = append(parts, w.interleaved(loads))
	}
	return w.concat(parts)
}

// mostShared is the number of lanes that are numbered in a byte.
const mostShared = 64

// repeatedTwo is repeated where the lanes between d others do not share more than two elements.
func (w *widener) repeatedTwo(a *dep.Access, x scev.Shifted) *vir.Value {
	d := int(x.Divisor)
	n := min(w.lanes, d, mostShared)
	var parts []*vir.Value
	for o := 0; o < w.lanes; o += n {
		parts = append(parts, w.firstAndLast(a, x, o, n))
	}
	return w.concat(parts)
}

// firstAndLast are n lanes from lane o on, at most as many as share an element.
func (w *widener) firstAndLast(a *dep.Access, x scev.Shifted, o, n int) *vir.Value {
	t := vir.Vec(a.Inst.Type.Elem, n)
	if n == 1 {
		return w.b.Load(vir.OpLoadUnit, t, w.quotient(a, x, o), nil)
	}
	load := func(lane int) *vir.Value {
		return w.b.Op(vir.OpBroadcast, t, w.b.Load(vir.OpLoad, a.Inst.Type, w.quotient(a, x, lane), nil))
	}
	first := load(o)
	// The last element begins behind as many lanes as are left of the first one.
	m := w.before(w.left(x, o, n), t)
	return w.b.Op(vir.OpBlend, t, m, first, load(o+n-1))
}

// left is how many of n lanes from lane o on use the element of the first of them.
func (w *widener) left(x scev.Shifted, o, n int) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	left := w.b.Op(vir.OpSub, i64, w.b.Int(i64, x.Divisor), w.place(x, int64(o)))
	return w.b.Op(vir.OpSmin, i64, left, w.b.Int(i64, int64(n)))
}

// before is the mask of the first lanes, so many of them, for lanes of type t: fewer than a byte counts.
func (w *widener) before(left *vir.Value, t vir.Type) *vir.Value {
	number := vir.Vec(vir.IntElem(t.Elem.Size()), t.Lanes)
	lanes := make([]uint64, t.Lanes)
	for k := range lanes {
		lanes[k] = uint64(k)
	}
	if number.Elem != vir.I64 {
		left = w.b.Op(vir.OpTrunc, vir.Scalar(number.Elem), left)
	}
	return w.b.Cmp(vir.OpIcmpSlt, w.b.Lanes(number, lanes), w.b.Op(vir.OpBroadcast, number, left))
}

// quotient is the address of load a in lane k.
func (w *widener) quotient(a *dep.Access, x scev.Shifted, k int) vir.Addr {
	ad := w.e.address(a)
	return vir.Addr{Base: ad.base, Index: w.shared(x, int64(k)), Scale: a.Scale, Disp: ad.disp}
}

// interleaved is lane 0 of all of vs, lane 1 of all of vs, and so on; they are a
// power of two.
func (w *widener) interleaved(vs []*vir.Value) *vir.Value {
	if len(vs) == 1 {
		return vs[0]
	}
	h := len(vs) / 2
	next := make([]*vir.Value, h)
	for i := range next {
		// Neighbours in the result come together last.
		x, y := vs[i], vs[i+h]
		n := x.Type.Lanes
		lanes := make([]int, 2*n)
		for k := range lanes {
			lanes[k] = k/2 + k%2*n
		}
		next[i] = w.b.Shuffle(vir.Vec(x.Type.Elem, 2*n), lanes, x, y)
	}
	return w.interleaved(next)
}
