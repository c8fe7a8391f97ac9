package loopvec

import "github.com/lanewise/lanewise/vir"

// Latches: bools that some iterations set, others clear, and all others leave alone:
//
//	if x[i] > hi { on = true } else if x[i] < lo { on = false }
//	out[i] = on
//
// The next value is s or (k and on) with conditions s and k that do not depend on the variable: a fill
// by s where k does not hold, and true where s does.

// A latch is that form of a value; keep is nil for true.
type latch struct{ on, keep *vir.Value }

// latchOf is the fill of bool phi, which m follows; nil where its next value has another form.
func (l *loop) latchOf(m *matcher, phi *vir.Value) *fill {
	if phi.Type != vir.Scalar(vir.Bool) {
		return nil
	}
	f, ok := l.latchForm(m, phi, l.next(phi))
	if !ok || f.on == nil || f.keep == nil {
		return nil // all or any of the conditions
	}
	return &fill{cond: l.made(vir.OpNot, f.keep), value: f.on}
}

// latchForm finds the form of v, made of phi by and, or and choices.
func (l *loop) latchForm(m *matcher, phi, v *vir.Value) (f latch, ok bool) {
	if v == phi {
		return latch{}, true
	}
	switch v.Op {
	case vir.OpSelect:
		return l.latchChoice(m, phi, v)
	case vir.OpAnd, vir.OpOr:
		x, y := v.Args[0], v.Args[1]
		if m.free(y) {
			x, y = y, x
		}
		if !m.free(x) {
			return latch{}, false
		}
		if f, ok = l.latchForm(m, phi, y); !ok {
			return latch{}, false
		}
		if v.Op == vir.OpOr {
			return latch{l.either(x, f.on), f.keep}, true
		}
		if f.on != nil {
			f.on = l.made(vir.OpAnd, x, f.on)
		}
		return latch{f.on, l.both(x, f.keep)}, true
	}
	return latch{}, false
}

// latchChoice is the form of choice v between what phi makes and what does not depend on it.
func (l *loop) latchChoice(m *matcher, phi, v *vir.Value) (f latch, ok bool) {
	here, x, y := v.Args[0], v.Args[1], v.Args[2]
	if !m.free(here) {
		return latch{}, false
	}
	there := l.made(vir.OpNot, here)
	if m.free(x) {
		here, there, x, y = there, here, y, x
	}
	if !m.free(y) {
		return latch{}, false
	}
	if f, ok = l.latchForm(m, phi, x); !ok {
		return latch{}, false
	}
	on := l.made(vir.OpAnd, there, y)
	if f.on != nil {
		on = l.made(vir.OpOr, on, l.made(vir.OpAnd, here, f.on))
	}
	return latch{on, l.both(here, f.keep)}, true
}

// either is x or y, where nil is false.
func (l *loop) either(x, y *vir.Value) *vir.Value {
	if y == nil {
		return x
	}
	return l.made(vir.OpOr, x, y)
}

// both is x and y, where nil is true.
func (l *loop) both(x, y *vir.Value) *vir.Value {
	if y == nil {
		return x
	}
	return l.made(vir.OpAnd, x, y)
}

// made is an operation on bools that the region does not have.
func (l *loop) made(op vir.Op, args ...*vir.Value) *vir.Value {
	return l.region.Fn.NewValue(op, vir.Scalar(vir.Bool), args...)
}
