package kinds

import (
	"math/rand/v2"
	"unsafe"
)

// A Kind is a call of a twin or of its original on some memory.
type Kind struct {
	Name string
	Fill func(mem []uint64) // makes memory that Run may work on
	Run  func(mem []uint64, twin bool) uint64
}

// Kinds are in an order in which those that want the same memory follow each other. All
// work on memory of a size that is a multiple of 4096 bytes, and for a time that grows with
// it; Run leaves memory on which others with the same Fill may work. It returns the scalars
// that the function does.
var Kinds = []Kind{
	{"axpy", fillFloats, func(m []uint64, twin bool) uint64 {
		x, y := part[float32](m, 0, 2), part[float32](m, 1, 2)
		choose(twin, Axpy, axpy)(0.5, x, y)
		return 0
	}},
	{"rotate", fillFloats, func(m []uint64, twin bool) uint64 {
		choose(twin, Rotate, rotate)(part[[4]float32](m, 0, 2), part[[4]float32](m, 1, 2), [4]float32{.5, .5, .5, .5})
		return 0
	}},
	{"product", fillFloats, func(m []uint64, twin bool) uint64 {
		a := part[[4][4]float32](m, 0, 1)
		f := choose(twin, Product, product)
		unit := [4][4]float32{{1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 1}}
		for i := range a {
			f(&a[i], &a[len(a)-1-i], &unit)
		}
		return 0
	}},
	{"divide", fillDoubles, func(m []uint64, twin bool) uint64 {
		x, y := part[float64](m, 0, 2), part[float64](m, 1, 2)
		choose(twin, Divide, divide)(x, y, x)
		return 0
	}},
	{"sum", fillInts, func(m []uint64, twin bool) uint64 { return uint64(choose(twin, Sum, sum)(part[int32](m, 0, 1))) }},
	{"strided", fillInts, func(m []uint64, twin bool) uint64 {
		dst, x := part[int32](m, 0, 32), part[int32](m, 1, 2)
		choose(twin, Strided, strided)(dst, x)
		return 0
	}},
	{"reverse", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, Reverse, reverse)(part[uint16](m, 0, 2), part[uint16](m, 1, 2))
		return 0
	}},
	{"prefix sum", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, PrefixSum, prefixSum)(part[int32](m, 0, 2), part[int32](m, 1, 2))
		return 0
	}},
	{"conditional", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, Conditional, conditional)(part[int32](m, 0, 2), part[int32](m, 1, 2), 12345)
		return 0
	}},
	{"deinterleave", fillInts, func(m []uint64, twin bool) uint64 {
		r, g, b := part[byte](m, 3, 8), part[byte](m, 4, 8), part[byte](m, 5, 8)
		choose(twin, Deinterleave, deinterleave)(r, g, b, part[[3]byte](m, 0, 8))
		return 0
	}},
	{"rows, long", fillInts, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 2), part[int32](m, 1, 2)
		dst := x[:2]
		choose(twin, MatVec, matVec)(dst, a, x[2:][:len(a)/2])
		return uint64(dst[1])
	}},
	{"rows, short", fillInts, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, MatVec, matVec)(x[:len(a)/64], a, x[len(a)-64:])
		return 0
	}},
	{"columns, long", fillInts, func(m []uint64, twin bool) uint64 {
		x, a := part[int32](m, 0, 16), part[int32](m, 1, 2)
		var dst [8]int32
		choose(twin, VecMat, vecMat)(dst[:], x, a)
		return uint64(dst[0]) ^ uint64(dst[7])
	}},
	{"columns, short", fillInts, func(m []uint64, twin bool) uint64 {
		dst, a := part[int32](m, 0, 8), part[int32](m, 1, 2)
		choose(twin, VecMat, vecMat)(dst, a[:4], a)
		return 0
	}},
	{"nest, wide", fillInts, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, Smooth, smooth)(dst, src, len(src)/4, 4)
		return 0
	}},
	{"nest, high", fillInts, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		choose(twin, Smooth, smooth)(dst, src, 32, len(src)/32)
		return 0
	}},
	{"divergent", fillInts, func(m []uint64, twin bool) uint64 {
		dst, src := part[uint32](m, 0, 32), part[uint32](m, 1, 32)
		for i := range src {
			src[i] = src[i]%9999 + 1
		}
		choose(twin, Steps, steps)(dst, src)
		return 0
	}},
	{"few, long", fillInts, func(m []uint64, twin bool) uint64 {
		x := part[uint32](m, 0, 2)
		choose(twin, Spin, spin)(x[:17], x[20:37], len(x)/3)
		return 0
	}},
	{"filter", fillInts, func(m []uint64, twin bool) uint64 {
		dst, src := part[int32](m, 0, 2), part[int32](m, 1, 2)
		return uint64(choose(twin, Filter, filter)(dst, src, -77))
	}},
	{"append", fillInts, func(m []uint64, twin bool) uint64 {
		room, src := part[byte](m, 0, 2), part[byte](m, 1, 2)
		return uint64(len(choose(twin, Appended, appended)(room, src, 100)))
	}},
	{"table", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, Translate, translate)(part[byte](m, 0, 2), part[byte](m, 1, 2))
		return 0
	}},
	{"bit count", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, BitCount, bitCount)(part[uint8](m, 0, 16), part[uint64](m, 8, 16))
		return 0
	}},
	{"mix", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, Mix, mix)(part[uint64](m, 0, 2), part[uint64](m, 1, 2))
		return 0
	}},
	{"recurrence", fillInts, func(m []uint64, twin bool) uint64 {
		var state [4]uint32
		choose(twin, Rounds, rounds)(&state, part[[16]uint32](m, 0, 1))
		return uint64(state[0])<<32 | uint64(state[3])
	}},
	{"recurrence, nest", fillInts, func(m []uint64, twin bool) uint64 {
		var state [4]uint32
		choose(twin, Chained, chained)(&state, part[uint32](m, 0, 2), 2)
		return uint64(state[1])<<32 | uint64(state[2])
	}},
	{"large frame", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, KeyStream, keyStream)(part[[16]uint32](m, 0, 4), &part[[8]uint32](m, 1, 2)[0], 7)
		return 0
	}},
	{"hash", fillInts, func(m []uint64, twin bool) uint64 {
		choose(twin, HashAll, hashAll)(part[uint32](m, 0, 2), part[uint32](m, 1, 2), 99)
		return uint64(choose(twin, HashSum, hashSum)(part[uint32](m, 0, 2)))
	}},
	{"index", fillZeros, func(m []uint64, twin bool) uint64 {
		return uint64(choose(twin, IndexOf, indexOf)(part[byte](m, 0, 1), 1))
	}},
	{"mismatch", fillZeros, func(m []uint64, twin bool) uint64 {
		return uint64(choose(twin, Mismatch, mismatch)(part[byte](m, 0, 2), part[byte](m, 1, 2)))
	}},
	{"gather", fillIndices, func(m []uint64, twin bool) uint64 {
		dst, index, src := part[int32](m, 4, 8), part[uint32](m, 0, 8), part[int32](m, 5, 8)
		choose(twin, Take, take)(dst, index, src)
		return 0
	}},
	{"scatter", fillIndices, func(m []uint64, twin bool) uint64 {
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

func fillFloats(m []uint64) {
	for i, x := 0, part[float32](m, 0, 1); i < len(x); i++ {
		x[i] = float32(i%1000) / 8
	}
}

func fillDoubles(m []uint64) {
	for i, x := 0, part[float64](m, 0, 1); i < len(x); i++ {
		x[i] = 1 + float64(i%1000)/8
	}
}

func fillInts(m []uint64) {
	r := rand.NewPCG(uint64(len(m)), 5)
	for i := range m {
		m[i] = r.Uint64()
	}
}

func fillZeros(m []uint64) { clear(m) }

// fillIndices makes indices into an eighth of memory.
func fillIndices(m []uint64) {
	r := rand.NewPCG(uint64(len(m)), 6)
	limit := uint64(len(m) / 4)
	for i, x := 0, part[uint32](m, 0, 1); i < len(x); i++ {
		x[i] = uint32(r.Uint64() % limit)
	}
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
	k.Fill(a)
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
