package mathlib

import "math"

// Pow is x to the power of y.
func Pow(x, y float64) float64 {
	const most = 1 << 31 // more is for math
	a := math.Abs(x)
	rare(!(a >= 0x1p-1022 && a <= math.MaxFloat64 && math.Abs(y) < most))
	r := x
	if y != 1 && y != 0 && math.Abs(y) != 0.5 { // often the same for all elements
		// p * 2^e is x to the fractional part of y, then to all of it
		whole := math.Trunc(math.Abs(y))
		part := math.Abs(y) - whole
		p := 1.0
		if part != 0 {
			if part > 0.5 {
				part--
				whole++
			}
			p = Exp(part * Log(x))
		}
		b := math.Float64bits(x)
		square := math.Float64frombits(b&^(0x7ff<<mantissa) | (bias-1)<<mantissa)
		exp, e := int(b>>mantissa&0x7ff)-(bias-1), 0
		for i := uint32(whole); i != 0; i >>= 1 {
			if exp < -1<<12 || exp > 1<<12 {
				e += exp
				break
			}
			if i&1 == 1 {
				p *= square
				e += exp
			}
			square *= square
			exp <<= 1
			if square < .5 {
				square += square
				exp--
			}
		}
		if y < 0 {
			p, e = 1/p, -e
		}
		b = math.Float64bits(p)
		e += int(b >> mantissa & 0x7ff)
		if x > 0 || part == 0 {
			rare(e <= 0 || e > 2*bias || p == 0) // infinite, subnormal, or neither finite nor a number
		}
		p = math.Float64frombits(b&^(0x7ff<<mantissa) | uint64(e)<<mantissa)
		if x < 0 && part != 0 {
			p = math.NaN()
		}
		r = p
	}
	if y == 0.5 {
		r = math.Sqrt(x)
	}
	if y == -0.5 {
		r = 1 / math.Sqrt(x)
	}
	if y == 0 || x == 1 {
		r = 1
	}
	return r
}
