package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"slices"
)

// The table of outlining shows what levels of -outline cost: the twins of all
// examples, generated at two levels, in the benchmarks generated with them.
//
// What moves code may change its time, whether the code itself changed or not. So
// a benchmark that seems slower is measured three times: with all the others, again
// with more rounds, and if it still seems slower, in builds with functions in other
// orders, where the fastest order counts. Beside that stands how much the order
// changes the time at the first level.

// slower is a ratio of times, first level over second, below which the second
// counts as slower.
const slower = 0.98

// Samples of a benchmark: some in each of several processes.
const (
	repeats      = 8 // in a process
	sampled      = "500us"
	roundsOf     = 40 // a round for so many of the samples that -rounds asks for
	moreRounds   = 4  // times as many for what seems slower
	reorderings  = 6  // builds with functions in other orders
	chosenLevels = "none,merge"
)

// A comparison is a benchmark at two levels. Ratios are of the first over the
// second, 0 where not measured.
type comparison struct {
	pkg, name             string
	before, after         float64 // nanoseconds, the fastest samples
	first, again, ordered float64 // ratios: at first, with more rounds, of the fastest orders
	spread                float64 // fastest over slowest order of the first level
}

// ratio is the last that was measured.
func (c *comparison) ratio() float64 { return cmp.Or(c.ordered, c.again, c.first) }

// printOutline prints how the times of twins change from one level to another.
func printOutline(w io.Writer, o options) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	t, err := o.trialIn(dir)
	if err != nil {
		log.Fatal(err)
	}
	if len(t.packages) == 0 && t.same == 0 { // no rows
		return
	}
	// It takes long: an interrupt shows what there is.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := t.run(ctx)
	if err != nil {
		log.Print(err)
	}
	fmt.Fprintf(w, "Outlining: time of twins at level %s / time at level %s\n\n", t.sides[0].level, t.sides[1].level)
	if t.same > 0 {
		fmt.Fprintf(w, "The code of %d twins is the same.\n", t.same)
	}
	if ctx.Err() != nil {
		fmt.Fprintln(w, "Interrupted: not all others were measured.")
	}
	if len(all) == 0 {
		return
	}
	summarize(w, all)
	comparisons(all).print(w)
}

// summarize prints how many benchmarks are slower and how the ratios are spread.
func summarize(w io.Writer, all []*comparison) {
	var first, again, last, beyond int
	var logs float64
	ratios := make([]float64, len(all))
	for i, c := range all {
		ratios[i] = c.ratio()
		logs += math.Log(ratios[i])
		first += below(c.first, slower)
		again += below(cmp.Or(c.again, c.first), slower)
		last += below(c.ratio(), slower)
		beyond += below(c.ratio(), min(slower, c.spread))
	}
	slices.Sort(ratios)
	at := func(q float64) float64 { return ratios[int(q*float64(len(ratios)-1))] }
	fmt.Fprintf(w, "%d benchmarks. Below %.2f: %d at first, %d after more rounds, %d in the fastest order of functions,\n"+
		"%d of them by more than the order alone does at the first level.\n", len(all), slower, first, again, last, beyond)
	fmt.Fprintf(w, "Geometric mean %.3f; smallest %.3f, 1%% below %.3f, 10%% below %.3f, median %.3f, 10%% above %.3f.\n\n",
		math.Exp(logs/float64(len(all))), at(0), at(.01), at(.1), at(.5), at(.9))
}

func below(ratio, limit float64) int {
	if ratio < limit {
		return 1
	}
	return 0
}

type comparisons []*comparison

// print prints all, the slowest first.
func (all comparisons) print(w io.Writer) {
	slices.SortStableFunc(all, func(a, b *comparison) int { return cmp.Compare(a.ratio(), b.ratio()) })
	t := newTable("benchmark", "before ns", "after ns", "ratio", "more rounds", "fastest order", "before: orders")
	for _, c := range all {
		t.add(c.pkg+"/"+c.name, fmt.Sprintf("%.4g", c.before), fmt.Sprintf("%.4g", c.after), optional(c.first), optional(c.again), optional(c.ordered), optional(c.spread))
	}
	t.print(w)
}

// optional is empty for what was not measured.
func optional(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", ratio)
}
