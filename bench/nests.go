package main

import (
	"math/rand/v2"

	"github.com/lanewise/lanewise/examples/boxblur"
	"github.com/lanewise/lanewise/examples/chacha20"
	"github.com/lanewise/lanewise/examples/collatz"
	"github.com/lanewise/lanewise/examples/fir"
	"github.com/lanewise/lanewise/examples/horner"
	"github.com/lanewise/lanewise/examples/life"
	"github.com/lanewise/lanewise/examples/mandelbrot"
	"github.com/lanewise/lanewise/examples/matmul"
	"github.com/lanewise/lanewise/examples/matvec"
	"github.com/lanewise/lanewise/examples/search"
	"github.com/lanewise/lanewise/examples/sobel"
	around "github.com/lanewise/lanewise/examples/window"
)

// Rows of examples with loops in loops. n counts iterations of the vectorized loop, or
// pixels; blocks of 64 bytes for the key stream. Matrices have a size of their own.

func nests() []row {
	var rows []row
	for _, group := range [][]row{untilTheLast(), filters(), matrices(), pictures()} {
		rows = append(rows, group...)
	}
	return rows
}

// untilTheLast are loops that run until the last lane has left.
func untilTheLast() []row {
	return []row{
		points("mandelbrot float32", false, versions(mandelbrot32Original, mandelbrot.Row32)),
		points("mandelbrot float32, shuffled", true, versions(mandelbrot32Original, mandelbrot.Row32)),
		points("mandelbrot float64", false, versions(mandelbrot64Original, mandelbrot.Row64)),
		random("collatz lengths", func(r *rand.Rand) uint32 { return 1 + r.Uint32N(1<<20) },
			versions(collatzOriginal, collatz.Lengths)),
		lookup("binary search in 1000", 1000, versions(lowerBoundsOriginal, search.LowerBounds)),
		lookup("binary search in 1000, int32", 1000, versions(lowerBounds32Original, search.LowerBounds32)),
		lookup("binary search in 1000000, int32", 1_000_000, versions(lowerBounds32Original, search.LowerBounds32)),
	}
}

// random is a row of functions of elements that are made one by one.
func random[D, T any](name string, element func(r *rand.Rand) T, fs []named[func(dst []D, src []T)]) row {
	return repeatable(name, unpredictable, func(size int) func(f func(dst []D, src []T), at, n int) {
		r := rand.New(rand.NewPCG(5, 6))
		dst, src := written[D](size), generate(size, func(int) T { return element(r) })
		return func(f func(dst []D, src []T), at, n int) { f(dst[at:at+n], src[at:at+n]) }
	}, fs)
}

// points is a row of functions that iterate the points of a line through the Mandelbrot
// set, at most 256 times: a row of a picture, or the same points in random order.
func points[T float32 | float64](name string, shuffled bool, fs []named[func(steps []int32, re []T, im T, limit int32)]) row {
	return row{name: name, contenders: func(n int) []contender {
		re := make([]T, n)
		for i := range re {
			re[i] = T(-2 + 2.5*float64(i)/float64(max(n, 1)))
		}
		if shuffled {
			r := rand.New(rand.NewPCG(7, 8))
			r.Shuffle(n, func(i, j int) { re[i], re[j] = re[j], re[i] })
		}
		var cs []contender
		for _, v := range fs {
			steps := make([]int32, n)
			cs = append(cs, contender{name: v.name, call: func() { v.f(steps, re, 0.2, 256) }})
		}
		return cs
	}}
}

func lookup(name string, size int, fs []named[func(dst, table, keys []int32)]) row {
	table := make([]int32, size)
	for i := range table {
		table[i] = int32(2 * i)
	}
	var looks []named[func(dst, keys []int32)]
	for _, v := range fs {
		looks = append(looks, library(v.name, func(dst, keys []int32) { v.f(dst, table, keys) }))
	}
	return random(name, func(r *rand.Rand) int32 { return r.Int32N(int32(2 * size)) }, looks)
}

func filters() []row {
	taps := []float32{1, 2, 3, 4, 4, 3, 2, 1}
	taps16 := [8]int16{1000, 2000, 4000, 8000, 8000, 4000, 2000, 1000}
	return []row{
		map1("FIR of 8 taps float32", predictable, -9, 9, versions(
			tail(7, func(dst, src []float32) { eightOriginal(dst, src, (*[8]float32)(taps)) }),
			tail(7, func(dst, src []float32) { fir.Eight(dst, src, (*[8]float32)(taps)) }))),
		map1("FIR of 8 taps int16", predictable, -9999, 9999, versions(
			tail(7, func(dst, src []int16) { eightInt16Original(dst, src, &taps16) }),
			tail(7, func(dst, src []int16) { fir.EightInt16(dst, src, &taps16) }))),
		map1("FIR of any taps, 8", predictable, -9, 9, versions(
			tail(7, func(dst, src []float32) { anyOriginal(dst, src, taps) }),
			tail(7, func(dst, src []float32) { fir.Any(dst, src, taps) }))),
		map1("largest of 5 float64", predictable, -9, 9, versions(
			tail(4, func(dst, src []float64) { highestOriginal(dst, src, 5) }),
			tail(4, func(dst, src []float64) { around.Highest(dst, src, 5) }))),
		map1("sums of 7 around int32", predictable, -9, 9, versions(
			func(dst, src []int32) { sumsAroundOriginal(dst, src, 3) },
			func(dst, src []int32) { around.Sums(dst, src, 3) })),
		map1("filter of 8 around float32", predictable, -9, 9, versions(
			func(dst, src []float32) { filterAroundOriginal(dst, src, taps) },
			func(dst, src []float32) { around.Filter(dst, src, taps) })),
		map1("horner of 8 coefficients", predictable, -1, 1, versions(
			func(dst, x []float32) { polynomialOriginal(dst, x, taps) },
			func(dst, x []float32) { horner.Polynomial(dst, x, taps) })),
		mapped("ChaCha20 key stream", func(int) struct{} { return struct{}{} }, versions(
			func(dst [][16]uint32, _ []struct{}) { keyStreamOriginal(dst, &chachaKey, 1, &chachaNonce) },
			func(dst [][16]uint32, _ []struct{}) { chacha20.KeyStream(dst, &chachaKey, 1, &chachaNonce) })),
	}
}

var (
	chachaKey   = [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	chachaNonce = [3]uint32{9, 10, 11}
)

// tail leaves out the last few elements of dst, which f has no neighbours for.
func tail[T any](n int, f func(dst, src []T)) func(dst, src []T) {
	return func(dst, src []T) { f(dst[:max(0, len(dst)-n)], src) }
}

// matrices are products of matrices, whatever the length of the column.
func matrices() []row {
	var rows []row
	for _, n := range []int{16, 128} {
		size := map[int]string{16: " 16", 128: " 128"}[n]
		rows = append(rows,
			product("matrix product, rows"+size, n, versions(rowsOriginal, matmul.Rows)),
			product("matrix product, dots"+size, n, versions(dotsOriginal, matmul.Dots)),
			product("matrix product, transposed"+size, n, versions(transposedOriginal, matmul.Transposed)),
			timesVector("matrix times vector, in order"+size, n, versions(mulOriginal, matvec.MulInOrder)))
	}
	return rows
}

func product(name string, size int, fs []named[func(dst, a, b []float32, k, n int)]) row {
	return repeatable(name, predictable, func(_ int) func(f func(dst, a, b []float32, k, n int), at, n int) {
		dst, a, b := written[float32](size*size), fill[float32](size*size, 1, -9, 9), fill[float32](size*size, 2, -9, 9)
		return func(f func(dst, a, b []float32, k, n int), _, _ int) { f(dst, a, b, size, size) }
	}, fs)
}

// timesVector multiplies a square matrix with a vector.
func timesVector(name string, size int, fs []named[func(y, a, x []float32)]) row {
	return repeatable(name, predictable, func(_ int) func(f func(y, a, x []float32), at, n int) {
		y, a, x := written[float32](size), fill[float32](size*size, 1, -9, 9), fill[float32](size, 2, -9, 9)
		return func(f func(y, a, x []float32), _, _ int) { f(y, a, x) }
	}, fs)
}

// pictures are 3 rows of n pixels, of which one has neighbours all around.
func pictures() []row {
	return []row{
		picture("sobel", versions(edgesOriginal, sobel.Edges)),
		picture("box blur 3x3", versions(blurOriginal, boxblur.Blur3x3)),
		torus("game of life", versions(stepOriginal, life.Step)),
	}
}

// torus is 3 rows of n cells.
func torus(name string, fs []named[func(next, cur [][]bool)]) row {
	return repeatable(name, predictable, func(size int) func(f func(next, cur [][]bool), at, n int) {
		next, cur := make([][]bool, 3), make([][]bool, 3)
		whole := make([][]bool, 6)
		for y := range whole {
			whole[y] = written[bool](size)
			for x, v := range fill[uint8](size, uint64(y), 0, 2) {
				whole[y][x] = v == 0
			}
		}
		return func(f func(next, cur [][]bool), _, n int) {
			for y := range cur {
				next[y], cur[y] = whole[y][:n], whole[3+y][:n]
			}
			f(next, cur)
		}
	}, fs)
}

func picture(name string, fs []named[func(dst, src []uint8, width int)]) row {
	return repeatable(name, predictable, func(size int) func(f func(dst, src []uint8, width int), at, n int) {
		dst, src := written[uint8](3*size), fill[uint8](3*size, 1, 0, 255)
		return func(f func(dst, src []uint8, width int), _, n int) { f(dst[:3*n], src[:3*n], max(n, 1)) }
	}, fs)
}
