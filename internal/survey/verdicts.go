package survey

import (
	"go/ast"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
)

// verdicts checks that every loop in the syntax of a package is told of exactly once, with a reason.
func (s *surveyor) verdicts(o *generate.Outcome) {
	if len(o.Errors) > 0 {
		return
	}
	told := make(map[ast.Stmt]int)
	called := made(o.Pkg)
	for _, r := range o.Regions {
		if called[r.Region] {
			continue
		}
		if !r.Once {
			told[r.Loop]++
		}
		s.verdict(r)
	}
	for _, f := range o.Pkg.Funcs {
		for _, t := range f.Twins {
			if t.Root == nil {
				s.scalar(t, told)
			}
		}
	}
	for _, r := range o.Pkg.Refused {
		s.reason(r.Remark)
		if r.Loop != nil {
			told[r.Loop]++
		}
	}
	several := make(map[ast.Stmt]int) // loops of functions with several twins
	for _, f := range o.Pkg.Funcs {
		for _, t := range f.Twins {
			if t.Root == nil {
				eachLoop(f.Decl, func(l ast.Stmt) { several[l]++ })
			}
		}
	}
	for _, file := range o.Pkg.Syntax {
		eachLoop(file, func(l ast.Stmt) {
			s.sum.Loops++
			if want := max(1, several[l]); told[l] != want && o.Fault == nil {
				s.complain("%v: loop with %d verdicts", o.Pkg.Fset.Position(l.Pos()), told[l])
			}
		})
	}
}

// made are the regions of twins that nobody asked for: they exist where a function is called that
// cannot have a directive.
func made(p *frontend.Package) map[*frontend.Region]bool {
	regions := make(map[*frontend.Region]bool)
	for _, f := range p.Funcs {
		for _, t := range f.Twins {
			for _, r := range t.Regions {
				regions[r] = t.Root != nil
			}
		}
	}
	return regions
}

// scalar checks the remarks about loops of t that are no regions.
func (s *surveyor) scalar(t *frontend.Twin, told map[ast.Stmt]int) {
	eachLoop(t.Func.Decl, func(l ast.Stmt) {
		if r, ok := t.Scalar[l]; ok {
			told[l]++
			s.reason(r)
		}
	})
}

// verdict checks that a region has one.
func (s *surveyor) verdict(r generate.Region) {
	n := 0
	for _, m := range r.Remarks {
		s.reason(m)
		if m.Kind != diag.Analysis {
			n++
		}
		if m.Kind == diag.Passed && r.Kernel == nil || m.Kind == diag.Missed && r.Kernel != nil {
			s.complain("%v: the verdict %v and the kernel do not go together", r.Pos, m)
		}
	}
	quiet := r.Once && r.Kernel == nil // straight-line code around loops that are vectorized
	if n != 1 && !(n == 0 && len(r.Remarks) > 0 && (r.Ceded || quiet)) {
		s.complain("%v: region with %d verdicts", r.Pos, n)
	}
}

// reason checks one remark.
func (s *surveyor) reason(r diag.Remark) {
	switch area, name, ok := strings.Cut(r.ID, ":"); {
	case !ok || area == "" || name == "" || strings.TrimSpace(r.Msg) == "" || !r.Pos.IsValid():
		s.complain("remark without a reason: %v", r)
	case r.Broken() || strings.Contains(r.Msg, "internal error"):
		s.complain("%v", r)
	}
}

func eachLoop(n ast.Node, do func(ast.Stmt)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			do(n.(ast.Stmt))
		}
		return true
	})
}
