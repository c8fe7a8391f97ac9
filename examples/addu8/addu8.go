// Package addu8 works on bytes: wrapping and saturating sums, and the larger of
// two.
package addu8

//go:generate go tool lanewise -tests .

// add stores x+y into dst, modulo 256.
//
//vec:func Add
func add(dst, x, y []uint8) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

// addSat stores x+y into dst, and 255 where the sum does not fit.
//
//vec:func AddSat
func addSat(dst, x, y []uint8) {
	for i := range dst {
		dst[i] = uint8(min(uint16(x[i])+uint16(y[i]), 255))
	}
}

// maxOf stores the larger of x and y into dst.
//
//vec:func Max
func maxOf(dst, x, y []uint8) {
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}
