package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

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
