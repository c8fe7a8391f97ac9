package upfront_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/upfront"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles shows what becomes of regions, and the bounds; nothing of loops without such conditions.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/upfront/*.txtar", func(t *testing.T, c *filetest.Case) {
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		before := r.Fn.String()
		var sb strings.Builder
		if onwards, bounds := upfront.Split(r); onwards != nil {
			if err := verify.Func(onwards.Fn); err != nil {
				t.Fatal(err)
			}
			sb.WriteString(onwards.Fn.String())
			for _, b := range bounds {
				fmt.Fprintf(&sb, "%s <= %s < %s\n", b.Lo, b.Start, b.Hi)
			}
		}
		c.Golden("onwards", sb.String())
		if r.Fn.String() != before {
			t.Error("the region has changed")
		}
	})
}
