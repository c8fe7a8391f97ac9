package generate

import (
	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
)

// dropUncalled leaves out twins that were made to be called by others and are not: the
// loops around the calls have kernels, in which the called functions are inlined.
func (g *packager) dropUncalled() {
	g.called = make(map[*frontend.Twin]bool)
	kernels := make(map[*frontend.Region]bool)
	for _, a := range g.regions {
		kernels[a.region] = a.kernel != nil
	}
	var visit func(t *frontend.Twin)
	visit = func(t *frontend.Twin) {
		for _, c := range t.Calls {
			if !g.called[c.Twin] && !c.Within(t, func(r *frontend.Region) bool { return kernels[r] }) {
				g.called[c.Twin] = true
				visit(c.Twin)
			}
		}
	}
	owner := make(map[*frontend.Region]*frontend.Twin)
	for _, f := range g.pkg.Funcs {
		for _, t := range f.Twins {
			for _, r := range t.Regions {
				owner[r] = t
			}
			if t.Root == nil {
				visit(t)
			}
		}
	}
	for _, a := range g.regions {
		t := owner[a.region]
		switch {
		case t.Root == nil:
		case !g.called[t]:
			a.kernel, a.remarks = nil, nil
		case a.kernel != nil && a.tooShort() && !a.region.Clauses.Force: // the compiler may inline the original
			r := a.region
			a.drop(diag.Remark{Kind: diag.Missed, ID: "loopvec:Unprofitable", Pos: r.Pos, Func: r.Func, Twin: r.Twin,
				Msg: "it never has as many iterations as are worth the call of a kernel"})
		}
	}
}
