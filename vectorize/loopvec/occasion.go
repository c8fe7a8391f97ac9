package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// An activeGroup is variables in order that depend on nothing but each other, together with others that are
// left alone by the same iterations.
type activeGroup struct {
	vars []*vir.Value
	when *occasion // in which they are not
}

// An occasion is the iterations in which something happens: where cond holds those of then, elsewhere those of els.
type occasion struct {
	cond      *vir.Value
	then, els *occasion
}

// What happens in all iterations or in none.
var always, never = new(occasion), new(occasion)

// equal reports whether x and y are made of the same conditions in the same way.
func (x *occasion) equal(y *occasion) bool {
	if x.cond == nil || x.cond != y.cond {
		return x == y
	}
	return x.then.equal(y.then) && x.els.equal(y.els)
}

// either is where x or y happens.
func either(x, y *occasion) *occasion {
	switch {
	case x == always || y == never || x.equal(y):
		return x
	case y == always || x == never:
		return y
	}
	return &occasion{x.cond, either(x.then, y), either(x.els, y)}
}

// changes is when v, a next value of variable phi, is something else than that.
func (o *inOrder) changes(v, phi *vir.Value) *occasion {
	switch {
	case v == phi:
		return never
	case !o.has(v):
		return always
	case v.Op == vir.OpSelect:
		return o.chosen(v, func(x *vir.Value) *occasion { return o.changes(x, phi) })
	case slices.Contains(neutralOps, v.Op):
		return either(o.changes(v.Args[0], phi), o.matters(v.Args[1], fold.Identity(v.Op, v.Type.Elem)))
	}
	return always
}

// neutralOps are operations that leave their first operand alone if the second one is [fold.Identity].
var neutralOps = []vir.Op{vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor}

// matters is when x is something else than those bits.
func (o *inOrder) matters(x *vir.Value, bits uint64) *occasion {
	if c, ok := x.IsConst(); ok && c == bits {
		return never
	}
	if x.Op == vir.OpSelect {
		return o.chosen(x, func(x *vir.Value) *occasion { return o.matters(x, bits) })
	}
	return always
}

// chosen is when what f says of the operands of choice v happens. Numbers that hardly any data have are not asked for.
func (o *inOrder) chosen(v *vir.Value, f func(*vir.Value) *occasion) *occasion {
	if exceptional(v) || o.has(v.Args[0]) {
		return always
	}
	then, els := f(v.Args[1]), f(v.Args[2])
	if then.equal(els) {
		return then
	}
	return &occasion{v.Args[0], then, els}
}

// findActive finds the groups of variables that are not changed in all iterations, unless lanes read them. Where
// they are changed they follow from what they were, and no choice is left: the loop as written predicts it, while lanes wait for it.
func (o *inOrder) findActive(l *loop) {
	o.groups = nil
	for _, vars := range o.parts(l) {
		when := never
		for _, phi := range vars {
			when = either(when, o.changes(l.next(phi), phi))
		}
		unfit := func(phi *vir.Value) bool {
			next := l.next(phi)
			return !o.has(when.decided(next)) || o.chooses(next, when)
		}
		if when.cond == nil || o.areRead(l, vars) || slices.ContainsFunc(vars, unfit) {
			continue
		}
		if i := slices.IndexFunc(o.groups, func(g *activeGroup) bool { return g.when.equal(when) }); i >= 0 {
			o.groups[i].vars = append(o.groups[i].vars, vars...)
			continue
		}
		o.groups = append(o.groups, &activeGroup{vars, when})
	}
}

// chooses reports whether v, a value in order, is made by choices or from conditions that are in order, too, where when happens.
func (o *inOrder) chooses(v *vir.Value, when *occasion) bool {
	v = when.decided(v)
	switch {
	case !o.values[v]:
		return false
	case v.Op == vir.OpSelect || v.Type.Elem == vir.Bool:
		return true
	}
	return slices.ContainsFunc(v.Args, func(x *vir.Value) bool { return o.chooses(x, when) })
}

// parts are the variables that depend on each other, or on the same values.
func (o *inOrder) parts(l *loop) (parts [][]*vir.Value) {
	in := make([]map[*vir.Value]bool, 0, len(o.vars)) // what each part is computed from
	for _, phi := range o.vars {
		vars, from := []*vir.Value{phi}, map[*vir.Value]bool{phi: true}
		o.reach(l.next(phi), from)
		for i := 0; i < len(parts); {
			if !meet(in[i], from) {
				i++
				continue
			}
			vars = append(parts[i], vars...)
			for v := range in[i] {
				from[v] = true
			}
			parts, in = slices.Delete(parts, i, i+1), slices.Delete(in, i, i+1)
		}
		parts, in = append(parts, vars), append(in, from)
	}
	return parts
}

// reach adds v and what it is computed from, as far as that is in order.
func (o *inOrder) reach(v *vir.Value, to map[*vir.Value]bool) {
	if !o.has(v) || to[v] {
		return
	}
	to[v] = true
	if v.Op != vir.OpPhi {
		for _, a := range v.Args {
			o.reach(a, to)
		}
	}
}

func meet(x, y map[*vir.Value]bool) bool {
	for v := range x {
		if y[v] {
			return true
		}
	}
	return false
}

// areRead reports whether lanes need the variables, or something on the way to their next values.
func (o *inOrder) areRead(l *loop, vars []*vir.Value) bool {
	from := make(map[*vir.Value]bool)
	for _, phi := range vars {
		from[phi] = true
		o.reach(l.next(phi), from)
	}
	return meet(from, l.demand)
}

// allActive reports whether all variables are left alone by some iterations.
func (o *inOrder) allActive() bool {
	n := 0
	for _, g := range o.groups {
		n += len(g.vars)
	}
	return n == len(o.vars)
}

// lanes is the lanes in which x happens, which is neither always nor never.
func (x *occasion) lanes(w *widener) *vir.Value {
	m := w.value(x.cond)
	not := func() *vir.Value { return w.b.Op(vir.OpNot, m.Type, m) }
	with := func(op vir.Op, m *vir.Value, y *occasion) *vir.Value { return w.b.Op(op, m.Type, m, y.lanes(w)) }
	switch {
	case x.then == always && x.els == never:
		return m
	case x.then == never && x.els == always:
		return not()
	case x.els == never:
		return with(vir.OpAnd, m, x.then)
	case x.then == never:
		return with(vir.OpAnd, not(), x.els)
	case x.then == always:
		return with(vir.OpOr, m, x.els)
	case x.els == always:
		return with(vir.OpOr, not(), x.then)
	}
	return w.b.Op(vir.OpOr, m.Type, with(vir.OpAnd, m, x.then), with(vir.OpAnd, not(), x.els))
}

// decided is v wherever x happens: of a choice whose condition is known there the chosen operand.
func (x *occasion) decided(v *vir.Value) *vir.Value {
	for v.Op == vir.OpSelect {
		switch holds, known := x.says(v.Args[0]); {
		case !known:
			return v
		case holds:
			v = v.Args[1]
		default:
			v = v.Args[2]
		}
	}
	return v
}

// says is what cond is wherever x happens, if that is known.
func (x *occasion) says(cond *vir.Value) (holds, known bool) {
	for x.then == never || x.els == never {
		in := x.els
		if holds = in == never; holds {
			in = x.then
		}
		if x.cond == cond {
			return holds, true
		}
		x = in
	}
	return false, false
}
