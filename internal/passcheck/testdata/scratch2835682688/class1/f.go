package class1

import (
	"math"
	"math/bits"
)

var _ = math.Abs
var _ = bits.Len

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

//vec:func F31
func f31(m, n int, x []uint16, tab *[32]uint16, c []uint16, out []uint16, o2 []int32) (r uint16, s uint16) {
	m &= 31
	n &= 3
	if len(c) > 5 {
		c = c[:5]
	}
	for i := range out {
		t := (float64(x[i]) - float64(-1))
		_ = t
		u := max(uint16(x[i]), tab[int(i)&31])
		_ = u
		if (-u) != (u << (uint(x[i]) % 32)) {
			continue
		}
		for k1, ek1 := range c {
			_ = k1
			_ = ek1
			if (u << 16) < (^x[i]) {
				continue
			}
			t *= (t / t)
			if uint16(c[k1]) < x[k1*n+i] {
				continue
			}
		}
		if (uint16(x[i]) >> 5) <= (u - u) {
			continue
		}
		r |= (^x[i])
		s *= (u + u)
		out[i] = u
	}
	return
}

//vec:func F38
func f38(m, n int, x []int32, tab *[32]float32, c []int32, out []uint) (r int8, s float32, found bool) {
	m &= 31
	n &= 63
	if len(c) > 21 {
		c = c[:21]
	}
	for i := range out {
		t := (int32(x[i]) << (uint(int32(i)) % 64))
		_ = t
		if (uint(i) >> 34) < (uint(i) | uint(1)) {
			continue
		}
		for k1 := range m {
			_ = k1
			out[i*n+k1] += uint(bits.LeadingZeros8(uint8(k1)))
			t += max(t, int32(32767))
			if (uint16(x[int(t)&15]) - uint16(128)) <= uint16(c[k1]) {
				t = (x[i] - t)
			}
			for k2, ek2 := range c {
				_ = k2
				_ = ek2
				out[i*n+k2] = uint(3)
				t *= (ek2 / 16)
				t += (int32(tab[int(k2)&31]) >> (uint(t) % 64))
			}
			r ^= (int8(k1) * int8(k1))
		}
		r ^= (-int8(int32(x[i])))
		s = min(s, float32(x[i]))
		if t <= (int32(x[i]) >> (uint(x[i]) % 64)) {
			found = true
		}
	}
	return
}

//vec:func F45
func f45(m, n int, x []uint, tab *[32]uint, c []uint, out []uint, a uint) (r uint, s uint) {
	m &= 31
	n &= 63
	if len(c) > 25 {
		c = c[:25]
	}
	//vec:loop
	for i := range out {
		t := (tab[int(i)&31] - uint(x[i]))
		_ = t
		u := uint(128)
		_ = u
		out[i] = t
		for k1 := int(i)&15; k1 < 40; k1++ {
			_ = k1
			u = max(u, (tab[int(i)&31] + uint(bits.Reverse64(uint64(k1)))))
		}
		r -= uint(t)
		s = min(s, (x[i] << 24))
	}
	return
}

//vec:func F52
func f52(m, n int, a []uint16, v []float64, w int32) {
	m &= 31
	n &= 31
	for i := range v {
		for j := 2; j < m-i; j++ {
			a[j*n+i] += a[(j-1)*n+i]
		}
		for j := 2; j < min(i, m); j++ {
			a[j*n+i] = a[j*n+0]
		}
	}
}

//vec:func F59
func f59(m, n int, a []float64, b []uint, v []uint32, w int16) (r int16) {
	m &= 31
	n &= 63
	k := 0
	for i := range m {
		for j := range n {
			_ = j
			a[i*n+j] = a[i*n+j]
			if e0 := w; e0 >= r {
				r = e0
			}
			k++
		}
	}
	return
}

//vec:func F66
func f66(m, n int, x []uint64, tab *[32]uint64, c []uint64, out []uint64, o2 []uint64) {
	m &= 7
	n &= 3
	if len(c) > 23 {
		c = c[:23]
	}
	outer:
	for i := range out {
		t := uint64(x[i])
		_ = t
		u := c[i]
		_ = u
		w := (u | u)
		_ = w
		if uint64(x[i]) >= (w - uint64(uint64(x[i]))) {
			continue
		}
		for k1 := int8(1); k1 < (int8(x[i]) * int8(7))&31; k1++ {
			_ = k1
			w -= (t - u)
			t = (t + c[int(k1)])
			u = (uint64(x[i]) + uint64(int(k1)))
			if (c[int(k1)] * x[i]) > (x[int(k1)*n+i] | uint64(1)) && (tab[int(int(k1))&31] &^ c[int(k1)]) < uint64(bits.Len16(uint16(int(k1)))) {
				continue outer
			}
			out[i] = w
		}
		u *= (w - c[i])
		out[i] = (x[i] << (uint(uint64(x[i])) % 128))
	}
}

//vec:func F73
func f73(m, n int, x []int64, y []float32, tab *[32]float32, c []float32, out []float32) (r float32) {
	m &= 15
	n &= 3
	if len(c) > 33 {
		c = c[:33]
	}
	//vec:loop
	for i, v := range x {
		_ = v
		t := uint64(bits.RotateLeft8(uint8(y[i]), 9))
		_ = t
		u := min(out[i], float32(i))
		_ = u
		w := max(u, u)
		_ = w
		out[i] = u
		k1 := (uint32(out[i]) & uint32(x[i])) & 63
		for {
			if k1 <= 0 {
				break
			}
			k1--
			t, w = (t % 7), min(tab[int(i)&31], y[i])
			t = max(t, t)
		}
		t = (t - t)
		r = min(r, float32(math.RoundToEven(float64(out[i]))))
		out[i] = w
	}
	return
}

//vec:func F80
func f80(m, n int, x []uint64, y []uint64, tab *[32]uint64, c []uint64, out []uint64, a uint64) (r uint64, s uint64, found bool) {
	m &= 31
	n &= 63
	if len(c) > 10 {
		c = c[:10]
	}
	for i, v := range x {
		_ = v
		t := v
		_ = t
		out[i] = t
		for k1 := 0; k1 < n; k1++ {
			_ = k1
			t += y[i]
			t += uint64(tab[int(k1)&31])
			t += uint64((tab[int(i)&31] * a))
			k2 := max(uint8(y[i]), uint8(k1)) & 31
			for k2 != 0 {
				k2 &= k2 - 1
				t -= (uint64(bits.RotateLeft16(uint16(x[i]), -3)) * uint64(a))
			}
		}
		for k3 := uint(2); k3 <= uint(i)&7; k3 += 3 {
			_ = k3
			t = uint64((tab[int(int(k3))&31] | x[int(k3)]))
			if (out[i] | y[int(k3)]) == (^x[i]) {
				break
			}
		}
		if e0 := (y[i] / 7); e0 >= r {
			r = e0
		}
		s = min(s, (uint64(tab[int(i)&31]) << 41))
		if min(out[i], y[i]) == (x[i] * v) {
			found = true
		}
		if max(a, tab[int(i)&31]) != (x[i] << (uint(out[i]) % 128)) {
			out[i] = t
		}
	}
	return
}

//vec:func F87
func f87(m, n int, x []int32, y []uint64, tab *[32]int32, c []int32, out []int32) (found bool) {
	m &= 15
	n &= 3
	if len(c) > 29 {
		c = c[:29]
	}
	for i, v := range x {
		_ = v
		t := float32(math.Copysign(float64(float32(y[i])), float64(int32(i))))
		_ = t
		for k1 := uint8(2); k1 < 4; k1 += 1 {
			_ = k1
			t = ((t * t) * float32(float64(int(k1))))
		}
		if int32(x[i]) >= int32(bits.Reverse16(uint16(i))) && !((uint8(tab[int(i)&31]) - uint8(i)) >= (uint8(tab[int(i)&31]) >> (uint(uint8(i)) % 16))) {
			found = true
		}
		out[i] = (tab[int(i)&31] & int32(tab[int(i)&31]))
	}
	return
}

//vec:func F94
func f94(m, n int, x []float32, y []float32, tab *[32]float32, c []float32, out []float32) (r float32) {
	m &= 31
	n &= 31
	if len(c) > 21 {
		c = c[:21]
	}
	for i := range out {
		t := float32(math.Copysign(float64(tab[int(i)&31]), float64(int32(i))))
		_ = t
		u := (t - float32(255))
		_ = u
		w := (y[i] - y[i])
		_ = w
		for k1, ek1 := range c {
			_ = k1
			_ = ek1
			if min(ek1, y[i]) >= max(u, float32(y[i])) {
				break
			}
			t = float32(math.Copysign(float64(out[i]), float64(int32(out[i*n+k1]))))
			w -= (-y[i])
			r = max(r, (tab[int(k1)&31] + y[i]))
		}
		r = min(r, float32(out[i]))
		out[i] += u
	}
	return
}

//vec:func F101
func f101(m, n int, x []uint8, y []uint16, tab *[32]uint, c []uint16, out []uint16) (r int8) {
	m &= 7
	n &= 31
	if len(c) > 5 {
		c = c[:5]
	}
	for i := 0; i+3 < len(out); i += 2 {
		t := (int8(tab[int(i)&31]) % 5)
		_ = t
		k1 := (int64(uint16(x[i])) << (int64(i) & 31)) & 63
		for k1 != 0 {
			k1 &= k1 - 1
			out[i*n+int(k1)] += c[int(k1)]
		}
		t &= int8(bits.TrailingZeros16(uint16(x[i])))
		for k2 := 0; k2 < n; k2++ {
			_ = k2
			out[i*n+k2] += uint16(y[i])
			t += min(int8(y[i]), t)
		}
		r = (t - t) - r
		out[i] += (uint16(x[i]) >> 9)
	}
	return
}
