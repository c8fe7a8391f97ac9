package avx2

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// What is held in 64 bytes is found before anything is emitted.

// findZMM is what loops hold or store in parts of 64 bytes: the largest set of values whose
// operands and readers in the loop belong to it too, what is computed of nothing else behind
// the loop, as when accumulators are added up, and the first block in front of it.
func (s *selector) findZMM() map[*vir.Value]bool {
	set := make(map[*vir.Value]bool)
	if !s.t.ZMM {
		return set
	}
	s.ahead = s.aheadOfLoops()
	var left []*vir.Value
	for _, b := range s.a.order {
		for _, v := range b.Insts {
			if s.mayBeZMM(v) {
				set[v] = true
				left = append(left, v)
			}
		}
	}
	left = s.closeZMM(set, left)
	if half := s.halfAhead(set, left); len(half) > 0 {
		maps.DeleteFunc(set, func(v *vir.Value, _ bool) bool { return half[v] })
		left = s.closeZMM(set, slices.DeleteFunc(left, func(v *vir.Value) bool { return half[v] }))
	}
	slow := s.slowZMM(left)
	if !s.t.Half512 {
		s.f.WantsFast512 = len(slow) > 0
	} else if len(slow) > 0 {
		isSlow := func(v *vir.Value) bool { return slow[s.a.inner[v.Block]] }
		maps.DeleteFunc(set, func(v *vir.Value, _ bool) bool { return isSlow(v) })
		s.closeZMM(set, slices.DeleteFunc(left, isSlow))
	}
	return set
}

// halfAhead are those of list in blocks in front of loops that load in 32 bytes what they have for the loop: nothing there is worth 64 then, since a
// call may end with that block.
func (s *selector) halfAhead(set map[*vir.Value]bool, list []*vir.Value) map[*vir.Value]bool {
	half := make(map[*vir.Value]bool)
	for _, v := range list {
		if s.ahead[v] && slices.ContainsFunc(v.Block.Insts, func(l *vir.Value) bool {
			return l.Op.IsLoad() && l.Type.Size() >= zmmBytes && !set[l]
		}) {
			half[v] = true
		}
	}
	return half
}

// closeZMM deletes from set what cannot stay there for the sake of what it is connected to. It is
// given the set as a list and returns what is left of that.
func (s *selector) closeZMM(set map[*vir.Value]bool, list []*vir.Value) []*vir.Value {
	for more := true; more; {
		n := len(list)
		list = slices.DeleteFunc(list, func(v *vir.Value) bool {
			stays := s.staysZMM(v, set)
			if !stays {
				delete(set, v)
			}
			return !stays
		})
		more = len(list) < n
		slices.Reverse(list) // what is not in the set spreads both ways
	}
	return list
}

// slowZMM are the headers of loops of values in 64 bytes that gain nothing from these where the CPU
// takes them in halves.
func (s *selector) slowZMM(zmms []*vir.Value) map[*vir.Block]bool {
	masks := make(map[*vir.Block]bool) // whether there are masks of 64 bytes
	for _, v := range zmms {
		if h := s.a.inner[v.Block]; h != nil {
			masks[h] = masks[h] || v.Type.IsMask()
		}
	}
	slow := make(map[*vir.Block]bool)
	for h, masked := range masks {
		if s.waitsForMoves(h, masked) {
			slow[h] = true
		}
	}
	return slow
}

// waitsForMoves reports whether a loop has loads and stores beside which nothing else takes time:
// other operations keep neither their units nor the processor as a whole busy for as long, or for
// twice as long where masks make up for it, which are in vectors with registers of 32 bytes.
func (s *selector) waitsForMoves(header *vir.Block, masked bool) bool {
	const width = 4 // operations that a processor begins in a cycle
	var loads, stores, others, arithmetic float64
	for _, b := range s.a.order {
		if s.a.inner[b] != header {
			continue
		}
		for _, v := range b.Insts {
			parts := float64(numParts(accessType(v)))
			switch {
			case v.Op == vir.OpLoadUnit:
				loads += parts
			case v.Op == vir.OpStoreUnit:
				stores += parts
			case accessType(v).IsVector() && v.Op != vir.OpPhi && v.Op != vir.OpBitcast:
				others += parts
				arithmetic += s.t.CostValue(v).Throughput
			}
		}
	}
	moves := max(loads/2, stores)
	if masked {
		return arithmetic <= 2*moves && loads+stores+others <= 2*width*moves
	}
	return loads > 0 && stores > 0 && arithmetic <= moves && loads+stores+others <= width*moves
}

// mayBeZMM reports whether v itself can be held or stored in parts of 64 bytes. Registers that loops
// read are set on the way to their first phi.
func (s *selector) mayBeZMM(v *vir.Value) bool {
	switch h := s.a.inner[v.Block]; {
	case h == nil && v.Op == vir.OpPhi:
		return s.joinsZMM(v) && zmmOp(v)
	case h == nil:
		return (isLanewise(v) || s.ahead[v]) && !resizes(v) && (zmmOp(v) || isZMMSubvec(v) || s.ahead[v] && isZMMConcat(v))
	case len(h.Phis()) == 0, v.Op == vir.OpPhi && v.Block != h:
		return false
	}
	if _, ok := s.a.gather(v); ok {
		return false // what it adds up has instructions of its own
	}
	return zmmOp(v) || isZMMSubvec(v)
}

// staysZMM reports whether what v is connected to leaves it in the set.
func (s *selector) staysZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	switch {
	case s.ahead[v]:
		return s.staysAhead(v, set)
	case s.a.inner[v.Block] == nil:
		return onlyReads(v, set)
	}
	return s.readsZMM(v, set) && s.readByZMM(v, set)
}

// isLanewise reports whether v is computed of vectors alone, without masks.
func isLanewise(v *vir.Value) bool {
	scalar := func(a *vir.Value) bool { return !a.Type.IsVector() || a.Type.IsMask() }
	return v.Op != vir.OpPhi && len(v.Args) > 0 && !scalar(v) && !slices.ContainsFunc(lanesRead(v), scalar)
}

// lanesRead are the operands of v but the mask of a choice that does without.
func lanesRead(v *vir.Value) []*vir.Value {
	if isNaNChoice(v) {
		return v.Args[1:]
	}
	return v.Args
}

// isZMMSubvec reports whether v is some of the parts of a vector.
func isZMMSubvec(v *vir.Value) bool {
	size := v.Type.Elem.Size()
	return v.Op == vir.OpSubvec && v.Type.Size()%zmmBytes == 0 && int(v.Imm)*size%zmmBytes == 0
}

// onlyReads reports whether all operands of v are in the set.
func onlyReads(v *vir.Value, set map[*vir.Value]bool) bool {
	return !slices.ContainsFunc(lanesRead(v), func(a *vir.Value) bool { return !set[a] })
}

// zmmOp reports whether there are instructions for v on 64 bytes.
func zmmOp(v *vir.Value) bool {
	t := accessType(v)
	switch {
	case t.IsMask():
		return zmmMaskOp(v)
	case !t.IsVector() || t.Size()%zmmBytes != 0:
		return false
	case v.Op == vir.OpBlend || isMaskExt(v):
		return true
	case resizes(v):
		return widensToZMM(v)
	}
	if v.Op == vir.OpBitcast || vir.OpTrunc <= v.Op && v.Op <= vir.OpFptrunc {
		if from := v.Args[0].Type; !from.IsVector() || from.IsMask() || from.Elem.Size() != t.Elem.Size() {
			return false
		}
	}
	return slices.Contains(zmmOps[v.Op], t.Elem)
}

// readsZMM reports whether operands of v are in the set, or the same in all iterations, or what
// v, a phi, has at first.
func (s *selector) readsZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	h := s.a.inner[v.Block]
	body := s.a.body(h)
	if resizes(v) {
		return true // what it reads is in 32 bytes
	}
	for k, a := range v.Args {
		if !a.Type.IsVector() {
			continue
		}
		_, splat := splatBits(a)
		switch {
		case a.Type.IsMask():
			if !set[a] || !zmmReadsMask(v, a) {
				return false
			}
		case splat, a.Op == vir.OpConst, a.Op == vir.OpPoison, set[a] && s.a.inner[a.Block] == h:
		case v.Op == vir.OpPhi && !body[v.Block.Preds[k]]:
		case !body[a.Block]:
		default:
			return false
		}
	}
	return true
}

// readByZMM reports whether all readers of v in its loop are in the set.
func (s *selector) readByZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	h := s.a.inner[v.Block]
	body := s.a.body(h)
	for _, u := range s.a.uses[v] {
		switch {
		case v.Type.IsMask() && (s.isMaskTest(u) && u.Args[0] == v || s.findsFirst(u, v)):
		case body[u.Block] && resizes(u):
			if set[u] || !narrowsZMM(u) || s.a.inner[u.Block] != h {
				return false
			}
		case body[u.Block] && !(set[u] && s.a.inner[u.Block] == h):
			return false
		case v.Type.IsMask() && !zmmReadsMask(u, v):
			return false
		}
	}
	return true
}
