package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Variables that every iteration takes a step further that is known before the loop, other
// than by a constant integer: s += 2 of floats, h = h*5 + 3 or p += step of integers.
//
//	entry:   %s = broadcast %s0
//	vec8:    %v = fadd f32x8 %s, {-0, 2, 4, 6, 8, 10, 12, 14}
//	         %s1 = fadd f32x8 %s, 16
//
// Integers wrap, so that a step taken eight times is one of the same form, exactly.
// Floats round in every iteration. Without reassoc lanes are right only while nothing is
// rounded: with u the largest power of two of which the steps are multiples, p the bits of
// the type and M = u * 2^(p-2), multiples of u up to 2M are numbers of the type. The
// kernel asks for a first value that is a multiple of u of at most M, and makes no more
// steps in one call than lead from M to 2M.
type series struct {
	phi  *vir.Value
	vals []affineValue // what an iteration computes from it, the last one is the next value
	invs []*vir.Value  // integers known before the loop that are among the steps
	unit float64       // u; 0 where nothing is asked for
	most int64         // iterations of a call, 0 for any number
	slot int           // in loop.held

	ahead []affineValue // integers: what the variable is so many iterations later
}

// fewestExact is the fewest iterations of a call for which sums of floats are worth it.
const fewestExact = 1024

// findSeries makes a series of the variable of phi; nil when it is none.
func (l *loop) findSeries(phi *vir.Value) *series {
	c := &stepper{vals: []affineValue{{v: phi, mul: 1, unit: math.Inf(1)}}, known: l.knownBefore}
	if _, ok := c.of(l.next(phi)); !ok || l.next(phi) == phi {
		return nil
	}
	s := &series{phi: phi, vals: c.vals, invs: c.invs, slot: len(l.held)}
	last := s.last()
	switch {
	case phi.Type.Elem.IsInt():
		return s
	case last.sum == 0 || math.IsInf(last.abs, 0) || math.IsNaN(last.abs):
		return nil
	case l.region.Clauses.Reassoc:
		return s
	}
	p := 24
	if phi.Type.Elem == vir.F64 {
		p = 53
	}
	s.unit = last.unit
	n := math.Ldexp(s.unit, p-2) / last.abs
	if n < fewestExact || s.unit < 0x1p-60 || s.unit > 0x1p60 {
		return nil
	}
	s.most = int64(min(n, 1<<40))
	return s
}

// last is the next value.
func (s *series) last() *affineValue { return &s.vals[len(s.vals)-1] }

// knownBefore reports whether v is an integer that kernels compute before the loop.
func (l *loop) knownBefore(v *vir.Value) bool { return v.Type.Elem.IsInt() && l.uniform(v) }

func (s *series) phis() []*vir.Value { return []*vir.Value{s.phi} }

func (s *series) need(*loop) {}

func (s *series) lanes(l *loop, lanes int) int { return min(lanes, l.target.Lanes(s.phi.Type.Elem)) }

func (s *series) kept(l *loop, lanes int) []vir.Type {
	return []vir.Type{vir.Vec(s.phi.Type.Elem, s.lanes(l, lanes))}
}

func (s *series) chain(l *loop, lanes int) float64 {
	op := vir.OpFadd
	switch {
	case s.phi.Type.Elem.IsInt() && s.last().mul == 1:
		op = vir.OpAdd
	case s.phi.Type.Elem.IsInt():
		op = vir.OpMul
	}
	return l.target.Cost(op, vir.Vec(s.phi.Type.Elem, s.lanes(l, lanes))).Latency
}

func (s *series) limit(int) int64 { return s.most }

func (s *series) first(e *emitter, lanes int, _ bool) []*vir.Value {
	return []*vir.Value{e.splatOf(e.l.initial(s.phi), s.lanes(e.l, lanes))}
}

// next is the variable behind the block.
func (s *series) next(w *widener, kept []*vir.Value) []*vir.Value {
	return []*vir.Value{w.affine(s, kept[0], []affineValue{s.stepped(&s.vals[0], w.lanes)})}
}

// stepped is a, one of the values of s, of the iteration k further on.
func (s *series) stepped(a *affineValue, k int) affineValue {
	last := s.last()
	if !s.phi.Type.Elem.IsInt() {
		sum := float64(k)*last.sum + a.sum
		if k == 0 && a.v == s.phi {
			sum = math.Copysign(0, -1) // what it is, -0 too
		}
		return affineValue{sum: sum}
	}
	return s.after(k).times(a.mul).plus(affineValue{add: a.add, inv: a.inv}, 1)
}

// after is the variable, an integer, k iterations later.
func (s *series) after(k int) affineValue {
	last := s.last()
	step := affineValue{add: last.add, inv: last.inv}
	if s.ahead == nil {
		s.ahead = []affineValue{{mul: 1}} // the variable, of itself
	}
	for n := len(s.ahead); n <= k; n++ {
		s.ahead = append(s.ahead, s.ahead[n-1].times(last.mul).plus(step, 1))
	}
	return s.ahead[k]
}

// series is the lanes of v, one of the values of s.
func (w *widener) series(s *series, v *vir.Value) *vir.Value {
	base := w.held[s.slot][0]
	n := base.Type.Lanes
	a := &s.vals[slices.IndexFunc(s.vals, func(x affineValue) bool { return x.v == v })]
	var parts []*vir.Value
	for p := range w.lanes / n {
		if p > 0 && len(s.invs) > 0 && s.last().mul == 1 {
			// All parts but the first have the same step, which takes one register.
			step := s.after(n).times(a.mul)
			step.mul = 1
			parts = append(parts, w.affine(s, parts[p-1], []affineValue{step}))
			continue
		}
		last := (p + 1) * n
		if p == 0 {
			last = s.lanes(w.e.l, w.e.stages[0].lanes) // narrower stages take some of these
		}
		var cs []affineValue
		for k := p * n; k < last; k++ {
			cs = append(cs, s.stepped(a, k))
		}
		parts = append(parts, w.affine(s, base, cs))
	}
	return w.concat(parts)
}

// exactFrom asks for a first value from which on nothing is rounded: adding and taking
// away a number of which the last bit is worth u changes only what is no multiple of u.
func (e *emitter) exactFrom(s *series) {
	if s.unit == 0 {
		return
	}
	b, t := e.setup, s.phi.Type
	p := 24
	if t.Elem == vir.F64 {
		p = 53
	}
	x := e.value(e.l.initial(s.phi))
	big := b.Float(t, math.Ldexp(1.5*s.unit, p-1))
	most := math.Ldexp(s.unit, p-2)
	y := b.Op(vir.OpFsub, t, b.Op(vir.OpFadd, t, x, big), big)
	e.require(b.Cmp(vir.OpFcmpEq, x, y))
	b = e.setup
	e.require(b.Cmp(vir.OpFcmpLe, x, b.Float(t, most)))
	e.require(e.setup.Cmp(vir.OpFcmpLe, e.setup.Float(t, -most), x))
}

func (s *series) fold(e *emitter, b *vir.Builder, kept []*vir.Value, to int, _ bool) []*vir.Value {
	return []*vir.Value{firstLanes(b, kept[0], s.lanes(e.l, to))}
}

func (s *series) results(_ *emitter, b *vir.Builder, kept []*vir.Value) []*vir.Value {
	return []*vir.Value{b.Extract(kept[0], 0)}
}
