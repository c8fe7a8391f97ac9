package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Variables that the loop has in another form than callers do: in fewer bits (confine.go), as numbers of states
// (states.go), with values exchanged (infinite.go). They go back to the caller in the form that they came in.

// inForm is a phi of type t, without operands yet, for variable old in another form.
func (m *matcher) inForm(old *vir.Value, t vir.Type) *vir.Value {
	phi := m.body.Func.NewValue(vir.OpPhi, t, make([]*vir.Value, 2)...)
	phi.Name, phi.Pos, phi.Block = old.Name, old.Pos, m.header
	return phi
}

// handOver puts phi in the place of variable old. Callers want what out makes of it, and of that what unless, where it
// is not nil, leaves: there no iteration may be done.
func (m *matcher) handOver(u *pass.Unit, old, phi *vir.Value, out func(b *vir.Builder, x, first *vir.Value) *vir.Value,
	unless func(b *vir.Builder, x *vir.Value) *vir.Value) {
	i := slices.Index(m.header.Insts, old)
	m.header.Insts[i] = phi
	u.Narrowed[i] = out
	exit, first := u.Region.Fn.Blocks[4], old.Args[m.header.PredIndex(u.Region.Fn.Entry())]
	ret := exit.Term()
	for k, r := range ret.Args {
		if r != old {
			continue
		}
		b := vir.NewBuilder(exit.Func, exit)
		edit.Ahead(b, exit, func() {
			ret.Args[k] = out(b, phi, first)
			if unless != nil {
				ret.Args[k] = unless(b, ret.Args[k])
			}
		})
	}
}

// others are the variables that phi stands for in turn besides itself: see pass.Unit.Turns.
func (m *matcher) others(u *pass.Unit, phi *vir.Value) []*vir.Value {
	phis := m.header.Phis()
	i := slices.Index(phis, phi)
	if !slices.Contains(u.Turns, i) {
		return nil
	}
	return slices.Clone(phis[i+1 : i+u.Copies])
}

// narrowed is how callers want the variable of phi, if not as it is.
func (l *loop) narrowed(phi *vir.Value) (of func(b *vir.Builder, x, first *vir.Value) *vir.Value, i int) {
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
	of, i := e.l.narrowed(phi)
	if of == nil {
		return x
	}
	return of(b, x, e.live(e.l.region.Fn.Params[e.l.region.State[i].Param]))
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
