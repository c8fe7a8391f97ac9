//go:build amd64 && unix

package contract_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// Loops that stay scalar on purpose, by the names of their functions.
var scalar = []string{"sumDoubles"}

// generated copies the packages with loops, generates their twins, and writes the
// program that checks them.
func generated(t *testing.T, dir string) {
	packages := []string{"loops", "panics"}
	for _, name := range packages {
		copyGo(t, filepath.Join("testdata", name), filepath.Join(dir, name))
	}
	own := len(packages)
	packages = append(packages, fileTests(t, dir)...)
	c := generate.Config{Dir: dir, Tests: true, Outline: outline.Merge}
	for _, name := range packages {
		c.Patterns = append(c.Patterns, "./"+name)
	}
	res, err := generate.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Error(e)
	}
	for _, r := range res.Remarks {
		name, _, _ := strings.Cut(filepath.ToSlash(r.Pos.File), "/")
		if r.Kind == diag.Missed && slices.Contains(packages[:own], name) && !slices.Contains(scalar, r.Func) {
			t.Errorf("a loop here has no kernel, so that nothing is shown of it: %s", r)
		}
	}
	if err := generate.Write(res.Files); err != nil {
		t.Fatal(err)
	}
	var with []string
	for _, name := range append(packages, examples(t, dir)...) {
		if list(t, dir, name) {
			with = append(with, name)
		}
	}
	checks(t, dir, with)
}

// copyGo copies Go files, but no tests and nothing generated.
func copyGo(t *testing.T, from, to string) {
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Go files in %s: %v", from, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.Base(file), "vec_") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, filepath.Join(to, filepath.Base(file)), string(text))
	}
}

// examples copies the examples with what is generated, if they are wanted.
func examples(t *testing.T, dir string) (packages []string) {
	if !wanted("examples") {
		return nil
	}
	folders, _ := filepath.Glob("../../examples/*")
	for _, from := range folders {
		to := filepath.Join(dir, "example"+filepath.Base(from))
		files, _ := filepath.Glob(filepath.Join(from, "*.[gs]*"))
		for _, file := range files {
			name := filepath.Base(file)
			if strings.HasSuffix(name, "_test.go") && name != "vec_test.go" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			filetest.Write(t, filepath.Join(to, name), string(text))
		}
		packages = append(packages, filepath.Base(to))
	}
	return packages
}

func wanted(place string) bool { return slices.Contains(strings.Split(*also, ","), place) }

// fileTests copies the sources of file tests of the areas that are wanted.
func fileTests(t *testing.T, dir string) (packages []string) {
	for _, area := range []string{"semantics", "fixedbugs"} {
		cases, _ := filepath.Glob("../../testdata/" + area + "/*.txtar")
		for _, c := range cases {
			a, err := txtar.ParseFile(c)
			if err != nil {
				t.Fatal(err)
			}
			below := slices.ContainsFunc(a.Files, func(f txtar.File) bool { return strings.Contains(f.Name, "/") })
			if below || !wanted(area) {
				continue
			}
			name := area + strings.ReplaceAll(strings.TrimSuffix(filepath.Base(c), ".txtar"), "-", "")
			for _, f := range a.Files {
				if strings.HasSuffix(f.Name, ".go") && !strings.HasSuffix(f.Name, "_test.go") {
					filetest.Write(t, filepath.Join(dir, name, f.Name), string(f.Data))
				}
			}
			packages = append(packages, name)
		}
	}
	return packages
}

var (
	checkCall   = regexp.MustCompile(`twintest\.Check\(t, (\w+), (\w+)((?:, twintest\.\w+\([-\w., ]*\))*)\)`)
	packageName = regexp.MustCompile(`(?m)^package (\w+)`)
	refName     = regexp.MustCompile(`Ref\d*$`)
	depth       = regexp.MustCompile(`Depth\((\d+)\)`)
	bounds      = regexp.MustCompile(`Ints\((-?\d+), (-?\d+)\)`)
)

// list writes the list of the functions of a package, from its generated tests: what
// these compare, with what options. Originals with rounded products are there only
// where there are kernels.
func list(t *testing.T, dir, name string) bool {
	path := filepath.Join(dir, name, "vec_test.go")
	text, err := os.ReadFile(path)
	if err != nil {
		return false // nothing was vectorized
	}
	var twins, refs strings.Builder
	declared := sources(t, filepath.Join(dir, name))
	calls := checkCall.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "twintest.Check("); n != len(calls) {
		t.Errorf("%s: %d of %d functions understood", path, len(calls), n)
	}
	for i, m := range calls {
		want, got, options := m[1], m[2], m[3]
		original := refName.ReplaceAllString(want, "")
		fmt.Fprintf(&twins, "\t{Name: %q, Got: %s", name+"."+got, got)
		if regexp.MustCompile(`func ` + original + `\(`).MatchString(declared) {
			fmt.Fprintf(&twins, ", Original: %s", original)
		}
		for _, o := range []struct{ option, field string }{
			{"Reassoc", "Approx"}, {"Contract", "Approx"}, {"Products", "Approx"}, {"Independent", "Independent"}, {"Exclusive", "Exclusive"},
		} {
			if strings.Contains(options, "twintest."+o.option+"(") {
				fmt.Fprintf(&twins, ", %s: true", o.field)
				if o.field == "Approx" {
					break
				}
			}
		}
		if d := depth.FindStringSubmatch(options); d != nil {
			fmt.Fprintf(&twins, ", Depth: %s", d[1])
		}
		if b := bounds.FindStringSubmatch(options); b != nil {
			fmt.Fprintf(&twins, ", Bounds: &[2]int{%s, %s}", b[1], b[2])
		}
		fmt.Fprintf(&twins, "},\n")
		fmt.Fprintf(&refs, "\tFunctions[%d].Want = %s\n", i, want)
	}
	pkg := packageName.FindStringSubmatch(string(text))[1]
	filetest.Write(t, filepath.Join(dir, name, "functions.go"), fmt.Sprintf(
		"package %s\n\nimport \"github.com/lanewise/lanewise/internal/contract\"\n\nvar Functions = []contract.Function{\n%s}\n", pkg, twins.String()))
	// The tests themselves are of no use here, but their originals are.
	filetest.Write(t, filepath.Join(dir, name, "vec_refs.go"), string(text)+"\nfunc init() {\n"+refs.String()+"}\n")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	return true
}

// sources is the text of all files of a package that are not generated.
func sources(t *testing.T, dir string) string {
	var sb strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		if strings.HasPrefix(filepath.Base(f), "vec_") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sb.Write(text)
	}
	return sb.String()
}

// checks writes the program.
func checks(t *testing.T, dir string, packages []string) {
	var imports, all strings.Builder
	base := "github.com/lanewise/lanewise/internal/contract/testdata/" + filepath.Base(dir) + "/"
	for _, name := range packages {
		fmt.Fprintf(&imports, "\t%s %q\n", name, base+name)
		fmt.Fprintf(&all, "\t%s.Functions,\n", name)
	}
	text := fmt.Sprintf(`package checks

import (
	"os"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/internal/contract"
%s)

var all = slices.Concat(
%s)

func TestMain(m *testing.M) {
	code := m.Run()
	contract.Report(os.Stdout)
	os.Exit(code)
}

func TestSameResult(t *testing.T)   { contract.SameResult(t, all) }
func TestSamePanics(t *testing.T)   { contract.SamePanics(t, all) }
func TestSameReads(t *testing.T)    { contract.SameReads(t, all) }
func TestSameWrites(t *testing.T)   { contract.SameWrites(t, all) }
func TestNoLostWrites(t *testing.T) { contract.NoLostWrites(t, all) }
func TestAnyOverlap(t *testing.T)   { contract.AnyOverlap(t, all) }
func TestDump(t *testing.T)         { contract.Dump(t, os.Stdout, all, os.Getenv("CONTRACT_SIDE")) }
`, imports.String(), all.String())
	filetest.Write(t, filepath.Join(dir, "checks", "checks_test.go"), text)
	filetest.Write(t, filepath.Join(dir, "checks", "checks.go"), "package checks\n")
}
