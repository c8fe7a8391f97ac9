package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A verdict says what became of a mutation.
type verdict int

const (
	survived verdict = iota // all tests pass
	caught                  // a test failed
	hung                    // a test did not end: caught as well
	invalid                 // it does not compile, or its tests do not say anything
)

func (v verdict) String() string {
	return [...]string{"SURVIVED", "caught", "caught (hang)", "INVALID"}[v]
}

// A result is the verdict with the evidence.
type result struct {
	verdict
	args string // of the go test that failed
	by   string // the test, or what is wrong with the mutation
	took time.Duration
}

// A runner runs go commands on the module.
type runner struct {
	ctx     context.Context // ends all commands
	root    string          // of the module
	scratch string          // for changed files
	timeout time.Duration   // of one go test
}

// try breaks the product in one place and runs tests until one fails.
func (r *runner) try(m *mutation) (res result) {
	start := time.Now()
	defer func() { res.took = time.Since(start).Round(100 * time.Millisecond) }()
	overlay, err := r.overlay(m)
	if err != nil {
		return result{verdict: invalid, by: err.Error()}
	}
	if out, err := r.command(overlay, "build", "./"+path.Dir(m.file)); err != nil {
		return result{verdict: invalid, by: "does not compile: " + strings.TrimSpace(out)}
	}
	for _, args := range m.tests {
		res = judge(r.test(overlay, args, "-count=1"))
		if res.args = args; res.verdict != survived {
			break
		}
	}
	return res
}

// clean runs tests without a mutation: one that fails anyway catches nothing.
func (r *runner) clean(args string) error {
	if res := judge(r.test("", args)); res.verdict != survived {
		return fmt.Errorf("go test %s fails without a mutation, or runs nothing: %s", args, res.by)
	}
	return nil
}

// overlay writes the changed file and what the go command needs to read it.
func (r *runner) overlay(m *mutation) (path string, err error) {
	original := filepath.Join(r.root, filepath.FromSlash(m.file))
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, err := m.apply(string(source))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(r.scratch, m.name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	replacement := filepath.Join(dir, filepath.Base(original))
	if err := os.WriteFile(replacement, []byte(changed), 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: replacement}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o666)
}

// test runs go test. It ends tests that take too long by itself.
func (r *runner) test(overlay, args string, flags ...string) (out string, err error) {
	flags = append(flags, "-vet=off", "-failfast", fmt.Sprintf("-timeout=%s", r.timeout))
	return r.command(overlay, slices.Concat([]string{"test"}, flags, strings.Fields(args))...)
}

// command runs the go command with an overlay, which commands below it see too, or with none.
func (r *runner) command(overlay string, args ...string) (out string, err error) {
	ctx, stop := context.WithTimeout(r.ctx, 2*r.timeout)
	defer stop()
	cmd := exec.CommandContext(ctx, "go", args...)
	together(cmd)
	cmd.Dir, cmd.Env = r.root, os.Environ()
	cmd.WaitDelay = time.Second
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	end(cmd) // what a test has left behind
	return string(text), err
}

var (
	failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	crash   = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*|unexpected fault address .*)$`)
	nothing = regexp.MustCompile(`no tests to run|no test files|no packages to test|matched no packages`)
)

// judge reads what go test printed.
func judge(out string, err error) result {
	timeOut := errors.Is(err, context.DeadlineExceeded) || strings.Contains(out, "panic: test timed out after")
	switch name := deepest(failure.FindAllStringSubmatch(out, -1)); {
	case nothing.MatchString(out):
		return result{verdict: invalid, by: "no tests: " + lastLine(out)}
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		return result{verdict: invalid, by: "the test does not compile: " + lastLine(out)}
	case timeOut:
		return result{verdict: hung, by: name}
	case name != "":
		return result{verdict: caught, by: name}
	case strings.Contains(out, "FAIL"):
		return result{verdict: caught, by: crash.FindString(out)}
	case err != nil || !strings.Contains(out, "ok"):
		return result{verdict: invalid, by: "go test: " + lastLine(out)}
	}
	return result{verdict: survived}
}

// deepest is the first of the names with most slashes.
func deepest(matches [][]string) (name string) {
	for _, m := range matches {
		if name == "" || strings.Count(m[1], "/") > strings.Count(name, "/") {
			name = m[1]
		}
	}
	return name
}

func lastLine(out string) string {
	out = strings.TrimSpace(out)
	return out[strings.LastIndexByte(out, '\n')+1:]
}
