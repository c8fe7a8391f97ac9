package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/lanewise/lanewise/examples/first"
	"github.com/lanewise/lanewise/examples/indexany"
	"github.com/lanewise/lanewise/examples/indexbyte"
	"github.com/lanewise/lanewise/examples/isascii"
	"github.com/lanewise/lanewise/examples/mismatch"
)

// Searches that look at everything: nothing is found. What they cost when something
// is, is a table of its own.

// searchLibraries are searches that the standard library has: IndexByte in assembly.
// It has nothing that asks whether a text is ASCII, which is a search for a byte as
// well.
func searchLibraries() []row {
	return []row{
		reduce1[uint8]("index byte", predictable, 1, 255, versions(
			func(x []uint8) int { return indexByteOriginal(x, 0) },
			func(x []uint8) int { return indexbyte.IndexByte(x, 0) },
			library("bytes.IndexByte", func(x []uint8) int { return bytes.IndexByte(x, 0) }))),
		text("is ASCII", versions(isASCIIOriginal, isascii.IsASCII,
			library("strings.IndexByte", func(s string) bool { return strings.IndexByte(s, 0x80) < 0 }))),
	}
}

func searches() []row {
	return []row{
		text("index of two bytes", versions(
			func(s string) bool { return indexEitherOriginal(s, 0, 200) < 0 },
			func(s string) bool { return indexany.IndexEither(s, 0, 200) < 0 })),
		reduce2same("equal int32", versions(equalOriginal, mismatch.Equal)),
		reduce2same("common prefix of bytes", versions(commonPrefixOriginal, mismatch.CommonPrefix)),
		reduce1[float32]("first above float32", predictable, -9, 9, versions(
			func(x []float32) int { return firstAboveOriginal(x, 10) },
			func(x []float32) int { return first.FirstAbove(x, 10) })),
		map1("take int32", predictable, 0, 99, versions(
			func(dst, x []int32) { takeWhileOriginal(dst, x) },
			func(dst, x []int32) { first.Take(dst, x) })),
	}
}

// text is a row of functions that read a string of ASCII characters.
func text(name string, fs []named[func(string) bool]) row {
	return repeatable(name, predictable, func(size int) func(f func(string) bool, at, n int) {
		s := string(fill[uint8](size, 1, 1, 127))
		return func(f func(string) bool, at, n int) { f(s[at : at+n]) }
	}, fs)
}

// reduce2same is a row of functions that compare two slices, which are equal.
func reduce2same[T number, R any](name string, fs []named[func(x, y []T) R]) row {
	return repeatable(name, predictable, func(size int) func(f func(x, y []T) R, at, n int) {
		x, y := fill[T](size, 1, -9, 99), fill[T](size, 1, -9, 99)
		return func(f func(x, y []T) R, at, n int) { f(x[at:at+n], y[at:at+n]) }
	}, fs)
}

// printFound prints nanoseconds of searches in 4096 elements that find something at a
// random place among the first ones, or always at the same.
func printFound(w io.Writer, o options) {
	fmt.Fprintf(w, "Searches: ns per call by where something is found; original / twin / library\n\n")
	t := newTable("found at", "index byte", "first above float32", "take int32")
	for _, p := range [][2]int{{0, 1}, {8, 9}, {16, 17}, {32, 33}, {63, 64}, {0, 8}, {0, 16}, {0, 32}, {0, 64}, {0, 256}, {0, 4096}} {
		place := fmt.Sprint(p[0])
		if p[1] > p[0]+1 {
			place = fmt.Sprintf("%d..%d", p[0], p[1]-1)
		}
		line := []string{place}
		for _, cs := range [][]contender{
			found(p, versions(
				func(x []uint8) int { return indexByteOriginal(x, 1) },
				func(x []uint8) int { return indexbyte.IndexByte(x, 1) },
				library("bytes", func(x []uint8) int { return bytes.IndexByte(x, 1) }))),
			found(p, versions(
				func(x []float32) int { return firstAboveOriginal(x, 0) },
				func(x []float32) int { return first.FirstAbove(x, 0) })),
			foundIn[int32](p, -1, versions(takeEach(takeWhileOriginal), takeEach(first.Take))),
		} {
			var ns []string
			for _, x := range measure(cs, o.rounds) {
				ns = append(ns, nanoseconds(x))
			}
			line = append(line, strings.Join(ns, " / "))
		}
		t.add(line...)
	}
	t.print(w)
}

var taken [4096]int32

func takeEach(f func(dst, src []int32) (int, int32)) func(src []int32) int {
	return func(src []int32) int { n, _ := f(taken[:], src); return n }
}

func found[T number](p [2]int, fs []named[func(x []T) int]) []contender { return foundIn(p, 1, fs) }

// foundIn are contenders that walk over slices of zeros with one other element at a
// random place of p, in an order that no predictor learns.
func foundIn[T number](p [2]int, hit T, fs []named[func(x []T) int]) []contender {
	const many = 1 << 16
	var cs []contender
	for _, v := range fs {
		r := rand.New(rand.NewPCG(3, 4))
		slices := make([][]T, 256)
		for i := range slices {
			slices[i] = make([]T, 4096)
			slices[i][p[0]+i*(p[1]-p[0])/len(slices)] = hit
		}
		order := make([]uint8, many)
		for i := range order {
			order[i] = uint8(r.Uint32())
		}
		k := 0
		cs = append(cs, contender{name: v.name, call: func() {
			v.f(slices[order[k%many]])
			k++
		}})
	}
	return cs
}
