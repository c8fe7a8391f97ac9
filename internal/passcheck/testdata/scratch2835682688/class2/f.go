package class2

import (
	"math"
	"math/bits"
)

var _ = math.Abs
var _ = bits.Len

type rec0_3 struct {
	f0 int8
	f1 int8
	f2 int8
	f3 int8
	f4 int8
	last uint8
}

type res0 struct {
	f0 int8
	f1 int8
	f2 int8
	f3 int8
	f4 int8
}

//vec:func F0
func f0(v1 [5]int8, v2 [5]int8, r3 *rec0_3) (w4 res0) {
	for l5 := range 5 {
		v1[l5] = (v2[l5] * w4.f0)
	}
	r3.f3, r3.f1, r3.f2, r3.f0 = int8(min(r3.f3, v1[1])), int8(min(r3.f1, v1[3])), int8(min(r3.f2, v1[2])), int8(min(r3.f0, v1[4]))
	t6_0 := int8(((w4.f1 ^ v1[0]) << 1))
	_ = t6_0
	t6_1 := int8(((w4.f4 ^ v1[0]) << 2))
	_ = t6_1
	t6_2 := int8(((w4.f0 ^ v1[1]) << 3))
	_ = t6_2
	t6_3 := int8(((w4.f3 ^ v1[1]) << 4))
	_ = t6_3
	t6_4 := int8(((w4.f2 ^ v1[2]) << 5))
	_ = t6_4
	v2[0] |= v1[4]
	v2[1] |= v1[3]
	v2[2] |= v1[2]
	v2[3] |= v1[1]
	v2[4] |= v1[0]
	return
}

type vec1_1 struct {
	x, y, z uint32
}

//vec:func F1
func f1(z1 []vec1_1, a2 uint32, n5 int) {
	t3_0 := uint32((-(z1[5].x &^ z1[6].y)))
	_ = t3_0
	t3_1 := uint32((-(z1[5].y &^ z1[6].z)))
	_ = t3_1
	t3_2 := uint32((-(z1[5].z &^ z1[7].x)))
	_ = t3_2
	t3_3 := uint32((-(z1[6].x &^ z1[7].y)))
	_ = t3_3
	for i4 := range min(n5, 100) {
		_ = i4
		z1[i4+6].x = (^min(z1[i4+0].z, z1[i4+6].x))
		z1[i4+6].z = (^min(z1[i4+0].y, z1[i4+6].z))
		z1[i4+7].x = (^min(z1[i4+1].x, z1[i4+7].x))
		z1[i4+2].z = (z1[i4+1].x - z1[i4+1].x)
		z1[i4+3].x = (z1[i4+1].x - z1[i4+1].x)
		z1[i4+3].y = (z1[i4+1].y - z1[i4+1].y)
		z1[i4+3].z = (z1[i4+1].y - z1[i4+1].y)
	}
}

func h2_4(a, b, c *int) {
	*a -= *b
	*c ^= *a
}

//vec:func F2
func f2(q1_0, q1_1, q1_2, q1_3 *int, p2 *[10]int) (w3 [5]int) {
	*q1_0 = *q1_0
	*q1_1 = *q1_1
	*q1_2 = *q1_2
	*q1_3 = *q1_3
	*q1_0 = *q1_0
	h2_4(&p2[1], &p2[3], &p2[5])
	h2_4(&p2[2], &p2[4], &p2[6])
	p2[0] *= *q1_0
	p2[1] *= *q1_3
	p2[2] *= *q1_2
	p2[3] *= *q1_1
	p2[4] *= *q1_0
	for l5 := range 5 {
		p2[l5] |= (-p2[l5])
	}
	w3[0] *= (p2[8] + w3[0])
	w3[1] *= (p2[7] + w3[1])
	w3[2] *= (p2[5] + w3[2])
	p2[3] += max(p2[3], *q1_0)
	w3[3] *= (p2[6] + w3[3])
	w3[4] *= (p2[9] + w3[4])
	return
}

func h3_6(a, b uint8) (uint8, uint8) {
	c := a | b
	return c, b + c
}

//vec:func F3
func f3(x1 []uint8, a2 uint8) (w3 [16]uint8) {
	w3[5] ^= uint8(w3[4])
	for i4 := 0; i4 < len(x1); i4 += 16 {
		_ = i4
		w3[15] = (x1[15] | x1[256])
		w3[14] = (x1[14] | x1[240])
		w3[13] = (x1[13] | x1[224])
		w3[12] = (x1[12] | x1[208])
		w3[11] = (x1[11] | x1[192])
		w3[10] = (x1[10] | x1[176])
		w3[9] = (x1[9] | x1[160])
		w3[8] = (x1[8] | x1[144])
		w3[7] = (x1[7] | x1[128])
		w3[6] = (x1[6] | x1[112])
		w3[5] = (x1[5] | x1[96])
		w3[10] += (w3[5] &^ w3[5])
		w3[4] = (x1[4] | x1[80])
		w3[3] = (x1[3] | x1[64])
		w3[2] = (x1[2] | x1[48])
		w3[1] = (x1[1] | x1[32])
		w3[0] = (x1[0] | x1[16])
		c5_0 := uint8((w3[0] + uint8(18)))
		if w3[0] > w3[0] {
			c5_0 = max(w3[0], w3[0])
		}
		w3[0] = c5_0
		c5_1 := uint8((w3[1] + uint8(19)))
		if w3[1] > w3[0] {
			c5_1 = max(w3[0], w3[0])
		}
		w3[1] = c5_1
		c5_2 := uint8((w3[2] & uint8(20)))
		if w3[2] > w3[0] {
			c5_2 = max(w3[0], w3[0])
		}
		w3[2] = c5_2
		c5_3 := uint8((w3[3] + uint8(21)))
		if w3[3] > w3[0] {
			c5_3 = max(w3[0], w3[0])
		}
		w3[3] = c5_3
		c5_4 := uint8((w3[4] & uint8(22)))
		if w3[4] > w3[0] {
			c5_4 = max(w3[0], w3[0])
		}
		w3[4] = c5_4
		c5_5 := uint8((w3[5] & uint8(23)))
		if w3[5] > w3[0] {
			c5_5 = max(w3[0], w3[0])
		}
		w3[5] = c5_5
		c5_6 := uint8((w3[6] + uint8(24)))
		if w3[6] > w3[0] {
			c5_6 = max(w3[0], w3[0])
		}
		w3[6] = c5_6
		c5_7 := uint8((w3[7] + uint8(25)))
		if w3[7] > w3[0] {
			c5_7 = max(w3[0], w3[0])
		}
		w3[7] = c5_7
		c5_8 := uint8((w3[8] + uint8(26)))
		if w3[8] > w3[0] {
			c5_8 = max(w3[0], w3[0])
		}
		w3[8] = c5_8
		c5_9 := uint8((w3[9] & uint8(27)))
		if w3[9] > w3[0] {
			c5_9 = max(w3[0], w3[0])
		}
		w3[9] = c5_9
		c5_10 := uint8((w3[10] & uint8(28)))
		if w3[10] > w3[0] {
			c5_10 = max(w3[0], w3[0])
		}
		w3[10] = c5_10
		c5_11 := uint8((w3[11] & uint8(29)))
		if w3[11] > w3[0] {
			c5_11 = max(w3[0], w3[0])
		}
		w3[11] = c5_11
		c5_12 := uint8((w3[12] + uint8(30)))
		if w3[12] > w3[0] {
			c5_12 = max(w3[0], w3[0])
		}
		w3[12] = c5_12
		c5_13 := uint8((w3[13] + uint8(31)))
		if w3[13] > w3[0] {
			c5_13 = max(w3[0], w3[0])
		}
		w3[13] = c5_13
		c5_14 := uint8((w3[14] + uint8(32)))
		if w3[14] > w3[0] {
			c5_14 = max(w3[0], w3[0])
		}
		w3[14] = c5_14
		c5_15 := uint8((w3[15] & uint8(33)))
		if w3[15] > w3[0] {
			c5_15 = max(w3[0], w3[0])
		}
		w3[15] = c5_15
		w3[0], w3[4] = h3_6(w3[0], w3[4])
		w3[1], w3[5] = h3_6(w3[1], w3[5])
		w3[2], w3[6] = h3_6(w3[2], w3[6])
		w3[3], w3[7] = h3_6(w3[3], w3[7])
	}
	return
}

type res4 struct {
	f0 uint16
	f1 uint16
	f2 uint16
}

//vec:func F4
func f4(v1 [3]uint16, p2 *[3]uint16) (w3 res4) {
	t4_0 := uint16(((w3.f1 >> 16) + w3.f0))
	_ = t4_0
	t4_1 := uint16(((w3.f2 >> 16) + w3.f0))
	_ = t4_1
	t4_2 := uint16((w3.f0 + (w3.f0 >> 16)))
	_ = t4_2
	if w3.f0 == w3.f0 {
		w3.f2 += max(bits.RotateLeft16(t4_2, 11), min(t4_2, w3.f0))
		w3.f1 += max(bits.RotateLeft16(t4_1, 11), min(t4_1, w3.f0))
		w3.f0 |= max(bits.RotateLeft16(t4_0, 11), min(t4_0, w3.f0))
		p2[2] = uint16(uint(v1[1]))
	} else {
		*p2 = [3]uint16{((-t4_0) + max(t4_0, w3.f0)), ((-t4_1) + max(t4_1, w3.f1)), ((-t4_2) + max(t4_2, w3.f2))}
	}
	t5_0 := uint16(((t4_0 - w3.f2) & uint16(v1[0])))
	_ = t5_0
	t5_1 := uint16(((t4_1 - w3.f0) & uint16(v1[2])))
	_ = t5_1
	t5_2 := uint16(((t4_2 - w3.f1) & uint16(v1[1])))
	_ = t5_2
	w3.f2 = (uint16(uint32(w3.f2)) ^ (p2[0] >> 12))
	w3.f1 = (uint16(uint32(w3.f1)) | (p2[1] >> 11))
	w3.f0 = (uint16(uint32(w3.f0)) ^ (p2[2] >> 10))
	return
}

type res5 struct {
	f0 uint32
	f1 uint32
}

func h5_5(a, b, c *uint32) {
	*a &= *b
	*b = bits.RotateLeft32(*b, 1)
	*c -= *a
}

//vec:func F5
func f5(p1 *[4]uint32, a2 uint32) (w3 res5) {
	if p1[0] < p1[0] {
		return
	}
	p1[0] |= (-p1[1])
	p1[1] |= (-p1[2])
	p1[2] *= uint32(p1[0])
	p1[1] = uint32((-uint64(p1[0])))
	p1[2] = uint32((-uint64(p1[1])))
	t4_0 := uint32(((p1[0] % 100) + (p1[0] & p1[0])))
	_ = t4_0
	t4_1 := uint32(((p1[1] & p1[1]) + (p1[2] % 100)))
	_ = t4_1
	h5_5(&w3.f0, &w3.f1, &w3.f0)
	return
}

//vec:func F6
func f6(q1_0, q1_1, q1_2, q1_3 *int16, p2 *[5]int16) {
	var u3 [8]int16
	_ = u3
	if u3[3] == *q1_0 {
		*q1_0, *q1_2, *q1_1, *q1_3 = int16((-u3[4])), int16((-u3[2])), int16((-u3[3])), int16((-u3[1]))
	} else {
		*q1_0 |= *q1_0
		*q1_3 |= *q1_3
		*q1_2 |= *q1_2
		*q1_1 |= *q1_1
	}
	t4_0 := int16((int16(p2[1]) ^ (*q1_0 & p2[1])))
	_ = t4_0
	t4_1 := int16((int16(p2[2]) | (*q1_1 & p2[2])))
	_ = t4_1
	t4_2 := int16((int16(p2[3]) ^ (*q1_2 & p2[3])))
	_ = t4_2
	t4_3 := int16((int16(p2[4]) | (*q1_3 & p2[4])))
	_ = t4_3
}

//vec:func F7
func f7(v1 [8]int32, q2_0, q2_1, q2_2, q2_3 *int32, i4 int, x3 []int32, j5 int, a8 int32, a9 int32) {
	y6 := x3[min(11, len(x3)):]
	_ = y6
	y7 := x3[max(0, min(j5, len(x3))):]
	_ = y7
	t10_0 := int32((v1[0] / 5))
	_ = t10_0
	t10_1 := int32((v1[1] / 5))
	_ = t10_1
	t10_2 := int32((v1[2] / 5))
	_ = t10_2
	t10_3 := int32((v1[3] / 5))
	_ = t10_3
	t10_4 := int32((v1[4] / 5))
	_ = t10_4
	t10_5 := int32((v1[5] / 5))
	_ = t10_5
	t10_6 := int32((v1[6] / 5))
	_ = t10_6
	t10_7 := int32((v1[7] / 5))
	_ = t10_7
}

//vec:func F8
func f8(k2 []int32, x1 []float64, j3 int, x6 []float64, a7 float64, a8 float64) (s9 float64, s10 float64) {
	y4 := x1[max(0, min(j3, len(x1))):]
	_ = y4
	y5 := x1[max(0, min(j3, len(x1))):]
	_ = y5
	if x6[4] != x6[1] {
		return
	}
	x6[5] -= float64((-float64(math.Sqrt(float64(y4[7])))))
	x6[4] -= float64((-float64(math.Sqrt(float64(y4[6])))))
	x6[2] -= float64((-float64(math.Sqrt(float64(y4[4])))))
	y4[1] = x6[5]
	y4[3] = x6[9]
	y4[2] = x6[7]
	y4[0] = x6[3]
	t11_0 := float64((-(x6[1] + x6[0])))
	_ = t11_0
	t11_1 := float64((-(x6[1] + x6[1])))
	_ = t11_1
	t11_2 := float64((-(x6[2] + x6[1])))
	_ = t11_2
	t11_3 := float64((-(x6[1] + x6[3])))
	_ = t11_3
	s9 += ((((y4[1] * (float64(math.Sqrt(float64(t11_0))) / float64(math.Sqrt(float64(t11_0))))) * (float64(math.Sqrt(float64(t11_1))) / float64(math.Sqrt(float64(t11_1))))) * (float64(math.Sqrt(float64(t11_2))) / float64(math.Sqrt(float64(t11_2))))) * (float64(math.Sqrt(float64(t11_3))) / float64(math.Sqrt(float64(t11_3)))))
	return
}

//vec:func F9
func f9(v1 [10]float64, i3 int, x2 []float64, i5 int, x4 []float64, a6 float64) (w7 [5]float64) {
	w7[0] -= (w7[1] - float64(6.5))
	v1[5] = (((v1[2] + w7[0]) + (v1[0] + x2[int(i3)+5])) * (x4[int(i5)+9] + (v1[6] - v1[6])))
	v1[6] = (((v1[3] + w7[1]) + (v1[1] + x2[int(i3)+6])) * (x4[int(i5)+6] + (v1[5] + v1[5])))
	v1[7] = (((v1[4] + w7[2]) + (v1[2] + x2[int(i3)+7])) * (x4[int(i5)+5] + (v1[4] - v1[4])))
	v1[8] = (((v1[5] + w7[3]) + (v1[3] + x2[int(i3)+8])) * (x4[int(i5)+7] + (v1[3] + v1[3])))
	v1[9] = (((w7[4] + v1[6]) + (x2[int(i3)+9] + v1[4])) * (x4[int(i5)+8] + (v1[2] - v1[2])))
	x2[int(i3)+9] += x2[int(i3)+1]
	x2[int(i3)+8] += x2[int(i3)+2]
	x2[int(i3)+7] += x2[int(i3)+3]
	x2[int(i3)+6] += x2[int(i3)+4]
	x2[int(i3)+5] += x2[int(i3)+5]
	x2[int(i3)+0] += min(x4[int(i5)+0], (float64(math.Sqrt(float64(w7[0]))) - (-w7[0])))
	x2[int(i3)+1] += min(x4[int(i5)+2], (float64(math.Sqrt(float64(w7[0]))) - (-w7[0])))
	x2[int(i3)+2] += min(x4[int(i5)+4], (float64(math.Sqrt(float64(w7[0]))) - (-w7[0])))
	x2[int(i3)+3] += min(x4[int(i5)+6], (float64(math.Sqrt(float64(w7[0]))) - (-w7[0])))
	x2[int(i3)+4] += min(x4[int(i5)+8], (float64(math.Sqrt(float64(w7[0]))) - (-w7[0])))
	return
}

//vec:func F10
func f10(i2 int, x1 []uint16, j3 int, a6 uint16, a7 uint16) (s8 uint16, s9 uint16, s10 uint16, s11 uint16) {
	y4 := x1[max(0, min(j3, len(x1))):]
	_ = y4
	y5 := x1[min(7, len(x1)):]
	_ = y5
	s11 += ((((x1[int(i2)+4] + (uint16(y4[1]) & uint16(y5[4]))) + (uint16(y4[3]) + uint16(y5[4]))) + (uint16(y4[0]) & uint16(y5[5]))) + (uint16(y4[2]) + uint16(y5[5])))
	t12_0 := uint16(y5[0])
	_ = t12_0
	t12_1 := uint16(y5[1])
	_ = t12_1
	t12_2 := uint16(y5[2])
	_ = t12_2
	t12_3 := uint16(y5[3])
	_ = t12_3
	if y5[0] >= t12_1 {
		y4[0] *= y4[4]
		y4[1] *= y4[5]
		y4[2] *= y4[6]
		y4[3] *= y4[7]
	}
	y4[4] -= (y4[1] ^ y4[1])
	y4[5] -= (y4[2] ^ y4[2])
	y4[6] -= (y4[3] ^ y4[3])
	y4[7] -= (y4[4] ^ y4[4])
	return
}

//vec:func F11
func f11(x1 []uint8, p2 *[16]uint8, a3 uint8) {
	if len(x1) < 20 {
		return
	}
	p2[7] = min((p2[14] &^ p2[15]), (p2[14] &^ p2[15]))
	p2[6] = min((p2[13] &^ p2[14]), (p2[13] &^ p2[14]))
	p2[5] = min((p2[12] &^ p2[13]), (p2[12] &^ p2[13]))
	p2[4] = min((p2[11] &^ p2[12]), (p2[11] &^ p2[12]))
	p2[3] = min((p2[10] &^ p2[11]), (p2[10] &^ p2[11]))
	p2[2] = min((p2[9] &^ p2[10]), (p2[9] &^ p2[10]))
	p2[1] = min((p2[8] &^ p2[9]), (p2[8] &^ p2[9]))
	p2[0] *= min((p2[7] &^ p2[8]), (p2[7] &^ p2[8]))
}

//vec:func F12
func f12(m1 *[4][4]uint16, x2 []uint16, j3 int, x6 []uint16) {
	y4 := x2[min(5, len(x2)):]
	_ = y4
	y5 := x2[min(2, len(x2)):]
	_ = y5
	if len(x6) < 12 {
		return
	}
	t7_0 := uint16(max((x6[1] + x2[1]), (x6[1] + x2[1])))
	_ = t7_0
	t7_1 := uint16(max((x2[2] + x6[2]), (x2[2] + x6[2])))
	_ = t7_1
	t7_2 := uint16(max((x6[3] + x2[0]), (x6[3] + x2[0])))
	_ = t7_2
	t7_3 := uint16(max((x6[4] + x2[3]), (x6[4] + x2[3])))
	_ = t7_3
}

//vec:func F13
func f13(k2 []int8, x1 []uint8, j3 int, a6 uint8, a7 uint8) {
	y4 := x1[min(25, len(x1)):]
	_ = y4
	y5 := x1[max(0, min(j3, len(x1))):]
	_ = y5
	y4[0] -= max((y4[2] | y4[2]), (x1[int(k2[1])+1] ^ y5[0]))
	y4[1] -= max((y4[3] | y4[3]), (y5[1] + x1[int(k2[1])+17]))
	y4[2] *= max((y4[4] | y4[4]), (x1[int(k2[1])+33] ^ y5[2]))
	x1[int(k2[1])+24] ^= (y4[9] << 0)
	y4[3] -= max((y4[5] | y4[5]), (y5[3] ^ x1[int(k2[1])+49]))
	y4[4] -= max((y4[6] | y4[6]), (y5[4] + x1[int(k2[1])+65]))
	y4[5] -= max((y4[7] | y4[7]), (y5[5] ^ x1[int(k2[1])+81]))
	y4[6] -= max((y4[8] | y4[8]), (x1[int(k2[1])+97] ^ y5[6]))
	y4[7] -= max((y4[9] | y4[9]), (x1[int(k2[1])+113] + y5[7]))
	y4[8] -= max((y4[10] | y4[10]), (y5[8] ^ x1[int(k2[1])+129]))
	y4[9] -= max((y4[11] | y4[11]), (x1[int(k2[1])+145] + y5[9]))
	y4[10] -= max((y4[12] | y4[12]), (x1[int(k2[1])+161] + y5[10]))
	y4[11] -= max((y4[13] | y4[13]), (x1[int(k2[1])+177] ^ y5[11]))
	y4[12] -= max((y4[14] | y4[14]), (x1[int(k2[1])+193] ^ y5[12]))
	y4[13] -= max((y4[15] | y4[15]), (y5[13] ^ x1[int(k2[1])+209]))
	y4[14] -= max((y4[16] | y4[16]), (x1[int(k2[1])+225] + y5[14]))
	y4[15] -= max((y4[17] | y4[17]), (x1[int(k2[1])+241] ^ y5[15]))
	y4[4] *= bits.RotateLeft8(y5[3], 3)
	y4[5] *= bits.RotateLeft8(y5[3], 3)
	y4[6] *= bits.RotateLeft8(y5[3], 3)
	y4[7] *= bits.RotateLeft8(y5[3], 3)
	y4[8] *= bits.RotateLeft8(y5[3], 3)
	y4[9] *= bits.RotateLeft8(y5[3], 3)
	y4[10] *= bits.RotateLeft8(y5[3], 3)
	y4[11] *= bits.RotateLeft8(y5[3], 3)
	y4[12] *= bits.RotateLeft8(y5[3], 3)
	y4[13] *= bits.RotateLeft8(y5[3], 3)
	y4[14] *= bits.RotateLeft8(y5[3], 3)
	y4[15] *= bits.RotateLeft8(y5[3], 3)
	y4[16] *= bits.RotateLeft8(y5[3], 3)
	y4[17] *= bits.RotateLeft8(y5[3], 3)
	x1[int(k2[1])+20] = (y4[6] & uint8(40))
	y4[18] *= bits.RotateLeft8(y5[3], 3)
	y4[19] *= bits.RotateLeft8(y5[3], 3)
	y5[0] = (uint8(bits.RotateLeft8(y4[12], 4)) &^ ((y5[0] | x1[int(k2[1])+5]) / 2))
	y5[1] = (uint8(bits.RotateLeft8(y4[8], 4)) &^ ((y5[0] | x1[int(k2[1])+7]) / 2))
	y5[2] = (uint8(bits.RotateLeft8(y4[14], 4)) &^ ((y5[1] | x1[int(k2[1])+9]) / 2))
	y5[3] = (uint8(bits.RotateLeft8(y4[7], 4)) &^ ((y5[1] | x1[int(k2[1])+11]) / 2))
	y5[4] = (uint8(bits.RotateLeft8(y4[9], 4)) &^ ((y5[2] | x1[int(k2[1])+13]) / 2))
	y5[5] = (uint8(bits.RotateLeft8(y4[4], 4)) &^ ((y5[2] | x1[int(k2[1])+15]) / 2))
	y5[6] = (uint8(bits.RotateLeft8(y4[15], 4)) &^ ((y5[3] | x1[int(k2[1])+17]) / 2))
	y5[7] = (uint8(bits.RotateLeft8(y4[16], 4)) &^ ((y5[3] | x1[int(k2[1])+19]) / 2))
	y5[8] = (uint8(bits.RotateLeft8(y4[10], 4)) &^ ((y5[4] | x1[int(k2[1])+21]) / 2))
	y5[9] = (uint8(bits.RotateLeft8(y4[1], 4)) &^ ((y5[4] | x1[int(k2[1])+23]) / 2))
	y5[10] = (uint8(bits.RotateLeft8(y4[11], 4)) &^ ((y5[5] | x1[int(k2[1])+25]) / 2))
	y5[11] = (uint8(bits.RotateLeft8(y4[5], 4)) &^ ((y5[5] | x1[int(k2[1])+27]) / 2))
	y5[12] = (uint8(bits.RotateLeft8(y4[2], 4)) &^ ((y5[6] | x1[int(k2[1])+29]) / 2))
	y5[13] = (uint8(bits.RotateLeft8(y4[3], 4)) &^ ((y5[6] | x1[int(k2[1])+31]) / 2))
	y5[14] = (uint8(bits.RotateLeft8(y4[13], 4)) &^ ((y5[7] | x1[int(k2[1])+33]) / 2))
	y5[15] = (uint8(bits.RotateLeft8(y4[6], 4)) &^ ((y5[7] | x1[int(k2[1])+35]) / 2))
}

type vec14_4 struct {
	x, y, z int8
}

//vec:func F14
func f14(i2 int, x1 []int8, p3 *[8]int8, z4 []vec14_4, a5 int8) {
	t6_0 := int8((max(p3[0], a5) << 1))
	_ = t6_0
	t6_1 := int8((max(p3[0], a5) << 1))
	_ = t6_1
	t6_2 := int8((max(p3[0], a5) << 1))
	_ = t6_2
	t6_3 := int8((max(p3[0], a5) << 1))
	_ = t6_3
	t6_4 := int8((max(p3[0], a5) << 1))
	_ = t6_4
	t6_5 := int8((max(p3[0], a5) << 1))
	_ = t6_5
	t6_6 := int8((max(p3[0], a5) << 1))
	_ = t6_6
	t6_7 := int8((max(p3[0], a5) << 1))
	_ = t6_7
}
