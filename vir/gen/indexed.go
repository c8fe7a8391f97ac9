package gen

import "github.com/lanewise/lanewise/vir"

// gather loads from fresh input by indices from 0 to a power of two. Inactive
// lanes of a masked one have any index, and their results are blended away.
func (m *maker) gather(t vir.Type) *vir.Value {
	n := 1 << m.below(5)
	scale := int64(t.Elem.Size()) * pick(m.Source, []int64{1, 1, 1, -1, 2})
	off := m.newInput(vir.Vec(t.Elem, n*2))
	index := m.index(t.Lanes, n)
	if !m.chance(40) {
		return m.b.Gather(t, m.indexed(m.in, off, index, scale, n), nil)
	}
	mask := m.value(t.WithElem(vir.Bool))
	index = m.emit(vir.OpBlend, index.Type, mask, index, m.value(index.Type))
	v := m.b.Gather(t, m.indexed(m.in, off, index, scale, n), mask)
	return m.emit(vir.OpBlend, t, mask, v, m.value(t))
}

// expand loads from fresh input, with room for all lanes or for those that are active.
func (m *maker) expand(t vir.Type) *vir.Value {
	mask := m.value(t.WithElem(vir.Bool))
	m.used[mask] = true
	off := m.newInput(t)
	a := m.address(m.in, int64(off))
	if m.chance(60) || !m.allowed(vir.OpBlend, t) {
		return m.b.Expand(t, a, m.b.Int(i64, int64(t.Lanes+m.below(9))), mask)
	}
	v := m.b.Expand(t, a, m.emit(vir.OpCount, i64, mask), mask)
	return m.emit(vir.OpBlend, t, mask, v, m.value(t))
}

// index is a vector of indices from 0 to n-1, a power of two.
func (m *maker) index(lanes, n int) *vir.Value {
	t := vir.Vec(pick(m.Source, ints[2:]), lanes)
	if m.chance(30) {
		bits := make([]uint64, lanes)
		for i := range bits {
			bits[i] = uint64(m.below(n))
		}
		return m.b.Lanes(t, bits)
	}
	return m.emit(vir.OpAnd, t, m.value(t), m.b.Int(t, int64(n-1)))
}

// indexed is the address of elements in off and behind for indices below n, or with a
// negative scale from the other end on.
func (m *maker) indexed(base *vir.Value, off int, index *vir.Value, scale int64, n int) vir.Addr {
	m.used[index] = true
	d := int64(off)
	if scale < 0 {
		d -= int64(n-1) * scale
	}
	if m.chance(30) {
		x := int64(m.below(off + 1))
		base = m.emit(vir.OpPtradd, base.Type, base, m.b.Int(i64, x))
		d -= x
	}
	return vir.Addr{Base: base, Index: index, Scale: scale, Disp: d}
}

// scatter stores v into a place of its size at off, where several lanes may meet.
func (m *maker) scatter(v *vir.Value, off int, mask *vir.Value) {
	n := v.Type.Lanes
	index := m.index(n, n)
	if mask != nil {
		index = m.emit(vir.OpBlend, index.Type, mask, index, m.value(index.Type))
	}
	scale := int64(v.Type.Elem.Size()) * pick(m.Source, []int64{1, 1, -1})
	m.b.Scatter(v, m.indexed(m.out, off, index, scale, n), mask)
}
