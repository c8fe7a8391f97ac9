// Package generate drives lanewise from packages to files: it loads, vectorizes
// region by region, emits assembly, prints twins, and says which files have to
// be written or deleted. The order of everything is that of the packages, so
// that output is the same from run to run.
//
// The package knows the stages and nothing of what they do; flags and printing
// are the command's.
package generate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/twin"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
	"golang.org/x/sync/errgroup"
)

// Config says what to generate.
type Config struct {
	Dir      string   // where patterns are resolved, and what positions are relative to; "" is the current directory
	Patterns []string // packages, as for go build
	Tests    bool     // also vec_test.go; one that exists is kept up to date without
	Passes   PassOptions
	// Outline says how much kernels of a package share code; with AsBefore as much as in
	// the files of a package that are there, if they say something else.
	Outline  outline.Level
	AsBefore bool

	// Every treats functions without directives as if they were annotated, with Clauses.
	Every   frontend.Every
	Clauses plan.Clauses
	// Source reads the sources of packages, os.ReadFile if it is nil.
	Source func(name string) ([]byte, error)
	// Watch is told of every function before it is vectorized, and when that is done. Fault is told
	// of every panic of ours.
	Watch func(t *frontend.Twin, done bool)
	Fault func(what any, stack []byte)

	stages stages
}

// PassOptions look into the vectorizer's passes or stop them.
type PassOptions struct {
	Dump string // name of a pass, or Lowered; "" shows nothing
	// Show gets the function of each region as it is after the pass Dump.
	Show  func(r *plan.Region, f *vir.Func)
	Limit pass.Limit // counted for each region by itself
	// Generous selects regions that are done as straight-line code wherever that can be,
	// whatever it costs: for tests. Nil is for none.
	Generous func(r *plan.Region) bool
	// Brief selects regions of which calls of kernels end as soon as they may: for tests.
	// Nil is for none.
	Brief func(r *plan.Region) bool
	// Guess lets routines go by a guess of what kernels take, which is soon made: for tests.
	Guess bool
	// Spoil damages the kernels of loops: for tests of what looks for damage.
	Spoil func(k *plan.Kernel)
}

// Lowered is a name for Dump: the function as the vectorizer gets it.
const Lowered = "lower"

// PassNames are the names that PassOptions understand, in the order of the passes.
func PassNames() []string {
	names := []string{Lowered}
	for _, p := range slices.Concat(vectorize.Passes(), vectorize.StraightPasses()) {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Result is what a run found out. With Errors, nothing may be written.
type Result struct {
	Files   []File
	Remarks []diag.Remark // in the order of positions
	Errors  []diag.Error
}

// stages are the parts of the pipeline, replaced in tests.
type stages struct {
	load      func(context.Context, Config) ([]*frontend.Package, error)
	each      func(context.Context, Config, func(*frontend.Package) error) error
	vectorize func(*plan.Region, PassOptions) (*plan.Kernel, []diag.Remark)
	widen     func(k *plan.Kernel, r *plan.Region, along *plan.Clauses, o PassOptions)
	wideOnly  func(*plan.Region, PassOptions) (*plan.Kernel, []diag.Remark)
	straight  func(*plan.Region, PassOptions) (*plan.Kernel, []diag.Remark)
	rows      func(r *plan.Region, inner plan.Clauses, o PassOptions) (*plan.Kernel, diag.Remark)
	handed    func(r *plan.Region, inner plan.Clauses) rows.Handing
	byLength  func(r *plan.Region, outer *plan.Kernel, short int64, o PassOptions) *plan.Kernel
	outline   func([]*plan.Kernel, outline.Level, PassOptions) (*outline.Shared, error)
	emit      func(backend.File) ([]byte, error)
	twins     func(*frontend.Package, twin.Kernels, twin.Options) (amd64, generic []byte, err error)
	tests     func(*frontend.Package, twin.Kernels, twin.Options) ([]byte, error)
}

// Run computes the files of all packages. It writes nothing. The error is about
// things without a position: no such package, a folder that cannot be read;
// mistakes in the input are in Result.Errors.
func Run(ctx context.Context, c Config) (*Result, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	c.Dir = dir
	if c.stages.load == nil {
		c.stages = realStages()
	}
	pkgs, err := c.stages.load(ctx, c)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(pkgs, func(a, b *frontend.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	results, errs := make([]*Result, len(pkgs)), make([]error, len(pkgs))
	var work errgroup.Group
	work.SetLimit(c.sideBySide())
	for i, p := range pkgs {
		work.Go(func() error {
			results[i], errs[i] = c.generate(ctx, p)
			return nil // all of them: which error comes first is no matter of time
		})
	}
	_ = work.Wait()
	r := &Result{}
	for i, one := range results {
		if errs[i] != nil {
			return nil, errs[i]
		}
		r.Files = append(r.Files, one.Files...)
		r.Remarks = append(r.Remarks, one.Remarks...)
		r.Errors = append(r.Errors, one.Errors...)
	}
	r.finish(dir)
	return r, nil
}

// sideBySide is the number of packages to work on at a time: one where somebody looks on.
func (c Config) sideBySide() int {
	o := c.Passes
	if c.Watch != nil || c.Fault != nil || o.Dump != "" || o.Generous != nil || o.Brief != nil || o.Spoil != nil {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// generate computes the files of p.
func (c Config) generate(ctx context.Context, p *frontend.Package) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := &packager{Config: c, pkg: p, result: &Result{}}
	g.recall()
	err := g.run()
	if mistake, ok := errors.AsType[diag.Error](err); ok {
		g.result.Errors = append(g.result.Errors, mistake)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", p.PkgPath, err)
	}
	return g.result, nil
}

// finish sorts remarks and errors, and tells positions relative to dir.
func (r *Result) finish(dir string) {
	for i := range r.Remarks {
		r.Remarks[i].Pos = relative(dir, r.Remarks[i].Pos)
	}
	for i := range r.Errors {
		r.Errors[i].Pos = relative(dir, r.Errors[i].Pos)
	}
	diag.Sort(r.Remarks)
	slices.SortStableFunc(r.Errors, func(a, b diag.Error) int { return comparePos(a.Pos, b.Pos) })
	r.Errors = slices.Compact(r.Errors)
}

func comparePos(a, b vir.Pos) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Col - b.Col
}

// relative names a file below dir by its path from there.
func relative(dir string, pos vir.Pos) vir.Pos {
	pos.File = Relative(dir, pos.File)
	return pos
}

// Relative is the path from dir to file when file lies below, else file.
func Relative(dir, file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	return rel
}
