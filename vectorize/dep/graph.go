package dep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A Graph is the dependences of a straight body, between its accesses and those checks
// that do not limit the number of iterations beforehand.
//
// An edge from A to B says that a vector block of more lanes than the edge's
// Distance does A before B:
//
//   - Flow, Anti, Output: iteration t of A and t+Distance of B touch a common byte;
//     A stores and B loads, A loads and B stores, or both store. With Distance 0 the
//     dependence is inside of an iteration (loop-independent).
//   - Value: B is computed from what A loads.
//   - Guard: A is a check before B, which must not happen if it fails.
//   - Carried: B is computed from a variable that A gives its value for the next
//     iteration. Lanes want A first, unless that is a recurrence.
//   - Kept: the order of the program; what is known of the addresses allows no other.
//   - Tested: a test at run time says whether they meet. Either order will do.
//
// Where a pair meets at several distances, the smallest one counts. Edges of
// distance 0 never lead back in the program, so that every cycle has a distance.
type Graph struct {
	Nodes []*vir.Value // in the order of the program
	Edges []Edge
}

// An Edge is a dependence between two nodes, told by their positions.
type Edge struct {
	From, To int
	Kind     EdgeKind
	Distance int64
}

// EdgeKind is the reason for an edge.
type EdgeKind uint8

const (
	Flow EdgeKind = iota
	Anti
	Output
	Value
	Guard
	Carried
	Kept
	Tested
)

var edgeNames = [...]string{"flow", "anti", "output", "value", "guard", "carried", "kept", "tested"}

func (k EdgeKind) String() string { return edgeNames[k] }

// binds reports whether e orders its nodes in all events.
func (e *Edge) binds() bool { return e.Kind != Tested && e.Kind != Carried }

// graph finds the dependences of the body; nil when it has several blocks.
func (r *Result) graph(families []*family) *Graph {
	f := r.region.Fn
	if len(f.Blocks) != 5 {
		return nil
	}
	g := &Graph{}
	at := make(map[*vir.Value]int)
	for _, v := range f.Blocks[2].Insts {
		if v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() && !r.limits(v) {
			at[v] = len(g.Nodes)
			g.Nodes = append(g.Nodes, v)
		}
	}
	if len(g.Nodes) > maxNodes {
		return nil
	}
	r.memoryEdges(g, at, families)
	r.valueEdges(g, at)
	slices.SortStableFunc(g.Edges, func(a, b Edge) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return a.To - b.To
	})
	return g
}

// limits reports whether check v is a limit of the iterations of a call: where it fails
// is known before the loop.
func (r *Result) limits(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex {
		return false
	}
	_, ok := r.sc.Affine(v.Args[0])
	_, ok2 := r.sc.Invariant(v.Args[1])
	return ok && ok2
}

// maxNodes bounds the graph, whose edges grow with the square.
const maxNodes = 600

func (g *Graph) add(from, to int, kind EdgeKind, distance int64) {
	g.Edges = append(g.Edges, Edge{From: from, To: to, Kind: kind, Distance: distance})
}

// memoryEdges finds the edges between all pairs of accesses that may conflict.
func (r *Result) memoryEdges(g *Graph, at map[*vir.Value]int, families []*family) {
	of := make(map[*Access]*family)
	rel := make(map[*Access]member)
	for _, f := range families {
		for _, m := range f.members {
			of[m.Access], rel[m.Access] = f, m
		}
	}
	for i := range r.Accesses {
		b := &r.Accesses[i]
		for k := range i {
			a := &r.Accesses[k]
			switch {
			case !a.Store && !b.Store || !r.mayMeet(a, b):
			case of[a] == of[b]:
				r.familyEdges(g, at[a.Inst], at[b.Inst], of[a], rel[a], rel[b])
			default:
				g.add(at[a.Inst], at[b.Inst], r.pairKind(a, b), 0)
				if a.Kind == Indexed && b.Kind == Indexed && a.Stream.Param == b.Stream.Param {
					g.add(at[b.Inst], at[a.Inst], Kept, 1) // by whatever indexes
				}
			}
		}
	}
}

func (r *Result) mayMeet(a, b *Access) bool {
	params := r.region.Fn.Params
	return mayOverlap(params[a.Stream.Param], params[b.Stream.Param]) && !r.apart(a, b)
}

// pairKind is Tested where the tests of two families are good for either order.
func (r *Result) pairKind(a, b *Access) EdgeKind {
	switch {
	case a.Kind == Counted || b.Kind == Counted:
		return Kept
	case tested(a, b):
		return Tested
	}
	return Kept
}

// familyEdges finds the edges of two members of a family, of which a comes first in
// the program.
func (r *Result) familyEdges(g *Graph, i, k int, f *family, a, b member) {
	d, step := b.rel-a.rel, f.first.Step
	meet := -b.size < d && d < a.size && !a.excludes(b.Access)
	switch f.lead.Kind {
	case Symbolic: // longStep keeps other iterations apart
		if meet {
			g.add(i, k, kindOf(a, b), 0)
		}
		return
	case Linear:
		if meet {
			g.add(i, k, kindOf(a, b), 0)
		} else if j, ok := distance(d, -step, a.size, b.size, 1); ok {
			g.add(i, k, kindOf(a, b), j)
		}
		if j, ok := distance(d, step, a.size, b.size, 1); ok {
			g.add(k, i, kindOf(b, a), j)
		}
		return
	}
	g.add(i, k, Kept, 0)
	if j, ok := r.distanceIn(f, a, b, 1); ok {
		g.add(k, i, kindOf(b, a), j)
	}
}

func kindOf(a, b member) EdgeKind {
	switch {
	case a.stores && b.stores:
		return Output
	case a.stores:
		return Flow
	}
	return Anti
}

// valueEdges finds what accesses and checks are computed from, and what checks guard:
// stores, and accesses whose place nothing else says is good.
func (r *Result) valueEdges(g *Graph, at map[*vir.Value]int) {
	c := &sources{r: r, at: at, sets: make(map[*vir.Value][]source)}
	var checks []int
	for i, v := range g.Nodes {
		seen := make(map[source]bool)
		for _, a := range v.Args {
			for _, s := range c.of(a) {
				if s.node != i && !seen[s] {
					seen[s] = true
					kind, distance := Value, int64(0)
					if s.carried {
						kind, distance = Carried, 1
					}
					g.add(s.node, i, kind, distance)
				}
			}
		}
		switch a := r.Access(v); {
		case a == nil:
			checks = append(checks, i)
		case a.Store || a.Kind != Linear && a.Kind != Symbolic:
			for _, k := range checks {
				g.add(k, i, Guard, 0)
			}
		}
	}
}

// sources finds the loads that values are computed from.
type sources struct {
	r    *Result
	at   map[*vir.Value]int
	sets map[*vir.Value][]source
}

// A source is a load, or one that gave a variable its value an iteration before.
type source struct {
	node    int
	carried bool
}

func (c *sources) of(v *vir.Value) []source {
	if s, ok := c.sets[v]; ok {
		return s
	}
	c.sets[v] = nil // what leads back here adds nothing
	var all []source
	add := func(s source) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	n, isNode := c.at[v]
	header := c.r.region.Fn.Blocks[1]
	switch {
	case isNode:
		add(source{node: n})
	case v.Op == vir.OpPhi && v.Block == header:
		if k := c.r.sc.Phi(v); k != scev.Main && k != scev.Induction {
			for _, s := range c.of(v.Args[1-header.PredIndex(c.r.region.Fn.Entry())]) {
				add(source{node: s.node, carried: true})
			}
		}
	default:
		for _, a := range v.Args {
			for _, s := range c.of(a) {
				add(s)
			}
		}
	}
	c.sets[v] = all
	return all
}

// Components are the strongly connected parts of the edges that hold, in the order in
// which they may be done, each in the order of the program.
func (g *Graph) Components(holds func(*Edge) bool) [][]int {
	from := make([][]int, len(g.Nodes))
	for i := range g.Edges {
		if e := &g.Edges[i]; holds(e) {
			from[e.To] = append(from[e.To], e.From)
		}
	}
	var nodes []int
	for v := range g.Nodes {
		nodes = append(nodes, v)
	}
	return loops.Components(nodes, func(v int) []int { return from[v] })
}

// Note is the annotation of v for vir.PrintOptions: its number and the edges that go
// out from it, with the distance of those between iterations; the cycle that it is a
// part of; its place in the vector program where that is another.
func (r *Result) Note(v *vir.Value) string {
	g := r.Graph
	if g == nil {
		return ""
	}
	i := slices.Index(g.Nodes, v)
	if i < 0 {
		return ""
	}
	var to []string
	for _, e := range g.Edges {
		if e.From != i {
			continue
		}
		text := fmt.Sprintf("%s #%d", e.Kind, e.To)
		if e.Distance > 0 {
			text += fmt.Sprintf(" (%d)", e.Distance)
		}
		to = append(to, text)
	}
	note := fmt.Sprintf("#%d", i)
	if to != nil {
		note += " -> " + strings.Join(to, ", ")
	}
	for _, c := range g.Components(func(e *Edge) bool { return e.binds() }) {
		if slices.Contains(c, i) && len(c) > 1 {
			note += fmt.Sprintf("; in a cycle of %d", len(c))
		}
	}
	if at := slices.Index(r.Order, v); at >= 0 && at != i {
		note += fmt.Sprintf("; done as number %d", at)
	}
	return note
}
