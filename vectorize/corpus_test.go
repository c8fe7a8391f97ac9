package vectorize

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestCorpus vectorizes the regions of testdata/loopvec and compares kernel and
// remainder with the scalar loop. A file has the section region.vir and the
// section remark with the passed or missed remark, without estimates, and may have the
// section skipped with what is jumped over; flags are clauses and
// dead=name for variables that nobody reads after the loop; size=n makes slices of
// up to n elements or so, unroll=n is that clause, large adds inputs of many iterations, unhoisted a kernel without
// pass hoist.
func TestCorpus(t *testing.T) {
	filetest.Run(t, "../testdata/loopvec/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := corpusRegion(t, c)
		k, remarks := Run(r, target.AVX2(), Options{Verify: true})
		last := remarks[len(remarks)-1]
		c.Golden("remark", estimates.ReplaceAllString(last.String(), "$1...")+"\n")
		if c.Has("skipped") {
			c.Golden("skipped", skipped(remarks))
		}
		if k == nil {
			if last.Kind != diag.Missed || last.Broken() {
				t.Fatalf("%s\n%v", last, last.Args["ir"])
			}
			return
		}
		broadcastOnce(t, k.Fn)
		size := 3 * int(max(k.Block, k.Min))
		for _, f := range c.Flags {
			if n, is := strings.CutPrefix(f, "size="); is {
				size, _ = strconv.Atoi(n)
			}
		}
		stats, err := vectest.Compare(r, k, 1, inputs(), size)
		if err != nil {
			t.Fatalf("%v\n%s", err, k.Fn)
		}
		if c.Flag("unhoisted") {
			k, _ := Run(r, target.AVX2(), Options{Verify: true, Skip: []string{"hoist"}})
			if _, err := vectest.Compare(r, k, 1, inputs(), size); err != nil {
				t.Fatalf("unhoisted: %v\n%s", err, k.Fn)
			}
		}
		if c.Flag("large") {
			stats, err := vectest.Compare(r, k, 2, 5, 100_000)
			if err != nil {
				t.Fatalf("large: %v\n%s", err, k.Fn)
			}
			if stats.Inputs < 5 {
				t.Errorf("large: %d inputs compared", stats.Inputs)
			}
		}
		if stats.Vector == 0 {
			t.Errorf("the kernel never did anything: %+v", stats)
		}
		t.Logf("%+v", stats)
	})
}

// skipped are the remarks on regions with branches around them.
func skipped(remarks []diag.Remark) string {
	var sb strings.Builder
	for _, r := range remarks {
		if r.ID == "loopvec:Skipped" {
			sb.WriteString(skippedCycles.ReplaceAllString(r.String(), "...") + "\n")
		}
	}
	return sb.String()
}

var skippedCycles = regexp.MustCompile(`[0-9.]+ of [0-9.]+ cycles`)

// estimates are the numbers in remarks that change with every measurement.
var estimates = regexp.MustCompile(`(from |estimated at |the scalar loop at )[0-9.]+`)

// inputs is the number of random inputs per case.
func inputs() int {
	if testing.Short() {
		return 60
	}
	return 150
}

func corpusRegion(t *testing.T, c *filetest.Case) *plan.Region {
	t.Helper()
	var clauses plan.Clauses
	var dead []string
	for _, f := range c.Flags {
		name, is := strings.CutPrefix(f, "dead=")
		unroll, unrolled := strings.CutPrefix(f, "unroll=")
		switch {
		case is:
			dead = append(dead, name)
		case unrolled:
			clauses.Unroll, _ = strconv.Atoi(unroll)
		case f == "reassoc":
			clauses.Reassoc = true
		case f == "independent":
			clauses.Independent = true
		case f == "exclusive":
			clauses.Exclusive = true
		case f == "large", f == "unhoisted", strings.HasPrefix(f, "size="):
		default:
			t.Fatalf("unknown flag %s", f)
		}
	}
	r, err := vectest.Region(c.Section("region.vir"), clauses, dead...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
