package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// Accesses that are done lane by lane, by scalar loads and inserts or by extracts
// and scalar stores.

// loadSpread loads lanes that are not side by side; nil when they are.
func (w *widener) loadSpread(a *dep.Access) *vir.Value {
	l := w.e.l
	if x, ok := l.repeats(a); ok {
		return w.repeated(a, x)
	}
	switch {
	case l.isRotated(a):
		return w.rotated(a)
	case l.turns(a):
		return w.turned(a)
	case l.tableLanes(a) > 0:
		return w.lookUp(a)
	case a.Kind == dep.Indexed || a.Kind == dep.Periodic:
		w.flush()
		return w.gather(a)
	case l.isStrided(a):
		return w.loadLanes(a)
	}
	return nil
}

// storeSpread stores lanes that are not side by side; false when they are.
func (w *widener) storeSpread(a *dep.Access) bool {
	l := w.e.l
	switch {
	case a.Kind == dep.Indexed || a.Kind == dep.Periodic:
		w.scatter(a)
	case !l.isStrided(a):
		return false
	case a.Inst.Masked:
		w.storeActive(a)
	default:
		w.storeLanes(a)
	}
	return true
}

// storeActive stores the active lanes at a constant stride.
func (w *widener) storeActive(a *dep.Access) {
	t := vir.Vec(vir.I32, w.lanes)
	lanes := make([]uint64, w.lanes)
	for k := range lanes {
		lanes[k] = uint64(uint32(int64(k) * a.Stream.Step))
	}
	i64 := vir.Scalar(vir.I64)
	at := w.at(w.e.address(a))
	base := w.b.Op(vir.OpPtradd, at.Base.Type, at.Base, w.b.Op(vir.OpMul, i64, at.Index, w.b.Int(i64, at.Scale)))
	w.b.Scatter(w.value(a.Inst.Stored()), vir.Addr{Base: base, Index: w.b.Lanes(t, lanes), Scale: 1, Disp: at.Disp}, w.value(a.Inst.Mask()))
}

// loadLanes loads each lane by itself.
func (w *widener) loadLanes(a *dep.Access) *vir.Value {
	v := a.Inst
	next := w.walk(a)
	if w.lanes == 1 {
		return w.b.Load(vir.OpLoadUnit, vir.Vec(v.Type.Elem, 1), next(), nil)
	}
	return w.lanesOf(v.Type.Elem, func(int) *vir.Value { return w.b.Load(vir.OpLoad, v.Type, next(), nil) })
}

// lanesOf puts the scalars of all lanes together.
func (w *widener) lanesOf(elem vir.Elem, lane func(int) *vir.Value) *vir.Value {
	n := min(w.lanes, w.e.l.target.Lanes(elem))
	if n == 1 {
		return w.b.Op(vir.OpBroadcast, vir.Vec(elem, 1), lane(0))
	}
	var parts []*vir.Value
	for o := 0; o < w.lanes; o += n {
		x := w.b.Op(vir.OpPoison, vir.Vec(elem, n))
		for k := range n {
			x = w.b.Insert(x, lane(o+k), k)
		}
		parts = append(parts, x)
	}
	return w.concat(parts)
}

// storeLanes stores each lane by itself, in ascending order.
func (w *widener) storeLanes(a *dep.Access) {
	x := w.value(a.Inst.Stored())
	next := w.walk(a)
	if w.lanes == 1 {
		w.b.Store(vir.OpStoreUnit, x, next(), nil)
		return
	}
	for k := range w.lanes {
		w.b.Store(vir.OpStore, w.b.Extract(x, k), next(), nil)
	}
}

// walk gives the addresses of the lanes of a, one after the other.
func (w *widener) walk(a *dep.Access) func() vir.Addr {
	ad := w.e.address(a)
	if a.Kind == dep.Symbolic {
		i64 := vir.Scalar(vir.I64)
		step := w.e.expr(a.Step)
		p := w.b.Op(vir.OpPtradd, ad.base.Type, ad.base, w.b.Op(vir.OpMul, i64, w.t, step))
		first := true
		return func() vir.Addr {
			if !first {
				p = w.b.Op(vir.OpPtradd, p.Type, p, step)
			}
			first = false
			return vir.Addr{Base: p, Disp: ad.disp}
		}
	}
	at, step := w.at(ad), a.Stream.Step
	at.Disp -= step
	return func() vir.Addr {
		at.Disp += step
		return at
	}
}
