package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestRoutines outlines the functions of section "in" at level Size, with guessed sizes,
// and prints the routines with what they save and the functions that call them.
func TestRoutines(t *testing.T) {
	filetest.Run(t, "../../testdata/outline/routine-*.txtar", func(t *testing.T, c *filetest.Case) {
		fs, err := parse.Funcs(c.Section("in"))
		if err != nil {
			t.Fatal(err)
		}
		level := Size
		if c.Flag("merge") {
			level = Merge
		}
		out, err := Routines(fs, Options{Level: level, Measure: Rough})
		if err != nil {
			t.Fatal(err)
		}
		var sb strings.Builder
		for _, r := range out.Routines {
			fmt.Fprintf(&sb, "// %d places, %d bytes less\n%s", r.Places, r.Gain, r.Fn)
			valid(t, r.Fn)
		}
		for _, f := range out.Funcs {
			sb.WriteString(f.String())
			valid(t, f)
		}
		c.Golden("out", sb.String())
	})
}

func valid(t *testing.T, f *vir.Func) {
	t.Helper()
	if err := verify.Func(f); err != nil {
		t.Errorf("%v\n%s", err, f)
	}
}
