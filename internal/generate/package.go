package generate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lanewise/lanewise/backend"
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/twin"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A packager makes the files of one package.
type packager struct {
	Config
	pkg     *frontend.Package
	result  *Result
	regions []*attempt
	called  map[*frontend.Twin]bool // by other twins, outside of their vectorized loops
}

// An attempt is a region on its way to a kernel.
type attempt struct {
	region  *frontend.Region
	kernel  *plan.Kernel // nil: the loop stays scalar
	remarks []diag.Remark
	taken   bool  // another loop of the nest is vectorized instead
	waits   bool  // on any CPU, iterations wait for each other and for what was stored just before
	raised  int64 // iterations more than a kernel needs to be worth a call: it waits for what was stored just before, or is in a loop
	// along, where the kernel does rows, are the clauses of the loop along them; nil for other kernels.
	along *plan.Clauses
}

func (g *packager) run() error {
	files, err := g.files()
	if err != nil {
		return err
	}
	g.report()
	if len(g.pkg.Errors) > 0 {
		return nil
	}
	return g.place(files)
}

// vectorize makes a kernel of every region that allows it.
func (g *packager) vectorize() {
	for _, f := range g.pkg.Funcs {
		for _, t := range f.Twins {
			done := g.watch(t)
			first := len(g.regions)
			for _, r := range t.Regions {
				a := &attempt{region: r}
				a.kernel, a.remarks = g.kernel(r)
				g.regions = append(g.regions, a)
			}
			nests := nestsOf(g.regions[first:])
			for _, n := range nests {
				g.choose(n)
				n.dropShort()
				g.oneByOne(n)
				n.perTurn(false)
			}
			g.widen(g.regions[first:])
			for _, n := range nests {
				n.dropLong()
			}
			quietBesideLoops(nests)
			rename(g.regions[first:])
			done()
		}
	}
	g.unbind()
	g.dropUncalled()
}

// quietBesideLoops makes remarks of analysis of what is said about straight-line code that stays scalar in a function with
// loops: it was not what the function was annotated for.
func quietBesideLoops(nests []*nest) {
	if !slices.ContainsFunc(nests, func(n *nest) bool { return !n.region.Once }) {
		return
	}
	for _, n := range nests {
		if n.region.Once {
			n.quiet()
		}
	}
}

// rename gives the kernels of a twin the first of the names that its loops took.
func rename(as []*attempt) {
	var names []string
	for _, a := range as {
		names = append(names, a.region.Label)
	}
	for _, a := range as {
		if a.kernel != nil {
			name := names[0]
			if a.isWideOnly() {
				name += wideSuffix
			}
			a.region.Label, a.kernel.Fn.Name, names = name, name, names[1:]
			if a.kernel.Wide != nil {
				a.kernel.Wide.Name = a.kernel.Fn.Name
			}
		}
	}
}

// kernel runs the vectorizer; when that fails by a fault of its own, the loop
// stays scalar.
func (g *packager) kernel(r *frontend.Region) (k *plan.Kernel, remarks []diag.Remark) {
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
			k, remarks = nil, []diag.Remark{internal(r, "Vectorizer", x)}
		}
	}()
	return g.stages.vectorize(&r.Region, g.Passes)
}

// internal is the remark for a loop that stays scalar by our own fault.
func internal(r *frontend.Region, stage string, what any) diag.Remark {
	return diag.Remark{
		Kind: diag.Missed, ID: "internal:" + stage, Pos: r.Pos, Func: r.Func, Twin: r.Twin,
		Msg: fmt.Sprintf("internal error, please report: %v", what),
	}
}

// assemble emits the kernels into one file; nil when there are none. When that
// fails, kernels are emitted one by one, and those that fail stay scalar.
func (g *packager) assemble() ([]byte, error) {
	asm, err := g.emit(g.regions)
	if err == nil {
		return asm, nil
	}
	for _, a := range g.regions {
		if a.kernel == nil {
			continue
		}
		if _, err := g.emit([]*attempt{a}); err != nil {
			a.drop(internal(a.region, "Backend", err))
		}
	}
	return g.emit(g.regions)
}

// drop makes the region scalar after all.
func (a *attempt) drop(why diag.Remark) {
	a.kernel = nil
	a.remarks = slices.DeleteFunc(a.remarks, func(r diag.Remark) bool { return r.Kind != diag.Analysis })
	a.remarks = append(a.remarks, why)
}

func (g *packager) emit(as []*attempt) (asm []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
			err = fmt.Errorf("%v", x)
		}
	}()
	file := backend.File{Package: g.pkg.Name, Compact: g.Outline == outline.Size, Header: []string{Header}, Constraint: twin.Constraint}
	for i, a := range as {
		if a.kernel != nil && !slices.ContainsFunc(as[:i], a.shares) {
			file.Kernels = append(file.Kernels, backend.Kernel{Fn: a.kernel.Fn, Wide: a.kernel.Wide, Level: a.kernel.Level, Doc: doc(a, as)})
		}
	}
	if len(file.Kernels) == 0 {
		return nil, nil
	}
	return g.stages.emit(file)
}

// shares reports whether a and b have kernels with the same body.
func (a *attempt) shares(b *attempt) bool {
	return a.kernel != nil && b.kernel != nil && a.kernel.Fn == b.kernel.Fn
}

// doc says what code of the user the kernel of a stands for.
func doc(a *attempt, as []*attempt) string {
	one, several := "straight-line code", "pieces of straight-line code"
	var rs []*frontend.Region
	for _, b := range as {
		if a.shares(b) {
			rs = append(rs, b.region)
		}
		if a.shares(b) && !b.region.Once {
			one, several = "a loop", "loops"
		}
	}
	return fmt.Sprintf("%s is %s.", a.kernel.Fn.Name, twin.Served(rs, one, several))
}

// print puts the files of the package together.
func (g *packager) print(asm []byte) (files []File, err error) {
	ks := make(twin.Kernels)
	for _, a := range g.regions {
		ks[a.region] = a.kernel
	}
	amd64, generic, err := g.stages.twins(g.pkg, ks, twin.Options{Source: g.Source, Header: g.outlineHeader()})
	if err != nil {
		return nil, err
	}
	files = append(files, g.file(nameGo, amd64))
	if asm != nil {
		files = append(files, g.file(nameAsm, asm))
	}
	files = append(files, g.file(nameGeneric, generic))
	if g.Tests || isOurs(g.path(nameTest)) {
		tests, err := g.stages.tests(g.pkg, ks, twin.Options{Source: g.Source})
		if err != nil {
			return nil, err
		}
		files = append(files, g.file(nameTest, tests))
	}
	return files, nil
}

// report hands over the remarks, and makes errors of regions that had to be
// vectorized and are not. (Loops that are no regions are the frontend's errors.)
func (g *packager) report() {
	for _, a := range g.regions {
		if a.region.Asked {
			markAsked(a.remarks)
		}
		g.result.Remarks = append(g.result.Remarks, a.remarks...)
		bad := badClauses(a.remarks)
		g.result.Errors = append(g.result.Errors, bad...)
		if a.region.Clauses.Require && a.kernel == nil && !a.taken && bad == nil {
			g.result.Errors = append(g.result.Errors, required(a))
		}
	}
	for _, f := range g.pkg.Funcs {
		for _, t := range f.Twins {
			if t.Root == nil || g.called[t] {
				g.quietInside(t)
				g.result.Remarks = append(g.result.Remarks, t.Remarks...)
			}
		}
	}
	g.result.Remarks = once(g.result.Remarks)
}

// once is rs with each loop that stays scalar for one reason said once: what is inside of another loop is looked
// at alone as well.
func once(rs []diag.Remark) (out []diag.Remark) {
	type said struct{ twin, text string }
	seen := make(map[said]bool)
	for _, r := range rs {
		s := said{r.Twin, r.String()}
		if r.Kind != diag.Missed || !seen[s] {
			out = append(out, r)
		}
		seen[s] = true
	}
	return out
}

// markAsked notes in missed remarks that a //vec:loop asked for the loop, as the
// frontend does in its own.
func markAsked(rs []diag.Remark) {
	for i, r := range rs {
		if r.Kind == diag.Missed {
			args := map[string]any{"asked": true}
			maps.Copy(args, r.Args)
			rs[i].Args = args
		}
	}
}

// Asked reports whether a remark is about a loop that stays scalar although a
// //vec:loop stands above it: a warning, not only a remark.
func Asked(r diag.Remark) bool { return r.Kind == diag.Missed && r.Args["asked"] == true }

// badClauses are the errors among the remarks of a region: clauses that ask for
// what the target cannot do.
func badClauses(rs []diag.Remark) (errs []diag.Error) {
	for _, r := range rs {
		if r.Kind == diag.Missed && r.Args["error"] == true {
			errs = append(errs, diag.Error{Pos: r.Pos, Msg: r.Msg})
		}
	}
	return errs
}

// required is the error for a loop that stays scalar against its clause.
func required(a *attempt) diag.Error {
	what := "the loop"
	if a.region.Once {
		what = "the code"
	}
	for _, r := range a.remarks {
		if r.Kind == diag.Missed {
			return diag.Error{Pos: r.Pos, Msg: fmt.Sprintf("%s is required to be vectorized, but: %s [%s]", what, r.Msg, r.ID)}
		}
	}
	return diag.Error{Pos: a.region.Pos, Msg: what + " is required to be vectorized, but is not"}
}

// place adds files to the result, and the deletion of those left over from
// earlier runs.
func (g *packager) place(files []File) error {
	if g.pkg.Dir == "" {
		if len(files) > 0 {
			return errors.New("package without a folder")
		}
		return nil
	}
	for _, f := range files {
		if err := notUsers(f.Path); err != nil {
			g.result.Errors = append(g.result.Errors, diag.Error{Pos: vir.Pos{File: f.Path, Line: 1, Col: 1}, Msg: err.Error()})
		}
	}
	g.result.Files = append(g.result.Files, files...)
	for _, name := range names {
		path := g.path(name)
		if isOurs(path) && !slices.ContainsFunc(files, func(f File) bool { return f.Path == path }) {
			g.result.Files = append(g.result.Files, File{Path: path, Delete: true})
		}
	}
	return nil
}
