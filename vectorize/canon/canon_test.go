package canon_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/canon"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles shows the conditions of inner loops as they become, and the bounds.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/canon/*.txtar", func(t *testing.T, c *filetest.Case) {
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{Pass: "none"})
		if err := canon.Run(u); err != nil {
			t.Fatal(err)
		}
		if err := verify.Func(u.Func()); err != nil {
			t.Fatal(err)
		}
		var sb strings.Builder
		sb.WriteString(u.Func().String())
		for _, b := range u.Bounds {
			fmt.Fprintf(&sb, "%s <= %s + t*%d < %s\n", b.Lo, b.Start, b.Step, b.Hi)
		}
		c.Golden("canonical", sb.String())
	})
}
