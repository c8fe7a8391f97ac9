package menu

// MulComplex multiplies.
//
//vec:func VecMulComplex64[complex64]
//vec:func VecMulComplex128[complex128]
//go:noinline
func MulComplex[T complex64 | complex128](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// AddComplex adds.
//
//vec:func VecAddComplex64[complex64]
//go:noinline
func AddComplex[T complex64 | complex128](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

// AbsSquare is the square of the magnitude.
//
//vec:func VecAbsSquare
//go:noinline
func AbsSquare(dst []float32, x []complex64) {
	for i, z := range x {
		dst[i] = real(z)*real(z) + imag(z)*imag(z)
	}
}
