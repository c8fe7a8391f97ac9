package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/internal/tree"
	"github.com/lanewise/lanewise/vectorize/outline"
)

var transplants = flag.String("transplant", "", "packages of the standard library for TestTransplants, by spaces")

// TestTransplants compares twins with their originals in copies of packages of the standard
// library, for those that build elsewhere. It runs on demand:
//
//	go test ./internal/survey -run Transplants -v -timeout 60m -transplant 'sort hash/fnv image/draw'
func TestTransplants(t *testing.T) {
	if *transplants == "" {
		t.Skip("names no packages")
	}
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	m := &module{dir: t.TempDir(), copied: make(map[string]error)}
	if err := tree.Use(root, m.dir, transplanted); err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(*transplants) {
		if err := m.copy(path); err != nil {
			t.Logf("%s: stays where it is: %v", path, err)
			continue
		}
		if out, err := m.run("build", "./"+path); err != nil {
			t.Logf("%s: does not build elsewhere: %.300s", path, out)
			continue
		}
		t.Run(path, func(t *testing.T) { m.test(t, path) })
	}
}

// A module has copies of packages.
type module struct {
	dir    string
	copied map[string]error
}

const transplanted = "example.com/transplants"

func (m *module) run(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	return cmd.CombinedOutput()
}

// copy copies a package and the internal ones that it imports.
func (m *module) copy(path string) (err error) {
	if err, done := m.copied[path]; done {
		return err
	}
	defer func() { m.copied[path] = err }()
	cmd := exec.Command("go", "list", "-tags=purego", "-json=Dir,GoFiles,SFiles,CgoFiles,Imports,EmbedFiles", path)
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var p struct {
		Dir                                            string
		GoFiles, SFiles, CgoFiles, Imports, EmbedFiles []string
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return err
	}
	if len(p.SFiles)+len(p.CgoFiles)+len(p.EmbedFiles) > 0 {
		return fmt.Errorf("it has files of other languages")
	}
	for _, imp := range p.Imports {
		if inner(imp) {
			if err := m.copy(imp); err != nil {
				return fmt.Errorf("%s: %w", imp, err)
			}
		}
	}
	dir := filepath.Join(m.dir, path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range p.GoFiles {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		for _, imp := range p.Imports {
			if inner(imp) {
				src = bytes.ReplaceAll(src, []byte(`"`+imp+`"`), []byte(`"`+transplanted+"/"+imp+`"`))
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// inner reports whether nobody else may import a package.
func inner(path string) bool {
	return strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/")
}

// test generates twins of all functions with loops, and tests, and runs those.
func (m *module) test(t *testing.T, path string) {
	c := Config{}
	c.Dir, c.Patterns, c.Every, c.Outline, c.Tests = m.dir, []string{"./" + path}, frontend.Loops, outline.Merge, true
	s := &surveyor{sum: &Summary{}}
	err := generate.Each(context.Background(), c.Config, func(o *generate.Outcome) error {
		for _, e := range o.Errors {
			t.Error(e)
		}
		s.verdicts(o)
		s.count(o)
		return generate.Write(o.Files)
	})
	if err != nil {
		t.Fatal(err)
	}
	ran, endless := m.runTests(t, path)
	t.Logf("%d twins tested, %d originals do not return", ran, endless)
	t.Logf("%d loops and %d pieces of straight-line code vectorized, of %d loops", s.sum.Loop.Vectorized, s.sum.Straight.Vectorized, s.sum.Loops)
}

// runTests runs the tests of twins one by one: functions that were not written for any argument may
// run for ever.
func (m *module) runTests(t *testing.T, path string) (ran, endless int) {
	binary := filepath.Join(m.dir, path, "twins.test")
	if out, err := m.run("test", "-c", "-o", binary, "./"+path); err != nil {
		t.Errorf("%.3000s", out)
		return
	}
	if _, err := os.Stat(binary); err != nil {
		return // nothing to test
	}
	list, err := exec.Command(binary, "-test.list", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(list)) {
		if !strings.HasPrefix(name, "Test") {
			continue
		}
		cmd := exec.Command(binary, "-test.run", "^"+name+"$", "-test.timeout", "5m")
		cmd.Dir = filepath.Join(m.dir, path)
		out, err := cmd.CombinedOutput()
		switch {
		case err == nil:
			ran++
		case bytes.Contains(out, []byte("does not return")), bytes.Contains(out, []byte("test timed out")), bytes.Contains(out, []byte("stack overflow")):
			endless++
			t.Logf("%s does not return", name)
		default:
			t.Errorf("%s: %.3000s", name, out)
		}
	}
	return ran, endless
}
