package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/differ"
	"github.com/lanewise/lanewise/internal/randloop"
)

// mostReduced is how many failures of one batch are made small. More of them have the same
// cause, as a rule. What is slow would be made small very slowly.
const mostReduced = 3

// pursue writes a file for each failure: small ones for the first few.
func (h *hunt) pursue(ctx context.Context, j *job, fs []differ.Failure) {
	for i, f := range fs {
		fmt.Printf("%s seed %d, %s: %s\n%s\n", j.class, j.seed, f.Part, f.Kind, indented(f.Text))
		s := small{text: randloop.Source("hunted", named(j.functions, f.Part)), failure: f}
		if i < mostReduced && !h.whole && f.Kind != differ.Slow {
			reduced, err := h.shrink(ctx, j, f)
			if err == nil {
				s = reduced
			} else {
				fmt.Printf("not reduced: %v\n", err)
			}
		}
		path, err := h.file(j, f.Part, s)
		if err != nil {
			fmt.Fprintln(os.Stderr, "hunt:", err)
			continue
		}
		fmt.Printf("written to %s\n", path)
	}
}

// named is the function of that name, or all of them.
func named(fs []randloop.Function, name string) []randloop.Function {
	for i, f := range fs {
		if f.Name == name {
			return fs[i : i+1]
		}
	}
	return fs
}

// file writes a failure in the form of the file tests of testdata/semantics. Somebody has to
// give it a name and say what it is about.
func (h *hunt) file(j *job, part string, s small) (path string, err error) {
	if err := os.MkdirAll(h.found, 0o777); err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s-%d-%s", j.class, j.seed, strings.TrimPrefix(part, "f"))
	path = filepath.Join(h.found, name+".txtar")
	_, text, _ := strings.Cut(s.text, "\n")
	if s.result != nil {
		text = wanting(text, s.result.Remarks)
	}
	return path, os.WriteFile(path, fmt.Appendf(nil, "Found by hunting (%s, seed %d, function %s): %s.\n\n%s\n\n-- x.go --\npackage %s\n%s",
		j.class, j.seed, part, s.failure.Kind, indented(s.failure.Text), strings.ReplaceAll(name, "-", ""), text), 0o666)
}

// wanting adds comments with the verdicts. The text is that of a part behind a header of
// two lines.
func wanting(text string, remarks []diag.Remark) string {
	lines := strings.Split(text, "\n")
	for _, r := range remarks {
		want := ""
		switch r.Kind {
		case diag.Passed:
			want = "vectorized: "
		case diag.Missed:
			want = r.ID
		}
		if i := r.Pos.Line - headerLines - 1; want != "" && 0 <= i && i < len(lines) {
			if !strings.Contains(lines[i], "// want") {
				lines[i] += " // want"
			}
			lines[i] += fmt.Sprintf(" `%s`", want)
		}
	}
	return strings.Join(lines, "\n")
}

// headerLines are those before the text of the first part.
const headerLines = 2

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
