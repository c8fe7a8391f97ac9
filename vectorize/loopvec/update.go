package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// Elements that several iterations in a row combine something with:
//
//	for i, x := range xs { sum[i/64] += x }
//
//	vec32:  %s = ...                           32 lanes, combined to one
//	        %old = load i32 [%sum + %q*4]      the element of the first lane
//	        %new = add i32 %old, %s
//	        store i32 %new, [%sum + %q*4]
//
// Where lanes of a block have two elements, those of the first one and those of the last one are combined
// apart. An element of which no lane is active under a mask is not stored.

// updateOf is the update that v, a load or a store, is part of.
func (l *loop) updateOf(v *vir.Value) *dep.Update {
	for i := range l.dp.Updates {
		if u := &l.dp.Updates[i]; u.Load == v || u.Store == v {
			return u
		}
	}
	return nil
}

// updateRules decides whether an update can be done.
func (l *loop) updateRules(u *dep.Update) error {
	if u.Keep != nil && l.bitsOf(u) == nil {
		return pass.Refuse("loopvec:Update", u.Store, "several iterations clear bits of one element and set others, in turns")
	}
	if !l.target.Legal(u.Together, vir.Vec(u.By.Type.Elem, l.target.Lanes(u.By.Type.Elem))) {
		return pass.Refuse("loopvec:Update", u.Store, "lanes cannot combine what they do to the element that they share")
	}
	l.addBounds(u.At.Wrap)
	return nil
}

// updatePass is how long it takes the scalar loop to load what it has just stored: on Zen 4 words come from a register, bytes take
// seven cycles.
const updatePass = 2.0

// updateChain is what an iteration of the scalar loop takes because it waits for the one before.
func (l *loop) updateChain() (most float64) {
	for _, u := range l.dp.Updates {
		if !u.Store.Masked {
			most = max(most, updatePass+l.target.Cost(u.Op, u.By.Type).Latency)
		}
	}
	return most
}

// updater writes the update of a block.
type updater struct {
	*widener
	*dep.Update
	a    *dep.Access
	op   vir.Op     // for the element
	unit *vir.Value // what changes nothing, in lanes of one part
}

// update combines lanes with the elements that they share.
func (w *widener) update(u *dep.Update) {
	up := updater{widener: w, Update: u, a: w.e.l.dp.Access(u.Store), op: u.Op}
	if bits := w.e.l.bitsOf(u); bits != nil {
		up.updateBits(bits)
		return
	}
	x, mask := w.value(u.By), (*vir.Value)(nil)
	if u.Store.Masked {
		mask = w.value(u.Store.Mask())
	}
	if u.Op == vir.OpFsub { // a sum of what cancels is +0, and so is that of the opposites
		x, up.op = w.b.Op(vir.OpFneg, x.Type, x), vir.OpFadd
	}
	n := min(w.lanes, int(u.At.Divisor), mostShared)
	up.unit = w.b.Const(vir.Vec(x.Type.Elem, n), fold.Identity(u.Together, x.Type.Elem))
	for o := 0; o < w.lanes; o += n {
		lanes, active := x, mask
		if n < w.lanes {
			lanes = w.b.Subvec(x, o, n)
			if mask != nil {
				active = w.b.Subvec(mask, o, n)
			}
		}
		up.part(lanes, active, o)
	}
}

// twoElements is how often the lanes of a part are taken to have two elements.
const twoElements = 0.1

// part does the lanes x from lane o on, those that are active if some may not be.
func (w *updater) part(x, active *vir.Value, o int) {
	n := x.Type.Lanes
	if active != nil {
		x = w.b.Op(vir.OpBlend, x.Type, active, x, w.unit)
	}
	if n == 1 {
		w.combine(x, active, o)
		return
	}
	left := w.left(w.At, o, n)
	one, two, rest := w.split(), w.split(), w.split()
	w.e.l.shares[two] = twoElements
	w.b.Br(w.b.Cmp(vir.OpIcmpSle, w.b.Int(left.Type, int64(n)), left), one, two)

	w.e.place(w.b, one)
	w.combine(x, active, o)
	w.b.Jmp(rest)

	w.e.place(w.b, two)
	first := w.before(left, x.Type)
	last := w.b.Op(vir.OpNot, first.Type, first)
	head, tail := first, last
	if active != nil {
		head, tail = w.b.Op(vir.OpAnd, first.Type, first, active), w.b.Op(vir.OpAnd, last.Type, last, active)
	}
	w.combine(w.b.Op(vir.OpBlend, x.Type, first, x, w.unit), head, o)
	w.combine(w.b.Op(vir.OpBlend, x.Type, first, w.unit, x), tail, o+n-1)
	w.b.Jmp(rest)
	w.e.place(w.b, rest)
}

// combine combines x, all of it, with the element of one lane, if some lane is active.
func (w *updater) combine(x, active *vir.Value, lane int) {
	do := func() {
		for x.Type.Lanes > 1 {
			h := x.Type.Lanes / 2
			lo, hi := w.b.Subvec(x, 0, h), w.b.Subvec(x, h, h)
			x = w.b.Op(w.Together, lo.Type, lo, hi)
		}
		at := w.quotient(w.a, w.At, lane)
		old := w.b.Load(vir.OpLoad, w.By.Type, at, nil)
		w.b.Store(vir.OpStore, w.b.Op(w.op, old.Type, old, w.b.Extract(x, 0)), at, nil)
	}
	if active == nil {
		do()
		return
	}
	w.onlyIf(w.b.Op(vir.OpAny, vir.Scalar(vir.Bool), active), do)
}
