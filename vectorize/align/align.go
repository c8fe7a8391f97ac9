// Package align has the lanes of a block begin an inner loop together, where each
// iteration of the outer loop begins it at a number of its own:
//
//	for i := range n {                    for i := range n {
//		for j := i; j < n; j++ {              for j := least(i); j < n; j++ {
//			a[j][i] += b[j][i]       ==>          if i <= j {
//		}                                             a[j][i] += b[j][i]
//	}                                             }
//	                                          }
//	                                      }
//
// Lanes that were apart by the differences of where they begin, on a diagonal of the
// matrix, are side by side: the counter of the inner loop is the same for all of them,
// and those that have not begun yet wait under a mask. One by one, iterations do what
// they did: OpLeast of one number is that number.
//
// It is not always better: lanes that begin together by themselves have neighbours in
// x[j-i]. So there are kernels of both forms, of which the better one is kept.
//
// Which lane has the least number must be known, so that the kernel is limited to
// iterations in which the numbers do not wrap around.
//
// Requires: a region as the frontend makes it. Where an inner loop has been changed
// nothing else has than its first number, the condition, and a block that goes back.
//
// Remarks: align:Together.
//
// Not handled: loops that count down or by steps, end at numbers of their own, are left
// from inside, or whose counter is read behind them.
package align

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run changes the inner loops of u's region that begin at numbers of their own.
func Run(u *pass.Unit) error {
	for i := len(loops.Find(u.Region.Fn).All) - 1; i >= 0; i-- {
		sc := scev.New(u.Region)
		f := sc.Loops().All[i]
		c, ok := candidate(sc, f)
		if !ok || !u.Count() {
			continue
		}
		u.Note("align:Together", f.Header.Term().Pos, nil, "iterations of a block begin this loop together, and wait until it is their turn")
		if c.Start != sc.Main() {
			a, _ := sc.Affine(c.Start)
			u.Bounds = append(u.Bounds, plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(-most), Hi: plan.Const(most)})
		}
		rewrite(u.Region.Fn, f, c)
	}
	return nil
}

// Applies reports whether Run would change something in r.
func Applies(r *plan.Region) bool {
	sc := scev.New(r)
	return slices.ContainsFunc(sc.Loops().All, func(f *loops.Loop) bool {
		_, ok := candidate(sc, f)
		return ok
	})
}

// most bounds the numbers that loops begin at, so that the first or the last lane of a
// block has the least one: nothing wraps around.
const most = 1 << 40

// mostStep bounds how far neighbouring lanes begin from each other.
const mostStep = 64

// candidate is the count of f, if its lanes may begin together.
func candidate(sc *scev.Info, f *loops.Loop) (scev.InnerCount, bool) {
	none := scev.InnerCount{}
	if f.Depth < 2 || !f.EndsAtHeader() || len(f.Latches) != 1 || len(f.Header.Preds) != 2 {
		return none, false
	}
	latch, term := f.Latches[0].Term(), f.Header.Term()
	if f.Latches[0] == f.Header || latch.Op != vir.OpJmp || term.Op != vir.OpBr || term.Args[0].Op.Info().Rule != vir.RuleIntCmp {
		return none, false
	}
	c, ok := sc.InnerCount(f)
	if !ok || c.Step != 1 || !sc.IsInvariant(c.Limit) {
		return none, false
	}
	a, ok := sc.Affine(c.Start)
	if !ok || a.Step == 0 || a.Step < -mostStep || a.Step > mostStep || len(a.Wrap) > 0 || a.StepExpr != nil {
		return none, false
	}
	for _, v := range f.Header.Insts { // lanes come by before their turn
		if v.Op.IsLoad() || v.Op.Info().Effect && v != term {
			return none, false
		}
	}
	return c, !usedBehind(f, c.Phi)
}

func usedBehind(f *loops.Loop, phi *vir.Value) bool {
	for v := range f.Header.Func.Values {
		if v.Block != nil && !f.Contains(v.Block) && slices.Contains(v.Args, phi) {
			return true
		}
	}
	return false
}

// rewrite changes loop f:
//
//	pre:   %least = least %start              back:  phis of what the iteration has changed
//	head:  %j = phi [%least, pre], ...               %j1 = add %j, 1
//	       br %c, wait, behind                       jmp head
//	wait:  %go = icmp.sle %start, %j
//	       br %go, body, back
func rewrite(fn *vir.Func, f *loops.Loop, c scev.InnerCount) {
	head, latch := f.Header, f.Latches[0]
	from := head.PredIndex(latch)
	pre := head.Preds[1-from]
	b := vir.NewBuilder(fn, pre)
	term := pre.Term()
	b.Pos = head.Term().Pos
	pre.Insts = pre.Insts[:len(pre.Insts)-1]
	c.Phi.Args[1-from] = b.Op(vir.OpLeast, c.Phi.Type, c.Start)
	pre.Insts = append(pre.Insts, term)

	wait, back := fn.NewBlock(head.Name+".wait"), fn.NewBlock(head.Name+".back")
	fn.Blocks = fn.Blocks[:len(fn.Blocks)-2]
	place(fn, head, wait)
	place(fn, latch, back)

	k := slices.IndexFunc(head.Succs, f.Contains)
	body := head.Succs[k]
	head.Succs[k] = wait
	wait.Preds = []*vir.Block{head}
	latch.Succs[0] = back
	head.Preds[from] = back
	back.Preds = []*vir.Block{latch}
	body.Preds[body.PredIndex(head)] = wait
	wait.Succs = []*vir.Block{body, back}
	back.Preds = append(back.Preds, wait)
	back.Succs = []*vir.Block{head}

	b.Cur = wait
	on := b.Cmp(vir.OpIcmpSle, c.Start, c.Phi)
	b.Append(&vir.Value{Op: vir.OpBr, Args: []*vir.Value{on}})
	b.Cur = back
	for _, phi := range head.Phis() {
		if phi == c.Phi {
			continue
		}
		merged := b.Phi(phi.Type)
		merged.Name = phi.Name
		merged.Args = []*vir.Value{phi.Args[from], phi}
		phi.Args[from] = merged
	}
	c.Phi.Args[from] = b.Op(vir.OpAdd, c.Phi.Type, c.Phi, b.Int(c.Phi.Type, 1))
	b.Append(&vir.Value{Op: vir.OpJmp})
}

// place puts block b behind another one.
func place(fn *vir.Func, behind, b *vir.Block) {
	fn.Blocks = slices.Insert(fn.Blocks, slices.Index(fn.Blocks, behind)+1, b)
}
