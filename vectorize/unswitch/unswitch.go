// Package unswitch makes versions of a region for the outcomes of conditions that
// are known before its loop, and one kernel of the kernels for them:
//
//	for i := range y {                      entry: br %f, yes, no
//		if f { y[i] = a*x[i] }     ==>      yes:   the kernel for y[i] = a*x[i]
//		else { y[i] = b }                   no:    the kernel for y[i] = b
//	}
//
// (Allen, Cocke: A catalogue of optimizing transformations, 1972: unswitching.) A
// version has no masks for such a condition, what it stores is stored in every
// iteration, and what it does not do asks for nothing: no bound, no test.
//
// It knows scalar regions and plans of kernels, and nothing of how one becomes the
// other: the caller has the versions vectorized and decides what is worth it.
//
// Conditions are pure operations on live-ins. What is loaded in the loop is no
// condition, even from one address: a store may change it.
package unswitch

import (
	"slices"
	"sync"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Tree says which version is for which outcomes of conditions.
type Tree struct {
	Version int // of a leaf

	cond    *vir.Value // of function fn; nil in a leaf
	fn      *vir.Func
	yes, no *Tree

	region *plan.Region // of a leaf
}

// IsLeaf reports whether there is nothing to ask.
func (t *Tree) IsLeaf() bool { return t.cond == nil }

// Split makes versions of r. The tree has at most so many leaves, as near to its root as can be;
// conditions beyond that stay in the versions. Versions with the same text are one.
func Split(r *plan.Region, leaves int) (*Tree, []*plan.Region) {
	root := &Tree{region: r}
	for {
		root.grow(leaves - root.leaves())
		asked := root.leaves()
		n := &numbering{known: make(map[string]int)}
		root = n.number(root)
		if root.leaves() == asked { // no condition has left room for others
			return root, n.versions
		}
	}
}

// leaves is how many there are.
func (t *Tree) leaves() int {
	if t.IsLeaf() {
		return 1
	}
	return t.yes.leaves() + t.no.leaves()
}

// grow asks for conditions of leaves, those nearest to the root first, until there are so many more leaves.
func (t *Tree) grow(more int) {
	for open := []*Tree{t}; more > 0 && len(open) > 0; open = open[1:] {
		t := open[0]
		if t.IsLeaf() {
			c := condition(t.region.Fn)
			if c == nil {
				continue
			}
			more--
			t.cond, t.fn = c, t.region.Fn
			t.yes, t.no = &Tree{region: assume(t.region, c, true)}, &Tree{region: assume(t.region, c, false)}
		}
		open = append(open, t.yes, t.no)
	}
}

// A numbering gives versions numbers.
type numbering struct {
	known    map[string]int // by the text of the version
	versions []*plan.Region
}

// number is t with the numbers of versions, without conditions that make no difference.
func (n *numbering) number(t *Tree) *Tree {
	if t.IsLeaf() {
		return &Tree{Version: n.version(t.region), region: t.region}
	}
	yes, no := n.number(t.yes), n.number(t.no)
	if yes.IsLeaf() && no.IsLeaf() && yes.Version == no.Version {
		return yes
	}
	return &Tree{cond: t.cond, fn: t.fn, yes: yes, no: no}
}

func (n *numbering) version(r *plan.Region) int {
	text := r.Fn.String()
	k, ok := n.known[text]
	if !ok {
		k = len(n.versions)
		n.known[text] = k
		n.versions = append(n.versions, r)
	}
	return k
}

// condition is the first condition of the body that is known before the loop.
func condition(f *vir.Func) *vir.Value {
	forest := loops.Find(f)
	chooser := sync.OnceValue(func() *chooser { return newChooser(f) })
	for _, b := range f.Blocks[2 : len(f.Blocks)-1] {
		t := b.Term()
		if t.Op != vir.OpBr || b.Succs[0] == b.Succs[1] {
			continue
		}
		if leaves(forest.Of(b), b) {
			continue
		}
		if c := t.Args[0]; invariant(c) && asksCaller(c) && !chooser().addends(b) {
			return c
		}
	}
	return nil
}

// leaves reports whether the branch of b may leave loop l.
func leaves(l *loops.Loop, b *vir.Block) bool {
	return l == nil || slices.ContainsFunc(b.Succs, func(s *vir.Block) bool { return !l.Contains(s) || s == l.Header })
}

// invariant reports whether v is pure operations on parameters and constants.
func invariant(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if v.Op == vir.OpParam || v.Op == vir.OpConst {
			return edit.Given
		}
		return edit.KnownIf(pure(v.Op))
	})
}

// asksCaller reports whether the caller has a say in v, which is invariant.
func asksCaller(v *vir.Value) bool {
	return v.Op == vir.OpParam || slices.ContainsFunc(v.Args, asksCaller)
}

// pure reports whether op may be done before the loop, where nobody has asked for it.
func pure(op vir.Op) bool {
	switch op {
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle,
		vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe,
		vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpNot,
		vir.OpAdd, vir.OpSub, vir.OpNeg, vir.OpTrunc, vir.OpZext, vir.OpSext,
		vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFneg, vir.OpFabs, vir.OpFtrunc, vir.OpFfloor, vir.OpFceil:
		return true
	}
	return false
}
