package vectorize

import (
	"os"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
)

// TestDump prints a case after each pass: DUMP=path go test -run Dump -v.
func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip("DUMP is not set")
	}
	filetest.Run(t, path, func(t *testing.T, c *filetest.Case) {
		_, remarks := Run(corpusRegion(t, c), target.AVX2(), Options{
			Verify: true,
			Dump:   func(pass string, f *vir.Func) { t.Logf("after %s:\n%s", pass, f) },
		})
		for _, r := range remarks {
			t.Logf("%s %v", r, r.Args)
		}
	})
}
