package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Conditions under which extremes change come in many forms:
//
//	if v < 0.5 { continue }
//	t := v - 1
//	if t > 0 && t < best { best, at = t, i }      best' = v < 0.5 or not (t > 0 and t < best) ? best : t
//
// They become a conjunction whose last part is the comparison, in all variables that change with the extreme:
//
//	best' = (not (v < 0.5) and t > 0) and t < best ? t : best
//
// so that a choice finds the comparison. The contrary of such a comparison of floats is left alone: a NaN would count.

// positive rewrites the conditions of extremes.
func (m *matcher) positive(back int, count func() bool) {
	conds := make(map[literal]*vir.Value)
	for _, phi := range m.header.Phis() {
		x := extremeBy(phi, phi.Args[back])
		if x == nil || conds[x.cond()] != nil || isPositive(x) || !count() {
			continue
		}
		conds[x.cond()] = m.conjunction(append(x.others(), x.by), x.next)
	}
	if len(conds) == 0 {
		return
	}
	for _, phi := range m.header.Phis() {
		if next := m.setWhere(phi, phi.Args[back], conds); next != nil {
			phi.Args[back] = next
		}
	}
	edit.Sweep(m.body.Func) // nobody is to look at the comparison in another form
}

// cond is the condition under which x changes, as it stands.
func (x *extreme) cond() literal { return literal{x.next.Args[0], x.next.Args[1] == x.phi} }

// others are the conditions of x beside the comparison.
func (x *extreme) others() []literal {
	return slices.DeleteFunc(slices.Clone(x.when), func(c literal) bool { return c == x.by })
}

// isPositive reports whether the condition of x has that form.
func isPositive(x *extreme) bool {
	_, _, ok := conjunct(x.next.Args[0], func(c *vir.Value) bool { return c == x.by.v })
	return ok && !x.by.not && x.next.Args[2] == x.phi
}

// conjunction is the value that holds where all of list do.
func (m *matcher) conjunction(list []literal, at *vir.Value) *vir.Value {
	return conjunction(nil, list, func(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
		return m.append(t, op, at, args...)
	})
}

// setWhere is the next value of a variable that is set where one of conds holds, with what that has become; nil
// for others.
func (m *matcher) setWhere(phi, next *vir.Value, conds map[literal]*vir.Value) *vir.Value {
	switch next.Op {
	case vir.OpSelect:
		not := next.Args[1] == phi
		value := next.Args[1]
		if not {
			value = next.Args[2]
		}
		if c := conds[literal{next.Args[0], not}]; c != nil && slices.Contains(next.Args[1:], phi) {
			return m.append(phi.Type, vir.OpSelect, next, c, value, phi)
		}
	case vir.OpOr, vir.OpAnd:
		return m.flagWhere(phi, next, conds)
	}
	return nil
}

// flagWhere does that for a truth value: phi or cond, phi and not cond.
func (m *matcher) flagWhere(phi, next *vir.Value, conds map[literal]*vir.Value) *vir.Value {
	if !slices.Contains(next.Args, phi) {
		return nil
	}
	x := next.Args[0]
	if x == phi {
		x = next.Args[1]
	}
	set := literal{x, next.Op == vir.OpAnd}
	if x.Op == vir.OpNot && conds[set] == nil {
		set = literal{x.Args[0], !set.not}
	}
	c := conds[set]
	switch {
	case c == nil:
		return nil
	case next.Op == vir.OpAnd:
		c = m.append(phi.Type, vir.OpNot, next, c)
	}
	return m.append(phi.Type, next.Op, next, phi, c)
}
