package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Variables that Confine has made narrow go back to the caller as wide as they came.

// narrowed is how callers want the variable of phi, if not as it is.
func (l *loop) narrowed(phi *vir.Value) (of func(b *vir.Builder, x *vir.Value) *vir.Value, i int) {
	i = slices.Index(l.header.Phis(), phi)
	return l.u.Narrowed[i], i
}

// widens reports whether v makes such a variable, or its next value, as wide as it was.
func (l *loop) widens(v *vir.Value) bool {
	if v.Op != vir.OpSext && v.Op != vir.OpZext {
		return false
	}
	for i := range l.u.Narrowed {
		if phi := l.header.Phis()[i]; v.Args[0] == phi || v.Args[0] == l.next(phi) {
			return true
		}
	}
	return false
}

// given is what the caller has for the variable of phi, which begins with first.
func (e *emitter) given(phi, first *vir.Value) *vir.Value {
	if of, i := e.l.narrowed(phi); of != nil {
		first = e.l.region.Fn.Params[e.l.region.State[i].Param]
	}
	return e.live(first)
}

// returned is x as the caller wants the variable of phi. It fits: a call that does anything has asked for that.
func (e *emitter) returned(b *vir.Builder, phi, x *vir.Value) *vir.Value {
	of, _ := e.l.narrowed(phi)
	if of == nil {
		return x
	}
	return of(b, x)
}

// resultPhis are the variables in the order of the kernel's results.
func (e *emitter) resultPhis() (phis []*vir.Value) {
	for _, r := range e.reds {
		phis = append(phis, r.phi)
	}
	for _, s := range e.lasts {
		phis = append(phis, s.phi)
	}
	return slices.Concat(phis, e.l.heldPhis(), e.l.others())
}
