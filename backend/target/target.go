// Package target describes a machine level as data: which operations are legal
// on which types, how wide registers are, what things cost. It is a leaf:
// the vectorizer asks it before it decides, the backend when it selects. It
// must not know instructions, transformations or Go source.
package target

import "github.com/lanewise/lanewise/vir"

// A Target is one machine level.
type Target struct {
	Name        string // "avx2"
	VectorBytes int    // bytes of a vector register
	VectorRegs  int    // allocatable vector registers
	HighRegs    int    // more of them, which only EVEX encoding knows
	ScalarRegs  int    // allocatable general registers
	// MaskRegs is the number of mask registers; 0 when masks live in vectors.
	MaskRegs int
	// MaskMoveStores says that masked stores of 4 and 8 byte elements use the
	// instruction instead of storing the active lanes one by one.
	MaskMoveStores bool
	// EVEX says that there are AVX512F, BW, CD, DQ and VL: mask registers for memory accesses,
	// more operations on 64 bits, bitwise functions of three operands.
	EVEX bool
	// ZMM says that loops use vector registers of 64 bytes where they can.
	ZMM bool
	// Half512 says that an operation on 64 bytes takes as long as two on 32, so that loops limited
	// by loads and stores keep registers of 32 bytes, which cross fewer cache lines, and so do
	// loops with masks, as comparisons into mask registers take longer than those into vectors.
	Half512 bool
	// GatherByLoads says that gathers without a mask load lane by lane instead of
	// using the instruction.
	GatherByLoads bool

	vector  map[key]Cost     // one register of lanes
	scalar  map[key]Cost     // one scalar
	convert map[convKey]Cost // one register of the wider of the two types
}

// A key is an operation on lanes of one element type.
type key struct {
	op   vir.Op
	elem vir.Elem
}

// A convKey is a conversion between element types.
type convKey struct {
	op       vir.Op
	from, to vir.Elem
}

// Cost of an operation in cycles, for the whole value.
type Cost struct {
	Throughput float64 // reciprocal throughput
	Latency    float64
}

// Add is the cost of both, one after the other.
func (c Cost) Add(d Cost) Cost {
	return Cost{c.Throughput + d.Throughput, c.Latency + d.Latency}
}

// times is the cost of n independent repetitions.
func (c Cost) times(n int) Cost { return Cost{c.Throughput * float64(n), c.Latency} }

// Parts is the number of vector registers that a value of type ty takes; 0 for
// scalars. A mask takes as many as the vectors it governs, so it is counted
// with elements of one byte here and the caller knows better.
func (t *Target) Parts(ty vir.Type) int {
	if !ty.IsVector() {
		return 0
	}
	return max(1, (ty.Size()+t.VectorBytes-1)/t.VectorBytes)
}

// Lanes is the number of lanes of e that fill one vector register.
func (t *Target) Lanes(e vir.Elem) int { return t.VectorBytes / e.Size() }

// Legal reports whether op on ty can be emitted whatever its operands are. For
// comparisons and stores ty is the type of the operands, otherwise that of the
// result. Conversions are answered by LegalConvert; Value tells more about
// operations that are legal with constant operands only.
func (t *Target) Legal(op vir.Op, ty vir.Type) bool {
	if !ty.IsVector() {
		_, ok := t.scalar[key{op, ty.Elem}]
		return ok
	}
	_, ok := t.vector[key{op, ty.Elem}]
	return ok
}

// LegalConvert reports whether the conversion op can be emitted. Lanes of both
// types are equal.
func (t *Target) LegalConvert(op vir.Op, from, to vir.Type) bool {
	_, ok := t.convert[convKey{op, from.Elem, to.Elem}]
	return ok
}

// Cost of op on ty, for all lanes. ty is as in Legal. An operation that is not
// legal costs nothing: ask Legal first.
func (t *Target) Cost(op vir.Op, ty vir.Type) Cost {
	if !ty.IsVector() {
		return t.scalar[key{op, ty.Elem}]
	}
	return t.vector[key{op, ty.Elem}].times(t.Parts(ty))
}

// ConvertCost is the cost of the conversion op for all lanes.
func (t *Target) ConvertCost(op vir.Op, from, to vir.Type) Cost {
	wide := from
	if to.Elem.Size() > from.Elem.Size() {
		wide = to
	}
	return t.convert[convKey{op, from.Elem, to.Elem}].times(max(1, t.Parts(wide)))
}
