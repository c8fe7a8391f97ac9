package toolchain

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/internal/tree"
	"github.com/lanewise/lanewise/vectorize/outline"
)

// kernelFile is the name of files with kernels.
const kernelFile = "vec_amd64.s"

// moduleIn makes a folder a module that uses lanewise as a user's would.
func moduleIn(t *testing.T, dir string) {
	t.Helper()
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Use(root, dir, "example.com/m"); err != nil {
		t.Fatal(err)
	}
}

// common is a module that tests share: testdata/kinds as package kinds, as package small
// with as much code shared as can be, and as package whole, where one twin hands all of its
// work to a kernel at once; and testdata/programs.
func common(t *testing.T) (dir string) {
	t.Helper()
	made.Do(func() {
		dir, err := os.MkdirTemp("", "toolchain")
		if err != nil {
			t.Fatal(err)
		}
		made.dir = dir
		moduleIn(t, dir)
		copyFiles(t, filepath.Join("testdata", "programs"), dir)
		for _, name := range []string{"kinds", "small"} {
			copyFiles(t, filepath.Join("testdata", "kinds"), filepath.Join(dir, name))
		}
		generateIn(t, outline.Merge, filepath.Join(dir, "kinds"))
		copyFiles(t, filepath.Join(dir, "kinds"), filepath.Join(dir, "whole"))
		inOneCall(t, filepath.Join(dir, "whole", "vec_amd64.go"))
		generateIn(t, outline.Size, filepath.Join(dir, "small"))
		made.complete = true
	})
	if !made.complete {
		t.Fatal("there are no kernels to test")
	}
	return made.dir
}

var made struct {
	sync.Once
	dir      string
	complete bool
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if err := os.RemoveAll(made.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// inOneCall takes the pieces out of the twin of axpy.
func inOneCall(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	piece := regexp.MustCompile(`for n > 1<<[0-9]+( \{\s+d := 1 << [0-9]+\s+axpyKernel\()`)
	if n := len(piece.FindAll(text, -1)); n != 1 {
		t.Fatalf("the twin of axpy calls its kernel in %d places by pieces", n)
	}
	filetest.Write(t, path, piece.ReplaceAllString(string(text), "for n > 1<<62$1"))
}

func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// generateIn writes the twins of packages of one module.
func generateIn(t *testing.T, level outline.Level, folders ...string) {
	t.Helper()
	c := generate.Config{Dir: folders[0], Patterns: folders, Outline: level, Passes: generate.PassOptions{Guess: level == outline.Size}}
	res, err := generate.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Fatal(e)
	}
	if err := generate.Write(res.Files); err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := os.Stat(filepath.Join(f, kernelFile)); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a program with more environment variables and returns what it prints; errors
// come with that.
func run(dir string, env []string, args ...string) (output string, err error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local", "GODEBUG=", "LANEWISE=")
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

// mustRun runs a program that must succeed.
func mustRun(t *testing.T, dir string, env []string, args ...string) (output string) {
	t.Helper()
	output, err := run(dir, env, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(append(env, args...), " "), err, output)
	}
	return output
}
