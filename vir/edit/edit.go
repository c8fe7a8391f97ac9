// Package edit has the small changes that transformations of functions are made of:
// blocks are inserted, split and merged, values moved or dropped. None of them changes
// what a function does. The package knows vir; it must not know regions, loops or plans.
package edit

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// InsertBlock makes an empty block, which nothing leads to yet, behind another one in
// the order of blocks. Its name is made unique.
func InsertBlock(behind *vir.Block, name string) *vir.Block {
	f := behind.Func
	for base, i := name, 2; f.Block(name) != nil; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	b := &vir.Block{Name: name, Func: f}
	f.Blocks = slices.Insert(f.Blocks, slices.Index(f.Blocks, behind)+1, b)
	return b
}

// Split drops instruction i of b, a check say, and moves what follows it into a block of
// its own, which it returns. b has no terminator afterwards.
func Split(b *vir.Block, i int) *vir.Block {
	rest := InsertBlock(b, b.Name+"_rest")
	rest.Insts = slices.Clone(b.Insts[i+1:])
	for _, v := range rest.Insts {
		v.Block = rest
	}
	b.Insts = b.Insts[:i:i]
	rest.Succs, b.Succs = b.Succs, nil
	for _, s := range rest.Succs {
		for k, p := range s.Preds {
			if p == b {
				s.Preds[k] = rest
			}
		}
	}
	return rest
}

// Ahead runs build with the builder at the end of blk, in front of its terminator.
func Ahead(b *vir.Builder, blk *vir.Block, build func()) { at(b, blk, len(blk.Insts)-1, build) }

// InFront runs build with the builder in front of v.
func InFront(b *vir.Builder, v *vir.Value, build func()) {
	at(b, v.Block, slices.Index(v.Block.Insts, v), build)
}

// at runs build with the builder in front of instruction i of blk.
func at(b *vir.Builder, blk *vir.Block, i int, build func()) {
	rest := slices.Clone(blk.Insts[i:])
	blk.Insts = blk.Insts[:i:i]
	b.Cur = blk
	build()
	blk.Insts = append(blk.Insts, rest...)
}

// Move puts v in front of the terminator of b, which its operands must reach.
func Move(v *vir.Value, b *vir.Block) {
	if v.Block != nil {
		v.Remove()
	}
	v.Block = b
	b.Insts = slices.Insert(b.Insts, len(b.Insts)-1, v)
}

// Before puts v, which stands in no block, in front of w.
func Before(v, w *vir.Value) {
	v.Block = w.Block
	w.Block.Insts = slices.Insert(w.Block.Insts, slices.Index(w.Block.Insts, w), v)
}

// Passes builds the condition under which check v of operands x, scalar or in lanes and
// without a mask, does not panic or leave the loop.
func Passes(b *vir.Builder, v *vir.Value, x []*vir.Value) *vir.Value {
	switch v.Op {
	case vir.OpCheckIndex:
		return b.Cmp(vir.OpIcmpUlt, x[0], x[1]) // lengths are not negative
	case vir.OpCheckShift:
		return b.Cmp(vir.OpIcmpSle, b.Const(x[0].Type, 0), x[0])
	case vir.OpExit, vir.OpCheckRare:
		return b.Op(vir.OpNot, x[0].Type, x[0])
	}
	return b.Cmp(vir.OpIcmpNe, x[0], b.Const(x[0].Type, 0))
}

// Divides reports whether op has no result for some operands.
func Divides(op vir.Op) bool { return vir.OpSdiv <= op && op <= vir.OpUrem }

// Hoist moves to the entry what is computed from parameters and constants alone.
// Loads stay, and divisions: what comes first may be what makes them harmless.
// Comparisons stay where they become branches, and so do the bits of a number that are compared
// with 0: that is one instruction.
func Hoist(f *vir.Func) {
	entry, tested := f.Entry(), testedBits(f)
	known := func(v *vir.Value) bool { return v.Block == nil || v.Block == entry }
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, v := range slices.Clone(b.Insts) {
				if b != entry && !tested[v] && Invariant(v, known) {
					Move(v, entry)
					changed = true
				}
			}
		}
	}
}

// testedBits are the bits of numbers, by a constant, that nobody asks for but whether there are any.
func testedBits(f *vir.Func) map[*vir.Value]bool {
	tested := make(map[*vir.Value]bool)
	for v, uses := range f.Uses() {
		if v == nil || v.Op != vir.OpAnd || v.Type.IsVector() || !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return a.Op == vir.OpConst }) {
			continue
		}
		tested[v] = !slices.ContainsFunc(uses, func(u *vir.Value) bool {
			zero, ok := u.Args[len(u.Args)-1].ConstInt()
			return u.Op != vir.OpIcmpNe && u.Op != vir.OpIcmpEq || !ok || zero != 0
		})
	}
	return tested
}

// Invariant reports whether v may be computed once, from operands that are known.
func Invariant(v *vir.Value, known func(*vir.Value) bool) bool {
	i := v.Op.Info()
	if v.Op == vir.OpPhi || i.Effect || i.Term || v.Op.IsLoad() || Divides(v.Op) || i.Rule == vir.RuleIntCmp || i.Rule == vir.RuleFloatCmp {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !known(a) })
}

// Merge joins blocks of which one is the only way to the other, and drops those that
// nothing leads to.
func Merge(f *vir.Func) {
	Drop(f)
	for i := 0; i < len(f.Blocks); {
		b := f.Blocks[i]
		if len(b.Succs) != 1 || len(b.Succs[0].Preds) != 1 || b.Succs[0] == b || b.Succs[0] == f.Entry() {
			i++
			continue
		}
		Join(b, b.Succs[0])
		i = 0
	}
}

// Join appends s to b, its only predecessor, whose only successor it is.
func Join(b, s *vir.Block) {
	f := b.Func
	replacePhis(s)
	b.Insts = append(b.Insts[:len(b.Insts)-1:len(b.Insts)-1], s.Insts...)
	for _, v := range s.Insts {
		v.Block = b
	}
	b.Succs = s.Succs
	for _, to := range b.Succs {
		for k, p := range to.Preds {
			if p == s {
				to.Preds[k] = b
			}
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(x *vir.Block) bool { return x == s })
}

// Decide lets b go on where its branch does if the condition holds, or does not. Phis of the other way have
// an operand less, maybe none.
func Decide(b *vir.Block, holds bool) {
	to, other := b.Succs[0], b.Succs[1]
	if !holds {
		to, other = other, to
	}
	k := other.PredIndex(b)
	other.Preds = slices.Delete(other.Preds, k, k+1)
	for _, phi := range other.Phis() {
		phi.Args = slices.Delete(phi.Args, k, k+1)
	}
	t := b.Term()
	t.Op, t.Args, b.Succs = vir.OpJmp, nil, []*vir.Block{to}
}

// Fold decides the branches of f on constants. What is left are the blocks that are reached, each by itself, and phis
// that join something.
func Fold(f *vir.Func) {
	FoldBy(f, func(b *vir.Block) (holds, ok bool) {
		bits, ok := b.Term().Args[0].IsConst()
		return bits&1 != 0, ok
	})
}

// FoldBy is Fold for the branches that way knows the outcome of. It reports whether there are any.
func FoldBy(f *vir.Func, way func(b *vir.Block) (holds, ok bool)) (any bool) {
	for _, b := range f.Blocks {
		if b.Term().Op != vir.OpBr || b.Succs[0] == b.Succs[1] {
			continue
		}
		if holds, ok := way(b); ok {
			Decide(b, holds)
			any = true
		}
	}
	Drop(f)
	DropSingles(f.Blocks)
	return any
}

// DropSingles replaces the phis of those blocks that one block alone leads to.
func DropSingles(blocks []*vir.Block) {
	for _, b := range blocks {
		if len(b.Preds) == 1 {
			replacePhis(b)
		}
	}
}

// replacePhis replaces the phis of b, which have one operand.
func replacePhis(b *vir.Block) {
	for _, phi := range slices.Clone(b.Phis()) {
		b.Func.ReplaceUses(phi, phi.Args[0])
		phi.Remove()
	}
}

// Drop drops blocks that the entry does not reach.
func Drop(f *vir.Func) {
	reached := make(map[*vir.Block]bool)
	work := []*vir.Block{f.Entry()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !reached[b] {
			reached[b] = true
			work = append(work, b.Succs...)
		}
	}
	for _, b := range f.Blocks {
		for k := len(b.Preds) - 1; k >= 0; k-- {
			if reached[b] && !reached[b.Preds[k]] {
				b.Preds = slices.Delete(b.Preds, k, k+1)
				for _, phi := range b.Phis() {
					phi.Args = slices.Delete(phi.Args, k, k+1)
				}
			}
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *vir.Block) bool { return !reached[b] })
}

// Sweep drops values that nothing with an effect needs, nor any of keep; phis of all
// blocks included. It reports whether there were any.
func Sweep(f *vir.Func, keep ...*vir.Value) bool {
	needed := make([]bool, f.NumIDs()) // by ID
	work := slices.Clone(keep)
	for _, v := range keep {
		needed[v.ID()] = true
	}
	for v := range f.Values {
		if v.Op.Info().Effect {
			needed[v.ID()] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			if !needed[a.ID()] {
				needed[a.ID()] = true
				work = append(work, a)
			}
		}
	}
	dropped := false
	for _, b := range f.Blocks {
		n := len(b.Insts)
		b.Insts = slices.DeleteFunc(b.Insts, func(v *vir.Value) bool { return !needed[v.ID()] })
		dropped = dropped || len(b.Insts) < n
	}
	return dropped
}
