package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// menus are the functions of libraries for which the package menu has a loop.
func menus() []row {
	return slices.Concat(float32Menu(), float64Menu(), integerMenu(), conversionMenu(), boolMenu(), complexMenu())
}

// printMenus prints how many times faster the twin is than the best library, with the
// interval of its confidence, and means over all rows.
func printMenus(w io.Writer, o options) {
	fmt.Fprintf(w, "Menus of libraries: time of the best library / time of the twin (above 1 the twin is faster), and where it lies with 98%% confidence; * the library is surely faster\n\n")
	header := []string{"function"}
	for _, n := range o.lengths {
		header = append(header, fmt.Sprintf("n=%d", n), "best")
	}
	t := newTable(header...)
	gains := make([][]estimate, len(o.lengths))
	plain := make([][]estimate, len(o.lengths))
	for _, r := range menus() {
		if !o.wants(r.name) {
			continue
		}
		line := []string{r.name}
		for i, n := range o.lengths {
			m := against(r.contenders(n), o.rounds)
			line = append(line, m.gain.String(), m.best)
			gains[i] = append(gains[i], m.gain)
			plain[i] = append(plain[i], m.plain)
		}
		t.add(line...)
	}
	for _, s := range []struct {
		name string
		of   func([]estimate) string
		all  [][]estimate
	}{
		{"geometric mean", meanOf, gains},
		{"smallest", smallestOf, gains},
		{"below 1 surely", lostOf, gains},
		{"original / twin", meanOf, plain},
	} {
		line := []string{"**" + s.name + "**"}
		for _, es := range s.all {
			line = append(line, s.of(es), "")
		}
		t.add(line...)
	}
	t.print(w)
}

// An estimate is a ratio of times with an interval that holds its median surely enough.
type estimate struct{ mid, lo, hi float64 }

func (e estimate) String() string {
	mark := ""
	if e.hi < 1 {
		mark = " *"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)%s", e.mid, e.lo, e.hi, mark)
}

// blocks is how often a row is measured for the confidence. The second smallest and the
// second largest of 10 independent samples hold the median with a probability of
// 1 - 22/1024, whatever their distribution.
const blocks = 10

// confident is the median of ratios and the interval of all but the two outermost ones.
func confident(ratios []float64) estimate {
	ratios = slices.Sorted(slices.Values(ratios))
	return estimate{mid: median(ratios), lo: ratios[1], hi: ratios[len(ratios)-2]}
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	k := len(xs)
	return (xs[(k-1)/2] + xs[k/2]) / 2
}

// A match is the outcome of a row at one length.
type match struct {
	gain  estimate // best library / twin
	plain estimate // original / twin
	best  string   // the library
}

// against measures original, twin and libraries, in this order.
func against(cs []contender, rounds int) match {
	times := make([][]float64, len(cs)) // of each contender, by blocks
	for range blocks {
		for i, ns := range measure(cs, max(rounds/blocks, 1)) {
			times[i] = append(times[i], ns)
		}
	}
	return matched(cs, times)
}

// matched compares the twin with the library whose median is least. The fastest one of
// each block would be ahead of a twin that is the same code: of several that vary, the
// least is below what each of them takes.
func matched(cs []contender, times [][]float64) match {
	fastest := 2
	for i := 3; i < len(cs); i++ {
		if median(times[i]) < median(times[fastest]) {
			fastest = i
		}
	}
	return match{
		gain:  confident(ratios(times[fastest], times[1])),
		plain: confident(ratios(times[0], times[1])),
		best:  cs[fastest].name,
	}
}

func ratios(of, over []float64) []float64 {
	rs := make([]float64, len(of))
	for i := range of {
		rs[i] = of[i] / over[i]
	}
	return rs
}

func meanOf(es []estimate) string {
	sum := 0.0
	for _, e := range es {
		sum += math.Log(e.mid)
	}
	return fmt.Sprintf("%.2f", math.Exp(sum/float64(len(es))))
}

func smallestOf(es []estimate) string {
	m := math.Inf(1)
	for _, e := range es {
		m = min(m, e.mid)
	}
	return fmt.Sprintf("%.2f", m)
}

func lostOf(es []estimate) string {
	lost := 0
	for _, e := range es {
		if e.hi < 1 {
			lost++
		}
	}
	return fmt.Sprintf("%d of %d", lost, len(es))
}
