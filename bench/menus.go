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
	slices.Sort(ratios)
	k := len(ratios)
	return estimate{mid: (ratios[(k-1)/2] + ratios[k/2]) / 2, lo: ratios[1], hi: ratios[k-2]}
}

// A match is the outcome of a row at one length.
type match struct {
	gain  estimate // best library / twin
	plain estimate // original / twin
	best  string   // the library that was the best one most often
}

// against measures original, twin and libraries, in this order.
func against(cs []contender, rounds int) match {
	var gain, plain []float64
	wins := make(map[string]int)
	for range blocks {
		ns := measure(cs, max(rounds/blocks, 1))
		fastest := slices.Index(ns, best(ns[2:]))
		wins[cs[fastest].name]++
		gain, plain = append(gain, ns[fastest]/ns[1]), append(plain, ns[0]/ns[1])
	}
	c := match{gain: confident(gain), plain: confident(plain)}
	for _, x := range cs[2:] {
		if wins[x.name] > wins[c.best] {
			c.best = x.name
		}
	}
	return c
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
