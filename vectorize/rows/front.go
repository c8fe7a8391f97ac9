package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// front makes tests of rows that are the same for all of them once, in front of the first one:
//
//	entry:  br rows have iterations, ok, none
//	ok:     br they are not too long, header, none
//	none:   ret 0, variables as they were
//
// A call that would stop before its first row, or has rows of no iterations only, does nothing.
func (j *joiner) front(exit *vir.Block) {
	entry, header := j.fn().Entry(), j.outerHeader()
	at := header.PredIndex(entry)
	var none *vir.Block
	for _, b := range slices.Clone(j.fn().Blocks) {
		t := b.Term()
		if t.Op != vir.OpBr || b.Succs[1] != exit && b.Succs[1] != j.idle || !j.asked[t.Args[0]] || !alike(t.Args[0], entry) {
			continue
		}
		if none == nil {
			none = j.none(exit, at)
		}
		c := t.Args[0]
		edit.Decide(b, true)
		edit.DropSingles(j.fn().Blocks)
		c.Remove()
		last := header.Preds[at]
		jmp := last.Term()
		jmp.Remove()
		j.b.Cur, j.b.Pos = last, c.Pos
		next := edit.InsertBlock(last, "ok")
		last.Succs = nil
		j.b.Append(c)
		j.b.Br(c, next, none)
		j.b.Cur = next
		j.b.Append(jmp)
		next.Succs, header.Preds[at] = []*vir.Block{header}, next
	}
	edit.Drop(j.fn())
}

// alike reports whether test c is the same for all rows.
func alike(c *vir.Value, entry *vir.Block) bool {
	return c.Op.Info().Rule == vir.RuleIntCmp && !slices.ContainsFunc(c.Args, func(a *vir.Value) bool { return a.Block != nil && a.Block != entry })
}

// none is a block that ends a call before its first row. Operand at of phis is what variables are before the call.
func (j *joiner) none(exit *vir.Block, at int) *vir.Block {
	results := slices.Clone(exit.Term().Args)
	b := edit.InsertBlock(exit, "none")
	for i, r := range results {
		if r.Op == vir.OpPhi && r.Block == j.outerHeader() {
			results[i] = r.Args[at]
		}
	}
	j.b.Cur = b
	j.b.Ret(results...)
	return b
}
