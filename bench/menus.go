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
// interval of its confidence, and means over all rows. Libraries that approximate are
// compared in a table of their own.
func printMenus(w io.Writer, o options) {
	fmt.Fprintf(w, "Menus of libraries: time of the best library / time of the twin (above 1 the twin is faster), and where it lies with 98%% confidence; * the library is surely faster\n\n")
	exact, rough := newStandings(o.lengths), newStandings(o.lengths)
	for _, r := range menus() {
		if !o.wants(r.name) {
			continue
		}
		var exactly, roughly []match
		for _, n := range o.lengths {
			cs := r.contenders(n)
			times := timesOf(cs, o.rounds)
			if m, ok := matched(cs, times, false); ok {
				exactly = append(exactly, m)
			}
			if m, ok := matched(cs, times, true); ok {
				roughly = append(roughly, m)
			}
		}
		exact.add(r.name, exactly)
		rough.add(r.name, roughly)
	}
	exact.print(w)
	if len(rough.rows) > 1 {
		fmt.Fprintf(w, "Libraries that approximate, whose results are less exact than those of Go\n\n")
		rough.print(w)
	}
}

// Standings are a table of matches: a line for each row, and their means.
type standings struct {
	*table
	matches [][]match // by lengths
}

func newStandings(lengths []int) *standings {
	header := []string{"function"}
	for _, n := range lengths {
		header = append(header, fmt.Sprintf("n=%d", n), "best")
	}
	return &standings{newTable(header...), make([][]match, len(lengths))}
}

// add appends a line, if there are matches.
func (c *standings) add(name string, ms []match) {
	if len(ms) == 0 {
		return
	}
	line := []string{name}
	for i, m := range ms {
		line = append(line, m.gain.String(), m.best)
		c.matches[i] = append(c.matches[i], m)
	}
	c.table.add(line...)
}

func (c *standings) print(w io.Writer) {
	gain, plain := func(m match) estimate { return m.gain }, func(m match) estimate { return m.plain }
	for _, s := range []struct {
		name string
		of   func([]estimate) string
		each func(match) estimate
	}{
		{"geometric mean", meanOf, gain},
		{"smallest", smallestOf, gain},
		{"below 1 surely", lostOf, gain},
		{"original / twin", meanOf, plain},
	} {
		line := []string{"**" + s.name + "**"}
		for _, ms := range c.matches {
			var es []estimate
			for _, m := range ms {
				es = append(es, s.each(m))
			}
			line = append(line, s.of(es), "")
		}
		c.table.add(line...)
	}
	c.table.print(w)
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

// timesOf measures original, twin and libraries, in this order: the times of each, by blocks.
func timesOf(cs []contender, rounds int) [][]float64 {
	times := make([][]float64, len(cs))
	for range blocks {
		for i, ns := range measure(cs, max(rounds/blocks, 1)) {
			times[i] = append(times[i], ns)
		}
	}
	return times
}

// matched compares the twin with the library whose median is least, of those that
// approximate or of the others. The fastest one of each block would be ahead of a twin
// that is the same code: of several that vary, the least is below what each of them
// takes.
func matched(cs []contender, times [][]float64, rough bool) (m match, ok bool) {
	fastest := 0
	for i := 2; i < len(cs); i++ {
		if cs[i].rough == rough && (fastest == 0 || median(times[i]) < median(times[fastest])) {
			fastest = i
		}
	}
	if fastest == 0 {
		return match{}, false
	}
	return match{
		gain:  confident(ratios(times[fastest], times[1])),
		plain: confident(ratios(times[0], times[1])),
		best:  cs[fastest].name,
	}, true
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
