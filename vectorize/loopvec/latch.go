package loopvec

import "github.com/lanewise/lanewise/vir"

// Bools whose next value depends on themselves in any way, and on what lanes know:
//
//	if x[i] > hi { on = true } else if x[i] < lo { on = false }
//	if quoted { quoted = c != '"' } else { quoted = c == '"' || c == '`' }
//
// A function of one bool is a ^ (on &^ m), a being what it makes of false and m where on does not matter.
// One of these behind another one is of the same form,
//
//	a2 ^ ((a1 ^ (on &^ m1)) &^ m2) = (a2 ^ (a1 &^ m2)) ^ (on &^ (m2 | m1))
//
// so that lanes are combined as those of other scans are (Ladner, Fischer: Parallel prefix computation,
// JACM 1980, who do so for the transitions of any finite automaton).
type latch struct{ to, ends *vir.Value }

// latchOf is the latch of bool phi, which m follows; nil where its next value is made otherwise.
func (l *loop) latchOf(m *matcher, phi *vir.Value) *latch {
	if phi.Type != vir.Scalar(vir.Bool) {
		return nil
	}
	off := l.assuming(m, phi, false)
	on := l.assuming(m, phi, true)
	next := l.next(phi)
	x, known := off.of(next)
	y, alsoKnown := on.of(next)
	if !known || !alsoKnown {
		return nil
	}
	ends := off.not(off.combine(vir.OpXor, x, y))
	if x.v == nil || ends.v == nil {
		return nil // any or all of a condition, or a toggle: these are reductions
	}
	return &latch{x.v, ends.v}
}

// A truth is a bool that lanes know, or a constant.
type truth struct {
	v  *vir.Value // nil for a constant
	is bool
}

// An assumption makes values of the region that hold where phi is a constant.
type assumption struct {
	l    *loop
	m    *matcher
	seen map[*vir.Value]truth
	made *instance // values of other types
}

func (l *loop) assuming(m *matcher, phi *vir.Value, is bool) *assumption {
	return &assumption{l, m, map[*vir.Value]truth{phi: {is: is}}, m.instance([]*vir.Value{phi}, []uint64{truthBits(is)})}
}

// of is v under the assumption; false where lanes do not know it.
func (a *assumption) of(v *vir.Value) (x truth, ok bool) {
	if x, ok = a.seen[v]; ok {
		return x, true
	}
	if bits, is := v.IsConst(); is {
		return truth{is: bits&1 != 0}, true
	}
	if v.Type != vir.Scalar(vir.Bool) {
		return truth{}, false
	}
	if a.m.free(v) {
		return truth{v: v}, true
	}
	if !logical(v) {
		return a.compared(v)
	}
	var args []truth
	for _, arg := range v.Args {
		x, ok := a.of(arg)
		if !ok {
			return truth{}, false
		}
		args = append(args, x)
	}
	switch v.Op {
	case vir.OpNot:
		x = a.not(args[0])
	case vir.OpIcmpEq:
		x = a.not(a.combine(vir.OpXor, args[0], args[1]))
	case vir.OpIcmpNe:
		x = a.combine(vir.OpXor, args[0], args[1])
	case vir.OpSelect:
		x = a.combine(vir.OpOr, a.combine(vir.OpAnd, args[0], args[1]), a.combine(vir.OpAnd, a.not(args[0]), args[2]))
	default:
		x = a.combine(v.Op, args[0], args[1])
	}
	a.seen[v] = x
	return x, true
}

// logical reports whether v is made of bools only.
func logical(v *vir.Value) bool {
	switch v.Op {
	case vir.OpNot, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSelect, vir.OpIcmpEq, vir.OpIcmpNe:
		return v.Args[0].Type == v.Type
	}
	return false
}

// compared is of for comparisons of what depends on phi: v > (on ? low : high).
func (a *assumption) compared(v *vir.Value) (truth, bool) {
	x := a.made.of(v)
	if x == nil {
		return truth{}, false
	}
	if bits, is := x.IsConst(); is {
		return truth{is: bits&1 != 0}, true
	}
	return truth{v: x}, true
}

func (a *assumption) not(x truth) truth {
	if x.v == nil {
		return truth{is: !x.is}
	}
	return a.build(vir.OpNot, x.v)
}

// combine is x op y, of and, or and xor.
func (a *assumption) combine(op vir.Op, x, y truth) truth {
	if x.v == nil {
		x, y = y, x
	}
	switch {
	case y.v != nil:
		return a.build(op, x.v, y.v)
	case op == vir.OpXor && y.is:
		return a.not(x)
	case op == vir.OpXor, op == vir.OpAnd && y.is, op == vir.OpOr && !y.is:
		return x
	}
	return y
}

// build is an operation on bools that the region does not have.
func (a *assumption) build(op vir.Op, args ...*vir.Value) truth {
	return truth{v: a.l.region.Fn.NewValue(op, vir.Scalar(vir.Bool), args...)}
}

func (a *latch) made() []*vir.Value { return []*vir.Value{a.ends, a.to} }

func (a *latch) wait() float64 { return 0 }

func (a *latch) latency(*loop, vir.Type) float64 { return 1 }

func (a *latch) combine(w *widener, s *carry) {
	b := w.b
	to, ends := w.value(a.to), w.value(a.ends)
	behind := func(v, m, before *vir.Value) *vir.Value {
		return b.Op(vir.OpXor, v.Type, v, b.Op(vir.OpAnd, v.Type, b.Op(vir.OpNot, m.Type, m), before))
	}
	none := b.Const(w.held[s.slot][0].Type, 0)
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		v, m := w.piece(to, p, n), w.piece(ends, p, n)
		for d := 1; d < n; d *= 2 {
			v = behind(v, m, b.Shuffle(v.Type, movedUp(n, d), none, v))
			m = b.Op(vir.OpOr, m.Type, m, b.Shuffle(m.Type, distances(n, d, n), m, nil))
		}
		v = behind(v, m, last)
		return v, w.spreadLast(v)
	})
}
