package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// bounds takes out checks of subscripts that walk with the iterations of the loop: the caller knows for how many
// iterations they pass.
func (m *maker) bounds() error {
	if m.r.Once {
		return nil
	}
	var passed []*vir.Value
	dom := loops.DomTree(m.f)
	for n, b := range m.r.Fn.Blocks { // those of m.f are the same, still
		if !inEach(m.loop, m.forest, dom, m.f.Blocks[n]) {
			continue
		}
		for k, v := range b.Insts {
			if m.walks(v) {
				passed = append(passed, m.f.Blocks[n].Insts[k])
			}
		}
	}
	for _, v := range passed {
		v.Remove()
	}
	return nil
}

// inEach reports whether each turn of loop l does block b, once.
func inEach(l *loops.Loop, forest *loops.Forest, dom *loops.Dom, b *vir.Block) bool {
	return forest.Of(b) == l && dom.Dominates(b, l.Latches[0])
}

// walks reports whether v, of the region as it was, is a check that bounds of the kernel say passes, and adds them.
func (m *maker) walks(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex || v.Masked || always(v) {
		return false
	}
	at, ok := m.sc.Affine(v.Args[0])
	n, ok2 := m.sc.Invariant(v.Args[1])
	if !ok || !ok2 || slices.ContainsFunc(at.Wrap, func(b plan.Bound) bool { return b.Recurs != plan.Once }) {
		return false
	}
	for _, b := range append(at.Wrap, plan.Bound{Start: at.Start, Step: at.Step, Lo: plan.Const(0), Hi: n}) {
		m.k.Bounds = m.sc.Add(m.k.Bounds, b)
	}
	return true
}
