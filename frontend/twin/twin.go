package twin

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// twin prints a twin for builds with kernels, and the stubs of its kernels.
func (f *file) twin(t *frontend.Twin) error {
	regions, all := f.vectorized(t), f.allVectorized(t)
	original := frontend.Title(f.pkg.Types, t.Func.Obj)
	switch {
	case len(all) == 0 && t.Root != nil:
		return nil
	case len(all) == 0 && f.brief(t):
		return f.repeat(t)
	case len(all) == 0:
		return f.forward(t, "nothing in it was vectorized")
	}
	c := newFunction(f, f.original(t), t.TypeArgs)
	c.regions = regions
	c.twins = f.callees(t)
	if err := c.signature(t.Name); err != nil {
		return err
	}
	if err := c.copyBody(); err != nil {
		return err
	}
	var err error
	reach := newReach(c)
	if c.first, err = c.short(t, reach, regions); err != nil {
		return err
	}
	if err := c.bind(t); err != nil {
		return err
	}
	if err := c.shortLoops(reach, regions); err != nil {
		return err
	}
	for _, r := range regions {
		if c.around(r, regions) {
			continue // printed with the other one
		}
		replace := c.replace
		if r.Once {
			replace = c.replaceStraight
		}
		if err := replace(r); err != nil {
			return fmt.Errorf("%s: %w", r.Pos, err)
		}
	}
	levels := f.levels(all)
	if err := c.print(twinDoc(t, fmt.Sprintf("is %s, vectorized for %s.", original, levels))); err != nil {
		return err
	}
	for _, r := range regions {
		if err := f.stub(r, f.kernels[r]); err != nil {
			return err
		}
	}
	return nil
}

// levels are the levels that the kernels of regions are for.
func (f *file) levels(rs []*frontend.Region) string {
	var names []string
	for _, level := range []string{"avx2", "avx512"} {
		for _, r := range rs {
			k := f.kernels[r]
			if k.Level == level || level == "avx512" && k.Wide != nil {
				names = append(names, strings.ToUpper(level))
				break
			}
		}
	}
	return strings.Join(names, " and ")
}

// vectorized lists the regions of a twin that have kernels.
func (f *file) vectorized(t *frontend.Twin) []*frontend.Region {
	var rs []*frontend.Region
	for _, r := range t.Regions {
		if f.kernels[r] != nil {
			rs = append(rs, r)
		}
	}
	return rs
}

// allVectorized are the regions that have kernels of a twin and of those that it calls.
func (f *file) allVectorized(t *frontend.Twin) []*frontend.Region {
	var rs []*frontend.Region
	seen := make(map[*frontend.Twin]bool)
	var visit func(t *frontend.Twin)
	visit = func(t *frontend.Twin) {
		seen[t] = true
		rs = append(rs, f.vectorized(t)...)
		for _, call := range t.Calls {
			if !seen[call.Twin] && !f.inKernel(t, call) {
				visit(call.Twin)
			}
		}
	}
	visit(t)
	return rs
}

// callees are the twins to call in the place of functions, by the call.
func (f *file) callees(t *frontend.Twin) map[*ast.CallExpr]*frontend.Twin {
	all := make(map[*ast.CallExpr]*frontend.Twin)
	for _, call := range t.Calls {
		if !f.inKernel(t, call) && len(f.allVectorized(call.Twin)) > 0 {
			all[call.Expr] = call.Twin
		}
	}
	return all
}

// inKernel reports whether the loop around a call is vectorized.
func (f *file) inKernel(t *frontend.Twin, c frontend.Call) bool {
	return c.Within(t, func(r *frontend.Region) bool { return f.kernels[r] != nil })
}

// around reports whether a loop stands inside of another one that has a kernel.
func (c *function) around(r *frontend.Region, regions []*frontend.Region) bool {
	return slices.ContainsFunc(regions, func(outer *frontend.Region) bool { return encloses(outer, r) })
}

// encloses reports whether the loop of inner is part of that of outer.
func encloses(outer, inner *frontend.Region) bool {
	return outer != inner && holds(outer, inner.Loop)
}

// replace puts the vectorized form in a loop's place.
func (c *function) replace(r *frontend.Region) error {
	label := c.labelOf(r.Loop)
	l := newLoop(c, r, c.kernels[r], label)
	if !l.canSayNil() {
		return nil // nothing sane shadows nil; the loop stays scalar
	}
	text, err := l.replacement()
	if err != nil {
		return err
	}
	pos, end := r.Loop.Pos(), r.Loop.End()
	if label != nil {
		pos = label.Pos()
	}
	c.edits = append(c.edits, edit{pos: pos, end: end, text: text})
	return nil
}

// labelOf is the labeled statement around a loop, nil when there is none.
func (c *function) labelOf(loop ast.Stmt) *ast.LabeledStmt {
	var label *ast.LabeledStmt
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok && s.Stmt == loop {
			label = s
		}
		return label == nil
	})
	return label
}
