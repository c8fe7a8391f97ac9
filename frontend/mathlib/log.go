package mathlib

import "math"

// Log is the natural logarithm.
func Log(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01
		ln2Low  = 1.90821492927058770002e-10
	)
	// x = f * 2^k with f from 1/2 to 1, then from sqrt(1/2) to sqrt(2). Subnormal numbers get
	// the exponent 0, as in math.
	b := math.Float64bits(x)
	f := math.Float64frombits(b&(1<<mantissa-1) | (bias-1)<<mantissa)
	k := fromInt(b>>mantissa&0x7ff) - (bias - 1)
	if !(math.Sqrt2/2 < f) {
		k--
		f *= 2
	}
	f--
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	odd := s2 * (((1.479819860511658591e-01*s4+1.818357216161805012e-01)*s4+2.857142874366239149e-01)*s4 + 6.666666666666735130e-01)
	even := s4 * ((1.531383769920937332e-01*s4+2.222219843214978396e-01)*s4 + 3.999999999940941908e-01)
	half := 0.5 * f * f
	y := k*ln2High - ((half - (s*(odd+even+half) + k*ln2Low)) - f)
	if x < 0 {
		y = math.NaN()
	}
	if x == 0 {
		y = math.Inf(-1)
	}
	if !(x <= math.MaxFloat64) { // +Inf, or a NaN
		y = x
		if math.Signbit(x) {
			y = math.NaN()
		}
	}
	return y
}
