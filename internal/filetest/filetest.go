// Package filetest runs tests that are text files in the txtar format: a
// comment that says why the case exists, then sections with input and expected
// output. It must not know what is being tested.
//
// The comment may hold lines "flags: word ..." for the test and "test: command"
// for Commands; the rest is the sentence, and a file without one fails.
//
// With -update on the command line of the test, golden sections are rewritten
// instead of compared.
package filetest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/internal/tree"
)

var update = flag.Bool("update", false, "rewrite the expectations of file tests")

// Update reports whether expectations are being rewritten.
func Update() bool { return *update }

// A Case is one test file.
type Case struct {
	Path    string
	Comment string   // why the case exists
	Flags   []string // words of all flags lines
	Command string   // of the test line; empty without one

	t       testing.TB
	archive *txtar.Archive
	changed bool
}

// Run calls run in a subtest for every file that matches the pattern, in order
// of names. A pattern without any file is a failure.
func Run(t *testing.T, pattern string, run func(t *testing.T, c *Case)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c := newCase(t, path, text)
			if c.Comment == "" {
				t.Fatalf("%s does not say why it exists", path)
			}
			run(t, c)
			c.write()
		})
	}
}

// Commands runs each file by the function that its test line names.
type Commands map[string]func(t *testing.T, c *Case)

// Run runs the files that match the pattern.
func (m Commands) Run(t *testing.T, pattern string) {
	t.Helper()
	Run(t, pattern, func(t *testing.T, c *Case) {
		run := m[c.Command]
		if run == nil {
			t.Fatalf("%s: unknown command %q", c.Path, c.Command)
		}
		run(t, c)
	})
}

func newCase(t testing.TB, path string, text []byte) *Case {
	c := &Case{Path: path, t: t, archive: txtar.Parse(text)}
	var why []string
	for line := range strings.Lines(string(c.archive.Comment)) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "flags:"); ok {
			c.Flags = append(c.Flags, strings.Fields(s)...)
		} else if s, ok := strings.CutPrefix(line, "test:"); ok {
			c.Command = strings.TrimSpace(s)
		} else if line != "" {
			why = append(why, line)
		}
	}
	c.Comment = strings.Join(why, "\n")
	return c
}

// Flag reports whether word is among the flags.
func (c *Case) Flag(word string) bool { return slices.Contains(c.Flags, word) }

// Names lists the sections in file order.
func (c *Case) Names() []string {
	var names []string
	for _, f := range c.archive.Files {
		names = append(names, f.Name)
	}
	return names
}

// Has reports whether there is a section of that name.
func (c *Case) Has(name string) bool { return c.find(name) >= 0 }

// Section is the text of a section, which must exist.
func (c *Case) Section(name string) string {
	c.t.Helper()
	i := c.find(name)
	if i < 0 {
		c.t.Fatalf("%s: no section %q", c.Path, name)
	}
	return string(c.archive.Files[i].Data)
}

func (c *Case) find(name string) int {
	return slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
}

// Golden compares got with the section of that name; with -update it becomes
// the section.
func (c *Case) Golden(name, got string) {
	c.t.Helper()
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	i := c.find(name)
	if *update {
		if i < 0 {
			i = len(c.archive.Files)
			c.archive.Files = append(c.archive.Files, txtar.File{Name: name})
		}
		c.changed = c.changed || string(c.archive.Files[i].Data) != got
		c.archive.Files[i].Data = []byte(got)
		return
	}
	want := ""
	if i >= 0 {
		want = string(c.archive.Files[i].Data)
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		c.t.Errorf("%s: section %q differs (-want +got)\n%s\nto accept: %s -update", c.Path, name, d, c.command())
	}
}

// command is what to type to run this case alone.
func (c *Case) command() string {
	var parts []string
	for s := range strings.SplitSeq(c.t.Name(), "/") {
		parts = append(parts, "^"+s+"$")
	}
	return "go test " + packageDir() + " -run '" + strings.Join(parts, "/") + "'"
}

// packageDir is the working directory relative to the module's, as go test wants it.
func packageDir() string {
	root, err := tree.Root()
	if err != nil {
		return "."
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

func (c *Case) write() {
	if !c.changed || c.t.Failed() {
		return
	}
	if err := os.WriteFile(c.Path, txtar.Format(c.archive), 0o666); err != nil {
		c.t.Error(err)
	}
}
