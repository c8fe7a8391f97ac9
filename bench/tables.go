package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// printLibraries prints nanoseconds per call of every contender, and the twin's
// time over that of the best library.
func printLibraries(w io.Writer, o options) {
	fmt.Fprintf(w, "Against libraries: ns per call; last column: twin / best library (below 1 the twin is faster)\n\n")
	t := newTable("loop", "n", "original", "twin", "original/twin", "libraries", "twin/best")
	for _, r := range againstLibraries() {
		if !o.wants(r.name) {
			continue
		}
		for _, n := range o.lengths {
			cs := r.contenders(n)
			ns := measure(cs, o.rounds)
			libs := make([]string, 0, len(cs)-2)
			for i := 2; i < len(cs); i++ {
				libs = append(libs, cs[i].name+" "+nanoseconds(ns[i]))
			}
			t.add(r.name, fmt.Sprint(n), nanoseconds(ns[0]), nanoseconds(ns[1]), ratio(ns[0], ns[1]),
				strings.Join(libs, ", "), fmt.Sprintf("%.2f", ns[1]/best(ns[2:])))
		}
	}
	t.print(w)
}

// examples are all rows, each with original and twin first.
func examples() []row { return append(againstLibraries(), alone()...) }

// printExamples prints how many times faster than its original each twin is.
func printExamples(w io.Writer, o options) {
	fmt.Fprintf(w, "Examples: time of the original / time of the twin\n\n")
	t := newTable(lengthColumns(o)...)
	for _, r := range examples() {
		if !o.wants(r.name) {
			continue
		}
		line := []string{r.name}
		for _, n := range o.lengths {
			ns := measure(r.contenders(n)[:2], o.rounds)
			line = append(line, ratio(ns[0], ns[1]))
		}
		t.add(line...)
	}
	t.print(w)
}

// lengthColumns is the header of a table with a column for each length.
func lengthColumns(o options) []string {
	header := []string{"loop"}
	for _, n := range o.lengths {
		header = append(header, fmt.Sprintf("n=%d", n))
	}
	return header
}

// best is the shortest of times.
func best(ns []float64) float64 { return slices.Min(ns) }

func ratio(original, twin float64) string { return fmt.Sprintf("%.1f×", original/twin) }

func nanoseconds(ns float64) string {
	if ns < 100 {
		return fmt.Sprintf("%.1f", ns)
	}
	return fmt.Sprintf("%.0f", ns)
}
