package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A family is an operation that may be done in any order, with its inverse, if it has
// one: a - b + c is a sum of a, c and what is subtracted.
type family struct {
	op, inverse vir.Op // inverse is OpInvalid if there is none
}

func (f family) has(v *vir.Value) bool {
	return v.Op == f.op || f.inverse != vir.OpInvalid && v.Op == f.inverse
}

// familyOf is that of v's operation, if its operands may be combined in any order.
func (g *Graph) familyOf(v *vir.Value) (f family, ok bool) {
	if v.Type.IsVector() || v.Type.Elem == vir.Bool && v.Op != vir.OpAnd && v.Op != vir.OpOr {
		return family{}, false
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub:
		return family{vir.OpAdd, vir.OpSub}, true
	case vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax, vir.OpFmin, vir.OpFmax, vir.OpFminNnan, vir.OpFmaxNnan:
		return family{op: v.Op}, true
	case vir.OpFadd, vir.OpFsub:
		return family{vir.OpFadd, vir.OpFsub}, g.opt.Reassoc
	case vir.OpFmul, vir.OpFdiv:
		return family{vir.OpFmul, vir.OpFdiv}, g.opt.Reassoc
	}
	return family{}, false
}

// A term is an operand of a chain of operations of one family.
type term struct {
	v     *vir.Value
	minus bool // the inverse applies
}

// terms takes the chain that ends in v apart: its operations, v first, and its terms
// from left to right, no more than so many. Operations nearer to v are taken first.
// Floats that are subtracted stay one term: -0 - (1 - 1) is -0, -0 - 1 + 1 is +0.
func (g *Graph) terms(v *vir.Value, f family, most int) (chain []*vir.Value, ts []term) {
	chain = []*vir.Value{v}
	ts = []term{{v: v.Args[0]}, {v.Args[1], v.Op != f.op}}
	for grown := true; grown; {
		grown = false
		for i := 0; i < len(ts) && len(ts) < most; i++ {
			x := ts[i]
			if !g.inChain(x.v, v, f) || x.minus && v.Type.Elem.IsFloat() {
				continue
			}
			chain = append(chain, x.v)
			ts[i] = term{x.v.Args[0], x.minus}
			ts = slices.Insert(ts, i+1, term{x.v.Args[1], x.minus != (x.v.Op != f.op)})
			grown = true
			i++
		}
	}
	g.spent += len(ts)
	return chain, ts
}

// inChain reports whether x is an operation of the chain that ends in root: nothing else
// uses it.
func (g *Graph) inChain(x, root *vir.Value, f family) bool {
	return x != root && f.has(x) && x.Block == root.Block && x.Type == root.Type &&
		len(g.uses[x]) == 1 && g.unused(x)
}

// unused reports whether nothing replaces v so far.
func (g *Graph) unused(v *vir.Value) bool {
	return g.of[v] == nil && g.inSum[v] == nil && g.inner[v] == nil
}
