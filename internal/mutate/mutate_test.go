package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMutationsApply keeps the list in step with the code: every old text stands in its file once, and
// every test is of a package that exists.
func TestMutationsApply(t *testing.T) {
	all, err := readMutations("mutations")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 60 {
		t.Errorf("only %d mutations", len(all))
	}
	seen := make(map[string]string)
	for _, m := range all {
		if at, ok := seen[m.name]; ok {
			t.Errorf("%s: %s is also at %s", m.at, m.name, at)
		}
		seen[m.name] = m.at
		source, err := os.ReadFile(filepath.Join("..", "..", m.file))
		if err != nil {
			t.Errorf("%s: %v", m.at, err)
			continue
		}
		if _, err := m.apply(string(source)); err != nil {
			t.Error(err)
		}
		for _, args := range m.tests {
			p := strings.Fields(args)[0]
			if tests, _ := filepath.Glob(filepath.Join("..", "..", p, "*_test.go")); len(tests) == 0 || !strings.HasPrefix(p, "./") {
				t.Errorf("%s: no tests in %s", m.at, p)
			}
		}
	}
}

const list = `# about lists
== swapped-operands
The difference has
the wrong sign.
file: a/b.go
 	x := f()
-	return x - y
+	return y - x
test: ./a -run One
test: ./b
`

func TestParse(t *testing.T) {
	all, err := parseMutations("list.txt", list)
	if err != nil {
		t.Fatal(err)
	}
	m := all[0]
	if len(all) != 1 || m.name != "swapped-operands" || m.what != "The difference has the wrong sign." || m.file != "a/b.go" ||
		len(m.hunk) != 3 || !slices.Equal(m.tests, []string{"./a -run One", "./b"}) || m.at != "list.txt:2" {
		t.Errorf("got %+v", m)
	}
	for _, bad := range []string{
		"what\n",
		strings.Replace(list, "test: ./a -run One\ntest: ./b\n", "", 1),
		strings.Replace(list, "file: a/b.go\n", "", 1),
		strings.Replace(list, "test: ./b", "tests: ./b", 1),
	} {
		if _, err := parseMutations("list.txt", bad); err == nil {
			t.Errorf("accepted:\n%s", bad)
		}
	}
}

func TestApply(t *testing.T) {
	all, err := parseMutations("list.txt", list)
	if err != nil {
		t.Fatal(err)
	}
	m := all[0]
	for _, c := range []struct{ source, want string }{
		{"func f() {\n\t\tx := f()\n\t\treturn x - y\n}\n", "func f() {\n\tx := f()\n\treturn y - x\n}\n"},
		{"\treturn x - y\n", ""},
		{"x := f()\n\nreturn x - y\n", ""},
		{"x := f()\nreturn x - y\nx := f()\nreturn x - y\n", ""},
	} {
		if got, err := m.apply(c.source); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: got %q, %v", c.source, got, err)
		}
	}
	same := *m
	same.hunk = []string{"- a + b", "+ a+b // sum"}
	if _, err := same.apply("a + b"); err == nil {
		t.Error("a mutation may change nothing")
	}
}

// TestJudge tells what catches a mutation from what only looks like it.
func TestJudge(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, c := range []struct {
		out  string
		err  error
		want verdict
		by   string
	}{
		{"ok  \tm/a\t0.1s\n", nil, survived, ""},
		{"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.1s)\n    --- FAIL: TestA/c (0.1s)\nFAIL\nFAIL\tm/a\t0.1s\nFAIL\n", exit, caught, "TestA/b"},
		{"panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nFAIL\tm/a\t0.1s\nFAIL\n", exit, caught, "panic: runtime error: index out of range"},
		{"panic: test timed out after 10s\n\trunning tests:\nFAIL\tm/a\t10s\nFAIL\n", exit, hung, ""},
		{"", context.DeadlineExceeded, hung, ""},
		{"# m/a\na.go:1:1: undefined: x\nFAIL\tm/a [build failed]\nFAIL\n", exit, invalid, "the test does not compile: FAIL"},
		{"ok  \tm/a\t0.1s [no tests to run]\n", nil, invalid, "no tests: ok  \tm/a\t0.1s [no tests to run]"},
		{"?   \tm/a\t[no test files]\n", nil, invalid, "no tests: ?   \tm/a\t[no test files]"},
		{"flag provided but not defined: -runs\n", exit, invalid, "go test: flag provided but not defined: -runs"},
	} {
		if got := judge(c.out, c.err); got.verdict != c.want || got.by != c.by {
			t.Errorf("%q: %v by %q, want %v by %q", c.out, got.verdict, got.by, c.want, c.by)
		}
	}
}

// TestScore fails when one survives or says nothing, and prints who caught the others.
func TestScore(t *testing.T) {
	all := []*mutation{{name: "a", file: "a.go", what: "wrong"}, {name: "b"}}
	for _, c := range []struct {
		first result
		want  string
		ok    bool
	}{
		{result{verdict: caught, args: "./backend/native", by: "TestA"}, "score: 2 of 2 caught, 1 of them by a hang", true},
		{result{verdict: survived}, "score: 1 of 2 caught", false},
		{result{verdict: invalid, by: "does not compile"}, "score: 1 of 2 caught", false},
	} {
		var sb strings.Builder
		err := score(t.Context(), &sb, all, parallel(2, all, func(m *mutation) result {
			if m.name == "a" {
				return c.first
			}
			return result{verdict: hung, args: "./internal/randloop", by: "TestB"}
		}))
		if !strings.Contains(sb.String(), c.want) || (err == nil) != c.ok {
			t.Errorf("%v: %v\n%s", c.first, err, sb.String())
		}
	}
}
