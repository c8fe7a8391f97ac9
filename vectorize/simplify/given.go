package simplify

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
)

// A truth value is simpler where another one is known:
//
//	x or (y or (not x and not y and z)) = x or (y or (not y and z)) = x or (y or z)
//	x and (not x and a or b) = x and b
//
// as are conditions to get past each of several comparisons.

// A given simplifies truth values where x holds, or does not. Those that something else needs as they are
// stay as they are: there would be two.
type given struct {
	*rewriter
	x     *vir.Value
	holds bool
	steps int

	// Memos: what stands for a value, and whether nobody needs it any more.
	known map[*vir.Value]*vir.Value
	gone  map[*vir.Value]bool
}

// mostGiven is how many operations are looked at, in vain where there are more.
const mostGiven = 1000

// suppose is what can be said where x holds, or does not, of what v is made of, which another value takes the place of.
func (r *rewriter) suppose(x *vir.Value, holds bool, v *vir.Value) *given {
	return &given{rewriter: r, x: x, holds: holds, known: make(map[*vir.Value]*vir.Value), gone: map[*vir.Value]bool{v: true}}
}

// given is v, x and y or x or y, with what x says of y; nil where that is nothing.
func (r *rewriter) given(v, x, y *vir.Value) *vir.Value {
	if v.Type.Elem != vir.Bool || y.Op != vir.OpAnd && y.Op != vir.OpOr {
		return nil
	}
	g := r.suppose(x, v.Op == vir.OpAnd, v)
	if w := g.value(y); w != y && g.steps <= mostGiven {
		return r.same(v.Op, x, w)
	}
	return nil
}

// under simplifies choice v given that c holds (or does not), and choices in it that nobody else looks at.
func (r *rewriter) under(v, c *vir.Value, holds bool) *vir.Value {
	g := r.suppose(c, holds, v)
	g.take(v)
	if w := g.choice(v); w != v && g.steps <= mostGiven {
		return w
	}
	return nil
}

// take finds the choices in choice v that go with it.
func (g *given) take(v *vir.Value) {
	for _, w := range v.Args[1:] {
		if isChoice(w) && w.Op == v.Op && len(g.users(w)) == 1 {
			g.gone[w] = true
			g.take(w)
		}
	}
}

// choice simplifies choice v, and those in it that go with it.
func (g *given) choice(v *vir.Value) *vir.Value {
	if !g.gone[v] || !isChoice(v) {
		return v
	}
	c := g.value(v.Args[0])
	switch {
	case isTrue(c):
		return v.Args[1]
	case isFalse(c):
		return v.Args[2]
	}
	x, y := g.choice(v.Args[1]), g.choice(v.Args[2])
	if c == v.Args[0] && x == v.Args[1] && y == v.Args[2] {
		return v
	}
	return g.op(v.Op, v.Type, c, x, y)
}

// value simplifies truth value v.
func (g *given) value(v *vir.Value) *vir.Value {
	if w := g.known[v]; w != nil {
		return w
	}
	w := g.simpler(v)
	g.known[v] = w
	return w
}

func (g *given) simpler(v *vir.Value) *vir.Value {
	if g.steps++; g.steps > mostGiven {
		return v
	}
	if holds, ok := g.says(v); ok {
		return g.bool(v.Type, holds)
	}
	if v.Op != vir.OpAnd && v.Op != vir.OpOr {
		return v
	}
	for k, a := range v.Args {
		if holds, ok := g.says(a); ok && holds == (v.Op == vir.OpAnd) {
			return g.value(v.Args[1-k])
		} else if ok {
			return g.bool(v.Type, holds)
		}
	}
	if !g.goes(v) {
		return v
	}
	if x, y := g.value(v.Args[0]), g.value(v.Args[1]); x != v.Args[0] || y != v.Args[1] {
		return g.same(v.Op, x, y)
	}
	return v
}

// says is what x says of v, if that is x or its contrary.
func (g *given) says(v *vir.Value) (holds, ok bool) {
	if v == g.x {
		return g.holds, true
	}
	return !g.holds, boolean.Complements(v, g.x)
}

// goes reports whether nobody needs v when what takes the place of its users is there.
func (g *given) goes(v *vir.Value) bool {
	goes, known := g.gone[v]
	if !known {
		goes = !slices.ContainsFunc(g.users(v), func(u *vir.Value) bool {
			return !g.gone[u] && (u.Op != vir.OpAnd && u.Op != vir.OpOr || !g.goes(u))
		})
		g.gone[v] = goes
	}
	return goes
}

// listed asks which number has been chosen by asking the conditions, where nobody else looks at it:
//
//	(a ? 0 : b ? 1 : -1) >= 0    a or b
func (r *rewriter) listed(v, x, y *vir.Value) *vir.Value {
	chosen, k := x, 0
	if chosen.Op == vir.OpConst {
		chosen, k = y, 1
	}
	c, ok := v.Args[1-k].IsConst()
	if !ok || v.Type != vir.Scalar(vir.Bool) || !r.list(chosen) {
		return nil
	}
	ask := func(x *vir.Value) *vir.Value {
		args := []*vir.Value{x, x}
		args[1-k] = r.bits(x.Type, c)
		return r.op(v.Op, v.Type, args...)
	}
	yes, no := ask(chosen.Args[1]), ask(chosen.Args[2])
	return r.op(vir.OpSelect, v.Type, chosen.Args[0], yes, no)
}

// list reports whether v is one of several constants, and has one user.
func (r *rewriter) list(v *vir.Value) bool {
	for v.Op == vir.OpSelect && v.Args[1].Op == vir.OpConst && len(r.users(v)) == 1 {
		if v = v.Args[2]; v.Op == vir.OpConst {
			return true
		}
	}
	return false
}

// users are the values that have v as operand, in the block as it was and in others as they are.
func (r *rewriter) users(v *vir.Value) []*vir.Value {
	if r.uses == nil {
		b, now := r.b.Cur, r.b.Cur.Insts
		b.Insts = r.old
		r.uses = r.f.Uses()
		b.Insts = now
	}
	return r.uses[v]
}
