package vectorize

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
)

// TestRerolled shows loops that were unrolled by hand, and what is left of their bodies:
// testdata/reroll. Their kernels are compared with the regions.
func TestRerolled(t *testing.T) {
	filetest.Run(t, "../testdata/reroll/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := corpusRegion(t, c)
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
		l := rolled(r, u)
		if l == nil {
			c.Golden("rolled", "no copies\n")
			return
		}
		c.Golden("rolled", l.Region.Fn.String())
		v := rerolled(r, u, pass.Refuse("test", nil, "nothing to compare with"), Options{Verify: true})
		if v == nil {
			t.Fatal(errors.New("no kernel"))
		}
		var text strings.Builder
		for _, b := range v.Kernel.Bounds {
			fmt.Fprintf(&text, "%v <= %v + t*%d < %v\n", b.Lo, b.Start, b.Step, b.Hi)
		}
		for _, o := range v.Kernel.Overlaps {
			fmt.Fprintf(&text, "distance of %s from %s: %d %d %v\n", r.Fn.Params[o.B.Param].Name, r.Fn.Params[o.A.Param].Name, o.Lo, o.Hi, o.Disjoint)
		}
		c.Golden("asked", text.String())
		stats, err := vectest.Compare(r, v.Kernel, 1, 60, 24)
		if err != nil {
			t.Fatalf("%v\n%s", err, v.Kernel.Fn)
		}
		if stats.Vector == 0 {
			t.Errorf("the kernel never did anything: %+v", stats)
		}
	})
}
