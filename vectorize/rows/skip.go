package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Iterations that skip the inner loop:
//
//	f := a[i*n+k]
//	if f == 0 {
//		continue
//	}
//	for j := range n {
//
// They do it without a turn: its limit is where it begins then.

// A detour is a branch of which one way leads around the inner loop, with nothing but arithmetic on either way.
type detour struct {
	branch *vir.Block // ends with the condition
	meet   *vir.Block // where the ways meet
	around *vir.Block // the way around; meet itself where there is nothing on it
	holds  bool       // where the condition holds
	last   *vir.Block // of the other way, before meet
}

// skip makes the inner loop be reached in every iteration, if iterations skip it that way.
func (n *Nest) skip() bool {
	n.lift()
	d, ok := n.detour()
	turns, ok2 := n.condition()
	if !ok || !ok2 {
		return false
	}
	b := vir.NewBuilder(n.fn(), d.branch)
	if d.around != d.meet {
		for _, v := range slices.Clone(d.around.Insts[:len(d.around.Insts)-1]) {
			v.Remove()
			v.Block = d.branch
			d.branch.Insts = slices.Insert(d.branch.Insts, len(d.branch.Insts)-1, v)
		}
	}
	skips := d.branch.Term().Args[0]
	if !d.holds {
		edit.Ahead(b, d.branch, func() { skips = b.Same(vir.OpNot, skips) })
	}
	edit.Ahead(b, n.pre, func() { turns.none(b, skips) })
	n.merge(b, d, skips)
	edit.Decide(d.branch, !d.holds)
	edit.Drop(n.fn())
	edit.DropSingles([]*vir.Block{d.meet})
	return true
}

// merge chooses between what the variables of the outer loop are behind either way, at the end of the one that is left.
func (n *Nest) merge(b *vir.Builder, d detour, skips *vir.Value) {
	meet, from := d.meet, d.around
	if from == meet {
		from = d.branch
	}
	edit.Ahead(b, d.last, func() {
		for _, phi := range meet.Phis() {
			skipped, done := phi.Args[meet.PredIndex(from)], meet.PredIndex(d.last)
			if phi.Args[done] != skipped {
				phi.Args[done] = b.Op(vir.OpSelect, phi.Type, skips, skipped, phi.Args[done])
			}
		}
	})
}

// A condition is that of the inner loop, a comparison of a variable of it with what is known before.
type condition struct {
	less           *vir.Value
	counter, limit int // operands
	enters         int // of the variable: what it is before the loop
}

// condition finds it.
func (n *Nest) condition() (c condition, ok bool) {
	c = condition{less: n.header.Term().Args[0], limit: 1, enters: n.header.PredIndex(n.pre)}
	switch c.less.Op {
	case vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
	default:
		return c, false
	}
	varies := func(v *vir.Value) bool { return v.Op == vir.OpPhi && v.Block == n.header }
	if !varies(c.less.Args[0]) {
		c.counter, c.limit = 1, 0
	}
	limit := c.less.Args[c.limit]
	return c, c.less.Block == n.header && varies(c.less.Args[c.counter]) && (limit.Block == nil || !n.loop.Contains(limit.Block))
}

// none makes the condition fail at once where skips holds.
func (c condition) none(b *vir.Builder, skips *vir.Value) {
	j := c.less.Args[c.counter]
	first := j.Args[c.enters]
	end := first
	if c.less.Op == vir.OpIcmpSle || c.less.Op == vir.OpIcmpUle { // the next number may be another one
		j.Args[c.enters] = b.Op(vir.OpSelect, j.Type, skips, b.Const(j.Type, 1), first)
		end = b.Const(j.Type, uint64(2*c.counter))
	}
	c.less.Args[c.limit] = b.Op(vir.OpSelect, j.Type, skips, end, c.less.Args[c.limit])
}

// detour finds the branch.
func (n *Nest) detour() (d detour, ok bool) {
	for d.meet = n.latch(); len(d.meet.Preds) == 1; {
		d.meet = d.meet.Preds[0]
	}
	d.branch = loops.DomTree(n.fn()).Idom(d.meet)
	if d.branch == nil || d.branch.Term().Op != vir.OpBr || len(d.meet.Preds) != 2 || n.loop.Contains(d.branch) {
		return d, false
	}
	leads := func(b *vir.Block) bool { return slices.Equal(b.Succs, []*vir.Block{d.meet}) }
	for k, way := range d.branch.Succs {
		switch {
		case !n.calculates(d.branch.Succs[1-k], n.pre):
		case way == d.meet, len(way.Preds) == 1 && n.calculates(way, way) && leads(way):
			d.around, d.holds = way, k == 0
		}
	}
	if d.around == nil {
		return d, false
	}
	for d.last = n.behind; !leads(d.last); d.last = d.last.Succs[0] {
		if len(d.last.Succs) != 1 {
			return d, false
		}
	}
	return d, n.calculates(n.behind, d.last)
}

// calculates reports whether there is one way from a block to another one, on which nothing is done but arithmetic that cannot fail.
func (n *Nest) calculates(from, to *vir.Block) bool {
	for b := from; ; b = b.Succs[0] {
		for _, v := range b.Insts[:len(b.Insts)-1] {
			if v.Op.IsCheck() || v.Op.IsLoad() || v.Op.IsStore() || v.Op.Info().Effect || edit.Divides(v.Op) {
				return false
			}
		}
		if b == to {
			return true
		}
		if len(b.Succs) != 1 {
			return false
		}
	}
}
