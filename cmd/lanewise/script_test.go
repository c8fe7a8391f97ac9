package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lanewise/lanewise/internal/tree"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lanewise": main})
}

// TestScripts runs testdata/script. Every script works in a module of its own
// that finds lanewise in this tree.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("scripts build and test packages")
	}
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	env := goEnv(t, "GOMODCACHE", "GOCACHE", "GOPATH", "GOROOT")
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join(root, "testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Vars = append(e.Vars, "GOFLAGS=-mod=mod", "GOPROXY=off", "GONOSUMDB=*", "GOTOOLCHAIN=local", "GOWORK=off")
			return writeModule(root, e.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"go": goCommand},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// goCommand runs the go command: "go vet .", "! go build .".
func goCommand(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("go", args...)
	if err != nil && !neg {
		ts.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	if err == nil && neg {
		ts.Fatalf("go %s: no error", strings.Join(args, " "))
	}
}

func goEnv(t *testing.T, names ...string) (vars []string) {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		vars = append(vars, names[i]+"="+v)
	}
	return vars
}

// writeModule makes dir a module that uses lanewise.
func writeModule(root, dir string) error {
	return tree.Use(root, dir, "example.com/m", "tool github.com/lanewise/lanewise/cmd/lanewise")
}

func TestUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{"-bogus"},
		{"-remarks=some"},
		{"-check", "-n"},
		{"-json", "-n"},
		{"-dump=nothing"},
		{"-limit=loopvec"},
		{"-limit=nothing:3"},
	} {
		var stderr strings.Builder
		if code := run(context.Background(), args, io.Discard, &stderr); code != exitUsage {
			t.Errorf("%v: exit code %d, want %d", args, code, exitUsage)
		}
		if !strings.Contains(stderr.String(), "usage: lanewise") {
			t.Errorf("%v: standard error %q shows no usage", args, stderr.String())
		}
	}
}

func TestHelpIsNoError(t *testing.T) {
	var stderr strings.Builder
	if code := run(context.Background(), []string{"-h"}, io.Discard, &stderr); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}
