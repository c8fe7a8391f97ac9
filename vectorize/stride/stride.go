// Package stride makes loops whose counter goes on by a number that is known before the loop only count from 0:
//
//	for k := 0; k+w <= n; k += w {           for t := 0; t < (n-w-k+w)/w; t++ {
//		...                          ==>         ...
//	}                                            k += w
//	                                         }
//
// Split makes the other loop, which has one variable more; Restore makes a kernel for the loop as it was out of one for the
// other loop: of the new variable callers know nothing, it is 0 at each call.
//
// The number of iterations is right only if nothing wraps around and the step leads to the limit, so that the kernel does
// nothing where it is not so.
//
// Requires: a region as the frontend makes it.
//
// Not handled: counters of fewer than 64 bits; loops with more conditions than one in their header; unsigned ones.
package stride

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// most bounds the numbers that the counter begins and ends at, and its steps: nothing wraps around.
const most = 1 << 40

// A Loop is a region that counts from 0.
type Loop struct {
	Region *plan.Region
	Bounds []plan.Bound // must hold for every iteration of a kernel of Region

	counter int // the parameter that is 0
}

// Split is r counting from 0; nil where that is not possible, or no use.
func Split(r *plan.Region) *Loop {
	sc := scev.New(r)
	if _, _, err := sc.Trip(); err == nil {
		return nil
	}
	n, ok := countOf(sc, r.Fn.Blocks[1])
	if !ok {
		return nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	l := &Loop{Region: &c, counter: len(c.Fn.Params)}
	l.Bounds = []plan.Bound{
		{Start: n.step, Lo: plan.Const(1), Hi: plan.Const(most)},
		{Start: n.from, Lo: plan.Const(-most), Hi: plan.Const(most)},
		{Start: n.to, Lo: plan.Const(-most), Hi: plan.Const(most)},
	}
	n.rewrite(c.Fn)
	c.State = append(slices.Clip(r.State), plan.State{Param: l.counter, Init: new(int64)})
	return l
}

// Restore makes a kernel of the original region out of one of Region, which is used up; nil when it returns the new
// variable.
func (l *Loop) Restore(k *plan.Kernel) *plan.Kernel {
	last := len(k.Outs) - 1
	if k.Outs[last].Kind == plan.OutResult {
		return nil
	}
	k.Outs = k.Outs[:last]
	zero := func(x *plan.Expr) *plan.Expr {
		if x.Op == plan.ExprParam && x.Param == l.counter {
			return plan.Const(0)
		}
		return nil
	}
	k.Before(func(x *plan.Expr) *plan.Expr { return x.Map(zero) })
	for i := range k.Outs {
		k.Outs[i].Expr = k.Outs[i].Expr.Map(zero)
	}
	for i, a := range slices.Backward(k.Args) {
		if a.Kind == plan.ArgParam && a.Index == l.counter {
			b := vir.NewBuilder(k.Fn, k.Fn.Entry())
			var none *vir.Value
			edit.InFront(b, k.Fn.Entry().Insts[0], func() { none = b.Int(vir.Scalar(vir.I64), 0) })
			k.Fn.ReplaceUses(k.Fn.Params[i], none)
			k.Fn.Params, k.Args = slices.Delete(k.Fn.Params, i, i+1), slices.Delete(k.Args, i, i+1)
		}
	}
	return k
}

// A count is that of a loop which goes from a number in positive steps as long as it is below another one.
type count struct{ from, to, step *plan.Expr }

func countOf(sc *scev.Info, header *vir.Block) (c count, ok bool) {
	term, loop := header.Term(), sc.Loops().All[0]
	if term.Op != vir.OpBr || header.Succs[1].Term().Op != vir.OpRet {
		return c, false
	}
	if len(header.Preds) != 2 || !loop.Contains(header.Succs[0]) || loop.Contains(header.Succs[1]) {
		return c, false
	}
	cmp := term.Args[0]
	if cmp.Op != vir.OpIcmpSlt && cmp.Op != vir.OpIcmpSle {
		return c, false
	}
	low, ok := sc.Evolution(cmp.Args[0])
	high, ok2 := sc.Evolution(cmp.Args[1])
	if !ok || !ok2 || low.Width != 64 || high.Width != 64 || len(low.Wrap)+len(high.Wrap) > 0 || low.Step != 0 || high.Step != 0 {
		return c, false
	}
	c = count{from: low.Start, to: high.Start}
	switch {
	case low.StepExpr != nil && high.StepExpr == nil:
		c.step = low.StepExpr
	case low.StepExpr == nil && high.StepExpr != nil: // downwards, which is the same turned around
		c.step = scev.Simplify(plan.Neg(high.StepExpr))
	default:
		return c, false
	}
	if cmp.Op == vir.OpIcmpSle {
		c.to = scev.Simplify(plan.Add(c.to, plan.Const(1)))
	}
	return c, true
}

// rewrite changes the loop:
//
//	entry: %n = (to - from + step-1) / step
//	head:  %t = phi [%t0, entry], [%t1, latch]
//	       %c = icmp.slt %t, %n
//	latch: %t1 = add %t, 1
//	exit:  ret ..., %t
func (c *count) rewrite(fn *vir.Func) {
	i64 := vir.Scalar(vir.I64)
	header := fn.Blocks[1]
	entry := header.PredIndex(fn.Entry())
	latch := header.Preds[1-entry]
	term := header.Term()
	b := vir.NewBuilder(fn, header)
	b.Pos = term.Pos

	first := fn.AddParam(fn.UnusedName("turn"), i64)
	var n *vir.Value
	edit.Ahead(b, fn.Entry(), func() {
		distance := plan.Add(plan.Sub(c.to, c.from), plan.Sub(c.step, plan.Const(1)))
		n = plan.Quo(scev.Simplify(distance), c.step).EmitOver(b, fn.Params)
	})
	b.Cur = header
	t := b.Phi(i64)
	t.Args = []*vir.Value{first, first}
	edit.Ahead(b, header, func() { term.Args[0] = b.Cmp(vir.OpIcmpSlt, t, n) })
	edit.Ahead(b, latch, func() { t.Args[1-entry] = b.Op(vir.OpAdd, i64, t, b.Int(i64, 1)) })
	fn.Results = append(slices.Clip(fn.Results), i64)
	ret := header.Succs[1].Term()
	ret.Args = append(ret.Args, t)
}
