package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// Decision diagrams of values that are constants once conditions are known (Bryant: Graph-based algorithms for
// boolean function manipulation, IEEE ToC 1986; with leaves of any value: Bahar et al., Algebraic decision diagrams
// and their applications, ICCAD 1993). A node asks a condition and goes on with one of two others. On each way
// conditions come in one order, and equal nodes are one, so that equal functions are the same node.
type node struct {
	cond      int // number, leaf for none
	bits      uint64
	then, els *node
}

const leaf = math.MaxInt

// mostWork bounds the work for a state.
const mostWork = 1 << 14

// diagrams are those of the values of a body, for variables that are constants.
type diagrams struct {
	m      *matcher
	conds  map[condKey]int      // numbers, in the order of the body
	values map[int]condition    // by number
	nodes  map[node]*node       // each is there once
	as     map[*vir.Value]*node // the variables, and memo
	made   *instance            // for the same variables
	work   int
}

// A condition is v, or its contrary.
type condition struct {
	v   *vir.Value
	not bool
}

// A condKey is the same for conditions that are each other's contrary.
type condKey struct {
	op   vir.Op
	x, y *vir.Value
}

// keyOf is the key of bool v, and whether v is the contrary.
func keyOf(v *vir.Value) (k condKey, not bool) {
	switch v.Op {
	case vir.OpNot:
		k, not = keyOf(v.Args[0])
		return k, !not
	case vir.OpIcmpEq, vir.OpIcmpSlt, vir.OpIcmpUlt:
		return condKey{v.Op, v.Args[0], v.Args[1]}, false
	case vir.OpIcmpNe, vir.OpIcmpSle, vir.OpIcmpUle:
		op, swap, _ := boolean.Inverse(v.Op)
		if swap {
			return condKey{op, v.Args[1], v.Args[0]}, true
		}
		return condKey{op, v.Args[0], v.Args[1]}, true
	}
	return condKey{x: v}, false
}

func newDiagrams(m *matcher) *diagrams {
	d := &diagrams{m: m, conds: make(map[condKey]int), values: make(map[int]condition), nodes: make(map[node]*node)}
	for _, v := range m.body.Insts {
		if v.Type == vir.Scalar(vir.Bool) && m.free(v) {
			d.number(v)
		}
	}
	return d
}

// number is that of condition v, and whether v is its contrary. What is loaded under a condition comes behind
// that one, and is looked at where it holds.
func (d *diagrams) number(v *vir.Value) (n int, not bool) {
	k, not := keyOf(v)
	n, ok := d.conds[k]
	if !ok {
		n = len(d.conds)
		if v.Block != nil && v.Block != d.m.body {
			n = -n - 1 // known before
		}
		d.conds[k] = n
		d.values[n] = condition{v, not}
	}
	return n, not
}

func (d *diagrams) constant(bits uint64) *node { return d.make(node{cond: leaf, bits: bits}) }

func (d *diagrams) make(n node) *node {
	if n.cond != leaf && n.then == n.els {
		return n.then
	}
	p, ok := d.nodes[n]
	if !ok {
		p = &n
		d.nodes[n] = p
	}
	return p
}

// under lets variables be constants.
func (d *diagrams) under(vars []*vir.Value, bits []uint64) {
	d.as, d.work, d.made = make(map[*vir.Value]*node), 0, d.m.instance(vars, bits)
	for i, v := range vars {
		d.as[v] = d.constant(bits[i])
	}
}

// of is the diagram of v; nil for other values, and where it is too large.
func (d *diagrams) of(v *vir.Value) *node {
	n, ok := d.as[v]
	if !ok {
		n = d.find(v)
		d.as[v] = n
	}
	return n
}

func (d *diagrams) find(v *vir.Value) *node {
	if bits, ok := v.IsConst(); ok {
		return d.constant(bits)
	}
	if v.Type == vir.Scalar(vir.Bool) && d.m.free(v) {
		return d.condition(v)
	}
	if v.Op == vir.OpPhi || len(v.Args) == 0 || v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() {
		return nil
	}
	var args []*node
	for i, a := range v.Args {
		if v.Op == vir.OpSelect && i == 1 && args[0].cond == leaf {
			return d.of(v.Args[2-args[0].bits&1])
		}
		n := d.of(a)
		if n == nil {
			return d.compared(v)
		}
		args = append(args, n)
	}
	return d.apply(args, func(bits []uint64) (uint64, bool) { return fold.Lane(v, bits) })
}

// condition is bool v, which lanes know.
func (d *diagrams) condition(v *vir.Value) *node {
	n, not := d.number(v)
	return d.make(node{cond: n, then: d.constant(truthBits(!not)), els: d.constant(truthBits(not))})
}

// compared is a comparison of what is no diagram, but is known to lanes for the variables as they are:
// a[i]+b[i]+carry > 9.
func (d *diagrams) compared(v *vir.Value) *node {
	if v.Type != vir.Scalar(vir.Bool) || logical(v) {
		return nil
	}
	x := d.made.of(v)
	if x == nil {
		return nil
	}
	if bits, ok := x.IsConst(); ok {
		return d.constant(bits)
	}
	return d.condition(x)
}

func truthBits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// apply is what f makes of the leaves of args; nil where it fails.
func (d *diagrams) apply(args []*node, f func(bits []uint64) (uint64, bool)) *node {
	if d.work++; d.work > mostWork {
		return nil
	}
	top, bits := leaf, []uint64(nil)
	for _, n := range args {
		top = min(top, n.cond)
		bits = append(bits, n.bits)
	}
	if top == leaf {
		x, ok := f(bits)
		if !ok {
			return nil
		}
		return d.constant(x)
	}
	then, els := slices.Clone(args), slices.Clone(args)
	for i, n := range args {
		if n.cond == top {
			then[i], els[i] = n.then, n.els
		}
	}
	x, y := d.apply(then, f), d.apply(els, f)
	if x == nil || y == nil {
		return nil
	}
	return d.make(node{cond: top, then: x, els: y})
}
