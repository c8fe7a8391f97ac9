package semantics

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanewise/lanewise/frontend/twin"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir/plan"
)

var (
	files = flag.String("files", "*", "run only files of testdata/semantics and testdata/fixedbugs that match")
	keep  = flag.Bool("keep", false, "leave the generated packages in testdata")
)

// TestSemantics generates the package of every file, compares the remarks with
// what the source wants, and runs generated and hand-written tests: with kernels,
// at the scalar level, for a newer CPU, and without assembly.
//
// All tests go into one program, because linking takes longer than they do.
// One file alone: go test ./internal/semantics -files shift-count
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	cases := sorted(t, readCases(t, "semantics", "fixedbugs"))
	dir := filetest.Scratch(t, *keep)
	for _, c := range cases {
		writeFiles(t, filepath.Join(dir, c.name), c.files, func(name string) string { return name })
	}
	matchRemarks(t, cases, generated(t, dir, cases))
	for _, c := range cases {
		importable(t, filepath.Join(dir, c.name), c)
	}
	suite(t, dir, "suite", cases)
	suite(t, dir, "floats", withFloats(cases))
	runSuites(t, dir)
}

func everyOther(r *plan.Region) bool { return len(r.Func)%2 == 0 }

// generated writes the twins of all cases and returns the remarks. In every third case,
// whatever others there are, kernels share as much code as they can. In functions whose
// names have an even number of letters calls of kernels end as soon as they may.
func generated(t *testing.T, dir string, cases []*semantic) (remarks []diag.Remark) {
	usual := generate.Config{Dir: dir, Tests: true, Outline: outline.Merge, Passes: generate.PassOptions{Brief: everyOther}}
	small := generate.Config{Dir: dir, Tests: true, Outline: outline.Size, Passes: generate.PassOptions{Guess: true, Brief: everyOther}}
	for _, c := range cases {
		to := &usual
		if len(c.name)%3 == 0 {
			to = &small
		}
		to.Patterns = append(to.Patterns, "./"+c.name+"/...")
	}
	for _, c := range []generate.Config{usual, small} {
		if len(c.Patterns) == 0 {
			continue // of one case alone
		}
		res, err := generate.Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Errors {
			t.Error(e)
		}
		if err := generate.Write(res.Files); err != nil {
			t.Fatal(err)
		}
		remarks = append(remarks, res.Remarks...)
	}
	return remarks
}

// runSuites builds and runs the programs in all ways. The generated tests try the
// scalar level by themselves. A newer CPU changes floats alone, and those at any length;
// without assembly the twins are Go: tests are short there.
func runSuites(t *testing.T, dir string) {
	command(t, dir, "", "go", "vet", "./...")
	var running sync.WaitGroup
	defer running.Wait()
	run := func(env, exe string, args ...string) {
		running.Go(func() { command(t, dir, env, append([]string{exe, "-test.timeout=9m"}, args...)...) })
	}
	if exe := build(t, dir, "avx2", "suite", ""); exe != "" {
		run("", exe, "-test.run=TestTwins/^[a-m]") // the longest: in two halves, by names of cases
		run("", exe, "-test.run=TestHand|TestTwins/^[^a-m]")
		run("LANEWISE=scalar", exe, "-test.run=TestHand")
	}
	if exe := build(t, dir, "v3", "floats", "GOAMD64=v3"); exe != "" {
		run("", exe, "-test.short")
	}
	if exe := build(t, dir, "purego", "suite", "", "-tags=purego"); exe != "" {
		run("", exe, "-test.short")
	}
}

// build compiles a suite and returns the program; "" if that fails.
func build(t *testing.T, dir, name, suite, env string, flags ...string) (exe string) {
	exe = filepath.Join(dir, name+".exe")
	args := slices.Concat([]string{"go", "test", "-c", "-o", exe}, flags, []string{"./" + suite})
	if !command(t, dir, env, args...) {
		return ""
	}
	return exe
}

// withFloats are the cases with floating-point numbers.
func withFloats(cases []*semantic) (some []*semantic) {
	for _, c := range cases {
		if slices.ContainsFunc(c.files, func(f section) bool {
			return bytes.Contains(f.Data, []byte("float")) || bytes.Contains(f.Data, []byte("complex"))
		}) {
			some = append(some, c)
		}
	}
	return some
}

// command runs a program with one more environment variable, or none, and fails
// the test with its output when it fails.
func command(t *testing.T, dir, env string, args ...string) (ok bool) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", env, strings.Join(args, " "), err, out)
	}
	return err == nil
}

// Tests become ordinary files of their packages, exported for the program that
// runs them all: x_test.go is importable as xcheck.go.
func checkName(name string) string { return strings.TrimSuffix(name, "_test.go") + "check.go" }

// importable adds the hand-written tests and makes the generated ones visible.
func importable(t *testing.T, dir string, c *semantic) {
	writeFiles(t, dir, c.tests, checkName)
	if err := os.Rename(filepath.Join(dir, "vec_test.go"), filepath.Join(dir, checkName("vec_test.go"))); err != nil {
		t.Error(err)
	}
}

func writeFiles(t *testing.T, dir string, files []section, rename func(string) string) {
	for _, f := range files {
		filetest.Write(t, filepath.Join(dir, rename(f.Name)), string(f.Data))
	}
}

// suite writes the test package that runs all tests: those of twins exist in the
// builds that have kernels, those written by hand everywhere.
func suite(t *testing.T, dir, suite string, cases []*semantic) {
	var twins, hand strings.Builder
	for _, c := range cases {
		for _, name := range testsIn(t, filepath.Join(dir, c.name, checkName("vec_test.go"))) {
			fmt.Fprintf(&twins, "\tt.Run(%q, %s.%s)\n", c.name+"/"+name, c.name, name)
		}
		for _, f := range c.tests {
			for _, name := range testsIn(t, filepath.Join(dir, c.name, checkName(f.Name))) {
				fmt.Fprintf(&hand, "\tt.Run(%q, %s.%s)\n", c.name+"/"+name, c.name, name)
			}
		}
	}
	writeFiles(t, filepath.Join(dir, suite), []section{
		{Name: "suite.go", Data: []byte("// Package suite holds the tests of many cases.\npackage suite\n")},
		{Name: "twins_test.go", Data: program(twin.Constraint, "TestTwins", twins.String(), dir, cases)},
		{Name: "hand_test.go", Data: program("", "TestHand", hand.String(), dir, cases)},
	}, func(name string) string { return name })
}

// program is a file with one test function.
func program(constraint, name, body, dir string, cases []*semantic) []byte {
	var sb strings.Builder
	if constraint != "" {
		fmt.Fprintf(&sb, "//go:build %s\n\n", constraint)
	}
	sb.WriteString("package suite\n\nimport (\n\t\"testing\"\n\n")
	for _, c := range cases {
		if strings.Contains(body, ", "+c.name+".") { // other names may end like this one
			fmt.Fprintf(&sb, "\t%s %q\n", c.name, importPath(dir, c.name))
		}
	}
	fmt.Fprintf(&sb, ")\n\nfunc %s(t *testing.T) {\n%s}\n", name, body)
	return []byte(sb.String())
}

func importPath(dir, name string) string {
	return "github.com/lanewise/lanewise/internal/semantics/testdata/" + filepath.Base(dir) + "/" + name
}

// testsIn lists the test functions of a file.
func testsIn(t *testing.T, path string) (names []string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}
