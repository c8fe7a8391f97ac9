package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Minima and maxima of integers that are taken under another condition,
//
//	if c && x > best { best = x }     best' = c and best < x ? x : best
//
// are the extreme where that holds, so that the condition depends on no other iteration:
//
//	best' = c ? max(best, x) : best
//
// Others that are set under the same condition are left as they are, see choice.go.

// extremesUnder gives the extremes that the variable of phi is made of that form.
func (m *matcher) extremesUnder(phi *vir.Value, count func() bool) {
	if !phi.Type.Elem.IsInt() {
		return
	}
	for i := 0; i < len(m.body.Insts); i++ {
		v := m.body.Insts[i]
		x := m.extremeUnder(v)
		if x == nil || !count() {
			continue
		}
		made := m.takeUnder(x)
		m.body.Insts = slices.Insert(m.body.Insts, i, made...)
		i += len(made)
		m.uses = nil
		m.follow(phi)
	}
}

// extremeUnder is v as an extreme of what depends on the variable and of what does not; nil for other values.
func (m *matcher) extremeUnder(v *vir.Value) *extreme {
	if v.Op != vir.OpSelect || !v.Type.Elem.IsInt() || !m.usedBy(v.Args[0], v) {
		return nil
	}
	for _, old := range v.Args[1:] {
		if x := extremeBy(old, v); x != nil && len(x.when) > 1 && m.depends(old) && m.free(x.value) {
			return x
		}
	}
	return nil
}

// takeUnder changes x, and returns what has been made for it.
func (m *matcher) takeUnder(x *extreme) (made []*vir.Value) {
	add := func(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
		v := m.body.Func.NewValue(op, t, args...)
		v.Pos, v.Block = x.next.Pos, m.body
		made = append(made, v)
		return v
	}
	op := extremeOf(&choiceKey{cmp: x.by.v.Op, swapped: !x.rises})
	best := add(op, x.phi.Type, x.phi, x.value)
	x.next.Args = []*vir.Value{conjunction(nil, x.others(), add), best, x.phi}
	return made
}
