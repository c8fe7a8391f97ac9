// Package reciprocal divides integers by what is the same in all lanes: with a product instead
// of a division for each lane, and with one division where the divisor is known. For w bits and
// the divisor d,
//
//	m = (2^w-1) / d
//	q = x*m >> w            x/d or one less
//	r = x - q*d             below 2*d
//	x/d = q + (d <= r)      x%d = min(r, r-d), unsigned
//
// since 2^w = m*d + e with 0 < e <= d, so that x/d - x*m/2^w = x*e/(d*2^w) < 1. Signed numbers are
// divided by their magnitudes, bytes as words.
//
// It knows vir, targets and pass.
package reciprocal

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the kernel. It is required: some targets divide only constants and what this
// package does.
func Run(u *pass.Unit) error {
	f := u.Kernel.Fn
	r := &reciprocal{f: f, divisors: make(map[key]*divisor), ratios: make(map[dividend]*ratio)}
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Insts) {
			if edit.Divides(v.Op) && v.Type.IsVector() && v.Args[1].Splat() != nil {
				r.rewrite(v)
			}
		}
	}
	edit.Sweep(f)
	return nil
}

type reciprocal struct {
	f        *vir.Func
	divisors map[key]*divisor
	ratios   map[dividend]*ratio
}

// A key is a divisor in lanes of so many bits, signed or not.
type key struct {
	d      *vir.Value // the broadcast
	elem   vir.Elem
	signed bool
}

// A divisor is what is known of it in lanes.
type divisor struct {
	d, m *vir.Value // the magnitude, and (2^w-1)/d
	sign *vir.Value // 0 or -1, of a signed one
}

// A dividend is one with its divisor, in a block.
type dividend struct {
	x, d   *vir.Value
	signed bool
	block  *vir.Block
}

// A ratio is what the quotient and the remainder are made of.
type ratio struct {
	q, r *vir.Value // of the magnitudes, perhaps one and d off
	sign *vir.Value // of a signed dividend: 0 or -1
}

// rewrite makes division v of its operands.
func (r *reciprocal) rewrite(v *vir.Value) {
	signed, rem := v.Op == vir.OpSdiv || v.Op == vir.OpSrem, v.Op == vir.OpSrem || v.Op == vir.OpUrem
	at := &maker{f: r.f, at: v}
	x, elem, extend := v.Args[0], v.Type.Elem, vir.OpZext
	if signed {
		extend = vir.OpSext
	}
	if elem == vir.I8 {
		elem = vir.I16
		x = at.op(extend, v.Type.WithElem(elem), x)
	}
	d := r.divisor(key{v.Args[1].Splat(), elem, signed}, extend).part(x.Type, at)
	q := r.ratio(dividend{v.Args[0], v.Args[1].Splat(), signed, v.Block}, x, d, at)
	res := q.result(d, rem, at)
	if res.Type != v.Type {
		res = at.op(vir.OpTrunc, v.Type, res)
	}
	r.f.ReplaceUses(v, res)
}

// divisor is what is made where the divisor is put into all lanes. Dividing by 0 is nobody's
// quotient, and no trap.
func (r *reciprocal) divisor(k key, extend vir.Op) *divisor {
	if have := r.divisors[k]; have != nil {
		return have
	}
	at := &maker{f: r.f, at: k.d}
	s, one, lanes := k.d.Args[0], vir.Scalar(k.elem), k.d.Type.WithElem(k.elem)
	if s.Type.Elem != k.elem {
		s = at.op(extend, one, s)
	}
	made := &divisor{}
	if k.signed {
		sign := at.op(vir.OpAshr, one, s, at.int(one, int64(k.elem.Bits()-1)))
		made.sign = at.op(vir.OpBroadcast, lanes, sign)
		s = at.op(vir.OpSmax, one, s, at.op(vir.OpNeg, one, s))
	}
	made.d = at.op(vir.OpBroadcast, lanes, s)
	made.m = at.op(vir.OpBroadcast, lanes, at.op(vir.OpUdiv, one, at.int(one, -1), s))
	r.divisors[k] = made
	return made
}

// part is d in fewer lanes.
func (d *divisor) part(t vir.Type, at *maker) *divisor {
	if d.d.Type == t {
		return d
	}
	less := func(v *vir.Value) *vir.Value { return at.op(vir.OpSubvec, t, v) }
	p := &divisor{d: less(d.d), m: less(d.m)}
	if d.sign != nil {
		p.sign = less(d.sign)
	}
	return p
}

// ratio divides the magnitude of x.
func (r *reciprocal) ratio(k dividend, x *vir.Value, d *divisor, at *maker) *ratio {
	if have := r.ratios[k]; have != nil {
		return have
	}
	made := &ratio{}
	if k.signed {
		made.sign = at.op(vir.OpAshr, x.Type, x, at.int(x.Type, int64(x.Type.Elem.Bits()-1)))
		x = at.magnitude(x, made.sign)
	}
	made.q = at.op(vir.OpUmulh, x.Type, x, d.m)
	made.r = at.op(vir.OpSub, x.Type, x, at.op(vir.OpMul, x.Type, made.q, d.d))
	r.ratios[k] = made
	return made
}

// result is the remainder or the quotient.
func (q *ratio) result(d *divisor, rem bool, at *maker) *vir.Value {
	t, sign := q.q.Type, q.sign
	var res *vir.Value
	if rem {
		res = at.op(vir.OpUmin, t, q.r, at.op(vir.OpSub, t, q.r, d.d))
	} else {
		more := at.op(vir.OpIcmpUle, t.WithElem(vir.Bool), d.d, q.r)
		res = at.op(vir.OpAdd, t, q.q, at.op(vir.OpZext, t, more))
	}
	if sign == nil {
		return res
	}
	if !rem {
		sign = at.op(vir.OpXor, t, sign, d.sign)
	}
	return at.op(vir.OpSub, t, at.op(vir.OpXor, t, res, sign), sign)
}

// A maker puts operations in front of at.
type maker struct {
	f  *vir.Func
	at *vir.Value
}

func (m *maker) op(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	v := m.f.NewValue(op, t, args...)
	v.Pos = m.at.Pos
	edit.Before(v, m.at)
	return v
}

func (m *maker) int(t vir.Type, c int64) *vir.Value {
	v := m.op(vir.OpConst, t)
	v.Bits = []uint64{uint64(c) & t.Elem.Ones()}
	return v
}

// magnitude is |x|, unsigned; sign is 0 or -1. Lanes of 64 bits have no instruction for it.
func (m *maker) magnitude(x, sign *vir.Value) *vir.Value {
	if x.Type.Elem == vir.I64 {
		return m.op(vir.OpSub, x.Type, m.op(vir.OpXor, x.Type, x, sign), sign)
	}
	return m.op(vir.OpSmax, x.Type, x, m.op(vir.OpNeg, x.Type, x))
}
