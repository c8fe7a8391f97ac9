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
// Where an inner loop has a known number of iterations, a variable to which each of them
// adds a constant is, behind the loop, what it was before plus a constant. In the loop
// it is a function of the loop's own counter. Both is right modulo the size of the
// variable, whatever it starts with.
//
// Requires: a region as the frontend makes it. Nothing but such variables is changed.
//
// Remarks: through:Counter.
//
// Not handled: numbers of iterations that are not constant; loops that are left from
// inside, or count by steps other than 1 and -1.
package through

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run replaces the counters of inner loops that come from a loop around them, inner
// loops first.
func Run(u *pass.Unit) error {
	for i := len(loops.Find(u.Region.Fn).All) - 1; i >= 0; i-- {
		sc := scev.New(u.Region) // what was replaced before helps
		f := sc.Loops().All[i]
		c, n, ok := counted(sc, f)
		if !ok {
			continue
		}
		for _, phi := range slices.Clone(f.Header.Phis()) {
			l, start, step := sc.Inner(phi)
			if l == nil || phi == c.Phi || phi.Type != c.Phi.Type || !comesAround(f, start) || !u.Count() {
				continue
			}
			u.Note("through:Counter", phi.Pos, nil, "%s moves by %d in the loop inside", name(phi), n*step)
			replace(u.Region.Fn, f, c, phi, start, step, n)
		}
	}
	return nil
}

func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "a variable"
}

// mostTurns bounds the iterations of a loop, so that arithmetic with them is exact.
const mostTurns = 1 << 31

// counted is the count of f and its number of iterations, if that is a constant and
// nothing else ends the loop.
func counted(sc *scev.Info, f *loops.Loop) (c scev.InnerCount, turns int64, ok bool) {
	if f.Depth < 2 || len(f.Exits) != 1 || f.Exits[0].From != f.Header || len(f.Latches) != 1 || len(f.Header.Preds) != 2 {
		return c, 0, false
	}
	if cond := f.Header.Term(); cond.Op != vir.OpBr || cond.Args[0].Op.Info().Rule != vir.RuleIntCmp {
		return c, 0, false
	}
	if c, ok = sc.InnerCount(f); !ok || c.Step != 1 && c.Step != -1 {
		return c, 0, false
	}
	start, ok := sc.Invariant(c.Start)
	limit, ok2 := sc.Invariant(c.Limit)
	if !ok || !ok2 || start.Op != plan.ExprConst || limit.Op != plan.ExprConst {
		return c, 0, false
	}
	small := func(x int64) bool { return -mostTurns < x && x < mostTurns }
	if !small(start.Const) || !small(limit.Const) {
		return c, 0, false
	}
	turns = (limit.Const - start.Const) * c.Step
	if c.Cond == plan.LessEq || c.Cond == plan.GreaterEq {
		turns++
	}
	return c, max(turns, 0), true
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

// replace writes out phi, to which each of n iterations of f adds step.
func replace(fn *vir.Func, f *loops.Loop, c scev.InnerCount, phi, start *vir.Value, step, n int64) {
	var after, inside *vir.Value
	pre := f.Header.Preds[1-f.Header.PredIndex(f.Latches[0])]
	build(fn, pre, len(pre.Insts)-1, func(b *vir.Builder) {
		after = b.Op(vir.OpAdd, phi.Type, start, b.Int(phi.Type, n*step))
	})
	build(fn, f.Header, len(f.Header.Phis()), func(b *vir.Builder) {
		b.Pos = phi.Pos
		done := b.Op(vir.OpSub, phi.Type, c.Phi, c.Start)
		if k := step * c.Step; k != 1 {
			done = b.Op(vir.OpMul, phi.Type, done, b.Int(phi.Type, k))
		}
		inside = b.Op(vir.OpAdd, phi.Type, start, done)
		inside.Name = phi.Name
	})
	for v := range fn.Values {
		for i, a := range v.Args {
			switch {
			case a != phi || v.Block == nil:
			case f.Contains(v.Block):
				v.Args[i] = inside
			default:
				v.Args[i] = after
			}
		}
	}
	phi.Remove()
}

// build adds to block at a position.
func build(fn *vir.Func, block *vir.Block, at int, f func(*vir.Builder)) {
	rest := slices.Clone(block.Insts[at:])
	block.Insts = block.Insts[:at]
	b := vir.NewBuilder(fn, block)
	if len(rest) > 0 {
		b.Pos = rest[0].Pos
	}
	f(b)
	block.Insts = append(block.Insts, rest...)
}
