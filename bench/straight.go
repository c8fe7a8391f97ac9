package main

import (
	"fmt"
	"io"

	"github.com/lanewise/lanewise/examples/chacha20"
	"github.com/lanewise/lanewise/examples/dot4"
	"github.com/lanewise/lanewise/examples/matrix4"
	"github.com/lanewise/lanewise/examples/pixel4"
	"github.com/lanewise/lanewise/examples/quaternion"
	"github.com/lanewise/lanewise/examples/sha256"
	"github.com/lanewise/lanewise/examples/transform"
)

// A work is a function of fixed size: original and twin, called with the data of so many
// places in turns, so that no call waits for what the one before has stored.
type work struct {
	name           string
	original, twin func(at int)
}

// places is the number of sets of data of a work.
const places = 64

// printStraight prints what straight-line code takes in the original and in the twin.
func printStraight(w io.Writer, o options) {
	fmt.Fprintf(w, "Straight-line code: ns of a call\n\n")
	t := newTable("function", "original", "twin", "original / twin")
	for _, x := range works() {
		if !o.wants(x.name) {
			continue
		}
		ns := measure([]contender{inTurns(x.original), inTurns(x.twin)}, o.rounds)
		t.add(x.name, nanoseconds(ns[0]), nanoseconds(ns[1]), ratio(ns[0], ns[1]))
	}
	t.print(w)
}

func inTurns(f func(at int)) contender {
	at := 0
	return contender{call: func() { at = (at + 1) % places; f(at) }}
}

// sets are so many values for each place, filled by a function of their number.
func sets[T any](fill func(n int) T) *[places]T {
	var s [places]T
	for i := range s {
		s[i] = fill(i)
	}
	return &s
}

func matrix(n int) (m matrix4.Matrix) {
	copy(m[:], fill[float32](16, uint64(n), -9, 9))
	return m
}

func rows(n int) (m [4][4]float32) {
	for i := range m {
		copy(m[i][:], fill[float32](4, uint64(4*n+i), -9, 9))
	}
	return m
}

func state(n int) (s [16]uint32) {
	copy(s[:], fill[uint32](16, uint64(n), 0, 1<<32-1))
	return s
}

func color(n int) (c pixel4.Color) {
	copy(c[:], fill[float32](4, uint64(n), 0, 1))
	return c
}

// one, two and three make works of functions of so many pointers.
func one[A any](name string, original, twin func(*A), a *[places]A) work {
	return work{name, func(i int) { original(&a[i]) }, func(i int) { twin(&a[i]) }}
}

func two[A, B any](name string, original, twin func(*A, *B), a *[places]A, b *[places]B) work {
	return work{name, func(i int) { original(&a[i], &b[i]) }, func(i int) { twin(&a[i], &b[i]) }}
}

func three[A, B, C any](name string, original, twin func(*A, *B, *C), a *[places]A, b *[places]B, c *[places]C) work {
	return work{name, func(i int) { original(&a[i], &b[i], &c[i]) }, func(i int) { twin(&a[i], &b[i], &c[i]) }}
}

// mixed binds the last argument.
func mixed(f func(dst, src *[4]uint8, alpha uint8)) func(dst, src *[4]uint8) {
	return func(dst, src *[4]uint8) { f(dst, src, 100) }
}

// dropping drops a result.
func dropping(f func(a, b *[4]float32) float32) func(a, b *[4]float32) {
	return func(a, b *[4]float32) { dropped = f(a, b) }
}

var dropped float32

func works() []work {
	m := func() *[places]matrix4.Matrix { return sets(matrix) }
	r := func() *[places][4][4]float32 { return sets(rows) }
	w := func() *[places][16]uint32 { return sets(state) }
	c := func() *[places]pixel4.Color { return sets(color) }
	v := func() *[places][4]float32 { return sets(func(n int) [4]float32 { return color(n) }) }
	d := func() *[places][16]float64 {
		return sets(func(n int) (m [16]float64) { copy(m[:], fill[float64](16, uint64(n), -9, 9)); return m })
	}
	q := func() *[places]quaternion.Quaternion {
		return sets(func(n int) quaternion.Quaternion { return quaternion.Quaternion{X: 1, Y: float32(n), Z: 2, W: 3} })
	}
	p := func() *[places][4]uint8 {
		return sets(func(n int) [4]uint8 { return [4]uint8{1, uint8(n), 3, 4} })
	}
	z := func() *[places][4]complex128 {
		return sets(func(n int) [4]complex128 { return [4]complex128{complex(float64(n), 1), 2, 3} })
	}
	return []work{
		three("4x4 matrix product", matrix4MulOriginal, matrix4.Mul, m(), m(), m()),
		three("4x4 matrix product, written out", matrix4RowsOriginal, matrix4.MulRows, r(), r(), r()),
		three("4x4 matrix product, float64", matrix4Float64Original, matrix4.MulFloat64, d(), d(), d()),
		three("row times 4x4 matrix", matrix4ApplyOriginal, matrix4.Apply, v(), v(), m()),
		two("transposition of 4x4", matrix4TransposeOriginal, matrix4.Transpose, m(), m()),
		three("quaternion product", quaternionMulOriginal, quaternion.Mul, q(), q(), q()),
		two("pixel over pixel", pixel4OverOriginal, pixel4.Over, c(), c()),
		two("mix of 8-bit pixels", mixed(pixel4MixOriginal), mixed(pixel4.Mix8), p(), p()),
		two("mean of 16 pixels", pixel4AverageOriginal, pixel4.Average, c(), sets(func(n int) (b [16]pixel4.Color) {
			for i := range b {
				b[i] = color(n + i)
			}
			return b
		})),
		one("8-point DCT of 8 columns", transformDCTOriginal, transform.DCTColumns, sets(func(n int) (b [64]float32) { return b })),
		one("Hadamard transform of 8", transformHadamardOriginal, transform.Hadamard, sets(func(n int) [8]int32 { return [8]int32{int32(n), 2, 3} })),
		three("4 butterflies complex128", transformButterflyOriginal, transform.Butterfly, z(), z(), z()),
		two("dot product of 4", dropping(dot4Original), dropping(dot4.Dot), v(), v()),
		three("4 dot products of 4", dot4DotsOriginal, dot4.Dots, v(), r(), v()),
		one("ChaCha20 double round", chachaDoubleOriginal, chacha20.DoubleRound, w()),
		two("ChaCha20 block in memory", chachaBlockOriginal, chacha20.OneBlock, w(), w()),
		two("ChaCha20 block in variables", chachaLocalOriginal, chacha20.OneBlockLocal, w(), w()),
		one("SHA-256 message schedule", sha256Original, sha256.Schedule, sets(func(n int) [64]uint32 { return [64]uint32{uint32(n)} })),
	}
}
