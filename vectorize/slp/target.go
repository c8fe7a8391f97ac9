package slp

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// OnTarget are costs in cycles of throughput, of the instructions that t has for
// vectors, and of those that the compiler emits for scalars.
func OnTarget(t *target.Target, f *vir.Func) Costs {
	return &machine{t: t, uses: f.Uses()}
}

// Generous are costs of a machine like that of c with slow scalars: all that can be
// packed is. They are for tests.
func Generous(c Costs) Costs { return generous{c} }

type generous struct{ Costs }

func (g generous) Scalar(v *vir.Value) float64 { return 5 * g.Costs.Scalar(v) }

type machine struct {
	t    *target.Target
	uses map[*vir.Value][]*vir.Value
}

func (m *machine) Scalar(v *vir.Value) float64 { return m.t.ScalarCost(v, len(m.uses[v])).Throughput }

func (m *machine) Vector(n *node) (float64, bool) {
	if n.element().Size() == 0 && n.element() != vir.Bool || n.element() == vir.Ptr {
		return 0, false
	}
	switch n.kind {
	case phis:
		return 0, true
	case load, store:
		return m.value(m.access(n))
	case span:
		return m.span(n), true
	case super:
		return m.super(n)
	}
	c, ok := m.operation(n, n.op)
	if n.kind == alternate {
		d, legal := m.operation(n, n.alt)
		c, ok = c+d+m.blend(n), ok && legal
	}
	return c, ok
}

// blend is the cost of choosing between two vectors by a constant mask, those of the two
// operations of n.
func (m *machine) blend(n *node) float64 {
	t := n.typ()
	mask := &vir.Value{Op: vir.OpConst, Type: vir.Mask(t.Lanes), Bits: make([]uint64, t.Lanes)}
	mask.Bits[0] = 1
	args := []*vir.Value{stub(t), stub(t)}
	x, y := &vir.Value{Op: n.op, Type: t, Args: args}, &vir.Value{Op: n.alt, Type: t, Args: args}
	return m.t.CostValue(&vir.Value{Op: vir.OpBlend, Type: t, Args: []*vir.Value{mask, x, y}}).Throughput
}

// super is the cost of the operations of a super-node.
func (m *machine) super(n *node) (float64, bool) {
	one := func(op vir.Op) (float64, bool) {
		t := n.typ()
		return m.value(&vir.Value{Op: op, Type: t, Args: []*vir.Value{stub(t), stub(t)}})
	}
	add, ok := one(n.op)
	sub, legal := add, ok
	if n.alt != n.op {
		sub, legal = one(n.alt)
	}
	total := 0.0
	for k := 1; k < len(n.terms); k++ {
		switch plus, minus := n.signs(k); {
		case plus && minus:
			total, ok = total+add+sub+m.blend(n), ok && legal
		case minus:
			total, ok = total+sub, ok && legal
		default:
			total += add
		}
	}
	return total, ok
}

// value is the cost of v, if it is legal.
func (m *machine) value(v *vir.Value) (float64, bool) {
	if !m.t.LegalValue(v) {
		return 0, false
	}
	return m.t.MixedCost(v, 0).Throughput, true
}

// stub is a value of which nothing is known but the type.
func stub(t vir.Type) *vir.Value { return &vir.Value{Op: vir.OpPhi, Type: t} }

// access is the vector access that replaces the scalars of n, without address.
func (m *machine) access(n *node) *vir.Value {
	v := &vir.Value{Op: vir.OpLoadUnit, Type: n.typ(), Args: []*vir.Value{stub(vir.Scalar(vir.Ptr))}}
	if n.kind == store {
		v = &vir.Value{Op: vir.OpStoreUnit, Args: []*vir.Value{stub(n.typ()), stub(vir.Scalar(vir.Ptr))}}
	}
	if slices.Contains(n.scalars, nil) {
		mask := &vir.Value{Op: vir.OpConst, Type: vir.Mask(n.width())}
		for _, x := range n.scalars {
			bit := uint64(0)
			if x != nil {
				bit = 1
			}
			mask.Bits = append(mask.Bits, bit)
		}
		v.SetMask(mask)
	}
	return v
}

// span is the cost of loads and of a shuffle.
func (m *machine) span(n *node) float64 {
	piece, second := n.pieces()
	t := vir.Vec(n.element(), piece)
	one := m.t.Cost(vir.OpLoadUnit, t).Throughput
	lanes := n.lanes
	if second >= 0 {
		lanes = n.fromPieces(piece, second)
		one *= 2
	}
	return one + m.t.ShuffleCost(lanes, t).Throughput
}

// operation is the cost of op in all lanes of n.
func (m *machine) operation(n *node, op vir.Op) (float64, bool) {
	first := n.first()
	v := &vir.Value{Op: op, Type: n.typ()}
	for k, a := range first.Args {
		v.Args = append(v.Args, lanesOf(operand(n.scalars, k), vir.Vec(a.Type.Elem, n.width())))
	}
	if op == vir.OpSelect {
		v.Op = vir.OpBlend
	}
	return m.value(v)
}

// lanesOf is a constant if all of xs are, else a value of type t.
func lanesOf(xs []*vir.Value, t vir.Type) *vir.Value {
	var bits []uint64
	for _, x := range xs {
		switch {
		case x == nil:
		case x.Op != vir.OpConst:
			return stub(t)
		default:
			bits = append(bits, x.Bits[0])
		}
	}
	if !slices.ContainsFunc(bits, func(b uint64) bool { return b != bits[0] }) {
		bits = bits[:1]
	}
	return &vir.Value{Op: vir.OpConst, Type: t, Bits: bits}
}

func (m *machine) Build(n *node) float64 {
	switch n.kind {
	case constants:
		return 0
	case shuffle:
		return m.t.ShuffleCost(n.lanes, n.args[0].typ()).Throughput
	case splat:
		return m.t.BroadcastCost(n.first(), n.typ(), m.soleIn(n)(n.first())).Throughput
	}
	return m.t.BuildCost(n.scalars, m.soleIn(n)).Throughput
}

// soleIn reports of a scalar whether it is a load that n alone has users of: as many as
// lanes.
func (m *machine) soleIn(n *node) func(v *vir.Value) bool {
	return func(v *vir.Value) bool {
		lanes := 0
		for _, x := range n.scalars {
			if x == v {
				lanes++
			}
		}
		return v.Op == vir.OpLoad && len(m.uses[v]) == lanes
	}
}

func (m *machine) Extract(t vir.Type, lane int, stored bool) float64 {
	return m.t.ExtractCost(t, lane, stored).Throughput
}

func (m *machine) Reduce(op vir.Op, t vir.Type, pairwise bool) float64 {
	if t.IsMask() {
		return m.t.CostValue(&vir.Value{Op: vir.OpAll, Type: vir.Scalar(vir.Bool), Args: []*vir.Value{stub(t)}}).Throughput
	}
	total := 0.0
	for lanes := t.Lanes / 2; lanes > 0; lanes /= 2 {
		wide := vir.Vec(t.Elem, 2*lanes)
		total += m.Combine(op, vir.Vec(t.Elem, lanes))
		switch {
		case !pairwise || lanes == 1:
			total += m.t.SubvecCost(wide, lanes, lanes).Throughput
		default:
			even, odd := make([]int, lanes), make([]int, lanes)
			for i := range lanes {
				even[i], odd[i] = 2*i, 2*i+1
			}
			total += m.t.ShuffleCost(even, wide).Throughput + m.t.ShuffleCost(odd, wide).Throughput
		}
	}
	return total + m.Extract(vir.Vec(t.Elem, 2), 0, false)
}

func (m *machine) Combine(op vir.Op, t vir.Type) float64 { return m.t.Cost(op, t).Throughput }

// wait is between 20 cycles on Zen 4, as measured, and 12 on Intel's cores (Fog, "The
// microarchitecture of Intel, AMD, and VIA CPUs").
const wait = 15

func (m *machine) Wait() float64 { return wait }
