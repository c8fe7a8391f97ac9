package lanewise_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// TestLoopsOfDocsAreVectorized generates for every example in docs/loops.md: each
// directive must give a vectorized loop, or the page says what is not so.
func TestLoopsOfDocsAreVectorized(t *testing.T) {
	blocks := goBlocks(t, "docs/loops.md")
	if len(blocks) < 8 {
		t.Fatalf("only %d examples found", len(blocks))
	}
	for _, b := range blocks {
		t.Run(b.heading, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "go.mod", "module m\n\ngo 1.26\n")
			write(t, dir, "m.go", "package m\n\n"+b.code)
			res, err := generate.Run(context.Background(), generate.Config{Dir: dir, Outline: outline.Merge, Patterns: []string{"."}})
			if err != nil {
				t.Fatal(err)
			}
			passed := 0
			for _, r := range res.Remarks {
				switch r.Kind {
				case diag.Passed:
					passed++
				case diag.Missed:
					t.Error(r)
				}
			}
			for _, e := range res.Errors {
				t.Error(e)
			}
			if want := strings.Count(b.code, "//vec:func"); passed != want {
				t.Errorf("%d loops vectorized, want %d", passed, want)
			}
		})
	}
}

// A block is a piece of Go in a document.
type block struct{ heading, code string }

// goBlocks finds the fenced Go code of a Markdown file.
func goBlocks(t *testing.T, file string) []block {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var (
		blocks  []block
		heading string
		inside  bool
	)
	for line := range strings.Lines(string(text)) {
		switch {
		case !inside && strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "# "))
		case !inside && line == "```go\n":
			inside = true
			blocks = append(blocks, block{heading: fmt.Sprintf("%d %s", len(blocks)+1, heading)})
		case inside && line == "```\n":
			inside = false
		case inside:
			blocks[len(blocks)-1].code += line
		}
	}
	return blocks
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
