package decide

import (
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFunc shows functions before and behind.
func TestFunc(t *testing.T) {
	filetest.Run(t, "../../testdata/decide/*.txtar", func(t *testing.T, c *filetest.Case) {
		f, err := parse.Func(c.Section("in.vir"))
		if err != nil {
			t.Fatal(err)
		}
		Func(f, func() bool { return true })
		if err := verify.Func(f); err != nil {
			t.Error(err)
		}
		c.Golden("out", f.String())
	})
}
