package plan

import "github.com/lanewise/lanewise/vir"

// SameSignature reports whether functions have parameters of the same names and types, and
// results of the same types.
func SameSignature(a, b *vir.Func) bool {
	if len(a.Params) != len(b.Params) || len(a.Results) != len(b.Results) {
		return false
	}
	for i, p := range a.Params {
		if q := b.Params[i]; p.Name != q.Name || p.Type != q.Type {
			return false
		}
	}
	for i, t := range a.Results {
		if t != b.Results[i] {
			return false
		}
	}
	return true
}
