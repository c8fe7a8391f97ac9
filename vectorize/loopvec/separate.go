package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Two extremes of floats, one of which is not looked at where the other one changes:
//
//	if v < lo { lo = v } else if v > hi { hi = v }
//
// While lo <= hi, what is less than lo is not greater than hi, so that hi changes by its own
// comparison alone, and both are reductions. lo only falls and hi only rises: that lo <= hi, and with it that
// neither is a NaN, has to hold before the first iteration only.
//
//	check.rare not (lo0 <= hi0)      what the call begins with
//	lo' = v < lo ? v : lo
//	hi' = hi < v ? v : hi
//
// Where it does not hold, from lo = +Inf and hi = -Inf on for instance, scalar code goes on until it does.
// Extremes of integers do without, as running minima.

// separate makes reductions of such extremes.
func separate(u *pass.Unit) {
	f := u.Region.Fn
	header, body := f.Blocks[1], f.Blocks[2]
	back := 1 - header.PredIndex(f.Entry())
	var all []*extreme
	for _, phi := range header.Phis() {
		if x := extremeBy(phi, phi.Args[back]); x != nil && phi.Type.Elem.IsFloat() {
			all = append(all, x)
		}
	}
	for _, x := range all {
		for _, y := range all {
			if rest := x.without(y); len(rest) < len(x.when) && u.Count() {
				x.phi.Args[back] = x.under(rest, body)
				x.when = rest
				checkFirst(x, y, header, body)
			}
		}
	}
}

// An extreme is a variable that only falls, or only rises: its next value is another one where that
// one is less, or greater, among other conditions.
type extreme struct {
	phi, next, value *vir.Value
	by               literal // the comparison with that
	rises            bool
	when             []literal // by among them
}

// A literal is a truth value or its contrary.
type literal struct {
	v   *vir.Value
	not bool
}

// extremeBy is phi as an extreme, nil when it is none.
func extremeBy(phi, next *vir.Value) *extreme {
	if next.Op != vir.OpSelect {
		return nil
	}
	x := &extreme{phi: phi, next: next, value: next.Args[1]}
	if x.value == phi {
		x.value = next.Args[2]
	} else if next.Args[2] != phi {
		return nil
	}
	x.when = conjuncts(literal{next.Args[0], x.value != next.Args[1]}, nil)
	for _, c := range x.when {
		if _, _, inverse := boolean.Inverse(c.v.Op); compares(c.v, phi, x.value) && (!c.not || inverse) {
			x.by, x.rises = c, (c.v.Args[0] == phi) != c.not
		}
	}
	if x.by.v == nil || x.value == phi {
		return nil
	}
	return x
}

// conjuncts appends the parts that hold where c does to list, each once.
func conjuncts(c literal, list []literal) []literal {
	const most = 16 // values are shared, so that ways through them are many
	switch {
	case len(list) > most:
	case c.v.Op == vir.OpNot:
		return conjuncts(literal{c.v.Args[0], !c.not}, list)
	case c.v.Op == vir.OpAnd && !c.not || c.v.Op == vir.OpOr && c.not:
		return conjuncts(literal{c.v.Args[1], c.not}, conjuncts(literal{c.v.Args[0], c.not}, list))
	}
	if slices.Contains(list, c) {
		return list
	}
	return append(list, c)
}

// conjunction is the value that holds where cond, unless that is nil, and all of list do, put together by add.
func conjunction(cond *vir.Value, list []literal, add func(vir.Op, vir.Type, ...*vir.Value) *vir.Value) *vir.Value {
	for _, c := range list {
		x := c.v
		if c.not {
			x = inverted(x, add)
		}
		if cond != nil {
			x = add(vir.OpAnd, vir.Scalar(vir.Bool), cond, x)
		}
		cond = x
	}
	return cond
}

// inverted is not x: a comparison, if there is one.
func inverted(x *vir.Value, add func(vir.Op, vir.Type, ...*vir.Value) *vir.Value) *vir.Value {
	op, swap, ok := boolean.Inverse(x.Op)
	switch {
	case !ok:
		return add(vir.OpNot, x.Type, x)
	case swap:
		return add(op, x.Type, x.Args[1], x.Args[0])
	}
	return add(op, x.Type, x.Args...)
}

// without is when x changes, apart from conditions that say that y does not: it cannot while they are
// in order, unless both take what is equal.
func (x *extreme) without(y *extreme) []literal {
	if x.rises == y.rises || x.value != y.value || !isStrict(x.by.v) && !isStrict(y.by.v) {
		return x.when
	}
	return slices.DeleteFunc(slices.Clone(x.when), func(c literal) bool {
		return c.not && slices.ContainsFunc(conjuncts(literal{c.v, false}, nil), func(d literal) bool { return d == y.by })
	})
}

func isStrict(cmp *vir.Value) bool { return cmp.Op == vir.OpFcmpLt }

// under is the next value of x when the conditions are those of list.
func (x *extreme) under(list []literal, body *vir.Block) *vir.Value {
	m := &matcher{body: body}
	return m.append(x.phi.Type, vir.OpSelect, x.next, m.conjunction(list, x.next), x.value, x.phi)
}

// checkFirst puts the check that x and y begin in order where an iteration begins.
func checkFirst(x, y *extreme, header, body *vir.Block) {
	if x.rises {
		x, y = y, x
	}
	f, entry := body.Func, header.PredIndex(body.Func.Entry())
	ordered := f.NewValue(vir.OpFcmpLe, vir.Scalar(vir.Bool), x.phi.Args[entry], y.phi.Args[entry])
	not := f.NewValue(vir.OpNot, vir.Scalar(vir.Bool), ordered)
	begin(body, x.next.Pos, ordered, not, f.NewValue(vir.OpCheckRare, vir.Type{}, not))
}

// begin puts what is made at the start of an iteration, behind iter.
func begin(body *vir.Block, pos vir.Pos, made ...*vir.Value) {
	for _, v := range made {
		v.Pos, v.Block = pos, body
	}
	body.Insts = slices.Insert(body.Insts, 1, made...)
}
