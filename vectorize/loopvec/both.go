package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Counters that go up in every iteration, and once more where a condition holds:
//
//	dst[k] = x; k++; if c { dst[k] = y; k++ }
//
//	vec8:    %z = x0 y0 x1 y1 ... x7 y7
//	         %m = 1  c0 1  c1 ... 1  c7
//	         store.compress f32x16 %z, [%dst + %k*4] mask %m
//	         %k1 = %k + 8 + count %c
//
// Both stores are there, and lie side by side: see dep. Other stores by such counters leave
// gaps and are refused, loads are too.

// storedTwice decides about access a by counter c.
func (l *loop) storedTwice(a *dep.Access, c *counter) error {
	_, first := l.dp.Pair(a)
	if first == nil || a.Inst.Masked && !c.counts(a.Inst.Mask()) || a.Stream.Size < 4 {
		return pass.Refuse("loopvec:Compress", a.Inst, "an access by the counter %s, which goes up once or twice, that is none of two stores side by side", name(a.Count.Phi))
	}
	return nil
}

// bothEnd is the subscript behind the last element of the block, where k is that of the
// first lane: one of all lanes, or of those that c counts.
func (w *widener) bothEnd(k *vir.Value, c *counter, masked bool) *vir.Value {
	more := int64(w.lanes)
	if masked {
		more-- // the element of the first lane itself lies in front
	}
	end := w.b.Op(vir.OpAdd, k.Type, k, w.number(hitKey{phi: c.Phi}))
	return w.b.Op(vir.OpAdd, k.Type, end, w.b.Int(k.Type, more))
}

// storeBoth stores two values per iteration when the second one comes.
func (w *widener) storeBoth(a *dep.Access) {
	other, first := w.e.l.dp.Pair(a)
	if w.vec[a.Inst] == nil && w.vec[other.Inst] == nil {
		w.vec[a.Inst] = w.value(a.Inst.Stored()) // the other one does it
		return
	}
	second := a
	if first == a {
		second = other
	}
	to := first.Inst.Addr()
	to.Base, to.Index = w.e.value(to.Base), w.counted(to.Index)
	x := w.alternate(w.value(first.Inst.Stored()), w.value(second.Inst.Stored()))
	w.b.Store(vir.OpStoreCompress, x, to, w.firstAnd(w.hits(hitKey{phi: a.Count.Phi}), int(a.Scale)))
}

// firstAnd is every lane twice: active, and as m has it. Lanes of values have so many
// bytes.
func (w *widener) firstAnd(m *vir.Value, size int) *vir.Value {
	t := vir.Vec(vir.IntElem(size), w.lanes)
	x := w.alternate(w.b.Int(t, -1), w.b.Op(vir.OpSext, t, m))
	return w.b.Cmp(vir.OpIcmpSlt, x, w.b.Int(x.Type, 0))
}

// alternate is lane 0 of x, lane 0 of y, lane 1 of x, and so on.
func (w *widener) alternate(x, y *vir.Value) *vir.Value {
	n := w.e.l.target.Lanes(x.Type.Elem) / 2
	if n = min(n, x.Type.Lanes); n < 1 {
		n = 1
	}
	var parts []*vir.Value
	for p := range x.Type.Lanes / n {
		parts = append(parts, w.interleaved([]*vir.Value{w.piece(x, p, n), w.piece(y, p, n)}))
	}
	return w.concat(parts)
}

// pairsMargin is how much better a kernel with such stores must be than the loop as
// written where the processor knows the condition: what packing takes is estimated
// worse than other things.
const pairsMargin = 0.65

// pairsPay reports whether c is better than the loop on any data.
func (l *loop) pairsPay(c *candidate) bool {
	for _, s := range l.states {
		if s.count != nil && s.count.Both {
			return c.cost <= pairsMargin*(l.scalarCost()-l.branchCost())
		}
	}
	return true
}
