package privatize_test

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/privatize"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles shows what becomes of regions, nothing where no variable is reduced by itself.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/privatize/*.txtar", func(t *testing.T, c *filetest.Case) {
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{Reassoc: slices.Contains(c.Flags, "reassoc")})
		if err != nil {
			t.Fatal(err)
		}
		before := r.Fn.String()
		text := ""
		if private, _ := privatize.Split(r); private != nil {
			if err := verify.Func(private.Fn); err != nil {
				t.Fatal(err)
			}
			text = private.Fn.String()
		}
		c.Golden("private", text)
		if r.Fn.String() != before {
			t.Error("the region has changed")
		}
	})
}
