package avx2

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
)

// selectBlock emits b. Its roots are the stores and the values that leave it.
// Vector roots are emitted chunk by chunk of lanes and within a chunk in program
// order; a chunk is as many lanes as the largest part or group of the block holds. Thus
// an access A before B stays before it for the same and for later lanes. Scalar
// accesses and calls are done between: what comes before is finished first. Loads before the
// first store, and all of them if there is only one chunk, wait until somebody needs
// them, or until a store or a call that may write to the same place.
func (s *selector) selectBlock(b *vir.Block) {
	s.enter(b, s.head[b])
	s.f.Place(s.cur)
	s.tail[b] = s.cur
	s.takeMask(b)
	s.prefetch(b)

	s.pieces = findPieces(b)
	stored := false // whether a store has come
	chunk, lanes := s.chunk(b)
	lazy := chunk >= lanes // roots are done one by one, so that a load may wait for its reader
	var roots, late []*vir.Value
	for _, v := range b.Insts {
		stored = stored || v.Op.IsStore()
		switch {
		case v.Op.Info().Term, v.Op == vir.OpPhi, v.Op == vir.OpConst, v.Op == vir.OpPoison, s.a.sunk[v] != nil:
		case s.leavesAsBits(v):
		case v.Op.IsCheck():
			s.fail(v, "a kernel has no checks")
		case v.Op == vir.OpIter:
		case v.Op == vir.OpStore, v.Op == vir.OpLoad && stored && !lazy:
			s.chunks(b, roots)
			roots = roots[:0]
			s.scalarAccess(v)
		case v.Op == vir.OpCall:
			s.chunks(b, roots)
			roots = roots[:0]
			s.call(v)
		case v.Op == vir.OpResult: // done with its call
		case v.Op.IsStore():
			roots = append(roots, v)
		case s.written && s.standsAlone(v):
			s.chunks(b, roots)
			roots = roots[:0]
			s.emit(v)
		case !s.a.leavesBlock(v):
		case v.Type.IsVector():
			roots = append(roots, v)
		default:
			late = append(late, v)
		}
	}
	s.chunks(b, roots)
	s.late(late)
	s.keepLanes(b)
	s.ready[b] = s.cur
	s.terminator(b)
	s.tail[b] = s.cur
}

// enter goes on in machine block m of b and forgets what is known only to hold
// elsewhere.
func (s *selector) enter(b *vir.Block, m *machine.Block) {
	s.block, s.cur = b, m
	s.conv, s.trues = make(map[convKey]vec), make(map[convKey]vec)
	s.half = make(map[halfKey]vec)
	s.halves = make(map[halfKey]vec)
	s.fulls = make(map[zmmKey]vec)
	s.plans = make(map[planKey]vec)
	s.shifts = make(map[shiftKey]vec)
	s.idx = make(map[indexKey]gpr)
}

func hasStores(b *vir.Block) bool {
	for _, v := range b.Insts {
		if v.Op.IsStore() {
			return true
		}
	}
	return false
}

// late emits scalars that leave the block; those that step a phi of the block
// come last, so that the old value is dead by then and both share a register.
func (s *selector) late(vs []*vir.Value) {
	for _, v := range vs {
		if !stepsPhi(v) {
			s.emit(v)
		}
	}
	for _, v := range vs {
		if stepsPhi(v) {
			s.emit(v)
		}
	}
}

// stepsLast orders roots without effects so that the next value of a phi of b comes
// behind the other roots that read the phi, as far as they do not want this of each
// other, and for the rest as they are: both values then share a register. What
// several roots read counts for the first of them, which is where it is emitted.
func (s *selector) stepsLast(b *vir.Block, roots []*vir.Value) []*vir.Value {
	phiOf := make(map[*vir.Value]*vir.Value) // by next value
	for _, v := range roots {
		for _, u := range s.a.uses[v] {
			if u.Op == vir.OpPhi && s.a.dominates(u.Block, b) {
				phiOf[v] = u
			}
		}
	}
	left, seen := append([]*vir.Value(nil), roots...), make(map[*vir.Value]bool)
	var out []*vir.Value
	for len(left) > 0 {
		k := s.freeOfReaders(left, phiOf, seen)
		s.phisRead(left[k], seen)
		out = append(out, left[k])
		left = append(left[:k:k], left[k+1:]...)
	}
	return out
}

// readLast moves roots without effects that a later one reads behind the others: they come with that one, and
// with what else it makes of their operands.
func readLast(b *vir.Block, roots []*vir.Value) []*vir.Value {
	read := make(map[*vir.Value]bool) // by the roots behind
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		for _, a := range v.Args {
			if a.Block == b && !read[a] {
				read[a] = true
				visit(a)
			}
		}
	}
	var out, last []*vir.Value
	for _, v := range slices.Backward(roots) {
		if read[v] && !v.Op.IsStore() {
			last = append(last, v)
		} else {
			out = append(out, v)
		}
		visit(v)
	}
	slices.Reverse(out)
	slices.Reverse(last)
	return append(out, last...)
}

// freeOfReaders is the first of the roots whose phi no other one reads by way of
// what is not seen, 0 if there is none.
func (s *selector) freeOfReaders(roots []*vir.Value, phiOf map[*vir.Value]*vir.Value, seen map[*vir.Value]bool) int {
	readers := make(map[*vir.Value]int)
	reads := make([]map[*vir.Value]bool, len(roots))
	for k, v := range roots {
		reads[k] = s.phisRead(v, maps.Clone(seen))
		for phi := range reads[k] {
			readers[phi]++
		}
	}
	for k, v := range roots {
		phi := phiOf[v]
		if phi == nil || readers[phi] == 0 || readers[phi] == 1 && reads[k][phi] {
			return k
		}
	}
	return 0
}

// phisRead are the phis that v reads by way of values of its block that are not
// seen yet, which it marks.
func (s *selector) phisRead(v *vir.Value, seen map[*vir.Value]bool) map[*vir.Value]bool {
	phis := make(map[*vir.Value]bool)
	var visit func(x *vir.Value)
	visit = func(x *vir.Value) {
		switch {
		case x.Op == vir.OpPhi:
			phis[x] = true
		case x.Block == v.Block && !seen[x]:
			seen[x] = true
			for _, a := range x.Args {
				visit(a)
			}
		}
	}
	visit(v)
	return phis
}

func stepsPhi(v *vir.Value) bool {
	for _, a := range v.Args {
		if a.Op == vir.OpPhi && a.Block == v.Block {
			return true
		}
	}
	return false
}

// emit makes all of v available.
func (s *selector) emit(v *vir.Value) {
	switch {
	case v.Type.IsMask():
		m := s.mask(v)
		for p := range m.parts {
			s.maskPart(v, m.width, p)
		}
	case inVector(v.Type):
		n, _ := s.partsOf(v)
		for p := range n {
			s.wholePart(v, p)
		}
	default:
		s.gp(v)
	}
}

// chunks emits roots chunk by chunk.
func (s *selector) chunks(b *vir.Block, roots []*vir.Value) {
	if len(roots) == 0 {
		return
	}
	chunk, lanes := s.chunk(b)
	if hasStores(b) {
		roots = readLast(b, roots)
	} else {
		roots = s.stepsLast(b, roots)
	}
	for first := 0; first < lanes; first += chunk {
		packed := 0
		for i, v := range roots {
			if v.Op == vir.OpStoreCompress {
				if first == 0 && i >= packed {
					group := together(b, roots[i:])
					packed = i + len(group)
					s.compressStores(group)
				}
				continue
			}
			t := accessType(v)
			n := s.lanesAtOnce(v, t)
			if at, ok := s.pieces.of(v); ok && chunk < lanes && hasStores(b) {
				if first <= at.lo && at.lo < first+chunk {
					s.emitAll(v, t, n)
				}
				continue
			}
			for l := first; l < min(first+chunk, t.Lanes); l += n {
				s.emitLanes(v, l/n)
			}
		}
	}
}

// chunk is the number of lanes in a chunk, and of all lanes, of b.
func (s *selector) chunk(b *vir.Block) (chunk, lanes int) {
	chunk = 1
	for _, v := range b.Insts {
		if t := accessType(v); t.IsVector() {
			chunk = max(chunk, s.lanesAtOnce(v, t))
			lanes = max(lanes, t.Lanes)
		}
	}
	if hasStores(b) && !s.pieces.ordered || s.fn.InOrder {
		chunk = lanes
	}
	return chunk, lanes
}

// emitAll emits all parts of root v, n lanes at once.
func (s *selector) emitAll(v *vir.Value, t vir.Type, n int) {
	for l := 0; l < t.Lanes; l += n {
		s.emitLanes(v, l/n)
	}
}

// emitLanes emits part p of root v, or group p of a store that is done in
// groups of parts.
func (s *selector) emitLanes(v *vir.Value, p int) {
	switch {
	case v.Op == vir.OpScatter:
		s.scatterPart(v, p)
	case s.maskMoves(v):
		s.storeGroup(v, p)
	case s.mayBeEmpty(v):
		s.storeTested(v, p)
	case v.Op.IsStore():
		s.storePart(v, p)
	case v.Type.IsMask():
		s.maskPart(v, s.width(v), p)
	default:
		s.wholePart(v, p)
	}
}

// wholePart is part p of v of the size that v is emitted in.
func (s *selector) wholePart(v *vir.Value, p int) vec {
	if s.zmm[v] {
		return s.zmmPart(v, p)
	}
	return s.part(v, p)
}

func accessType(v *vir.Value) vir.Type {
	if v.Op.IsStore() {
		return v.Access()
	}
	return v.Type
}

// lanesAtOnce is the number of lanes of t, the type that v computes or stores,
// that emitLanes does.
func (s *selector) lanesAtOnce(v *vir.Value, t vir.Type) int {
	switch {
	case t.IsMask():
		return min(t.Lanes, regBytes/s.width(v))
	case v.Op == vir.OpStoreCompress, v.Op == vir.OpLoadExpand:
		return t.Lanes
	case s.maskMoves(v):
		return groupParts(t) * partLanes(t)
	}
	_, n := s.partsOf(v)
	if s.mayBeEmpty(v) {
		n *= s.testedGroup(v)
	}
	return n
}

// crossesLanes holds for blocks where a lane may depend on later lanes.
func crossesLanes(b *vir.Block) bool {
	for _, v := range b.Insts {
		switch v.Op {
		case vir.OpSubvec, vir.OpExtract, vir.OpLane, vir.OpAny, vir.OpAll, vir.OpCount, vir.OpFirst, vir.OpBits,
			vir.OpShuffle, vir.OpConcat, vir.OpPermute:
			return true
		}
	}
	return false
}

// forceLoads emits what is pending of the loads before v, of vectors those about
// lanes of the block up to last: memory may change.
func (s *selector) forceLoads(b *vir.Block, v *vir.Value, last int) {
	if s.fn.InOrder {
		last = 1 << 30
	}
	for _, l := range b.Insts {
		if l == v {
			return
		}
		if !l.Op.IsLoad() || len(s.a.uses[l]) == 0 || apart(l, v) {
			continue
		}
		if !l.Type.IsVector() {
			if s.loads[l] == 0 {
				s.emit(l)
			}
			continue
		}
		parts, n := s.partsOf(l)
		for p := range parts {
			if s.firstIteration(l, max(p*n, s.loads[l])) <= last && s.loads[l] < (p+1)*n {
				s.wholePart(l, p)
			}
		}
	}
}

// loadTouched emits what is pending of the loads before store v that share bytes with
// part p of it, in other lanes: a load that overlaps a store in part waits until that
// has left the store buffer.
func (s *selector) loadTouched(v *vir.Value, p int) {
	if v.Op != vir.OpStoreUnit {
		return
	}
	_, lanes := s.partsOf(v)
	size := int64(lanes * v.Access().Elem.Size())
	from := v.Disp + int64(p)*size
	for _, l := range s.block.Insts {
		if l == v {
			return
		}
		if l.Op != vir.OpLoadUnit || len(s.a.uses[l]) == 0 || l.Base() != v.Base() || l.Index() != v.Index() || l.Scale != v.Scale {
			continue
		}
		parts, n := s.partsOf(l)
		bytes := int64(n * l.Type.Elem.Size())
		for q := range parts {
			at := l.Disp + int64(q)*bytes
			if at < from+size && from < at+bytes && s.loads[l] < (q+1)*n {
				s.wholePart(l, q)
			}
		}
	}
}
