package regalloc

import (
	"math/bits"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
)

// A set is a bit set of nodes.
type set []uint64

func (s set) has(n node) bool { return s[n/64]&(1<<(n%64)) != 0 }
func (s set) add(n node)      { s[n/64] |= 1 << (n % 64) }
func (s set) remove(n node)   { s[n/64] &^= 1 << (n % 64) }

// each calls f for every member in increasing order.
func (s set) each(f func(node)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(node(64*i + bits.TrailingZeros64(w)))
		}
	}
}

// Marks tell nodes that have been seen since the last start.
type marks struct {
	at    []int32 // the start at which a node was seen last
	count int32
}

func newMarks(size int) *marks { return &marks{at: make([]int32, size)} }

func (m *marks) start() { m.count++ }

// first notes n and reports whether it is new.
func (m *marks) first(n node) bool {
	old := m.at[n]
	m.at[n] = m.count
	return old != m.count
}

// A liveness is the solution of the equations
//
//	out(b) = union of in(s) over successors s of b
//	in(b)  = uses before any definition, plus out(b) without definitions
type liveness struct {
	size int
	in   map[*machine.Block]set
	out  map[*machine.Block]set
}

func newLiveness(f *machine.Func) *liveness {
	l := &liveness{size: numNodes(f), in: map[*machine.Block]set{}, out: map[*machine.Block]set{}}
	for _, b := range f.Blocks {
		l.in[b], l.out[b] = l.newSet(), l.newSet()
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			changed = l.update(f.Blocks[i]) || changed
		}
	}
	return l
}

func (l *liveness) newSet() set { return make(set, (l.size+63)/64) }

// update recomputes out and in of b and reports whether in grew.
func (l *liveness) update(b *machine.Block) bool {
	out := l.out[b]
	for _, s := range b.Succs() {
		for i, w := range l.in[s] {
			out[i] |= w
		}
	}
	live := append(set(nil), out...)
	all := b.All()
	for i := len(all) - 1; i >= 0; i-- {
		step(live, all[i])
	}
	changed := false
	for i, w := range live {
		if l.in[b][i] != w {
			l.in[b][i] = w
			changed = true
		}
	}
	return changed
}

// step moves live from behind an instruction to before it.
func step(live set, i *machine.Inst) {
	for _, r := range i.Defs {
		live.remove(nodeOf(r))
	}
	for _, r := range i.Uses {
		live.add(nodeOf(r))
	}
}

// removeDead deletes instructions whose only effect is a value nobody reads.
// Liveness stays valid as an over-estimate.
func (l *liveness) removeDead(f *machine.Func) {
	for _, b := range f.Blocks {
		live := append(set(nil), l.out[b]...)
		for i := len(b.Test) - 1; i >= 0; i-- {
			step(live, b.Test[i])
		}
		kept := b.Insts[:0:0]
		for i := len(b.Insts) - 1; i >= 0; i-- {
			if dead(live, b.Insts[i]) {
				continue
			}
			step(live, b.Insts[i])
			kept = append(kept, b.Insts[i])
		}
		for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
			kept[i], kept[j] = kept[j], kept[i]
		}
		b.Insts = kept
	}
}

// dead holds for instructions that write virtual registers only, none of them
// live.
func dead(live set, i *machine.Inst) bool {
	if len(i.Defs) == 0 || i.IsBranch || i.IsEnter() {
		return false
	}
	for _, op := range i.Outputs {
		if _, ok := op.(operand.Mem); ok {
			return false
		}
	}
	for _, r := range i.Defs {
		if n := nodeOf(r); !n.isVirtual() || live.has(n) {
			return false
		}
	}
	return true
}
