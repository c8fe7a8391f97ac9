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
func (g *graph) color(files [2][]reg.Physical) []node {
	for n := range g.colors {
		g.colors[n] = -1
	}
	for class, file := range files {
		for c, r := range file {
			g.colors[node(class*numPhysical+int(r.PhysicalIndex()))] = int8(c)
		}
	}
	var spilled []node
	stack := g.simplify(files)
	for i := len(stack) - 1; i >= 0; i-- {
		spilled = append(spilled, g.selectColor(stack[i], len(files[stack[i].class()]))...)
	}
	slices.Sort(spilled)
	return slices.Compact(spilled)
}

// simplify orders the virtual representatives, last to be colored first.
func (g *graph) simplify(files [2][]reg.Physical) []node {
	degree := make([]int, len(g.adj))
	neighbours := make([][]node, len(g.adj))
	var rest, low, stack []node
	for i := range g.adj {
		n := node(i)
		if !n.isVirtual() || !g.used[n] && len(g.adj[n]) == 0 || g.find(n) != n {
			continue
		}
		neighbours[n] = g.neighbours(n)
		degree[n] = len(neighbours[n])
		rest = append(rest, n)
	}
	removed := make([]bool, len(g.adj))
	limit := func(n node) int { return len(files[n.class()]) }
	for _, n := range rest {
		if degree[n] < limit(n) {
			low = append(low, n)
		}
	}
	take := func(n node) {
		removed[n] = true
		stack = append(stack, n)
		for _, m := range neighbours[n] {
			if degree[m]--; m.isVirtual() && degree[m] == limit(m)-1 {
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
			x, y := g.cost[a]/float64(degree[a]), g.cost[b]/float64(degree[b])
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
func (g *graph) selectColor(n node, colors int) []node {
	taken := make([]float64, colors) // cost of freeing each color
	holders := make([][]node, colors)
	for _, m := range g.neighbours(n) {
		if c := g.colors[m]; c >= 0 {
			holders[c] = append(holders[c], m)
			if m.isVirtual() {
				taken[c] += g.cost[m]
			} else {
				taken[c] = math.Inf(1)
			}
		}
	}
	best, free := 0, -1
	liked := g.liking(n, colors)
	for c := range taken {
		if len(holders[c]) == 0 && (free < 0 || liked[c] > liked[free]) {
			free = c
		}
		if taken[c] < taken[best] {
			best = c
		}
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

// assign replaces virtual registers by the chosen ones.
func (g *graph) assign(f *machine.Func, files [2][]reg.Physical) {
	rewrite(f, func(r reg.Register) reg.Register {
		n := nodeOf(r)
		if !n.isVirtual() {
			return r
		}
		n = g.find(n)
		return files[n.class()][g.colors[n]]
	})
}
