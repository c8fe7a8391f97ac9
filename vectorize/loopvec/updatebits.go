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

// bitUpdate says what the iterations of an update do to a bit of their own: those that clear it do so before it is combined with
// those that set it.
type bitUpdate struct{ clear, set *which }

// which iterations of an update do something to their bits: those of a bool, all that do the update if it is nil.
type which struct{ cond *vir.Value }

// bitsOf is how iterations of u update bits, nil if that is not all they do.
func (l *loop) bitsOf(u *dep.Update) *bitUpdate {
	switch {
	case u.Keep != nil:
		if clear, set := l.cleared(u, u.Keep), l.placed(u, u.By); clear != nil && set != nil {
			return &bitUpdate{clear, set}
		}
	case u.Op == vir.OpAnd:
		if clear := l.cleared(u, u.By); clear != nil {
			return &bitUpdate{clear: clear}
		}
	case u.Together == vir.OpOr, u.Together == vir.OpXor, u.Together == vir.OpAdd:
		if set := l.placed(u, u.By); set != nil {
			return &bitUpdate{set: set}
		}
	}
	return nil
}

// cleared is which iterations of u do not keep their bits, nil if keep is no mask of all other bits.
func (l *loop) cleared(u *dep.Update, keep *vir.Value) *which {
	if keep.Op != vir.OpNot {
		return nil
	}
	return l.placed(u, keep.Args[0])
}

// placed is for which iterations of u x is their bit of the element, and not 0; nil if x may be something else.
func (l *loop) placed(u *dep.Update, x *vir.Value) *which {
	cond, at, ok := oneBit(x)
	if e := x.Type.Elem; !ok || !e.IsInt() || int64(e.Bits()) != u.At.Divisor || !l.isPlace(at, u.At) {
		return nil
	}
	return &which{cond}
}

// oneBit takes x apart into the place of its one bit and whether it is set, nil for always; not ok if x may be something else.
func oneBit(x *vir.Value) (cond, at *vir.Value, ok bool) {
	if x.Op != vir.OpShl {
		return nil, nil, false
	}
	one := x.Args[0]
	if c, ok := one.ConstInt(); ok && c == 1 {
		return nil, x.Args[1], true
	}
	if one.Op == vir.OpZext && one.Args[0].Type.Elem == vir.Bool {
		return one.Args[0], x.Args[1], true
	}
	return nil, nil, false
}

// needBits marks what update b of a store computes with.
func (l *loop) needBits(b *bitUpdate) {
	for _, w := range []*which{b.clear, b.set} {
		if w != nil && w.cond != nil {
			l.need(w.cond)
		}
	}
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

// updateBits does b for all lanes.
func (w *updater) updateBits(b *bitUpdate) {
	d := int(w.At.Divisor)
	clear, set := w.lanesOf(b.clear), w.lanesOf(b.set)
	for from := 0; from < w.lanes; from += mostShared {
		all := min(w.lanes-from, mostShared)
		n := min(all, d)
		words := bitWords{w.word(b.clear, clear, from, all), w.word(b.set, set, from, all)}
		for o := 0; o < all; o += n {
			w.updateWord(words.part(w, o, n, all), from+o, n)
		}
	}
}

// lanesOf is the lanes of those iterations that do the update and which names, nil for all.
func (w *updater) lanesOf(x *which) *vir.Value {
	var m *vir.Value
	if x != nil && x.cond != nil {
		m = w.value(x.cond)
	}
	if x == nil || !w.Store.Masked {
		return m
	}
	active := w.value(w.Store.Mask())
	if m == nil {
		return active
	}
	return w.b.Op(vir.OpAnd, m.Type, m, active)
}

// word has a bit for each of n lanes from lane o on, of the lanes m of x; it is nil for x nil.
func (w *updater) word(x *which, m *vir.Value, o, n int) *vir.Value {
	if x == nil {
		return nil
	}
	return w.laneBits(m, o, n)
}

// laneBits has a bit for each of n lanes of mask m from lane o on, all of them for nil.
func (w *widener) laneBits(m *vir.Value, o, n int) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	switch {
	case m == nil:
		return w.b.Int(i64, ones(n))
	case n < w.lanes:
		m = w.b.Subvec(m, o, n)
	}
	return w.b.Op(vir.OpBits, i64, m)
}

// ones is n ones.
func ones(n int) int64 { return int64(^uint64(0) >> (64 - n)) }

// bitWords are the bits that are cleared and set, each nil for none.
type bitWords struct{ clear, set *vir.Value }

// each is what f makes of both.
func (x bitWords) each(f func(*vir.Value) *vir.Value) bitWords {
	if x.clear != nil {
		x.clear = f(x.clear)
	}
	if x.set != nil {
		x.set = f(x.set)
	}
	return x
}

// part is n lanes of all, from lane o on.
func (x bitWords) part(w *updater, o, n, all int) bitWords {
	i64 := vir.Scalar(vir.I64)
	return x.each(func(word *vir.Value) *vir.Value {
		if o > 0 {
			word = w.b.Op(vir.OpLshr, i64, word, w.b.Int(i64, int64(o)))
		}
		if o+n < all {
			word = w.b.Op(vir.OpAnd, i64, word, w.b.Int(i64, ones(n)))
		}
		return word
	})
}

// shifted is x shifted by n.
func (x bitWords) shifted(w *updater, op vir.Op, n *vir.Value) bitWords {
	return x.each(func(word *vir.Value) *vir.Value { return w.b.Op(op, word.Type, word, n) })
}

// updateWord updates the bits x of n lanes from lane o on.
func (w *updater) updateWord(x bitWords, o, n int) {
	i64, d := vir.Scalar(vir.I64), w.At.Divisor
	at := w.place(w.At, int64(o))
	w.updateIn(x.shifted(w, vir.OpShl, at), o)
	if n == 1 {
		return
	}
	two, rest := w.split(), w.split()
	w.e.l.shares[two] = twoElements
	w.b.Br(w.b.Cmp(vir.OpIcmpSle, at, w.b.Int(i64, d-int64(n))), rest, two)
	w.e.place(w.b, two)
	left := w.b.Op(vir.OpAnd, i64, w.b.Op(vir.OpSub, i64, w.b.Int(i64, d), at), w.b.Int(i64, d-1))
	w.updateIn(x.shifted(w, vir.OpLshr, left), o+n-1)
	w.b.Jmp(rest)
	w.e.place(w.b, rest)
}

// either is the bits that are cleared or set.
func (x bitWords) either(w *updater) *vir.Value {
	switch {
	case x.clear == nil:
		return x.set
	case x.set == nil:
		return x.clear
	}
	return w.b.Op(vir.OpOr, x.set.Type, x.clear, x.set)
}

// updateIn updates the bits x in the element of a lane, which is not stored where a mask leaves none of them.
func (w *updater) updateIn(x bitWords, lane int) {
	t := w.Store.Access()
	x = x.each(func(word *vir.Value) *vir.Value {
		if t == word.Type {
			return word
		}
		return w.b.Op(vir.OpTrunc, t, word)
	})
	do := func() {
		at := w.quotient(w.a, w.At, lane)
		v := w.b.Load(vir.OpLoad, t, at, nil)
		if x.clear != nil {
			v = w.b.Op(vir.OpAnd, t, v, w.b.Op(vir.OpNot, t, x.clear))
		}
		if x.set != nil {
			v = w.b.Op(w.op, t, v, x.set)
		}
		w.b.Store(vir.OpStore, v, at, nil)
	}
	if !w.Store.Masked {
		do()
		return
	}
	w.onlyIf(w.b.Cmp(vir.OpIcmpNe, x.either(w), w.b.Int(t, 0)), do)
}
