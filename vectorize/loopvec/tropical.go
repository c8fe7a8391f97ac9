package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Recurrences of minima, or of maxima, of sums, such as those of dynamic programming:
//
//	d = min(d+1, up+1, diag+cost)
//	sum = max(sum+x[i], 0)
//	if wall[i] { dist = 0 } else { dist = min(dist+1, limit) }
//
// One iteration makes min(d + a, b) of variable d, or b where it begins anew. One behind another is of that
// form as well,
//
//	min(min(d + a1, b1) + a2, b2) = min(d + (a1 + a2), min(b1 + a2, b2))
//
// since sums distribute over minima, which makes a semiring of both, the tropical one. So lanes are combined
// as those of other scans are (Blelloch: Prefix sums and their applications, 1990, 1.4). Numbers must be
// small for that: see speculate.go.
type tropical struct {
	op        vir.Op     // OpSmin or OpSmax
	add, with *vir.Value // a and b
	ends      *vir.Value // nil for never
}

// tropicalOf is the recurrence of variable phi, with the next value that Speculate makes; nil where it made
// none.
func (l *loop) tropicalOf(phi *vir.Value) *tropical {
	if !l.u.Small[phi] {
		return nil
	}
	t := &tropical{}
	next := l.next(phi)
	if next.Op == vir.OpSelect {
		t.ends, next = next.Args[0], next.Args[2]
	}
	t.op, t.add, t.with = next.Op, next.Args[0].Args[1], next.Args[1]
	return t
}

// made are the values that it is computed from.
func (t *tropical) made() []*vir.Value {
	made := []*vir.Value{t.with, t.add}
	if t.ends != nil {
		made = append(made, t.ends)
	}
	return made
}

// A tropicalPiece is what some lanes make of what comes before; ends is nil for never.
type tropicalPiece struct{ add, with, ends *vir.Value }

func (t *tropical) combine(w *widener, s *carry) {
	b := w.b
	add, with := w.value(t.add), w.value(t.with)
	n := w.held[s.slot][0].Type.Lanes
	var ended *everSet
	if t.ends != nil {
		ended = w.everSet(w.value(t.ends), w.e.l.natural(t.ends), n, func(d int) []int { return distances(n, d, n) })
	}
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		x := tropicalPiece{add: w.constPiece(t.add, add, p, n), with: w.constPiece(t.with, with, p, n)}
		none := far(t.op, x.with.Type.Elem)
		for d, step := 1, 0; ; d, step = 2*d, step+1 {
			if ended != nil {
				x.ends = ended.piece(step, p)
			}
			if d == n {
				break
			}
			x.with = t.of(b, x, upBy(b, none, x.with, d))
			x.add = addedUp(b, x.add, d)
		}
		all := tropicalPiece{add: w.spreadLast(x.add), with: w.spreadLast(x.with)}
		if k, ok := constLanes(x.add); ok {
			all.add = b.Const(x.add.Type, k[n-1])
		}
		if ended != nil {
			all.ends = w.spreadLast(x.ends)
		}
		return t.of(b, x, last), t.of(b, all, last)
	})
}

// addedUp is each lane of x and the one that comes d lanes before it.
func addedUp(b *vir.Builder, x *vir.Value, d int) *vir.Value {
	up := upBy(b, 0, x, d)
	k, ok := constLanes(x)
	if !ok {
		return b.Op(vir.OpAdd, x.Type, x, up)
	}
	for at := range k {
		k[at] = (k[at] + up.Bits[at]) & x.Type.Elem.Ones()
	}
	return b.Append(&vir.Value{Op: vir.OpConst, Type: x.Type, Bits: k})
}

// upBy is the lane that comes d lanes before each one of x, or none.
func upBy(b *vir.Builder, none uint64, x *vir.Value, d int) *vir.Value {
	n := x.Type.Lanes
	k, ok := constLanes(x)
	if !ok {
		return b.Shuffle(x.Type, movedUp(n, d), b.Const(x.Type, none), x)
	}
	k = append(slices.Repeat([]uint64{none}, d), k[:n-d]...)
	return b.Append(&vir.Value{Op: vir.OpConst, Type: x.Type, Bits: k})
}

// constPiece is piece p of lanes, which are those of v, and seen as a constant where v is one.
func (w *widener) constPiece(v, lanes *vir.Value, p, n int) *vir.Value {
	if bits, ok := v.IsConst(); ok {
		return w.b.Const(vir.Vec(v.Type.Elem, n), bits)
	}
	return w.piece(lanes, p, n)
}

// constLanes are the lanes of a constant.
func constLanes(x *vir.Value) (lanes []uint64, ok bool) {
	if x.Op != vir.OpConst {
		return nil, false
	}
	for at := range x.Type.Lanes {
		lanes = append(lanes, x.Bits[at%len(x.Bits)])
	}
	return lanes, true
}

// of is what x makes of before.
func (t *tropical) of(b *vir.Builder, x tropicalPiece, before *vir.Value) *vir.Value {
	v := b.Op(t.op, before.Type, b.Op(vir.OpAdd, before.Type, before, x.add), x.with)
	if x.ends != nil {
		v = b.Op(vir.OpBlend, v.Type, x.ends, x.with, v)
	}
	return v
}

func (t *tropical) latency(*loop, vir.Type) float64 {
	if t.ends != nil {
		return 3
	}
	return 2
}
