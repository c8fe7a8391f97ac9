// Package peel decides comparisons of the counter that only the first iterations make
// otherwise: i == 0, i > 0, i >= 2.
//
//	for i, v := range x {
//		if i == 0 || v < least {     least: a minimum from the second iteration on
//			least, at = v, i
//		}
//	}
//
// The region that Split gives is that of the loop behind these iterations; the caller's
// scalar code does them each time the loop is entered (plan.Kernel.Peel).
//
// Requires: a region as the frontend makes it, whose counter starts with a known number.
// The package must not know what comparisons are good for.
package peel

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// most is how many iterations may be peeled.
const most = 4

// Split is r with such comparisons decided, and the number of iterations before that;
// nil when there are none.
func Split(r *plan.Region) (*plan.Region, int64) {
	c := *r
	c.Fn = r.Fn.Clone()
	s := &splitter{region: &c, sc: scev.New(&c)}
	if _, _, err := s.sc.Trip(); err != nil {
		return nil, 0
	}
	for _, b := range c.Fn.Blocks[2:] {
		for _, v := range b.Insts {
			if v.Op.Info().Rule == vir.RuleIntCmp {
				s.compare(v)
			}
		}
	}
	if s.first == 0 {
		return nil, 0
	}
	return &c, s.first
}

type splitter struct {
	region *plan.Region
	sc     *scev.Info
	first  int64 // iterations to peel
}

// compare decides v if its outcome is the same from one of the first iterations on.
func (s *splitter) compare(v *vir.Value) {
	x, dx, ok := s.line(v.Args[0])
	y, dy, ok2 := s.line(v.Args[1])
	if !ok || !ok2 || dx == dy {
		return
	}
	at := func(t int64) bool { return outcome(v.Op, x+t*dx, y+t*dy) }
	settled := at(most)
	n := int64(most)
	for n > 0 && at(n-1) == settled {
		n--
	}
	if n == 0 || n == most || !s.stays(v.Op, x-y, dx-dy, settled) {
		return
	}
	bits := uint64(0)
	if settled {
		bits = 1
	}
	v.Op, v.Args, v.Bits = vir.OpConst, nil, []uint64{bits}
	s.first = max(s.first, n)
}

// stays reports whether a comparison of two numbers whose difference is d, and changes
// by step, keeps its outcome from iteration most on.
func (s *splitter) stays(op vir.Op, d, step int64, outcome bool) bool {
	d += most * step
	away := d > 0 && step > 0 || d < 0 && step < 0 // from 0
	switch op {
	case vir.OpIcmpEq, vir.OpIcmpNe:
		return away
	case vir.OpIcmpSlt, vir.OpIcmpSle:
		return away && outcome == (d < 0)
	}
	return false
}

// line is an integer that starts with a known number when the loop is first entered, and
// what iterations add to it. Both are small, and it does not wrap.
func (s *splitter) line(v *vir.Value) (start, step int64, ok bool) {
	if c, ok := v.ConstInt(); ok && small(c) {
		return c, 0, true
	}
	a, ok := s.sc.Affine(v)
	if !ok || len(a.Wrap) > 0 || a.Width != 64 || !small(a.Step) || !s.counts(a) {
		return 0, 0, false
	}
	start, known := s.region.Begin(a.Start)
	return start, a.Step, known && small(start)
}

// counts reports whether a goes the way of the loop's counter: it ends before it could
// wrap.
func (s *splitter) counts(a scev.Affine) bool {
	main, ok := s.sc.Affine(s.sc.Main())
	if !ok || main.Width != 64 || a.Step != main.Step {
		return false
	}
	d, ok := scev.Diff(a.Start, main.Start)
	t, _, _ := s.sc.Trip()
	return ok && small(d) && t.Step == main.Step && t.Cond != plan.NotEq && !t.Unsigned
}

func small(x int64) bool { return -1<<20 < x && x < 1<<20 }

func outcome(op vir.Op, x, y int64) bool {
	switch op {
	case vir.OpIcmpEq:
		return x == y
	case vir.OpIcmpNe:
		return x != y
	case vir.OpIcmpSlt:
		return x < y
	case vir.OpIcmpSle:
		return x <= y
	}
	return false
}
