package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A Graph holds the nodes of all trees. It is no tree: nodes have several users.
type Graph struct {
	f     *vir.Func
	opt   Options
	uses  map[*vir.Value][]*vir.Value
	nodes []*node
	of    map[*vir.Value]*node // the node that packs a scalar
	lane  map[*vir.Value]int   // its lane there
	inner map[*vir.Value]*node // the super-node that an operation is in, if it is no lane
	sums  []*reduction
	inSum map[*vir.Value]*reduction // operations that a sum replaces

	wanted    map[*vir.Value]int     // how often others than packed lanes want a scalar
	extracted map[*vir.Value]float64 // what packed scalars cost that are needed one by one
	places    map[*vir.Value]int     // places of accesses in the program
	passing   map[*vir.Value][]passing
	readers   map[*vir.Value][]*vir.Value // loads that come soon after a store
	waited    map[*vir.Value]float64      // what loads wait for stores
	grains    map[*vir.Value]int64        // see grain
	total     float64                     // cost of all
	loose     map[looseKey][]*node        // nodes that pack nothing

	regions   map[*vir.Block]*region
	addresses map[*vir.Value]*address
	trees     []Tree
	tiles     bool                          // elements at a stride are lanes of vectors of neighbours
	apart     bool                          // such elements were met
	cuts      map[*vir.Value][][]*vir.Value // groups that are not to be, by the first of their values
	inOrder   bool                          // groups have the order of the program, else that in which they are used
	growing   int                           // nodes that may still be added to this tree
	exploring bool                          // what is tried now is tried to see what it gains, and then undone
	choices   int                           // super-nodes around this one that could be something else
	plain     map[*vir.Value]int            // operations that belong to no super-node for now
	spent     int                           // steps taken so far: values looked at, edges followed
}

// A looseKey is what nodes are found by that nobody needs twice.
type looseKey struct {
	kind  kind
	width int
	first *vir.Value // that somebody looks at
	from  *node      // of a shuffle
}

func newGraph(f *vir.Func, opt Options) *Graph {
	return &Graph{
		f: f, opt: opt, uses: f.Uses(),
		of: make(map[*vir.Value]*node), lane: make(map[*vir.Value]int), inSum: make(map[*vir.Value]*reduction),
		inner: make(map[*vir.Value]*node), plain: make(map[*vir.Value]int),
		cuts:   make(map[*vir.Value][][]*vir.Value),
		wanted: make(map[*vir.Value]int), extracted: make(map[*vir.Value]float64), loose: make(map[looseKey][]*node),
		places: make(map[*vir.Value]int), grains: make(map[*vir.Value]int64), passing: make(map[*vir.Value][]passing),
		readers: make(map[*vir.Value][]*vir.Value), waited: make(map[*vir.Value]float64),
		regions: make(map[*vir.Block]*region), addresses: make(map[*vir.Value]*address),
	}
}

func (g *Graph) region(b *vir.Block) *region {
	r := g.regions[b]
	if r == nil {
		r = g.newRegion(b)
		g.regions[b] = r
	}
	return r
}

func (g *Graph) address(v *vir.Value) *address {
	a := g.addresses[v]
	if a == nil {
		a = addressOf(v)
		g.addresses[v] = a
	}
	return a
}

// A mark is a state of the graph to which it can go back.
type mark struct {
	nodes, sums, trees int
	total              float64
	growing            int
}

func (g *Graph) mark() mark { return mark{len(g.nodes), len(g.sums), len(g.trees), g.total, g.growing} }

// rollback forgets what was added behind m.
func (g *Graph) rollback(m mark) {
	for i := len(g.sums) - 1; i >= m.sums; i-- {
		g.dropSum(g.sums[i])
	}
	for i := len(g.nodes) - 1; i >= m.nodes; i-- {
		g.drop(g.nodes[i])
	}
	g.nodes, g.sums, g.trees, g.total = g.nodes[:m.nodes], g.sums[:m.sums], g.trees[:m.trees], m.total
	g.growing = m.growing
}

// drop makes the scalars of n free again.
func (g *Graph) drop(n *node) {
	if !n.packs() {
		g.wants(n.wanted(), -1)
		k := n.looseKey()
		g.loose[k] = slices.DeleteFunc(g.loose[k], func(m *node) bool { return m == n })
		return
	}
	if n.kind != phis {
		g.region(n.first().Block).release(present(n.scalars))
	}
	for _, v := range n.scalars {
		delete(g.of, v)
		delete(g.lane, v)
	}
	for _, v := range n.inner {
		delete(g.inner, v)
	}
	if n.uniform != nil {
		g.wants([]*vir.Value{n.uniform}, -1)
	}
	g.reprice(n.scalars)
	g.reprice(n.inner)
	g.await(n.scalars)
}

// add adds a node that packs nothing.
func (g *Graph) add(n *node) *node {
	k := n.looseKey()
	g.loose[k] = append(g.loose[k], n)
	g.wants(n.wanted(), 1)
	return g.put(n)
}

// stepsPerLane is what it takes to put a lane into the graph and out of it again.
const stepsPerLane = 64

func (g *Graph) put(n *node) *node {
	g.spent += stepsPerLane * n.width()
	n.price = g.costOf(n)
	g.total += n.price
	g.nodes = append(g.nodes, n)
	return n
}

// looseKey of a node that packs nothing.
func (n *node) looseKey() looseKey {
	if n.kind == shuffle {
		return looseKey{kind: shuffle, width: n.width(), from: n.args[0]}
	}
	return looseKey{kind: n.kind, width: n.width(), first: n.first()}
}

// pack adds a node that replaces its scalars; nil when they cannot be brought together.
func (g *Graph) pack(n *node) *node {
	vs := present(n.scalars)
	if g.growing <= 0 {
		return nil
	}
	if n.kind != phis && !g.region(vs[0].Block).bundle(append(vs, n.inner...), n.kind == super) {
		return nil
	}
	g.growing--
	for i, v := range n.scalars {
		if v != nil {
			g.of[v], g.lane[v] = n, i
		}
	}
	for _, v := range n.inner {
		g.inner[v] = n
	}
	g.reprice(n.scalars)
	g.reprice(n.inner)
	g.await(n.scalars)
	return g.put(n)
}
