// Package decide takes out branches whose way is known: on a constant, or on what a branch before has been
// decided by.
//
//	br %c, a, exit                 br %c, a, exit
//	a: ...                         a: ...
//	br %c, b, exit        ==>      jmp b
//
// Requires: a kernel in which equal conditions are shared (package simplify). It knows vir only.
package decide

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run takes out branches of the kernel that u works on. A kernel that never gets to an iteration is refused.
func Run(u *pass.Unit) error {
	Func(u.Func(), u.Count)
	if u.Kernel != nil && idle(u.Kernel) {
		return pass.Refuse("decide:Never", nil, "no iteration passes what is asked before it")
	}
	return nil
}

// idle reports whether k does not even ask how many iterations it is to do.
func idle(k *plan.Kernel) bool {
	i := slices.IndexFunc(k.Args, func(a plan.Arg) bool { return a.Kind == plan.ArgCount })
	return i >= 0 && len(k.Fn.Uses()[k.Fn.Params[i]]) == 0
}

// Func takes out branches of f. count is asked before each one.
func Func(f *vir.Func, count func() bool) {
	dom, changed := loops.DomTree(f), false
	for _, b := range loops.RPO(f) {
		t := b.Term()
		if t.Op != vir.OpBr || b.Succs[0] == b.Succs[1] {
			continue
		}
		if holds, ok := known(dom, b, t.Args[0]); ok && count() {
			edit.Decide(b, holds)
			changed = true
		}
	}
	if changed {
		edit.Merge(f)
		edit.Sweep(f)
	}
}

// known reports whether c holds wherever b begins, if that is known. Branches that have been decided on the
// way here lead nowhere else.
func known(dom *loops.Dom, b *vir.Block, c *vir.Value) (holds, ok bool) {
	c, not := stripped(c)
	if bits, is := c.IsConst(); is {
		return (bits&1 != 0) != not, true
	}
	for d := dom.Idom(b); d != nil; d = dom.Idom(d) {
		t := d.Term()
		if t.Op != vir.OpBr {
			continue
		}
		asked, other := stripped(t.Args[0])
		if asked != c {
			continue
		}
		for k, s := range d.Succs {
			if s != d.Succs[1-k] && dom.Dominates(s, b) && entered(dom, d, s) {
				return (k == 0) != (not != other), true
			}
		}
	}
	return false, false
}

// stripped is what c is, or the contrary of.
func stripped(c *vir.Value) (x *vir.Value, not bool) {
	for c.Op == vir.OpNot {
		c, not = c.Args[0], !not
	}
	return c, not
}

// entered reports whether s begins from d only: it comes back to itself otherwise.
func entered(dom *loops.Dom, d, s *vir.Block) bool {
	return !slices.ContainsFunc(s.Preds, func(p *vir.Block) bool { return p != d && !dom.Dominates(s, p) })
}
