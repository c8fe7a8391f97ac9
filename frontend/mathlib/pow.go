package mathlib

import "math"

// Pow is x to the power of y. Which of three ways it takes is often the same for all elements.
func Pow(x, y float64) float64 {
	const simple, most = 15, 1 << 31 // more is for math
	a, b := math.Abs(x), math.Abs(y)
	whole := math.Trunc(b)
	part := b - whole
	r := 1.0
	if part == 0 && b <= simple {
		n, square := uint32(whole), x*x
		if n&1 != 0 {
			r = x
		}
		if n&2 != 0 {
			r *= square
		}
		square *= square
		if n&4 != 0 {
			r *= square
		}
		square *= square
		if n&8 != 0 {
			r *= square
		}
		// A product of numbers is rounded as that of their mantissas is, unless it is
		// subnormal or infinite, and what is between x and r is neither where r is not.
		size := math.Abs(r)
		rare(!(size >= 0x1p-1000 && size <= 0x1p1000 || a == 0))
		if y < 0 {
			r = 1 / r
		}
	} else {
		rare(!(a >= 0x1p-1022 && a <= math.MaxFloat64 && b < most))
		if b == 0.5 {
			r = math.Sqrt(x)
			if y < 0 {
				r = 1 / r
			}
		} else {
			r = power(x, y, whole, part)
		}
		if x == 1 {
			r = 1
		}
	}
	return r
}

// power is x to the power of y, whose magnitude has a whole part and another one.
func power(x, y, whole, part float64) float64 {
	// p * 2^e is x to the fractional part of y, then to all of it
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
	return p
}
