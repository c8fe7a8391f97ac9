package randloop

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir/plan"
)

var groups = flag.Int("groups", 60, "number of random functions without loops, or with groups in one")

// Every twin of random straight-line functions behaves like its original, half of them
// with all groups that there are, whether they pay or not. With an odd seed they share all
// code that they can. A longer run:
// go test ./internal/randloop -run Straight -seed 7 -groups 1000 -v
func TestStraight(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package")
	}
	generous := func(r *plan.Region) bool { return numberOf(r.Func)%2 == 1 }
	c := generate.Config{Outline: outline.Merge, Passes: generate.PassOptions{Generous: generous}}
	if *seed%2 == 1 {
		c.Outline, c.Passes.Guess = outline.Size, true
	}
	differential(t, StraightSource("loops", *seed, *groups), c, reportStraight)
}

// numberOf is the number of the function with that name.
func numberOf(name string) int {
	i, err := strconv.Atoi(strings.TrimPrefix(name, "f"))
	if err != nil {
		panic(err)
	}
	return i
}

// straightCounts say what became of functions.
type straightCounts struct {
	vectorized map[string]bool // functions
	trees      map[string]int  // by seed
	ids        map[string]int  // of remarks
	tested     int             // functions with tests of overlaps
}

func countStraight(remarks []diag.Remark) *straightCounts {
	c := &straightCounts{make(map[string]bool), make(map[string]int), make(map[string]int), 0}
	for _, r := range remarks {
		switch {
		case r.Kind == diag.Passed:
			c.vectorized[r.Func] = true
			for _, s := range strings.Split(fmt.Sprint(r.Args["lanes"]), ", ") {
				_, seed, _ := strings.Cut(s, " ")
				c.trees[seed]++
			}
		case r.ID == "slp:Overlap" && r.Kind == diag.Analysis:
			c.tested++
		}
		c.ids[r.ID]++
	}
	return c
}

// reportStraight prints what was vectorized, and why other things were not. What nobody
// vectorizes tests nothing.
func reportStraight(t *testing.T, remarks []diag.Remark) {
	c := countStraight(remarks)
	unbroken(t, remarks)
	features := make(map[string]int)
	for i := range *groups {
		s := newStraight(*seed, i)
		s.function()
		slices.Sort(s.used)
		for _, f := range slices.Compact(s.used) {
			features[f] += 0
			if c.vectorized[fmt.Sprintf("f%d", i)] {
				features[f]++
			}
		}
	}
	t.Logf("seed %d: %d functions, %d vectorized, %d with tests of overlaps", *seed, *groups, len(c.vectorized), c.tested)
	for _, m := range []map[string]int{c.ids, c.trees, features} {
		for _, id := range byCount(m) {
			t.Logf("%5d %s", m[id], id)
		}
	}
	if len(c.vectorized)*3 < *groups {
		t.Errorf("only %d of %d functions vectorized", len(c.vectorized), *groups)
	}
	if *seed != 1 && *groups < enough {
		return
	}
	for f, n := range features {
		if n == 0 {
			t.Errorf("no function with %s was vectorized", f)
		}
	}
	if c.tested == 0 {
		t.Error("no function has tests of overlaps")
	}
}
