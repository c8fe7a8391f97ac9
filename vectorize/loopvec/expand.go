package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Loads that go up when a condition holds: if c { y[i] = src[k]; k++ }.
//
//	vec32:   %m = ...                                     32 lanes
//	         %c = count i64 %m
//	         %e = add i64 %k, %c
//	         br 0 <= %k and %e <= len, ok, done32         no subscript is out of range
//	ok:      %r = sub i64 %len, %k
//	         %v = load.expand f32x32 [%src + %k*4] room %r mask %m
//	         store.unit f32x32 %v, [%y + %i*4] mask %m
//	         %k1 = %e
//
// Elements up to the end of the slice may be read, whether a lane wants them or not: all but
// the last blocks read registers as they are in memory.
//
// A load in every iteration of which only the counter depends on the condition,
//
//	v := src[k]; if c { k++ }
//
// is the same: a lane that does not count has the next element, too.
//
// The condition must not depend on what is loaded, as it does where two sorted slices
// are merged.

// expandable decides about load a by counter c.
func (l *loop) expandable(a *dep.Access, c *counter) error {
	if a.Inst.Masked && !c.counts(a.Inst.Mask()) {
		return pass.Refuse("loopvec:Expand", a.Inst, "a load by the counter %s under a condition of its own", name(a.Count.Phi))
	}
	if l.countsOn(a.Inst, c, make(map[*vir.Value]bool)) {
		return pass.Refuse("loopvec:Expand", a.Inst, "the counter %s depends on what is loaded by it", name(a.Count.Phi))
	}
	for i := range l.dp.Accesses {
		b := &l.dp.Accesses[i]
		if b.Store && b.Kind == dep.Counted && b.Stream.Param == a.Stream.Param {
			return pass.Refuse("loopvec:Expand", a.Inst, "a load by the counter %s from where such stores go", name(a.Count.Phi))
		}
	}
	return nil
}

// countsOn reports whether what c counts depends on load v.
func (l *loop) countsOn(v *vir.Value, c *counter, seen map[*vir.Value]bool) bool {
	var visit func(x *vir.Value) bool
	visit = func(x *vir.Value) bool {
		if x == v {
			return true
		}
		if seen[x] || x.Op == vir.OpPhi || x.Block == nil {
			return false
		}
		seen[x] = true
		if a := l.dp.Access(x); a != nil && a.Kind == dep.Counted {
			if c := l.counterOf(a.Count.Phi); c != nil && visit(c.Cond) {
				return true
			}
		}
		for _, y := range x.Args {
			if visit(y) {
				return true
			}
		}
		return false
	}
	return visit(c.Cond)
}

// countFirst puts loads that tell what is counted before the first check or load by
// the counter. They need no check of their own, or everything is refused.
func (l *loop) countFirst() error {
	var out []*vir.Value
	done := make(map[*vir.Value]bool)
	for _, v := range l.sched {
		a := l.dp.Access(v)
		if a != nil && a.Kind == dep.Counted && !a.Store || v.Op == vir.OpCheckIndex && l.checkForm(v) == checkCount {
			loads := make(map[*vir.Value]bool)
			l.loadsOf(v, loads, make(map[*vir.Value]bool))
			for _, x := range l.sched {
				if !loads[x] || done[x] {
					continue
				}
				if b := l.dp.Access(x); b.Kind != dep.Linear {
					return pass.Refuse("loopvec:Expand", v, "what is counted depends on a load behind the use of the counter")
				}
				done[x] = true
				out = append(out, x)
			}
		}
		if !done[v] {
			done[v] = true
			out = append(out, v)
		}
	}
	l.sched = out
	return nil
}

// expand deals to the lanes what lies side by side.
func (w *widener) expand(a *dep.Access) *vir.Value {
	v := a.Inst
	from := v.Addr()
	from.Base, from.Index = w.e.value(from.Base), w.counted(from.Index)
	x := w.b.Expand(vir.Vec(v.Type.Elem, w.lanes), from, w.room(a, from), w.hits(hitKey{phi: a.Count.Phi}))
	x.Name = v.Name
	return x
}

// room is the number of elements from address ad on up to the end of the slice that a
// is in, or of those that are needed where that is not known.
func (w *widener) room(a *dep.Access, ad vir.Addr) *vir.Value {
	p := w.e.l.region.Fn.Params[a.Stream.Param]
	size := int64(a.Inst.Type.Elem.Size())
	known := a.Inst.Base() == p && int64(p.Param.ElemSize) == size && a.Scale == size && ad.Scale == size && ad.Disp%size == 0
	i64 := vir.Scalar(vir.I64)
	var n *vir.Value
	switch {
	case known && p.Param.Len != nil:
		n = w.e.value(p.Param.Len)
	case known && p.Param.FixedLen > 0:
		n = w.b.Int(i64, p.Param.FixedLen)
	default:
		return w.number(hitKey{a.Count.Phi, !a.Inst.Masked})
	}
	if ad.Disp != 0 {
		n = w.b.Op(vir.OpSub, i64, n, w.b.Int(i64, ad.Disp/size))
	}
	return w.b.Op(vir.OpSub, i64, n, ad.Index)
}
