package dep

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// The order of a block. All lanes of one access are done before all lanes of the
// next, so that what one iteration does late and the next one undoes early may be in
// the wrong order:
//
//	x[i] = a[i]            load x[i+1] of an iteration comes before the store x[i]
//	b[i] = x[i+1]          of the next one: a block has to load first
//
// Without a cycle in the graph there is an order that satisfies all edges, for any
// number of lanes. With cycles the lanes are limited to the distance of an edge in
// each of them. (Allen, Kennedy: Automatic translation of Fortran programs to vector
// form, 1987, where such orders come out of loop distribution.)
//
// The order of the program stays where nothing forces another one: of the nodes that
// may be next, the first one of the program is. A dependence over longDistance
// iterations or more limits the lanes instead; that many lanes are enough.
const longDistance = 64

// order decides the order of the vector program.
func (r *Result) order() {
	g := r.Graph
	if g == nil {
		return
	}
	var order []int
	limit := g.limit()
	short := func(e *Edge) bool { return e.binds() && e.Distance < limit }
	if r.distribute {
		order, _ = r.distributed()
	}
	if order == nil && limit > 1 {
		if order = g.sorted(func(e *Edge) bool { return short(e) || e.Kind == Carried }, nil); order == nil {
			order = g.sorted(short, nil)
		}
	}
	if order == nil {
		return // no order will do
	}
	at := make(map[*vir.Value]int)
	for k, i := range order {
		r.Order = append(r.Order, g.Nodes[i])
		at[g.Nodes[i]] = k
	}
	slices.SortFunc(r.Accesses, func(a, b Access) int { return cmp.Compare(at[a.Inst], at[b.Inst]) })
}

// limit is the smallest distance such that the edges up to it have a cycle, and
// longDistance when that is larger or there is none.
func (g *Graph) limit() int64 {
	var ds []int64
	for _, e := range g.Edges {
		if e.binds() && e.Distance < longDistance {
			ds = append(ds, e.Distance)
		}
	}
	slices.Sort(ds)
	for _, d := range slices.Compact(ds) {
		if g.sorted(func(e *Edge) bool { return e.binds() && e.Distance <= d }, nil) == nil {
			return d
		}
	}
	return longDistance
}

// sorted is a topological order by the edges that hold, as near to the program as may
// be, but that those go first for which early holds; nil when there is none.
func (g *Graph) sorted(holds func(*Edge) bool, early func(int) bool) []int {
	waits := make([]int, len(g.Nodes))
	to := make([][]int, len(g.Nodes))
	for i := range g.Edges {
		if e := &g.Edges[i]; holds(e) && e.From != e.To {
			to[e.From] = append(to[e.From], e.To)
			waits[e.To]++
		}
	}
	var order []int
	for range g.Nodes {
		next := slices.Index(waits, 0)
		if early != nil {
			for i := range waits {
				if waits[i] == 0 && early(i) {
					next = i
					break
				}
			}
		}
		if next < 0 {
			return nil
		}
		waits[next] = -1
		for _, k := range to[next] {
			waits[k]--
		}
		order = append(order, next)
	}
	return order
}

// Inverted is the pairs of accesses that the vector program does in the other order
// than the program because of an edge between iterations: the first of a pair is done
// first.
func (r *Result) Inverted() (pairs [][2]*Access) {
	if r.Graph == nil || r.Order == nil {
		return nil
	}
	for _, e := range r.Graph.Edges {
		if e.From > e.To && e.binds() {
			a, b := r.Access(r.Graph.Nodes[e.From]), r.Access(r.Graph.Nodes[e.To])
			if slices.Index(r.Order, a.Inst) < slices.Index(r.Order, b.Inst) {
				pairs = append(pairs, [2]*Access{a, b})
			}
		}
	}
	return pairs
}
