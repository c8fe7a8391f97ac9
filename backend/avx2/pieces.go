package avx2

import "github.com/lanewise/lanewise/vir"

// A block works on a number of lanes, which are its iterations. A value with as
// many lanes has one of each, and its parts follow each other. Groups of
// interleaved accesses are made piece by piece instead:
//
//	loads of piece 0 -> shuffles -> %a0 \
//	loads of piece 1 -> shuffles -> %a1 - concat -> arithmetic -> subvec -> ... stores of piece u
//
// What is connected to a piece by anything but concat and subvec belongs to its
// iterations: the accesses of a piece may be ordered like parts.

// A stretch is a run of lanes of the block.
type stretch struct{ lo, hi int }

// pieces are the stretches of values that do not go lane by lane.
type pieces struct {
	lanes     int
	parent    map[*vir.Value]*vir.Value
	stretches map[*vir.Value]stretch
	// ordered says that lanes may be gone through in chunks: no load after a store
	// is mixed with other lanes, and every access has lanes of its own.
	ordered bool
}

// findPieces looks for pieces in b.
func findPieces(b *vir.Block) *pieces {
	p := &pieces{parent: make(map[*vir.Value]*vir.Value), stretches: make(map[*vir.Value]stretch)}
	for _, v := range b.Insts {
		if t := accessType(v); t.IsVector() {
			p.lanes = max(p.lanes, t.Lanes)
		}
	}
	for _, v := range b.Insts {
		p.connect(b, v)
	}
	p.ordered = !crossesLanes(b) && !p.uneven(b) || !loadsAfterStores(b) && p.apart(b)
	return p
}

// connect joins v with its operands as far as they are about the same iterations.
func (p *pieces) connect(b *vir.Block, v *vir.Value) {
	t := accessType(v)
	if v.Op == vir.OpPhi || !t.IsVector() {
		return
	}
	if t.Lanes < p.lanes {
		p.find(v)
	}
	for i, a := range v.Args {
		if !a.Type.IsVector() || a.Block != b || a.Op == vir.OpConst || a.Op == vir.OpPoison {
			continue
		}
		whole, n := a.Type.Lanes == p.lanes, a.Type.Lanes
		switch {
		case uniform(a):
			// The same for all pieces.
		case v.Op == vir.OpConcat && t.Lanes == p.lanes:
			p.seed(a, stretch{i * n, (i + 1) * n})
		case v.Op == vir.OpSubvec && whole:
			p.seed(v, stretch{int(v.Imm), int(v.Imm) + t.Lanes})
		case whole && t.Lanes == p.lanes && !mixesLanes(v.Op):
			// Lane by lane.
		default:
			p.join(v, a)
			if whole || t.Lanes == p.lanes {
				p.seed(a, stretch{0, p.lanes})
			}
		}
	}
}

// uniform reports whether all lanes of v are obviously the same: the first of them may
// stand for any.
func uniform(v *vir.Value) bool {
	return v.Op == vir.OpBroadcast || v.Op == vir.OpSubvec && uniform(v.Args[0])
}

// mixesLanes holds for operations whose lanes depend on other lanes.
func mixesLanes(op vir.Op) bool {
	return op == vir.OpShuffle || op == vir.OpPermute || op == vir.OpConcat || op == vir.OpSubvec || op == vir.OpCompress
}

func (p *pieces) find(v *vir.Value) *vir.Value {
	up, ok := p.parent[v]
	switch {
	case !ok:
		p.parent[v] = v
		return v
	case up == v:
		return v
	}
	r := p.find(up)
	p.parent[v] = r
	return r
}

func (p *pieces) join(v, w *vir.Value) {
	a, b := p.find(v), p.find(w)
	if a == b {
		return
	}
	p.parent[b] = a
	if s, ok := p.stretches[b]; ok {
		p.seed(a, s)
	}
}

// seed adds lanes to what v is about.
func (p *pieces) seed(v *vir.Value, s stretch) {
	r := p.find(v)
	if old, ok := p.stretches[r]; ok {
		s = stretch{min(s.lo, old.lo), max(s.hi, old.hi)}
	}
	p.stretches[r] = s
}

// of is the stretch of v; not ok if v goes lane by lane.
func (p *pieces) of(v *vir.Value) (s stretch, ok bool) {
	if _, ok := p.parent[v]; !ok {
		return stretch{}, false
	}
	if s, ok := p.stretches[p.find(v)]; ok {
		return s, true
	}
	return stretch{0, p.lanes}, true
}

// uneven reports whether an access has fewer lanes than the block.
func (p *pieces) uneven(b *vir.Block) bool {
	for _, v := range b.Insts {
		if t := accessType(v); (v.Op.IsLoad() || v.Op.IsStore()) && t.IsVector() && t.Lanes < p.lanes {
			return true
		}
	}
	return false
}

// apart reports whether no access is about all lanes at once.
func (p *pieces) apart(b *vir.Block) bool {
	for _, v := range b.Insts {
		if s, ok := p.of(v); ok && (v.Op.IsLoad() || v.Op.IsStore()) && s == (stretch{0, p.lanes}) {
			return false
		}
	}
	return true
}

// loadsAfterStores reports whether a load follows a store in b.
func loadsAfterStores(b *vir.Block) bool {
	stored := false
	for _, v := range b.Insts {
		if stored && v.Op.IsLoad() {
			return true
		}
		stored = stored || v.Op.IsStore()
	}
	return false
}

// lastIteration is the last lane of the block that lanes of v up to last are about.
func (s *selector) lastIteration(v *vir.Value, last int) int {
	if at, ok := s.pieces.of(v); ok {
		return at.hi - 1
	}
	return last
}

// firstIteration is the first lane of the block that lanes of v from first on are about.
func (s *selector) firstIteration(v *vir.Value, first int) int {
	if at, ok := s.pieces.of(v); ok {
		return at.lo
	}
	return first
}
