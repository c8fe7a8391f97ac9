package loops

import "math/bits"

//vec:func SumBytes
func sumBytes(x []uint8) (s int) {
	for _, v := range x {
		s += int(v)
	}
	return s
}

//vec:func Dot
func dot(x, y []int16) (s int32) {
	for i, v := range x {
		s += int32(v) * int32(y[i])
	}
	return s
}

//vec:func SumDoubles
func sumDoubles(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

//vec:func SumDoublesAnyOrder reassoc
func sumDoublesAnyOrder(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

//vec:func Products
func products(dst []float64, x, y []float64) (s float64) {
	for i := range dst {
		dst[i] = x[i] * y[i]
		s += x[i] * y[i]
	}
	return s
}

//vec:func Least
func least(x []float32) float32 {
	m := float32(1e30)
	for _, v := range x {
		if v < m {
			m = v
		}
	}
	return m
}

//vec:func Greatest
func greatest(x []float64) float64 {
	m := -1e300
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

//vec:func WhereGreatest
func whereGreatest(x []int32) int {
	best, at := int32(-1<<31), -1
	for i, v := range x {
		if v > best {
			best, at = v, i
		}
	}
	return at
}

//vec:func Ones
func ones(x []uint64) (n int) {
	for _, v := range x {
		n += bits.OnesCount64(v)
	}
	return n
}

//vec:func CountText
func countText(s string, c byte) (n int) {
	for i := range len(s) {
		if s[i] == c {
			n++
		}
	}
	return n
}

//vec:func Find
func find(x []int32, k int32) int {
	for i, v := range x {
		if v == k {
			return i
		}
	}
	return -1
}

//vec:func FindText
func findText(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

//vec:func Mismatch
func mismatch(x, y []float64) int {
	for i := range x {
		if x[i] != y[i] {
			return i
		}
	}
	return -1
}

//vec:func PrefixSum
func prefixSum(x []int32) {
	s := int32(1)
	for i, v := range x {
		s += v
		x[i] = s
	}
}

//vec:func Hash
func hash(x []uint8) (h uint32) {
	for _, v := range x {
		h = h*31 + uint32(v)
	}
	return h
}
