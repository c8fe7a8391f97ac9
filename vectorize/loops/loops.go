package loops

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A Loop is a natural loop: the blocks from which a back edge to the header can
// be reached without passing the header.
type Loop struct {
	Header   *vir.Block
	Latches  []*vir.Block // sources of back edges, in reverse post-order
	Blocks   []*vir.Block // in reverse post-order, header first
	Exits    []Edge       // edges that leave the loop, in order of their source
	Parent   *Loop        // nil for an outermost loop
	Children []*Loop
	Depth    int // 1 for an outermost loop

	has map[*vir.Block]bool
}

// An Edge leads from a block to a successor.
type Edge struct{ From, To *vir.Block }

// Contains reports whether b is a block of l or of a loop inside it.
func (l *Loop) Contains(b *vir.Block) bool { return l.has[b] }

// EndsAtHeader reports whether l is left where its header says so, and nowhere else.
func (l *Loop) EndsAtHeader() bool { return len(l.Exits) == 1 && l.Exits[0].From == l.Header }

// OnlyReads reports whether l stores nothing and is not left on the way.
func (l *Loop) OnlyReads() bool {
	return !slices.ContainsFunc(l.Blocks, func(b *vir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(v *vir.Value) bool { return v.Op.IsStore() || v.Op == vir.OpExit })
	})
}

// A Forest is all natural loops of a function.
type Forest struct {
	Top []*Loop // outermost loops
	All []*Loop // every loop, an outer one before those inside it
	// Irreducible says that some cycle has no header that dominates it. Such a
	// cycle is no natural loop and not listed.
	Irreducible bool

	innermost map[*vir.Block]*Loop
}

// Of is the innermost loop that b is in, nil when there is none.
func (f *Forest) Of(b *vir.Block) *Loop { return f.innermost[b] }

// Find finds the natural loops of f. Several back edges to one header make one
// loop.
func Find(f *vir.Func) *Forest {
	dom := DomTree(f)
	order := RPO(f)
	num := make(map[*vir.Block]int, len(order))
	for i, b := range order {
		num[b] = i
	}
	forest := &Forest{innermost: make(map[*vir.Block]*Loop)}
	for _, h := range order {
		var latches []*vir.Block
		for _, p := range h.Preds {
			n, reached := num[p]
			switch {
			case !reached || n < num[h]:
			case dom.Dominates(h, p):
				latches = append(latches, p)
			default:
				// A retreating edge whose target does not dominate its source
				// enters a cycle from the side.
				forest.Irreducible = true
			}
		}
		if latches != nil {
			slices.SortFunc(latches, func(a, b *vir.Block) int { return num[a] - num[b] })
			forest.add(body(h, slices.Compact(latches), num, dom))
		}
	}
	return forest
}

// body collects what reaches the latches without passing the header.
func body(h *vir.Block, latches []*vir.Block, num map[*vir.Block]int, dom *Dom) *Loop {
	l := &Loop{Header: h, Latches: latches, Blocks: []*vir.Block{h}, has: map[*vir.Block]bool{h: true}}
	work := slices.Clone(latches)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.has[b] && dom.Has(b) {
			l.has[b] = true
			l.Blocks = append(l.Blocks, b)
			work = append(work, b.Preds...)
		}
	}
	slices.SortFunc(l.Blocks, func(a, b *vir.Block) int { return num[a] - num[b] })
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if !l.has[s] {
				l.Exits = append(l.Exits, Edge{b, s})
			}
		}
	}
	return l
}

// add puts l under the loop that its header is in. Headers come in reverse
// post-order, so every loop around l is there already.
func (f *Forest) add(l *Loop) {
	l.Parent = f.innermost[l.Header]
	l.Depth = 1
	if l.Parent != nil {
		l.Depth = l.Parent.Depth + 1
		l.Parent.Children = append(l.Parent.Children, l)
	} else {
		f.Top = append(f.Top, l)
	}
	f.All = append(f.All, l)
	for _, b := range l.Blocks {
		f.innermost[b] = l
	}
}
