package sink_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/sink"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles shows what becomes of regions, nothing where no loop inside stores to one place in each turn.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/sink/*.txtar", func(t *testing.T, c *filetest.Case) {
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{Independent: slices.Contains(c.Flags, "independent")})
		if err != nil {
			t.Fatal(err)
		}
		before := r.Fn.String()
		text := ""
		if l := sink.Split(r); l != nil {
			if err := verify.Func(l.Region.Fn); err != nil {
				t.Fatal(err)
			}
			text = l.Region.Fn.String()
			if l.Turns {
				text += "turns\n"
			}
			for _, o := range l.Apart {
				text += fmt.Sprintf("%s apart from %s\n", r.Fn.Params[o.A.Param].Name, r.Fn.Params[o.B.Param].Name)
			}
		}
		c.Golden("sunk", text)
		if r.Fn.String() != before {
			t.Error("the region has changed")
		}
	})
}
