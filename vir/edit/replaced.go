package edit

import "github.com/lanewise/lanewise/vir"

// Replaced is what stands for values that are gone, or will be.
type Replaced map[*vir.Value]*vir.Value

// Now is what stands for v in the end, v itself if nothing does.
func (r Replaced) Now(v *vir.Value) *vir.Value {
	for r[v] != nil {
		v = r[v]
	}
	return v
}

// DropTrivial removes those of phis that join one value, which stands for them then.
func (r Replaced) DropTrivial(phis []*vir.Value) {
	for changed := true; changed; {
		changed = false
		for _, phi := range phis {
			if r[phi] != nil {
				continue
			}
			if one, ok := r.joined(phi); ok {
				r[phi] = one
				phi.Remove()
				changed = true
			}
		}
	}
}

// joined is the one value that phi joins, besides itself.
func (r Replaced) joined(phi *vir.Value) (one *vir.Value, ok bool) {
	for _, a := range phi.Args {
		if a = r.Now(a); a != phi {
			if one != nil && one != a {
				return nil, false
			}
			one = a
		}
	}
	return one, true
}
