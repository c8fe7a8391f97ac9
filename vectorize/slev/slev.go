package slev

import "fmt"

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
