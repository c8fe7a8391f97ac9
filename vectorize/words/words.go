// Package words loads numbers that are put together from bytes at once:
//
//	uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16 | uint32(b[i+3])<<24
//
// is a load of four bytes, as the Go compiler sees it as well. In the other order it is one of which the bytes are reversed.
//
// Requires: addresses that are compared by value, conditions as masks.
// Not handled: numbers of which a byte is sign-extended, or three bytes; bytes that are put together in another order than one
// after the other; loads between which something is stored.
package words

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run replaces numbers of two, four and eight bytes.
func Run(u *pass.Unit) error {
	f := u.Func()
	r := &reader{words: make(map[*vir.Value]*word)}
	uses := f.Uses()
	for _, b := range f.Blocks {
		for _, v := range slices.Clone(b.Insts) {
			w := r.word(v)
			if w == nil || !joins(v) || !whole(len(w.loads)) || r.isPart(w, uses[v]) || !together(w.loads) || !u.Count() {
				continue
			}
			f.ReplaceUses(v, load(f, v, w))
		}
	}
	edit.Sweep(f)
	return nil
}

func whole(bytes int) bool { return bytes == 2 || bytes == 4 || bytes == 8 }

// A word is bits of a value, which is 0 otherwise, that are bytes of memory next to each other.
type word struct {
	loads []*vir.Value // of the bytes, in the order of memory
	shift int          // the number of the lowest bit
	big   bool         // the first byte is the highest one; one by itself is both
}

type reader struct{ words map[*vir.Value]*word }

// word is v as a word, nil if it is none.
func (r *reader) word(v *vir.Value) *word {
	if w, ok := r.words[v]; ok {
		return w
	}
	r.words[v] = nil
	w := r.find(v)
	r.words[v] = w
	return w
}

func (r *reader) find(v *vir.Value) *word {
	switch {
	case v.Op == vir.OpLoad && v.Type == vir.Scalar(vir.I8):
		return &word{loads: []*vir.Value{v}}
	case v.Op == vir.OpZext:
		return r.word(v.Args[0])
	case v.Op == vir.OpShl:
		w, c := r.word(v.Args[0]), int64(0)
		if w != nil {
			c, _ = v.Args[1].ConstInt()
		}
		if c <= 0 || int(c)+w.shift+8*len(w.loads) > v.Type.Elem.Bits() {
			return nil
		}
		moved := *w
		moved.shift += int(c)
		return &moved
	case joins(v):
		x, y := r.word(v.Args[0]), r.word(v.Args[1])
		if x == nil || y == nil {
			return nil
		}
		if w := join(x, y); w != nil {
			return w
		}
		return join(y, x)
	}
	return nil
}

// joins reports whether v is the same as the bits of both operands where no bit is of both.
func joins(v *vir.Value) bool { return v.Op == vir.OpOr || v.Op == vir.OpAdd || v.Op == vir.OpXor }

// join is a word of x with y behind it, nil where y is not right behind it.
func join(x, y *word) *word {
	last, next := x.loads[len(x.loads)-1], y.loads[0]
	d, ok := alias.FormOf(alias.Of(last)).Distance(alias.FormOf(alias.Of(next)))
	if !ok || d != 1 || last.Masked != next.Masked || last.Masked && last.Mask() != next.Mask() {
		return nil
	}
	ordered := func(big bool) bool {
		return (len(x.loads) == 1 || x.big == big) && (len(y.loads) == 1 || y.big == big)
	}
	all := slices.Concat(x.loads, y.loads)
	switch {
	case ordered(false) && y.shift == x.shift+8*len(x.loads):
		return &word{loads: all, shift: x.shift}
	case ordered(true) && x.shift == y.shift+8*len(y.loads):
		return &word{loads: all, shift: y.shift, big: true}
	}
	return nil
}

// isPart reports whether one of users is a word of more bytes than w.
func (r *reader) isPart(w *word, users []*vir.Value) bool {
	return slices.ContainsFunc(users, func(u *vir.Value) bool {
		more := r.word(u)
		return more != nil && len(more.loads) > len(w.loads)
	})
}

// together reports whether loads of one block see the same memory.
func together(loads []*vir.Value) bool {
	b := loads[0].Block
	first, last := len(b.Insts), 0
	for _, v := range loads {
		if v.Block != b {
			return false
		}
		at := slices.Index(b.Insts, v)
		first, last = min(first, at), max(last, at)
	}
	return !slices.ContainsFunc(b.Insts[first:last], func(v *vir.Value) bool { return v.Op.IsStore() })
}

// load is v, which is w, from one load where the last of its bytes is loaded.
func load(f *vir.Func, v *vir.Value, w *word) (x *vir.Value) {
	b := vir.NewBuilder(f, nil)
	b.Pos = v.Pos
	block := w.loads[0].Block
	last := slices.MaxFunc(w.loads, func(x, y *vir.Value) int { return slices.Index(block.Insts, x) - slices.Index(block.Insts, y) })
	var mask *vir.Value
	if last.Masked {
		mask = last.Mask()
	}
	t := vir.Scalar(vir.IntElem(len(w.loads)))
	edit.InFront(b, last, func() { x = b.Load(vir.OpLoad, t, w.loads[0].Addr(), mask) })
	edit.InFront(b, v, func() {
		if w.big {
			x = b.Same(vir.OpBswap, x)
		}
		if t != v.Type {
			x = b.Op(vir.OpZext, v.Type, x)
		}
		if w.shift > 0 {
			x = b.Same(vir.OpShl, x, b.Int(v.Type, int64(w.shift)))
		}
	})
	return x
}
