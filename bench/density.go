package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/lanewise/lanewise/examples/abs"
	"github.com/lanewise/lanewise/examples/condstore"
	"github.com/lanewise/lanewise/examples/lower"
	"github.com/lanewise/lanewise/examples/rare"
	"github.com/lanewise/lanewise/examples/relu"
	"github.com/lanewise/lanewise/examples/threshold"
)

// A pattern says which of the elements are stored.
type pattern struct {
	name string
	hit  func(i int, r *rand.Rand) bool
}

func patterns() []pattern {
	var ps []pattern
	for _, percent := range []int{0, 1, 2, 5, 20, 50, 80, 99, 100} {
		ps = append(ps, pattern{fmt.Sprintf("%d%%", percent), func(_ int, r *rand.Rand) bool { return r.IntN(100) < percent }})
	}
	for _, percent := range []int{1, 20, 50, 80} { // hits first
		ps = append(ps, pattern{fmt.Sprintf("sorted %d%%", percent), func(i int, _ *rand.Rand) bool { return i*100 < percent*endless }})
	}
	for _, period := range []int{2, 3} {
		ps = append(ps, pattern{fmt.Sprintf("1/%d", period), func(i int, _ *rand.Rand) bool { return i%period == 0 }})
	}
	return ps
}

// A densityRow is a conditional store with control over its condition.
type densityRow struct {
	name       string
	contenders func(p pattern) []contender
}

func densityRows() []densityRow {
	return []densityRow{
		copied("copy above float32", versions(
			func(dst, x []float32) { copyAboveOriginal(dst, x, 5) },
			func(dst, x []float32) { condstore.CopyAbove(dst, x, 5) })),
		copied("copy above int64", versions(
			func(dst, x []int64) { copyAboveInt64Original(dst, x, 5) },
			func(dst, x []int64) { condstore.CopyAboveInt64(dst, x, 5) })),
		copied("copy above bytes", versions(
			func(dst, x []uint8) { copyAboveBytesOriginal(dst, x, 5) },
			func(dst, x []uint8) { condstore.CopyAboveBytes(dst, x, 5) })),
		changed("clip float32", 9, 1, versions(
			func(x []float32) { clipOriginal(x, 5) },
			func(x []float32) { condstore.Clip(x, 5) })),
		changed("relu in place", -1, 1, versions(reluInPlaceOriginal, relu.InPlace)),
		changed("abs int32, stored if negative", -1, 1, versions(absInt32Original, abs.Int32)),
		changed("cut image", 1, 200, versions(
			func(x []uint8) { cutOriginal(x, 100) },
			func(x []uint8) { threshold.Cut(x, 100) })),
		changed("lower case in place", 'Q', 'q', versions(lowerOriginal, lower.Lower)),
		copied("penalize", versions(
			func(score, x []float32) { penalizeOriginal(score, x, 5, 1) },
			func(score, x []float32) { rare.Penalize(score, x, 5, 1) })),
		changed("limit", 9, 1, versions(
			func(x []float32) { limitOriginal(x, 5) },
			func(x []float32) { rare.Limit(x, 5) })),
		copied("slow down", versions(
			func(dst, x []float64) { slowDownOriginal(dst, x, x, 7) },
			func(dst, x []float64) { rare.SlowDown(dst, x, x, 7) })),
		copied("invert", versions(
			func(dst, x []float64) { invertOriginal(dst, x, 5) },
			func(dst, x []float64) { rare.Invert(dst, x, 5) })),
		stored("exp near 0", 0.3, 0.003, versions(expNearOriginal, rare.ExpNear)),
	}
}

// copied stores the large elements of one slice into another.
func copied[D, T number](name string, fs []named[func(dst []D, x []T)]) densityRow {
	return stored(name, 9, 1, fs)
}

// stored stores something into a slice for elements that hold hit.
func stored[D, T number](name string, hit, miss T, fs []named[func(dst []D, x []T)]) densityRow {
	return densityRow{name, func(p pattern) []contender {
		cs := []contender{}
		for _, v := range fs {
			dst, x := written[D](endless), chosen(p, hit, miss)
			cs = append(cs, contender{name: v.name, call: func() { v.f(dst, x) }})
		}
		return cs
	}}
}

// changed replaces the elements that hold hit.
func changed[T number](name string, hit, miss T, fs []named[func(x []T)]) densityRow {
	return densityRow{name, func(p pattern) []contender {
		cs := []contender{}
		for _, v := range fs {
			cs = append(cs, once(v, chosen(p, hit, miss), endless))
		}
		return cs
	}}
}

// chosen gives elements hit and miss by a pattern.
func chosen[T number](p pattern, hit, miss T) []T {
	r := rand.New(rand.NewPCG(3, 3))
	x := make([]T, endless)
	for i := range x {
		x[i] = miss
		if p.hit(i, r) {
			x[i] = hit
		}
	}
	return x
}

// printDensities prints, per row and pattern, how many times faster than the original
// the twin is.
func printDensities(w io.Writer, o options) {
	fmt.Fprintf(w, "Conditional stores by density, %d elements: original/twin (ns per element of both)\n\n", endless)
	ps := patterns()
	header := []string{"loop"}
	for _, p := range ps {
		header = append(header, p.name)
	}
	t := newTable(header...)
	for _, r := range slices.Concat(densityRows(), filterDensities(), expandDensities()) {
		if !o.wants(r.name) {
			continue
		}
		line := []string{r.name}
		for _, p := range ps {
			ns := measure(r.contenders(p), o.rounds)
			line = append(line, fmt.Sprintf("%.2f (%.3f %.3f)", ns[0]/ns[1], ns[0]/endless, ns[1]/endless))
		}
		t.add(line...)
	}
	t.print(w)
}
