package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOriginals compares every declaration linked by name with the function it
// names: the linker would not notice another signature.
func TestOriginals(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "originals.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	linked := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body != nil {
			continue
		}
		pkg, name := linkTarget(t, f)
		want := exampleSignatures(t, fset, pkg)[name]
		if got := signature(fset, f.Type); got != want {
			t.Errorf("%s is declared as %s, examples/%s.%s is %q", f.Name.Name, got, pkg, name, want)
		}
		linked++
	}
	if linked < 40 {
		t.Errorf("only %d originals found", linked)
	}
}

// linkTarget is the example folder and function that f is linked to.
func linkTarget(t *testing.T, f *ast.FuncDecl) (pkg, name string) {
	t.Helper()
	for _, c := range f.Doc.List {
		if m := regexp.MustCompile(`^//go:linkname \w+ .*/examples/(\w+)\.(\w+)$`).FindStringSubmatch(c.Text); m != nil {
			return m[1], m[2]
		}
	}
	t.Fatalf("%s has no body and no link", f.Name.Name)
	return "", ""
}

// exampleSignatures are the types of the functions of an example, by name.
func exampleSignatures(t *testing.T, fset *token.FileSet, pkg string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(fset, filepath.Join("..", "examples", pkg, pkg+".go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sigs := map[string]string{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			sigs[f.Name.Name] = qualified(signature(fset, f.Type), pkg, file)
		}
	}
	return sigs
}

func signature(fset *token.FileSet, f *ast.FuncType) string {
	var b bytes.Buffer
	printer.Fprint(&b, fset, f)
	return strings.TrimPrefix(b.String(), "func")
}

// TestRowsRun runs every row once at awkward lengths, so that a wrong
// window or length shows as a panic here and not in the middle of a measurement.
func TestRowsRun(t *testing.T) {
	names := map[string]bool{}
	for _, r := range examples() {
		if names[r.name] {
			t.Errorf("two rows named %q", r.name)
		}
		names[r.name] = true
		for _, n := range []int{1, 31, 4096, 65537} {
			cs := r.contenders(n)
			if cs[0].name != "original" || cs[1].name != "twin" {
				t.Fatalf("%s starts with %q and %q", r.name, cs[0].name, cs[1].name)
			}
			for _, c := range cs {
				sample(c, 3)
			}
		}
		for _, c := range r.contenders(0)[:2] {
			sample(c, 3)
		}
	}
}

func TestMeasureTakesMinimum(t *testing.T) {
	calls := 0
	slowAtFirst := contender{call: func() {
		if calls++; calls == 1 {
			time.Sleep(2 * time.Millisecond)
		}
	}}
	if ns := measure([]contender{slowAtFirst}, 3)[0]; ns > 1e5 {
		t.Errorf("measured %v ns for an empty call", ns)
	}
}

func TestWindowStaysInside(t *testing.T) {
	for _, n := range []int{0, 1, 3, 7, 10} {
		w := &window{n: n, size: 10}
		for range 40 {
			if at := w.next(); at < 0 || at+n > 10 {
				t.Fatalf("window of %d at %d leaves 10 elements", n, at)
			}
		}
	}
}

func TestShortCallsThatBranchGetFreshData(t *testing.T) {
	for _, tt := range []struct{ n, size, want int }{
		{20, predictable, predictable},
		{20, unpredictable, endless},
		{20, settling, endless},
		{4096, unpredictable, unpredictable},
		{4096, settling, predictable},
		{1 << 21, settling, 1 << 21},
	} {
		if got := elements(tt.n, tt.size); got != tt.want {
			t.Errorf("%d elements behind calls of %d of a row of %d, want %d", got, tt.n, tt.size, tt.want)
		}
	}
}

func TestSmallLineIsWorstOfMeans(t *testing.T) {
	a, b := make([]float64, longest+1), make([]float64, longest+1)
	a[3], b[3] = 1, 2
	a[9], b[9] = 5, -5
	line := smallLine("row", [][]float64{a, b})
	if got, want := line[len(line)-2:], []string{"+1.5 at 3", "+5.0 at 9"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReplaceKeepsTheRest(t *testing.T) {
	const text = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n"
	got, err := replace([]byte(text), "x", "Title\n\n| new |\n\n")
	if want := "a\n<!-- begin x -->\n| new |\n<!-- end x -->\nb\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := replace([]byte(text), "y", ""); err == nil {
		t.Error("no error for markers that are not there")
	}
}

func TestPatternsHaveTheirDensity(t *testing.T) {
	for i, want := range []float64{0, .01, .02, .05, .2, .5, .8, .99, 1, .01, .2, .5, .8, 1. / 2, 1. / 3} {
		hits := 0
		for _, v := range chosen[uint8](patterns()[i], 1, 0) {
			hits += int(v)
		}
		if got := float64(hits) / endless; got < want-.005 || got > want+.005 {
			t.Errorf("pattern %s has density %v, want %v", patterns()[i].name, got, want)
		}
	}
}

// qualified is a signature with the types that a file declares as others write them.
func qualified(sig, pkg string, file *ast.File) string {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			name := s.(*ast.TypeSpec).Name.Name
			sig = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(sig, pkg+"."+name)
		}
	}
	return sig
}
