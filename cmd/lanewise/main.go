// Command lanewise vectorizes annotated Go functions: for every //vec:func
// directive it writes a twin of the function that runs AVX2 assembly where the
// machine has it.
//
//	lanewise [flags] [packages]
//
// See docs/directives.md for directives, flags and remarks. This package holds
// flags, exit codes and printing; internal/generate does the work.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // errors in the input, stale files under -check
	exitUsage = 2
)

// gcPercent is how much the heap grows between collections, in percent of what is in use:
// a run is short and makes much that it soon forgets. GOGC in the environment goes first.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as parameters.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	}
	p := &printer{options: o, out: stdout, err: stderr}
	p.dir, err = os.Getwd()
	if err != nil {
		p.fail(err)
		return exitError
	}
	if o.every.which != frontend.Annotated {
		return p.survey(ctx)
	}
	result, err := generate.Run(ctx, p.config())
	if err != nil {
		p.fail(err)
		return exitError
	}
	if err := p.printRemarks(result.Remarks); err != nil {
		p.fail(err)
		return exitError
	}
	if len(result.Errors) > 0 {
		for _, e := range result.Errors {
			fmt.Fprintln(stderr, e.Error())
		}
		return exitError
	}
	return p.act(result.Files)
}

// options are the flags.
type options struct {
	check, dryRun, tests, json bool
	remarks                    string
	dump                       string
	limit                      pass.Limit
	outline                    outline.Level
	outlineGiven               bool
	every                      every
	patterns                   []string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("lanewise", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(stderr, "usage: lanewise [flags] [packages]\n\nVectorizes functions with //vec:func directives. The default package is \".\".\n\n")
		fs.PrintDefaults()
	}
	fs.BoolVar(&o.check, "check", false, "write nothing; exit with 1 when a file is stale, missing or left over")
	fs.BoolVar(&o.dryRun, "n", false, "write nothing; print what would be written")
	fs.BoolVar(&o.tests, "tests", false, "also write vec_test.go, with tests and benchmarks of every twin")
	fs.BoolVar(&o.json, "json", false, "print all remarks on standard output, one JSON object per line")
	fs.StringVar(&o.remarks, "remarks", "missed", "`which` remarks to print: missed, all or none")
	fs.StringVar(&o.dump, "dump", "", "print the intermediate representation behind a `pass`")
	fs.Func("limit", "stop the pass in each loop after N transformations, as `pass:N`", o.parseLimit)
	o.outline = outline.Merge
	fs.Func("outline", "`how much` kernels of a package share code: none, merge or size (default merge)", o.parseOutline)
	fs.Var(&o.every, "every", "consider `which` functions as if they were annotated, check what comes out and write nothing: loops (those that have some) or all; clauses may follow behind commas")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.patterns = fs.Args()
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	return o, o.validate(fs)
}

// parseLimit reads pass:N.
func (o *options) parseLimit(s string) error {
	name, count, _ := strings.Cut(s, ":")
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return errors.New("want pass:N")
	}
	o.limit = pass.Limit{Pass: name, N: n}
	return knownPass(name)
}

// parseOutline reads a level.
func (o *options) parseOutline(s string) (err error) {
	level, ok := outline.LevelByName(s)
	if !ok {
		return errors.New("want none, merge or size")
	}
	o.outline, o.outlineGiven = level, true
	return nil
}

// knownPass is an error with all names of passes unless name is one.
func knownPass(name string) error {
	names := generate.PassNames()
	if name == "" || slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("no pass %q; there are %s", name, strings.Join(names, ", "))
}

// validate reports flags that make no sense, alone or together.
func (o options) validate(fs *flag.FlagSet) error {
	var err error
	switch {
	case o.remarks != "missed" && o.remarks != "all" && o.remarks != "none":
		err = fmt.Errorf("-remarks=%s: want missed, all or none", o.remarks)
	case knownPass(o.dump) != nil:
		err = knownPass(o.dump)
	case o.check && o.dryRun:
		err = errors.New("-check and -n exclude each other")
	case o.every.which != frontend.Annotated && (o.check || o.dryRun):
		err = errors.New("-every writes nothing, and goes neither with -check nor with -n")
	case o.json && o.dryRun:
		err = errors.New("-json and -n both print on standard output")
	}
	if err != nil {
		fmt.Fprintf(fs.Output(), "lanewise: %v\n", err)
		fs.Usage()
	}
	return err
}

// A printer tells the user what came out.
type printer struct {
	options
	dir      string
	out, err io.Writer
}

func (p *printer) fail(err error) { fmt.Fprintf(p.err, "lanewise: %v\n", err) }

func (p *printer) config() generate.Config {
	return generate.Config{
		Dir: p.dir, Patterns: p.patterns, Tests: p.tests,
		Passes:  generate.PassOptions{Dump: p.dump, Show: p.show, Limit: p.limit},
		Outline: p.outline, AsBefore: p.check && !p.outlineGiven,
	}
}

// show prints a function for -dump.
func (p *printer) show(r *plan.Region, f *vir.Func) {
	fmt.Fprintf(p.out, "// %s:%d:%d: %s, twin %s, behind pass %s\n%s\n",
		generate.Relative(p.dir, r.Pos.File), r.Pos.Line, r.Pos.Col, r.Func, r.Twin, p.dump, vectorize.Text(r, p.dump, f))
}

// printRemarks prints what -remarks or -json asks for. Warnings are no remarks
// to be filtered.
func (p *printer) printRemarks(rs []diag.Remark) error {
	if p.json {
		return diag.WriteJSON(p.out, rs)
	}
	for _, r := range rs {
		switch {
		case generate.Asked(r):
			fmt.Fprintf(p.err, "%v (asked for by //vec:loop)\n", r)
		case p.remarks == "all", p.remarks == "missed" && r.Kind == diag.Missed:
			fmt.Fprintln(p.err, r)
		}
	}
	return nil
}

// act writes the files, or does what -check or -n want instead.
func (p *printer) act(files []generate.File) int {
	switch {
	case p.check:
		return p.compare(files)
	case p.dryRun:
		p.list(files)
		return exitOK
	}
	if err := generate.Write(files); err != nil {
		p.fail(err)
		return exitError
	}
	return exitOK
}

// compare names the files that differ from what would be written.
func (p *printer) compare(files []generate.File) int {
	code := exitOK
	for _, f := range files {
		st, err := f.Status()
		if err != nil {
			p.fail(err)
			code = exitError
			continue
		}
		if st != generate.Fresh {
			fmt.Fprintf(p.err, "%s: %s\n", p.name(f), st)
			code = exitError
		}
	}
	if code != exitOK {
		fmt.Fprintln(p.err, "lanewise: generated files are not up to date: run go generate")
	}
	return code
}

// list prints files as a txtar archive; deletions come first, as its comment.
func (p *printer) list(files []generate.File) {
	for _, f := range files {
		if f.Delete {
			fmt.Fprintf(p.out, "delete %s\n", p.name(f))
		}
	}
	for _, f := range files {
		if !f.Delete {
			fmt.Fprintf(p.out, "-- %s --\n%s", p.name(f), f.Content)
		}
	}
}

func (p *printer) name(f generate.File) string {
	return filepath.ToSlash(generate.Relative(p.dir, f.Path))
}
