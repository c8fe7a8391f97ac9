package outline

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An atom is what an operand is before it is spread over lanes: a parameter, or else a
// constant.
type atom struct {
	param *vir.Value
	bits  uint64
}

// atomOf is the atom of v, if it is one or the same one in all lanes.
func atomOf(v *vir.Value) (atom, bool) {
	switch v.Op {
	case vir.OpParam:
		return atom{param: v}, true
	case vir.OpConst:
		bits, splat := v.IsConst()
		return atom{bits: bits}, splat
	case vir.OpBroadcast, vir.OpSubvec:
		return atomOf(v.Args[0])
	}
	return atom{}, false
}

// A hole is what members of a group have different atoms for, constants in some of them at
// least: a parameter of what they share. Operands with the same atoms share a hole.
type hole struct {
	elem  vir.Elem
	atoms []atom // by member
	uses  []slotOf
	moves []*vir.Value // memory operations of the leader that are that many bytes further on
	// base, when not nil, is another hole whose constants are less by distance in all
	// members: then this one is computed from it.
	base     *hole
	distance uint64
	value    *vir.Value // that stands for it in the common function
}

// A slotOf is operand k of a value of the leader.
type slotOf struct {
	user *vir.Value
	k    int
}

// holes lists the holes of g in program order.
func (g *group) holes() []*hole {
	var hs []*hole
	find := func(elem vir.Elem, atoms []atom) *hole {
		i := slices.IndexFunc(hs, func(h *hole) bool { return h.elem == elem && slices.Equal(h.atoms, atoms) })
		if i < 0 {
			i = len(hs)
			hs = append(hs, &hole{elem: elem, atoms: atoms})
			hs[i].rest(hs[:i])
		}
		return hs[i]
	}
	for v := range g.members[0].kernel.Fn.Values {
		for k := range v.Args {
			if atoms, ok := g.atoms(v, k); ok {
				h := find(v.Args[k].Type.Elem, atoms)
				h.uses = append(h.uses, slotOf{v, k})
			}
		}
		if atoms, ok := g.further(v); ok {
			h := find(vir.I64, atoms)
			h.moves = append(h.moves, v)
		}
	}
	return hs
}

// atoms are what members have for operand k of a value of the leader, if it is not the
// same constant in all of them, and a constant in some.
func (g *group) atoms(v *vir.Value, k int) (atoms []atom, ok bool) {
	constant, differ := false, false
	for i, m := range g.members {
		w := v.Args[k]
		if i > 0 {
			if m.matching.of[v] == nil {
				return nil, false
			}
			w = m.matching.operand(v, k)
		}
		a, isAtom := atomOf(w)
		if !isAtom {
			return nil, false
		}
		atoms = append(atoms, a)
		constant = constant || a.param == nil
		differ = differ || a != atoms[0]
	}
	return atoms, constant && differ
}

// rest looks for a hole from which h is at the same distance in all members.
func (h *hole) rest(others []*hole) {
	for _, o := range others {
		if o.base != nil || o.elem != h.elem || !h.elem.IsInt() {
			continue
		}
		d := h.atoms[0].bits - o.atoms[0].bits
		far := func(i int) bool {
			return h.atoms[i].param != nil || o.atoms[i].param != nil || (h.atoms[i].bits-o.atoms[i].bits-d)<<(64-h.elem.Bits()) != 0
		}
		if !slices.ContainsFunc(count(len(h.atoms)), far) {
			h.base, h.distance = o, d
			return
		}
	}
}

func count(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// fill puts parameters, and what is computed from them, in the place of constants of f,
// a copy of the leader's function with its values.
func fill(f *vir.Func, hs []*hole, values map[*vir.Value]*vir.Value) {
	var front []*vir.Value
	add := func(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
		v := f.NewValue(op, t, args...)
		v.Block = f.Entry()
		front = append(front, v)
		return v
	}
	for _, h := range hs {
		t := vir.Scalar(h.elem)
		if h.base == nil {
			h.value = f.AddParam(freeName(f), t)
		} else {
			d := add(vir.OpConst, t)
			d.Bits = []uint64{h.distance << (64 - h.elem.Bits()) >> (64 - h.elem.Bits())}
			h.value = add(vir.OpAdd, t, h.base.value, d)
		}
		spread := map[vir.Type]*vir.Value{t: h.value}
		for _, u := range h.uses {
			t := u.user.Args[u.k].Type
			if spread[t] == nil {
				spread[t] = add(vir.OpBroadcast, t, h.value)
			}
			values[u.user].Args[u.k] = spread[t]
		}
	}
	f.Entry().Insts = slices.Concat(front, f.Entry().Insts)
	move(f, hs, values)
}

// freeName is a name for another parameter.
func freeName(f *vir.Func) string {
	name := "c"
	for i := 2; f.Param(name) != nil; i++ {
		name = fmt.Sprintf("c%d", i)
	}
	return name
}

// arg is what member m, the i-th of the group, passes for h.
func (h *hole) arg(m member, i int) plan.Arg {
	a := h.atoms[i]
	if a.param == nil {
		return plan.Arg{Kind: plan.ArgConst, Bits: a.bits}
	}
	return m.kernel.Args[slices.Index(m.kernel.Fn.Params, a.param)]
}
