package twintest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Some functions make as much memory as their arguments say, or call themselves as often: with arguments that
// are made up that may end the process. Their tests run in processes of their own, one after the other, each
// from where the last one ended; if that was in the original, the twin has nothing to do with it.

// Apart says that the functions may end the process with arguments that are made up: by taking all
// memory, or by calling themselves without end. They are called in a process of their own.
func Apart() Option { return func(c *config) { c.apart = true } }

// In the environment of such a process: the file it reports to, which call of Check in the test that is, and the
// case it begins with.
const (
	reportEnv = "TWINTEST_REPORT"
	checkEnv  = "TWINTEST_CHECK"
	fromEnv   = "TWINTEST_FROM"
)

const (
	mostEnds    = 8        // processes that may end before the rest of the cases is left out
	mostMemory  = 2 << 30  // bytes that a process may take more than it has
	mostStack   = 64 << 20 // bytes of calls inside of calls
	beforeCases = -1       // in place of a case: the calls before the first one
)

// checks counts calls of Check by the names of their tests.
var checks = struct {
	sync.Mutex
	byTest map[string]int
}{byTest: map[string]int{}}

func nextCheck(test string) string {
	checks.Lock()
	defer checks.Unlock()
	checks.byTest[test]++
	return strconv.Itoa(checks.byTest[test])
}

// A report is what a process tells of itself, anew at every step.
type report struct {
	Case       int  // that is tried
	InOriginal bool // that is called
	Done       bool
	Ending     ending
	Logs       []string
}

// A reporter writes reports; nil writes none.
type reporter struct {
	file *os.File
	report
}

func (r *reporter) tell() {
	text, err := json.Marshal(r.report)
	if err == nil {
		_, err = r.file.WriteAt(append(text, '\n'), 0) // what is behind the line is older
	}
	if err != nil {
		panic(fmt.Sprintf("twintest: %v", err))
	}
}

func (r *reporter) tries(tc testCase) {
	if r != nil {
		r.Case = tc.id
	}
}

func (r *reporter) calls(original bool) {
	if r != nil {
		r.InOriginal = original
		r.tell()
	}
}

// checkApart runs the check in other processes, or is such a process; false if it has to be done here.
func (c *checker) checkApart(t testing.TB) bool {
	t.Helper()
	name, nth := os.Getenv(reportEnv), nextCheck(t.Name())
	if name == "" {
		return c.runApart(t, nth)
	}
	if nth != os.Getenv(checkEnv) {
		return true
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.from, err = strconv.Atoi(os.Getenv(fromEnv)); err != nil {
		t.Fatalf("%s: %v", fromEnv, err)
	}
	limitMemory(mostMemory)
	debug.SetMaxStack(mostStack)
	c.reporter = &reporter{file: file, report: report{Case: beforeCases}}
	c.reporter.Ending = c.watched(func() ending { return c.run(-1) })
	c.reporter.Logs, c.reporter.Done = c.logs, true
	c.reporter.tell()
	os.Exit(0)
	return true
}

// runApart runs the check in other processes, which begin with the nth of the test; false if that is not possible.
func (c *checker) runApart(t testing.TB, nth string) bool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		return false
	}
	file, err := os.CreateTemp("", "twintest")
	if err != nil {
		return false
	}
	file.Close()
	defer os.Remove(file.Name())
	from := beforeCases
	for range mostEnds {
		if err := os.WriteFile(file.Name(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, testArgs(t.Name())...)
		cmd.Env = append(os.Environ(), reportEnv+"="+file.Name(), checkEnv+"="+nth, fromEnv+"="+strconv.Itoa(from))
		output, _ := cmd.CombinedOutput() // what it reports counts
		r, ok := readReport(file.Name())
		switch {
		case !ok:
			return false
		case r.Done:
			c.logs = append(c.logs, r.Logs...)
			c.tell(t, r.Ending)
			return true
		case r.Case == beforeCases:
			t.Skip("twintest: the original ends the process with the first arguments")
		case !r.InOriginal && !strings.Contains(string(output), "out of memory"): // the original's results are there, too
			t.Errorf("twintest: the twin ends the process in case %d, the original does not\n%s", r.Case, output)
			return true
		}
		from = r.Case + 1
	}
	t.Logf("twintest: stopped before case %d: the original has ended %d processes", from, mostEnds)
	return true
}

func readReport(name string) (r report, ok bool) {
	text, err := os.ReadFile(name)
	line, _, complete := strings.Cut(string(text), "\n")
	return r, err == nil && complete && json.Unmarshal([]byte(line), &r) == nil
}

// testArgs are the arguments of this process but that it runs one test only, and writes nothing.
func testArgs(test string) []string {
	var levels []string
	for _, l := range strings.Split(test, "/") {
		levels = append(levels, "^"+regexp.QuoteMeta(l)+"$")
	}
	args := slices.Clone(os.Args[1 : len(os.Args)-flag.NArg()])
	if n := len(args) - 1; n >= 0 && args[n] == "--" {
		args = args[:n]
	}
	args = append(args, "-test.run="+strings.Join(levels, "/"), "-test.count=1", "-test.v=false", "-test.bench=")
	for _, output := range []string{"coverprofile", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "testlogfile"} {
		args = append(args, "-test."+output+"=")
	}
	return append(args, flag.Args()...)
}
