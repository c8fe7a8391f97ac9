// Package target describes a machine level as data: which operations are legal
// on which types, how wide registers are, what things cost. It is a leaf:
// the vectorizer asks it before it decides, the backend when it selects.
package target

import "github.com/lanewise/lanewise/vir"

// A Target is one machine level.
type Target struct {
	Name        string // "avx2"
	VectorBytes int    // bytes of a vector register
	VectorRegs  int    // allocatable vector registers
	ScalarRegs  int    // allocatable general registers
	// MaskRegs is the number of mask registers; 0 when masks live in vectors.
	MaskRegs int

	costs map[costKey]Cost
}

type costKey struct {
	op   vir.Op
	elem vir.Elem
}

// Cost of an operation in cycles.
type Cost struct {
	Throughput float64 // reciprocal throughput
	Latency    float64
}
