// Package hoist brings the bodies of nests into a better order. What an inner loop computes anew in
// each turn, and always alike, goes in front of it:
//
//	for j := range n {                  row := i * n
//		s += a[i*n+j]          ==>      for j := range n {
//	}                                       s += a[row+j]
//
// Checks go before all loads of their block that they do not need, up to a store or an exit, so that loads may
// be made together, where the first of them stands:
//
//	check %i; load [%a + %i]            check %i; check %k
//	check %k; load [%a + %k]   ==>      load [%a + %i]; load [%a + %k]
//
// A check that fails hands the block of iterations over; whatever it comes before is done again.
//
// Requires: a region behind if-conversion, so that an inner loop is entered from one block.
// Loads, comparisons and divisions stay in loops, see edit.Invariant.
//
// Not handled: sums of which only a part can be moved after changing their order.
package hoist

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run goes from inner loops to outer ones, so that what depends on neither leaves both.
func Run(u *pass.Unit) error {
	forest := loops.Find(u.Region.Fn)
	if len(forest.All) < 2 {
		return nil
	}
	invariants(u, forest)
	for _, b := range u.Region.Fn.Blocks {
		checksFirst(u, b)
	}
	return nil
}

func invariants(u *pass.Unit, forest *loops.Forest) {
	for _, f := range slices.Backward(forest.All) {
		if f.Depth < 2 || len(f.Header.Preds) != 2 || len(f.Latches) != 1 {
			continue
		}
		pre := f.Header.Preds[1-f.Header.PredIndex(f.Latches[0])]
		outside := func(v *vir.Value) bool { return v.Block == nil || !f.Contains(v.Block) }
		for _, b := range f.Blocks { // operands come before what needs them
			for _, v := range slices.Clone(b.Insts) {
				if edit.Invariant(v, outside) && u.Count() {
					edit.Move(v, pre)
				}
			}
		}
	}
}

// checksFirst puts the checks of each part of b, with what they need, before the rest of it.
func checksFirst(u *pass.Unit, b *vir.Block) {
	var out []*vir.Value
	for rest := b.Insts; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(v *vir.Value) bool { return v.Op.IsStore() || v.Op == vir.OpExit || v.Op.Info().Term }) + 1
		out = append(out, sorted(u, rest[:n])...)
		rest = rest[n:]
	}
	b.Insts = out
}

// sorted is a part of a block with its checks first. What ends the part stays there.
func sorted(u *pass.Unit, part []*vir.Value) []*vir.Value {
	last := -1 // check that stands behind a load
	loaded := false
	for i, v := range part {
		loaded = loaded || v.Op.IsLoad()
		if v.Op.IsCheck() && loaded && i < len(part)-1 {
			last = i
		}
	}
	if last < 0 || !u.Count() {
		return part
	}
	first := make(map[*vir.Value]bool)
	for _, v := range slices.Backward(part[:last+1]) {
		if v.Op.IsCheck() || v.Op == vir.OpPhi || v.Op == vir.OpIter {
			first[v] = true
		}
		if first[v] {
			for _, a := range v.Args {
				first[a] = true
			}
		}
	}
	var ahead, behind []*vir.Value
	for _, v := range part {
		if first[v] {
			ahead = append(ahead, v)
		} else {
			behind = append(behind, v)
		}
	}
	return append(ahead, behind...)
}
