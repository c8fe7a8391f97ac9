package kinds

import (
	"math/rand/v2"
	"unsafe"
)

// A Kind is a call of a twin or of its original on some memory.
type Kind struct {
	Name   string
	Memory Memory
	// Run works for a time that grows with the size of memory, and leaves memory on which others
	// of the kind may work. It returns what the function does.
	Run func(mem []uint64, twin bool) uint64
}

// Memory is what memory holds.
type Memory int

// Kinds of memory.
const (
	Floats Memory = iota
	Doubles
	Ints    // any bits
	Zeros   // nothing to find in it
	Indices // integers of 32 bits, below an eighth of how many there are
)

// Fill makes memory, whose size is a multiple of 4096 bytes.
func (kind Memory) Fill(m []uint64) {
	r := rand.NewPCG(uint64(len(m)), uint64(kind))
	switch kind {
	case Floats:
		for i, x := 0, part[float32](m, 0, 1); i < len(x); i++ {
			x[i] = float32(i%1000) / 8
		}
	case Doubles:
		for i, x := 0, part[float64](m, 0, 1); i < len(x); i++ {
			x[i] = 1 + float64(i%1000)/8
		}
	case Ints:
		for i := range m {
			m[i] = r.Uint64()
		}
	case Zeros:
		clear(m)
	case Indices:
		limit := uint64(len(m) / 4)
		for i := range m {
			x := r.Uint64()
			m[i] = x>>32%limit<<32 | x&(1<<32-1)%limit
		}
	}
}

// Kinds are in an order in which those with the same memory follow each other.
var Kinds = []Kind{
	{"axpy", Floats, func(m []uint64, twin bool) uint64 {
		x, y := part[float32](m, 0, 2), part[float32](m, 1, 2)
		choose(twin, Axpy, axpy)(0.5, x, y)
		return 0
	}},
	{"rotate", Floats, func(m []uint64, twin bool) uint64 {
		choose(twin, Rotate, rotate)(part[[4]float32](m, 0, 2), part[[4]float32](m, 1, 2), [4]float32{.5, .5, .5, .5})
		return 0
	}},
	{"product", Floats, func(m []uint64, twin bool) uint64 {
		a := part[[4][4]float32](m, 0, 1)
		f := choose(twin, Product, product)
		unit := [4][4]float32{{1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 1}}
		for i := range a {
			f(&a[i], &a[len(a)-1-i], &unit)
		}
		return 0
	}},
	{"divide", Doubles, func(m []uint64, twin bool) uint64 {
		x, y := part[float64](m, 0, 2), part[float64](m, 1, 2)
		choose(twin, Divide, divide)(x, y, x)
		return 0
	}},
	{"sum", Ints, func(m []uint64, twin bool) uint64 { return uint64(choose(twin, Sum, sum)(part[int32](m, 0, 1))) }},
	{"strided", Ints, func(m []uint64, twin bool) uint64 {
		dst, x := part[int32](m, 0, 32), part[int32](m, 1, 2)
		choose(twin, Strided, strided)(dst, x)
		return 0
	}},
	{"reverse", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, Reverse, reverse)(part[uint16](m, 0, 2), part[uint16](m, 1, 2))
		return 0
	}},
	{"prefix sum", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, PrefixSum, prefixSum)(part[int32](m, 0, 2), part[int32](m, 1, 2))
		return 0
	}},
	{"conditional", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, Conditional, conditional)(part[int32](m, 0, 2), part[int32](m, 1, 2), 12345)
		return 0
	}},
	{"deinterleave", Ints, func(m []uint64, twin bool) uint64 {
		rgb, rest := part[[3]byte](m, 0, 2), part[byte](m, 1, 2)
		n := len(rgb)
		choose(twin, Deinterleave, deinterleave)(rest[:n], rest[n:2*n], rest[2*n:], rgb)
		return 0
	}},
	{"rows, long", Ints, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 2), part[int32](m, 1, 2)
		dst := x[:2]
		choose(twin, MatVec, matVec)(dst, a, x[2:][:len(a)/2])
		return uint64(dst[1])
	}},
	{"rows, short", Ints, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, MatVec, matVec)(x[:len(a)/64], a, x[len(a)-64:])
		return 0
	}},
	{"columns, long", Ints, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 16), part[int32](m, 1, 2)
		var dst [8]int32
		choose(twin, VecMat, vecMat)(dst[:], x, a)
		return uint64(dst[0]) ^ uint64(dst[7])
	}},
	{"columns, short", Ints, func(m []uint64, twin bool) uint64 {
		dst, a := part[int32](m, 0, 8), part[int32](m, 1, 2)
		choose(twin, VecMat, vecMat)(dst, a[:4], a)
		return 0
	}},
	{"nest, wide", Ints, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, Smooth, smooth)(dst, src, len(src)/4, 4)
		return 0
	}},
	{"nest, high", Ints, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, Smooth, smooth)(dst, src, 32, len(src)/32)
		return 0
	}},
	{"divergent", Ints, func(m []uint64, twin bool) uint64 {
		dst, src := part[uint32](m, 0, 32), part[uint32](m, 1, 32)
		for i := range src {
			src[i] = src[i]%9999 + 1
		}
		choose(twin, Steps, steps)(dst, src)
		return 0
	}},
	{"few, long", Ints, func(m []uint64, twin bool) uint64 {
		x := part[uint32](m, 0, 2)
		choose(twin, Spin, spin)(x[:17], x[20:37], len(x)/3)
		return 0
	}},
	{"few, twice", Ints, func(m []uint64, twin bool) uint64 {
		x := part[uint32](m, 0, 2)
		choose(twin, Twice, twice)(x[:17], x[20:37], len(x)/60)
		return 0
	}},
	{"few, deep", Ints, func(m []uint64, twin bool) uint64 {
		x := part[uint32](m, 0, 2)
		choose(twin, Deep, deep)(x[:17], x[20:37], 2, len(x)/24)
		choose(twin, Deep, deep)(x[:17], x[20:37], len(x)/24, 2)
		return 0
	}},
	{"filter", Ints, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		return uint64(choose(twin, Filter, filter)(dst, src, -77))
	}},
	{"append", Ints, func(m []uint64, twin bool) uint64 {
		room, src := part[byte](m, 0, 2), part[byte](m, 1, 2)
		return uint64(len(choose(twin, Appended, appended)(room, src, 100)))
	}},
	{"table", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, Translate, translate)(part[byte](m, 0, 2), part[byte](m, 1, 2))
		return 0
	}},
	{"bit count", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, BitCount, bitCount)(part[uint8](m, 0, 16), part[uint64](m, 1, 2))
		return 0
	}},
	{"mix", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, Mix, mix)(part[uint64](m, 0, 2), part[uint64](m, 1, 2))
		return 0
	}},
	{"recurrence", Ints, func(m []uint64, twin bool) uint64 {
		var state [4]uint32
		choose(twin, Rounds, rounds)(&state, part[[16]uint32](m, 0, 1))
		return uint64(state[0])<<32 | uint64(state[3])
	}},
	{"recurrence, nest", Ints, func(m []uint64, twin bool) uint64 {
		var state [4]uint32
		choose(twin, Chained, chained)(&state, part[uint32](m, 0, 2), 2)
		return uint64(state[1])<<32 | uint64(state[2])
	}},
	{"recurrence, rows", Ints, func(m []uint64, twin bool) uint64 {
		var state [4]uint32
		x := part[uint32](m, 0, 2)
		choose(twin, Chained, chained)(&state, x[:64], len(x)/64)
		return uint64(state[1])<<32 | uint64(state[2])
	}},
	{"large frame", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, KeyStream, keyStream)(part[[16]uint32](m, 0, 4), &part[[8]uint32](m, 1, 2)[0], 7)
		return 0
	}},
	{"hash", Ints, func(m []uint64, twin bool) uint64 {
		choose(twin, HashAll, hashAll)(part[uint32](m, 0, 2), part[uint32](m, 1, 2), 99)
		return uint64(choose(twin, HashSum, hashSum)(part[uint32](m, 0, 2)))
	}},
	{"index", Zeros, func(m []uint64, twin bool) uint64 {
		return uint64(choose(twin, IndexOf, indexOf)(part[byte](m, 0, 1), 1))
	}},
	{"mismatch", Zeros, func(m []uint64, twin bool) uint64 {
		return uint64(choose(twin, Mismatch, mismatch)(part[byte](m, 0, 2), part[byte](m, 1, 2)))
	}},
	{"gather", Indices, func(m []uint64, twin bool) uint64 {
		dst, index, src := part[int32](m, 4, 8), part[uint32](m, 0, 8), part[int32](m, 5, 8)
		choose(twin, Take, take)(dst, index, src)
		return 0
	}},
	{"scatter", Indices, func(m []uint64, twin bool) uint64 {
		dst, index, src := part[int32](m, 4, 8), part[uint32](m, 0, 8), part[int32](m, 5, 8)
		choose(twin, Put, put)(dst, index, src)
		return 0
	}},
}

func choose[F any](twin bool, a, b F) F {
	if twin {
		return a
	}
	return b
}

// part is the i-th of n equal parts of memory.
func part[T any](m []uint64, i, n int) []T {
	size := len(m) / n
	bytes := m[i*size:][:size]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), size*8/int(unsafe.Sizeof(*new(T))))
}

// Same compares twins and originals on memory of a number of bytes, a multiple of 4096,
// and names the first that differs.
func Same(bytes int) (different string) {
	a, b := make([]uint64, bytes/8), make([]uint64, bytes/8)
	for _, k := range Kinds {
		if !k.Same(a, b) {
			return k.Name
		}
	}
	return ""
}

// Same compares twin and original on two memories of one size.
func (k Kind) Same(a, b []uint64) bool {
	k.Memory.Fill(a)
	copy(b, a)
	if k.Run(a, true) != k.Run(b, false) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}
