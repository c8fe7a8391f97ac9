package menu

// Not negates.
//
//vec:func VecNot
//go:noinline
func Not(dst, x []bool) {
	for i := range dst {
		dst[i] = !x[i]
	}
}

// And is true where both are.
//
//vec:func VecAnd
//go:noinline
func And(dst, x, y []bool) {
	for i := range dst {
		dst[i] = x[i] && y[i]
	}
}

// Xor is true where two differ.
//
//vec:func VecXor
//go:noinline
func Xor(dst, x, y []bool) {
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

// All tells whether all are true.
//
//vec:func VecAll
//go:noinline
func All(x []bool) bool {
	for _, v := range x {
		if !v {
			return false
		}
	}
	return true
}

// Count counts what is true.
//
//vec:func VecCount
//go:noinline
func Count(x []bool) int {
	n := 0
	for _, v := range x {
		if v {
			n++
		}
	}
	return n
}

// Select keeps the elements marked and returns their number.
//
//vec:func SelectFloat32[float32]
//vec:func SelectFloat64[float64]
//go:noinline
func Select[T float](dst, x []T, keep []bool) int {
	n := 0
	for i, v := range x {
		if keep[i] {
			dst[n] = v
			n++
		}
	}
	return n
}
