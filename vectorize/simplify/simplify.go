// Package simplify cleans a function up: constants are folded, equal values and
// checks merged, operations replaced by cheaper ones, unused values dropped. It
// works on scalar regions and on kernels alike and knows no target.
//
// A function is rewritten in one sweep over its blocks, repeated until nothing
// changes. Each value goes through the rules of its operation with operands that
// are simple already; what a rule builds goes through the rules again. All rules
// hold for every input bit by bit, with two liberties: the payload of a NaN, and
// poison, which a rule may replace by anything.
//
// Values and checks are shared with the blocks that dominate a block. Loads are
// shared within a block as long as nothing in between may have written their
// memory; a load behind a store to the same address takes the stored value, also
// where stores stand between that are known to be to other bytes. Vectors need
// that: one that is loaded from what several stores have written has to wait
// until they are in the cache.
//
// Float comparisons are never turned into minima: their lanes combine exactly
// only while the comparison and the choice are seen (signed zeros, NaN).
package simplify

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run simplifies the function that u works on.
func Run(u *pass.Unit) error {
	Func(u.Func(), u.Count)
	return nil
}

// maxSweeps bounds the work; two or three sweeps are usual.
const maxSweeps = 10

// Func simplifies f. count is asked before each change that a rule makes.
func Func(f *vir.Func, count func() bool) {
	dom := loops.DomTree(f) // rules leave blocks as they are
	for range maxSweeps {
		r := &rewriter{f: f, dom: dom, count: count, repl: make(map[*vir.Value]*vir.Value)}
		if changed := r.sweep(); !changed {
			return
		}
	}
}

// A rewriter is one sweep over a function.
type rewriter struct {
	f       *vir.Func
	dom     *loops.Dom
	count   func() bool
	b       *vir.Builder
	repl    map[*vir.Value]*vir.Value // what stands for a removed value
	tables  map[*vir.Block]*table
	t       *table
	old     []*vir.Value                // the block as it was
	uses    map[*vir.Value][]*vir.Value // see users; nil while nobody has asked in the block
	changed bool
	depth   int
}

func (r *rewriter) sweep() bool {
	r.tables = make(map[*vir.Block]*table)
	for _, b := range r.f.Blocks {
		r.block(b)
	}
	for v := range r.f.Values {
		r.operands(v) // phis may use what was replaced behind them
	}
	return dropUnused(r.f) || r.changed
}

func (r *rewriter) block(b *vir.Block) {
	r.t = r.tableFor(b)
	r.tables[b] = r.t
	old := b.Insts
	r.old, r.uses = old, nil
	b.Insts = make([]*vir.Value, 0, len(old))
	r.b = vir.NewBuilder(r.f, b)
	for _, v := range old {
		r.operands(v)
		r.b.Pos = v.Pos
		if w := r.value(v); w != v {
			r.changed = true
			if w != nil {
				r.repl[v] = w
				if w.Name == "" {
					w.Name = v.Name
				}
			}
		}
	}
}

// fills reports whether other fields of the element that v stores to are stored in the block: with all of them
// lanes store whole registers, and need no masks.
func (r *rewriter) fills(v *vir.Value) bool {
	return v.Index() != nil && slices.ContainsFunc(r.old, func(w *vir.Value) bool {
		return w != v && w.Op.IsStore() && boolean.Under(v, w) && w.Base() == v.Base() && w.Index() == v.Index() && w.Scale == v.Scale && w.Disp != v.Disp && max(w.Disp-v.Disp, v.Disp-w.Disp) < v.Scale
	})
}

func (r *rewriter) operands(v *vir.Value) {
	for i, a := range v.Args {
		v.Args[i] = r.now(a)
	}
}

// value places v, or what stands for it, at the end of the block; nil when
// nothing needs to stand for it.
func (r *rewriter) value(v *vir.Value) *vir.Value {
	switch {
	case v.Op == vir.OpPhi:
		if w := samePhi(v); w != nil && r.count() {
			return w
		}
	case v.Op.Info().Term:
	case v.Op.IsCheck():
		never := v.Op == vir.OpExit && isBits(v.Args[0], 0)
		if (never || r.t.checked(v)) && r.count() {
			return nil
		}
		r.t.addCheck(v)
	case v.Op.IsStore():
		if r.t.holds(v) && !r.fills(v) && r.count() {
			return nil
		}
		r.t.store(v)
	case v.Op.IsLoad():
		if w := r.t.load(v); w != nil && r.count() {
			return w
		}
		if w := r.content(v); w != nil && r.count() {
			return w
		}
	case v.Op == vir.OpIter:
	default:
		return r.pure(v)
	}
	r.place(v)
	return v
}

// pure handles operations without effect: rules, then sharing.
func (r *rewriter) pure(v *vir.Value) *vir.Value {
	if v.Op.Info().Commutative {
		order(v)
	}
	if r.depth < 20 {
		r.depth++
		w := r.rule(v)
		r.depth--
		if w != nil && r.count() {
			return w
		}
	}
	k := keyOf(v)
	if w := r.t.values[k]; w != nil {
		return w
	}
	r.t.values[k] = v
	r.place(v)
	return v
}

func (r *rewriter) place(v *vir.Value) {
	v.Block = r.b.Cur
	r.b.Cur.Insts = append(r.b.Cur.Insts, v)
}

// order puts constants second and otherwise older values first.
func order(v *vir.Value) {
	x, y := v.Args[0], v.Args[1]
	cx, cy := x.Op == vir.OpConst, y.Op == vir.OpConst
	if cx && !cy || cx == cy && x.ID() > y.ID() {
		v.Args = []*vir.Value{y, x}
	}
}

// samePhi is the value that all operands of phi v have, besides v itself.
func samePhi(v *vir.Value) *vir.Value {
	var w *vir.Value
	for _, a := range v.Args {
		switch {
		case a == v || a == w:
		case w == nil && a.Op == vir.OpParam:
			w = a
		default:
			return nil
		}
	}
	if v.Block == v.Block.Func.Blocks[min(1, len(v.Block.Func.Blocks)-1)] {
		return nil // the header of a region keeps its phis
	}
	return w
}

// dropUnused removes values that nobody needs and reports whether there were any.
func dropUnused(f *vir.Func) bool {
	var kept []*vir.Value
	for v := range f.Values {
		if keptPhi(f, v) {
			kept = append(kept, v)
		}
	}
	return edit.Sweep(f, kept...)
}

// keptPhi reports whether v is a phi that the shape of a region asks for.
func keptPhi(f *vir.Func, v *vir.Value) bool {
	return v.Op == vir.OpPhi && len(f.Blocks) > 1 && v.Block == f.Blocks[1]
}
