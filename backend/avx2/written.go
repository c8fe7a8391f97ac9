package avx2

import "github.com/lanewise/lanewise/vir"

// standsAlone holds for values that are emitted where they stand if any are: what is
// computed, and not looked through by what reads it. Loads, broadcasts and lanes taken
// out of vectors or put into them wait for their readers.
func (s *selector) standsAlone(v *vir.Value) bool {
	if !inVector(v.Type) || v.Type.IsMask() || len(s.a.uses[v]) == 0 {
		return false
	}
	switch v.Op {
	case vir.OpBroadcast, vir.OpExtract, vir.OpInsert, vir.OpSubvec, vir.OpConcat:
		return false
	}
	if v.Op.IsLoad() {
		return false
	}
	if len(s.a.uses[v]) > 1 {
		return true
	}
	switch u := s.a.uses[v][0]; u.Op {
	case vir.OpBlend, vir.OpShuffle, vir.OpInsert, vir.OpTrunc, vir.OpSelect:
		return false
	default:
		if _, _, ok := s.rotationOf(u); ok {
			return false
		}
		return !u.Op.IsStore()
	}
}

// heavier reports whether b takes more registers than a to be computed, in functions of
// straight-line code, so that it should be first: then less is kept meanwhile.
func (s *selector) heavier(b, a *vir.Value) bool {
	return s.fn.InOrder && s.weight(b) > s.weight(a)
}

// weight is the number of registers that v takes to be computed, after Sethi and Ullman:
// as if nobody else read what it is computed from.
func (s *selector) weight(v *vir.Value) int {
	if w, ok := s.weights[v]; ok {
		return w
	}
	if v.Block != s.block || v.Op == vir.OpPhi || v.Op == vir.OpConst || !inVector(v.Type) || v.Op.IsLoad() || s.vecs[v] != nil {
		return 1
	}
	s.weights[v] = 1
	most, same := 1, 0
	for _, a := range v.Args {
		switch w := s.weight(a); {
		case w > most:
			most, same = w, 0
		case w == most:
			same++
		}
	}
	if same > 1 || same == 1 && most > 1 && len(v.Args) > 1 && s.weight(v.Args[0]) == s.weight(v.Args[1]) {
		most++
	}
	s.weights[v] = most
	return most
}
