package estimate

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
)

// The compiler makes one load of
//
//	uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
//
// and one store of its reverse, with the bytes swapped if need be.

// Compiled are costs of f as the compiler does it: what becomes part of another load or
// store costs nothing.
func Compiled(f *vir.Func, costs Costs) Costs {
	free := mergedBytes(f, f.Uses())
	return func(v *vir.Value, readers int) target.Cost {
		if free[v] {
			return target.Cost{}
		}
		return costs(v, readers)
	}
}

// mergedBytes are the values of f that are no instructions of their own.
func mergedBytes(f *vir.Func, uses map[*vir.Value][]*vir.Value) map[*vir.Value]bool {
	free := make(map[*vir.Value]bool)
	for _, b := range f.Blocks {
		var stores []part
		for _, v := range b.Insts {
			switch {
			case isSum(v) && !(len(uses[v]) == 1 && isSum(uses[v][0])):
				mergeLoads(v, uses, free)
			case v.Op == vir.OpStore && !v.Masked && v.Access().Elem == vir.I8:
				if p, ok := storedByte(v); ok {
					stores = append(stores, p)
				}
			}
		}
		mergeStores(stores, free)
	}
	return free
}

func isSum(v *vir.Value) bool {
	return (v.Op == vir.OpOr || v.Op == vir.OpAdd || v.Op == vir.OpXor) && v.Type.Elem.IsInt() && !v.Type.IsVector()
}

// A part is a byte of a word: the access, the word that is stored, the shift in bits, and
// the values that are nothing but this byte.
type part struct {
	at, of *vir.Value
	shift  uint64
	values []*vir.Value
}

// mergeLoads notes what is free of the word that v puts together.
func mergeLoads(v *vir.Value, uses map[*vir.Value][]*vir.Value, free map[*vir.Value]bool) {
	var parts []part
	var inner []*vir.Value
	ok := true
	var walk func(x *vir.Value)
	walk = func(x *vir.Value) {
		if x.Op == v.Op && (x == v || len(uses[x]) == 1) {
			inner = append(inner, x)
			walk(x.Args[0])
			walk(x.Args[1])
			return
		}
		p, is := loadedByte(x, uses)
		ok = ok && is
		parts = append(parts, p)
	}
	walk(v)
	if !ok || !side(parts) {
		return
	}
	for _, p := range parts[1:] { // one of the loads remains
		free[p.at] = true
	}
	for _, p := range parts {
		for _, x := range p.values {
			free[x] = true
		}
	}
	for _, x := range inner {
		free[x] = true
	}
}

// loadedByte is the byte that x is at its place in a word.
func loadedByte(x *vir.Value, uses map[*vir.Value][]*vir.Value) (p part, ok bool) {
	if x.Op == vir.OpShl {
		if p.shift, ok = x.Args[1].IsConst(); !ok {
			return p, false
		}
		p.values = append(p.values, x)
		x = x.Args[0]
	}
	if x.Op != vir.OpZext || x.Args[0].Op != vir.OpLoad || x.Args[0].Type.Elem != vir.I8 || len(uses[x]) != 1 || len(uses[x.Args[0]]) != 1 {
		return p, false
	}
	p.at, p.values = x.Args[0], append(p.values, x)
	return p, p.shift%8 == 0
}

// storedByte is the byte of a word that v stores.
func storedByte(v *vir.Value) (p part, ok bool) {
	x := v.Stored()
	if x.Op != vir.OpTrunc {
		return p, false
	}
	p = part{at: v, of: x.Args[0], values: []*vir.Value{x}}
	if p.of.Op == vir.OpLshr {
		if p.shift, ok = p.of.Args[1].IsConst(); !ok {
			return p, false
		}
		p.values = append(p.values, p.of)
		p.of = p.of.Args[0]
	}
	return p, p.shift%8 == 0
}

// mergeStores notes what is free of words that are stored byte by byte.
func mergeStores(all []part, free map[*vir.Value]bool) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].of == all[0].of && side(all[:n+1]) {
			n++
		}
		if n > 1 {
			for _, p := range all[:n] {
				for _, x := range p.values {
					free[x] = true
				}
			}
			for _, p := range all[1:n] {
				free[p.at] = true
			}
		}
		all = all[n:]
	}
}

// side reports whether bytes are neighbours in memory as they are in the word, forwards or
// backwards.
func side(parts []part) bool {
	if len(parts) < 2 {
		return false
	}
	sorted := slices.Clone(parts)
	slices.SortFunc(sorted, func(a, b part) int { return cmp.Compare(a.shift, b.shift) })
	first := alias.FormOf(alias.Of(sorted[0].at))
	step := int64(0)
	for i, p := range sorted[1:] {
		d, ok := first.Distance(alias.FormOf(alias.Of(p.at)))
		if i == 0 {
			step = d
		}
		if !ok || step != 1 && step != -1 || d != step*int64(i+1) || p.shift != sorted[0].shift+8*uint64(i+1) {
			return false
		}
	}
	return true
}
