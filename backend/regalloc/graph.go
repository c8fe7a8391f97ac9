package regalloc

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/reg"
)

// A graph is the interference graph: registers that are live at the same time
// and of one kind are neighbours.
type graph struct {
	adj    [][]node
	edges  map[uint64]struct{}
	alias  []node    // union-find of coalesced nodes
	used   []bool    // occurs in the function
	low    []bool    // of vector registers: an instruction does not know it with a high number
	cost   []float64 // of spilling, in loop-weighted memory accesses
	colors []int8    // index into the register file, -1 for none
	seen   *marks    // nodes of a list

	hints [][]hint         // of functions where physical registers matter
	avoid map[node]float64 // physical registers
}

func newGraph(f *machine.Func, l *liveness) *graph {
	g := &graph{
		adj:    make([][]node, l.size),
		alias:  make([]node, l.size),
		used:   make([]bool, l.size),
		low:    make([]bool, l.size),
		cost:   make([]float64, l.size),
		colors: make([]int8, l.size),
		seen:   newMarks(l.size),
	}
	for n := range g.alias {
		g.alias[n] = node(n)
	}
	for _, b := range f.Blocks {
		g.addBlock(b, l)
	}
	for n, adj := range g.adj {
		g.seen.start()
		g.adj[n] = slices.DeleteFunc(adj, func(m node) bool { return !g.seen.first(m) })
	}
	g.weigh(f)
	return g
}

func (g *graph) addBlock(b *machine.Block, l *liveness) {
	live := append(set(nil), l.out[b]...)
	all := b.All()
	for k := len(all) - 1; k >= 0; k-- {
		i := all[k]
		if i.IsMove() {
			// A copy does not make source and destination interfere.
			live.remove(nodeOf(i.Operands[0].(reg.Register)))
		}
		for _, d := range i.Defs {
			live.add(nodeOf(d))
		}
		for _, d := range i.Defs {
			dn := nodeOf(d)
			g.used[dn] = true
			live.each(func(n node) {
				if n != dn && n.class() == dn.class() {
					g.connect(dn, n)
				}
			})
		}
		for _, r := range i.Uses {
			g.used[nodeOf(r)] = true
		}
		step(live, i)
	}
}

// findLow finds the vector registers that need numbers below 16, of a graph for which there are
// others.
func (g *graph) findLow(f *machine.Func) {
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			if i.AllowsHigh() {
				continue
			}
			for _, rs := range [][]reg.Register{i.Uses, i.Defs} {
				for _, r := range rs {
					if n := g.find(nodeOf(r)); n.class() == 1 {
						g.low[n] = true
					}
				}
			}
		}
	}
}

func (g *graph) connect(a, b node) {
	g.adj[a] = append(g.adj[a], b)
	g.adj[b] = append(g.adj[b], a)
}

// interfere reports whether two representatives are neighbours.
func (g *graph) interfere(a, b node) bool {
	if len(g.adj[b]) < len(g.adj[a]) {
		a, b = b, a
	}
	return slices.Contains(g.adj[a], b)
}

func (g *graph) find(n node) node {
	for g.alias[n] != n {
		g.alias[n] = g.alias[g.alias[n]]
		n = g.alias[n]
	}
	return n
}

// weigh computes spill costs: accesses weighted by ten per loop; half of that
// for values that are read again from where they are; infinite for what a
// spill itself introduced and for values used up by the next instruction, whose
// spilling frees nothing.
func (g *graph) weigh(f *machine.Func) {
	defer g.keepShort(f)
	for _, b := range f.Blocks {
		w := math.Pow(10, float64(b.Depth))
		for _, i := range b.All() {
			for _, r := range i.Uses {
				g.addCost(f, r.ID(), w, true)
			}
			for _, r := range i.Defs {
				g.addCost(f, r.ID(), w, false)
			}
		}
	}
}

// keepShort finds values that are defined once and read by the next instruction
// only.
func (g *graph) keepShort(f *machine.Func) {
	defs, uses, near := make([]int, len(g.cost)), make([]int, len(g.cost)), make([]int, len(g.cost))
	for _, b := range f.Blocks {
		var last []reg.Register
		for _, i := range b.All() {
			for _, r := range i.Uses {
				n := nodeOf(r)
				uses[n]++
				for _, d := range last {
					if d.ID() == r.ID() {
						near[n]++
					}
				}
			}
			for _, r := range i.Defs {
				defs[nodeOf(r)]++
			}
			last = i.Defs
		}
	}
	for n := range g.cost {
		if defs[n] == 1 && uses[n] > 0 && uses[n] == near[n] {
			g.cost[n] = math.Inf(1)
		}
	}
}

func (g *graph) addCost(f *machine.Func, id reg.ID, w float64, use bool) {
	n := nodeOfID(id)
	switch _, remat := f.Remat[id]; {
	case !n.isVirtual() || f.Temp[id]:
		w = math.Inf(1)
	case remat && use:
		w /= 2
	case remat:
		w = 0
	}
	g.cost[n] += w
}

// coalesce joins the two ends of copies that do not interfere, those in the
// innermost loops first. A joined node is no longer recomputable, so a
// recomputable source keeps its own register when that costs nothing in loops.
func (g *graph) coalesce(f *machine.Func) {
	type move struct {
		a, b  reg.Register
		depth int
	}
	var moves []move
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			if i.IsMove() {
				moves = append(moves, move{i.Operands[0].(reg.Register), i.Operands[1].(reg.Register), b.Depth})
			}
		}
	}
	slices.SortStableFunc(moves, func(x, y move) int { return cmp.Compare(y.depth, x.depth) })
	for _, m := range moves {
		g.join(f, m.a, m.b)
	}
	if f.Prefer != nil {
		for _, s := range f.Prefer.Same {
			if g.known(s[0]) && g.known(s[1]) {
				g.join(f, s[0], s[1])
			}
		}
	}
}

// known reports whether r occurs in the function or did when it was numbered.
func (g *graph) known(r reg.Register) bool { return int(nodeOf(r)) < len(g.alias) }

func (g *graph) join(f *machine.Func, ra, rb reg.Register) {
	a, b := g.find(nodeOf(ra)), g.find(nodeOf(rb))
	if a == b || !a.isVirtual() || !b.isVirtual() || f.Temp[ra.ID()] || f.Temp[rb.ID()] {
		return
	}
	if g.interfere(a, b) {
		return
	}
	g.merge(a, b)
	delete(f.Remat, a.id())
	delete(f.Remat, b.id())
}

// merge makes b an alias of a.
func (g *graph) merge(a, b node) {
	g.seen.start()
	for _, n := range g.adj[a] {
		g.seen.first(n)
	}
	for _, n := range g.adj[b] {
		if n = g.find(n); g.seen.first(n) {
			g.connect(a, n)
		}
	}
	g.alias[b] = a
	g.cost[a] += g.cost[b]
	if g.hints != nil {
		g.hints[a] = append(g.hints[a], g.hints[b]...)
	}
}

// id is the register ID of virtual node n.
func (n node) id() reg.ID {
	kind := reg.KindGP
	if n.class() == 1 {
		kind = reg.KindVector
	}
	return reg.NewVirtual(reg.Index((n-firstVirt)/2), kind, reg.S64).ID()
}

// applyAliases renames coalesced registers for good and drops their copies.
func (g *graph) applyAliases(f *machine.Func) {
	to := func(r reg.Register) reg.Register {
		if !g.known(r) {
			return r
		}
		n := nodeOf(r)
		if a := g.find(n); a != n {
			return f.Reg(a.id())
		}
		return r
	}
	rewrite(f, to)
	if p := f.Prefer; p != nil {
		for k, s := range p.Same {
			p.Same[k] = [2]reg.Register{to(s[0]), to(s[1])}
		}
		for k, w := range p.Wishes {
			p.Wishes[k].From = to(w.From)
		}
	}
}

// changes reports whether any register of i gets another name.
func changes(i *machine.Inst, to func(reg.Register) reg.Register) bool {
	other := func(r reg.Register) bool { return to(r).ID() != r.ID() }
	return slices.ContainsFunc(i.Uses, other) || slices.ContainsFunc(i.Defs, other)
}

// rewrite renames all registers of f and drops copies of a register to itself.
func rewrite(f *machine.Func, to func(reg.Register) reg.Register) {
	each := func(insts []*machine.Inst) []*machine.Inst {
		kept := insts[:0:0]
		for _, i := range insts {
			if changes(i, to) {
				i = i.Rename(to)
			}
			if i.IsMove() && i.Operands[0].(reg.Register).ID() == i.Operands[1].(reg.Register).ID() {
				continue
			}
			kept = append(kept, i)
		}
		return kept
	}
	for _, b := range f.Blocks {
		b.Insts, b.Test = each(b.Insts), each(b.Test)
	}
}
