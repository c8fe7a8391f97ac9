package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// splat is as many lanes of broadcast v as t has; nil if those are more than there are,
// for a second broadcast would take another register.
func (m *maker) splat(v *vir.Value, t vir.Type) *vir.Value {
	switch n := v.Type.Lanes; {
	case n == t.Lanes:
		return v
	case n > t.Lanes:
		return m.add(&vir.Value{Op: vir.OpSubvec, Type: t, Args: []*vir.Value{v}})
	}
	return nil
}

// constant is a vector of constants; lanes that may be anything are as others.
func (m *maker) constant(lanes, some []lane, t vir.Type) *vir.Value {
	splat, _ := some[0].bits()
	bits := make([]uint64, len(lanes))
	same := true
	for k, l := range lanes {
		bits[k] = splat
		if l.v != nil {
			bits[k], _ = l.bits()
		}
		same = same && bits[k] == splat
	}
	if same {
		bits = bits[:1]
	}
	return m.add(&vir.Value{Op: vir.OpConst, Type: t, Bits: bits})
}

// mixed puts uniform values together where the last of them is made.
func (m *maker) mixed(lanes []lane, t vir.Type) *vir.Value {
	if t.IsMask() {
		return m.shuffled(lanes, t)
	}
	blocks := m.b.Func.Blocks
	at := -1
	for _, l := range defined(lanes) {
		if l.v.Op == vir.OpBroadcast {
			at = max(at, slices.Index(blocks, l.v.Block))
		}
	}
	put := func(v *vir.Value) *vir.Value {
		m.setup = append(m.setup, placedValue{v, blocks[at]})
		return v
	}
	v := put(&vir.Value{Op: vir.OpPoison, Type: t})
	for k, l := range lanes {
		if l.v == nil {
			continue
		}
		x := l.v.Args
		if bits, ok := l.bits(); ok {
			x = []*vir.Value{put(&vir.Value{Op: vir.OpConst, Type: t.Lane(), Bits: []uint64{bits}})}
		}
		v = put(&vir.Value{Op: vir.OpInsert, Type: t, Args: []*vir.Value{v, x[0]}, Imm: int64(k)})
	}
	return v
}
