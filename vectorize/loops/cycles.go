package loops

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A Cycle is a strongly connected part of a region. What is left of it without
// its header is taken apart into cycles again, so that every block is passed at
// most once per iteration of the innermost cycle around it. A reducible cycle is
// a natural loop. An irreducible one has more entries than its header: control
// that comes in through another one reaches the header (its first iteration)
// later or never.
//
// Nests of this form, and the order of Cycles, are those of Bourdoncle,
// "Efficient chaotic iteration strategies with widenings".
type Cycle struct {
	Header   *vir.Block
	Entries  []*vir.Block // targets of edges from outside, header first
	Blocks   []*vir.Block // in the order of Cycles, header first
	Exits    []Edge       // edges that leave it, in order of their source
	Parent   *Cycle       // nil for an outermost cycle
	Children []*Cycle
	Depth    int // 1 for an outermost cycle

	has map[*vir.Block]bool
}

// Contains reports whether b is in c or in a cycle inside it.
func (c *Cycle) Contains(b *vir.Block) bool { return c.has[b] }

// Cycles is all cycles of a region and an order of its blocks: cycles are not
// torn apart, their headers come first, and an edge leads backwards only to a
// header of a cycle that its source is in.
type Cycles struct {
	Order []*vir.Block
	Top   []*Cycle // outermost cycles
	All   []*Cycle // every cycle, an outer one before those inside it

	pos       map[*vir.Block]int
	innermost map[*vir.Block]*Cycle
}

// Of is the innermost cycle around b, nil when there is none.
func (c *Cycles) Of(b *vir.Block) *Cycle { return c.innermost[b] }

// Common is the innermost cycle that both a and b are in, nil when there is none.
func (c *Cycles) Common(a, b *vir.Block) *Cycle {
	q := c.innermost[a]
	for q != nil && !q.has[b] {
		q = q.Parent
	}
	return q
}

// Before reports whether a stands before b in the order.
func (c *Cycles) Before(a, b *vir.Block) bool { return c.pos[a] < c.pos[b] }

// Cycles takes the region apart.
func (r *Region) Cycles() *Cycles {
	c := &Cycles{pos: make(map[*vir.Block]int), innermost: make(map[*vir.Block]*Cycle)}
	c.nest(r, r.Blocks, nil)
	for i, b := range c.Order {
		c.pos[b] = i
	}
	return c
}

// nest appends the blocks, which parent holds besides its header, to the order.
func (c *Cycles) nest(r *Region, blocks []*vir.Block, parent *Cycle) {
	for _, part := range components(r, blocks) {
		if h := part[0]; len(part) == 1 && !slices.Contains(r.Succs(h), h) {
			c.Order = append(c.Order, h)
			continue
		}
		q := newCycle(r, part, parent)
		c.All = append(c.All, q)
		if parent == nil {
			c.Top = append(c.Top, q)
		}
		for _, b := range part {
			c.innermost[b] = q
		}
		start := len(c.Order)
		c.Order = append(c.Order, q.Header)
		c.nest(r, part[1:], q)
		q.Blocks = slices.Clone(c.Order[start:])
		for _, b := range q.Blocks {
			for _, s := range b.Succs {
				if !q.has[s] || r.Leaves(s) {
					q.Exits = append(q.Exits, Edge{b, s})
				}
			}
		}
	}
}

// newCycle makes a cycle of blocks in reverse post-order. The first of them is
// an entry: the walk that made the order saw it first, so it came from outside.
func newCycle(r *Region, blocks []*vir.Block, parent *Cycle) *Cycle {
	q := &Cycle{Header: blocks[0], Parent: parent, Depth: 1, has: make(map[*vir.Block]bool)}
	if parent != nil {
		q.Depth = parent.Depth + 1
		parent.Children = append(parent.Children, q)
	}
	for _, b := range blocks {
		q.has[b] = true
	}
	for _, b := range blocks {
		outside := func(p *vir.Block) bool { return !q.has[p] }
		if b == r.Entry || slices.ContainsFunc(r.Preds(b), outside) {
			q.Entries = append(q.Entries, b)
		}
	}
	return q
}

// components are the strongly connected components of some blocks, each in
// reverse post-order, in an order in which edges between them lead forwards. The blocks
// come in reverse post-order.
func components(r *Region, blocks []*vir.Block) [][]*vir.Block {
	at := make(map[*vir.Block]int)
	for i, b := range blocks {
		at[b] = i
	}
	// The parts come out last first. Going backwards through the blocks keeps the
	// parts that do not depend on each other in reverse post-order.
	var backwards []int
	for i := range slices.Backward(blocks) {
		backwards = append(backwards, i)
	}
	parts := Components(backwards, func(i int) (succs []int) {
		for _, s := range r.Succs(blocks[i]) {
			if k, ok := at[s]; ok {
				succs = append(succs, k)
			}
		}
		return succs
	})
	var all [][]*vir.Block
	for _, part := range slices.Backward(parts) {
		var bs []*vir.Block
		for _, i := range part {
			bs = append(bs, blocks[i])
		}
		all = append(all, bs)
	}
	return all
}
