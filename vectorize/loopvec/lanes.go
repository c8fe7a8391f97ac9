package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// Accesses that are done lane by lane, by scalar loads and inserts or by extracts
// and scalar stores.

// loadLanes loads each lane by itself.
func (w *widener) loadLanes(a *dep.Access) *vir.Value {
	v := a.Inst
	next := w.walk(a)
	if w.lanes == 1 {
		return w.b.Load(vir.OpLoadUnit, vir.Vec(v.Type.Elem, 1), next(), nil)
	}
	n := min(w.lanes, w.e.l.target.Lanes(v.Type.Elem))
	var parts []*vir.Value
	for o := 0; o < w.lanes; o += n {
		x := w.b.Op(vir.OpPoison, vir.Vec(v.Type.Elem, n))
		for k := range n {
			x = w.b.Insert(x, w.b.Load(vir.OpLoad, v.Type, next(), nil), k)
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
	at, step := w.at(w.e.address(a)), a.Stream.Step
	at.Disp -= step
	return func() vir.Addr {
		at.Disp += step
		return at
	}
}
