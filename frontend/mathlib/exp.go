package mathlib

import "math"

// Exp is e to the power of x.
func Exp(x float64) float64 {
	const (
		log2e    = 1.4426950408889634073599246810018920
		ln2Upper = 0.69314718055966295651160180568695068359375
		ln2Lower = 0.28235290563031577122588448175013436025525412068e-12
	)
	// Beyond these the result is 0 or +Inf.
	if x < -746 {
		x = -746
	}
	if x > 710 {
		x = 710
	}
	// x = k*ln2 + 16*r
	k := math.RoundToEven(x * log2e)
	r := math.FMA(-k, ln2Lower, math.FMA(-k, ln2Upper, x)) * 0.0625
	p := math.FMA(2.4801587301587301587e-5, r, 1.9841269841269841270e-4)
	p = math.FMA(p, r, 1.3888888888888888889e-3)
	p = math.FMA(p, r, 8.3333333333333333333e-3)
	p = math.FMA(p, r, 4.1666666666666666667e-2)
	p = math.FMA(p, r, 1.6666666666666666667e-1)
	p = math.FMA(p, r, 0.5)
	p = math.FMA(p, r, 1)
	// e^(2r)-1 = (e^r-1) * (e^r-1 + 2), four times
	y := r * p
	y *= y + 2
	y *= y + 2
	y *= y + 2
	y = math.FMA(y+2, y, 1)
	rare(k <= -bias && k >= -1075) // the result is subnormal
	if k < -bias {
		k = -bias
	}
	return y * math.Float64frombits(shifted(k, bias)<<mantissa) // 1024 + bias is the exponent of +Inf
}
