package avx2

import "github.com/lanewise/lanewise/vir"

// apart reports whether load l and v, a store or a call, obviously touch no byte in common: they
// are at distances known from one address, or nobody writes what l reads.
func apart(l, v *vir.Value) bool {
	a, okA := extentOf(l)
	if v.Op == vir.OpCall {
		return okA && a.base.Op == vir.OpParam && a.base.Param.Immutable
	}
	b, okB := extentOf(v)
	if !okA || !okB {
		return false
	}
	if a.base.Op == vir.OpParam && a.base.Param.Immutable {
		return true
	}
	if a.base != b.base || a.index != b.index || a.index != nil && a.scale != b.scale {
		return false
	}
	return a.hi <= b.lo || b.hi <= a.lo
}

// An extent is the bytes [base + index*scale + lo, ... + hi).
type extent struct {
	base, index   *vir.Value
	scale, lo, hi int64
}

// farthest is the largest distance that is looked at. Addresses wrap, and distances
// with them; small ones are what they are.
const farthest = 1 << 30

// extentOf is what an access of neighbouring lanes touches.
func extentOf(v *vir.Value) (e extent, ok bool) {
	t := v.Access()
	size := int64(t.Elem.Size())
	lanes := int64(max(t.Lanes, 1))
	e = extent{base: v.Base(), index: v.Index(), scale: v.Scale, lo: v.Disp}
	switch v.Op {
	case vir.OpLoad, vir.OpLoadUnit, vir.OpStore, vir.OpStoreUnit:
	case vir.OpLoadReverse, vir.OpStoreReverse:
		e.lo -= (lanes - 1) * size
	default:
		return extent{}, false
	}
	for e.base.Op == vir.OpPtradd {
		c, isC := isConstInt(e.base.Args[1])
		if !isC {
			break
		}
		e.base, e.lo = e.base.Args[0], e.lo+c
	}
	for e.index != nil && e.index.Op == vir.OpAdd {
		c, isC := isConstInt(e.index.Args[1])
		if !isC {
			break
		}
		e.index, e.lo = e.index.Args[0], e.lo+c*e.scale
	}
	e.hi = e.lo + lanes*size
	return e, -farthest < e.lo && e.lo < farthest
}
