// Package slev is SIMD lane evolution (SLEV): how the values that the lanes of
// one vector operation hold relate to each other, when a scalar function runs
// with one lane per iteration of a loop.
//
// It classifies values; it changes nothing and does not decide what is to be
// done about them. It knows nothing of machines.
//
// The lattice has Bottom below everything and Random above everything; Uniform
// and the strides lie side by side between them (Uniform is the stride 0), since
// a value that may be either is in general neither:
//
//	                Random
//	  /        /      |       \        \
//	... Strided(-1) Uniform Strided(1) ...
//	  \        \      |       /        /
//	                Bottom
//
// Every value starts at Bottom and only rises. Values are looked at again when
// an operand has risen, until nothing changes.
//
// That a load from a uniform address is uniform assumes that no store of the
// loop reaches it: vectorize/dep proves or tests that.
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

var (
	uniform = Shape{Kind: Uniform}
	random  = Shape{Kind: Random}
)

// StridedBy is the shape of stride k; Uniform for 0.
func StridedBy(k int64) Shape {
	if k == 0 {
		return uniform
	}
	return Shape{Strided, k}
}

// affine reports whether the lanes have a known constant difference.
func (s Shape) affine() bool { return s.Kind == Uniform || s.Kind == Strided }

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

// join is the least shape that covers both.
func join(a, b Shape) Shape {
	switch {
	case a.Kind == Bottom:
		return b
	case b.Kind == Bottom || a == b:
		return a
	}
	return random
}

// Result is immutable.
type Result struct {
	shapes  map[*vir.Value]Shape
	addrs   map[*vir.Value]Shape
	control map[*vir.Block]bool
}

// Analyze classifies the values of a region whose loop is being vectorized:
// inductions are strided, other changing state is random. An extended narrow
// value is strided only if it cannot wrap in any iteration: the Wrap bounds of
// scev.Info.Affine hold for addresses, whose accesses limit the kernel's
// iterations by them, not for values.
func Analyze(r *plan.Region, sc *scev.Info) *Result {
	return Run(r.Fn, regionOptions(r, sc, []*vir.Block{r.Fn.Entry().Succs[0]}))
}

// regionOptions describe the loop of a region; all lanes take the branches of joint
// blocks together.
func regionOptions(r *plan.Region, sc *scev.Info, joint []*vir.Block) Options {
	o := Options{
		Control: joint,
		Shapes:  make(map[*vir.Value]Shape),
		Stride: func(v *vir.Value) (int64, bool) {
			a, ok := sc.Affine(v)
			return a.Step, ok && len(a.Wrap) == 0
		},
		Subscript: func(v *vir.Value) (int64, bool) {
			a, ok := sc.Affine(v)
			return a.Step, ok
		},
	}
	header := r.Fn.Entry().Succs[0]
	for _, phi := range header.Phis() {
		o.Shapes[phi] = random
		if sc.Phi(phi) == scev.Unchanged {
			o.Shapes[phi] = uniform
		} else if a, ok := sc.Affine(phi); ok {
			o.Shapes[phi] = StridedBy(a.Step)
		}
	}
	return o
}

// Joint is Analyze for a region behind if-conversion: all lanes take the branches of
// its body together, as long as one of them wants to.
func Joint(r *plan.Region, sc *scev.Info) *Result {
	return Run(r.Fn, regionOptions(r, sc, r.Fn.Blocks))
}

// Options predefine what an analysis cannot find out by itself.
type Options struct {
	// Shapes are given: divergence origins, parameters (otherwise uniform).
	Shapes map[*vir.Value]Shape
	// Stride, if set, may know the stride of an integer for which the rules
	// have none (extensions of narrow values).
	Stride func(*vir.Value) (int64, bool)
	// Subscript, if set, is Stride for values that serve as subscripts, where
	// more may be assumed.
	Subscript func(*vir.Value) (int64, bool)
	// Control are blocks whose branch all lanes take together whatever its
	// condition: the header of the loop being vectorized.
	Control []*vir.Block
}

// Shape is the shape of v's result.
func (r *Result) Shape(v *vir.Value) Shape { return r.shapes[v] }

// Address is the shape, in bytes, of the address of memory operation v.
func (r *Result) Address(v *vir.Value) Shape { return r.addrs[v] }

// IsUniform reports whether all lanes of v are equal.
func (r *Result) IsUniform(v *vir.Value) bool { return r.shapes[v].Kind == Uniform }

// Stride is the stride of a strided (or uniform: 0) value.
func (r *Result) Stride(v *vir.Value) (int64, bool) {
	s := r.shapes[v]
	return s.Stride, s.affine()
}

// IsDivergent reports whether the lanes may disagree on the branch that ends b.
func (r *Result) IsDivergent(b *vir.Block) bool {
	t := b.Term()
	return t != nil && t.Op == vir.OpBr && !r.control[b] && r.shapes[t.Args[0]].Kind > Uniform
}

// Note is the annotation of v for vir.PrintOptions.
func (r *Result) Note(v *vir.Value) string {
	addr := ""
	if a, ok := r.addrs[v]; ok {
		addr = "address " + a.String()
	}
	switch {
	case v.Op == vir.OpBr && r.IsDivergent(v.Block):
		return "divergent"
	case v.Type.Elem == vir.Void:
		return addr
	case addr == "":
		return r.Shape(v).String()
	}
	return r.Shape(v).String() + ", " + addr
}
