package regalloc

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/reg"
)

// color gives every used node a register of its file, or returns the nodes to
// spill. Nodes are taken out of the graph while they have fewer neighbours than
// there are registers; when none has, the cheapest goes first and may still
// find a color (Briggs).
func (g *graph) color(files files) []node {
	for n := range g.colors {
		g.colors[n] = -1
	}
	for class, file := range files {
		for c, r := range file.regs {
			g.colors[node(class*numPhysical+int(r.PhysicalIndex()))] = int8(c)
		}
	}
	var spilled []node
	stack := g.simplify(files)
	for i := len(stack) - 1; i >= 0; i-- {
		spilled = append(spilled, g.selectColor(stack[i], files)...)
	}
	slices.Sort(spilled)
	return slices.Compact(spilled)
}

// registers is how many of its file n may have, which are the first ones.
func (g *graph) registers(n node, files files) int {
	if g.low[n] {
		return files[n.class()].low
	}
	return len(files[n.class()].regs)
}

// A degree counts neighbours: those that need a low register, and others.
type degree [2]int

func (d *degree) add(low bool, by int) {
	if low {
		d[0] += by
	} else {
		d[1] += by
	}
}

// rivals are the neighbours that count for a node, of a file with the given number of high
// registers, which those take first that may.
func (d degree) rivals(low bool, high int) int {
	if low {
		return d[0] + max(0, d[1]-high)
	}
	return d[0] + d[1]
}

// simplify orders the virtual representatives, last to be colored first.
func (g *graph) simplify(files files) []node {
	degrees := make([]degree, len(g.adj))
	neighbours := make([][]node, len(g.adj))
	var rest, low, stack []node
	for i := range g.adj {
		n := node(i)
		if !n.isVirtual() || !g.used[n] && len(g.adj[n]) == 0 || g.find(n) != n {
			continue
		}
		neighbours[n] = g.neighbours(n)
		for _, m := range neighbours[n] {
			degrees[n].add(g.low[m], 1)
		}
		rest = append(rest, n)
	}
	removed := make([]bool, len(g.adj))
	rivals := func(n node) int {
		f := files[n.class()]
		return degrees[n].rivals(g.low[n], len(f.regs)-f.low)
	}
	simple := func(n node) bool { return rivals(n) < g.registers(n, files) }
	for _, n := range rest {
		if simple(n) {
			low = append(low, n)
		}
	}
	take := func(n node) {
		removed[n] = true
		stack = append(stack, n)
		for _, m := range neighbours[n] {
			before := simple(m)
			if degrees[m].add(g.low[n], -1); m.isVirtual() && !before && simple(m) {
				low = append(low, m)
			}
		}
	}
	for {
		for len(low) > 0 {
			n := low[0]
			low = low[1:]
			if !removed[n] {
				take(n)
			}
		}
		rest = slices.DeleteFunc(rest, func(n node) bool { return removed[n] })
		if len(rest) == 0 {
			return stack
		}
		take(slices.MinFunc(rest, func(a, b node) int {
			x, y := g.cost[a]/float64(rivals(a)), g.cost[b]/float64(rivals(b))
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return int(a - b)
		}))
	}
}

// neighbours are the distinct representatives next to n.
func (g *graph) neighbours(n node) []node {
	out := make([]node, 0, len(g.adj[n]))
	for _, m := range g.adj[n] {
		out = append(out, g.find(m))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(m node) bool { return m == n })
}

// selectColor colors n. Without a free color it gives up the cheapest of n and
// the neighbours that hold one color, and returns what was given up.
func (g *graph) selectColor(n node, files files) []node {
	colors := g.registers(n, files)
	taken := make([]float64, colors) // cost of freeing each color
	holders := make([][]node, colors)
	for _, m := range g.neighbours(n) {
		if c := g.colors[m]; 0 <= c && int(c) < colors {
			holders[c] = append(holders[c], m)
			if m.isVirtual() {
				taken[c] += g.cost[m]
			} else {
				taken[c] = math.Inf(1)
			}
		}
	}
	best, free := 0, -1
	liked := g.liking(n, files)
	for c := range taken {
		if len(holders[c]) == 0 && (free < 0 || liked[c] > liked[free]) {
			free = c
		}
		if taken[c] < taken[best] {
			best = c
		}
	}
	if free < 0 && g.low[n] {
		free = slices.IndexFunc(holders, func(ms []node) bool { return g.moveHigh(ms, files) })
	}
	if free >= 0 {
		g.colors[n] = int8(free)
		return nil
	}
	if g.cost[n] <= taken[best] {
		return []node{n}
	}
	for _, m := range holders[best] {
		g.colors[m] = -1
	}
	g.colors[n] = int8(best)
	return holders[best]
}

// moveHigh gives nodes of one color high registers if there are free ones for all.
func (g *graph) moveHigh(ms []node, files files) bool {
	to := make([]int8, len(ms))
	for k, m := range ms {
		if !m.isVirtual() || g.low[m] {
			return false
		}
		if to[k] = g.freeHigh(m, files[m.class()]); to[k] < 0 {
			return false
		}
	}
	for k, m := range ms {
		g.colors[m] = to[k]
	}
	return true
}

// freeHigh is a high color that no neighbour of n has, -1 if there is none.
func (g *graph) freeHigh(n node, f file) int8 {
	taken := make([]bool, len(f.regs))
	for _, m := range g.neighbours(n) {
		if c := g.colors[m]; c >= 0 {
			taken[c] = true
		}
	}
	for c := f.low; c < len(f.regs); c++ {
		if !taken[c] {
			return int8(c)
		}
	}
	return -1
}

// assign replaces virtual registers by the chosen ones.
func (g *graph) assign(f *machine.Func, files files) {
	rewrite(f, func(r reg.Register) reg.Register {
		n := nodeOf(r)
		if !n.isVirtual() {
			return r
		}
		n = g.find(n)
		return files[n.class()].regs[g.colors[n]]
	})
}
