// Package regalloc gives the virtual registers of a machine function physical
// ones: graph coloring after Chaitin and Briggs, with aggressive coalescing of
// copies and spilling to the stack. Every round spills all that found no
// color, so that it ends after a few rounds. It must not know vir or what the
// instructions mean beyond what they read and write.
package regalloc

import (
	"fmt"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/reg"
)

// maxRounds is far above what is ever needed (2 to 4): spilled values come back
// with ranges of one instruction, which always find a register.
const maxRounds = 30

// pressureRounds is how often the values to spill are chosen where registers are
// short, before coloring finds out whether that was enough.
const pressureRounds = 4

// Run allocates f. The files are the registers that may be used, in order of
// preference.
func Run(f *machine.Func, gps, vecs []reg.Physical) error {
	files := [2][]reg.Physical{gps, vecs}
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
			spilled = nil
			if round < pressureRounds {
				spilled = g.relieve(f, live, files)
			}
			if len(spilled) == 0 {
				spilled = g.color(files)
			}
			if len(spilled) == 0 {
				g.assign(f, files)
				forward(f)
				if calls {
					dropRepeated(f)
				}
				dropDeadStores(f)
				packSlots(f)
				return nil
			}
		}
		g.applyAliases(f)
		spill(f, spilled)
	}
	return fmt.Errorf("register allocation of %s does not converge", f.Name)
}

// A node is a register: physical ones first, by kind, then virtual ones.
type node int32

const (
	numPhysical = 16 // per kind
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
