package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// lift moves what the header of the inner loop computes of what is known to the front.
func (n *Nest) lift() {
	for _, v := range slices.Clone(n.header.Insts) {
		if edit.Invariant(v, n.known) {
			edit.Move(v, n.pre)
		}
	}
}

// known reports whether v is computed outside of the inner loop.
func (n *Nest) known(v *vir.Value) bool { return v.Block == nil || !n.loop.Contains(v.Block) }

// liftHeaders moves headers of slices that each turn of the inner loop loads alike to its front, as b[k] in
//
//	for j := range n {
//		c[j] += t * b[k][j]
//	}
//
// with the checks of their subscripts, or new ones where the loop has made sure of them. Stores of numbers do not change headers. A row of
// no turns, in which nobody would have asked, is handed over where the check fails.
func (n *Nest) liftHeaders() {
	dom := loops.DomTree(n.fn())
	for _, b := range n.loop.Blocks {
		if !dom.Dominates(b, n.loop.Latches[0]) {
			continue
		}
		for _, v := range slices.Clone(b.Insts) {
			if !alias.IsHeader(n.fn(), v) || !n.isElement(v) {
				continue
			}
			if w := n.loaded(v); w != nil {
				n.fn().ReplaceUses(v, w)
				v.Remove()
				continue
			}
			if c := n.check(v); c.Block != n.pre {
				edit.Move(c, n.pre)
			}
			edit.Move(v, n.pre)
		}
	}
}

// lifted reports whether v is known in front of the inner loop, or computed there now.
func (n *Nest) lifted(v *vir.Value) bool {
	if n.known(v) {
		return true
	}
	if !edit.Invariant(v, n.lifted) {
		return false
	}
	edit.Move(v, n.pre)
	return true
}

// loaded is what was loaded in front of the inner loop from where v is; nil for nothing.
func (n *Nest) loaded(v *vir.Value) *vir.Value {
	for _, w := range n.pre.Insts {
		if w.Op == vir.OpLoad && w.Type == v.Type && !w.Masked && alias.Compare(v, w) == alias.Equal {
			return w
		}
	}
	return nil
}

// isElement reports whether v loads from an element of a slice that is a parameter, at a subscript that is known in front of the inner loop.
func (n *Nest) isElement(v *vir.Value) bool {
	if v.Op != vir.OpLoad || v.Masked || v.Base().Op != vir.OpParam || v.Index() == nil {
		return false
	}
	facts, size := v.Base().Param, int64(v.Access().Size())
	return v.Scale == int64(facts.ElemSize) && 0 <= v.Disp && v.Disp+size <= v.Scale && facts.Len != nil && n.lifted(v.Index())
}

// check is that of the subscript of v.
func (n *Nest) check(v *vir.Value) *vir.Value {
	for _, b := range append([]*vir.Block{n.pre}, n.loop.Blocks...) {
		for _, c := range b.Insts {
			if c.Op == vir.OpCheckIndex && !c.Masked && c.Args[0] == v.Index() && c.Args[1] == v.Base().Param.Len {
				return c
			}
		}
	}
	c := n.fn().NewValue(vir.OpCheckIndex, vir.Type{})
	c.Args, c.Pos = []*vir.Value{v.Index(), v.Base().Param.Len}, v.Pos
	return c
}
