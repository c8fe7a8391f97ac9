package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Variables in order that iterations leave alone unless a condition holds are computed by a loop over the lanes for which it
// does, by their numbers:
//
//	if v > 0 { s += v }          vec16:   %w = bits i64 %m
//	                                      br %w != 0, vec16.1, vec16.3
//	                             vec16.2: %s, %left = phis
//	                                      %k = ctz i64 %left
//	                                      %s1 = fadd f64 %s, lane %v, %k
//	                                      %rest = and i64 %left, %left - 1
//	                                      br %rest != 0, vec16.2, vec16.3
//
// It waits for as many additions as the loop as written, and its branch is predicted badly once per block, not wherever
// the condition changes.

// Of the lanes of a block one in so many is taken to be active: costs are compared where loop and kernel have little to
// wait for. A block ends the loop over them, which is predicted badly.
const (
	activeShare = 0.25
	activeEnd   = 5.0 // cycles
)

// bitsOfWord is the number of lanes that a word has bits for.
const bitsOfWord = 64

// overActive writes a loop over the lanes of mask m, in order. What body does for the lane of a number makes variables of vars, which
// it returns; so does overActive.
func (w *widener) overActive(m *vir.Value, vars []*vir.Value, body func(at *vir.Value, vars []*vir.Value) []*vir.Value) []*vir.Value {
	b, i64 := w.b, vir.Scalar(vir.I64)
	phi := func(x *vir.Value) *vir.Value {
		p := b.Phi(x.Type)
		p.Name, p.Args = x.Name, []*vir.Value{x}
		return p
	}
	all := func(xs []*vir.Value, f func(*vir.Value) *vir.Value) (ys []*vir.Value) {
		for _, x := range xs {
			ys = append(ys, f(x))
		}
		return ys
	}
	for from := 0; from < w.lanes; from += bitsOfWord {
		n := min(w.lanes-from, bitsOfWord)
		word := w.laneBits(m, from, n)
		enter, some, none := w.split(), w.split(), w.split()
		w.e.l.shares[some] = activeShare * float64(n)
		b.Br(b.Cmp(vir.OpIcmpNe, word, b.Int(i64, 0)), enter, none)
		w.e.place(b, enter)
		b.Jmp(some)
		w.e.place(b, some)
		left, now := phi(word), all(vars, phi)
		at := b.Op(vir.OpCtz, i64, left)
		if from > 0 {
			at = b.Op(vir.OpAdd, i64, at, b.Int(i64, int64(from)))
		}
		next := body(at, now)
		rest := b.Op(vir.OpAnd, i64, left, b.Op(vir.OpSub, i64, left, b.Int(i64, 1)))
		b.Br(b.Cmp(vir.OpIcmpNe, rest, b.Int(i64, 0)), some, none)
		w.e.place(b, none)
		left.Args = append(left.Args, rest)
		vars = all(vars, phi)
		for i := range vars {
			now[i].Args, vars[i].Args = append(now[i].Args, next[i]), append(vars[i].Args, next[i])
		}
	}
	return vars
}

// An activeLane computes values of one lane.
type activeLane struct {
	*widener
	inside  func(v *vir.Value) bool   // what is computed in the loop
	when    *occasion                 // that is the lane's
	vectors map[*vir.Value]*vir.Value // of which it reads a lane, conditions as integers
	at      *vir.Value                // the number of the lane
	now     map[*vir.Value]*vir.Value // values of the lane
}

// prepare makes the lanes of what v is computed from, in front of the loop.
func (a *activeLane) prepare(v *vir.Value) {
	l := a.e.l
	v = a.when.decided(v)
	switch {
	case a.inside(v) && (v.Op == vir.OpPhi || v.Op.IsLoad()) || v.Op == vir.OpConst || a.vectors[v] != nil:
	case a.inside(v):
		for _, x := range v.Args {
			a.prepare(x)
		}
	case !l.inLanes(v):
		a.scalar(v)
	case v.Type.Elem == vir.Bool:
		a.vectors[v] = a.b.Op(vir.OpSext, vir.Vec(vir.IntElem(l.widest()), a.lanes), a.widener.value(v))
	default:
		a.vectors[v] = a.widener.value(v)
	}
}

// value is v in the lane.
func (a *activeLane) value(v *vir.Value) *vir.Value {
	v = a.when.decided(v)
	if x := a.now[v]; x != nil {
		return x
	}
	var x *vir.Value
	switch {
	case a.inside(v):
		args := make([]*vir.Value, len(v.Args))
		for i, y := range v.Args {
			args[i] = a.value(y)
		}
		x = a.operate(v, args)
	case v.Op == vir.OpConst:
		x = a.b.Const(v.Type, v.Bits[0])
	case a.vectors[v] == nil:
		x = a.scalar(v)
	case v.Type.Elem == vir.Bool:
		x = a.b.Lane(a.vectors[v], a.at)
		x = a.b.Cmp(vir.OpIcmpNe, x, a.b.Int(x.Type, 0))
	default:
		x = a.b.Lane(a.vectors[v], a.at)
	}
	a.now[v] = x
	return x
}

// activeLanes writes the loop over active lanes for the variables of g. It returns them behind it.
func (w *widener) activeLanes(o *inOrder, g *activeGroup) []*vir.Value {
	a := &activeLane{widener: w, inside: o.has, when: g.when, vectors: make(map[*vir.Value]*vir.Value)}
	var vars []*vir.Value
	for _, phi := range g.vars {
		vars = append(vars, w.held[o.slot][slices.Index(o.vars, phi)])
		a.prepare(w.e.l.next(phi))
	}
	return w.overActive(g.when.lanes(w), vars, func(at *vir.Value, vars []*vir.Value) (next []*vir.Value) {
		a.at, a.now = at, make(map[*vir.Value]*vir.Value)
		for i, phi := range g.vars {
			a.now[phi] = vars[i]
		}
		for _, phi := range g.vars {
			next = append(next, w.scalarOf(a.value(w.e.l.next(phi))))
		}
		return next
	})
}
