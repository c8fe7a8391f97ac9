package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A loop in parts of 64 bytes may have its first block in front of it. That block is in such parts
// too, as what it makes goes to no others but to the phis of the loop, and to those that join its
// values with what the loop leaves behind.
//
//	first -> loop -> ran
//	first ---------> ran

// aheadOfLoops are the values that phis of loops have at first, and what they are computed of in
// front of these. The entry is left out: calls that do not get to a loop run it.
func (s *selector) aheadOfLoops() map[*vir.Value]bool {
	ahead := make(map[*vir.Value]bool)
	var add func(v *vir.Value)
	add = func(v *vir.Value) {
		other := s.a.inner[v.Block] != nil || v.Block == s.fn.Entry()
		if other || ahead[v] || !isLanewise(v) && (v.Op != vir.OpLoadUnit || v.Masked) {
			return
		}
		ahead[v] = true
		for _, a := range v.Args {
			add(a)
		}
	}
	for _, h := range s.a.order {
		if s.a.inner[h] != h {
			continue
		}
		for k, b := range h.Preds {
			if s.a.inner[b] != nil {
				continue
			}
			for _, phi := range h.Phis() {
				add(phi.Args[k])
			}
		}
	}
	return ahead
}

// joinsZMM reports whether v joins what a loop leaves behind with others.
func (s *selector) joinsZMM(v *vir.Value) bool {
	return v.Op == vir.OpPhi && slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return s.a.inner[a.Block] != nil })
}

// staysAhead reports whether v is read in parts of 64 bytes only, by no turn of a loop, and computed of
// others in front of it that are, or of what the entry has.
func (s *selector) staysAhead(v *vir.Value, set map[*vir.Value]bool) bool {
	for _, a := range lanesRead(v) {
		if _, splat := splatBits(a); a.Type.IsVector() && !set[a] && !splat && a.Op != vir.OpConst && a.Block != s.fn.Entry() {
			return false
		}
	}
	return !slices.ContainsFunc(s.a.uses[v], func(u *vir.Value) bool {
		return !set[u] && !s.isOfNaNChoices(u) || u.Op != vir.OpPhi && s.a.inner[u.Block] != nil
	})
}

// isOfNaNChoices reports whether m is a mask of choices that do without.
func (s *selector) isOfNaNChoices(m *vir.Value) bool {
	return m.Op == vir.OpFcmpNe && !slices.ContainsFunc(s.a.uses[m], func(u *vir.Value) bool { return !isNaNChoice(u) || u.Args[0] != m })
}

// isZMMConcat reports whether v is whole parts one behind the other.
func isZMMConcat(v *vir.Value) bool {
	return v.Op == vir.OpConcat && v.Args[0].Type.Size()%zmmBytes == 0
}

// zmmPartOfConcat is part p of what v puts one behind the other.
func (s *selector) zmmPartOfConcat(v *vir.Value, p int) vec {
	n := v.Args[0].Type.Size() / zmmBytes
	return s.zmmPart(v.Args[p/n], p%n)
}
