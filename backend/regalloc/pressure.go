package regalloc

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A pressure knows the places of a function that need too many registers. A place is
// the start of a block or what follows an instruction.
//
// Coloring alone sees only how many neighbours a node has, and gives up whoever is
// left over. Here the values to spill are those that relieve most of the places
// with too few registers, for the least cost; inner loops count ten times in both:
// what lives through an inner loop without being used there goes first.
type pressure struct {
	g      *graph
	limit  registers
	live   [][]node    // nodes at each place that a spill would take away
	need   []registers // at each place
	weight []float64
	places [][]int32 // of each node: where its spilling takes it away
	gain   []float64 // of each node: weight of its places that need too much

	seen *marks // nodes at the place that is looked at
	here []node // those
}

// Registers are numbers of them: general ones, vector registers, and those of them that
// must be low ones.
type registers [3]int

var (
	classKinds = [2][]int{{0}, {1}}
	lowKinds   = []int{1, 2}
)

// kinds are those that n takes one of.
func (p *pressure) kinds(n node) []int {
	if p.g.low[n] {
		return lowKinds
	}
	return classKinds[n.class()]
}

// relieve returns the nodes to spill so that no place needs more registers than
// there are, as far as that is possible.
func (g *graph) relieve(f *machine.Func, l *liveness, files files) []node {
	p := &pressure{
		g: g, limit: registers{len(files[0].regs), len(files[1].regs), files[1].low},
		places: make([][]int32, l.size), gain: make([]float64, l.size), seen: newMarks(l.size),
	}
	for _, b := range f.Blocks {
		p.addBlock(b, l)
	}
	for at := range p.live {
		for _, n := range p.live[at] {
			p.places[n] = append(p.places[n], int32(at))
			for _, k := range p.kinds(n) {
				if p.over(at, k) {
					p.gain[n] += p.weight[at]
				}
			}
		}
	}
	var chosen []node
	for n := p.best(); n >= 0; n = p.best() {
		p.take(n)
		chosen = append(chosen, n)
	}
	return p.withoutNeedless(chosen)
}

func (p *pressure) over(at, kind int) bool { return p.need[at][kind] > p.limit[kind] }

// addBlock adds the places of b, last to first.
func (p *pressure) addBlock(b *machine.Block, l *liveness) {
	live := append(set(nil), l.out[b]...)
	weight := math.Pow(10, float64(b.Depth))
	var next *machine.Inst
	all := b.All()
	for k := len(all) - 1; k >= 0; k-- {
		p.add(live, weight, all[k], next)
		step(live, all[k])
		next = all[k]
	}
	p.add(live, weight, nil, next)
}

// add adds the place between two instructions, of which both may be nil. Where registers
// are not short nothing is gained or lost.
func (p *pressure) add(live set, weight float64, before, after *machine.Inst) {
	var need registers
	p.seen.start()
	here := p.here[:0]
	count := func(n node) {
		if n = p.g.find(n); p.seen.first(n) {
			for _, k := range p.kinds(n) {
				need[k]++
			}
			here = append(here, n)
		}
	}
	live.each(count)
	if before != nil {
		for _, d := range before.Defs {
			count(nodeOf(d))
		}
	}
	p.here = here
	if need[0] <= p.limit[0] && need[1] <= p.limit[1] && need[2] <= p.limit[2] {
		return // mostly
	}
	stay := p.staying(before, after)
	here = slices.DeleteFunc(slices.Clone(here), func(n node) bool { return !n.isVirtual() || slices.Contains(stay, n) })
	p.live, p.need, p.weight = append(p.live, here), append(p.need, need), append(p.weight, weight)
}

// staying are the nodes that spilling would not take away between two instructions.
func (p *pressure) staying(before, after *machine.Inst) (stay []node) {
	if before != nil {
		for _, d := range before.Defs {
			stay = append(stay, p.g.find(nodeOf(d)))
		}
	}
	if after != nil {
		for _, r := range after.Uses {
			if !canFold(after, r) {
				stay = append(stay, p.g.find(nodeOf(r)))
			}
		}
	}
	return stay
}

// canFold reports whether i could read r from memory.
func canFold(i *machine.Inst, r reg.Register) bool {
	if i.IsMove() {
		return true
	}
	id := r.ID()
	if occurrences(i, id) != 1 {
		return false
	}
	i = foldableOrder(i, func(x reg.Register) bool { return x.ID() == id })
	for n, op := range i.Operands {
		x, ok := op.(reg.Register)
		if !ok || x.ID() != id || n == len(i.Operands)-1 && !readsLast(i) {
			continue
		}
		ops := slices.Clone(i.Operands)
		ops[n] = operand.NewStackAddr(0)
		return machine.Exists(i.Opcode, ops...)
	}
	return false
}

// best is the node with the largest gain for its cost, -1 if none gains.
func (p *pressure) best() node {
	best, ratio := node(-1), 0.0
	for n, gain := range p.gain {
		if gain <= 0 || math.IsInf(p.g.cost[n], 1) {
			continue
		}
		if r := gain / max(p.g.cost[n], 0.01); r > ratio {
			best, ratio = node(n), r
		}
	}
	return best
}

// take spills n.
func (p *pressure) take(n node) {
	for _, k := range p.kinds(n) {
		for _, at := range p.places[n] {
			if p.need[at][k]--; p.need[at][k] != p.limit[k] {
				continue
			}
			for _, m := range p.live[at] {
				if slices.Contains(p.kinds(m), k) {
					p.gain[m] -= p.weight[at]
				}
			}
		}
	}
	p.gain[n] = math.Inf(-1)
}

// withoutNeedless leaves out what later choices made needless.
func (p *pressure) withoutNeedless(chosen []node) []node {
	return slices.DeleteFunc(chosen, func(n node) bool {
		for _, k := range p.kinds(n) {
			for _, at := range p.places[n] {
				if p.need[at][k] >= p.limit[k] {
					return false
				}
			}
		}
		for _, k := range p.kinds(n) {
			for _, at := range p.places[n] {
				p.need[at][k]++
			}
		}
		return true
	})
}
