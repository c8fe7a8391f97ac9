// Package canon has inner loops compare their counters themselves:
//
//	for y := 1; y+1 < n; y += 2 {      ==>      for y := 1; y < n-1; y += 2 {
//
// Whoever asks how long such a loop runs finds its counter beside the limit.
//
// Both conditions say the same only if nothing wraps around, so that the kernel is limited to iterations in which the limit and
// what the counter begins with are moderate.
//
// Requires: a region as the frontend makes it. Nothing but the conditions of such loops is changed.
//
// Not handled: counters of fewer than 64 bits; what loops begin and end at that does not go along with the region's loop.
package canon

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// most bounds the numbers that loops begin and end at, mostAdded what is added to counters, mostStep their steps: nothing wraps around.
const (
	most      = 1 << 40
	mostAdded = 1 << 32
	mostStep  = 1 << 16
)

// Run changes the conditions of inner loops of u's region.
func Run(u *pass.Unit) error {
	sc := scev.New(u.Region)
	for _, f := range sc.Loops().All {
		term := f.Header.Term()
		if f.Depth < 2 || term.Op != vir.OpBr || f.Contains(f.Header.Succs[0]) == f.Contains(f.Header.Succs[1]) {
			continue
		}
		c := term.Args[0]
		if c.Op != vir.OpIcmpSlt && c.Op != vir.OpIcmpSle || c.Block != f.Header {
			continue
		}
		for i, x := range c.Args {
			s := &sum{sc: sc, loop: f, limit: c.Args[1-i]}
			if s.find(x) && u.Count() {
				u.Bounds = append(u.Bounds, s.bounds()...)
				s.rewrite(u.Region.Fn, c, i)
				break
			}
		}
	}
	return nil
}

// A sum is a counter and a constant, which a loop compares with a limit.
type sum struct {
	sc     *scev.Info
	loop   *loops.Loop
	limit  *vir.Value
	phi    *vir.Value
	added  int64
	ranges [2]scev.Affine // of what the counter begins with and of the limit
}

// find reports whether x is such a sum.
func (s *sum) find(x *vir.Value) bool {
	if x.Op != vir.OpAdd && x.Op != vir.OpSub {
		return false
	}
	y, added, ok := scev.ConstantTerm(x)
	if !ok || added == 0 || added <= -mostAdded || added >= mostAdded || x.Type != vir.Scalar(vir.I64) {
		return false
	}
	s.phi, s.added = y, added
	of, start, step := s.sc.Inner(y)
	if of != s.loop || step == 0 || step < -mostStep || step > mostStep {
		return false
	}
	for i, v := range []*vir.Value{start, s.limit} {
		a, ok := s.sc.Evolution(v)
		if !ok || a.Width != 64 || a.StepExpr != nil || len(a.Wrap) > 0 {
			return false
		}
		s.ranges[i] = a
	}
	return true
}

// bounds are the iterations in which neither number is large.
func (s *sum) bounds() (all []plan.Bound) {
	for _, a := range s.ranges {
		if a.Start.Op != plan.ExprConst || a.Step != 0 || a.Start.Const < -most || a.Start.Const >= most {
			all = append(all, plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(-most), Hi: plan.Const(most)})
		}
	}
	return all
}

// rewrite has operand i of comparison c be the counter, and the other one be the limit without what was added.
func (s *sum) rewrite(fn *vir.Func, c *vir.Value, i int) {
	b := vir.NewBuilder(fn, s.loop.Header)
	b.Pos = c.Pos
	i64 := vir.Scalar(vir.I64)
	edit.InFront(b, c, func() {
		c.Args[i], c.Args[1-i] = s.phi, b.Op(vir.OpSub, i64, s.limit, b.Int(i64, s.added))
	})
}
