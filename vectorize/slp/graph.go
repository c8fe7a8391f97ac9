package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A kind says how the lanes of a node come about.
type kind uint8

const (
	constants kind = iota // known numbers
	splat                 // one scalar in all lanes
	gather                // scalars put together
	shuffle               // lanes of one or two other nodes
	operation             // the same operation on all lanes
	alternate             // one of two operations on each lane
	super                 // a chain of operations with many operands (super.go)
	load                  // neighbours in memory
	span                  // elements of a stretch of memory, in any order, with gaps
	store                 // neighbours in memory
	phis                  // phis of one block
)

// A node is a group of scalars that are lanes of one vector. Lanes that nobody looks at
// are nil.
type node struct {
	kind    kind
	scalars []*vir.Value
	op, alt vir.Op // alt is that of the lanes in which it differs from op
	args    []*node
	lanes   []int        // of a shuffle, out of those of args one behind the other; of a span, in elements from its lowest
	uniform *vir.Value   // condition of a select, if it is the same in all lanes
	inner   []*vir.Value // operations of a super-node that are no lanes
	terms   [][]term     // of a super-node: operands with signs, by argument and lane

	price float64    // by itself, vector minus scalar
	vec   *vir.Value // once it is written
}

// packs reports whether the scalars of the node are replaced by lanes of its vector.
func (n *node) packs() bool { return n.kind >= operation }

func (n *node) width() int { return len(n.scalars) }

// first is a scalar of the node.
func (n *node) first() *vir.Value {
	for _, v := range n.scalars {
		if v != nil {
			return v
		}
	}
	return nil
}

// element is the type of a lane of the node.
func (n *node) element() vir.Elem {
	v := n.first()
	if n.kind == store {
		return v.Stored().Type.Elem
	}
	return v.Type.Elem
}

// typ is the type of the node's vector.
func (n *node) typ() vir.Type { return vir.Vec(n.element(), n.width()) }

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
	total     float64                // cost of all
	loose     map[looseKey][]*node   // nodes that pack nothing

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
}

// present are the lanes that somebody looks at.
func present(vs []*vir.Value) []*vir.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v *vir.Value) bool { return v == nil })
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
	return g.put(n)
}

// build makes the node with these scalars as lanes.
func (g *Graph) build(vs []*vir.Value) *node {
	g.spent += len(vs)
	if n := g.trivial(vs); n != nil {
		return n
	}
	if n := g.again(vs); n != nil {
		return n
	}
	if n := g.repeated(vs); n != nil {
		return n
	}
	if n := g.asWritten(vs); n != nil {
		return n
	}
	if n := g.group(vs); n != nil {
		return n
	}
	return g.gather(vs)
}

// asWritten makes the group in the order of the program, and a shuffle; nil when it is
// in that order, or when nodes are in the order in which their first user wants them.
// Where loads and phis stand means nothing.
func (g *Graph) asWritten(vs []*vir.Value) *node {
	if !g.inOrder || slices.Contains(vs, nil) || vs[0].Block == nil || vs[0].Op == vir.OpLoad || vs[0].Op == vir.OpPhi || !all(vs, func(v *vir.Value) bool { return v.Block == vs[0].Block }) {
		return nil
	}
	sorted := slices.Clone(vs)
	slices.SortFunc(sorted, func(v, w *vir.Value) int { return g.position(v) - g.position(w) })
	if slices.Equal(sorted, vs) {
		return nil
	}
	n := g.group(sorted)
	if n == nil {
		return nil
	}
	lanes := make([]int, len(vs))
	for i, v := range vs {
		lanes[i] = slices.Index(sorted, v)
	}
	return g.rearranged(vs, []*node{n}, lanes)
}

// position is where v stands in its block.
func (g *Graph) position(v *vir.Value) int {
	return g.region(v.Block).at[v]
}

// gather puts scalars together one by one.
func (g *Graph) gather(vs []*vir.Value) *node {
	fresh := &node{kind: gather, scalars: vs}
	for _, n := range g.loose[fresh.looseKey()] { // nobody needs it twice
		if slices.Equal(n.scalars, vs) {
			return n
		}
	}
	return g.add(fresh)
}

// trivial makes nodes of constants and of one scalar; nil for others.
func (g *Graph) trivial(vs []*vir.Value) *node {
	same, known := true, true
	v := (&node{scalars: vs}).first()
	for _, w := range vs {
		if w == nil {
			continue
		}
		same = same && w == v
		known = known && w.Op == vir.OpConst
	}
	switch {
	case known:
		return g.add(&node{kind: constants, scalars: vs})
	case same && g.of[v] == nil:
		if old := g.loose[looseKey{kind: splat, width: len(vs), first: v}]; len(old) > 0 {
			return old[0]
		}
		return g.add(&node{kind: splat, scalars: vs})
	}
	return nil
}

// again makes lanes of what is packed already; nil when that is not all of them.
func (g *Graph) again(vs []*vir.Value) *node {
	var from []*node
	for _, v := range vs {
		n := g.of[v]
		switch {
		case v == nil || slices.Contains(from, n):
		case n == nil || n.kind == store || len(from) > 0 && n.width() != from[0].width():
			return nil
		default:
			from = append(from, n)
		}
	}
	switch {
	case len(from) == 0 || len(from) > 2 && from[0].width() != len(vs):
		return nil
	case slices.Equal(from[0].scalars, vs):
		return from[0]
	case len(from) > 2:
		return g.mixed(vs, from)
	}
	lanes := make([]int, len(vs))
	for i, v := range vs {
		lanes[i] = -1
		if v != nil {
			lanes[i] = g.lane[v] + from[0].width()*slices.Index(from, g.of[v])
		}
	}
	return g.rearranged(vs, from, lanes)
}

// rearranged is a shuffle, one that is there if possible.
func (g *Graph) rearranged(vs []*vir.Value, from []*node, lanes []int) *node {
	fresh := &node{kind: shuffle, scalars: vs, args: from, lanes: lanes}
	for _, n := range g.loose[fresh.looseKey()] {
		if slices.Equal(n.lanes, lanes) && slices.Equal(n.args, from) {
			return n
		}
	}
	return g.add(fresh)
}

// repeated makes lanes with scalars that occur several times out of the different ones,
// if these are a group.
func (g *Graph) repeated(vs []*vir.Value) *node {
	var distinct []*vir.Value
	for _, v := range vs {
		if v != nil && !slices.Contains(distinct, v) {
			distinct = append(distinct, v)
		}
	}
	n := len(distinct)
	if n == len(present(vs)) || n < 2 || n&(n-1) != 0 {
		return nil
	}
	m := g.mark()
	inner := g.again(distinct)
	if inner == nil {
		inner = g.group(distinct)
	}
	if inner == nil {
		g.rollback(m)
		return nil
	}
	lanes := make([]int, len(vs))
	for i, v := range vs {
		lanes[i] = slices.Index(distinct, v) // -1 for nil
	}
	return g.rearranged(vs, []*node{inner}, lanes)
}

// group makes a node that packs the scalars: they are different, free, of one block and
// type, do the same, and can be brought together. Otherwise nil.
func (g *Graph) group(vs []*vir.Value) *node {
	v := (&node{scalars: vs}).first()
	if v.Block == nil || g.isCut(vs) {
		return nil
	}
	for i, w := range vs {
		if w == nil {
			continue
		}
		if !g.unused(w) || w.Block != v.Block || w.Type != v.Type || w.Type.IsVector() || slices.Index(vs, w) != i {
			return nil
		}
	}
	switch {
	case v.Op == vir.OpPhi:
		return g.phis(vs)
	case v.Op == vir.OpLoad:
		return g.loads(vs)
	case v.Op == vir.OpStore:
		return g.stores(vs)
	}
	if n := g.chained(vs); n != nil {
		return n
	}
	return g.operations(vs)
}

// phis packs variables of a loop, or what branches come together with.
func (g *Graph) phis(vs []*vir.Value) *node {
	n := &node{kind: phis, op: vir.OpPhi, scalars: vs}
	if !all(vs, func(w *vir.Value) bool { return w.Op == vir.OpPhi }) || n.element() == vir.Ptr || n.element() == vir.Bool {
		return nil
	}
	if g.pack(n) == nil {
		return nil
	}
	for k := range n.first().Args {
		n.args = append(n.args, g.build(operand(vs, k)))
	}
	return n
}

// all reports whether ok holds for the lanes that somebody looks at.
func all(vs []*vir.Value, ok func(*vir.Value) bool) bool {
	return !slices.ContainsFunc(vs, func(v *vir.Value) bool { return v != nil && !ok(v) })
}

// operand is operand k of each lane.
func operand(vs []*vir.Value, k int) []*vir.Value {
	args := make([]*vir.Value, len(vs))
	for i, v := range vs {
		if v != nil {
			args[i] = v.Args[k]
		}
	}
	return args
}

// operations packs lanes of one operation, or of two that go with the same operands.
func (g *Graph) operations(vs []*vir.Value) *node {
	n := &node{kind: operation, scalars: vs}
	n.op = n.first().Op
	n.alt = n.op
	for _, v := range vs {
		switch {
		case v == nil || v.Op == n.op || v.Op == n.alt:
		case n.alt == n.op:
			n.kind, n.alt = alternate, v.Op
		default:
			return nil
		}
		if v != nil && !sameShape(v, n.first()) {
			return nil
		}
	}
	if !lanewise(n.op) || !lanewise(n.alt) || n.kind == alternate && !goTogether(n.op, n.alt) {
		return nil
	}
	if _, ok := g.opt.Costs.Vector(n); !ok || g.pack(n) == nil {
		return nil
	}
	args := g.operands(n)
	if n.op == vir.OpSelect && all(args[0], func(v *vir.Value) bool { return v == n.first().Args[0] }) {
		n.uniform = n.first().Args[0]
		g.wants([]*vir.Value{n.uniform}, 1)
		args = args[1:]
	}
	for _, a := range args {
		n.args = append(n.args, g.build(a))
	}
	return n
}

// sameShape reports whether operands are of equal types.
func sameShape(v, w *vir.Value) bool {
	if len(v.Args) != len(w.Args) {
		return false
	}
	for i, a := range v.Args {
		if a.Type != w.Args[i].Type {
			return false
		}
	}
	return true
}

// lanewise reports whether op does for vectors what it does for scalars, lane by lane.
func lanewise(op vir.Op) bool {
	switch op.Info().Rule {
	case vir.RuleInt, vir.RuleLogic, vir.RuleFloat, vir.RuleIntCmp, vir.RuleFloatCmp, vir.RuleSelect,
		vir.RuleTrunc, vir.RuleExt, vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc, vir.RuleBitcast:
		return true
	}
	return false
}

// goTogether reports whether lanes may do one of two operations each: both are done in
// all lanes then.
func goTogether(a, b vir.Op) bool {
	binary := func(op vir.Op) bool {
		r := op.Info().Rule
		return op.Info().Args == 2 && (r == vir.RuleInt || r == vir.RuleLogic || r == vir.RuleFloat)
	}
	return binary(a) && binary(b)
}
