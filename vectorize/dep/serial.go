package dep

import (
	"slices"

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
// (Allen, Kennedy 1987: loop distribution.) A cycle may hold unmasked accesses at
// constant strides only.

// distributed is the order with the cycles as steps; false where one cannot be done.
func (r *Result) distributed() ([]int, bool) {
	g := r.Graph
	short := func(e *Edge) bool { return e.binds() && e.Distance < longDistance }
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
		if slices.ContainsFunc(nodes, func(v *vir.Value) bool { return !r.maySerialize(v) }) {
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
	for _, i := range small.sorted(short) {
		if p := parts[part[i]]; p[0] == i {
			order = append(order, p...)
		}
	}
	return order, true
}

func (r *Result) setSerials(serials [][]*vir.Value) {
	r.Serials = serials
	for k, nodes := range serials {
		for _, v := range nodes {
			r.Access(v).serial = k + 1
		}
	}
}

func (r *Result) maySerialize(v *vir.Value) bool {
	a := r.Access(v)
	return a != nil && a.Kind == Linear && a.Stream.Step != 0 && !v.Masked
}
