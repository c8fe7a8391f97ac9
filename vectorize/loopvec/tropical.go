package loopvec

import "github.com/lanewise/lanewise/vir"

// Recurrences of minima, or of maxima, of sums, such as those of dynamic programming:
//
//	d = min(d+1, up+1, diag+cost)
//	sum = max(sum+x[i], 0)
//	if wall[i] { dist = 0 } else { dist = min(dist+1, limit) }
//
// One iteration makes min(d + a, b) of variable d, or b where it ends what came before. One behind another
// is of that form as well,
//
//	min(min(d + a1, b1) + a2, b2) = min(d + (a1 + a2), min(b1 + a2, b2))
//
// since sums distribute over minima, which are matrices of the tropical semiring then, so that lanes are
// combined as those of other scans are (Blelloch: Prefix sums and their applications, 1990, 1.4). Numbers
// must be small for that: see speculate.go.
type tropical struct {
	op        vir.Op     // OpSmin or OpSmax
	add, with *vir.Value // a, nil for nothing, and b
	ends      *vir.Value // nil for never
}

// tropicalOf is the recurrence of variable phi, which m follows, with the next value that Speculate makes;
// nil where it made none.
func (l *loop) tropicalOf(m *matcher, phi *vir.Value) *tropical {
	if !l.u.Small[phi] {
		return nil
	}
	t := &tropical{}
	next := l.next(phi)
	if next.Op == vir.OpSelect {
		t.ends, next = next.Args[0], next.Args[2]
	}
	t.op, t.with = next.Op, next.Args[1]
	if sum := next.Args[0]; sum != phi {
		t.add = sum.Args[1]
	}
	return t
}

// made are the values that it is computed from.
func (t *tropical) made() []*vir.Value {
	made := []*vir.Value{t.with}
	for _, v := range []*vir.Value{t.add, t.ends} {
		if v != nil {
			made = append(made, v)
		}
	}
	return made
}

// A piece of a tropical recurrence is what some lanes make of what comes before.
type tropicalPiece struct{ add, with, ends *vir.Value }

// tropical is scan for these recurrences.
func (w *widener) tropical(s *carry) {
	t, b := s.tropical, w.b
	value := func(v *vir.Value) *vir.Value {
		if v == nil {
			return nil
		}
		return w.value(v)
	}
	add, with, ends := value(t.add), value(t.with), value(t.ends)
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		x := tropicalPiece{with: w.piece(with, p, n)}
		if add != nil {
			x.add = w.piece(add, p, n)
			if step, ok := t.add.IsConst(); ok {
				x.add = b.Const(x.add.Type, step)
			}
		}
		if ends != nil {
			x.ends = w.piece(ends, p, n)
		}
		for d := 1; d < n; d *= 2 {
			x = t.behind(b, x, d)
		}
		all := tropicalPiece{with: w.spreadLast(x.with)}
		if add != nil {
			all.add = w.spreadLast(x.add)
			if k, ok := constLanes(x.add); ok {
				all.add = b.Const(x.add.Type, k[n-1])
			}
		}
		if ends != nil {
			all.ends = w.spreadLast(x.ends)
		}
		return t.of(b, x, last), t.of(b, all, last)
	})
}

// behind is each lane of x behind the one that comes d before it, which is the identity in front of the
// first ones.
func (t *tropical) behind(b *vir.Builder, x tropicalPiece, d int) tropicalPiece {
	n, typ := x.with.Type.Lanes, x.with.Type
	up := movedUp(n, d)
	none := b.Const(typ, far(t.op, typ.Elem, t.add != nil))
	y := tropicalPiece{with: t.of(b, x, b.Shuffle(typ, up, none, x.with))}
	if x.add != nil {
		y.add = addedUp(b, x.add, d)
	}
	if x.ends != nil {
		y.ends = b.Op(vir.OpOr, x.ends.Type, x.ends, b.Shuffle(x.ends.Type, distances(n, d, n), x.ends, nil))
	}
	return y
}

// addedUp is each lane of x and the one that comes d lanes before it.
func addedUp(b *vir.Builder, x *vir.Value, d int) *vir.Value {
	n := x.Type.Lanes
	k, ok := constLanes(x)
	if !ok {
		return b.Op(vir.OpAdd, x.Type, x, b.Shuffle(x.Type, movedUp(n, d), b.Const(x.Type, 0), x))
	}
	for at := n - 1; at >= d; at-- {
		k[at] = (k[at] + k[at-d]) & x.Type.Elem.Ones()
	}
	return b.Append(&vir.Value{Op: vir.OpConst, Type: x.Type, Bits: k})
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
	if x.add != nil {
		before = b.Op(vir.OpAdd, before.Type, before, x.add)
	}
	v := b.Op(t.op, before.Type, before, x.with)
	if x.ends != nil {
		v = b.Op(vir.OpBlend, v.Type, x.ends, x.with, v)
	}
	return v
}

// chain is the latency of a piece.
func (t *tropical) chain() float64 {
	cycles := 1.0
	for _, v := range []*vir.Value{t.add, t.ends} {
		if v != nil {
			cycles++
		}
	}
	return cycles
}
