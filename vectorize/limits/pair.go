package limits

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// What sets two limits right, one inside of the other, is one operation of three operands on bits,
// where the target has those:
//
//	min(max(x, lo), hi) = c &^ u | s      c = hi < l ? hi : l, l = x < lo ? lo : x
//	max(min(x, hi), lo) = (c | s) &^ u    c = h < lo ? lo : h, h = hi < x ? hi : x
//
// The inner limit is wrong about zeros: u has the sign where lo is +0, of which nothing below is
// left, s has it where hi is -0. The outer one is chosen last, and its sign may be set or cleared
// whatever the result: no larger number than a negative hi comes out, and no smaller one than a
// positive lo. s is a NaN where a limit is.
type pair struct {
	lo, hi *vir.Value // scalars, or constants in all lanes
	outer  vir.Op
}

// A widePair is a pair in so many lanes.
type widePair struct {
	pair
	t vir.Type
}

// A pairFix is what a pair clears and sets.
type pairFix struct{ clear, set *vir.Value }

// inner is the operation on the other side inside of v if both have to be set right; nil if not.
func (l *limiter) inner(v *vir.Value, uses map[*vir.Value][]*vir.Value) *vir.Value {
	k := l.limit(v)
	if k < 0 || !needsFix(v.Op, v.Args[k]) {
		return nil
	}
	in := v.Args[1-k]
	j := l.limit(in)
	if j < 0 || in.Op == v.Op || in.Block != v.Block || len(uses[in]) != 1 || !needsFix(in.Op, in.Args[j]) {
		return nil
	}
	return in
}

// together makes v and in, which is inside of it, two choices and an operation on their bits.
func (l *limiter) together(v, in *vir.Value) {
	k, j := l.limit(v), l.limit(in)
	chosen := l.choice(v, v.Op, l.choice(v, in.Op, in.Args[1-j], in.Args[j]), v.Args[k])
	t := integers(v.Type)
	c := l.before(v, vir.OpBitcast, t, chosen)
	switch outer, inner := v.Args[k], in.Args[j]; v.Op {
	case vir.OpFmin:
		fix := l.pairFix(pair{inner, outer, v.Op}, v.Type)
		c = l.before(v, vir.OpOr, t, l.before(v, vir.OpAnd, t, c, l.before(v, vir.OpNot, t, fix.clear)), fix.set)
	case vir.OpFmax:
		fix := l.pairFix(pair{outer, inner, v.Op}, v.Type)
		c = l.before(v, vir.OpAnd, t, l.before(v, vir.OpOr, t, c, fix.set), l.before(v, vir.OpNot, t, fix.clear))
	}
	v.Op, v.Args = vir.OpBitcast, []*vir.Value{c}
}

// pairFix is what p needs besides the comparisons, in lanes of t.
func (l *limiter) pairFix(p pair, t vir.Type) pairFix {
	p.lo, p.hi = lane(p.lo), lane(p.hi)
	in := widePair{p, t}
	if fix, ok := l.wide[in]; ok {
		return fix
	}
	b := vir.NewBuilder(l.f, l.f.Entry())
	edit.Ahead(b, l.f.Entry(), func() {
		fix, ok := l.pairs[p]
		if !ok {
			fix = p.fix(b)
			l.pairs[p] = fix
		}
		bits := func(x *vir.Value) *vir.Value {
			return b.Op(vir.OpBitcast, integers(t), b.Op(vir.OpBroadcast, t, x))
		}
		l.wide[in] = pairFix{bits(fix.clear), bits(fix.set)}
	})
	return l.wide[in]
}

// fix is what p needs, as scalars.
func (p pair) fix(b *vir.Builder) (fix pairFix) {
	lo, hi := scalar(b, p.lo), scalar(b, p.hi)
	t, zero := lo.Type, b.Const(lo.Type, 0)
	if p.outer == vir.OpFmin {
		fix.clear = b.Op(vir.OpSelect, t, b.Cmp(vir.OpFcmpEq, lo, zero), b.Same(vir.OpFneg, lo), zero)
		fix.set = b.Op(vir.OpSelect, t, b.Cmp(vir.OpFcmpEq, hi, hi), b.Same(vir.OpFcopysign, zero, hi), hi)
	} else {
		fix.clear = b.Same(vir.OpFneg, b.Same(vir.OpFcopysign, zero, lo))
		fix.set = unlessOrdered(b, hi, 0)
	}
	fix.set = b.Op(vir.OpSelect, t, b.Cmp(vir.OpFcmpEq, lo, lo), fix.set, lo)
	return fix
}

// lane is what all lanes of y are, or y where that is a constant.
func lane(y *vir.Value) *vir.Value {
	y = whole(y)
	if _, ok := y.IsConst(); ok {
		return y
	}
	return y.Args[0]
}

// scalar is one lane of a constant, or what is a scalar already.
func scalar(b *vir.Builder, y *vir.Value) *vir.Value {
	if c, ok := y.IsConst(); ok {
		return b.Const(vir.Scalar(y.Type.Elem), c)
	}
	return y
}
