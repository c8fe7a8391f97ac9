package slp

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// sum writes what replaces the operations of s.
func (w *writer) sum(s *reduction) {
	w.out.Pos = s.root.Pos
	var acc []signed
	for lanes := s.typ().Lanes; lanes > 0; lanes /= 2 {
		for _, p := range s.groups {
			if p.node.width() == lanes {
				acc = append(acc, signed{w.vector(p.node), p.minus})
			}
		}
		switch {
		case lanes == 1 || len(acc) == 0:
			continue
		case s.root.Type.Elem == vir.Bool:
			acc = []signed{{w.maskToBool(s, w.joined(s.family, acc).v), false}}
			lanes = 1
			continue
		}
		one := w.joined(s.family, acc)
		acc = []signed{{w.halve(s, one.v, lanes/2), one.minus}}
	}
	w.scalar[s.root] = w.withRest(s, acc)
}

// A signed value is added, or subtracted.
type signed struct {
	v     *vir.Value
	minus bool
}

// joined is the sum of values; it is to be subtracted if all of them are. What is
// subtracted is so one by one: of floats that cancel each other out, -0 - (1 - 1) would be
// -0, whereas -0 - 1 + 1 is +0, in whatever order.
func (w *writer) joined(f family, xs []signed) signed {
	var plus, minus []*vir.Value
	for _, x := range xs {
		if x.minus {
			minus = append(minus, x.v)
		} else {
			plus = append(plus, x.v)
		}
	}
	if len(plus) == 0 {
		return signed{w.paired(f.op, minus), true}
	}
	sum := w.paired(f.op, plus)
	for _, x := range minus {
		sum = w.out.Same(f.inverse, sum, x)
	}
	return signed{sum, false}
}

// withRest combines what comes of vectors with other terms, last those that come from
// the turn before of a loop.
func (w *writer) withRest(s *reduction, acc []signed) *vir.Value {
	rank := func(t term) int {
		if t.v.Op == vir.OpPhi {
			return 1
		}
		return 0
	}
	rest := slices.Clone(s.rest)
	slices.SortStableFunc(rest, func(a, b term) int { return cmp.Compare(rank(a), rank(b)) })
	var early, late []signed
	for _, t := range rest {
		if rank(t) > 0 {
			late = append(late, signed{t.v, t.minus})
		} else {
			early = append(early, signed{t.v, t.minus})
		}
	}
	sum := w.joined(s.family, append(early, acc...))
	for _, x := range late {
		sum = w.joined(s.family, []signed{sum, x})
	}
	return sum.v
}

// halve combines lanes of v with others to so many.
func (w *writer) halve(s *reduction, v *vir.Value, lanes int) *vir.Value {
	var x, y *vir.Value
	switch {
	case lanes == 1:
		x, y = w.out.Extract(v, 0), w.out.Extract(v, 1)
	case s.pairwise:
		even, odd := make([]int, lanes), make([]int, lanes)
		for i := range lanes {
			even[i], odd[i] = 2*i, 2*i+1
		}
		t := vir.Vec(v.Type.Elem, lanes)
		x, y = w.out.Shuffle(t, even, v, nil), w.out.Shuffle(t, odd, v, nil)
	default:
		x, y = w.out.Subvec(v, 0, lanes), w.out.Subvec(v, lanes, lanes)
	}
	return w.out.Op(s.op, x.Type, x, y)
}

// maskToBool is whether all lanes hold, or any.
func (w *writer) maskToBool(s *reduction, mask *vir.Value) *vir.Value {
	op := vir.OpAll
	if s.op == vir.OpOr {
		op = vir.OpAny
	}
	return w.out.Op(op, vir.Scalar(vir.Bool), mask)
}
