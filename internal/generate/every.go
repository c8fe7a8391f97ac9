package generate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// Packages one by one, for those who want to know what became of each and not to have its
// files: a fault of ours ends a package and not the run.

// An Outcome is what became of a package.
type Outcome struct {
	Pkg     *frontend.Package
	Regions []Region
	Files   []File // nothing is deleted
	Remarks []diag.Remark
	Errors  []diag.Error
	Fault   error // of ours; then there are no files
}

// A Region of an outcome has exactly one verdict, passed or missed, among its remarks, unless it
// is ceded to one around it or inside of it.
type Region struct {
	*frontend.Region
	Kernel  *plan.Kernel // nil if it stays scalar
	Remarks []diag.Remark
	Ceded   bool
}

// Each tells do what Run would generate for each package, in the order of their paths. An error
// of do ends it.
func Each(ctx context.Context, c Config, do func(*Outcome) error) error {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	c.Dir = dir
	if c.stages.each == nil {
		c.stages = realStages()
	}
	return c.stages.each(ctx, c, func(p *frontend.Package) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return do(c.Outcome(p))
	})
}

// Outcome generates for one package, which has been loaded.
func (c Config) Outcome(p *frontend.Package) *Outcome {
	if c.stages.vectorize == nil {
		c.stages = realStages()
	}
	o := &Outcome{Pkg: p}
	g := &packager{Config: c, pkg: p, result: &Result{}}
	o.Fault = g.safely(func() (err error) {
		o.Files, err = g.files()
		return err
	})
	if mistake, ok := errors.AsType[diag.Error](o.Fault); ok {
		g.result.Errors, o.Fault = append(g.result.Errors, mistake), nil
	}
	g.report()
	for _, r := range p.Refused {
		g.result.Remarks = append(g.result.Remarks, r.Remark)
	}
	g.result.finish(c.Dir)
	for _, a := range g.regions {
		o.Regions = append(o.Regions, Region{a.region, a.kernel, a.remarks, a.taken})
	}
	o.Remarks, o.Errors = g.result.Remarks, g.result.Errors
	return o
}

// files are those of the package; nil when there are mistakes in it.
func (g *packager) files() ([]File, error) {
	g.vectorize()
	g.result.Errors = append(g.result.Errors, g.pkg.Errors...)
	if len(g.pkg.Errors) > 0 || len(g.pkg.Funcs) == 0 {
		return nil, nil
	}
	asm, err := g.assembleOutlined()
	if err != nil {
		return nil, err
	}
	return g.print(asm)
}

// safely makes an error of a panic of do.
func (g *packager) safely(do func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
			err = fmt.Errorf("internal error: %v", x)
		}
	}()
	return do()
}

func (g *packager) fault(x any) {
	if g.Fault != nil {
		g.Fault(x, debug.Stack())
	}
}

// watch says that t is about to be vectorized; the result is to be called behind that.
func (g *packager) watch(t *frontend.Twin) (done func()) {
	if g.Watch == nil {
		return func() {}
	}
	g.Watch(t, false)
	return func() { g.Watch(t, true) }
}
