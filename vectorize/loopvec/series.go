package loopvec

import (
	"math"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// Variables that every iteration takes a constant step further, other than by an
// integer sum: s += 2 of floats, h = h*5 + 3 of integers.
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
	unit float64       // u; 0 where nothing is asked for
	most int64         // iterations of a call, 0 for any number
	slot int           // in loop.held
}

// An affineValue is mul*phi + add: modulo the width of an integer, or in floats, whose
// mul is 1.
type affineValue struct {
	v        *vir.Value
	mul, add uint64
	sum, abs float64 // add of floats; all of what is added, without signs
	unit     float64 // the largest power of two of which all that is added is a multiple
}

// fewestExact is the fewest iterations of a call for which sums of floats are worth it.
const fewestExact = 1024

// findSeries makes a series of the variable of phi; nil when it is none.
func (l *loop) findSeries(phi *vir.Value) *series {
	vals := affineChain(phi, l.next(phi))
	if vals == nil {
		return nil
	}
	s := &series{phi: phi, vals: vals, slot: len(l.held)}
	last := vals[len(vals)-1]
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

// mostSteps is the most operations of an iteration.
const mostSteps = 12

// affineChain are the values from phi to next, each computed from those before and
// constants; nil when there is something else.
func affineChain(phi, next *vir.Value) []affineValue {
	c := &stepper{vals: []affineValue{{v: phi, mul: 1, unit: math.Inf(1)}}}
	if _, ok := c.of(next); !ok || next == phi {
		return nil
	}
	return c.vals
}

// A stepper finds out what values of an iteration are to a variable.
type stepper struct{ vals []affineValue }

func (c *stepper) of(v *vir.Value) (affineValue, bool) {
	for _, a := range c.vals {
		if a.v == v {
			return a, true
		}
	}
	if len(c.vals) > mostSteps || len(v.Args) == 0 || len(v.Args) > 2 || v.Type != c.vals[0].v.Type {
		return affineValue{}, false
	}
	x, ok := c.operand(v.Args[0])
	y := affineValue{}
	if ok && len(v.Args) == 2 {
		y, ok = c.operand(v.Args[1])
	}
	if !ok {
		return x, false
	}
	a, ok := x.step(v.Op, y)
	a.v = v
	if ok {
		c.vals = append(c.vals, a)
	}
	return a, ok
}

// operand is a constant or of.
func (c *stepper) operand(v *vir.Value) (affineValue, bool) {
	bits, ok := v.IsConst()
	switch {
	case !ok:
		return c.of(v)
	case v.Type.Elem.IsFloat():
		f := floatValue(v.Type.Elem, bits)
		return affineValue{sum: f, abs: math.Abs(f), unit: unitOf(f)}, true
	}
	return affineValue{add: bits}, v.Type.Elem.IsInt()
}

// step is what operation op makes of a and b.
func (a affineValue) step(op vir.Op, b affineValue) (affineValue, bool) {
	switch op {
	case vir.OpAdd:
		return affineValue{mul: a.mul + b.mul, add: a.add + b.add}, true
	case vir.OpSub:
		return affineValue{mul: a.mul - b.mul, add: a.add - b.add}, true
	case vir.OpNeg:
		return affineValue{mul: -a.mul, add: -a.add}, true
	case vir.OpNot:
		return affineValue{mul: -a.mul, add: ^a.add}, true
	case vir.OpMul:
		if a.mul == 0 {
			a, b = b, a
		}
		return affineValue{mul: a.mul * b.add, add: a.add * b.add}, b.mul == 0
	case vir.OpShl:
		c := b.add
		return affineValue{mul: a.mul << c, add: a.add << c}, b.v == nil && c < 64
	case vir.OpFadd, vir.OpFsub:
		if a.mul == 0 && op == vir.OpFadd {
			a, b = b, a
		}
		if op == vir.OpFsub {
			b.sum = -b.sum
		}
		return affineValue{mul: 1, sum: a.sum + b.sum, abs: a.abs + b.abs, unit: min(a.unit, b.unit)}, a.mul == 1 && b.mul == 0
	}
	return affineValue{}, false
}

func floatValue(e vir.Elem, bits uint64) float64 {
	if e == vir.F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// unitOf is the largest power of two of which x is a multiple.
func unitOf(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	m, e := math.Frexp(math.Abs(x))
	return math.Ldexp(1, e-53+bits.TrailingZeros64(uint64(m*(1<<53))))
}

func (s *series) phis() []*vir.Value { return []*vir.Value{s.phi} }

func (s *series) need(*loop) {}

func (s *series) lanes(l *loop, lanes int) int { return min(lanes, l.target.Lanes(s.phi.Type.Elem)) }

func (s *series) kept(l *loop, lanes int) []vir.Type {
	return []vir.Type{vir.Vec(s.phi.Type.Elem, s.lanes(l, lanes))}
}

func (s *series) chain(l *loop, lanes int) float64 {
	op := vir.OpFadd
	if s.phi.Type.Elem.IsInt() {
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
	last := s.vals[len(s.vals)-1]
	mul, add := last.repeated(w.lanes)
	return []*vir.Value{w.affine(kept[0], []uint64{mul}, []uint64{add}, []float64{float64(w.lanes) * last.sum})}
}

// repeated is the step done so many times.
func (a *affineValue) repeated(times int) (mul, add uint64) {
	mul = 1
	for range times {
		mul, add = mul*a.mul, add*a.mul+a.add
	}
	return mul, add
}

// affine is x*mul + add with constants, one for all lanes or one for each: those of
// integers, or sums of floats.
func (w *widener) affine(x *vir.Value, mul, add []uint64, sum []float64) *vir.Value {
	t := x.Type
	if t.Elem.IsFloat() {
		var c []uint64
		for _, f := range sum {
			c = append(c, floatBits(t.Elem, f))
		}
		return w.b.Op(vir.OpFadd, t, x, w.b.Lanes(t, c))
	}
	mask := ^uint64(0) >> (64 - t.Elem.Bits())
	cut := func(c []uint64) (out []uint64, same bool) {
		for _, y := range c {
			out = append(out, y&mask)
		}
		for _, y := range out {
			if y != out[0] {
				return out, false
			}
		}
		return out[:1], true
	}
	m, sameM := cut(mul)
	a, sameA := cut(add)
	if !sameM || m[0] != 1 {
		x = w.b.Op(vir.OpMul, t, x, w.b.Lanes(t, m))
	}
	if !sameA || a[0] != 0 {
		x = w.b.Op(vir.OpAdd, t, x, w.b.Lanes(t, a))
	}
	return x
}

// series is the lanes of v, one of the values of s.
func (w *widener) series(s *series, v *vir.Value) *vir.Value {
	base := w.held[s.slot][0]
	n := base.Type.Lanes
	last := s.vals[len(s.vals)-1]
	var a affineValue
	for _, x := range s.vals {
		if x.v == v {
			a = x
		}
	}
	var parts []*vir.Value
	for p := range w.lanes / n {
		var mul, add []uint64
		var sum []float64
		for k := p * n; k < (p+1)*n; k++ {
			m, c := last.repeated(k)
			mul, add = append(mul, m*a.mul), append(add, c*a.mul+a.add)
			f := float64(k)*last.sum + a.sum
			if k == 0 && v == s.phi {
				f = math.Copysign(0, -1) // what it is, -0 too
			}
			sum = append(sum, f)
		}
		parts = append(parts, w.affine(base, mul, add, sum))
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
