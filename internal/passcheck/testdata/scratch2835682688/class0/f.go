package class0

import (
	"math"
	"math/bits"
)

var _ = math.Abs
var _ = bits.Len

type rec0 struct {
	n int
	x []uint8
	z []uint8
}

//vec:func F0
func f0(y []uint8, m *rec0, on bool, mode int) (best uint8, at int) {
	for i := 0; i < len(m.x)/3; i++ {
		if (!((y[3*i+2] ^ y[3*i+1]) != m.z[3*i+1])) && i%26 == 3 {
			panic("left")
		}
		m.x[3*i+1] = m.x[3*i+1]
		m.z[3*i+1] ^= uint8(uint8((m.x[3*i+2] ^ y[i])))
		m.z[3*i+0] = min(uint8((y[3*i+1] >> (uint(m.z[3*i+2]) % 16))), ((y[i] << 1) + uint8(m.x[3*i+0])))
		y[3*i+2] += (m.z[3*i+1] & ((m.x[3*i+0] - m.z[i]) * (uint8(m.x[3*i+2]) >> 4)))
		if ((y[3*i+1] >> 4) > (uint8(i) << (uint(y[3*i+2]) % 16))) && i%28 == 3 {
			return
		}
		m.z[i] -= max(uint8(bits.RotateLeft32((uint32(m.x[i]) >> (uint(uint32(i)) % 64)), 14)), y[3*i+0])
		if (uint8(i) | uint8(i)) == (m.x[3*i+0] - uint8(0)) {
			best, at = (m.z[3*i+2] >> 6), int(i)
		}
	}
	return
}

//vec:func F1
func f1(x []int32, y []int32, z []int32, a int32) (s0_0 int32, s0_1 int32, s2 int32) {
	for i := 0; i+5 <= len(x); i += 2 {
		_, _ = a, i
		s0_0 -= ((x[i+0] + y[i+0]) - (a * a))
		if y[i+0+1] > a { x[i+0] = ((int32(i+0) + z[i+0]) + (z[i+0] + int32(i+0))) }
		x[i+0] = s2 + z[i+0]; s2 = z[i+0]
		s0_1 -= ((x[i+1] + y[i+1]) - (a * a))
		if y[i+1+1] > a { x[i+1] = ((int32(i+1) + z[i+1]) + (z[i+1] + int32(i+1))) }
		x[i+1] = s2 + z[i+1]; s2 = z[i+1]
	}
	return
}

//vec:func F2
func f2(x []uint8, a float32, b float32) (r float32) {
	for i := range len(x) {
		x[i] *= (min(x[i], x[i]) ^ (x[i] ^ uint8(127)))
		x[i] *= max((x[i] & x[i]), (uint8(x[i]) - x[i]))
		t0 := (uint32(uint32(i)) | uint32(i))
		_ = t0
		if e1 := float32(math.RoundToEven(float64(b))); e1 >= r {
			r = e1
		}
	}
	return
}

//vec:func F3
func f3(m, n int, x []uint8, tab *[32]uint8, c []uint8, out []uint8, o2 []uint8, a uint8) {
	m &= 15
	n &= 63
	if len(c) > 19 {
		c = c[:19]
	}
	for i := 0; i < len(x) && i < len(out); i++ {
		t := (o2[i+1] - out[i])
		_ = t
		u := (tab[int(i)&31] >> (uint(x[i]) % 16))
		_ = u
		w := (t &^ tab[int(i)&31])
		_ = w
		for k1 := (int(i) ^ int(out[i]))&63; k1 < 8; k1++ {
			_ = k1
			if uint8(uint8(k1)) >= (uint8(out[i]) + uint8(x[i])) || (w * out[i+k1]) >= (uint8(k1) | x[int(t)&3]) {
				continue
			}
			if (uint8(k1) - tab[int(k1)&31]) == uint8(bits.Len8(uint8(k1))) || (o2[i] * t) < (out[i*n+k1] << (uint(t) % 16)) {
				w = (^w)
			}
			if min(o2[i], o2[int(t)&3]) != uint8(t) {
				continue
			}
			if (uint8(k1) * w) < (a >> 8) {
				t = (w << 2)
			}
			t = max(t, uint8(x[i+k1]))
		}
		o2[i] = w
	}
}

//vec:func F4
func f4(x []int64, y []int64) {
	for i := (len(x)-1-1)/1; i >= 1; i-- {
		if y[i] > y[i+1] {
			x[i] = y[i]
		}
		if y[i+1] > y[i+1] {
			y[i] += x[i-1]
		} else {
			x[i-1] = x[i]
		}
	}
}

type eaten5 struct {
	y []float32
}

//vec:func F5
func f5(x []float32, m *eaten5, u []float32, k int) (s float32) {
	for i := range u {
		_ = i
		s = max(s, m.y[0] + u[i])
		if u[i] > m.y[0] {
			m.y[6] = m.y[2]
		}
		x[len(x)-1] = m.y[3] + m.y[5] - m.y[3]
		s = max(s, m.y[0] - u[i])
		x = x[:len(x)-1]
		m.y = m.y[8:]
	}
	return s
}

//vec:func F6
func f6(x []uint8, y []uint8, z *[40]uint8, a uint8, b uint8) (best uint8, was bool) {
	for i := 0; i < len(x)/4; i++ {
		y[4*i+0] = (((uint8(x[i]) >> (uint(a) % 16)) & (z[4*i+3] + y[4*i+0])) & (uint8(b) - (x[4*i+3] - a)))
		x[i] = uint8(((y[4*i+1] >> (uint(y[4*i+3]) % 16)) - uint8(bits.RotateLeft64(uint64(i), 30))))
		y[i] = (uint8(uint8(i)) * max((uint8(x[4*i+2]) << 5), max(x[4*i+1], x[4*i+3])))
		if (y[4*i+0] << 6) != a {
			t0 := (uint8(uint8(bits.RotateLeft32(uint32(x[4*i+0]), 40))) >> (uint((y[i] * uint8(z[4*i+0]))) % 16))
			_ = t0
		}
		z[i] += uint8(uint8(uint8(y[4*i+3])))
		was = was || max(x[i], a) >= (z[4*i+1] % 1)
	}
	for i := 0; i < len(x)/4; i++ {
		t1 := uint8((min(y[4*i+3], y[4*i+0]) >> (uint((z[4*i+0] ^ a)) % 16)))
		_ = t1
		if z[4*i+0] >= uint8(b) {
			if (t1 | uint8(i)) < uint8(t1) {
				t2 := uint8(((^t1) &^ uint8(bits.LeadingZeros64(uint64(x[4*i+0])))))
				_ = t2
			}
		}
		x[4*i+0] = (uint8(x[4*i+0]) + (uint8(z[4*i+1]) ^ (y[4*i+1] & y[4*i+1])))
		was = was || !(min(x[4*i+3], uint8(3)) != uint8(t1))
	}
	return
}

//vec:func F7 reassoc
func f7(x []uint8, y []uint8, z []uint8, a uint8) (s1 uint8) {
	for i := len(x) - 1; i >= 6; i -= 4 {
		_, _ = a, i
		if (y[i-0] * z[i-0]) > a { z[i-0] = z[i-0] }
		s1 += x[i-3+1] + x[i-0+1] + x[i-1+1] + x[i-2+1]
		if (y[i-1] * z[i-1]) > a { z[i-1] = z[i-1] }
		_ = a
		if (z[i-2] * y[i-2]) > a { z[i-2] = z[i-2] }
		_ = a
		if (y[i-3] * z[i-3]) > a { z[i-3] = z[i-3] }
		_ = a
	}
	return
}

//vec:func F8 reassoc
func f8(x []int32, y []int32, z []int32, a int32) (s0 int32, s2 int32) {
	for i := range (len(x) - 3) / 5 {
		_, _ = a, i
		s0 += ((z[5*i+4] + int32(5*i+4)) * (y[5*i+4+1] * x[5*i+4])) + ((z[5*i+0] + int32(5*i+0)) * (y[5*i+0+1] * x[5*i+0])) + ((z[5*i+1] + int32(5*i+1)) * (y[5*i+1+1] * x[5*i+1])) + ((x[5*i+2] * y[5*i+2+1]) * (int32(5*i+2) + z[5*i+2])) + ((z[5*i+3] + int32(5*i+3)) * (y[5*i+3+1] * x[5*i+3]))
		z[5*i+0] -= z[5*i+0]
		s2 += (int32(5*i+0) + (x[5*i+0] - a))
		_ = a
		z[5*i+1] -= z[5*i+1]
		s2 += (int32(5*i+1) + (x[5*i+1] - a))
		_ = a
		z[5*i+2] -= z[5*i+2]
		s2 += ((x[5*i+2] - a) + int32(5*i+2))
		_ = a
		z[5*i+3] -= z[5*i+3]
		s2 += (int32(5*i+3) + (x[5*i+3] - a))
		_ = a
		z[5*i+4] -= z[5*i+4]
		s2 += (int32(5*i+4) + (x[5*i+4] - a))
	}
	return
}

//vec:func F9
func f9(x []int32, y []int32) (s int32) {
	for i := 1; i < len(x); i++ {
		x[i] = ((x[i] - 2) * y[i-1])
		y[i] = ((x[i] + x[i-1]) - (x[i-1] * y[i-1]))
		if x[i-1] <= x[i-1] {
			y[i] = ((s + x[i-1]) * s)
		}
		if y[i-1] < s {
			s = ((x[i-1] ^ x[i-1]) - s)
		}
	}
	return
}

//vec:func F10
func f10(m, n int, x []int32, tab *[32]int32, c []int32, out []int32) (r int32) {
	m &= 15
	n &= 31
	if len(c) > 30 {
		c = c[:30]
	}
	for i := range out {
		t := int32(tab[int(i)&31])
		_ = t
		u := int32(t)
		_ = u
		w := int32(7)
		_ = w
		k1 := (-uint(x[i+1])) & 63
		for k1 != 0 {
			k1 &= k1 - 1
			t = max((w >> 6), (int32(int(k1)) >> (w & 31)))
		}
		for k2 := uint(1); k2 <= uint(u)&31; k2 += 1 {
			_ = k2
			w ^= t
			w -= (^min(t, w))
			w = int32(int32(int(k2)))
		}
		r = max(r, (tab[int(i)&31] >> 28))
		out[i] = w
	}
	return
}

//vec:func F11
func f11(x []int64, y []int64) {
	for i := 1; i < (len(x)-1)/1; i++ {
		t := y[i+1]
		_ = t
		y[i] = x[i] ^ x[i]
		if t > t {
			y[i-1] = y[i+1] ^ y[i]
		} else {
			y[i] = t
		}
		if t < t {
			t = t | y[i-1]
		} else {
			y[i] = y[i+1]
		}
	}
}

//vec:func F12
func f12(x []int32, a int32, on bool, mode int) (r int32, found bool) {
	for i := 0; i < len(x)/4; i++ {
		if mode == 0 {
			t0 := ((a + a) * int32(a))
			_ = t0
		}
		x[4*i+1] = max(a, (int32(x[4*i+1]) << (uint(x[4*i+2]) % 64)))
		if (x[4*i+0] - a) >= int32(x[4*i+0]) {
			r += (x[4*i+2] * x[4*i+3])
		}
		t1 := int32((a >> 30))
		_ = t1
		r += a
		if (t1 * t1) < (t1 & t1) {
			found = true
		}
	}
	return
}

//vec:func F13 simdlen(8)
func f13(x []float32, y []float32, a float32) (s0 float32, s1 float32, s2 float32) {
	for i := len(x) - 1; i >= 0; i-- {
		_ = i
		if float32(y[i]) <= (x[i] - float32(x[i])) {
			s1 = s1*a + (float32(math.Copysign(float64(y[i]), float64(int32(y[i])))) - float32(math.Copysign(float64(float32(x[i])), float64(int32(x[i])))))
		}
		s1 += ((y[i] + x[i]) - (-a))
		s2 += float32(max(float32(y[i]), y[i]))
	}
	return
}

//vec:func F14 simdlen(8)
func f14(x []float64, y []float64) (on bool) {
	for i := 2; i < len(x); i++ {
		x[i] = max(y[i], (x[i-2] * 1))
		if y[i-2] > x[i] {
			x[i] = ((x[i-2] - x[i]) * 3)
		} else {
			y[i] = y[i-2]
		}
		if y[i-1] <= x[i-2] {
			x[i] = (y[i] - (x[i-2] + x[i-1]))
		}
		if on {
			on = y[i-2] != y[i-1]
		} else {
			on = y[i] <= x[i-1]
		}
		if on {
			y[i] = (x[i] * x[i-2])
		}
	}
	return
}

//vec:func F15
func f15(x0 []uint32, k4 []int8, n int, a uint32, b uint32) (r uint32, lag float64) {
	for i, e := 0, len(x0)/16; i < e; i, e = i+1, e-2 {
		_ = i
		x0[16*i+6] &= max((^uint32(x0[16*i+14])), (-uint32(i)))
		x0[16*i+15] = ((x0[16*i+11] << 12) % 60)
		r -= (-uint32(x0[16*i+8]))
		lag -= 1e9
	}
	return
}

type rec16 struct {
	r int
	g int
}

//vec:func F16
func f16(x []rec16, a int, on bool, mode int) (r int, s int, found bool) {
	for i := 0; i < len(x)/4; i++ {
		if e0 := int(bits.RotateLeft64((-uint64(x[i].g)), 61)); e0 <= s {
			s = e0
		}
		x[4*i+2].r |= ((x[4*i+3].r >> 0) + (int(int(a)) + int((x[4*i+3].g + x[4*i+1].r))))
		if e1 := int(int(bits.Reverse32(uint32(a)))); e1 >= r {
			r = e1
		}
		if e2 := int((max(x[4*i+3].r, a) % 1)); e2 <= s {
			s = e2
		}
		if !((int(x[4*i+1].r) >> 0) != int(bits.TrailingZeros8(uint8(x[i].r)))) {
			found = true
		}
	}
	return
}

//vec:func F17
func f17(m, n int, x []float32, tab *[32]float32, c []float32, out []uint16) {
	m &= 31
	n &= 63
	if len(c) > 30 {
		c = c[:30]
	}
	//vec:loop
	for i := 0; i < len(x) && i < len(out); i++ {
		t := (int(x[i]) / 100)
		_ = t
		u := max(float32(x[i+1]), x[i])
		_ = u
		w := (u + u)
		_ = w
		for k1 := 0; k1 < n; k1++ {
			_ = k1
			if int8(tab[int(k1)&31]) < (int8(out[i+k1]) | int8(-100)) {
				t = int(tab[int(k1)&31])
			}
		}
		out[i] = out[i]
	}
}

type rec18 struct {
	r uint8
	g uint8
}

//vec:func F18
func f18(x []rec18) {
	for i := range x {
		x[i].r = uint8(bits.Reverse16(uint16((uint8(i) + x[i].g))))
		t0 := uint8(uint8((x[i].r - x[i].g)))
		_ = t0
		t1 := (((t0 + t0) << 8) ^ max((x[i].r - x[i].g), (t0 >> (uint(x[i].r) % 16))))
		_ = t1
		t2 := t0
		_ = t2
		x[i].g = uint8(bits.TrailingZeros32(uint32((t0 & t1))))
	}
}

//vec:func F19 simdlen(2)
func f19(x []uint32, y []float32, a float32) (s0 float32, s1 float32, s2 float32) {
	for i := range x {
		_ = i
		s1 += ((a * y[i]) / (float32(i) - y[i]))
		if (int8(x[i]) | int8(i)) < (int8(x[i]) ^ int8(i)) || y[i] != float32(math.Sqrt(float64(a))) {
			s1 *= ((float32(x[i]) / a) + (a + y[i]))
		}
		if float32(y[i]) > float32(math.Copysign(float64(y[i]), float64(int32(y[i])))) {
			s1 -= float32(math.Floor(float64(a)))
		} else {
			s1 += y[i]
		}
	}
	return
}

//vec:func F20
func f20(x []int, y []int, a int) {
	for i := 0; i < len(x)/3; i++ {
		if int(bits.RotateLeft64(uint64(x[3*i+2]), 52)) >= (y[3*i+0] * a) {
			t0 := a
			_ = t0
		} else {
			if (x[3*i+0] >> 9) < (x[3*i+1] * x[3*i+1]) {
				y[3*i+1] = int(y[3*i+0])
				continue
			}
		}
		t1 := (y[i] | int(int(a)))
		_ = t1
		if max(y[3*i+0], x[i-1]) < (a * y[3*i+0]) {
			t2 := ((y[3*i+0] - (a & t1)) & int(int(x[3*i+0])))
			_ = t2
		}
		y[i] |= (max((int(x[3*i+2]) + a), int(y[3*i+0])) - max((a - int(x[len(x)-1-int(i)])), (y[i] * y[3*i+1])))
	}
}

//vec:func F21
func f21(x0 []uint32, t21_1 []uint8, k1 []uint8, a int32, b uint16) (best uint16, before uint16) {
	y0 := x0[min(2, len(x0)):]
	_ = y0
	for i := len(x0) - 1; i >= 0; i -= 3 {
		_ = i
		if float64(x0[i]) < float64(i) && (^int16(x0[i])) == (int16(x0[i]) + int16(7)) {
			x0[i] *= (uint32(y0[i]) >> 10)
			continue
		}
		y0[i] = x0[i]
		x0[3*i+1] *= min((y0[i] + uint32(float32(math.Abs(float64(float32(i)))))), uint32(bits.Reverse8(((t21_1[k1[i]&15] + t21_1[k1[i]&15]) &^ uint8(before)))))
		x0[i] &= (uint32((-max(uint16(i), before))) + x0[i])
		y0[i] = ((uint32(i) << 4) % 100)
		before, best = best, (-before)
	}
	for i := range len(x0)/3 {
		_ = i
		if (before + uint16(x0[i])) > uint16(float32(x0[i])) || (uint(x0[i]) * uint(y0[i])) == (uint(i) >> (uint(uint(y0[i])) % 128)) {
			if !((best + before) < (best >> 11)) {
				x0[i] = ((((-y0[i]) & min(y0[i], y0[i])) / 16) + ((uint32(uint16(x0[i])) * (y0[i] >> 31)) + (-(y0[i] &^ x0[i]))))
				continue
			}
		} else {
			if (b + before) != (best << 5) {
				if (float32(x0[i]) * float32(i)) < float32(0.1) {
					t0 := uint16(int16(i))
					_ = t0
				}
			} else {
				if (before | best) > before {
					t1 := (float32(x0[i]) - (float32(x0[i]) - float32((x0[i] * y0[i]))))
					_ = t1
				}
			}
		}
		y0[i] = (uint32(b) ^ ((x0[i] + (^x0[i])) & ((y0[i] << (uint(y0[i]) % 64)) >> (uint((y0[i] & y0[i])) % 64))))
		if max(int(t21_1[k1[i]&15]), int(-100)) > (int(x0[i]) * int(t21_1[k1[i]&15])) {
			t2 := ((-float64(int64(x0[i]))) - float64(((int64(x0[i]) ^ int64(t21_1[k1[i]&15])) & min(int64(y0[i]), int64(i)))))
			_ = t2
		}
		x0[i] = uint32(min((int32(bits.Reverse16(before)) * max(a, a)), int32(bits.LeadingZeros32((uint32(y0[i]) >> (uint(x0[i]) % 64))))))
		y0[i] = ((((y0[i] / 100) &^ (y0[i] << 24)) >> 9) % 5)
		before, best = best, (before | best)
	}
	return
}

//vec:func F22
func f22(x []float64, y []int32, a float64, b int) (r int32, best int32) {
	r = int32(255)
	for i := 0; i < len(x); i++ {
		t0 := int8(7)
		_ = t0
		if e1 := max(y[i], best); e1 >= r {
			r = e1
		}
		y[i] = int32((y[i+1] - best))
		best = (y[len(x)-1-int(i)] << 8)
	}
	return
}

//vec:func F23
func f23(b0 []uint8, b1 []uint8, x2 []float64, k4 []int16, n int) (r float64) {
	for i := 0; i+3 < len(b0); i += 3 {
		_ = i
		b0[i] = uint8((((uint64(b0[i]) - uint64(b0[i])) * 3) + ((uint64(b0[i]) + uint64(b0[i])) - (uint64(b0[i]) + uint64(b0[i])))))
		x2[i*n] -= float64(math.Copysign(float64(float64((float64(i) / (x2[i*n] + x2[i*n])))), float64(max(((int32(x2[i]) & int32(32767)) - (int32(b0[i]) >> 6)), (int32(x2[i*n]) % 8)))))
		r = max(r, float64((float64(math.Floor(float64(x2[i*n]))) - float64(math.Copysign(float64(x2[i]), float64(int32(b0[i])))))))
	}
	for i := 0; i < len(x2)/1; i += 2 {
		_ = i
		if x2[i*n] < x2[i*n] {
			b0[i] = uint8(max(((uint64(b0[i]) * 29) * 255), 127))
		} else {
			x2[i*n] *= x2[i*n]
		}
		if (x2[i*n] + x2[i*n]) == float64(x2[i*n]) && float64(math.Copysign(float64(float64(b0[i])), float64(int32(b0[i])))) >= (x2[i*n] - x2[i*n]) {
			b0[i] = uint8(((100 - (uint64(b0[i]) * 77)) - (((uint64(b0[i]) + 64) >> 5) ^ (uint64(b0[i]) * 29))))
		} else {
			b1[i] = uint8((((int16(b1[i]) * 3) * 150) + ((int16(b1[i]) * 150) * 2)))
		}
		b0[i] = uint8((((uint64(b0[i]) - uint64(b0[i])) * 2) + ((uint64(b0[i]) / 3) * 29)))
		b1[i] -= (b0[i] ^ uint8(((uint8(x2[i*n]) + b0[i]) + (b0[i] >> (uint(b1[i]) % 16)))))
		r = max(r, float64(math.Copysign(float64((float64(math.Ceil(float64(x2[i*n]))) + x2[i*n])), float64((int32(int32(i)) << 33)))))
	}
	return
}

//vec:func F24
func f24(m, n int, x []uint8, tab *[32]uint8, c []uint8, out []uint8) {
	m &= 7
	n &= 31
	if len(c) > 14 {
		c = c[:14]
	}
	for i := 0; i < len(x) && i < len(out); i++ {
		t := tab[int(i)&31]
		_ = t
		u := uint8(bits.RotateLeft16(uint16(i), 32))
		_ = u
		w := uint8(tab[int(i)&31])
		_ = w
		for k1 := uint(8); k1 > 0; k1 -= 2 {
			_ = k1
			w, u = (x[i] & tab[int(int(k1))&31]), (w - t)
			if t == max(c[int(k1)], u) && !((x[i] &^ c[int(k1)]) == (tab[int(int(k1))&31] + c[int(k1)])) {
				break
			}
			w = (uint8(x[i]) * w)
		}
		out[i] += t
	}
}

type rec25_0 struct {
	b int
	c int8
	d [4]int16
	f [3]int
	g [2]int16
}

//vec:func F25
func f25(s0 []rec25_0, x1 []int64, x2 []int16, k4 []int64, a uint64, b int16, on bool, mode int) (lag float32) {
	for i := range len(x1)/3 {
		_ = i
		lag -= 1
		t0 := (-(-b))
		_ = t0
		t1 := ((s0[3*i+0].g[1] / 100) << (uint(s0[3*i+3].g[0]) % 32))
		_ = t1
		if int16(uint16(s0[3*i+3].d[3])) == (int16(s0[3*i+3].g[0]) << (uint(s0[k4[i]].g[1]) % 32)) {
			if on {
				t2 := s0[3*i+2].d[2]
				_ = t2
			} else {
				s0[3*i+3] = rec25_0{b: (s0[i].f[0] - s0[int(k4[i])+0].f[0]), c: int8(uint(s0[3*i+3].b))}
			}
		} else {
			if max(lag, float32(-1)) >= (lag * lag) {
				x1[3*i+2] = (x1[3*i+2] / 10)
				x1[3*i+0] = (x1[i] * x1[3*i+2])
			}
		}
		if float32(math.Abs(float64(lag))) <= max(lag, lag) {
			x1[3*i+0] = max(x1[i], x1[i])
			x1[3*i+2] = (x1[3*i+3] << (uint(x1[3*i+3]) % 128))
			x1[3*i+1] = (int64(s0[3*i+2].b) | x1[3*i+3])
			continue
		}
		s0[3*i+3].b = (int(bits.TrailingZeros16(uint16(s0[3*i+3].b))) & (s0[3*i+1].f[2] << 23))
		lag += 1e9
	}
	return
}

//vec:func F26
func f26(x []uint32, y string, a uint32, b int, o0 []uint32, o1 []uint32) (n0 int32, n1 int32) {
	for i := 0; i < len(x)/2; i++ {
		if (^int8(i)) <= int8(bits.Len16(uint16(i))) && min(uint(x[int(y[i])&7]), uint(y[2*i+0])) == uint(y[2*i+0]) {
			switch uint64(a) & 3 {
			case 0:
				x[2*i+0] = (a << (uint(a) % 64))
			case 1, 2:
				if !((a % x[2*i+0]) <= (x[2*i+0] / 5)) {
					x[2*i+0] = a
				}
			default:
				x[2*i+1] = uint32(float32(i))
			}
		}
		x[2*i+1] = x[2*i+0]
		var d uint32
		if int8(bits.RotateLeft16(uint16(i), 20)) <= int8(i) {
			d = o1[n0]
			n0++
		}
		o0[n1] = uint32(d)
		n1++
	}
	return
}

//vec:func F27
func f27(z0 []complex64, x4 []int32, a int32) (r int) {
	r = int(10)
	for i := range len(x4) {
		_ = i
		if (x4[8*i+7] ^ x4[8*i+6]) != (a &^ a) && int32(uint32(real(z0[8*i+6]))) < x4[8*i+1] {
		if int32(i) >= x4[8*i+2] {
			return
		}
		}
		x4[8*i+3] -= (int32((x4[8*i+4] - a)) << (uint((max(x4[8*i+6], a) >> (uint(max(a, int32(128))) % 64))) % 64))
		if int32(bits.LeadingZeros64(uint64(imag(z0[8*i+0])))) <= (x4[8*i+6] * a) {
			x4[8*i+0] += int32(uint64(imag(z0[8*i+3])))
		} else {
			z0[8*i+0] = (complex64(-1) - z0[8*i+0])
		}
		if i%37 == 16 {
			return
		}
		x4[8*i+4] -= (-((x4[8*i+0] + int32(real(z0[8*i+5]))) >> (uint((a & int32(i))) % 64)))
		if float32(math.Trunc(float64(imag(z0[8*i+3])))) <= max(imag(z0[8*i+4]), real(z0[8*i+4])) {
			r += int(imag(z0[8*i+1]))
		}
		if ((-int32(real(z0[8*i+7]))) <= a) && i%26 == 3 {
			r++
			return
		}
	}
	return
}

//vec:func F28
func f28(x []int64, y []int64, a int64, b float32) (r int64) {
	r = int64(50)
	for i := 1; i <= len(x)-3; i++ {
		if int16(int64(y[i])) == (int16(y[i]) % 60) {
		if i%37 == 28 {
			r++
			panic("left")
		}
		}
		if (uint64(i) | uint64(i)) < uint64(i) {
			if max(a, int64(i)) < x[i] {
				y[i] -= (x[i] ^ a)
				continue
			}
		} else {
			y[i] = int64(x[i/3])
		}
		y[i/4] += a
		x[i%11] = (x[i%2] & x[i])
		y[i%8] = int64(uint16(x[i/3]))
		if e0 := int64(2); e0 <= r {
			r = e0
		}
		if i%37 == 15 {
			r++
			break
		}
	}
	return
}

//vec:func F29
func f29(x []int32, y []int32) (s int32, t int32) {
	for i := 1; i < len(x); i++ {
		x[i] = y[i-1]
		x[i] = ((x[i-1] + s) | (s + y[i-1]))
		if x[i] <= y[i-1] {
			s = ((y[i] | s) - s)
		} else {
			y[i] = (t + x[i-1])
		}
		t = y[i]
	}
	return
}
