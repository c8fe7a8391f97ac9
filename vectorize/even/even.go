// Package even takes the rows of a slice of slices to be of one length, that of the first row that a
// call works on, so that lanes of different rows leave a loop along them together:
//
//	                                         n := len(m[first])
//	for i := range m {                       for i := range m {
//		for j := range m[i] {       ==>          check len(m[i]) == n
//			s += m[i][j]                         for j := range n { s += m[i][j] }
//		}                                    }
//	}
//
// A block with another row is handed over by the kernel: scalar code does it, whatever its lengths.
//
// Requires: a region as the frontend makes it. Only lengths are looked at that end a loop inside, and that each iteration
// loads from an element of a parameter by its own counter.
//
// Remarks: even:Rows.
//
// Not handled: rows of arrays of slices and of structs of slices in inner loops of their own; loops along a part of a row.
package even

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run rewrites the lengths.
func Run(u *pass.Unit) error {
	for _, n := range find(u.Region) {
		if u.Count() {
			u.Note("even:Rows", n.end.Pos, nil, "rows that are as long as the first one are done together")
			n.rewrite(u.Region.Fn)
		}
	}
	return nil
}

// Applies reports whether there is anything to do in r.
func Applies(r *plan.Region) bool { return len(find(r)) > 0 }

// A length is loaded by each iteration, and ends a loop inside.
type length struct {
	load, end *vir.Value
	dom       *loops.Dom
}

// find are the lengths of r, each of them once.
func find(r *plan.Region) (all []length) {
	sc := scev.New(r)
	if len(sc.Loops().All) < 2 {
		return nil
	}
	dom := loops.DomTree(r.Fn)
	for _, f := range sc.Loops().All {
		term := f.Header.Term()
		if f.Depth < 2 || term.Op != vir.OpBr || term.Args[0].Op.Info().Rule != vir.RuleIntCmp {
			continue
		}
		for _, v := range term.Args[0].Args {
			if sc.Depth(v) > 0 || !isLength(sc, v) || !always(sc, dom, v) {
				continue
			}
			if !slices.ContainsFunc(all, func(n length) bool { return same(n.load, v) }) {
				all = append(all, length{v, term, dom})
			}
		}
	}
	return all
}

// isLength reports whether v is the length of a slice, the element of a parameter that the counter of the region chooses.
func isLength(sc *scev.Info, v *vir.Value) bool {
	if v.Op != vir.OpLoad || v.Type != vir.Scalar(vir.I64) || v.Masked || v.Base().Op != vir.OpParam || v.Index() == nil || !followsPointer(v) {
		return false
	}
	a, ok := sc.Affine(v.Index())
	return ok && a.Step != 0 && v.Index().Op == vir.OpPhi && v.Index().Block == header(v.Block.Func)
}

func header(f *vir.Func) *vir.Block { return f.Entry().Succs[0] }

// followsPointer reports whether a pointer is loaded from the word in front of v, as in the header of a slice.
func followsPointer(v *vir.Value) bool {
	for w := range v.Block.Func.Values {
		if w.Op == vir.OpLoad && w.Type.Elem == vir.Ptr && w.Base() == v.Base() && w.Index() == v.Index() && w.Scale == v.Scale && w.Disp == v.Disp-8 {
			return true
		}
	}
	return false
}

// always reports whether each iteration that is not left before makes v.
func always(sc *scev.Info, dom *loops.Dom, v *vir.Value) bool {
	return !slices.ContainsFunc(sc.Loops().All[0].Latches, func(b *vir.Block) bool { return !dom.Dominates(v.Block, b) })
}

func same(v, w *vir.Value) bool {
	return v.Op == w.Op && v.Type == w.Type && v.Base() == w.Base() && v.Index() == w.Index() && v.Scale == w.Scale && v.Disp == w.Disp && !v.Masked && !w.Masked
}

// rewrite loads the length of the first row as well, which is what that of each row has to be.
func (n length) rewrite(fn *vir.Func) {
	v, i := n.load, n.load.Index()
	one := fn.CopyValue(v)
	one.Args[slices.Index(one.Args, i)] = i.Args[i.Block.PredIndex(fn.Entry())]
	other := fn.NewValue(vir.OpIcmpNe, vir.Scalar(vir.Bool), v, one)
	check := fn.NewValue(vir.OpCheckRare, vir.Type{}, other)
	for w := range fn.Values {
		for k, a := range w.Args {
			if w != other && a.Block != nil && same(a, v) && n.dom.Dominates(v.Block, a.Block) {
				w.Args[k] = one
			}
		}
	}
	at := slices.Index(v.Block.Insts, v) + 1
	for k, x := range []*vir.Value{one, other, check} {
		x.Block, x.Pos = v.Block, v.Pos
		v.Block.Insts = slices.Insert(v.Block.Insts, at+k, x)
	}
}
