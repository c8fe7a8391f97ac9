// Package regalloc gives the virtual registers of a machine function physical
// ones: graph coloring after Chaitin and Briggs, with aggressive coalescing of
// copies and spilling to the stack. Every round spills all that found no
// color, so that it ends after a few rounds. It must not know vir or what the
// instructions mean beyond what they read and write.
package regalloc

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/reg"
)

// maxRounds is far above what is ever needed (2 to 4): spilled values come back
// with ranges of one instruction, which always find a register.
const maxRounds = 30

// pressureRounds is how often the values to spill are chosen where registers are
// short, before coloring finds out whether that was enough.
const pressureRounds = 4

// Files are the registers that may be used, in order of preference.
type Files struct {
	GP, Vec []reg.Physical
	// High are vector registers above 15, which not all instructions know. They are used
	// where the others do not suffice.
	High []reg.Physical
}

// Run allocates f.
func Run(f *machine.Func, regs Files) error {
	files := files{{regs.GP, len(regs.GP)}, {regs.Vec, len(regs.Vec)}}
	for round := range maxRounds {
		live := newLiveness(f)
		live.removeDead(f)
		g := newGraph(f, live)
		calls := f.HasCalls()
		if calls || f.Prefer != nil {
			g.findHints(f)
		}
		g.coalesce(f)
		var spilled []node
		for g := range g.graphs(f, files) {
			spilled = g.toSpill(f, live, files, round)
			if len(regs.High) > 0 && files.wantsHigh(spilled) && g.hints == nil { // conventions of routines do without
				files[1].regs = append(slices.Clip(files[1].regs), regs.High...)
				spilled = g.toSpill(f, live, files, round)
			}
			if len(spilled) == 0 {
				g.assign(f, files)
				forward(f)
				hoistEdges(f)
				dropRepeated(f)
				dropDeadStores(f)
				packSlots(f)
				f.NameHigh()
				return nil
			}
		}
		g.applyAliases(f)
		spill(f, spilled)
	}
	return fmt.Errorf("register allocation of %s does not converge", f.Name)
}

// toSpill colors g or returns the nodes to spill before it is tried again.
func (g *graph) toSpill(f *machine.Func, live *liveness, files files, round int) []node {
	if files.haveHigh() {
		g.findLow(f)
	}
	if round < pressureRounds {
		if spilled := g.relieve(f, live, files); len(spilled) > 0 {
			return spilled
		}
	}
	return g.color(files)
}

// files are the registers that may be used, by class.
type files [2]file

// A file has the registers for all nodes of its class first. Those behind are high ones.
type file struct {
	regs []reg.Physical
	low  int
}

func (fs files) haveHigh() bool { return len(fs[1].regs) > fs[1].low }

// wantsHigh reports whether vector registers would be spilled without high ones.
func (fs files) wantsHigh(spilled []node) bool {
	return !fs.haveHigh() && slices.ContainsFunc(spilled, func(n node) bool { return n.class() == 1 })
}

// A node is a register: physical ones first, by kind, then virtual ones.
type node int32

const (
	numPhysical = 32 // per kind
	firstVirt   = 2 * numPhysical
)

func nodeOf(r reg.Register) node { return nodeOfID(r.ID()) }

func nodeOfID(id reg.ID) node {
	class := node(0)
	if id.Kind() == reg.KindVector {
		class = 1
	}
	if id.IsVirtual() {
		return firstVirt + 2*node(id.Index()) + class
	}
	return class*numPhysical + node(id.Index())
}

func (n node) isVirtual() bool { return n >= firstVirt }

func (n node) class() int {
	if n.isVirtual() {
		return int(n-firstVirt) & 1
	}
	return int(n) / numPhysical
}

// numNodes is larger than every node of f.
func numNodes(f *machine.Func) int {
	max := node(firstVirt)
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			for _, r := range i.Uses {
				if n := nodeOf(r); n >= max {
					max = n + 1
				}
			}
			for _, r := range i.Defs {
				if n := nodeOf(r); n >= max {
					max = n + 1
				}
			}
		}
	}
	return int(max)
}
