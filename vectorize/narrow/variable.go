package narrow

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Variables of inner loops are computed in fewer bits where those are enough:
//
//	for j := range w {                  s is what int32 holds, if there are fewer than 1<<23 turns,
//		s += int(x[i+j])                which the kernel asks before it begins
//	}
//
//	for n := int(v); n > 0; n /= 10     n never is more than v, an int32
//
//	for j := range w {
//		s += int(x[i+j]) * int(w[j])
//	}
//	dst[i] = byte(s >> 8)               nobody asks for more than 16 bits
//
// The first two are found by induction: all variables that may be narrow are taken to be, and
// those whose next value need not be in its range drop out, until what is left bears itself out.

// A variable is the phi of an inner loop while it may be computed in fewer bits.
type variable struct {
	phi    *vir.Value
	loop   *loops.Loop
	form   form
	growth *plan.Bound // that it stays in its range needs this
	// spare is what a turn may add to it, where growth is why it stays in its range: it is as far from the ends of that
	// whenever a turn begins, so that what the turn makes of it is in the range, too.
	spare ranges.Range
}

// in is the range that v is taken to be in, of w bits.
func (v *variable) in(w int) (lo, hi int64) {
	lo, hi = v.form.in(w)
	return lo - min(v.spare.SLo, 0), hi - max(v.spare.SHi, 0)
}

// A form is the range that a variable of w bits is taken to be in.
type form int

const (
	natural  form = iota // from 0, also as a signed number
	unsigned             // from 0
	signed
	modulo // anything: its low bits are right
	none   // it is not narrow
)

// in is the range for w bits.
func (f form) in(w int) (lo, hi int64) {
	switch f {
	case natural:
		return 0, 1<<(w-1) - 1
	case unsigned:
		return 0, 1<<w - 1
	}
	return -1 << (w - 1), 1<<(w-1) - 1
}

func (v *variable) holds(r ranges.Range, w int) bool {
	lo, hi := v.in(w)
	return lo <= r.SLo && r.SHi <= hi
}

// variables narrows those of inner loops.
func (n *narrower) variables(u *pass.Unit, forest *loops.Forest) {
	for _, w := range []int{8, 16, 32} {
		found := n.narrowIn(scev.New(u.Region), w)
		for _, v := range found {
			if !u.Count() {
				continue
			}
			needed := n.countersIn(v)
			n.replace(v, w)
			for _, c := range needed {
				if c.most != nil && !c.held {
					c.held = true
					u.Bounds = append(u.Bounds, *c.most)
				}
			}
			text := fmt.Sprintf("%s is computed in %d bits", cmp.Or(v.phi.Name, "a variable"), w)
			if v.growth != nil {
				text += fmt.Sprintf(": its loop is taken to turn at most %d times", v.growth.Hi.Const)
				u.Bounds = append(u.Bounds, *v.growth)
			}
			u.Note("narrow:Variable", v.phi.Pos, map[string]any{"bits": w}, "%s", text)
		}
	}
	for _, b := range n.f.Blocks {
		if f := forest.Of(b); f != nil && f.Header != b {
			for _, phi := range slices.Clone(b.Phis()) {
				n.join(phi)
			}
		}
	}
}

// join extends behind a loop what each way out of it extends:
//
//	phi i64 [(zext i64 %a), head], [(zext i64 %b), loop]
//	==> zext i64 (phi i32 [%a, head], [%b, loop])
func (n *narrower) join(phi *vir.Value) {
	first := phi.Args[0]
	if first.Op != vir.OpZext && first.Op != vir.OpSext || slices.ContainsFunc(phi.Args, func(a *vir.Value) bool {
		return a.Op != first.Op || a.Args[0].Type != first.Args[0].Type
	}) {
		return
	}
	short := n.beside(phi, first.Args[0].Type)
	for _, a := range phi.Args {
		short.Args = append(short.Args, a.Args[0])
	}
	b := vir.NewBuilder(n.f, phi.Block)
	b.Pos = phi.Pos
	var wide *vir.Value
	edit.InFront(b, phi.Block.Insts[len(phi.Block.Phis())], func() { wide = b.Op(first.Op, phi.Type, short) })
	n.f.ReplaceUses(phi, wide)
	phi.Remove()
}

// beside is a phi without operands next to phi, of type t.
func (n *narrower) beside(phi *vir.Value, t vir.Type) *vir.Value {
	short := n.f.NewValue(vir.OpPhi, t)
	short.Name, short.Pos, short.Block = phi.Name, phi.Pos, phi.Block
	phi.Block.Insts = slices.Insert(phi.Block.Insts, 0, short)
	return short
}

// narrowIn is the variables that w bits are enough for.
func (n *narrower) narrowIn(sc *scev.Info, w int) []*variable {
	asked := demands(n.f)
	var all []*variable
	for _, l := range sc.Loops().All {
		if l.Header == n.f.Blocks[1] {
			continue
		}
		for _, phi := range l.Header.Phis() {
			if _, counts := sc.Nested(phi); counts {
				n.counts(sc, l, phi)
			} else if phi.Type.Elem.IsInt() && phi.Type.Elem.Bits() > w {
				all = append(all, &variable{phi: phi, loop: l})
			}
		}
	}
	n.take(all, w)
	for _, v := range all {
		_, v.spare = n.growth(v, all)
	}
	for changed := true; changed; {
		changed = false
		n.take(all, w)
		for _, v := range all {
			if n.bears(sc, v, all, w, asked[v.phi]) {
				continue
			}
			changed = true
			if v.spare != (ranges.Range{}) {
				v.spare = ranges.Range{}
			} else {
				v.form++
			}
		}
		all = slices.DeleteFunc(all, func(v *variable) bool { return v.form == none })
	}
	n.take(nil, w)
	n.ranges = n.known()
	return all
}

// take takes the variables to be in their ranges, and to be there in w bits.
func (n *narrower) take(all []*variable, w int) {
	n.ranges, n.narrow = n.known(), make(map[*vir.Value]bool)
	for phi, c := range n.turns {
		n.narrow[phi] = true
		if c.sure {
			n.ranges.Assume(phi, 0, 1<<31-1)
		}
	}
	for _, v := range all {
		n.narrow[v.phi] = true
		if lo, hi := v.in(w); v.form != modulo {
			n.ranges.Assume(v.phi, lo, hi)
		}
	}
}

// known is what is known of ranges: that of variables which are narrow by now.
func (n *narrower) known() *ranges.Info {
	in := ranges.New()
	for short, v := range n.replaced {
		lo, hi := v.in(short.Type.Elem.Bits())
		in.Assume(short, lo, hi)
	}
	return in
}

// bears reports whether v, one of all, is in its range in the next turn if all are in this one, and whether w bits do to
// compute it.
func (n *narrower) bears(sc *scev.Info, v *variable, all []*variable, w, asked int) bool {
	if slices.ContainsFunc(v.phi.Args, func(a *vir.Value) bool { return !n.can(a, w, w, 0) }) {
		v.form = modulo
		return false
	}
	if back := v.phi.Args[v.phi.Block.PredIndex(v.loop.Latches[0])]; n.maskBits(back, w) > w {
		v.form = modulo
		return false
	}
	v.growth = nil
	if v.form == modulo {
		return asked <= w
	}
	for i, a := range v.phi.Args {
		if v.holds(n.ranges.Of(a), w) {
			continue
		}
		if !v.loop.Contains(v.phi.Block.Preds[i]) || !n.grows(sc, v, all, w) {
			return false
		}
	}
	return true
}

// replace makes v a variable of w bits, which is extended where others use it. What it becomes is
// truncated, and narrowed behind this.
func (n *narrower) replace(v *variable, w int) {
	phi, t := v.phi, vir.Scalar(vir.IntElem(w/8))
	b := vir.NewBuilder(n.f, phi.Block)
	b.Pos = phi.Pos
	short := n.beside(phi, t)
	if v.form == natural || v.form == signed {
		n.replaced[short] = v
		lo, hi := v.in(w)
		n.ranges.Assume(short, lo, hi)
	}
	op := vir.OpSext
	if v.form == natural || v.form == unsigned {
		op = vir.OpZext
	}
	for i, a := range phi.Args {
		cut := func() *vir.Value {
			x := b.Op(vir.OpTrunc, t, a)
			short.Args = append(short.Args, x)
			return x
		}
		if v.form == modulo || a.Op == vir.OpPhi || !v.loop.Contains(a.Block) {
			edit.Ahead(b, phi.Block.Preds[i], func() { cut() })
			continue
		}
		// Those behind the loop that want what it becomes get it from the narrow one as well.
		var x, wide *vir.Value
		edit.InFront(b, a.Block.Insts[slices.Index(a.Block.Insts, a)+1], func() {
			x = cut()
			wide = b.Op(op, a.Type, x)
		})
		n.f.ReplaceUses(a, wide)
		x.Args[0] = a
	}
	wide := make(map[*vir.Block]*vir.Value)
	in := func(blk *vir.Block) *vir.Value {
		if blk == plan.Latch(n.f) {
			blk = blk.Preds[0] // the latch is no part of the iteration
		}
		if wide[blk] == nil {
			edit.InFront(b, blk.Insts[len(blk.Phis())], func() { wide[blk] = b.Op(op, phi.Type, short) })
		}
		return wide[blk]
	}
	for _, x := range n.f.Uses()[phi] {
		for i, a := range x.Args {
			switch {
			case a != phi || x == phi:
			case x.Op == vir.OpPhi:
				x.Args[i] = in(x.Block.Preds[i])
			default:
				x.Args[i] = in(x.Block)
			}
		}
	}
	phi.Remove()
}
