//go:build amd64 && unix

package contract_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
)

var (
	also = flag.String("also", "", "functions of other places, too: examples, semantics, fixedbugs, or several with commas; takes minutes")
	keep = flag.Bool("keep", false, "leave what is generated in testdata")
)

var build struct {
	once sync.Once
	dir  string
	exes map[string]string // by how they are built
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if build.dir != "" && !*keep {
		os.RemoveAll(build.dir)
	}
	os.Exit(code)
}

// program generates the twins and builds the checks, once for all tests.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	build.once.Do(func() {
		build.dir = filetest.Scratch(t, true) // for all tests: see TestMain
		generated(t, build.dir)
		build.exes = map[string]string{}
	})
	exe := compile(t, "")
	if exe == "" {
		t.Fatal("the program with the checks could not be built")
	}
	return exe
}

// compile builds the checks in one of several ways, each once; "" if that fails.
func compile(t *testing.T, env string, flags ...string) string {
	t.Helper()
	key := env + strings.Join(flags, "")
	if exe := build.exes[key]; exe != "" {
		return exe
	}
	exe := filepath.Join(build.dir, fmt.Sprintf("checks%d.exe", len(build.exes)))
	args := append(append([]string{"test", "-c", "-o", exe}, flags...), "./checks")
	if _, ok := command(t, env, "go", args...); !ok {
		return ""
	}
	build.exes[key] = exe
	return exe
}

// command runs a program in the scratch folder with one more environment variable, or
// none, and fails the test with its output when it fails.
func command(t *testing.T, env, exe string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = build.dir, append(os.Environ(), env)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s %s: %v\n%s", env, filepath.Base(exe), strings.Join(args, " "), err, text)
	}
	return string(text), err == nil
}

// run runs one check and returns what it has seen.
func run(t *testing.T, check string) map[string]int {
	t.Helper()
	exe := program(t)
	out, _ := command(t, "", exe, "-test.timeout=60m", "-test.run=^"+check+"$")
	seen := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^count `+check+`: (.*) (\d+)$`).FindAllStringSubmatch(out, -1) {
		seen[m[1]], _ = strconv.Atoi(m[2])
	}
	var sb strings.Builder
	for _, line := range strings.Split(out, "\n") {
		if strings.HasPrefix(line, "count ") && !strings.Contains(line, " of ") && !strings.Contains(line, " in ") {
			fmt.Fprintln(&sb, line)
		}
	}
	t.Log(sb.String())
	return seen
}

func atLeast(t *testing.T, seen map[string]int, what string, n int) {
	t.Helper()
	if seen[what] < n {
		t.Errorf("%d %s, want %d at least: the check sees too little", seen[what], what, n)
	}
}
