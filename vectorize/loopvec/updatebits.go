package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Updates by one bit for each iteration, as in
//
//	if x > limit { words[i>>6] |= 1 << (i & 63) }
//
// need no lanes of words: the bits of a mask are what the lanes set.
//
//	vec32:  %m = icmp.slt maskx32 %limit, %x
//	        %b = bits i64 %m
//	        %w = shl i64 %b, %i & 63                what goes to the element of the first lane
//	        br %w != 0, ...
//
// What is left of %b for the element of the last lane is shifted the other way.

// bitOf is the bool that tells whether an iteration of u sets its bit in the element, nil where updates are others.
func (l *loop) bitOf(u *dep.Update) *vir.Value {
	e := u.By.Type.Elem
	if u.By.Op != vir.OpShl || !e.IsInt() || int64(e.Bits()) != u.At.Divisor || !l.isPlace(u.By.Args[1], u.At) {
		return nil
	}
	switch u.Together {
	case vir.OpOr, vir.OpXor, vir.OpAdd:
	default:
		return nil
	}
	one := u.By.Args[0]
	if c, ok := one.ConstInt(); ok && c == 1 && u.Store.Masked {
		return u.Store.Mask()
	}
	if one.Op == vir.OpZext && one.Args[0].Type.Elem == vir.Bool && !u.Store.Masked {
		return one.Args[0]
	}
	return nil
}

// isPlace reports whether v is the remainder that belongs to quotient x.
func (l *loop) isPlace(v *vir.Value, x scev.Shifted) bool {
	if v.Op != vir.OpAnd {
		return false
	}
	c, ok := v.Args[1].ConstInt()
	a, ok2 := l.sc.Affine(v.Args[0])
	if !ok || !ok2 || c != x.Divisor-1 || a.Step != 1 {
		return false
	}
	d, ok := scev.Diff(a.Start, x.Start)
	return ok && d%x.Divisor == 0
}

// updateBits sets the bits of the lanes in which bit holds.
func (w *updater) updateBits(bit *vir.Value) {
	i64, d := vir.Scalar(vir.I64), int(w.At.Divisor)
	mask := w.value(bit)
	for from := 0; from < w.lanes; from += mostShared {
		m := mask
		if w.lanes > mostShared {
			m = w.b.Subvec(mask, from, mostShared)
		}
		word := w.b.Op(vir.OpBits, i64, m)
		all := m.Type.Lanes
		n := min(all, d)
		for o := 0; o < all; o += n {
			part := word
			if o > 0 {
				part = w.b.Op(vir.OpLshr, i64, part, w.b.Int(i64, int64(o)))
			}
			if o+n < all {
				part = w.b.Op(vir.OpAnd, i64, part, w.b.Int(i64, 1<<n-1))
			}
			w.setBits(part, from+o, n)
		}
	}
}

// setBits sets those of n lanes from lane o on.
func (w *updater) setBits(word *vir.Value, o, n int) {
	i64, d := vir.Scalar(vir.I64), w.At.Divisor
	at := w.place(w.At, int64(o))
	w.setIn(w.b.Op(vir.OpShl, i64, word, at), o)
	if n == 1 {
		return
	}
	two, rest := w.split(), w.split()
	w.e.l.shares[two] = twoElements
	w.b.Br(w.b.Cmp(vir.OpIcmpSle, at, w.b.Int(i64, d-int64(n))), rest, two)
	w.e.place(w.b, two)
	left := w.b.Op(vir.OpAnd, i64, w.b.Op(vir.OpSub, i64, w.b.Int(i64, d), at), w.b.Int(i64, d-1))
	w.setIn(w.b.Op(vir.OpLshr, i64, word, left), o+n-1)
	w.b.Jmp(rest)
	w.e.place(w.b, rest)
}

// setIn sets the bits of word in the element of a lane, which is not stored where no bit is set under a mask.
func (w *updater) setIn(word *vir.Value, lane int) {
	t := w.By.Type
	if t != word.Type {
		word = w.b.Op(vir.OpTrunc, t, word)
	}
	do := func() {
		at := w.quotient(w.a, w.At, lane)
		w.b.Store(vir.OpStore, w.b.Op(w.op, t, w.b.Load(vir.OpLoad, t, at, nil), word), at, nil)
	}
	if !w.Store.Masked {
		do()
		return
	}
	w.onlyIf(w.b.Cmp(vir.OpIcmpNe, word, w.b.Int(t, 0)), do)
}
