package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// An analysis holds what selection wants to know of a function beforehand.
type analysis struct {
	order []*vir.Block              // reverse postorder
	rpo   map[*vir.Block]int        // position in order
	idom  map[*vir.Block]*vir.Block // immediate dominators
	depth map[*vir.Block]int        // number of loops around
	outer map[*vir.Block]*vir.Block // header of the outermost loop around
	inner map[*vir.Block]*vir.Block // header of the innermost loop around
	uses  map[*vir.Value][]*vir.Value
	sunk  map[*vir.Value]*vir.Block // where a comparison is done that moves to its branch
	sums  sumSet
	zeros map[sumPart]bool            // as far as asked
	lanes map[*vir.Block][]*vir.Value // vectors that are stored at its end, see findLanes

	bodies map[*vir.Block]map[*vir.Block]bool // of the loops with these headers, as far as asked
}

func analyze(f *vir.Func) *analysis {
	a := &analysis{
		rpo:   make(map[*vir.Block]int),
		idom:  make(map[*vir.Block]*vir.Block),
		depth: make(map[*vir.Block]int),
		outer: make(map[*vir.Block]*vir.Block),
		inner: make(map[*vir.Block]*vir.Block),
		uses:  f.Uses(),
		sunk:  make(map[*vir.Value]*vir.Block),
		zeros: make(map[sumPart]bool),
		lanes: make(map[*vir.Block][]*vir.Value),

		bodies: make(map[*vir.Block]map[*vir.Block]bool),
	}
	a.number(f.Entry(), make(map[*vir.Block]bool))
	slices.Reverse(a.order)
	for i, b := range a.order {
		a.rpo[b] = i
	}
	a.dominators()
	a.loops()
	a.sink(f)
	a.findLanes(f)
	a.sums = sumsOf(f, a.uses)
	return a
}

// number appends the blocks reachable from b in postorder.
func (a *analysis) number(b *vir.Block, seen map[*vir.Block]bool) {
	seen[b] = true
	for _, s := range b.Succs {
		if !seen[s] {
			a.number(s, seen)
		}
	}
	a.order = append(a.order, b)
}

// dominators iterates as Cooper, Harvey and Kennedy do.
func (a *analysis) dominators() {
	a.idom[a.order[0]] = a.order[0]
	for changed := true; changed; {
		changed = false
		for _, b := range a.order[1:] {
			var d *vir.Block
			for _, p := range b.Preds {
				switch {
				case a.idom[p] == nil:
				case d == nil:
					d = p
				default:
					d = a.common(d, p)
				}
			}
			if a.idom[b] != d {
				a.idom[b] = d
				changed = true
			}
		}
	}
}

func (a *analysis) common(b, c *vir.Block) *vir.Block {
	for b != c {
		for a.rpo[b] > a.rpo[c] {
			b = a.idom[b]
		}
		for a.rpo[c] > a.rpo[b] {
			c = a.idom[c]
		}
	}
	return b
}

func (a *analysis) dominates(b, c *vir.Block) bool {
	for a.rpo[c] > a.rpo[b] {
		c = a.idom[c]
	}
	return b == c
}

// loops finds the natural loop of every header; headers come in reverse
// postorder, outer loops before inner ones.
func (a *analysis) loops() {
	for _, h := range a.order {
		body := a.body(h)
		for _, b := range a.order {
			if !body[b] {
				continue
			}
			a.depth[b]++
			a.inner[b] = h
			if a.outer[b] == nil {
				a.outer[b] = h
			}
		}
	}
}

// body is the natural loop of all back edges to h, empty if there is none.
func (a *analysis) body(h *vir.Block) map[*vir.Block]bool {
	body, ok := a.bodies[h]
	if ok {
		return body
	}
	body = make(map[*vir.Block]bool)
	a.bodies[h] = body
	var work []*vir.Block
	for _, p := range h.Preds {
		if _, ok := a.rpo[p]; ok && a.dominates(h, p) {
			body[h] = true
			work = append(work, p)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !body[b] {
			body[b] = true
			work = append(work, b.Preds...)
		}
	}
	return body
}

// preheader is the last block outside of all loops that is always passed before
// b, a block in a loop.
func (a *analysis) preheader(b *vir.Block) *vir.Block {
	d := a.idom[a.outer[b]]
	for a.depth[d] > 0 {
		d = a.idom[a.outer[d]]
	}
	return d
}

// sink finds the comparisons of integers that only a branch of another block
// reads, as often as they would be done: there they are a comparison and a jump
// instead of a bool.
func (a *analysis) sink(f *vir.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Insts {
			if v.Op < vir.OpIcmpEq || v.Op > vir.OpIcmpUle || v.Args[0].Type.IsVector() || len(a.uses[v]) != 1 {
				continue
			}
			u := a.uses[v][0]
			if u.Op == vir.OpBr && u.Block != b && a.inner[u.Block] == a.inner[b] {
				a.sunk[v] = u.Block
			}
		}
	}
}

// blockOf is the block that v is emitted in.
func (a *analysis) blockOf(v *vir.Value) *vir.Block {
	if b := a.sunk[v]; b != nil {
		return b
	}
	return v.Block
}

// leavesBlock reports whether v is used in another block or by a phi.
func (a *analysis) leavesBlock(v *vir.Value) bool {
	for _, u := range a.uses[v] {
		if a.blockOf(u) != v.Block || u.Op == vir.OpPhi {
			return true
		}
	}
	return false
}
