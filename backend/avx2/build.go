package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/backend/target/shuffle"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Vectors built from scalars. What there is a shorter way for is taken out first, of
// the whole register, then of each half:
//
//	equal scalars      a broadcast
//	constants          one constant in memory, into which the others are put
//	lanes of vectors   a shuffle
//	neighbours in memory
//	                   are loaded together
//
// The rest is put in lane by lane: floats that are in registers pairwise, so that no
// chain is longer than two; integers and what comes from memory one after the other.

// build puts lanes together from scalars; lanes without one are not defined. Of
// target.BuildCost, which says what this costs, it is the other half.
func (s *selector) build(e vir.Elem, xs []*vir.Value) vec {
	xs = withoutPoison(xs)
	if x := splatOf(xs); x != nil {
		return s.spreadOver(x, e, len(xs)*e.Size())
	}
	if c, ok := constLanes(e, xs); ok {
		return s.inReg(s.konst(c), len(xs)*e.Size())
	}
	if r, ok := s.lanesOfVectors(e, xs); ok {
		return r
	}
	n := 16 / e.Size()
	if len(xs) <= n {
		return s.buildHalf(e, xs)
	}
	low := s.build(e, xs[:n])
	switch {
	case slices.Equal(xs[:n], xs[n:]):
		return s.join(low, low)
	case s.isRun(xs[n:]):
		d := s.f.Vec(regBytes)
		s.op("VINSERTI128", operand.U8(1), s.runMem(xs[n:]), low.AsY(), d)
		return d
	}
	return s.join(low, s.build(e, xs[n:]))
}

// withoutPoison has nil for lanes that are not defined.
func withoutPoison(xs []*vir.Value) []*vir.Value {
	out := make([]*vir.Value, len(xs))
	for k, x := range xs {
		if x != nil && x.Op != vir.OpPoison {
			out[k] = x
		}
	}
	return out
}

// splatOf is the scalar of all lanes that have one, if these are several.
func splatOf(xs []*vir.Value) (x *vir.Value) {
	n := 0
	for _, y := range xs {
		switch {
		case y == nil:
			continue
		case x != nil && x != y:
			return nil
		}
		x = y
		n++
	}
	if n < 2 {
		return nil
	}
	return x
}

// spreadOver is scalar x in all lanes of so many bytes.
func (s *selector) spreadOver(x *vir.Value, e vir.Elem, size int) vec {
	if x.Op == vir.OpConst {
		return s.inReg(s.splat(e.Size(), x.Bits[0]), size)
	}
	return s.spreadScalar(x, e, size)
}

// constLanes are the lanes if all of them are constants.
func constLanes(e vir.Elem, xs []*vir.Value) (c entry, ok bool) {
	bits := make([]uint64, len(xs))
	for k, x := range xs {
		switch {
		case x == nil:
		case x.Op != vir.OpConst:
			return entry{}, false
		default:
			bits[k] = x.Bits[0]
		}
	}
	return listEntry(e.Size(), bits), true
}

// lanesOfVectors makes a shuffle of lanes that all come out of vectors of one type.
func (s *selector) lanesOfVectors(e vir.Elem, xs []*vir.Value) (vec, bool) {
	var vs []*vir.Value
	want := shuffle.None()
	for k, x := range xs {
		if x == nil {
			continue
		}
		if !s.isLane(x) || len(vs) > 0 && vs[0].Type != x.Args[0].Type {
			return nil, false
		}
		v := x.Args[0]
		n := 0
		for n < len(vs) && vs[n] != v {
			n++
		}
		if n == len(vs) {
			vs = append(vs, v)
		}
		reg, at := layout(v.Type, e.Size()).Find(n*v.Type.Lanes + int(x.Imm))
		for i := range e.Size() {
			want[k*e.Size()+i] = shuffle.Of(reg, at+i)
		}
	}
	if len(vs) == 0 {
		return nil, false
	}
	from := s.parts(vs)
	from.mem = nil // the scalars may have other readers
	return s.rearrange(&want, from, e.IsFloat()), true
}

// isLane holds for lanes of vectors that can be taken from there.
func (s *selector) isLane(x *vir.Value) bool {
	return x.Op == vir.OpExtract && x.Block == s.block && !x.Args[0].Type.IsMask()
}

// isRun reports whether xs are 2, 4, 8 or 16 bytes side by side in memory that nobody
// has read and nobody else reads.
func (s *selector) isRun(xs []*vir.Value) bool {
	var first extent
	for k, x := range xs {
		if x == nil || x.Op != vir.OpLoad || !s.pending(x, 0) {
			return false
		}
		e, ok := extentOf(x)
		if k == 0 {
			first = e
		}
		at := first.lo + int64(k*x.Type.Elem.Size())
		if !ok || e.base != first.base || e.index != first.index || e.index != nil && e.scale != first.scale || e.lo != at {
			return false
		}
	}
	return len(xs) > 1
}

// runMem is the address of a run, which counts as read.
func (s *selector) runMem(xs []*vir.Value) operand.Mem {
	for _, x := range xs {
		s.loads[x] = 1
	}
	return s.address(xs[0])
}

// buildHalf is build for up to 16 bytes.
func (s *selector) buildHalf(e vir.Elem, xs []*vir.Value) vec {
	if len(xs)*e.Size() == 16 && s.isRun(xs) {
		return s.load(s.runMem(xs), 16)
	}
	if r, ok := s.amongConstants(e, xs); ok {
		return r
	}
	switch e {
	case vir.F32:
		return s.pairs(xs)
	case vir.F64:
		return s.chain(e, nil, xs, 0)
	}
	if distinct, lanes, ok := target.Repeated(xs); ok {
		return s.repeat(e, distinct, lanes)
	}
	return s.integers(e, nil, xs)
}

// repeat builds half a register of few scalars, of which lanes tells each lane's.
func (s *selector) repeat(e vir.Elem, distinct []*vir.Value, lanes []int) vec {
	bytes := make([]uint64, 0, 16)
	for _, k := range lanes {
		for i := range e.Size() {
			if k < 0 {
				bytes = append(bytes, 0x80) // zero
			} else {
				bytes = append(bytes, uint64(k*e.Size()+i))
			}
		}
	}
	once := make([]*vir.Value, len(lanes))
	copy(once, distinct)
	return s.bin("VPSHUFB", 16, s.integers(e, nil, once), s.konst(listEntry(1, bytes)))
}

// pairs builds half a register of float32 lanes.
func (s *selector) pairs(xs []*vir.Value) vec {
	if len(xs) < 4 {
		return s.onePair(nil, xs, 0)
	}
	low, high := xs[:2], xs[2:]
	r := s.onePair(nil, low, 0)
	switch {
	case high[0] == nil && high[1] == nil:
		return r
	case s.isRun(high):
		d := s.f.Vec(16)
		s.op("VMOVHPD", s.runMem(high), r.AsX(), d)
		return d
	case slices.Equal(low, high):
		return s.bin("VUNPCKLPD", 16, r, r)
	case high[0] != nil && s.ownRegister(high[0]):
		return s.bin("VUNPCKLPD", 16, r, s.onePair(nil, high, 0))
	}
	return s.onePair(r, high, 2)
}

// onePair puts two float32 lanes into r, or starts a register with them.
func (s *selector) onePair(r vec, xs []*vir.Value, first int) vec {
	if r == nil && s.isRun(xs) {
		return s.load(s.runMem(xs), 8)
	}
	return s.chain(vir.F32, r, xs, first)
}

// ownRegister holds for floats that are not in memory and not in the middle of
// another register.
func (s *selector) ownRegister(x *vir.Value) bool {
	return x.Op != vir.OpConst && !s.pending(x, 0) && !s.paramOnce(x) && !(s.isLane(x) && s.vecs[x] == nil)
}

// chain puts floats one after the other into lanes from first on of r, or starts a
// register with them.
func (s *selector) chain(e vir.Elem, r vec, xs []*vir.Value, first int) vec {
	for k, x := range xs {
		switch {
		case x == nil:
		case r == nil && k+first == 0:
			r = s.firstLane(e, s.floatOrMem(x))
		default:
			if r == nil {
				r = s.zero()
			}
			r = s.nextFloat(e, r, k+first, x, 0)
		}
	}
	if r == nil {
		return s.f.Vec(16)
	}
	return r
}

// floatOrMem is a scalar float, in memory if it is a constant or a load that nobody
// else reads.
func (s *selector) floatOrMem(x *vir.Value) operand.Op {
	switch {
	case x.Op == vir.OpConst:
		return s.konst(splatEntry(x.Type.Elem.Size(), x.Bits[0]))
	case s.pending(x, 0):
		return s.loadMem(x, 0, 1)
	case s.paramOnce(x):
		return s.frame.param(x)
	}
	return s.part(x, 0)
}

// nextFloat puts x into lane k of half a register and makes the lanes in the set
// zero, float32 ones only.
func (s *selector) nextFloat(e vir.Elem, r vec, k int, x *vir.Value, zero int) vec {
	if e == vir.F64 {
		return s.nextLane(e, r, k, s.floatOrMem(x))
	}
	d, from := s.f.Vec(16), 0
	o := operand.Op(nil)
	if s.isLane(x) && s.vecs[x] == nil {
		o, from = s.laneInHalf(x)
	} else {
		o = s.floatOrMem(x)
	}
	s.op("VINSERTPS", operand.U8(from<<6|k<<4|zero), at(o, 16), r.AsX(), d)
	return d
}

// laneInHalf is half a register with x, a lane of a vector, in one of its lanes.
func (s *selector) laneInHalf(x *vir.Value) (r vec, lane int) {
	v := x.Args[0]
	per := partLanes(v.Type)
	r, lane = s.part(v, int(x.Imm)/per), int(x.Imm)%per
	if half := 16 / v.Type.Elem.Size(); lane >= half {
		r, lane = s.upper(r), lane-half
	}
	return r, lane
}

// amongConstants builds half a register in which some lanes are constants.
func (s *selector) amongConstants(e vir.Elem, xs []*vir.Value) (vec, bool) {
	bits := make([]uint64, 16/e.Size())
	constants, scalars, zeros := 0, 0, 0
	for k, x := range xs {
		switch {
		case x == nil:
		case x.Op != vir.OpConst:
			scalars++
		default:
			constants++
			if bits[k] = x.Bits[0]; bits[k] == 0 {
				zeros |= 1 << k
			}
		}
	}
	if constants == 0 {
		return nil, false
	}
	started := xs[0] != nil && xs[0].Op != vir.OpConst
	switch {
	case started && s.clearsRest(e, xs[0]) && !slices.ContainsFunc(bits, func(b uint64) bool { return b != 0 }):
		return s.aboveZeros(e, xs, zeros), true
	case started && scalars == 1 && e.IsFloat():
		x := s.part(xs[0], 0)
		return s.imm2("VBLENDPS", 16, 0xf<<(e.Size()/4)&0xf, x, s.konst(listEntry(e.Size(), bits))), true
	case constants == 1 && started && e.IsFloat():
		return nil, false // an operand in memory like others
	}
	r := s.inReg(s.konst(listEntry(e.Size(), bits)), 16)
	var rest []*vir.Value
	for _, x := range xs {
		if x != nil && x.Op == vir.OpConst {
			x = nil
		}
		rest = append(rest, x)
	}
	if !e.IsFloat() {
		return s.integers(e, r, rest), true
	}
	if e == vir.F64 && rest[0] != nil {
		return s.imm2("VBLENDPS", 16, 3, r, s.part(rest[0], 0)), true
	}
	return s.chain(e, r, rest, 0), true
}

// clearsRest reports whether x comes to lane 0 with zeros above, as moves of 4 and 8
// bytes from elsewhere leave them, or can have them made: float32 can.
func (s *selector) clearsRest(e vir.Elem, x *vir.Value) bool {
	switch e {
	case vir.F32:
		return true
	case vir.F64:
		return s.pending(x, 0)
	}
	return e.Size() >= 4 && !s.isLane(x)
}

// aboveZeros builds lanes of which the lowest is a scalar and the constants are
// zeros.
func (s *selector) aboveZeros(e vir.Elem, xs []*vir.Value, zeros int) vec {
	last := 0
	rest := make([]*vir.Value, len(xs))
	for k, x := range xs {
		if x != nil && x.Op != vir.OpConst {
			rest[k], last = x, k
		}
	}
	if e != vir.F32 {
		r := s.firstLane(e, s.laneOf(rest[0])())
		rest[0] = nil
		return s.integers(e, r, rest)
	}
	switch {
	case last == 0 && s.pending(rest[0], 0):
		return s.load(s.loadMem(rest[0], 0, 1), 4)
	case last == 0:
		r := s.part(rest[0], 0)
		return s.imm2("VINSERTPS", 16, zeros, r, r)
	case last == 1 && s.isRun(rest[:2]):
		return s.load(s.runMem(rest[:2]), 8)
	}
	r := s.onePair(nil, rest[:min(2, last)], 0)
	if last == 3 {
		r = s.chain(e, r, rest[2:3], 2)
	}
	return s.nextFloat(e, r, last, rest[last], zeros)
}

// integers puts integers into r, or starts half a register with them. Neighbours in
// memory go together; lanes of vectors are shuffled to their places first.
func (s *selector) integers(e vir.Elem, r vec, xs []*vir.Value) vec {
	if r == nil {
		r, xs = s.shuffledFirst(e, xs)
	}
	for k := 0; k < len(xs); {
		n := s.runAt(e, xs, k)
		r = s.integer(e, r, k, xs[k:k+n])
		k += n
	}
	if r == nil {
		return s.f.Vec(16)
	}
	return r
}

// runAt is the number of lanes from k on that one instruction loads.
func (s *selector) runAt(e vir.Elem, xs []*vir.Value, k int) int {
	for n := 8 / e.Size(); n > 1; n /= 2 {
		if k%n == 0 && k+n <= len(xs) && s.isRun(xs[k:k+n]) {
			return n
		}
	}
	return 1
}

// integer puts a scalar or a run of them into lanes from k on.
func (s *selector) integer(e vir.Elem, r vec, k int, xs []*vir.Value) vec {
	x, size := xs[0], e.Size()*len(xs)
	if x == nil {
		return r
	}
	o := s.laneOf(x)
	if len(xs) > 1 {
		o = func() operand.Op { return s.runMem(xs) }
	}
	unit := vir.IntElem(size)
	if e.IsFloat() {
		unit = e
	}
	if r == nil && k == 0 {
		return s.firstLane(unit, o())
	}
	if r == nil {
		r = s.zero()
	}
	return s.nextLane(unit, r, k/len(xs), o())
}

// shuffledFirst starts half a register with the lanes of vectors among xs, and gives
// the others. It needs two of them at least, or one and a scalar.
func (s *selector) shuffledFirst(e vir.Elem, xs []*vir.Value) (r vec, rest []*vir.Value) {
	lanes := make([]*vir.Value, len(xs))
	rest = make([]*vir.Value, len(xs))
	for k, x := range xs {
		if x != nil && s.isLane(x) && s.gps[x] == nil {
			lanes[k] = x
		} else {
			rest[k] = x
		}
	}
	r, ok := s.lanesOfVectors(e, lanes)
	if !ok {
		return nil, xs
	}
	return r, rest
}
