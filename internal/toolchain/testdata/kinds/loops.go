// Package kinds has a loop of every kind that kernels come in, to be run where the
// surroundings of kernels are what is tested: calls that take long, many goroutines,
// other ways of building.
package kinds

import "math/bits"

//vec:func Axpy
func axpy(a float32, x, y []float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

//vec:func Sum
func sum(x []int32) (s int32) {
	for _, v := range x {
		s += v
	}
	return s
}

//vec:func Divide
func divide(dst, x, y []float64) {
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

//vec:func Strided
func strided(dst, x []int32) {
	for i := range dst {
		dst[i] = x[i*16] + 1
	}
}

//vec:func Reverse
func reverse(dst, x []uint16) {
	for i := range dst {
		dst[i] = x[len(x)-1-i]
	}
}

//vec:func PrefixSum
func prefixSum(dst, x []int32) {
	var s int32
	for i, v := range x {
		s += v
		dst[i] = s
	}
}

//vec:func Conditional
func conditional(dst, x []int32, limit int32) {
	for i, v := range x {
		if v > limit {
			dst[i] = v * v
		}
	}
}

//vec:func Deinterleave
func deinterleave(r, g, b []byte, rgb [][3]byte) {
	for i, p := range rgb {
		r[i], g[i], b[i] = p[0], p[1], p[2]
	}
}

// rows: the inner loop has the vectors.
//
//vec:func MatVec
func matVec(dst, a, x []int32) {
	for i := range dst {
		var s int32
		for j, v := range x {
			s += a[i*len(x)+j] * v
		}
		dst[i] = s
	}
}

// columns: lanes are neighbours in dst, and the inner loop is long.
//
//vec:func VecMat
func vecMat(dst, x, a []int32) {
	for j := range dst {
		var s int32
		for i, v := range x {
			s += v * a[i*len(dst)+j]
		}
		dst[j] = s
	}
}

//vec:func Smooth
func smooth(dst, src []int32, w, h int) {
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			dst[i] = src[i-w] + src[i-1] + src[i]*4 + src[i+1] + src[i+w]
		}
	}
}

// steps: lanes leave the inner loop at different times.
//
//vec:func Steps
func steps(dst, x []uint32) {
	for i, v := range x {
		n := uint32(0)
		for v > 1 {
			if v%2 == 0 {
				v /= 2
			} else {
				v = 3*v + 1
			}
			n++
		}
		dst[i] = n
	}
}

// spin: few iterations of the outer loop, each of which takes very long.
//
//vec:func Spin
func spin(dst, x []uint32, rounds int) {
	for i, v := range x {
		for range rounds {
			v ^= v << 13
			v ^= v >> 17
			v ^= v << 5
		}
		dst[i] = v
	}
}

// twice: no call can stop in the middle of two loops. What takes longer than a call may
// is left to the loop as written.
//
//vec:func Twice
func twice(dst, x []uint32, rounds int) {
	for i, v := range x {
		for range rounds {
			v ^= v << 13
			v ^= v >> 17
			v ^= v << 5
		}
		w := v
		for range rounds {
			w ^= w << 13
			w ^= w >> 17
			w ^= w << 5
		}
		dst[i] = v ^ w
	}
}

//vec:func Deep
func deep(dst, x []uint32, outer, inner int) {
	for i, v := range x {
		for r := range outer {
			for range inner {
				v ^= v << 13
				v ^= v >> 17
				v ^= v << 5
			}
			v += uint32(r)
		}
		dst[i] = v
	}
}

//vec:func IndexOf
func indexOf(x []byte, c byte) int {
	for i, v := range x {
		if v == c {
			return i
		}
	}
	return -1
}

//vec:func Mismatch
func mismatch(x, y []byte) int {
	for i, v := range x {
		if v != y[i] {
			return i
		}
	}
	return len(x)
}

//vec:func Filter
func filter(dst, src []int32, limit int32) int {
	k := 0
	for _, v := range src {
		if v > limit {
			dst[k] = v
			k++
		}
	}
	return k
}

//vec:func Appended
func appended(room, src []byte, limit byte) []byte {
	dst := room[:0]
	for _, v := range src {
		if v > limit {
			dst = append(dst, v)
		}
	}
	return dst
}

//vec:func Take
func take(dst []int32, index []uint32, src []int32) {
	for i, j := range index {
		dst[i] = src[j]
	}
}

//vec:func Put
func put(dst []int32, index []uint32, src []int32) {
	for i, j := range index {
		dst[j] = src[i]
	}
}

var table [256]byte

func init() {
	for i := range table {
		table[i] = byte(i*7 + i>>3)
	}
}

//vec:func Translate
func translate(dst, src []byte) {
	for i, v := range src {
		dst[i] = table[v]
	}
}

//vec:func BitCount
func bitCount(dst []uint8, src []uint64) {
	for i, v := range src {
		dst[i] = uint8(bits.OnesCount64(v))
	}
}

//vec:func Mix
func mix(dst, src []uint64) {
	for i, h := range src {
		h ^= h >> 33
		h *= 0xff51afd7ed558ccd
		h ^= h >> 33
		h *= 0xc4ceb9fe1a85ec53
		dst[i] = h ^ h>>33
	}
}

// quaternions: straight-line code in a loop.
//
//vec:func Rotate
func rotate(dst, src [][4]float32, q [4]float32) {
	for i, p := range src {
		dst[i][0] = q[0]*p[0] - q[1]*p[1] - q[2]*p[2] - q[3]*p[3]
		dst[i][1] = q[0]*p[1] + q[1]*p[0] + q[2]*p[3] - q[3]*p[2]
		dst[i][2] = q[0]*p[2] - q[1]*p[3] + q[2]*p[0] + q[3]*p[1]
		dst[i][3] = q[0]*p[3] + q[1]*p[2] - q[2]*p[1] + q[3]*p[0]
	}
}

// rounds: four states go from block to block, side by side, in a kernel with scalar
// loops.
//
//vec:func Rounds
func rounds(state *[4]uint32, blocks [][16]uint32) {
	a, b, c, d := state[0], state[1], state[2], state[3]
	for i := range blocks {
		w := &blocks[i]
		for j := 0; j < 16; j += 4 {
			a = bits.RotateLeft32(a+w[j]*0x85ebca77, 13) * 0x9e3779b1
			b = bits.RotateLeft32(b+w[j+1]*0x85ebca77, 13) * 0x9e3779b1
			c = bits.RotateLeft32(c+w[j+2]*0x85ebca77, 13) * 0x9e3779b1
			d = bits.RotateLeft32(d+w[j+3]*0x85ebca77, 13) * 0x9e3779b1
		}
	}
	state[0], state[1], state[2], state[3] = a, b, c, d
}

// chained: iterations of the outer loop need the one before, the inner loops are long.
//
//vec:func Chained
func chained(state *[4]uint32, words []uint32, rounds int) {
	for range rounds {
		a, b, c, d := state[0], state[1], state[2], state[3]
		for i := 0; i+3 < len(words); i += 4 {
			a = bits.RotateLeft32(a+words[i]*0x85ebca77, 13) * 0x9e3779b1
			b = bits.RotateLeft32(b+words[i+1]*0x85ebca77, 13) * 0x9e3779b1
			c = bits.RotateLeft32(c+words[i+2]*0x85ebca77, 13) * 0x9e3779b1
			d = bits.RotateLeft32(d+words[i+3]*0x85ebca77, 13) * 0x9e3779b1
		}
		state[0], state[1], state[2], state[3] = b, c, d, a
	}
}

// keyStream has a frame above what may go without a look at the stack.
//
//vec:func KeyStream
func keyStream(dst [][16]uint32, key *[8]uint32, counter uint32) {
	for i := range dst {
		in := [16]uint32{
			0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
			key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7],
			counter + uint32(i), 1, 2, 3,
		}
		x := in
		for range 10 {
			x[0], x[4], x[8], x[12] = quarter(x[0], x[4], x[8], x[12])
			x[1], x[5], x[9], x[13] = quarter(x[1], x[5], x[9], x[13])
			x[2], x[6], x[10], x[14] = quarter(x[2], x[6], x[10], x[14])
			x[3], x[7], x[11], x[15] = quarter(x[3], x[7], x[11], x[15])
			x[0], x[5], x[10], x[15] = quarter(x[0], x[5], x[10], x[15])
			x[1], x[6], x[11], x[12] = quarter(x[1], x[6], x[11], x[12])
			x[2], x[7], x[8], x[13] = quarter(x[2], x[7], x[8], x[13])
			x[3], x[4], x[9], x[14] = quarter(x[3], x[4], x[9], x[14])
		}
		for j, v := range x {
			dst[i][j] = v + in[j]
		}
	}
}

func quarter(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}

// product is straight-line code that is done as a whole.
//
//vec:func Product
func product(dst, a, b *[4][4]float32) {
	for i := range 4 {
		for j := range 4 {
			dst[i][j] = a[i][0]*b[0][j] + a[i][1]*b[1][j] + a[i][2]*b[2][j] + a[i][3]*b[3][j]
		}
	}
}

// Two functions with the same work in them, which becomes a local routine where code is
// shared as far as possible.
//
//vec:func HashSum
func hashSum(x []uint32) (s uint32) {
	for _, h := range x {
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		s += h ^ h>>16
	}
	return s
}

//vec:func HashAll
func hashAll(dst, x []uint32, seed uint32) {
	for i, h := range x {
		h ^= seed
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		dst[i] = h ^ h>>16
	}
}
