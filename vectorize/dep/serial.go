package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// With Options.Distribute the cycles between neighbouring iterations are done lane by
// lane, each as one step of a block:
//
//	a[i] += c[i]*d[i]            all lanes
//	b[i] = b[i-1] + a[i]         lane by lane
//
// Inside of a cycle the order is that of the program. Everything else is done before
// or behind it, as the graph of the cycles says, each of them taken for one node.
// (Allen, Kennedy 1987: loop distribution.) A cycle may hold accesses at one constant
// stride only, or such to one slice by indexes that may be anything, count[v[i]]++, and may
// go through variables that the loop carries.
//
// What a cycle passes on need not be loaded again, where the distance of the store and
// the load is known. Accesses of one cycle whose distance is not known, such as those to
// two slices that feed each other, must therefore be apart within a block, in whatever
// order: see between.

// distributed is the order with the cycles as steps; false where one cannot be done.
func (r *Result) distributed() ([]int, bool) {
	g := r.Graph
	short := func(e *Edge) bool { return (e.binds() || e.Kind == Carried) && e.Distance < longDistance }
	parts := g.Components(short)
	part := make([]int, len(g.Nodes))
	var serials [][]*vir.Value
	for k, p := range parts {
		var nodes []*vir.Value
		for _, i := range p {
			part[i] = k
			nodes = append(nodes, g.Nodes[i])
		}
		if len(p) == 1 {
			continue
		}
		if slices.ContainsFunc(nodes, func(v *vir.Value) bool { return !r.maySerialize(v, nodes[0]) }) {
			return nil, false
		}
		serials = append(serials, nodes)
	}
	r.setSerials(serials)
	// The graph of the parts, told by their first nodes.
	small := &Graph{Nodes: g.Nodes}
	for _, e := range g.Edges {
		if a, b := part[e.From], part[e.To]; short(&e) && a != b {
			small.add(parts[a][0], parts[b][0], e.Kind, 0)
		}
	}
	var order []int
	for _, i := range small.sorted(short, g.early(part, parts, short)) {
		if p := parts[part[i]]; p[0] == i {
			order = append(order, p...)
		}
	}
	return order, true
}

// early are the parts, told by their first nodes, that checks wait for, and checks: a block that is handed over because of
// one must not have stored anything yet.
func (g *Graph) early(part []int, parts [][]int, holds func(*Edge) bool) func(int) bool {
	is := make(map[int]bool)
	for i, v := range g.Nodes {
		if v.Op.IsCheck() {
			is[part[i]] = true
		}
	}
	for more := true; more; {
		more = false
		for k := range g.Edges {
			if e := &g.Edges[k]; holds(e) && is[part[e.To]] && !is[part[e.From]] {
				is[part[e.From]], more = true, true
			}
		}
	}
	return func(i int) bool { return is[part[i]] && parts[part[i]][0] == i }
}

func (r *Result) setSerials(serials [][]*vir.Value) {
	r.Serials = serials
	for k, nodes := range serials {
		for _, v := range nodes {
			r.Access(v).serial = k + 1
		}
	}
}

// maySerialize reports whether v can be part of a cycle with first.
func (r *Result) maySerialize(v, first *vir.Value) bool {
	a, b := r.Access(v), r.Access(first)
	switch {
	case a == nil || b == nil || a.Kind != b.Kind:
		return false
	case a.Kind == Indexed:
		return a.Stream.Param == b.Stream.Param
	}
	return a.Kind == Linear && a.Stream.Step != 0 && a.Stream.Step == b.Stream.Step
}

// Related reports whether the distance of a and b is known and the same in every iteration.
func (r *Result) Related(a, b *Access) bool {
	_, known := scev.Diff(b.Stream.Off, a.Stream.Off)
	return known && movesWith(a, b)
}

// around is between for two members of one cycle.
func around(a, b member, step int64, lanes int) hull {
	way := max(step, -step) * int64(lanes-1)
	shift := a.rel - b.rel
	return hull{shift - way - b.size, shift + way + a.size}
}
