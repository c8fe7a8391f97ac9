package loopvec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A nestWriter is a widener of a body with loops: it writes the blocks in their
// order, and every value where the program has it.
type nestWriter struct {
	*widener
	copy  map[*vir.Block]*vir.Block // where a block begins
	end   map[*vir.Block]*vir.Block // and ends, when checks have split it
	tank  *vir.Value                // the fuel at the start of the block of iterations
	fuel  *vir.Value                // what is left of it here
	fuels map[*vir.Block]*vir.Value // phis of it

	fuelAt map[*vir.Block]*vir.Value // what is left at the end of a block

	ahead map[*loops.Loop]*checkedLoop

	stores []storedBytes // what the block stores behind all loads of rows

	// The loop whose state may be saved is entered from one of these.
	loaded  loadedState
	entered *vir.Block
	gate    *vir.Block // where that is decided; nil when it has been
}

// The iterations of inner loops of one call take about that many cycles, 30 µs; their
// number stays within limits that make up for bad estimates.
const (
	callOfCycles = 100_000
	leastFuel    = 1 << 8
	mostFuel     = 1 << 14
)

// A fuelConst is a constant that is a multiple of the fuel of a call, as blocks of so many lanes spend it.
type fuelConst struct {
	v      *vir.Value
	factor float64
	lanes  int
}

// fuelled is a multiple of the fuel of a call, of which nothing is known before the
// kernel is written, in iterations of the widest stage.
func (e *emitter) fuelled(b *vir.Builder, factor float64) *vir.Value {
	return e.fuelOf(b, e.stages[0].lanes, factor)
}

// fuelOf is fuelled for the stage of so many lanes.
func (e *emitter) fuelOf(b *vir.Builder, lanes int, factor float64) *vir.Value {
	v := b.Int(vir.Scalar(vir.I64), 0)
	e.fuels = append(e.fuels, fuelConst{v, factor, lanes})
	return v
}

// enoughFuel asks whether a block of so many lanes may take that many iterations of inner loops.
func (e *emitter) enoughFuel(b *vir.Builder, lanes int, need *vir.Value) *vir.Value {
	return b.Cmp(vir.OpIcmpSle, need, e.fuelOf(b, lanes, 1))
}

// setFuel fills in the fuel of a call, by what an iteration of the inner loops costs.
func (e *emitter) setFuel() {
	if !e.l.isNest() {
		return
	}
	fuel := make(map[int]float64)
	for _, s := range e.stages {
		fuel[s.lanes] = e.stageFuel(s.lanes)
	}
	for _, c := range e.fuels {
		c.v.Bits = []uint64{uint64(int64(fuel[c.lanes]*c.factor) &^ (lookEvery - 1))} // looks see the end
	}
}

// stageFuel is how many iterations of inner loops in so many lanes a call may do.
func (e *emitter) stageFuel(lanes int) float64 {
	cycles := 1.0
	prefix := fmt.Sprintf("vec%d.", lanes)
	for _, b := range e.f.Blocks {
		if e.depths[b] > 0 && strings.HasPrefix(b.Name, prefix) {
			cycles += e.l.blockCost([]*vir.Block{b}) / e.l.weight(b)
		}
	}
	call, most := float64(callOfCycles), float64(mostFuel*e.stages[0].lanes/lanes)
	if e.need != nil && lanes <= oneRegister(e.stages) {
		call, most = wholeBlock*call, wholeBlock*most
	}
	return min(max(call/cycles, leastFuel), most)
}

// wholeBlock is how much longer a call of a nest that stores midway may take, of which no block can be done in part: it is all scalar otherwise.
const wholeBlock = 4

// oneRegister is the number of lanes of the last stage that repeats, of whole registers.
func oneRegister(stages []stage) int {
	if n := len(stages) - 1; n > 0 && stages[n].part {
		stages = stages[:n]
	}
	return narrowest(stages)
}

// narrowest is the number of lanes of the last stage that repeats.
func narrowest(stages []stage) int {
	lanes := stages[0].lanes
	for _, s := range stages {
		if s.loop {
			lanes = s.lanes
		}
	}
	return lanes
}

// nest writes a block of iterations and returns what is left of the fuel.
func (w *widener) nest(fuel *vir.Value) *vir.Value {
	w.scal = make(map[*vir.Value]*vir.Value)
	n := &nestWriter{
		widener: w, tank: fuel, fuel: fuel,
		copy: make(map[*vir.Block]*vir.Block), end: make(map[*vir.Block]*vir.Block), fuels: make(map[*vir.Block]*vir.Value), fuelAt: make(map[*vir.Block]*vir.Value),
		ahead: w.e.l.checkedAhead(),
	}
	n.ramps()
	n.beginStores()
	n.rowsApart()
	split := w.split
	for i, b := range w.e.l.blocks {
		w.split = func() *vir.Block {
			s := split()
			w.e.runsLike(s, b)
			return s
		}
		if i > 0 {
			n.place(b)
		}
		n.copy[b] = w.b.Cur
		n.block(b)
		n.end[b], n.fuelAt[b] = w.b.Cur, n.fuel
		n.term(b)
	}
	n.phis()
	return n.fuel
}

// ramps makes what follows from the iteration once, before everything else, and what the header
// computes.
func (n *nestWriter) ramps() {
	l := n.e.l
	for _, v := range slices.Concat(l.header.Insts, l.insts) {
		n.rampOf(v)
		if l.series[v] != nil && l.demand[v] {
			n.value(v)
		}
	}
	for _, v := range l.header.Insts[len(l.header.Phis()):] {
		n.scalarOf(v)
		if l.demand[v] && l.inLanes(v) {
			n.value(v)
		}
	}
}

// scalarOf writes v as a scalar where it is needed and not known yet.
func (n *nestWriter) scalarOf(v *vir.Value) {
	if !n.e.l.nest.scalars[v] || n.scal[v] != nil {
		return
	}
	x := &vir.Value{Op: v.Op, Type: v.Type, Name: v.Name, Pos: v.Pos, Bits: v.Bits}
	for _, a := range v.Args {
		x.Args = append(x.Args, n.first(a))
	}
	n.scal[v] = n.b.Append(x)
	n.splatLocal(v)
}

func (n *nestWriter) rampOf(v *vir.Value) {
	l := n.e.l
	if !v.Type.Elem.IsInt() || !l.ramp(v) {
		return
	}
	if l.nest.scalars[v] {
		n.scal[v] = n.rampAt(v, 0)
	}
	if l.demand[v] {
		n.value(v)
	}
}

// target is the copy of block b, which need not be placed yet.
func (n *nestWriter) target(b *vir.Block) *vir.Block {
	if n.copy[b] == nil {
		n.copy[b] = n.split()
		n.e.runsLike(n.copy[b], b)
	}
	return n.copy[b]
}

// runsLike says that block s of the kernel runs as often as block b of the region.
func (e *emitter) runsLike(s, b *vir.Block) {
	e.depths[s] = e.l.depth(b)
	if share := e.l.share(b); share != 1 {
		e.l.shares[s] = share
	}
}

func (n *nestWriter) place(b *vir.Block) { n.e.place(n.b, n.target(b)) }

// block writes the instructions of b.
func (n *nestWriter) block(b *vir.Block) {
	// What is made when it is needed stays in its block.
	n.wide, n.rows, n.down = make(map[wideKey]*vir.Value), make(map[laneKey]*vir.Value), nil
	n.begin(b)
	if n.isHead(b) {
		n.burn(b) // first of all, so that the condition of the loop stands by its branch
	}
	first := n.checksFirst(b)
	for _, v := range first {
		n.b.Pos = v.Pos
		n.nestCheck(v)
	}
	for _, v := range b.Insts {
		n.b.Pos = v.Pos
		switch {
		case v.Op == vir.OpPhi, slices.Contains(first, v):
		case n.cycleOf(v):
		case v.Op.Info().Term, v.Op == vir.OpIter:
		case v.Op.IsCheck():
			n.nestCheck(v)
		case v.Op.IsStore():
			n.flush()
			n.storeOf(v)
		case v.Op.IsLoad():
			n.loadOf(v)
		default:
			n.compute(v)
		}
		n.carried(v)
	}
	n.flush()
	n.checkAhead(b)
}

// checksFirst are checks of all lanes at once that nothing in b has to be known for: made before everything else, they do not divide
// what parts of a block compute, which would all wait in registers for the others.
func (n *nestWriter) checksFirst(b *vir.Block) (first []*vir.Value) {
	l := n.e.l
	for _, v := range b.Insts {
		known := func(a *vir.Value) bool { return a.Block != b || a.Op == vir.OpPhi }
		switch {
		case v.Op.IsStore():
			return first
		case v.Op == vir.OpCheckIndex && !v.Masked && known(v.Args[0]) && known(v.Args[1]) && l.checkForm(v) == checkLocal && l.uniformCheck(v):
			first = append(first, v)
		}
	}
	return first
}

// begin writes the phis of b, without operands, and what is known of fuel.
func (n *nestWriter) begin(b *vir.Block) {
	for _, v := range b.Phis() {
		n.phi(v)
	}
	if from := n.e.l.blocks[0]; b != from {
		if n.fuel = n.fuelAt[b.Preds[0]]; len(b.Preds) > 1 {
			n.fuels[b] = n.b.Phi(n.fuel.Type)
			n.fuel = n.fuels[b]
		}
	}
	for _, v := range b.Phis() {
		if n.scal[v] != nil {
			n.splatLocal(v)
		}
	}
}

func (n *nestWriter) isHead(b *vir.Block) bool {
	f := n.e.l.nest.forest.Of(b)
	return f != nil && f.Header == b
}

// burn takes one off the fuel.
func (n *nestWriter) burn(head *vir.Block) {
	if n.e.l.storesMidway() || n.e.l.isRest(head) {
		return // see beginStores; a rest is short
	}
	i64 := n.fuel.Type
	n.fuel = n.b.Op(vir.OpSub, i64, n.fuel, n.b.Int(i64, 1))
	if active := n.e.waiters(head); active != nil {
		n.look(head, active)
		return
	}
	n.spent(head)
}

// spent ends the call, or hands the block over, when there is no fuel left.
func (n *nestWriter) spent(head *vir.Block) {
	switch {
	case n.e.saved == nil:
		n.fail(n.b.Cmp(vir.OpIcmpSlt, n.e.zero, n.fuel), true, nil)
	case n.e.l.depth(head) > 1:
		// The loop around it saves its state when it comes by, if it does soon.
		n.fail(n.b.Cmp(vir.OpIcmpSlt, n.e.fuelled(n.b, -1), n.fuel), true, nil)
	default:
		n.save()
	}
}

// phi makes phis without operands.
func (n *nestWriter) phi(v *vir.Value) {
	l := n.e.l
	if l.demand[v] {
		n.vec[v] = n.b.Phi(vir.Vec(v.Type.Elem, n.lanes))
		n.vec[v].Name = v.Name
	}
	if l.nest.scalars[v] {
		n.scal[v] = n.b.Phi(v.Type)
		n.scal[v].Name = v.Name
	}
}

// compute writes v where it is needed: as a scalar, in lanes.
func (n *nestWriter) compute(v *vir.Value) {
	l := n.e.l
	switch {
	case v.Op == vir.OpLeast && l.nest.scalars[v]:
		n.scal[v] = n.rampAt(v.Args[0], l.leastLane(v, n.lanes))
	case l.demand[v] && l.begins(v) != nil:
		n.vec[v] = n.begun(v)
	}
	n.scalarOf(v)
	if l.demand[v] && n.vec[v] == nil {
		n.value(v)
	}
}

// splatLocal puts a scalar of the block into lanes where these are asked for.
func (n *nestWriter) splatLocal(v *vir.Value) {
	if n.e.l.nest.splats[v] {
		n.vec[v] = n.b.Op(vir.OpBroadcast, vir.Vec(v.Type.Elem, n.lanes), n.scal[v])
		n.vec[v].Name = v.Name
	}
}

// first is v in the first lane.
func (n *nestWriter) first(v *vir.Value) *vir.Value { return n.scalar(v) }

func (n *nestWriter) loadOf(v *vir.Value) {
	l := n.e.l
	if !l.demand[v] && !l.nest.scalars[v] {
		return
	}
	n.beforeLoad()
	g := n.groupOf(v)
	switch form := l.innerForm(v); {
	case g != nil && g.place == v:
		n.loadGroup(g)
	case g != nil:
	case form == innerUniform:
		n.flush()
		n.notStored(v)
		n.scal[v] = n.b.Load(vir.OpLoad, v.Type, n.firstAddr(v), nil)
		n.scal[v].Name = v.Name
		n.splatLocal(v)
	case form == innerGuarded:
		n.flush()
		n.guarded(v)
		n.splatLocal(v)
	case form.inRow():
		n.flush()
		n.notStored(v)
		op := vir.OpLoadUnit
		if form == innerReverse {
			op = vir.OpLoadReverse
		}
		n.vec[v] = n.b.Load(op, vir.Vec(v.Type.Elem, n.lanes), n.firstAddr(v), n.maskOf(v))
		n.vec[v].Name = v.Name
	case form == innerSpread:
		n.flush()
		n.vec[v] = n.spread(v)
		n.vec[v].Name = v.Name
	default:
		n.load(v)
	}
}

// groupOf is the group that v is loaded with, nil where it is loaded by itself.
func (n *nestWriter) groupOf(v *vir.Value) *group {
	g := n.e.l.groups[v]
	if g != nil && n.e.l.innerForm(v) == innerSpread && g.code(g.piece(n.lanes)) == nil {
		return nil
	}
	return g
}

// spread loads v lane by lane.
func (n *nestWriter) spread(v *vir.Value) *vir.Value {
	return n.lanesOf(v.Type.Elem, func(lane int) *vir.Value {
		return n.b.Load(vir.OpLoad, v.Type, n.apartAddr(v, lane), nil)
	})
}

// guarded loads v where the condition of its mask holds.
func (n *nestWriter) guarded(v *vir.Value) {
	mask, none := n.first(v.Mask()), n.b.Const(v.Type, 0)
	from, load, on := n.b.Cur, n.split(), n.split()
	n.b.Br(mask, load, on)
	n.e.place(n.b, load)
	x := n.b.Load(vir.OpLoad, v.Type, n.firstAddr(v), nil)
	n.b.Jmp(on)
	n.e.place(n.b, on)
	n.scal[v] = n.b.Phi(v.Type)
	n.scal[v].Name = v.Name
	for _, p := range on.Preds {
		if p == from {
			n.scal[v].Args = append(n.scal[v].Args, none)
		} else {
			n.scal[v].Args = append(n.scal[v].Args, x)
		}
	}
}

// firstAddr is the address of v in the first lane.
func (n *nestWriter) firstAddr(v *vir.Value) vir.Addr {
	a := v.Addr()
	a.Base = n.first(a.Base)
	if a.Index != nil {
		a.Index = n.first(a.Index)
	}
	return a
}

// maskOf is the mask of access v in lanes, nil for none.
func (n *nestWriter) maskOf(v *vir.Value) *vir.Value {
	if !v.Masked {
		return nil
	}
	return n.value(v.Mask())
}

func (n *nestWriter) storeOf(v *vir.Value) {
	switch g, form := n.e.l.groups[v], n.e.l.innerForm(v); {
	case form == innerReverse:
		n.b.Store(vir.OpStoreReverse, n.value(v.Stored()), n.firstAddr(v), n.maskOf(v))
	case form == innerSpread:
		x := n.value(v.Stored())
		for lane := range n.lanes {
			n.b.Store(vir.OpStore, n.b.Extract(x, lane), n.apartAddr(v, lane), nil)
		}
	case form == innerUnit:
		n.b.Store(vir.OpStoreUnit, n.value(v.Stored()), n.firstAddr(v), n.maskOf(v))
	case g == nil:
		n.store(v)
	case g.place == v:
		n.storeGroup(g)
	}
}

// nestCheck makes check v if it is not made before the loop.
func (n *nestWriter) nestCheck(v *vir.Value) {
	l := n.e.l
	if l.isEarly(v) || n.isAhead(v) {
		return
	}
	switch form := l.checkForm(v); {
	case form == checkNeighbours:
		n.checkNeighbours(v)
		return
	case form != checkLocal:
		if l.laneCheck(v) {
			n.check(v)
		}
		return
	}
	n.flush()
	var x []*vir.Value
	for _, a := range v.WithoutMask() {
		x = append(x, n.first(a))
	}
	ok := edit.Passes(n.b, v, x)
	if !l.uniformCheck(v) && n.lanes > 1 {
		n.requireSmallSteps(v)
		last := n.b.Cmp(vir.OpIcmpUlt, n.lastLane(x[0], v.Args[0]), n.lastLane(x[1], v.Args[1]))
		ok = n.b.Op(vir.OpAnd, ok.Type, ok, last)
	}
	n.ok = ok
	n.flush()
}

// checkNeighbours makes check v, which some lanes may not be concerned with, for the first lane and
// the last one, and where one of them fails for all that are.
func (n *nestWriter) checkNeighbours(v *vir.Value) {
	n.flush()
	b, index, length := n.b, n.first(v.Args[0]), n.first(v.Args[1])
	k, _ := n.e.l.sl.Stride(v.Args[0])
	last := n.lastLane(index, v.Args[0])
	next, slow, on := n.split(), n.split(), n.split()
	n.e.depths[slow] = 0 // few turns get there
	b.Br(b.Cmp(vir.OpIcmpUlt, index, length), next, slow)
	n.e.place(b, next)
	b.Br(b.Cmp(vir.OpIcmpUlt, last, length), on, slow)
	n.e.place(b, slow)
	t := vir.Vec(index.Type.Elem, n.lanes)
	each := b.Lanes(t, multiples(k, n.lanes))
	in := b.Cmp(vir.OpIcmpUlt, b.Op(vir.OpAdd, t, b.Op(vir.OpBroadcast, t, index), each), b.Op(vir.OpBroadcast, t, length))
	out := b.Op(vir.OpAnd, in.Type, n.value(v.Mask()), b.Op(vir.OpNot, in.Type, in))
	n.fail(b.Op(vir.OpAny, vir.Scalar(vir.Bool), out), false, nil)
	b.Jmp(on)
	n.e.place(b, on)
}

// term ends the copy of b.
func (n *nestWriter) term(b *vir.Block) {
	t := b.Term()
	switch t.Op {
	case vir.OpJmp:
		if b.Succs[0] != n.e.l.latch() {
			n.b.Jmp(n.way(b, b.Succs[0]))
		}
	case vir.OpBr:
		var c *vir.Value
		if v := t.Args[0]; n.e.l.uniform(v) {
			c = n.first(v)
		} else {
			c = n.b.Op(vir.OpAny, vir.Scalar(vir.Bool), n.value(v))
		}
		n.b.Br(c, n.way(b, b.Succs[0]), n.way(b, b.Succs[1]))
	}
	if n.gate != nil {
		n.e.place(n.b, n.gate)
		n.gate = nil
		n.resume(n.e.saved.head)
	}
}

// way is where the edge between two blocks leads.
func (n *nestWriter) way(from, to *vir.Block) *vir.Block {
	if n.e.saved == nil || to != n.e.saved.head || n.e.l.depth(from) > 0 {
		return n.target(to)
	}
	n.gate = n.split()
	return n.gate
}

// phis gives the phis their operands.
func (n *nestWriter) phis() {
	l := n.e.l
	for _, b := range l.blocks {
		if f := n.fuels[b]; f != nil {
			for _, p := range n.copy[b].Preds {
				if p == n.loaded.block {
					f.Args = append(f.Args, n.loaded.fuel)
					continue
				}
				f.Args = append(f.Args, n.fuelAt[b.Preds[n.edge(b, p)]])
			}
		}
		for _, v := range b.Phis() {
			for _, p := range n.copy[b].Preds {
				if p == n.loaded.block {
					n.loaded.give(n, v)
					continue
				}
				x := v.Args[n.edge(b, p)]
				if l.demand[v] {
					n.vec[v].Args = append(n.vec[v].Args, n.value(x))
				}
				if l.nest.scalars[v] {
					n.scal[v].Args = append(n.scal[v].Args, n.first(x))
				}
			}
		}
	}
}

// edge is the predecessor of b whose copy ends in p.
func (n *nestWriter) edge(b, p *vir.Block) int {
	for k, q := range b.Preds {
		if n.end[q] == p || p == n.entered && n.e.l.depth(q) == 0 {
			return k
		}
	}
	panic(fmt.Sprintf("no edge into %s", b.Name))
}
