package semantics

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/internal/diag"
)

// A section is a named text of a file test.
type section = txtar.File

// A semantic is one file test: a package of its own below the scratch folder.
type semantic struct {
	path  string
	name  string    // of the package
	files []section // Go source
	tests []section // tests written by hand: sections whose names end in _test.go
	wants []*want
}

// A want is an expected remark.
type want struct {
	file string // relative to the scratch folder
	line int
	expr *regexp.Regexp
	met  bool
}

func (w *want) String() string { return fmt.Sprintf("%s:%d: %s", w.file, w.line, w.expr) }

// readCases reads all files of these folders of testdata that were asked for.
func readCases(t *testing.T, folders ...string) []*semantic {
	var paths []string
	for _, folder := range folders {
		list, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, *files+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, list...)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", *files)
	}
	var cases []*semantic
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		cases = append(cases, c)
	}
	return cases
}

func readCase(path string) (*semantic, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a := txtar.Parse(text)
	if len(strings.TrimSpace(string(a.Comment))) == 0 {
		return nil, fmt.Errorf("the file does not say why it exists")
	}
	name := strings.TrimSuffix(filepath.Base(path), ".txtar")
	c := &semantic{path: path, name: strings.ReplaceAll(name, "-", "")}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, "_test.go") {
			c.tests = append(c.tests, f)
			continue
		}
		c.files = append(c.files, f)
		ws, err := findWants(filepath.Join(c.name, f.Name), string(f.Data))
		if err != nil {
			return nil, err
		}
		c.wants = append(c.wants, ws...)
	}
	return c, nil
}

var (
	wantComment = regexp.MustCompile("// want ((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\"|\\s*`[^`]*`)+)")
	wantString  = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
)

// findWants reads the want comments of a source file.
func findWants(file, text string) (ws []*want, err error) {
	for i, line := range strings.Split(text, "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			if strings.Contains(line, "// want") {
				return nil, fmt.Errorf("%s:%d: a want comment without a quoted expression", file, i+1)
			}
			continue
		}
		for _, q := range wantString.FindAllString(m[1], -1) {
			s, err := strconv.Unquote(q)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %v", file, i+1, err)
			}
			x, err := regexp.Compile(s)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %v", file, i+1, err)
			}
			ws = append(ws, &want{file: file, line: i + 1, expr: x})
		}
	}
	return ws, nil
}

// matchRemarks compares the verdicts with the want comments.
func matchRemarks(t *testing.T, cases []*semantic, remarks []diag.Remark) {
	t.Helper()
	wants := map[string][]*want{}
	for _, c := range cases {
		for _, w := range c.wants {
			k := fmt.Sprintf("%s:%d", w.file, w.line)
			wants[k] = append(wants[k], w)
		}
	}
	for _, r := range remarks {
		k := fmt.Sprintf("%s:%d", filepath.ToSlash(r.Pos.File), r.Pos.Line)
		i := slices.IndexFunc(wants[k], func(w *want) bool { return !w.met && w.matches(r) })
		if i < 0 && r.Kind == diag.Analysis {
			continue // of these, files name those that they are about
		}
		if i < 0 {
			t.Errorf("unexpected remark: %s", r)
			continue
		}
		wants[k][i].met = true
	}
	for _, c := range cases {
		for _, w := range c.wants {
			if !w.met {
				t.Errorf("no remark: %s", w)
			}
		}
	}
}

// matches looks at the remark without its position.
func (w *want) matches(r diag.Remark) bool {
	_, text, _ := strings.Cut(r.String(), fmt.Sprintf("%s: ", r.Pos))
	return w.expr.MatchString(text)
}

func TestFindWants(t *testing.T) {
	ws, err := findWants("x.go", "a\n\tfor { // want \"one\" `two.`\n// want \"a\\\"b\"\n")
	if err != nil || len(ws) != 3 || ws[1].String() != "x.go:2: two." || ws[2].String() != `x.go:3: a"b` {
		t.Errorf("got %v, %v", ws, err)
	}
	for _, bad := range []string{"// want one", `// want "("`} {
		if ws, err := findWants("x.go", bad); err == nil {
			t.Errorf("%s: got %v", bad, ws)
		}
	}
}

// sorted returns the cases by package name, and fails on two of the same.
func sorted(t *testing.T, cases []*semantic) []*semantic {
	slices.SortFunc(cases, func(a, b *semantic) int { return cmp.Compare(a.name, b.name) })
	for i := 1; i < len(cases); i++ {
		if cases[i].name == cases[i-1].name {
			t.Errorf("%s and %s give the same package", cases[i-1].path, cases[i].path)
		}
	}
	return cases
}
