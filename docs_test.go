package lanewise_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// TestLoopsOfDocsAreVectorized generates for every example in docs/loops.md: each
// directive must give a vectorized loop, or the page says what is not so.
func TestLoopsOfDocsAreVectorized(t *testing.T) {
	blocks := blocksOf(t, "docs/loops.md", "go")
	if len(blocks) < 8 {
		t.Fatalf("only %d examples found", len(blocks))
	}
	for _, b := range blocks {
		t.Run(b.heading, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			filetest.Write(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26\n")
			imports := ""
			if strings.Contains(b.code, "math.") {
				imports = "import \"math\"\n\n"
			}
			filetest.Write(t, filepath.Join(dir, "m.go"), "package m\n\n"+imports+b.code)
			res, err := generate.Run(context.Background(), generate.Config{Dir: dir, Outline: outline.Merge, Patterns: []string{"."}})
			if err != nil {
				t.Fatal(err)
			}
			twins := make(map[string]bool)
			for _, r := range res.Remarks {
				switch r.Kind {
				case diag.Passed:
					twins[r.Twin] = true
				case diag.Missed:
					t.Error(r)
				}
			}
			for _, e := range res.Errors {
				t.Error(e)
			}
			if want := strings.Count(b.code, "//vec:func"); len(twins) != want {
				t.Errorf("loops of %d functions vectorized, want %d", len(twins), want)
			}
		})
	}
}

// TestSharedCodeOfDocs generates for the examples in docs/outlining.md: twins that share a
// kernel call it as the page says, and the loop of stencil becomes the instructions there,
// whatever registers they have.
func TestSharedCodeOfDocs(t *testing.T) {
	const page = "docs/outlining.md"
	code := blocksOf(t, page, "go")
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26\n")
	filetest.Write(t, filepath.Join(dir, "m.go"), "package m\n\n"+code[0].code)
	twins := generated(t, dir, outline.Merge, "vec_amd64.go")
	for line := range strings.Lines(code[1].code) {
		if !strings.Contains(twins, line) {
			t.Errorf("not generated: %s", line)
		}
	}
	made := instructions(generated(t, "examples/stencil", outline.Size, "vec_amd64.s"))
	shown := 0
	for _, b := range blocksOf(t, page, "") {
		if !strings.Contains(b.code, "smoothKernelPart") {
			continue
		}
		shown++
		if !strings.Contains(made, instructions(b.code)) {
			t.Errorf("not generated:\n%s", b.code)
		}
	}
	if shown != 2 {
		t.Errorf("%d pieces of assembly in the page, want 2", shown)
	}
}

// generated is the text of a file that is generated in dir, at a level of outlining.
func generated(t *testing.T, dir string, level outline.Level, name string) string {
	t.Helper()
	res, err := generate.Run(context.Background(), generate.Config{Dir: dir, Outline: level, Patterns: []string{"."}})
	if err != nil || len(res.Errors) > 0 {
		t.Fatal(err, res)
	}
	for _, f := range res.Files {
		if filepath.Base(f.Path) == name {
			return string(f.Content)
		}
	}
	t.Fatalf("no %s in %s", name, dir)
	return ""
}

// instructions are the first words of the lines of assembly.
func instructions(asm string) string {
	var sb strings.Builder
	for line := range strings.Lines(asm) {
		if words := strings.Fields(line); len(words) > 0 && strings.HasPrefix(line, "\t") {
			sb.WriteString(words[0] + "\n")
		}
	}
	return sb.String()
}

// A block is a piece of code in a document.
type block struct{ heading, code string }

// blocksOf finds the fenced code of a Markdown file that is marked as of a language.
func blocksOf(t *testing.T, file, language string) []block {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var (
		blocks  []block
		heading string
		inside  bool
		wanted  bool
	)
	for line := range strings.Lines(string(text)) {
		of, fence := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "```")
		switch {
		case fence:
			inside = !inside
			wanted = inside && of == language
			if wanted {
				blocks = append(blocks, block{heading: fmt.Sprintf("%d %s", len(blocks)+1, heading)})
			}
		case wanted:
			blocks[len(blocks)-1].code += line
		case !inside && strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "# "))
		}
	}
	return blocks
}
