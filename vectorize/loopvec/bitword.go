package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Words that get a bit from each iteration, beside that of the one before,
//
//	if x[j] == k { m |= 1 << j }
//
// need no lanes of words: the bits of a mask are those of the lanes.
//
//	vec32:  %m = icmp.eq maskx32 %x, %k
//	        %b = bits i64 %m
//	        %s = shl i64 %b, %j                to where the first lane has its bit
//	        %w = or i64 %old, %s
//
// Bits that are shifted out are so one by one, too.

// A bitWord is a variable that is such a word.
type bitWord struct {
	phi   *vir.Value
	op    vir.Op      // how bits are added to it
	set   *vir.Value  // whether an iteration has a bit, nil for always
	not   bool        // it has where set does not hold
	place scev.Affine // of the bit
	round bool        // places go round in 64 bits
}

// findBitWord is the variable of phi as one, nil if it is none.
func (l *loop) findBitWord(phi *vir.Value) *bitWord {
	next := l.next(phi)
	w := &bitWord{phi: phi, op: next.Op}
	switch next.Op {
	case vir.OpOr, vir.OpXor, vir.OpAdd:
	default:
		return nil
	}
	if phi.Type.IsVector() || !phi.Type.Elem.IsInt() {
		return nil
	}
	for k, a := range next.Args {
		if a != phi || l.usedElsewhere(phi, next) {
			continue
		}
		if at := w.bit(next.Args[1-k]); at != nil && w.places(l, at) {
			return w
		}
	}
	return nil
}

// usedElsewhere reports whether phi or its next value, next, has other uses than to become it.
func (l *loop) usedElsewhere(phi, next *vir.Value) bool {
	return slices.ContainsFunc(l.insts, func(v *vir.Value) bool {
		return v != next && (slices.Contains(v.Args, phi) || slices.Contains(v.Args, next))
	})
}

// bit notes which iterations have a bit by x, what is added in one, and is the place of the bit; nil if x is something else.
func (w *bitWord) bit(x *vir.Value) (at *vir.Value) {
	if x.Op == vir.OpSelect {
		w.set = x.Args[0]
		switch zero := func(v *vir.Value) bool { c, ok := v.ConstInt(); return ok && c == 0 }; {
		case zero(x.Args[2]):
			x = x.Args[1]
		case zero(x.Args[1]):
			x, w.not = x.Args[2], true
		default:
			return nil
		}
	}
	cond, at, ok := oneBit(x)
	switch {
	case !ok || cond != nil && w.set != nil:
		return nil
	case cond != nil:
		w.set = cond
	}
	return at
}

// places reports whether place at rises by one from iteration to iteration.
func (w *bitWord) places(l *loop, at *vir.Value) bool {
	width := int64(w.phi.Type.Elem.Bits())
	if at.Op == vir.OpTrunc && at.Args[0].Op == vir.OpUmin { // all bits are gone from its limit on
		c, ok := at.Args[0].Args[1].ConstInt()
		if at = at.Args[0].Args[0]; !ok || c < width {
			return false
		}
	}
	if at.Type != vir.Scalar(vir.I64) {
		return false
	}
	if at.Op == vir.OpAnd && width == 64 {
		c, ok := at.Args[1].ConstInt()
		if at, w.round = at.Args[0], true; !ok || c != 63 {
			return false
		}
	}
	a, ok := l.sc.Affine(at)
	w.place = a
	return ok && a.Step == 1 && len(a.Wrap) == 0
}

func (w *bitWord) phis() []*vir.Value { return []*vir.Value{w.phi} }

func (w *bitWord) need(l *loop) {
	if w.set != nil {
		l.need(w.set)
	}
}

func (w *bitWord) kept(*loop, int) []vir.Type { return []vir.Type{w.phi.Type} }

func (w *bitWord) chain(l *loop, _ int) float64 { return l.target.Cost(w.op, w.phi.Type).Latency }

func (w *bitWord) limit(int) int64 { return 0 }

func (w *bitWord) first(e *emitter, _ int, _ bool) []*vir.Value {
	return []*vir.Value{e.live(e.l.initial(w.phi))}
}

func (w *bitWord) next(x *widener, kept []*vir.Value) []*vir.Value {
	word := kept[0]
	var mask *vir.Value
	if w.set != nil {
		mask = x.value(w.set)
		if w.not {
			mask = x.b.Op(vir.OpNot, mask.Type, mask)
		}
	}
	for o := 0; o < x.lanes; o += mostShared {
		n := min(x.lanes-o, mostShared)
		word = x.b.Op(w.op, w.phi.Type, word, w.placed(x, x.laneBits(mask, o, n), int64(o)))
	}
	return []*vir.Value{word}
}

// placed is bits, of lanes from o on, where they belong.
func (w *bitWord) placed(x *widener, bits *vir.Value, o int64) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	at := x.b.Op(vir.OpAdd, i64, x.t, x.e.expr(scev.Simplify(plan.Add(w.place.Start, plan.Const(o)))))
	if w.round {
		at = x.b.Op(vir.OpAnd, i64, at, x.b.Int(i64, 63))
		over := x.b.Op(vir.OpLshr, i64, bits, x.b.Op(vir.OpSub, i64, x.b.Int(i64, 64), at))
		return x.b.Op(vir.OpOr, i64, x.b.Op(vir.OpShl, i64, bits, at), over)
	}
	bits = x.b.Op(vir.OpShl, i64, bits, at)
	if w.phi.Type == i64 {
		return bits
	}
	return x.b.Op(vir.OpTrunc, w.phi.Type, bits)
}

func (w *bitWord) fold(_ *emitter, _ *vir.Builder, kept []*vir.Value, _ int, _ bool) []*vir.Value {
	return kept
}

func (w *bitWord) results(_ *emitter, _ *vir.Builder, kept []*vir.Value) []*vir.Value { return kept }
