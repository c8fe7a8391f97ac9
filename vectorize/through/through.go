// Package through makes inductions of counters that run through two loops:
//
//	k := 0                                k := 0
//	for i := range n {                    for i := range n {
//		for j := 1; j < 64; j++ {             for j := 1; j < 64; j++ {
//			b[j][i] += a[k]          ==>          b[j][i] += a[k + (j-1)]
//			k++                               }
//		}                                     k = k + 63 + 1
//		k++                               }
//	}
//
// Where an inner loop has the same number of iterations each time, a variable to which each of them
// adds a constant is, behind the loop, what it was before plus a number that stays. In the loop
// it is a function of the loop's own counter. Both is right modulo the size of the
// variable, whatever it starts with. Variables that move by what is known before the loop only, these or others, become
// products with the counter.
//
// Requires: a region as the frontend makes it. Nothing but such variables is changed.
//
// Remarks: through:Counter.
//
// Not handled: numbers of iterations that depend on the loop around; loops that are left from
// inside, or count by steps other than 1 and -1.
package through

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run replaces the counters of inner loops that come from a loop around them, inner
// loops first.
func Run(u *pass.Unit) error {
	for i := len(loops.Find(u.Region.Fn).All) - 1; i >= 0; i-- {
		sc := scev.New(u.Region) // what was replaced before helps
		f := sc.Loops().All[i]
		c, ok := counted(sc, f)
		if !ok {
			continue
		}
		n := turns(sc, c)
		for _, phi := range slices.Clone(f.Header.Phis()) {
			l, start, step := sc.Inner(phi)
			if l == nil || phi == c.Phi || phi.Type != c.Phi.Type || !comesAround(f, start) || !u.Count() {
				continue
			}
			by := scev.Simplify(plan.Mul(n, plan.Const(step)))
			how := "the same each time"
			if by.Op == plan.ExprConst {
				how = fmt.Sprintf("by %d", by.Const)
			}
			u.Note("through:Counter", phi.Pos, nil, "%s moves %s in the loop inside", name(phi), how)
			replace(u.Region.Fn, f, c, phi, start, step, by)
		}
	}
	formulas(u.Region)
	return nil
}

// formulas makes products with the region's counter of variables that move by a number that stays and is no constant: k is
// what it was when the first iteration began, and that number for each one since.
func formulas(r *plan.Region) {
	sc := scev.New(r)
	main := sc.Main()
	if main == nil {
		return
	}
	a, ok := sc.Affine(main)
	if !ok || a.Step != 1 && a.Step != -1 || main.Type != vir.Scalar(vir.I64) {
		return
	}
	around, header := sc.Loops().All[0], r.Fn.Blocks[1]
	entry := header.PredIndex(r.Fn.Entry())
	for _, phi := range header.Phis() {
		e, ok := sc.Evolution(phi)
		if !ok || e.StepExpr == nil || phi.Type != main.Type || len(header.Preds) != 2 {
			continue
		}
		b := vir.NewBuilder(r.Fn, nil)
		b.Pos = phi.Pos
		var by, now *vir.Value
		edit.Ahead(b, r.Fn.Entry(), func() { by = e.StepExpr.EmitOver(b, r.Fn.Params) })
		edit.InFront(b, header.Insts[len(header.Phis())], func() {
			done := b.Same(vir.OpSub, main, main.Args[entry])
			if a.Step < 0 {
				done = b.Same(vir.OpNeg, done)
			}
			now = b.Same(vir.OpAdd, phi.Args[entry], b.Same(vir.OpMul, done, by))
			now.Name = phi.Name
		})
		useIn(r.Fn, around, phi, now)
		edit.Ahead(b, header.Preds[1-entry], func() { phi.Args[1-entry] = b.Same(vir.OpAdd, now, by) })
	}
}

func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "a variable"
}

// mostTurns bounds the iterations of a loop, so that arithmetic with them is exact.
const mostTurns = 1 << 31

// counted is the count of f if it starts and ends with numbers that stay the same in all loops around it, and
// nothing else ends the loop.
func counted(sc *scev.Info, f *loops.Loop) (c scev.InnerCount, ok bool) {
	if f.Depth < 2 || !f.EndsAtHeader() || len(f.Latches) != 1 || len(f.Header.Preds) != 2 {
		return c, false
	}
	if cond := f.Header.Term(); cond.Op != vir.OpBr || cond.Args[0].Op.Info().Rule != vir.RuleIntCmp {
		return c, false
	}
	if c, ok = sc.InnerCount(f); !ok || c.Step != 1 && c.Step != -1 {
		return c, false
	}
	start, ok := sc.Invariant(c.Start)
	limit, ok2 := sc.Invariant(c.Limit)
	far := func(x *plan.Expr) bool {
		return x.Op == plan.ExprConst && (x.Const <= -mostTurns || mostTurns <= x.Const)
	}
	return c, ok && ok2 && !far(start) && !far(limit)
}

// turns is the number of iterations that c counts.
func turns(sc *scev.Info, c scev.InnerCount) *plan.Expr {
	from, _ := sc.Invariant(c.Start)
	to, _ := sc.Invariant(c.Limit)
	if c.Step < 0 {
		from, to = to, from
	}
	if c.Cond == plan.LessEq || c.Cond == plan.GreaterEq {
		to = plan.Add(to, plan.Const(1))
	}
	return scev.Simplify(plan.Mul(plan.IsLess(from, to), plan.Sub(to, from)))
}

// comesAround reports whether v is a variable of a loop around f, but for a constant.
func comesAround(f *loops.Loop, v *vir.Value) bool {
	for v.Op == vir.OpAdd || v.Op == vir.OpSub {
		x := v.Args[0]
		if _, ok := v.Args[1].IsConst(); !ok {
			x = v.Args[1]
			if _, ok := v.Args[0].IsConst(); !ok || v.Op == vir.OpSub {
				return false
			}
		}
		v = x
	}
	for l := f.Parent; l != nil; l = l.Parent {
		if v.Op == vir.OpPhi && v.Block == l.Header {
			return true
		}
	}
	return false
}

// replace writes out phi, to which each iteration of f adds step, and all of them what by says.
func replace(fn *vir.Func, f *loops.Loop, c scev.InnerCount, phi, start *vir.Value, step int64, by *plan.Expr) {
	b := vir.NewBuilder(fn, nil)
	b.Pos = phi.Pos
	var all, after, inside *vir.Value
	if by.Op != plan.ExprConst { // known where the region begins
		edit.Ahead(b, fn.Entry(), func() { all = by.EmitOver(b, fn.Params) })
	}
	edit.Ahead(b, f.Header.Preds[1-f.Header.PredIndex(f.Latches[0])], func() {
		if all == nil {
			all = b.Int(phi.Type, by.Const)
		}
		after = b.Same(vir.OpAdd, start, all)
	})
	edit.InFront(b, f.Header.Insts[len(f.Header.Phis())], func() {
		done := b.Same(vir.OpSub, c.Phi, c.Start)
		if k := step * c.Step; k != 1 {
			done = b.Same(vir.OpMul, done, b.Int(phi.Type, k))
		}
		inside = b.Same(vir.OpAdd, start, done)
		inside.Name = phi.Name
	})
	useIn(fn, f, phi, inside)
	fn.ReplaceUses(phi, after)
	phi.Remove()
}

// useIn has x used in l in place of phi.
func useIn(fn *vir.Func, l *loops.Loop, phi, x *vir.Value) {
	for v := range fn.Values {
		for i, a := range v.Args {
			if a == phi && l.Contains(v.Block) {
				v.Args[i] = x
			}
		}
	}
}
