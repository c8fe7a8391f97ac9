package mathlib

import "math"

// Functions of float32s for the clause approx: within one unit in the last place of what math
// gives for the argument, rounded to float32.

const (
	bias32     = 127
	mantissa32 = 23
)

// fma32 is x*y + z, in lanes with one rounding.
func fma32(x, y, z float32) float32 { return float32(math.FMA(float64(x), float64(y), float64(z))) }

func rint32(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

func abs32(x float32) float32 { return float32(math.Abs(float64(x))) }

// scaled is y * 2^k for k from -252 to 254, rounded once or, near 0, twice.
func scaled(y float32, k int32) float32 {
	half := k >> 1
	y *= math.Float32frombits(uint32(half+bias32) << mantissa32)
	return y * math.Float32frombits(uint32(k-half+bias32)<<mantissa32)
}

// expOf is 2^k * e^r, for r from -ln(2)/2 to ln(2)/2, by the series of e^r with coefficients
// for that range.
func expOf(r float32, k int32) float32 {
	p := fma32(1.9875691500e-4, r, 1.3981999507e-3)
	p = fma32(p, r, 8.3334519073e-3)
	p = fma32(p, r, 4.1665795894e-2)
	p = fma32(p, r, 1.6666665459e-1)
	p = fma32(p, r, 5.0000001201e-1)
	return scaled(fma32(fma32(p, r, 1), r, 1), k)
}

// Exp32 is e to the power of x.
func Exp32(x float32) float32 {
	const (
		ln2High = 0.693359375
		ln2Low  = -2.12194440e-4
	)
	if x < -104 {
		x = -104
	}
	if x > 89 {
		x = 89
	}
	k := rint32(x * (1 / math.Ln2))
	r := fma32(-k, ln2Low, fma32(-k, ln2High, x))
	return expOf(r, int32(k))
}

// Exp232 is 2 to the power of x.
func Exp232(x float32) float32 {
	if x < -151 {
		x = -151
	}
	if x > 129 {
		x = 129
	}
	k := rint32(x)
	return expOf((x-k)*math.Ln2, int32(k))
}

// Log32 is the natural logarithm.
func Log32(x float32) float32 {
	const (
		ln2High = 0.693359375
		ln2Low  = -2.12194440e-4
	)
	normal, low := x, float32(0)
	if x < 0x1p-126 {
		normal, low = x*0x1p23, mantissa32
	}
	// normal = m * 2^e with m from sqrt(1/2) to sqrt(2)
	b := math.Float32bits(normal) - 0x3f3504f3
	e := float32(int32(b)>>mantissa32) - low
	f := math.Float32frombits(b&(1<<mantissa32-1)+0x3f3504f3) - 1
	p := fma32(7.0376836292e-2, f, -1.1514610310e-1)
	p = fma32(p, f, 1.1676998740e-1)
	p = fma32(p, f, -1.2420140846e-1)
	p = fma32(p, f, 1.4249322787e-1)
	p = fma32(p, f, -1.6668057665e-1)
	p = fma32(p, f, 2.0000714765e-1)
	p = fma32(p, f, -2.4999993993e-1)
	p = fma32(p, f, 3.3333331174e-1)
	ff := f * f
	y := fma32(e, ln2Low, p*f*ff)
	y = fma32(-0.5, ff, y) + f
	y = fma32(e, ln2High, y)
	if !(x > 0 && x <= math.MaxFloat32) {
		y = float32(math.NaN())
		if x == 0 {
			y = float32(math.Inf(-1))
		}
		if x > 0 {
			y = x
		}
	}
	return y
}

// Tanh32 is the hyperbolic tangent.
func Tanh32(x float32) float32 {
	a := abs32(x)
	s := x * x
	p := fma32(-5.70498872745e-3, s, 2.06390887954e-2)
	p = fma32(p, s, -5.37397155531e-2)
	p = fma32(p, s, 1.33314422036e-1)
	p = fma32(p, s, -3.33332819422e-1)
	y := fma32(p*s, x, x)
	if x == 0 {
		y = x
	}
	if a >= 0.625 {
		if a > 10 {
			a = 10
		}
		y = float32(math.Copysign(float64(1-2/(Exp32(a+a)+1)), float64(x)))
	}
	return y
}

// Sin32 is the sine of an angle in radians.
func Sin32(x float32) float32 {
	j, z, low := quadrant(x)
	y := sine32(z, low)
	if j&1 != 0 {
		y = cosine32(z, low)
	}
	y = math.Float32frombits(math.Float32bits(y) ^ j<<30&(1<<31))
	if x == 0 {
		y = x
	}
	return y
}

// Cos32 is the cosine of an angle in radians.
func Cos32(x float32) float32 {
	j, z, low := quadrant(x)
	y := cosine32(z, low)
	if j&1 != 0 {
		y = sine32(z, low)
	}
	return math.Float32frombits(math.Float32bits(y) ^ (j+1)<<30&(1<<31))
}

// quadrant reduces x: x = j*Pi/2 + z + low. Large angles are for math.
func quadrant(x float32) (j uint32, z, low float32) {
	const (
		half1 = 0x1.921fb6p+00 // Pi/2 in three parts
		half2 = -0x1.777a5cp-25
		half3 = -0x1.ee59dap-50
	)
	rare(abs32(x) > 1<<16)
	k := rint32(x * (2 / math.Pi))
	first := fma32(-k, half1, x) // exact
	z, low = difference(first, k*half2)
	low -= fma32(k, half2, -(k * half2))
	return uint32(int32(k)), z, fma32(-k, half3, low)
}

// difference is x - y, rounded, and what the rounding took away (Knuth).
func difference(x, y float32) (d, rest float32) {
	d = x - y
	fromX := x - d
	return d, (x - (d + fromX)) + (fromX - y)
}

func sine32(z, low float32) float32 {
	zz := z * z
	p := fma32(-1.9515295891e-4, zz, 8.3321608736e-3)
	p = fma32(p, zz, -1.6666654611e-1)
	return z + fma32(p*zz, z, low)
}

func cosine32(z, low float32) float32 {
	zz := z * z
	p := fma32(2.443315711809948e-5, zz, -1.388731625493765e-3)
	p = fma32(p, zz, 4.166664568298827e-2)
	y := fma32(-0.5, zz, 1)
	rest := fma32(-z, low, fma32(-0.5, zz, 1-y))
	return y + fma32(p*zz, zz, rest)
}
