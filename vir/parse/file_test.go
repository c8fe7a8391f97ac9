package parse_test

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// TestFiles prints what it reads from section name.vir and compares it with
// section name; without one the text must come back as it is. Printing is a
// fixpoint in both cases.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/parse/*.txtar", func(t *testing.T, c *filetest.Case) {
		for _, section := range c.Names() {
			name, ok := strings.CutSuffix(section, ".vir")
			if !ok {
				continue
			}
			got := print(c.Section(section))
			if !strings.HasPrefix(got, "error: ") {
				if again := print(got); again != got {
					t.Errorf("%s: print is no fixpoint: %s", name, again)
				}
			}
			if c.Has(name) {
				c.Golden(name, got)
			} else {
				c.Golden(section, got)
			}
		}
	})
}

func print(text string) string {
	if _, err := parse.Func(text); err != nil {
		return "error: " + err.Error()
	}
	fs, err := parse.Funcs(text)
	if err != nil {
		return "error: " + err.Error()
	}
	var sb strings.Builder
	for _, f := range fs {
		sb.WriteString(f.String())
	}
	return sb.String()
}

func TestEveryOperationHasTextForm(t *testing.T) {
	seen := map[vir.Op]bool{vir.OpInvalid: true}
	filetest.Run(t, "../../testdata/parse/ops.txtar", func(t *testing.T, c *filetest.Case) {
		for _, name := range c.Names() {
			fs, err := parse.Funcs(c.Section(name))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fs {
				for v := range f.Values {
					seen[v.Op] = true
				}
			}
		}
	})
	for _, op := range vir.Ops() {
		if !seen[op] {
			t.Errorf("no case for %s", op)
		}
	}
}
