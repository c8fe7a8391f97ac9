package slev

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// congruence knows definitions of the same value. Blending such definitions
// taints nothing.
//
// Two values are congruent when they are the same operation on congruent
// operands and neither reads memory, or when one is a phi or a choice that can
// only be the other. Poison is congruent with everything where it comes into a phi: such a
// lane may take any value.
type congruence struct {
	region *loops.Region
	cycles *loops.Cycles
	dom    *loops.Dom
	given  map[*vir.Value]Shape // phis with a predefined shape are not looked through
	reps   map[*vir.Value]*vir.Value
}

func newCongruence(f *vir.Func, region *loops.Region, cycles *loops.Cycles, given map[*vir.Value]Shape) *congruence {
	c := &congruence{
		region: region, cycles: cycles, given: given,
		dom:  loops.DomTree(f),
		reps: make(map[*vir.Value]*vir.Value),
	}
	// Each round is right if those before were; a second one finds what depends
	// on phis that come later in the order, and so on.
	for c.round() {
	}
	return c
}

// rep represents the class of v.
func (c *congruence) rep(v *vir.Value) *vir.Value {
	for {
		r, ok := c.reps[v]
		if !ok || r == v {
			return v
		}
		v = r
	}
}

// equal reports whether x and y, defined in the same iterations, are the same.
func (c *congruence) equal(x, y *vir.Value) bool {
	return c.rep(x) == c.rep(y)
}

// undefined reports whether v is poison.
func (c *congruence) undefined(v *vir.Value) bool { return c.rep(v).Op == vir.OpPoison }

// chosen is the operand that select v is, whatever its condition says; 0 if it matters.
func (c *congruence) chosen(v *vir.Value) int {
	switch {
	case c.equal(v.Args[1], v.Args[2]) || c.undefined(v.Args[2]):
		return 1
	case c.undefined(v.Args[1]):
		return 2
	}
	return 0
}

// round looks at all values once and reports whether classes were merged.
func (c *congruence) round() bool {
	merged := false
	table := make(map[string]*vir.Value)
	for _, b := range c.region.Blocks {
		for _, v := range b.Insts {
			if r := c.rep(c.found(v, table)); r != c.rep(v) {
				c.reps[c.rep(v)] = r
				merged = true
			}
		}
	}
	return merged
}

// found is a value that v is the same as, maybe itself; table has those of operations that came before.
func (c *congruence) found(v *vir.Value, table map[string]*vir.Value) *vir.Value {
	if v.Op == vir.OpSelect {
		if k := c.chosen(v); k > 0 {
			return v.Args[k]
		}
	}
	switch {
	case v.Op == vir.OpPhi:
		return c.only(v)
	case pure(v):
		k := c.key(v)
		if table[k] == nil {
			table[k] = c.rep(v)
		}
		return table[k]
	}
	return v
}

// pure reports whether v depends on its operands alone.
func pure(v *vir.Value) bool {
	i := v.Op.Info()
	return v.Op != vir.OpPhi && v.Op != vir.OpParam && !i.Reads && !i.Effect && !i.Term && v.Type.Elem != vir.Void
}

func (c *congruence) key(v *vir.Value) string {
	var sb strings.Builder
	fmt.Fprint(&sb, v.Op, v.Type, v.Bits, v.Imm, v.Lanes)
	for _, x := range v.Args {
		fmt.Fprint(&sb, " ", c.rep(x).ID())
	}
	return sb.String()
}

// only is the single value that can flow into phi, else phi itself. A value that
// flows around a cycle must be the same in all iterations of it.
func (c *congruence) only(phi *vir.Value) *vir.Value {
	one := (*vir.Value)(nil)
	leaves, phis := c.sources(phi)
	for _, l := range leaves {
		if l = c.rep(l); l.Op == vir.OpPoison {
			continue
		}
		if one != nil && one != l {
			return phi
		}
		one = l
	}
	if one == nil {
		return append(leaves, phi)[0] // nothing but poison
	}
	for _, p := range phis {
		q := c.cycles.Of(p.Block)
		if q == nil || q.Header != p.Block {
			continue
		}
		for _, l := range leaves {
			if !c.invariant(l, q) {
				return phi
			}
		}
	}
	return one
}

// sources are the values that phis lead to phi, and these phis.
func (c *congruence) sources(phi *vir.Value) (leaves, phis []*vir.Value) {
	seen := map[*vir.Value]bool{phi: true}
	work := []*vir.Value{phi}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if _, given := c.given[v]; v.Op != vir.OpPhi || given || v.Block == c.region.Entry || !c.region.Contains(v.Block) {
			leaves = append(leaves, v)
			continue
		}
		phis = append(phis, v)
		for _, x := range v.Args {
			if !seen[x] {
				seen[x] = true
				work = append(work, x)
			}
		}
	}
	return leaves, phis
}

// invariant reports whether v is the same in all iterations of q.
func (c *congruence) invariant(v *vir.Value, q *loops.Cycle) bool {
	v = c.rep(v)
	switch {
	case v.Op == vir.OpParam || v.Op == vir.OpConst || v.Op == vir.OpPoison || !c.region.Contains(v.Block):
		return true
	case !q.Contains(v.Block) && c.dom.Dominates(v.Block, q.Header):
		return true
	case !pure(v):
		return false
	}
	for _, x := range v.Args {
		if !c.invariant(x, q) {
			return false
		}
	}
	return true
}
