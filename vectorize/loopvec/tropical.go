package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// Recurrences of minima and maxima of sums, such as those of dynamic programming:
//
//	d = min(d+1, up+1, diag+cost)
//	sum = max(sum+x[i], 0)
//	level = min(max(level+in-out, 0), room)
//	if wall[i] { dist = 0 } else { dist = min(dist+1, limit) }
//
// One iteration makes f(d) = min(max(d + a, b), c) of variable d. One behind another is of that form as well, with
// the sum of both steps, and with what the later one makes of the limits of the earlier one,
//
//	f2(f1(d)) = min(max(d + (a1 + a2), f2(b1)), f2(c1))
//
// since sums and limits keep the order of numbers. So lanes are combined as those of other scans are
// (Blelloch: Prefix sums and their applications, 1990, 1.4); with one limit only that is the tropical semiring.
// Numbers must be small for that: see speculate.go, which makes the form.
type tropical struct {
	add      *vir.Value
	lo, hi   *vir.Value // nil for no limit
	max, min vir.Op     // of the limits, with signs or without
	written  float64    // what wait is
	ends     *vir.Value // where it begins anew at the limit, of which there is one then; nil for nowhere
}

// tropicalOf is the recurrence of variable phi, with the next value that Speculate makes; nil where it made
// none.
func (l *loop) tropicalOf(phi *vir.Value) *tropical {
	if l.u.Small[phi] == 0 {
		return nil
	}
	t := &tropical{written: l.u.Small[phi]}
	next := l.next(phi)
	if next.Op == vir.OpSelect {
		t.ends, next = next.Args[0], next.Args[2]
	}
	if next.Op == vir.OpSmin || next.Op == vir.OpUmin {
		t.min, t.hi, next = next.Op, next.Args[1], next.Args[0]
	}
	if next.Op == vir.OpSmax || next.Op == vir.OpUmax {
		t.max, t.lo, next = next.Op, next.Args[1], next.Args[0]
	}
	t.add = next.Args[1]
	return t
}

// only is the limit of which there is one.
func (t *tropical) only(lo, hi *vir.Value) *vir.Value {
	if lo == nil {
		return hi
	}
	return lo
}

func (t *tropical) made() []*vir.Value {
	return slices.DeleteFunc([]*vir.Value{t.lo, t.hi, t.add, t.ends}, func(v *vir.Value) bool { return v == nil })
}

// none is the limit of op that limits nothing: where nothing is added numbers need not be small.
func (t *tropical) none(op vir.Op) uint64 {
	if step, ok := t.add.IsConst(); ok && step == 0 {
		return fold.Identity(op, t.add.Type.Elem)
	}
	return noLimit(op, t.add.Type.Elem)
}

// A tropicalPiece is what some lanes make of what comes before; nil is as in tropical.
type tropicalPiece struct{ add, lo, hi, ends *vir.Value }

// each applies f to what there is of x but for ends.
func (x tropicalPiece) each(f func(*vir.Value) *vir.Value) tropicalPiece {
	for _, v := range []**vir.Value{&x.add, &x.lo, &x.hi} {
		if *v != nil {
			*v = f(*v)
		}
	}
	return x
}

func (t *tropical) combine(w *widener, s *carry) {
	if step, ok := t.add.IsConst(); ok && t.ends == nil && (t.lo == nil || t.hi == nil) {
		t.inclined(w, s, step)
		return
	}
	b := w.b
	n := w.held[s.slot][0].Type.Lanes
	whole := make(map[*vir.Value]*vir.Value)
	for _, v := range t.made() {
		whole[v] = w.value(v)
	}
	var ended *everSet
	if t.ends != nil {
		ended = w.everSet(whole[t.ends], w.e.l.natural(t.ends), n, func(d int) []int { return distances(n, d, n) })
	}
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		x := tropicalPiece{add: t.add, lo: t.lo, hi: t.hi}.each(func(v *vir.Value) *vir.Value { return w.constPiece(v, whole[v], p, n) })
		for d, step := 1, 0; ; d, step = 2*d, step+1 {
			if ended != nil {
				x.ends = ended.piece(step, p)
			}
			if d == n {
				break
			}
			x = t.behind(b, x, d)
		}
		all := x.each(w.spreadEnd)
		if ended != nil {
			all.ends = w.spreadLast(x.ends)
		}
		return t.of(b, x, last), t.of(b, all, last)
	})
}

// inclined is combine where each iteration adds the same step, and limits on one side: less as many steps, what
// comes of d and of the limits is the least, or the largest, up to there.
//
//	d1 = min(d + s, b0), d2 = min(d1 + s, b1)   ==>   d2 - 2s = min(d, b0 - s, b1 - 2s)
func (t *tropical) inclined(w *widener, c *carry, step uint64) {
	b, limit := w.b, t.only(t.lo, t.hi)
	e, op := limit.Type.Elem, t.max
	if t.lo == nil {
		op = t.min
	}
	scan := &reduction{op: op, start: true, unit: fold.Identity(op, e)}
	x := w.value(limit)
	w.inPieces(c, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		var steps []uint64
		for k := range n {
			steps = append(steps, step*uint64(k+1)&e.Ones())
		}
		down := b.Lanes(vir.Vec(e, n), steps)
		y := scan.prefixes(b, b.Op(vir.OpSub, down.Type, w.piece(x, p, n), down), e.Size())
		lanes = b.Op(vir.OpAdd, down.Type, b.Op(op, down.Type, last, y), down)
		all := b.Op(op, down.Type, last, w.spreadLast(y))
		return lanes, b.Op(vir.OpAdd, down.Type, all, b.Const(down.Type, steps[n-1]))
	})
}

// behind is x with what comes d lanes before it.
func (t *tropical) behind(b *vir.Builder, x tropicalPiece, d int) tropicalPiece {
	y := x
	if x.lo != nil {
		y.lo = t.of(b, x, upBy(b, t.none(t.max), x.lo, d))
	}
	if x.hi != nil {
		y.hi = t.of(b, x, upBy(b, t.none(t.min), x.hi, d))
	}
	y.add = addedUp(b, x.add, d)
	return y
}

// addedUp is each lane of x and the one that comes d lanes before it.
func addedUp(b *vir.Builder, x *vir.Value, d int) *vir.Value {
	up := upBy(b, 0, x, d)
	if x.Op != vir.OpConst {
		return b.Op(vir.OpAdd, x.Type, x, up)
	}
	k := constLanes(x)
	for at := range k {
		k[at] = (k[at] + up.Bits[at]) & x.Type.Elem.Ones()
	}
	return b.Append(&vir.Value{Op: vir.OpConst, Type: x.Type, Bits: k})
}

// upBy is the lane that comes d lanes before each one of x, or none.
func upBy(b *vir.Builder, none uint64, x *vir.Value, d int) *vir.Value {
	n := x.Type.Lanes
	if x.Op != vir.OpConst {
		return b.Shuffle(x.Type, movedUp(n, d), b.Const(x.Type, none), x)
	}
	k := append(slices.Repeat([]uint64{none}, d), constLanes(x)[:n-d]...)
	return b.Append(&vir.Value{Op: vir.OpConst, Type: x.Type, Bits: k})
}

// constPiece is piece p of lanes, which are those of v, and seen as a constant where v is one.
func (w *widener) constPiece(v, lanes *vir.Value, p, n int) *vir.Value {
	if bits, ok := v.IsConst(); ok {
		return w.b.Const(vir.Vec(v.Type.Elem, n), bits)
	}
	return w.piece(lanes, p, n)
}

// spreadEnd is spreadLast, of constants as one.
func (w *widener) spreadEnd(x *vir.Value) *vir.Value {
	if x.Op != vir.OpConst {
		return w.spreadLast(x)
	}
	return w.b.Const(x.Type, constLanes(x)[x.Type.Lanes-1])
}

// constLanes are the lanes of a constant.
func constLanes(x *vir.Value) (lanes []uint64) {
	for at := range x.Type.Lanes {
		lanes = append(lanes, x.Bits[at%len(x.Bits)])
	}
	return lanes
}

// of is what x makes of before.
func (t *tropical) of(b *vir.Builder, x tropicalPiece, before *vir.Value) *vir.Value {
	v := before
	if step, ok := t.add.IsConst(); !ok || step != 0 {
		v = b.Op(vir.OpAdd, v.Type, v, x.add)
	}
	if x.lo != nil {
		v = b.Op(t.max, v.Type, v, x.lo)
	}
	if x.hi != nil {
		v = b.Op(t.min, v.Type, v, x.hi)
	}
	if x.ends != nil {
		v = b.Op(vir.OpBlend, v.Type, x.ends, t.only(x.lo, x.hi), v)
	}
	return v
}

func (t *tropical) wait() float64 { return t.written }

func (t *tropical) latency(*loop, vir.Type) float64 {
	if t.ends != nil || t.lo != nil && t.hi != nil {
		return 3
	}
	return 2
}
