// Package difference compares elements with those before them.
package difference

//go:generate go tool lanewise -tests .

// deltas sets dst[i] to x[i] - x[i-1], with prev before the first element, and returns
// the last one, so that the next piece can go on.
//
//vec:func Deltas
func deltas(dst, x []int32, prev int32) int32 {
	for i, v := range x {
		dst[i] = v - prev
		prev = v
	}
	return prev
}

// changes counts the bytes that differ from the one before them.
//
//vec:func Changes
func changes(x []byte, prev byte) int {
	n := 0
	for _, v := range x {
		if v != prev {
			n++
		}
		prev = v
	}
	return n
}

// smooth is a filter of three elements, which come one by one.
//
//vec:func Smooth
func smooth(dst, x []float32) {
	var a, b float32
	for i, v := range x {
		dst[i] = 0.25*a + 0.5*b + 0.25*v
		a, b = b, v
	}
}
