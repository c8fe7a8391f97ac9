package loopvec

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// What an iteration computes from a variable and what is known before the loop, and the lanes of that.

// An affineValue is mul*phi + add + the sum of inv*series.invs: modulo the width of an integer, or in
// floats, whose mul is 1.
type affineValue struct {
	v        *vir.Value
	mul, add uint64
	inv      []uint64 // shorter where the rest is 0
	sum, abs float64  // add of floats; all of what is added, without signs
	unit     float64  // the largest power of two of which all that is added is a multiple
}

// mostSteps is the most operations of an iteration.
const mostSteps = 12

// A stepper finds out what values of an iteration are to a variable, each computed from those before
// and what is known before the loop.
type stepper struct {
	vals  []affineValue
	invs  []*vir.Value
	known func(*vir.Value) bool
}

func (c *stepper) of(v *vir.Value) (affineValue, bool) {
	for _, a := range c.vals {
		if a.v == v {
			return a, true
		}
	}
	if len(c.vals) > mostSteps || v.Op == vir.OpPhi || len(v.Args) == 0 || len(v.Args) > 2 || v.Type != c.vals[0].v.Type {
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

// operand is a constant, what is known before the loop, or of.
func (c *stepper) operand(v *vir.Value) (affineValue, bool) {
	bits, ok := v.IsConst()
	switch {
	case !ok && c.known(v):
		k := slices.Index(c.invs, v)
		if k < 0 {
			k, c.invs = len(c.invs), append(c.invs, v)
		}
		inv := make([]uint64, k+1)
		inv[k] = 1
		return affineValue{inv: inv}, true
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
		return a.plus(b, 1), true
	case vir.OpSub:
		return a.plus(b, ^uint64(0)), true
	case vir.OpNeg:
		return a.times(^uint64(0)), true
	case vir.OpNot:
		return a.times(^uint64(0)).plus(affineValue{add: ^uint64(0)}, 1), true
	case vir.OpMul:
		if a.constant() {
			a, b = b, a
		}
		return a.times(b.add), b.constant()
	case vir.OpShl:
		return a.times(1 << b.add), b.constant() && b.add < 64
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

// isIdentity reports whether a, of integers of type e, is the variable itself.
func (a *affineValue) isIdentity(e vir.Elem) bool {
	mask := e.Ones()
	return a.mul&mask == 1 && a.add&mask == 0 && !slices.ContainsFunc(a.inv, func(c uint64) bool { return c&mask != 0 })
}

// constant reports whether a, of integers, is add alone.
func (a *affineValue) constant() bool { return a.mul == 0 && a.inv == nil }

// times is a multiplied by k, of integers.
func (a affineValue) times(k uint64) affineValue {
	out := affineValue{mul: a.mul * k, add: a.add * k}
	for _, c := range a.inv {
		out.inv = append(out.inv, c*k)
	}
	return out
}

// plus is a + k*b, of integers.
func (a affineValue) plus(b affineValue, k uint64) affineValue {
	out := affineValue{mul: a.mul + k*b.mul, add: a.add + k*b.add, inv: slices.Clone(a.inv)}
	for i, c := range b.inv {
		if i == len(out.inv) {
			out.inv = append(out.inv, 0)
		}
		out.inv[i] += k * c
	}
	return out
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

// affine is what cs make of x: one for all lanes, or one for each of the widest stage.
func (w *widener) affine(s *series, x *vir.Value, cs []affineValue) *vir.Value {
	t := x.Type
	lanes := func(bits func(affineValue) uint64) *vir.Value {
		all := make([]uint64, min(len(cs), t.Lanes))
		for k := range all {
			all[k] = bits(cs[k])
		}
		return w.b.Lanes(t, all)
	}
	if t.Elem.IsFloat() {
		return w.b.Op(vir.OpFadd, t, x, lanes(func(c affineValue) uint64 { return t.Elem.FloatBits(c.sum) }))
	}
	mask := t.Elem.Ones()
	all := func(bits func(affineValue) uint64, is uint64) bool {
		return !slices.ContainsFunc(cs, func(c affineValue) bool { return bits(c)&mask != is })
	}
	mul := func(c affineValue) uint64 { return c.mul & mask }
	add := func(c affineValue) uint64 { return c.add & mask }
	if !all(mul, 1) {
		x = w.b.Op(vir.OpMul, t, x, lanes(mul))
	}
	if !all(add, 0) {
		x = w.b.Op(vir.OpAdd, t, x, lanes(add))
	}
	for i := range s.invs {
		inv := func(c affineValue) uint64 {
			if i < len(c.inv) {
				return c.inv[i] & mask
			}
			return 0
		}
		if !all(inv, 0) {
			x = w.b.Op(vir.OpAdd, t, x, w.e.multiples(s.invs[i], t, cs, inv))
		}
	}
	return x
}

// A productKey tells multiples from others.
type productKey struct {
	v       *vir.Value
	t       vir.Type
	factors string
}

// multiples are lanes of type t of products of v, which is known before the loop, made in the entry.
func (e *emitter) multiples(v *vir.Value, t vir.Type, cs []affineValue, of func(affineValue) uint64) *vir.Value {
	var factors []uint64
	for _, c := range cs {
		factors = append(factors, of(c))
	}
	key := productKey{v, t, fmt.Sprint(factors)}
	if x := e.products[key]; x != nil {
		return x
	}
	var x *vir.Value
	switch b := e.setup; {
	case len(factors) > t.Lanes:
		widest := vir.Vec(t.Elem, len(factors))
		x = b.Subvec(e.multiples(v, widest, cs, of), 0, t.Lanes)
	case len(factors) > 1:
		x = b.Op(vir.OpMul, t, e.splatOf(v, t.Lanes), b.Lanes(t, factors))
	case factors[0] == 1:
		x = e.splatOf(v, t.Lanes)
	default:
		x = b.Op(vir.OpBroadcast, t, b.Op(vir.OpMul, v.Type, e.value(v), b.Const(v.Type, factors[0])))
	}
	e.products[key] = x
	return x
}
