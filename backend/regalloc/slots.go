package regalloc

import (
	"sort"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
)

// Spill slots have live ranges like registers: from a store to the last read.
// A store whose value nobody reads is dropped, and slots that are never live
// together share their place in the frame.

// slotOf is the index of the spill slot that m lies in, -1 if in none.
func slotOf(f *machine.Func, m operand.Mem) int {
	if !isSlot(m) {
		return -1
	}
	n := sort.Search(len(f.Spills), func(k int) bool { return f.Spills[k].Offset > m.Disp }) - 1
	if n < 0 || m.Disp >= f.Spills[n].Offset+f.Spills[n].Size {
		return -1
	}
	return n
}

// slotUse tells which slots i reads, and which one it overwrites completely.
func slotUse(f *machine.Func, i *machine.Inst) (reads []int, writes int) {
	if off, r, _, store := slotAccess(i); store && isSpill(f, off) {
		n := slotOf(f, i.Operands[1].(operand.Mem))
		if int(r.Size()) == f.Spills[n].Size {
			return nil, n
		}
	}
	for _, op := range i.Operands {
		if m, ok := op.(operand.Mem); ok {
			if n := slotOf(f, m); n >= 0 {
				reads = append(reads, n)
			}
		}
	}
	return reads, -1
}

// slotLiveness is the set of slots live behind every block, by the equations of
// liveness.
func slotLiveness(f *machine.Func) map[*machine.Block]set {
	in, out := make(map[*machine.Block]set), make(map[*machine.Block]set)
	words := (len(f.Spills) + 63) / 64
	for _, b := range f.Blocks {
		in[b], out[b] = make(set, words), make(set, words)
	}
	for changed := true; changed; {
		changed = false
		for k := len(f.Blocks) - 1; k >= 0; k-- {
			b := f.Blocks[k]
			for _, s := range b.Succs() {
				for w := range out[b] {
					out[b][w] |= in[s][w]
				}
			}
			live := append(set(nil), out[b]...)
			backwards(b.All(), func(i *machine.Inst) { slotStep(f, live, i) })
			for w := range live {
				changed = changed || live[w] != in[b][w]
			}
			in[b] = live
		}
	}
	return out
}

func backwards(insts []*machine.Inst, do func(*machine.Inst)) {
	for k := len(insts) - 1; k >= 0; k-- {
		do(insts[k])
	}
}

// slotStep moves live from behind i to before it.
func slotStep(f *machine.Func, live set, i *machine.Inst) {
	reads, writes := slotUse(f, i)
	if writes >= 0 {
		live.remove(node(writes))
	}
	for _, n := range reads {
		live.add(node(n))
	}
}

// dropDeadStores removes stores to slots that nobody reads before the next one.
func dropDeadStores(f *machine.Func) {
	out := slotLiveness(f)
	for _, b := range f.Blocks {
		live := out[b]
		backwards(b.Test, func(i *machine.Inst) { slotStep(f, live, i) })
		keep := make([]bool, len(b.Insts))
		for k := len(b.Insts) - 1; k >= 0; k-- {
			_, writes := slotUse(f, b.Insts[k])
			keep[k] = writes < 0 || live.has(node(writes))
			if keep[k] {
				slotStep(f, live, b.Insts[k])
			}
		}
		kept := b.Insts[:0:0]
		for k, i := range b.Insts {
			if keep[k] {
				kept = append(kept, i)
			}
		}
		b.Insts = kept
	}
}

// packSlots places slots again, those that are used: each at the lowest offset
// where it overlaps no other one that is live while it is. The spill slots lie
// behind all else in the frame.
func packSlots(f *machine.Func) {
	if len(f.Spills) == 0 {
		return
	}
	used, together := slotConflicts(f)
	base, end := f.Spills[0].Offset, f.Spills[0].Offset
	placed := make([]machine.Slot, len(f.Spills))
	for n, s := range f.Spills {
		if !used[n] {
			continue
		}
		at := base
		for again := true; again; {
			again = false
			for k := range n {
				p := placed[k]
				if together[n].has(node(k)) && at < p.Offset+p.Size && p.Offset < at+s.Size {
					at, again = p.Offset+p.Size, true
				}
			}
		}
		placed[n] = machine.Slot{Offset: at, Size: s.Size}
		end = max(end, at+s.Size)
	}
	each := func(insts []*machine.Inst) {
		for k, i := range insts {
			insts[k] = i.Move(func(m operand.Mem) operand.Mem {
				if n := slotOf(f, m); n >= 0 {
					m.Disp += placed[n].Offset - f.Spills[n].Offset
				}
				return m
			})
		}
	}
	for _, b := range f.Blocks {
		each(b.Insts)
		each(b.Test)
	}
	f.Frame, f.Spills = end, nil
}

// slotConflicts tells which slots are used, and for each of them which others
// hold something while it is accessed.
func slotConflicts(f *machine.Func) (used []bool, together []set) {
	out := slotLiveness(f)
	used, together = make([]bool, len(f.Spills)), make([]set, len(f.Spills))
	for n := range together {
		together[n] = make(set, (len(f.Spills)+63)/64)
	}
	for _, b := range f.Blocks {
		live := out[b]
		backwards(b.All(), func(i *machine.Inst) {
			accessed, writes := slotUse(f, i)
			if writes >= 0 {
				accessed = append(accessed, writes)
			}
			for _, n := range accessed { // a store to a part of a slot, which counts as read, too
				used[n] = true
				live.each(func(m node) {
					together[n].add(m)
					together[m].add(node(n))
				})
			}
			slotStep(f, live, i)
		})
	}
	return used, together
}
