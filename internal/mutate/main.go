package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lanewise/lanewise/internal/tree"
)

func main() {
	run := flag.String("run", "", "only mutations whose name or file matches this regular expression")
	list := flag.Bool("list", false, "print names and what is wrong, run nothing")
	jobs := flag.Int("j", 1, "number of mutations at a time")
	timeout := flag.Duration("timeout", 5*time.Minute, "time of one go test")
	trust := flag.Bool("trust", false, "take for granted that the tests pass without a mutation")
	flag.Parse()
	if err := mutate(os.Stdout, *run, *list, *trust, *jobs, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mutate does what the flags say and fails when a mutation is not caught.
func mutate(w io.Writer, run string, list, trust bool, jobs int, timeout time.Duration) error {
	root, err := tree.Root()
	if err != nil {
		return err
	}
	all, err := readMutations(filepath.Join(root, "internal", "mutate", "mutations"))
	if err != nil {
		return err
	}
	re, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(m *mutation) bool { return !re.MatchString(m.name) && !re.MatchString(m.file) })
	if list {
		for _, m := range all {
			fmt.Fprintf(w, "%s: %s\n\t%s\n", m.name, m.file, m.what)
		}
		return nil
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := &runner{ctx: ctx, root: root, scratch: scratch, timeout: timeout}
	if !trust {
		if err := passing(r, all); err != nil {
			return err
		}
	}
	return score(ctx, w, all, parallel(jobs, all, r.try))
}

// passing fails when a test does without a mutation.
func passing(r *runner, all []*mutation) error {
	var done []string
	for _, m := range all {
		for _, args := range m.tests {
			if slices.Contains(done, args) {
				continue
			}
			done = append(done, args)
			if err := r.clean(args); err != nil {
				return err
			}
		}
	}
	return nil
}

// parallel tries mutations, some at a time. The channels give the results one by one.
func parallel(jobs int, all []*mutation, try func(*mutation) result) []chan result {
	results := make([]chan result, len(all))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	for range max(jobs, 1) {
		go func() {
			for i := take(); i < len(all); i = take() {
				results[i] <- try(all[i])
			}
		}()
	}
	return results
}

// score prints each result as soon as it is there, and what they add up to. When ctx
// ends it only waits for what still runs.
func score(ctx context.Context, w io.Writer, all []*mutation, results []chan result) error {
	var (
		count [invalid + 1]int
		kinds []string // of the tests, one for each mutation that was caught
		took  time.Duration
	)
	for i, m := range all {
		res := <-results[i]
		if ctx.Err() != nil {
			continue // to the end, so that no command is left behind
		}
		count[res.verdict]++
		took += res.took
		fmt.Fprintf(w, "%-13s %-40s %6s  %s\n", res.verdict, m.name, res.took, evidence(m, res))
		if res.verdict == caught || res.verdict == hung {
			kinds = append(kinds, kindOf(res.args))
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, k := range testKinds {
		n := len(slices.DeleteFunc(slices.Clone(kinds), func(s string) bool { return s != k.name }))
		fmt.Fprintf(w, "%4d caught by %s\n", n, k.name)
	}
	good := count[caught] + count[hung]
	fmt.Fprintf(w, "score: %d of %d caught, %d of them by a hang, in %s\n", good, len(all), count[hung], took.Round(time.Second))
	if good != len(all) {
		return fmt.Errorf("%d survived, %d invalid", count[survived], count[invalid])
	}
	return nil
}

// evidence is the test that failed, or what is wrong.
func evidence(m *mutation, res result) string {
	switch res.verdict {
	case survived:
		return m.file + ": " + m.what
	case invalid:
		return res.by
	}
	return strings.Fields(res.args)[0] + " " + res.by
}

// testKinds are the kinds of tests by package: the last whose package is the beginning of a
// path is its kind.
var testKinds = []struct{ name, at string }{
	{"tests of functions", "./"},
	{"the interpreter on the vectorizer's output", "./vectorize"},
	{"the interpreter on lowered Go", "./frontend"},
	{"kernels on the machine", "./backend"},
	{"Go programs with hand-written and generated tests", "./internal/semantics"},
	{"random Go programs", "./internal/randloop"},
}

func kindOf(args string) (kind string) {
	for _, k := range testKinds {
		if strings.HasPrefix(args, k.at) {
			kind = k.name
		}
	}
	return kind
}
