package mathlib

import "math"

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	const largest = 8.8029691931113054295988e+01 / 2
	z := math.Abs(x)
	s := x * x
	p := (-9.64399179425052238628e-1*s-9.92877231001918586564e1)*s - 1.61468768441708447952e3
	q := ((s+1.12811678491632931402e2)*s+2.23548839060100448583e3)*s + 4.84406305325125486048e3
	y := x + x*s*p/q
	if x == 0 {
		y = x
	}
	if z >= 0.625 {
		y = 1 - 2/(Exp(2*min(z, largest))+1)
		if z > largest {
			y = 1
		}
		y = math.Copysign(y, x)
	}
	return y
}

// Hypot is the length of the hypotenuse.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	large, small := y, x
	if x > y {
		large, small = x, y
	}
	ratio := small / large
	h := large * math.Sqrt(ratio*ratio+1)
	if large == 0 {
		h = 0
	}
	if !(x <= math.MaxFloat64 && y <= math.MaxFloat64) {
		h = math.NaN()
		if x > math.MaxFloat64 || y > math.MaxFloat64 {
			h = math.Inf(1)
		}
	}
	return h
}
