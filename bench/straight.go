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

// works are the straight-line functions of the examples. Arguments of one type are
// different values.
func works() []work {
	m := [3]*[places]matrix4.Matrix{sets(matrix), sets(matrix), sets(matrix)}
	r := [3]*[places][4][4]float32{sets(rows), sets(rows), sets(rows)}
	w := [2]*[places][16]uint32{sets(state), sets(state)}
	c := [2]*[places]pixel4.Color{sets(color), sets(color)}
	channels := func(n int) [4]float32 { return color(n) }
	v := [2]*[places][4]float32{sets(channels), sets(channels)}
	doubles := func(n int) (m [16]float64) {
		copy(m[:], fill[float64](16, uint64(n), -9, 9))
		return m
	}
	d := [3]*[places][16]float64{sets(doubles), sets(doubles), sets(doubles)}
	turn := func(n int) quaternion.Quaternion { return quaternion.Quaternion{X: 1, Y: float32(n), Z: 2, W: 3} }
	q := [3]*[places]quaternion.Quaternion{sets(turn), sets(turn), sets(turn)}
	pixel := func(n int) [4]uint8 { return [4]uint8{1, uint8(n), 3, 4} }
	p := [2]*[places][4]uint8{sets(pixel), sets(pixel)}
	pairs := func(n int) [4]complex128 { return [4]complex128{complex(float64(n), 1), 2, 3} }
	z := [3]*[places][4]complex128{sets(pairs), sets(pairs), sets(pairs)}
	blocks := sets(func(n int) (b [16]pixel4.Color) {
		for i := range b {
			b[i] = color(n + i)
		}
		return b
	})
	image := sets(func(n int) (b [64]float32) { return b })
	h := sets(func(n int) [8]int32 { return [8]int32{int32(n), 2, 3} })
	message := sets(func(n int) [64]uint32 { return [64]uint32{uint32(n)} })
	return []work{
		{"4x4 matrix product", func(i int) { matrix4MulOriginal(&m[0][i], &m[1][i], &m[2][i]) }, func(i int) { matrix4.Mul(&m[0][i], &m[1][i], &m[2][i]) }},
		{"4x4 matrix product, written out", func(i int) { matrix4RowsOriginal(&r[0][i], &r[1][i], &r[2][i]) }, func(i int) { matrix4.MulRows(&r[0][i], &r[1][i], &r[2][i]) }},
		{"4x4 matrix product, float64", func(i int) { matrix4Float64Original(&d[0][i], &d[1][i], &d[2][i]) }, func(i int) { matrix4.MulFloat64(&d[0][i], &d[1][i], &d[2][i]) }},
		{"row times 4x4 matrix", func(i int) { matrix4ApplyOriginal(&v[0][i], &v[1][i], &m[0][i]) }, func(i int) { matrix4.Apply(&v[0][i], &v[1][i], &m[0][i]) }},
		{"transposition of 4x4", func(i int) { matrix4TransposeOriginal(&m[0][i], &m[1][i]) }, func(i int) { matrix4.Transpose(&m[0][i], &m[1][i]) }},
		{"quaternion product", func(i int) { quaternionMulOriginal(&q[0][i], &q[1][i], &q[2][i]) }, func(i int) { quaternion.Mul(&q[0][i], &q[1][i], &q[2][i]) }},
		{"pixel over pixel", func(i int) { pixel4OverOriginal(&c[0][i], &c[1][i]) }, func(i int) { pixel4.Over(&c[0][i], &c[1][i]) }},
		{"mix of 8-bit pixels", func(i int) { pixel4MixOriginal(&p[0][i], &p[1][i], 100) }, func(i int) { pixel4.Mix8(&p[0][i], &p[1][i], 100) }},
		{"mean of 16 pixels", func(i int) { pixel4AverageOriginal(&c[0][i], &blocks[i]) }, func(i int) { pixel4.Average(&c[0][i], &blocks[i]) }},
		{"8-point DCT of 8 columns", func(i int) { transformDCTOriginal(&image[i]) }, func(i int) { transform.DCTColumns(&image[i]) }},
		{"Hadamard transform of 8", func(i int) { transformHadamardOriginal(&h[i]) }, func(i int) { transform.Hadamard(&h[i]) }},
		{"4 butterflies complex128", func(i int) { transformButterflyOriginal(&z[0][i], &z[1][i], &z[2][i]) }, func(i int) { transform.Butterfly(&z[0][i], &z[1][i], &z[2][i]) }},
		{"dot product of 4", func(i int) { dot4Original(&v[0][i], &v[1][i]) }, func(i int) { dot4.Dot(&v[0][i], &v[1][i]) }},
		{"4 dot products of 4", func(i int) { dot4DotsOriginal(&v[0][i], &r[0][i], &v[1][i]) }, func(i int) { dot4.Dots(&v[0][i], &r[0][i], &v[1][i]) }},
		{"ChaCha20 double round", func(i int) { chachaDoubleOriginal(&w[0][i]) }, func(i int) { chacha20.DoubleRound(&w[0][i]) }},
		{"ChaCha20 block in memory", func(i int) { chachaBlockOriginal(&w[0][i], &w[1][i]) }, func(i int) { chacha20.OneBlock(&w[0][i], &w[1][i]) }},
		{"ChaCha20 block in variables", func(i int) { chachaLocalOriginal(&w[0][i], &w[1][i]) }, func(i int) { chacha20.OneBlockLocal(&w[0][i], &w[1][i]) }},
		{"SHA-256 message schedule", func(i int) { sha256Original(&message[i]) }, func(i int) { sha256.Schedule(&message[i]) }},
	}
}
