package vectest

import (
	"github.com/lanewise/lanewise/vir"
)

// Variables of which an iteration needs more than an accumulator: the value before
// or behind the iteration, or what goes with the best item so far.

// chosen is the kind of variables that are set where a condition holds.
const chosen = anew + 1

// watch lets expressions read some of the variables as they are now.
func (g *loopGen) watch() {
	for _, s := range g.states[g.fixed:] {
		if g.watched && g.IntN(2) == 0 {
			g.pool = append(g.pool, s.cur)
		}
	}
}

// choose sets the chosen variables where a condition holds: often that an item
// compares with one of them, which it replaces.
func (g *loopGen) choose() {
	var all []*carriedVar
	for _, s := range g.states[g.fixed:] {
		if s.kind == chosen {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return
	}
	key := all[g.IntN(len(all))]
	var cond, item *vir.Value
	if t := key.phi.Type; t.Elem != vir.Bool && g.IntN(4) > 0 {
		item = g.expr(t, 2)
		cond = g.order(key.cur, item)
		if g.IntN(4) == 0 {
			cond = g.b.Op(vir.OpAnd, cond.Type, cond, g.cond(1))
		}
	} else {
		cond = g.cond(2)
	}
	then, join := g.f.NewBlock(g.block("then")), &vir.Block{Name: g.block("join"), Func: g.f}
	if g.IntN(6) == 0 {
		g.b.Br(cond, join, then)
	} else {
		g.b.Br(cond, then, join)
	}
	g.b.Cur = then
	pool := g.pool
	before, values := g.save(), make([]*vir.Value, len(all))
	for i, s := range all {
		switch {
		case s == key && item != nil:
			values[i] = item
		case s.phi.Type == g.i.Type && g.IntN(3) > 0:
			values[i] = g.i
		case s.phi.Type.Elem == vir.Bool:
			values[i] = g.b.Const(s.phi.Type, 1)
		default:
			values[i] = g.expr(s.phi.Type, 1)
		}
	}
	g.pool = pool
	g.restore(before)
	g.b.Jmp(join)
	g.f.Blocks = append(g.f.Blocks, join)
	g.b.Cur = join
	for i, s := range all {
		phi := g.b.Phi(s.phi.Type)
		for _, p := range join.Preds {
			if p == then {
				phi.Args = append(phi.Args, values[i])
			} else {
				phi.Args = append(phi.Args, s.cur)
			}
		}
		s.cur = phi
	}
}

// order compares two values in one of the ways of Go.
func (g *loopGen) order(x, y *vir.Value) *vir.Value {
	if g.IntN(2) == 0 {
		x, y = y, x
	}
	ops := []vir.Op{vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle}
	if x.Type.Elem.IsFloat() {
		ops = []vir.Op{vir.OpFcmpLt, vir.OpFcmpLe}
	}
	return g.b.Cmp(ops[g.IntN(len(ops))], x, y)
}
