package regalloc

import (
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/reg"
)

// Copies to and from physical registers, which stand around the calls of routines, go
// away where the virtual register becomes the physical one. That is tried with all of
// them; if values must be spilled then, with those in the innermost loops only. After
// that a virtual register merely gets the physical one when nobody else has it by then.

// A hint is a register whose color n should get, and what that saves in loop-weighted
// copies.
type hint struct {
	to    node
	saves float64
}

// findHints notes what is copied from and to what, and what callers of a routine want.
func (g *graph) findHints(f *machine.Func) {
	g.hints = make([][]hint, len(g.adj))
	for _, b := range f.Blocks {
		w := math.Pow(10, float64(b.Depth))
		for _, i := range b.All() {
			if i.IsMove() {
				g.hint(i.Operands[0].(reg.Register), i.Operands[1].(reg.Register), w)
			}
		}
	}
	if p := f.Prefer; p != nil {
		for _, w := range p.Wishes {
			g.hint(w.From, w.To, w.Saves)
		}
		g.avoid = make(map[node]float64)
		for id, w := range p.Avoid {
			g.avoid[nodeOfID(id)] = w
		}
	}
}

func (g *graph) hint(ra, rb reg.Register, w float64) {
	a, b := nodeOf(ra), nodeOf(rb)
	if !g.known(ra) || !g.known(rb) {
		return
	}
	g.hints[a] = append(g.hints[a], hint{b, w})
	g.hints[b] = append(g.hints[b], hint{a, w})
}

// fixed are the copies with a physical end of the files, by depth.
func (g *graph) fixed(f *machine.Func, files files) map[int][]*machine.Inst {
	out := make(map[int][]*machine.Inst)
	for _, b := range f.Blocks {
		for _, i := range b.Insts {
			if !i.IsMove() {
				continue
			}
			a, b2 := i.Operands[0].(reg.Register), i.Operands[1].(reg.Register)
			if inFile(a, files) != inFile(b2, files) {
				out[b.Depth] = append(out[b.Depth], i)
			}
		}
	}
	return out
}

func inFile(r reg.Register, files files) bool {
	n := nodeOf(r)
	return !n.isVirtual() && slices.ContainsFunc(files[n.class()].regs, func(p reg.Physical) bool { return nodeOf(p) == n })
}

// attempts yields graphs in which virtual registers are joined with physical ones: all
// that can be, then fewer. The last one is g.
func (g *graph) attempts(f *machine.Func, files files) iter.Seq[*graph] {
	return func(yield func(*graph) bool) {
		moves := g.fixed(f, files)
		depths := slices.Sorted(maps.Keys(moves))
		slices.Reverse(depths)
		for n := len(depths); n > 0; n-- {
			if n < len(depths) && n > 1 {
				continue
			}
			c := g.clone()
			for _, d := range depths[:n] {
				for _, i := range moves[d] {
					c.meet(i.Operands[0].(reg.Register), i.Operands[1].(reg.Register))
				}
			}
			if !yield(c) {
				return
			}
		}
		yield(g)
	}
}

// meet joins a virtual register with a physical one if they do not interfere.
func (g *graph) meet(ra, rb reg.Register) {
	a, b := g.find(nodeOf(ra)), g.find(nodeOf(rb))
	if b.isVirtual() == a.isVirtual() {
		return
	}
	if a.isVirtual() {
		a, b = b, a
	}
	if !g.interfere(a, b) {
		g.merge(a, b)
	}
}

func (g *graph) clone() *graph {
	c := *g
	c.alias, c.cost, c.colors = slices.Clone(g.alias), slices.Clone(g.cost), slices.Clone(g.colors)
	c.adj, c.hints = make([][]node, len(g.adj)), make([][]hint, len(g.hints))
	for n := range g.adj {
		c.adj[n] = slices.Clip(g.adj[n])
	}
	for n := range g.hints {
		c.hints[n] = slices.Clip(g.hints[n])
	}
	return &c
}

// liking is what it saves to give n each color that it may have. Without hints it prefers
// the first ones, or high ones if others cannot have them.
func (g *graph) liking(n node, files files) []float64 {
	colors := g.registers(n, files)
	out := make([]float64, colors)
	if g.hints == nil {
		if !g.low[n] && slices.ContainsFunc(g.adj[n], func(m node) bool { return g.low[g.find(m)] }) {
			for c := files[n.class()].low; c < colors; c++ {
				out[c] = 1
			}
		}
		return out
	}
	add := func(m node, sign float64) {
		for _, h := range g.hints[m] {
			if c := g.colors[g.find(h.to)]; c >= 0 && int(c) < colors && h.to.class() == n.class() {
				out[c] += sign * h.saves
			}
		}
	}
	add(n, 1)
	for _, m := range g.neighbours(n) {
		if m.isVirtual() && g.colors[m] < 0 {
			add(m, -1) // it comes later and wants them too
		}
	}
	for p, w := range g.avoid {
		if c := g.colors[p]; c >= 0 && p.class() == n.class() {
			out[c] -= w
		}
	}
	return out
}

// graphs yields what to color: g alone unless copies with physical registers matter.
func (g *graph) graphs(f *machine.Func, files files) iter.Seq[*graph] {
	if g.hints == nil {
		return func(yield func(*graph) bool) { yield(g) }
	}
	return g.attempts(f, files)
}
