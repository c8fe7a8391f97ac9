// Package whole stores the parts of an element together where a counter says where it goes: a
// filter of points keeps pairs of coordinates.
//
//	store f32 %x, [%out + %k*8] mask %m          %a = zext i64 bitcast(%x)
//	store f32 %y, [%out + %k*8 + 4] mask %m      %b = shl i64 zext(bitcast(%y)), 32
//	                                       ==>   store i64 or(%a, %b), [%out + %k*8] mask %m
//
// Lanes with elements of their own are packed and stored as they stand, at most 8 bytes each.
// Parts that are loaded side by side are loaded together, too, besides what else uses them.
//
// Requires: one body block, addresses and masks shared. It must not know lanes.
// Not handled: elements of which parts are not stored, or of more than 8 bytes.
package whole

import (
	"cmp"
	"slices"
	"sync"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the region of u.
func Run(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) != 5 {
		return nil
	}
	counts := sync.OnceValue(func() *scev.Info { return scev.New(u.Region) }) // few loops ask
	var stores []*vir.Value                                                   // one behind the other
	for _, v := range slices.Clone(f.Blocks[2].Insts) {
		switch {
		case v.Op == vir.OpStore && v.Index() != nil && (len(stores) == 0 || besides(stores[0], v)):
			stores = append(stores, v)
			if parts := element(stores); parts != nil {
				if _, ok := counts().Counted(v.Index()); ok && u.Count() {
					join(parts, v)
				}
				stores = nil
			}
		case v.Op == vir.OpStore && v.Index() != nil:
			stores = []*vir.Value{v}
		case v.Op.Info().Effect || v.Op.Info().Reads:
			stores = nil
		}
	}
	return nil
}

// besides reports whether w stores to the same element as v, in the same iterations.
func besides(v, w *vir.Value) bool {
	return v.Base() == w.Base() && v.Index() == w.Index() && v.Scale == w.Scale && v.Mask() == w.Mask()
}

// element are the stores in the order of memory if they fill an element: as many bytes as from
// one index to the next.
func element(stores []*vir.Value) []*vir.Value {
	size := stores[0].Scale
	if len(stores) < 2 || size > 8 || size&(size-1) != 0 {
		return nil
	}
	parts := slices.Clone(stores)
	slices.SortStableFunc(parts, func(v, w *vir.Value) int { return cmp.Compare(v.Disp, w.Disp) })
	return covering(parts, size)
}

// covering are the accesses if they lie side by side, size bytes in all.
func covering(parts []*vir.Value, size int64) []*vir.Value {
	end := parts[0].Disp
	for _, v := range parts {
		if v.Disp != end {
			return nil
		}
		end += int64(v.Access().Size())
	}
	if end != parts[0].Disp+size {
		return nil
	}
	return parts
}

// join makes one store of parts, where the last of them stands.
func join(parts []*vir.Value, last *vir.Value) {
	values := make([]*vir.Value, len(parts))
	for i, v := range parts {
		values[i] = v.Stored()
	}
	b := vir.NewBuilder(last.Block.Func, last.Block)
	b.Pos = last.Pos
	x := loaded(b, values, last.Scale)
	edit.InFront(b, last, func() {
		if x == nil {
			x = combined(b, values, last.Scale)
		}
		b.Store(vir.OpStore, x, parts[0].Addr(), last.Mask())
	})
	for _, v := range parts {
		v.Remove()
	}
}

// loaded is one load of all values, which are loaded side by side; nil if they are not.
func loaded(b *vir.Builder, values []*vir.Value, size int64) (x *vir.Value) {
	first := values[0]
	for _, v := range values {
		if v.Op != vir.OpLoad || v.Masked || v.Block != first.Block || v.Base() != first.Base() || v.Index() != first.Index() || v.Scale != first.Scale {
			return nil
		}
	}
	if covering(values, size) == nil {
		return nil
	}
	insts := first.Block.Insts
	from, to := len(insts), 0
	for _, v := range values {
		i := slices.Index(insts, v)
		from, to = min(from, i), max(to, i)
	}
	if slices.ContainsFunc(insts[from:to], func(v *vir.Value) bool { return v.Op.Info().Effect }) {
		return nil
	}
	edit.InFront(b, insts[to], func() {
		x = b.Load(vir.OpLoad, vir.Scalar(vir.IntElem(int(size))), first.Addr(), nil)
	})
	return x
}

// combined is one integer with the bits of all values.
func combined(b *vir.Builder, values []*vir.Value, size int64) (x *vir.Value) {
	wide := vir.Scalar(vir.IntElem(int(size)))
	at := int64(0)
	for _, p := range values {
		bits := p
		if bits.Type.Elem.IsFloat() {
			bits = b.Op(vir.OpBitcast, vir.Scalar(vir.IntElem(bits.Type.Size())), bits)
		}
		bits = b.Op(vir.OpZext, wide, bits)
		if x == nil {
			x = bits
		} else {
			x = b.Op(vir.OpOr, wide, x, b.Op(vir.OpShl, wide, bits, b.Int(wide, 8*at)))
		}
		at += int64(p.Type.Size())
	}
	return x
}
