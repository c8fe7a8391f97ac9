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
// It knows vir and pass.
package limits

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the kernel.
func Run(u *pass.Unit) error {
	f := u.Kernel.Fn
	l := &limiter{f: f, fixes: make(map[key]*vir.Value)}
	for _, b := range f.Blocks[1:] {
		for _, v := range slices.Clone(b.Insts) {
			if k := l.limit(v); k >= 0 && u.Count() {
				l.rewrite(v, k)
			}
		}
	}
	edit.Sweep(f)
	return nil
}

type limiter struct {
	f     *vir.Func
	fixes map[key]*vir.Value
}

// A key is what a limit needs besides the comparison, for minima or maxima, in so many lanes.
type key struct {
	limit *vir.Value
	op    vir.Op
	t     vir.Type
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
	if _, ok := y.IsConst(); ok {
		return true
	}
	return y.Op == vir.OpBroadcast && y.Block == l.f.Entry() && l.early(y.Args[0])
}

func (l *limiter) early(x *vir.Value) bool { return x.Block == nil || x.Block == l.f.Entry() }

// rewrite makes v, whose operand k is known, a choice and what sets it right.
func (l *limiter) rewrite(v *vir.Value, k int) {
	x, y, t := v.Args[1-k], v.Args[k], v.Type
	less := []*vir.Value{x, y}
	if v.Op == vir.OpFmin {
		less = []*vir.Value{y, x}
	}
	chosen := l.before(v, vir.OpBlend, t, l.before(v, vir.OpFcmpLt, t.WithElem(vir.Bool), less...), y, x)
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

// before puts an operation in front of v.
func (l *limiter) before(v *vir.Value, op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	w := l.f.NewValue(op, t, args...)
	w.Pos = v.Pos
	edit.Before(w, v)
	return w
}

// fix is z or s for v with limit y, in lanes, nil where it does nothing.
func (l *limiter) fix(v, y *vir.Value) *vir.Value {
	c, isConst := y.IsConst()
	doubtful := uint64(0) // the zero that must not be lost
	if v.Op == vir.OpFmin {
		doubtful = sign(y)
	}
	if isConst && c != doubtful && !isNaN(y.Type.Elem, c) {
		return nil
	}
	k := key{y, v.Op, v.Type}
	if !isConst {
		k.limit = y.Args[0]
	}
	if l.fixes[k] == nil {
		b := vir.NewBuilder(l.f, l.f.Entry())
		edit.Ahead(b, l.f.Entry(), func() {
			z := b.Const(v.Type, c)
			if !isConst {
				z = b.Op(vir.OpBroadcast, v.Type, unlessOrdered(b, k.limit, sign(y)^doubtful))
			}
			if v.Op == vir.OpFmin {
				z = b.Op(vir.OpBitcast, integers(v.Type), z)
			}
			l.fixes[k] = z
		})
	}
	return l.fixes[k]
}

// unlessOrdered is y where that is NaN or zero, else a constant.
func unlessOrdered(b *vir.Builder, y *vir.Value, c uint64) *vir.Value {
	zero, other := b.Const(y.Type, 0), b.Const(y.Type, c)
	below := b.Op(vir.OpSelect, y.Type, b.Cmp(vir.OpFcmpLt, y, zero), other, y)
	return b.Op(vir.OpSelect, y.Type, b.Cmp(vir.OpFcmpLt, zero, y), other, below)
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
