package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// vector is the vector of n where w.out is. What packs nothing is written as early as its
// lanes are known, but in no loop that its user is not in.
func (w *writer) vector(n *node) *vir.Value {
	if n.vec != nil && (n.packs() || w.dom.Dominates(n.vec.Block, w.out.Cur)) {
		return n.vec
	}
	for _, a := range n.args {
		w.vector(a)
	}
	at := w.outermost(w.home(n))
	if at == w.out.Cur && !w.done[at] {
		n.vec = w.build(w.out, n)
		return n.vec
	}
	term := at.Term()
	at.Insts = at.Insts[:len(at.Insts)-1]
	n.vec = w.build(&vir.Builder{Func: w.f, Cur: at}, n)
	at.Insts = append(at.Insts, term)
	return n.vec
}

// outermost is the block on the way from the current one back to home that is in the
// fewest loops, the one nearest to home.
func (w *writer) outermost(home *vir.Block) *vir.Block {
	at := w.out.Cur
	for b := at; b != nil; b = w.dom.Idom(b) {
		if w.depth(b) <= w.depth(at) {
			at = b
		}
		if b == home {
			break
		}
	}
	return at
}

func (w *writer) depth(b *vir.Block) int {
	n := 0
	for l := w.forest.Of(b); l != nil; l = l.Parent {
		n++
	}
	return n
}

// home is the block in which the last of what n is made of is computed.
func (w *writer) home(n *node) *vir.Block {
	home := w.f.Entry()
	later := func(b *vir.Block) {
		if b != nil && w.dom.Dominates(home, b) {
			home = b
		}
	}
	for _, v := range n.scalars {
		if v != nil && v.Op != vir.OpConst {
			later(v.Block)
		}
	}
	for _, a := range n.args {
		later(w.homeOf(a))
	}
	return home
}

// homeOf is the block of the vector of n.
func (w *writer) homeOf(n *node) *vir.Block {
	if n.vec != nil {
		return n.vec.Block
	}
	return w.home(n)
}

// build writes a node that packs nothing.
func (w *writer) build(b *vir.Builder, n *node) *vir.Value {
	switch n.kind {
	case constants:
		return w.constants(b, n)
	case splat:
		return b.Op(vir.OpBroadcast, n.typ(), n.first())
	case shuffle:
		return w.shuffle(b, n)
	}
	v := w.constants(b, n)
	for i, x := range n.scalars {
		if x != nil && x.Op != vir.OpConst {
			v = b.Insert(v, x, i)
		}
	}
	return v
}

// constants is the lanes of n that are known, poison when there are none.
func (w *writer) constants(b *vir.Builder, n *node) *vir.Value {
	bits := make([]uint64, n.width())
	var known *vir.Value
	for i, v := range n.scalars {
		if v != nil && v.Op == vir.OpConst {
			bits[i], known = v.Bits[0], v
		}
	}
	if known == nil {
		return b.Op(vir.OpPoison, n.typ())
	}
	for i, v := range n.scalars {
		if v == nil || n.kind == gather && v.Op != vir.OpConst {
			bits[i] = known.Bits[0]
		}
	}
	if !slices.ContainsFunc(bits, func(x uint64) bool { return x != bits[0] }) {
		bits = bits[:1]
	}
	return b.Lanes(n.typ(), bits)
}

// shuffle takes lanes out of one or two nodes.
func (w *writer) shuffle(b *vir.Builder, n *node) *vir.Value {
	x := w.vector(n.args[0])
	var y *vir.Value
	if len(n.args) > 1 {
		y = w.vector(n.args[1])
	}
	return b.Shuffle(n.typ(), n.lanes, x, y)
}
