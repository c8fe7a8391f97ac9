package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/sva"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// What only the last iteration leaves behind: variables that are set anew in each
// iteration and read after the loop, and what all iterations store to one address.
//
//	vec32:  ...
//	        %v = ...                       32 lanes
//	        %e = extract f32 %v, 31        scalars of the last lane
//	        store f32 %e, [%p]
//
// Scalars of the last lane that follow from the induction are computed as such.

// lastValue plans what becomes of variable s, which is set anew and read later.
func (l *loop) lastValue(s *state) {
	of, _ := l.narrowed(s.phi)
	if a, ok := l.sc.Evolution(s.next); ok && len(a.Wrap) == 0 && of == nil {
		step := plan.Const(a.Step)
		if a.StepExpr != nil {
			step = a.StepExpr
		}
		first, ok := l.sc.Invariant(l.initial(s.phi))
		s.moves = ok && first.Same(scev.Simplify(plan.Sub(a.Start, step)))
		// No iterations done means that one is left, which sets it.
		s.expr = scev.Simplify(plan.Add(a.Start, plan.Mul(plan.Sub(plan.Done(), plan.Const(1)), step)))
		return
	}
	s.last = true
}

// uniformStore decides whether all iterations may store to one address. Under a
// mask that differs from lane to lane the last active lane is not known.
func (l *loop) uniformStore(v *vir.Value) error {
	if v.Masked && !l.sl.IsUniform(v.Mask()) && !l.sl.IsUniform(v.Stored()) {
		return pass.Refuse("loopvec:UniformStore", v, "the last iteration that stores to one place is found at run time only")
	}
	return nil
}

// isLast reports whether v is needed as the scalar of the last lane and can be
// computed without lanes.
func (l *loop) isLast(v *vir.Value) bool { return l.nat.Inst(v).Has(sva.LastScalar) }

// needLast marks what the scalar of the last lane of v needs.
func (l *loop) needLast(v *vir.Value) {
	switch {
	case l.isLocal(v) && l.uniform(v):
		l.needScalar(v)
	case !l.isLast(v) || l.isLocal(v):
		l.need(v)
	case l.ramp(v):
	case l.uniform(v):
		l.want(v)
	default:
		for _, a := range v.Args {
			l.needLast(a)
		}
	}
}

// last is the scalar of the last lane of v.
func (w *widener) last(v *vir.Value) *vir.Value {
	l := w.e.l
	switch {
	case w.lasts[v] != nil:
		return w.lasts[v]
	case l.ramp(v) && l.isLast(v):
		w.lasts[v] = w.rampAt(v, int64(w.lanes-1))
	case !l.inLanes(v) && l.uniform(v):
		w.lasts[v] = w.scalar(v)
	case !l.isLast(v) || l.isLocal(v):
		w.lasts[v] = w.b.Extract(w.value(v), w.lanes-1)
	default:
		x := &vir.Value{Op: v.Op, Type: v.Type, Name: v.Name, Pos: v.Pos, Bits: v.Bits}
		for _, a := range v.Args {
			x.Args = append(x.Args, w.last(a))
		}
		w.lasts[v] = w.b.Append(x)
	}
	return w.lasts[v]
}

// scalar is uniform value v, which may be known in the body only.
func (w *widener) scalar(v *vir.Value) *vir.Value {
	if x := w.scal[v]; x != nil {
		return x
	}
	return w.e.value(v)
}

// storeLast stores what the last iteration stores, if any does.
func (w *widener) storeLast(v *vir.Value, ad address) {
	var x *vir.Value
	if w.e.l.uniform(v.Stored()) {
		x = w.scalar(v.Stored())
	} else {
		x = w.last(v.Stored())
	}
	store := func() { w.b.Store(vir.OpStore, x, vir.Addr{Base: ad.base, Disp: ad.disp}, nil) }
	if !v.Masked {
		store()
		return
	}
	var cond *vir.Value
	if w.e.l.inLanes(v.Mask()) {
		cond = w.b.Op(vir.OpAny, vir.Scalar(vir.Bool), w.value(v.Mask()))
	} else {
		cond = w.scalar(v.Mask())
	}
	w.onlyIf(cond, store)
}

// lastsOf are the variables whose last value a kernel returns.
func (l *loop) lastsOf() []*state {
	var all []*state
	for i := range l.states {
		if l.states[i].last {
			all = append(all, &l.states[i])
		}
	}
	return all
}

// firstLasts are the values of those variables when the kernel is called.
func (e *emitter) firstLasts() []*vir.Value {
	var vs []*vir.Value
	for _, s := range e.lasts {
		vs = append(vs, e.value(e.l.initial(s.phi)))
	}
	return vs
}

// lastValues are the values of those variables after this block.
func (w *widener) lastValues() []*vir.Value {
	var vs []*vir.Value
	for _, s := range w.e.lasts {
		if s.count != nil {
			vs = append(vs, w.countedValue(s))
			continue
		}
		vs = append(vs, w.last(s.next))
	}
	return vs
}

// initial is the value of phi before the first iteration.
func (l *loop) initial(phi *vir.Value) *vir.Value {
	return phi.Args[l.header.PredIndex(l.region.Fn.Entry())]
}

// hasLaneChecks reports whether blocks may be handed over.
func (l *loop) hasLaneChecks() bool {
	if l.isNest() || l.counts() {
		return true // for want of fuel, if nothing else; counters are carried
	}
	for _, v := range l.insts {
		if v.Op.IsCheck() && l.laneCheck(v) {
			return true
		}
	}
	return false
}
