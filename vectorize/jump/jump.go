// Package jump decides the comparisons by which a variable of the loop jumps: a position in a
// ring buffer that starts anew.
//
//	dst[i] = ring[pos]
//	pos++
//	if pos == len(ring) {          false, for as many iterations
//		pos = 0                as a bound says
//	}
//
// The region that Split gives is that of iterations between two jumps, in which the variable
// is an induction. The caller's scalar code does those that jump. So it is with the low bits
// of a sum, pos = (pos+1) & mask, and with remainders, and with the numbers of rows and columns
// of a counter, i/w and i%w.
//
// Within does the like for edges that hold back what loops inside of the region's run over.
//
// Requires: a region as the frontend makes it, for Split without loops inside.
// Not handled: variables that the loop condition reads, or of fewer than 64 bits; conditions
// that are more than one comparison; several jumps in one iteration.
package jump

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/ring"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// mostStep is the largest step of a variable: others jump too often.
const mostStep = 16

// fewest is the fewest iterations between two jumps, where that number is known: what
// comes back sooner is periodic, see package loopvec.
const fewest = 17

// A Stretch is a loop as it is between two jumps, or edges.
type Stretch struct {
	Region    *plan.Region
	Bounds    []plan.Bound  // on which that rests, which recur
	Circles   []ring.Circle // variables that go round
	Divisions []*vir.Value  // that the loop as written does in each iteration
}

// Split is r between jumps; nil when nothing jumps.
func Split(r *plan.Region) *Stretch {
	if r.Once || !jumps(r.Fn) || len(loops.Find(r.Fn).All) != 1 {
		return nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	s := &splitter{
		Stretch: Stretch{Region: &c}, f: c.Fn, header: c.Fn.Blocks[1], sc: scev.New(&c), dom: loops.DomTree(c.Fn),
		natural: make(map[*vir.Value]bool),
	}
	for _, phi := range s.header.Phis() {
		if _, steady := s.sc.Affine(phi); mayJump(c.Fn, phi) && !steady && !s.decides(phi) {
			s.variable(phi)
		}
	}
	s.quotients()
	if s.Bounds == nil {
		return nil
	}
	return &s.Stretch
}

// jumps reports whether there may be something that jumps in the loop of f.
func jumps(f *vir.Func) bool {
	if slices.ContainsFunc(f.Blocks[1].Phis(), func(phi *vir.Value) bool { return mayJump(f, phi) }) {
		return true
	}
	for v := range f.Values {
		if edit.Divides(v.Op) {
			return true
		}
	}
	return false
}

// mayJump reports whether phi, of the header of f, is set by what variables jump by.
func mayJump(f *vir.Func, phi *vir.Value) bool {
	next := nextOf(f, phi)
	jumps := next.Op == vir.OpPhi || next.Op == vir.OpAnd || next.Op == vir.OpSrem
	return phi.Type == vir.Scalar(vir.I64) && jumps && next.Block != f.Blocks[1] && len(next.Args) == 2
}

// nextOf is phi in the next iteration.
func nextOf(f *vir.Func, phi *vir.Value) *vir.Value {
	return phi.Args[1-f.Blocks[1].PredIndex(f.Entry())]
}

type splitter struct {
	Stretch
	f      *vir.Func
	header *vir.Block
	sc     *scev.Info
	dom    *loops.Dom
	// natural are quotients and remainders that the bounds keep from being negative.
	natural map[*vir.Value]bool
}

// decides reports whether the loop condition depends on phi.
func (s *splitter) decides(phi *vir.Value) bool {
	seen := make(map[*vir.Value]bool)
	var reads func(v *vir.Value) bool
	reads = func(v *vir.Value) bool {
		if v == phi {
			return true
		}
		if seen[v] || v.Op == vir.OpPhi {
			return false
		}
		seen[v] = true
		for _, a := range v.Args {
			if reads(a) {
				return true
			}
		}
		return false
	}
	return reads(s.header.Term())
}

// variable makes an induction of phi where it can.
func (s *splitter) variable(phi *vir.Value) {
	next := nextOf(s.f, phi)
	switch next.Op {
	case vir.OpPhi:
		s.join(phi, next)
	case vir.OpAnd:
		if !s.mask(phi, next, next.Args[0], next.Args[1]) {
			s.mask(phi, next, next.Args[1], next.Args[0])
		}
	case vir.OpSrem:
		s.remainder(phi, next)
	}
}

// step is what v is more than phi, if that is little and not nothing.
func (s *splitter) step(v, phi *vir.Value) (int64, bool) {
	k, ok := s.sc.Increment(v, phi)
	return k, ok && k != 0 && -mostStep <= k && k <= mostStep
}

// join decides the branch behind which the ways of next meet.
func (s *splitter) join(phi, next *vir.Value) {
	head := s.dom.Idom(next.Block)
	if head == nil || head.Term().Op != vir.OpBr || head == s.header {
		return
	}
	for way, a := range next.Args {
		k, ok := s.step(a, phi)
		if !ok || s.smaller(next.Args[1-way], phi, k) {
			continue
		}
		// The way comes from the branch itself or through a block of its own.
		taken := -1
		for i, to := range head.Succs {
			from := next.Block.Preds[way]
			if from == head && to == next.Block || from == to && len(to.Preds) == 1 {
				taken = i
			}
		}
		cond := head.Term().Args[0]
		if taken < 0 || cond.Op == vir.OpConst {
			continue
		}
		b, ok := s.sc.Between(cond, taken == 0, phi, k)
		if !ok || s.soon(phi, next.Args[1-way], b) {
			continue
		}
		s.Bounds = append(s.Bounds, b)
		if to, ok := next.Args[1-way].ConstInt(); ok && to == 0 && k == 1 {
			s.circle(phi, b)
		}
		cond.Op, cond.Args, cond.Bits = vir.OpConst, nil, []uint64{uint64(1 - taken)}
		return
	}
}

// start is what phi begins with.
func (s *splitter) start(phi *vir.Value) *vir.Value {
	return phi.Args[s.header.PredIndex(s.f.Entry())]
}

// circle notes that phi goes round as long as b holds, which is of phi and one step more.
func (s *splitter) circle(phi *vir.Value, b plan.Bound) {
	at := slices.Index(s.f.Params, s.start(phi))
	if d, ok := scev.Diff(b.Start, plan.Param(at)); at >= 0 && ok && d == b.Step && b.Step > 0 {
		s.Circles = append(s.Circles, ring.Circle{Var: at, Size: b.Hi})
	}
}

// soon reports whether phi, having jumped to start, jumps again after few iterations, when
// it leaves b.
func (s *splitter) soon(phi, start *vir.Value, b plan.Bound) bool {
	at := s.start(phi)
	first, ok := start.ConstInt()
	known := true
	value := func(param int) int64 {
		known = known && s.f.Params[param] == at
		return first
	}
	end := b.Hi
	if b.Step < 0 {
		end = b.Lo
	}
	n := end.Eval(value, 0) - b.Start.Eval(value, 0)
	return ok && known && n/b.Step < fewest
}

// smaller reports whether v is less away from phi than k.
func (s *splitter) smaller(v, phi *vir.Value, k int64) bool {
	d, ok := s.sc.Increment(v, phi)
	return ok && max(d, -d) < max(k, -k)
}

// mask makes phi+k of (phi+k) & m.
func (s *splitter) mask(phi, next, sum, m *vir.Value) bool {
	mask, ok := s.sc.Invariant(m)
	if !ok || !s.inside(phi, next, sum, plan.Add(mask, plan.Const(1))) {
		return false
	}
	if low := scev.IsLow(mask); !low.Start.IsConst(0) {
		s.Bounds = append(s.Bounds, low)
	}
	return true
}

// remainder makes phi+k of (phi+k) % n.
func (s *splitter) remainder(phi, next *vir.Value) {
	if n, ok := s.sc.Invariant(next.Args[1]); ok {
		s.inside(phi, next, next.Args[0], n)
	}
}

// inside makes the sum of next while that is in [0, n).
func (s *splitter) inside(phi, next, sum *vir.Value, n *plan.Expr) bool {
	start, ok := s.sc.Invariant(s.start(phi))
	k, ok2 := s.step(sum, phi)
	if !ok || !ok2 || n.Op == plan.ExprConst && n.Const/max(k, -k) < fewest {
		return false
	}
	b := plan.Bound{
		Start: scev.Simplify(plan.Add(start, plan.Const(k))), Step: k,
		Lo: plan.Const(0), Hi: scev.Simplify(n), Recurs: plan.Jumps,
	}
	s.Bounds = append(s.Bounds, b)
	s.circle(phi, b)
	s.f.ReplaceUses(next, sum)
	next.Remove()
	return true
}
