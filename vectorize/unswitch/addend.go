package unswitch

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// A chooser finds branches that choose a number and nothing else.
type chooser struct {
	dom  *loops.Dom                  // post-dominators
	uses map[*vir.Value][]*vir.Value // of the function
	phis []*vir.Value                // what the branch being looked at chooses
}

func newChooser(f *vir.Func) *chooser { return &chooser{dom: loops.PostDomTree(f), uses: f.Uses()} }

// addends reports whether all that the branch of b decides is which of several integers, known before the
// loop, is added to subscripts, as in x[clamp(y-1, 0, h-1)*w+i]: no version gains anything over the
// expression that says so.
func (c *chooser) addends(b *vir.Block) bool {
	join := c.dom.Idom(b)
	if join == nil || !compares(b.Term().Args[0]) {
		return false
	}
	var arms []*vir.Block // between the branch and the join
	open := slices.Clone(b.Succs)
	for len(open) > 0 {
		x := open[len(open)-1]
		open = open[:len(open)-1]
		if x == join || slices.Contains(arms, x) {
			continue
		}
		if !computesNothing(x) {
			return false
		}
		arms = append(arms, x)
		open = append(open, x.Succs...)
	}
	c.phis = slices.Clone(join.Phis())
	for _, x := range arms {
		c.phis = append(c.phis, x.Phis()...)
	}
	return !slices.ContainsFunc(c.phis, func(phi *vir.Value) bool {
		return slices.ContainsFunc(phi.Args, func(a *vir.Value) bool { return !c.known(a) }) || !c.isAddend(phi)
	})
}

// known reports whether v is the same in all iterations.
func (c *chooser) known(v *vir.Value) bool { return slices.Contains(c.phis, v) || invariant(v) }

// computesNothing reports whether all of b is known before the loop.
func computesNothing(b *vir.Block) bool {
	return !slices.ContainsFunc(b.Insts, func(v *vir.Value) bool {
		switch v.Op {
		case vir.OpPhi, vir.OpJmp:
			return false
		case vir.OpBr:
			return !compares(v.Args[0])
		}
		return !invariant(v)
	})
}

// compares reports whether v is comparisons of integers that are known before the loop.
func compares(v *vir.Value) bool {
	if v.Op.Info().Rule == vir.RuleIntCmp {
		return v.Args[0].Type.Elem.IsInt() && invariant(v)
	}
	switch v.Op {
	case vir.OpAnd, vir.OpOr, vir.OpNot:
		return v.Type.Elem == vir.Bool && !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !compares(a) })
	}
	return false
}

// isAddend reports whether v, an integer that is the same in all iterations, is only added to subscripts.
func (c *chooser) isAddend(v *vir.Value) bool {
	return v.Type.Elem.IsInt() && !slices.ContainsFunc(c.uses[v], func(u *vir.Value) bool { return !c.adds(u, v) })
}

// adds reports whether user u of v adds it to a subscript, or is the same in all iterations as well and is added to one.
func (c *chooser) adds(u, v *vir.Value) bool {
	switch u.Op {
	case vir.OpPhi:
		return slices.Contains(c.phis, u)
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpSext, vir.OpZext:
		if slices.ContainsFunc(u.Args, func(x *vir.Value) bool { return x != v && !c.known(x) }) {
			return u.Op == vir.OpAdd || u.Op == vir.OpSub
		}
		return c.isAddend(u)
	case vir.OpLoad, vir.OpCheckIndex:
		return true
	case vir.OpStore:
		return u.Stored() != v
	}
	return false
}
