package mathlib

import "math"

// Exp2 is 2 to the power of x.
func Exp2(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
		largest = 1.0239999999999999e+03
		least   = -1.0740e+03
	)
	k := math.Trunc(x + math.Copysign(0.5, x))
	t := x - k
	high, low := t*ln2High, -t*ln2Low
	r := high - low
	s := r * r
	c := s * (4.13813679705723846039e-08*s - 1.65339022054652515390e-06)
	c = s * (c + 6.61375632143793436117e-05)
	c = s * (c - 2.77777777770155933842e-03)
	c = r - s*(c+1.66666666666666657415e-01)
	y := 1 - ((low - (r*c)/(2-c)) - high)
	rare(k <= 1-bias && x >= least) // the result may be subnormal
	y = math.Float64frombits(math.Float64bits(y) + shifted(k, 0)<<mantissa)
	if x < least {
		y = 0
	}
	if x > largest {
		y = math.Inf(1)
	}
	if x != x {
		y = x
	}
	return y
}

// Cbrt is the cube root.
func Cbrt(x float64) float64 {
	const first = 715094163
	a := math.Abs(x)
	rare(a < 0x1p-1022 && a != 0) // subnormal
	// 5 bits, then 23 of which 22 stay and 53
	t := math.Float64frombits(math.Float64bits(a)/3 + first<<32)
	r := t * t / a
	s := 5.42857142857142815906e-01 + r*t
	t *= 3.57142857142857150787e-01 + 1.60714285714285720630e+00/(s+1.41428571428571436819e+00+-7.05306122448979611050e-01/s)
	t = math.Float64frombits(math.Float64bits(t)&(0xFFFFFFFFC<<28) + 1<<30)
	r = a / (t * t)
	r = (r - t) / (t + t + r)
	t += t * r
	if x < 0 {
		t = -t
	}
	if x == 0 || !(a <= math.MaxFloat64) {
		t = x
	}
	return t
}
