package loops

import "slices"

// Components are the strongly connected parts of a graph over the numbers 0 to
// len(nodes)-1, each in ascending order; a part comes behind all that can be reached from
// it. Parts that do not depend on each other come in the order of nodes. (R. Tarjan,
// Depth-first search and linear graph algorithms, 1972.)
func Components(nodes []int, succs func(int) []int) [][]int {
	t := &tarjan{succs: succs, low: make([]int, len(nodes)), done: make([]bool, len(nodes))}
	for _, v := range nodes {
		if t.low[v] == 0 {
			t.visit(v)
		}
	}
	return t.parts
}

type tarjan struct {
	succs func(int) []int
	low   []int // 0 before the visit
	done  []bool
	n     int
	stack []int
	parts [][]int
}

func (t *tarjan) visit(v int) {
	t.n++
	t.low[v] = t.n
	index := t.n
	t.stack = append(t.stack, v)
	for _, w := range t.succs(v) {
		if t.low[w] == 0 {
			t.visit(w)
		}
		if !t.done[w] {
			t.low[v] = min(t.low[v], t.low[w])
		}
	}
	if t.low[v] != index {
		return
	}
	k := slices.Index(t.stack, v)
	part := slices.Clone(t.stack[k:])
	t.stack = t.stack[:k]
	for _, w := range part {
		t.done[w] = true
	}
	slices.Sort(part)
	t.parts = append(t.parts, part)
}
