package verify

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// ssa checks that operands exist and that definitions dominate uses.
func (c *checker) ssa() {
	dom := dominators(c.f)
	for _, b := range c.f.Blocks {
		for i, v := range b.Insts {
			if v == nil {
				continue
			}
			if v.Op == vir.OpPhi && len(v.Args) != len(b.Preds) {
				c.valuef(v, "phi has %d operands, block has %d predecessors", len(v.Args), len(b.Preds))
				continue
			}
			for k, a := range v.Args {
				c.operand(dom, v, place{b, i}, k, a)
			}
		}
	}
}

func (c *checker) operand(dom domSets, v *vir.Value, at place, k int, a *vir.Value) {
	def, known := c.where[a]
	switch {
	case a == nil:
		c.valuef(v, "operand %d is nil", k)
		return
	case !known:
		c.valuef(v, "operand %d is no value of the function", k)
		return
	case a.Type.Elem == vir.Void && v.Op != vir.OpResult:
		c.valuef(v, "operand %d has no result", k)
		return
	}
	if v.Op == vir.OpPhi {
		at = place{at.block.Preds[k], len(at.block.Preds[k].Insts)}
	}
	switch {
	case def.block == nil || dom[at.block] == nil:
		// Parameters are defined everywhere; unreachable blocks are reported as such.
	case def.block == at.block && def.index >= at.index:
		c.valuef(v, "operand %d is used before its definition", k)
	case !dom[at.block][def.block]:
		c.valuef(v, "operand %d is not defined on every path", k)
	}
}

// domSets holds, for every block that can be reached, the blocks that dominate it.
type domSets map[*vir.Block]map[*vir.Block]bool

// dominators solves dom(b) = {b} + intersection of dom(p) over predecessors p
// by iteration from the entry. Sets that are still nil stand for all blocks.
func dominators(f *vir.Func) domSets {
	dom := make(domSets)
	if len(f.Blocks) == 0 {
		return dom
	}
	dom[f.Entry()] = map[*vir.Block]bool{f.Entry(): true}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks[1:] {
			next := meet(dom, b)
			if next != nil && (dom[b] == nil || len(next) != len(dom[b])) {
				dom[b], changed = next, true
			}
		}
	}
	return dom
}

// meet is the right side of the equation for b; nil while no predecessor is known.
func meet(dom domSets, b *vir.Block) map[*vir.Block]bool {
	var preds []*vir.Block
	for _, p := range b.Preds {
		if dom[p] != nil && slices.Contains(p.Succs, b) {
			preds = append(preds, p)
		}
	}
	if preds == nil {
		return nil
	}
	next := map[*vir.Block]bool{b: true}
	for d := range dom[preds[0]] {
		all := true
		for _, p := range preds[1:] {
			all = all && dom[p][d]
		}
		if all {
			next[d] = true
		}
	}
	return next
}
