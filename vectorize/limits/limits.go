// Package limits makes two operations of Go's min and max where one operand is the same for
// all iterations. A comparison that chooses is one instruction; of what Go wants beyond that,
// NaNs and the signs of zeros, the side of the iteration is right when it is chosen in doubt,
// and the other side is known before the loop:
//
//	max(x, y) = (x < y ? y : x) + z    z = -0, but y where that is NaN or zero
//	min(x, y) = (y < x ? y : x) | s    s = 0, but y where that is NaN or zero
//
// Adding -0 changes nothing, adding +0 makes a zero positive; among the bits of negative
// numbers and zeros, those of -0 change the sign of +0 alone, and those of a NaN make NaNs.
//
// Two limits, one inside of the other, are set right at once where the target can; see pair.
//
// What no loop does is left alone: what its limit needs in front would take as long.
//
// It knows vir, loops and pass.
package limits

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the kernel.
func Run(u *pass.Unit) error {
	f := u.Kernel.Fn
	l := &limiter{f: f, scalars: make(map[key]*vir.Value), fixes: make(map[lanes]*vir.Value), pairs: make(map[pair]pairFix), wide: make(map[widePair]pairFix)}
	if u.Target.EVEX { // with operations of three operands
		uses := f.Uses()
		for _, v := range l.all() {
			if in := l.inner(v, uses); in != nil && u.Count() {
				l.together(v, in)
			}
		}
		edit.Sweep(f)
	}
	repeated := l.repeated()
	for _, v := range l.all() {
		k := l.limit(v)
		if k < 0 {
			continue
		}
		y := lane(v.Args[k])
		if _, isConst := y.IsConst(); (isConst || repeated[key{y, v.Op}]) && u.Count() {
			l.rewrite(v, k)
		}
	}
	edit.Sweep(f)
	return nil
}

// repeated are the limits of operations in loops, or of all in a kernel that has none.
func (l *limiter) repeated() map[key]bool {
	keys := make(map[key]bool)
	forest := loops.Find(l.f)
	for _, v := range l.all() {
		if len(forest.All) > 0 && forest.Of(v.Block) == nil {
			continue
		}
		if k := l.limit(v); k >= 0 {
			keys[key{lane(v.Args[k]), v.Op}] = true
		}
	}
	return keys
}

type limiter struct {
	f       *vir.Func
	scalars map[key]*vir.Value
	fixes   map[lanes]*vir.Value
	pairs   map[pair]pairFix
	wide    map[widePair]pairFix
}

// all are the instructions behind the entry.
func (l *limiter) all() (vs []*vir.Value) {
	for _, b := range l.f.Blocks[1:] {
		vs = append(vs, b.Insts...)
	}
	return vs
}

// A key is what a limit needs besides the comparison, for minima or maxima.
type key struct {
	limit *vir.Value
	op    vir.Op
}

// lanes are a key in so many lanes.
type lanes struct {
	key
	t vir.Type
}

// limit is the operand of a minimum or maximum that is known before the loop, -1 for none.
func (l *limiter) limit(v *vir.Value) int {
	if v.Op != vir.OpFmin && v.Op != vir.OpFmax || !v.Type.IsVector() || l.known(v.Args[0]) && l.known(v.Args[1]) {
		return -1
	}
	return slices.IndexFunc(v.Args, l.known)
}

// known holds for one scalar in all lanes, a constant or from the entry.
func (l *limiter) known(y *vir.Value) bool {
	y = whole(y)
	if _, ok := y.IsConst(); ok {
		return true
	}
	return y.Op == vir.OpBroadcast && y.Block == l.f.Entry() && l.early(y.Args[0])
}

func (l *limiter) early(x *vir.Value) bool { return x.Block == nil || x.Block == l.f.Entry() }

// whole is what y is a part of.
func whole(y *vir.Value) *vir.Value {
	for y.Op == vir.OpSubvec {
		y = y.Args[0]
	}
	return y
}

// rewrite makes v, whose operand k is known, a choice and what sets it right.
func (l *limiter) rewrite(v *vir.Value, k int) {
	x, y, t := v.Args[1-k], v.Args[k], v.Type
	chosen := l.choice(v, v.Op, x, y)
	fix := l.fix(v, y)
	switch {
	case fix == nil:
		l.f.ReplaceUses(v, chosen)
	case v.Op == vir.OpFmax:
		v.Op, v.Args = vir.OpFadd, []*vir.Value{chosen, fix}
	default:
		bits := integers(t)
		both := l.before(v, vir.OpOr, bits, l.before(v, vir.OpBitcast, bits, chosen), fix)
		v.Op, v.Args = vir.OpBitcast, []*vir.Value{both}
	}
}

// choice makes, in front of v, what op is of x and y by a comparison: x in doubt.
func (l *limiter) choice(v *vir.Value, op vir.Op, x, y *vir.Value) *vir.Value {
	less := []*vir.Value{x, y}
	if op == vir.OpFmin {
		less = []*vir.Value{y, x}
	}
	return l.before(v, vir.OpBlend, v.Type, l.before(v, vir.OpFcmpLt, v.Type.WithElem(vir.Bool), less...), y, x)
}

// before puts an operation in front of v.
func (l *limiter) before(v *vir.Value, op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	w := l.f.NewValue(op, t, args...)
	w.Pos = v.Pos
	edit.Before(w, v)
	return w
}

// fix is z or s for v with limit y, in lanes, nil where it does nothing.
func (l *limiter) fix(v, y *vir.Value) *vir.Value {
	if !needsFix(v.Op, y) {
		return nil
	}
	k := key{lane(y), v.Op}
	c, isConst := k.limit.IsConst()
	in := lanes{k, v.Type}
	if l.fixes[in] == nil {
		b := vir.NewBuilder(l.f, l.f.Entry())
		edit.Ahead(b, l.f.Entry(), func() {
			z := b.Const(v.Type, c)
			if !isConst {
				if l.scalars[k] == nil {
					l.scalars[k] = unlessOrdered(b, k.limit, sign(y)^doubtful(v.Op, y))
				}
				z = b.Op(vir.OpBroadcast, v.Type, l.scalars[k])
			}
			if v.Op == vir.OpFmin {
				z = b.Op(vir.OpBitcast, integers(v.Type), z)
			}
			l.fixes[in] = z
		})
	}
	return l.fixes[in]
}

// needsFix reports whether limit y of op takes more than a comparison.
func needsFix(op vir.Op, y *vir.Value) bool {
	c, isConst := whole(y).IsConst()
	return !isConst || c == doubtful(op, y) || isNaN(y.Type.Elem, c)
}

// doubtful is the zero that op must not lose.
func doubtful(op vir.Op, y *vir.Value) uint64 {
	if op == vir.OpFmin {
		return sign(y)
	}
	return 0
}

// unlessOrdered is y where that is NaN or zero, else a constant.
func unlessOrdered(b *vir.Builder, y *vir.Value, c uint64) *vir.Value {
	above := b.Cmp(vir.OpFcmpLt, b.Const(y.Type, 0), b.Same(vir.OpFabs, y))
	return b.Op(vir.OpSelect, y.Type, above, b.Const(y.Type, c), y)
}

func sign(y *vir.Value) uint64 { return 1 << (y.Type.Elem.Bits() - 1) }

// integers are lanes of as many bits.
func integers(t vir.Type) vir.Type { return t.WithElem(vir.IntElem(t.Elem.Size())) }

func isNaN(e vir.Elem, c uint64) bool {
	if e == vir.F32 {
		return math.Float32frombits(uint32(c)) != math.Float32frombits(uint32(c))
	}
	return math.Float64frombits(c) != math.Float64frombits(c)
}
