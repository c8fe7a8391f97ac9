package mathlib

import "math"

// octant reduces x, which is not negative: x = y*Pi/4 + z with an even y, of which j has the
// lower bits. Large arguments are rare: math reduces them with more bits of 4/Pi.
func octant(x float64) (j uint64, z float64) {
	const (
		quarter1 = 7.85398125648498535156e-1 // Pi/4 in three parts
		quarter2 = 3.77489470793079817668e-8
		quarter3 = 2.69515142907905952645e-15
	)
	rare(x >= 1<<29 && x <= math.MaxFloat64)
	y := math.Trunc(x * (4 / math.Pi))
	j = shifted(y, 0)
	if j&1 == 1 {
		j++
		y++
	}
	return j, ((x - y*quarter1) - y*quarter2) - y*quarter3
}

// sine and cosine are those of z from -Pi/4 to Pi/4, with its square.
func sine(z, zz float64) float64 {
	p := (1.58962301576546568060e-10*zz-2.50507477628578072866e-8)*zz + 2.75573136213857245213e-6
	p = ((p*zz-1.98412698295895385996e-4)*zz+8.33333333332211858878e-3)*zz - 1.66666666666666307295e-1
	return z + z*zz*p
}

func cosine(zz float64) float64 {
	p := (-1.13585365213876817300e-11*zz+2.08757008419747316778e-9)*zz - 2.75573141792967388112e-7
	p = ((p*zz+2.48015872888517045348e-5)*zz-1.38888888888730564116e-3)*zz + 4.16666666666665929218e-2
	return 1.0 - 0.5*zz + zz*zz*p
}

// withSign is y, or -y where a bit of j is set; the bit counts from 0.
func withSign(y float64, j uint64, bit int) float64 {
	return math.Float64frombits(math.Float64bits(y) ^ j<<(63-bit)&(1<<63))
}

// Sin is the sine of an angle in radians.
func Sin(x float64) float64 {
	j, z := octant(math.Abs(x))
	zz := z * z
	y := sine(z, zz)
	if j&2 != 0 {
		y = cosine(zz)
	}
	y = withSign(y, j, 2)
	if x < 0 {
		y = -y
	}
	if x == 0 || x != x {
		y = x
	}
	if math.Abs(x) > math.MaxFloat64 {
		y = math.NaN()
	}
	return y
}

// Cos is the cosine of an angle in radians.
func Cos(x float64) float64 {
	j, z := octant(math.Abs(x))
	zz := z * z
	y := cosine(zz)
	if j&2 != 0 {
		y = sine(z, zz)
	}
	y = withSign(y, j^j<<1, 2) // -y in the second and the third quarter
	if !(math.Abs(x) <= math.MaxFloat64) {
		y = math.NaN()
	}
	return y
}

// Tan is the tangent of an angle in radians.
func Tan(x float64) float64 {
	j, z := octant(math.Abs(x))
	zz := z * z
	p := (-1.30936939181383777646e4*zz+1.15351664838587416140e6)*zz - 1.79565251976484877988e7
	q := (((zz+1.36812963470692954678e4)*zz-1.32089234440210967447e6)*zz+2.50083801823357915839e7)*zz - 5.38695755929454629881e7
	y := z
	if zz > 1e-14 {
		y = z + z*(zz*p/q)
	}
	if j&2 != 0 {
		y = -1 / y
	}
	if x < 0 {
		y = -y
	}
	if x == 0 || x != x {
		y = x
	}
	if math.Abs(x) > math.MaxFloat64 {
		y = math.NaN()
	}
	return y
}

// Sincos is Sin and Cos.
func Sincos(x float64) (sin, cos float64) {
	j, z := octant(math.Abs(x))
	zz := z * z
	sin, cos = sine(z, zz), cosine(zz)
	if j&2 != 0 {
		sin, cos = cos, sin
	}
	sin, cos = withSign(sin, j, 2), withSign(cos, j^j<<1, 2)
	if x < 0 {
		sin = -sin
	}
	if x == 0 {
		sin = x
	}
	if !(math.Abs(x) <= math.MaxFloat64) {
		sin, cos = math.NaN(), math.NaN()
	}
	return sin, cos
}
