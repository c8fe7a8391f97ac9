// Package slev is SIMD lane evolution (SLEV): how the values that the lanes of
// one vector operation hold relate to each other, when a scalar function runs
// with one lane per iteration of a loop.
//
// It classifies values; it changes nothing and does not decide what is to be
// done about them. It knows nothing of machines.
package slev

import (
	"fmt"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Kind is how the lanes of a value relate.
type Kind uint8

const (
	Bottom  Kind = iota // not reached
	Uniform             // all lanes equal
	Strided             // lane k is lane 0 plus k*Stride, modulo the width
	Random              // anything
)

// Shape is a Kind with its stride: bytes for pointers, units for integers.
type Shape struct {
	Kind   Kind
	Stride int64 // not 0 for Strided, 0 for all others
}

// StridedBy is the shape of stride k; Uniform for 0.
func StridedBy(k int64) Shape {
	if k == 0 {
		return Shape{Kind: Uniform}
	}
	return Shape{Strided, k}
}

// String is the form used in annotated text: uniform, strided(4), random.
func (s Shape) String() string {
	switch s.Kind {
	case Bottom:
		return "bottom"
	case Uniform:
		return "uniform"
	case Strided:
		return fmt.Sprintf("strided(%d)", s.Stride)
	}
	return "random"
}

// Result is immutable.
type Result struct {
	shapes map[*vir.Value]Shape
	addrs  map[*vir.Value]Shape
}

// Analyze classifies the values of a region whose loop is being vectorized:
// inductions are strided, other changing state is random. The shape of an
// extended narrow value rests on the Wrap bounds of scev.Info.Affine.
func Analyze(r *plan.Region, sc *scev.Info) *Result { return &Result{} }

// Options predefine what an analysis cannot find out by itself.
type Options struct {
	// Shapes are given: divergence origins, parameters (otherwise uniform).
	Shapes map[*vir.Value]Shape
	// Stride, if set, may know the stride of an integer for which the rules
	// have none (extensions of narrow values).
	Stride func(*vir.Value) (int64, bool)
}

// Run classifies the values of any function under the given assumptions.
func Run(f *vir.Func, o Options) *Result { return &Result{} }

// Shape is the shape of v's result.
func (r *Result) Shape(v *vir.Value) Shape { return r.shapes[v] }

// Address is the shape, in bytes, of the address of memory operation v.
func (r *Result) Address(v *vir.Value) Shape { return r.addrs[v] }

// IsUniform reports whether all lanes of v are equal.
func (r *Result) IsUniform(v *vir.Value) bool { return r.shapes[v].Kind == Uniform }

// Stride is the stride of a strided (or uniform: 0) value.
func (r *Result) Stride(v *vir.Value) (int64, bool) {
	s := r.shapes[v]
	return s.Stride, s.Kind == Uniform || s.Kind == Strided
}

// IsDivergent reports whether the lanes disagree on the branch that ends b.
func (r *Result) IsDivergent(b *vir.Block) bool {
	t := b.Term()
	return t != nil && t.Op == vir.OpBr && !r.IsUniform(t.Args[0])
}

// Note is the annotation of v for vir.PrintOptions.
func (r *Result) Note(v *vir.Value) string { return "" }
