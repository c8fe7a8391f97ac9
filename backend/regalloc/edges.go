package regalloc

import (
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/machine"
)

// maxEdge is the number of copies that cost less than a jump that is taken: CPUs rename six
// registers in a cycle, and follow one jump in a cycle or two.
const maxEdge = 6

// hoistEdges moves copies that stand on an edge out of a block in front of its test, where
// nobody on the other way needs what they write over. The jump then leads on itself.
//
//	    CMPQ    DI, $16              VMOVAPS Y1, Y2
//	    JGE     few16                CMPQ    DI, $16
//	    VMOVAPS Y1, Y2        ->     JLT     tail8
//	    JMP     tail8            few16:
//	few16:
//
// Loops are left alone: what stands on their edges is for the iterations that need it.
// hoistEdges runs on an allocated function.
func hoistEdges(f *machine.Func) {
	preds := make(map[*machine.Block]int)
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			preds[s]++
		}
	}
	var live *liveness
	for _, b := range f.Blocks {
		if b.Jump == "" || b.Depth > 0 || b.Then == b.Else {
			continue
		}
		for _, way := range [][2]*machine.Block{{b.Then, b.Else}, {b.Else, b.Then}} {
			edge, other := way[0], way[1]
			if preds[edge] > 1 || !isEdge(edge) {
				continue
			}
			if live == nil {
				live = newLiveness(f)
			}
			if !disturbs(edge.Insts, b.Test, live.in[other]) {
				for _, i := range edge.Insts {
					live.in[edge].add(nodeOf(i.Defs[0])) // which come from b now
				}
				b.Insts, edge.Insts = append(b.Insts, edge.Insts...), nil
			}
		}
	}
}

// isEdge reports whether b does a few copies and goes on.
func isEdge(b *machine.Block) bool {
	return b.Jump == "" && b.Then != nil && b.Depth == 0 && 0 < len(b.Insts) && len(b.Insts) <= maxEdge &&
		!slices.ContainsFunc(b.Insts, func(i *machine.Inst) bool { return !i.IsMove() && !isZero(i) })
}

// isZero reports whether i clears a register, which needs no unit of the CPU.
func isZero(i *machine.Inst) bool {
	_, general := i.Zeroed()
	return general || len(i.Uses) == 0 && len(i.Defs) == 1 && (strings.HasPrefix(i.Opcode, "VPXOR") || strings.HasPrefix(i.Opcode, "VXORP"))
}

// disturbs reports whether copies write a register of live, or meet the test.
func disturbs(copies, test []*machine.Inst, live set) bool {
	return slices.ContainsFunc(copies, func(i *machine.Inst) bool {
		return live.has(nodeOf(i.Defs[0])) || i.Touches(test)
	})
}
