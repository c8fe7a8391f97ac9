package menu

// AddSaturate adds bytes and keeps the sum in their range.
//
//vec:func VecAddSaturate
//go:noinline
func AddSaturate(dst, x, y []int8) {
	for i := range dst {
		dst[i] = int8(min(max(int16(x[i])+int16(y[i]), -128), 127))
	}
}

// AbsDiff is the difference of bytes without its sign, at most 127.
//
//vec:func VecAbsDiff
//go:noinline
func AbsDiff(dst, x, y []int8) {
	for i := range dst {
		d := int16(x[i]) - int16(y[i])
		if d < 0 {
			d = -d
		}
		dst[i] = int8(min(d, 127))
	}
}

// MulQ15 multiplies fixed-point numbers, rounded to nearest.
//
//vec:func VecMulQ15
//go:noinline
func MulQ15(dst, x, y []int16) {
	for i := range dst {
		dst[i] = int16((int32(x[i])*int32(y[i]) + 1<<14) >> 15)
	}
}

// Widen makes words of bytes.
//
//vec:func VecWiden
//go:noinline
func Widen(dst []int16, x []int8) {
	for i := range dst {
		dst[i] = int16(x[i])
	}
}
