// Package loops finds out how control flows through a function or one iteration
// of a loop in it: order of blocks, dominators, post-dominators and influence
// regions, natural loops, and nests of cycles where loops are not natural.
//
// It knows blocks and edges only; what the values in them mean is the business
// of the analyses built on top. Results hold for the function as it was when
// they were computed.
package loops

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// RPO lists the blocks that the entry reaches in reverse post-order: except
// along back edges, a block comes after its predecessors.
func RPO(f *vir.Func) []*vir.Block {
	if len(f.Blocks) == 0 {
		return nil
	}
	order := postorder([]*vir.Block{f.Entry()}, succs)
	slices.Reverse(order)
	return order
}

func succs(b *vir.Block) []*vir.Block { return b.Succs }
func preds(b *vir.Block) []*vir.Block { return b.Preds }

// postorder visits what the roots reach. Edges are taken last to first, so that
// in the reversed order the first target of a branch precedes the second.
func postorder(roots []*vir.Block, next func(*vir.Block) []*vir.Block) []*vir.Block {
	var order []*vir.Block
	seen := make(map[*vir.Block]bool)
	var visit func(*vir.Block)
	visit = func(b *vir.Block) {
		seen[b] = true
		for _, s := range slices.Backward(next(b)) {
			if !seen[s] {
				visit(s)
			}
		}
		order = append(order, b)
	}
	for _, r := range roots {
		if !seen[r] {
			visit(r)
		}
	}
	return order
}

// A Dom is a dominator or post-dominator tree.
type Dom struct {
	idom  map[*vir.Block]*vir.Block // nil for children of the root; absent when unreachable
	depth map[*vir.Block]int
}

// DomTree computes the dominator tree of what the entry reaches.
func DomTree(f *vir.Func) *Dom {
	if len(f.Blocks) == 0 {
		return &Dom{}
	}
	return tree([]*vir.Block{f.Entry()}, succs, preds)
}

// PostDomTree computes the post-dominator tree under a virtual exit, to which
// every block that ends the function leads. A part that never reaches the end
// (an infinite loop) gets an edge to the virtual exit from the last of its
// blocks in reverse post-order, so that every block has a place in the tree.
func PostDomTree(f *vir.Func) *Dom {
	var roots []*vir.Block
	for _, b := range f.Blocks {
		if len(b.Succs) == 0 {
			roots = append(roots, b)
		}
	}
	return postDom(RPO(f), roots, succs, preds)
}

// postDom is PostDomTree for the blocks in order, of which ends lead to the
// virtual exit.
func postDom(order, ends []*vir.Block, succs, preds func(*vir.Block) []*vir.Block) *Dom {
	for {
		reached := make(map[*vir.Block]bool)
		for _, b := range postorder(ends, preds) {
			reached[b] = true
		}
		i := len(order) - 1
		for i >= 0 && reached[order[i]] {
			i--
		}
		if i < 0 {
			return tree(ends, preds, succs)
		}
		ends = append(ends, order[i])
	}
}

// tree is the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple,
// Fast Dominance Algorithm"): process blocks in reverse post-order, intersect
// the paths of processed predecessors to the root, until nothing changes. A
// virtual root stands above all roots.
func tree(roots []*vir.Block, next, prev func(*vir.Block) []*vir.Block) *Dom {
	order := postorder(roots, next)
	slices.Reverse(order)
	// Numbers grow with the order; 0 is the virtual root.
	num := make(map[*vir.Block]int, len(order))
	for i, b := range order {
		num[b] = i + 1
	}
	isRoot := make(map[*vir.Block]bool, len(roots))
	for _, r := range roots {
		isRoot[r] = true
	}
	idom := make([]int, len(order)+1)
	for i := range idom {
		idom[i] = -1
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for i, b := range order {
			best := -1
			if isRoot[b] {
				best = 0
			}
			for _, p := range prev(b) {
				if n := num[p]; n > 0 && idom[n] >= 0 {
					best = intersect(idom, best, n)
				}
			}
			if idom[i+1] != best {
				idom[i+1], changed = best, true
			}
		}
	}
	return newDom(order, idom)
}

func intersect(idom []int, a, b int) int {
	if a < 0 {
		return b
	}
	for a != b {
		for a > b {
			a = idom[a]
		}
		for b > a {
			b = idom[b]
		}
	}
	return a
}

func newDom(order []*vir.Block, idom []int) *Dom {
	d := &Dom{
		idom:  make(map[*vir.Block]*vir.Block, len(order)),
		depth: make(map[*vir.Block]int, len(order)),
	}
	for i, b := range order {
		if up := idom[i+1]; up > 0 {
			d.idom[b] = order[up-1]
			d.depth[b] = d.depth[order[up-1]] + 1
		} else {
			d.idom[b] = nil
			d.depth[b] = 1
		}
	}
	return d
}

// Idom is the immediate (post-)dominator of b, nil at the top of the tree and
// for blocks outside it.
func (d *Dom) Idom(b *vir.Block) *vir.Block { return d.idom[b] }

// Has reports whether b is in the tree, that is, reachable.
func (d *Dom) Has(b *vir.Block) bool {
	_, ok := d.idom[b]
	return ok
}

// Dominates reports whether a (post-)dominates b; every block does itself.
func (d *Dom) Dominates(a, b *vir.Block) bool {
	if !d.Has(a) || !d.Has(b) {
		return false
	}
	for b != nil && d.depth[b] > d.depth[a] {
		b = d.idom[b]
	}
	return a == b
}

// Common is the nearest block that (post-)dominates both a and b, nil when only
// the virtual root does.
func (d *Dom) Common(a, b *vir.Block) *vir.Block {
	for a != b && a != nil && b != nil {
		if d.depth[a] >= d.depth[b] {
			a = d.idom[a]
		} else {
			b = d.idom[b]
		}
	}
	if a == nil || b == nil {
		return nil
	}
	return a
}
