// Package slide has inner loops over windows that slide along with the outer loop count from 0:
//
//	for i := r; i < n-r; i++ {               for i := r; i < n-r; i++ {
//		for j := i - r; j <= i+r; j++ {          for t := 0; t <= 2*r; t++ {
//			s += x[j]                ==>             s += x[i-r+t]
//		}                                        }
//	}                                        }
//
// Where the first number and the limit go on by one step from iteration to iteration of the outer loop, all of these run
// the loop as often, though each counts other numbers: they leave it together, and nobody waits under a mask. That step may
// be known before the loop only, as that of rows one behind the other is, for j := i * n; j < (i+1)*n; j++.
//
// The distance is right only if nothing wraps around, so that the kernel is limited to iterations in which
// both numbers are moderate.
//
// Requires: a region as the frontend makes it. Nothing but counter and condition of such loops is changed.
//
// Remarks: slide:Window.
//
// Not handled: counters of fewer than 64 bits; loops with more conditions than one in their header.
package slide

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// most bounds the numbers that loops begin and end at, and how many iterations there are where the step is not known;
// mostStep such steps: nothing wraps around.
const (
	most     = 1 << 40
	mostStep = 1 << 22
)

// Run changes the inner loops of u's region that run over windows.
func Run(u *pass.Unit) error {
	for i := len(loops.Find(u.Region.Fn).All) - 1; i >= 0; i-- {
		sc := scev.New(u.Region) // what was replaced before helps
		f := sc.Loops().All[i]
		w, ok := windowOf(sc, f)
		if !ok || !u.Count() {
			continue
		}
		u.Note("slide:Window", f.Header.Term().Pos, nil, "all iterations around this loop run it as often, each from a number of its own")
		u.Bounds = append(u.Bounds, w.bounds()...)
		w.rewrite(u.Region.Fn)
	}
	return nil
}

// A window is what an inner loop counts through.
type window struct {
	loop         *loops.Loop
	count        scev.InnerCount
	first, limit scev.Affine
}

func windowOf(sc *scev.Info, f *loops.Loop) (window, bool) {
	if f.Depth < 2 || len(f.Latches) != 1 || f.Latches[0] == f.Header || len(f.Header.Preds) != 2 {
		return window{}, false
	}
	if t := f.Header.Term(); t.Op != vir.OpBr || t.Args[0].Op.Info().Rule != vir.RuleIntCmp || !f.Contains(f.Header.Succs[0]) {
		return window{}, false
	}
	w := window{loop: f}
	var ok bool
	if w.count, ok = sc.InnerCount(f); !ok {
		return window{}, false
	}
	first, ok := sc.Evolution(w.count.Start)
	limit, ok2 := sc.Evolution(w.count.Limit)
	w.first, w.limit = first, limit
	return w, ok && ok2 && moves(first) && moves(limit) && first.Step == limit.Step && first.StepExpr.Same(limit.StepExpr)
}

func moves(a scev.Affine) bool {
	return a.Width == 64 && (a.Step != 0 || a.StepExpr != nil) && len(a.Wrap) == 0
}

// bounds are the iterations in which neither number can wrap around.
func (w *window) bounds() []plan.Bound {
	within := func(a *plan.Expr, step, most int64) plan.Bound {
		return plan.Bound{Start: a, Step: step, Lo: plan.Const(-most), Hi: plan.Const(most)}
	}
	all := []plan.Bound{within(w.first.Start, w.first.Step, most), within(w.limit.Start, w.limit.Step, most)}
	if s := w.first.StepExpr; s != nil {
		all = append(all, within(s, 0, mostStep), within(plan.Const(0), 1, most))
	}
	return all
}

// rewrite changes the loop:
//
//	pre:   %n = limit - first
//	head:  %t = phi [0, pre], [%t1, latch]
//	       %j = add %first, %t
//	       %c = icmp.slt %t, %n
//	latch: %t1 = add %t, step
func (w *window) rewrite(fn *vir.Func) {
	head, latch := w.loop.Header, w.loop.Latches[0]
	from := head.PredIndex(latch)
	pre := head.Preds[1-from]
	i64 := vir.Scalar(vir.I64)
	b := vir.NewBuilder(fn, pre)
	b.Pos = head.Term().Pos

	var zero, distance, step *vir.Value
	edit.Ahead(b, pre, func() {
		zero, step = b.Int(i64, 0), b.Int(i64, w.count.Step)
		distance = scev.Simplify(plan.Sub(w.limit.Start, w.first.Start)).EmitOver(b, fn.Params)
	})
	b.Cur = head
	t := b.Phi(i64)
	t.Name, t.Args = w.count.Phi.Name, []*vir.Value{zero, zero}
	term := head.Term()
	edit.Ahead(b, head, func() {
		term.Args[0] = compare(b, w.count.Cond, t, distance)
	})
	j := fn.NewValue(vir.OpAdd, i64)
	j.Args, j.Block, j.Pos = []*vir.Value{w.count.Start, t}, head, b.Pos
	head.Insts = slices.Insert(head.Insts, len(head.Phis()), j)
	fn.ReplaceUses(w.count.Phi, j)
	w.count.Phi.Remove()
	edit.Ahead(b, latch, func() { t.Args[from] = b.Op(vir.OpAdd, i64, t, step) })
}

// compare is t compared with n.
func compare(b *vir.Builder, c plan.Cond, t, n *vir.Value) *vir.Value {
	switch c {
	case plan.Less:
		return b.Cmp(vir.OpIcmpSlt, t, n)
	case plan.LessEq:
		return b.Cmp(vir.OpIcmpSle, t, n)
	case plan.Greater:
		return b.Cmp(vir.OpIcmpSlt, n, t)
	}
	return b.Cmp(vir.OpIcmpSle, n, t)
}
