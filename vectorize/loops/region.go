package loops

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A Region is a part of a function with one entry through which control flows
// once: a whole function, or one iteration of a loop. Edges back to the entry
// leave it, like all edges to blocks outside.
type Region struct {
	Entry  *vir.Block
	Blocks []*vir.Block // in reverse post-order, the entry first

	num map[*vir.Block]int
}

// Whole is what the entry of f reaches.
func Whole(f *vir.Func) *Region { return newRegion(RPO(f)) }

// Body is one iteration of l.
func (l *Loop) Body() *Region { return newRegion(l.Blocks) }

func newRegion(blocks []*vir.Block) *Region {
	r := &Region{Entry: blocks[0], Blocks: blocks, num: make(map[*vir.Block]int, len(blocks))}
	for i, b := range blocks {
		r.num[b] = i
	}
	return r
}

// Contains reports whether b is a block of the region.
func (r *Region) Contains(b *vir.Block) bool {
	_, ok := r.num[b]
	return ok
}

// Leaves reports whether control that goes on to block to leaves the region.
func (r *Region) Leaves(to *vir.Block) bool { return to == r.Entry || !r.Contains(to) }

// Succs are the successors of b that do not leave the region.
func (r *Region) Succs(b *vir.Block) []*vir.Block {
	return slices.DeleteFunc(slices.Clone(b.Succs), r.Leaves)
}

// Preds are the predecessors of b inside the region.
func (r *Region) Preds(b *vir.Block) []*vir.Block {
	if b == r.Entry {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.Preds), func(p *vir.Block) bool { return !r.Contains(p) })
}

// PostDom is the post-dominator tree under a virtual exit, to which every edge
// that leaves the region and every block that ends the function leads. For
// parts without an end see PostDomTree.
func (r *Region) PostDom() *Dom {
	var ends []*vir.Block
	for _, b := range r.Blocks {
		if len(b.Succs) == 0 || slices.ContainsFunc(b.Succs, r.Leaves) {
			ends = append(ends, b)
		}
	}
	return postDom(r.Blocks, ends, r.Succs, r.Preds)
}

// Influence is the influence region of b: the blocks that control can pass
// through after it has left b and before it reaches the immediate
// post-dominator of b, in reverse post-order. In a cycle it may hold b itself.
func (r *Region) Influence(post *Dom, b *vir.Block) []*vir.Block {
	stop := post.Idom(b)
	return r.Reach(r.Succs(b), func(x *vir.Block) bool { return x == stop })
}

// Reach lists, in reverse post-order, what can be reached from the given blocks
// inside of the region without entering a block that stop holds for.
func (r *Region) Reach(from []*vir.Block, stop func(*vir.Block) bool) []*vir.Block {
	order := postorder(slices.DeleteFunc(slices.Clone(from), stop), func(b *vir.Block) []*vir.Block {
		return slices.DeleteFunc(r.Succs(b), stop)
	})
	slices.SortFunc(order, func(a, b *vir.Block) int { return r.num[a] - r.num[b] })
	return order
}
