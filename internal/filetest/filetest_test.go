package filetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder is a testing.TB that keeps failures instead of failing.
type recorder struct {
	testing.TB
	msgs []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "TestX/case" }
func (r *recorder) Failed() bool { return len(r.msgs) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.msgs = append(r.msgs, fmt.Sprintf(format, args...))
}

const sample = `Why: because
of that.
flags: -a b
test: echo
-- in --
one
two
-- out --
one
two
`

func TestCaseParts(t *testing.T) {
	c := newCase(t, "x.txtar", []byte(sample))
	if c.Comment != "Why: because\nof that." {
		t.Errorf("comment %q", c.Comment)
	}
	if !c.Flag("-a") || !c.Flag("b") || c.Flag("a") || c.Command != "echo" {
		t.Errorf("flags %q, command %q", c.Flags, c.Command)
	}
	if c.Section("in") != "one\ntwo\n" || !c.Has("out") || c.Has("err") || len(c.Names()) != 2 {
		t.Errorf("sections %q", c.Names())
	}
}

func TestGoldenShowsDiffAndCommand(t *testing.T) {
	r := &recorder{TB: t}
	c := newCase(r, "x.txtar", []byte(sample))
	c.Golden("out", "one\ntwo")
	if len(r.msgs) != 0 {
		t.Errorf("equal text fails: %s", r.msgs)
	}
	c.Golden("out", "one\n2\n")
	c.Golden("missing", "text")
	if len(r.msgs) != 2 {
		t.Fatalf("got %d failures, want 2: %q", len(r.msgs), r.msgs)
	}
	for _, want := range []string{`"two"`, `"2"`, "go test ./internal/filetest -run '^TestX$/^case$' -update"} {
		if !strings.Contains(r.msgs[0], want) {
			t.Errorf("no %s in:\n%s", want, r.msgs[0])
		}
	}
}

func TestUpdateRewritesFile(t *testing.T) {
	defer func(old bool) { *update = old }(*update)
	path := filepath.Join(t.TempDir(), "x.txtar")
	if err := os.WriteFile(path, []byte(sample), 0o666); err != nil {
		t.Fatal(err)
	}
	echo := func(t *testing.T, c *Case) {
		c.Golden("out", strings.ToUpper(c.Section("in")))
		c.Golden("new", "x")
	}
	*update = true
	Commands{"echo": echo}.Run(t, path)
	*update = false
	Commands{"echo": echo}.Run(t, path)
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(sample, "-- out --\none\ntwo\n", "-- out --\nONE\nTWO\n-- new --\nx\n", 1)
	if string(got) != want {
		t.Errorf("got:\n%s", got)
	}
}
