package differ

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/lanewise/lanewise/internal/toolchain"
)

// programTimeout is how long a program with the tests of all parts may run. One function
// that hangs ends the program much sooner.
const programTimeout = 20 * time.Minute

func (r *run) program() string { return filepath.Join(r.dir, "tests.exe") }

// build builds the tests. Without optimization the originals do every store that the source
// has, so that a store of the old value is no difference. Assembly must agree with its
// declarations as well, and keep to the rules for kernels; of Go code, random as it is, vet may
// think what it likes.
func (r *run) build() (whole *Failure, err error) {
	defer timed(&r.result.Times.Build)()
	for _, args := range [][]string{
		{"test", "-c", "-vet=off", "-gcflags=-N", "-o", r.program(), "."},
		{"vet", "-asmdecl", "."},
	} {
		cmd := exec.CommandContext(r.ctx, "go", args...)
		cmd.Dir = r.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			if err := r.ctx.Err(); err != nil {
				return nil, err
			}
			return &Failure{Kind: Unbuilt, Text: fmt.Sprintf("%v\n%s", err, out)}, nil
		}
	}
	wrong, err := r.unlawful()
	if len(wrong) > 0 {
		return &Failure{Kind: Unbuilt, Text: strings.Join(wrong, "\n")}, err
	}
	return nil, err
}

// unlawful are the instructions of kernels that break a rule for their machine code.
func (r *run) unlawful() (wrong []string, err error) {
	files, err := filepath.Glob(filepath.Join(r.dir, "*.s"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		more, err := toolchain.UnlawfulIn(file, r.dir, false)
		if err != nil {
			return nil, err
		}
		wrong = append(wrong, more...)
	}
	return wrong, nil
}

// test runs the program until every test has run. When it dies, the test that was running
// has failed, and the others go on.
func (r *run) test() error {
	defer timed(&r.result.Times.Run)()
	if _, err := os.Stat(r.program()); err != nil {
		return nil // no tests: a package without twins
	}
	var done []string
	for {
		args := []string{"-test.v", "-test.timeout=" + programTimeout.String()}
		if r.Short {
			args = append(args, "-test.short")
		}
		if len(done) > 0 {
			args = append(args, "-test.skip=^("+strings.Join(done, "|")+")$")
		}
		out, ended, err := r.execute(args)
		if err != nil {
			return err
		}
		o := readOutput(out)
		r.result.Tested += o.passed
		r.result.Skipped += o.skipped
		for _, f := range o.failed {
			r.fail(r.partOf(f.test), Difference, f.text)
		}
		if ended {
			return nil
		}
		if o.running == "" {
			return fmt.Errorf("the tests died outside of a test:\n%s", tail(out))
		}
		r.fail(r.partOf(o.running), Crash, tail(o.rest))
		done = append(append(done, o.done...), o.running)
	}
}

// execute runs the program and reports whether it came to its end. A program that is
// silent for too long hangs in one of the functions, and is stopped.
func (r *run) execute(args []string) (out string, ended bool, err error) {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program(), args...)
	cmd.Dir, cmd.WaitDelay = r.dir, 10*time.Second
	if r.Budget > 0 {
		cmd.Env = append(os.Environ(), "TWINTEST_BUDGET="+r.Budget.String())
	}
	w := &watched{silence: time.AfterFunc(r.silence(), cancel), most: r.silence()}
	defer w.silence.Stop()
	cmd.Stdout, cmd.Stderr = w, w
	err = cmd.Run()
	if err := r.ctx.Err(); err != nil {
		return "", false, err
	}
	if ctx.Err() != nil {
		fmt.Fprintf(&w.text, "stopped: nothing was printed for %v\n", w.most)
		return w.text.String(), false, nil
	}
	out = w.text.String()
	return out, err == nil || atEnd.MatchString(out), nil
}

// silence is how long a program may print nothing.
func (r *run) silence() time.Duration {
	if r.Budget > 0 {
		return r.Budget + 10*time.Second
	}
	return time.Minute
}

// watched is the output of a program.
type watched struct {
	text    bytes.Buffer
	silence *time.Timer
	most    time.Duration
}

func (w *watched) Write(b []byte) (int, error) {
	w.silence.Reset(w.most)
	return w.text.Write(b)
}

var atEnd = regexp.MustCompile(`(?m)^(PASS|FAIL)\n\z`)

// tail is the end of a long text, or the most telling part of it.
func tail(s string) string {
	const most = 4000
	if i := strings.Index(s, "\ngoroutine "); i > 0 && i < most {
		return s[:min(len(s), i+1500)]
	}
	if len(s) > most {
		return "..." + s[len(s)-most:]
	}
	return s
}

// output is what a program of tests has printed.
type output struct {
	done            []string // tests that ended
	passed, skipped int
	failed          []failedTest
	running         string // the test that has not ended
	rest            string // what was printed since it began
}

type failedTest struct{ test, text string }

var verdict = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (\w+) \(`)

// readOutput reads the verbose output of tests that run one after the other.
func readOutput(text string) (o output) {
	var since strings.Builder
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "=== RUN   "); ok {
			o.running = strings.TrimSpace(name)
			since.Reset()
			continue
		}
		m := verdict.FindStringSubmatch(line)
		if m == nil {
			since.WriteString(line)
			continue
		}
		o.done, o.running = append(o.done, m[2]), ""
		switch m[1] {
		case "PASS":
			o.passed++
		case "SKIP":
			o.skipped++
		case "FAIL":
			o.failed = append(o.failed, failedTest{m[2], since.String()})
		}
		since.Reset()
	}
	o.rest = since.String()
	return o
}
