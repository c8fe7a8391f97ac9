// Hunt looks for functions whose twins differ from them. It writes random functions,
// vectorizes them, builds hundreds as one program, compares them with the originals, and
// counts what was exercised.
//
//	go run ./internal/hunt [-budget 30m] [-functions K] [-seed N] [-batch 300] [-classes loops,nests] [-jobs 1] [-stats file.json]
//
// It stops when the time or the number of functions is used up; without either, after one
// batch of each class. Seeds are counted up from -seed, or from those that the
// statistics file knows, so that one run goes on where the last one has stopped.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

func main() {
	h := &hunt{}
	classes := ""
	flag.DurationVar(&h.budget, "budget", 0, "how long to hunt")
	flag.IntVar(&h.functions, "functions", 0, "how many functions to try")
	flag.Uint64Var(&h.seed, "seed", 0, "first seed; 0 goes on behind those in the statistics")
	flag.IntVar(&h.batch, "batch", 300, "functions in a package")
	flag.StringVar(&classes, "classes", "loops,nests,straight,idioms,outlined", "kinds of functions, in turn")
	flag.IntVar(&h.jobs, "jobs", 1, "packages at a time")
	flag.StringVar(&h.statsFile, "stats", "", "file to which the statistics are added, as JSON")
	flag.StringVar(&h.found, "found", "", "folder for failing functions; the default is testdata/fixedbugs of the module")
	flag.BoolVar(&h.all, "all", false, "all cases of the generated tests, not a share of them")
	flag.BoolVar(&h.whole, "whole", false, "leave failing functions as they are")
	flag.Parse()
	h.classes = strings.Split(classes, ",")
	if flag.NArg() > 0 {
		fatal(fmt.Errorf("unknown argument %q", flag.Arg(0)))
	}
	if err := h.prepare(); err != nil {
		fatal(err)
	}
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	start := time.Now()
	if err := h.run(ctx); err != nil {
		fatal(err)
	}
	h.summary(os.Stdout, time.Since(start))
	if h.this.Failed() > 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "hunt:", err)
	os.Exit(2)
}
