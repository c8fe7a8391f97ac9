package loopvec

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/optvls"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A group is accesses at constant distances that a block makes together, with
// loads or stores of neighbours and shuffles:
//
//	p[i].x, p[i].y    x0 y0 x1 y1 | x2 y2 x3 y3    two loads, two shuffles
//
// The server of optvls finds groups and code; this file is its client. Code is for
// pieces of a block: as many lanes as a register has of the largest element.
type group struct {
	l       *loop
	members []*dep.Access // by address
	place   *vir.Value    // where the group stands
	lanes   int           // of a full piece
	server  *optvls.Group
	codes   map[int]*optvls.Code // by lanes of a piece; nil for lane by lane
	rows    bool                 // places of an inner loop, see nestrows.go
}

// A memref is an access as the server sees it.
type memref struct {
	l     *loop
	a     *dep.Access
	lanes int
	at    map[*vir.Value]int // positions in the schedule
}

func refAccess(m optvls.Memref) *dep.Access { return m.(*memref).a }

func (m *memref) Access() optvls.Access {
	// Loads at a stride read all lanes under a mask too, see loop.maskedLoad.
	indexed := m.a.Kind == dep.Indexed
	return optvls.Access{Store: m.a.Store, Indexed: indexed, Masked: (m.a.Store || indexed) && m.a.Inst.Masked}
}

func (m *memref) Type() optvls.Type {
	return optvls.Type{Bits: int(8 * m.a.Stream.Size), Lanes: m.lanes}
}

func (m *memref) Distance(from optvls.Memref) (int64, bool) {
	b := from.(*memref).a
	if m.a.Stream.Param != b.Stream.Param || m.a.Kind != b.Kind || m.a.Index != b.Index || m.a.Scale != b.Scale {
		return 0, false
	}
	return scev.Diff(m.a.Stream.Off, b.Stream.Off)
}

func (m *memref) SameElements(as optvls.Memref) bool {
	b := as.(*memref).a
	return !m.Access().Masked || m.a.Inst.Mask() == b.Inst.Mask()
}

func (m *memref) Stride() (int64, bool) { return m.a.Stream.Step, m.a.Kind == dep.Linear }

// CanMoveTo: a load moves up and a store down. What it passes must allow that.
// Checks are no obstacle, but those in lanes for loads that they may protect: they
// come before all stores, all others hold for the whole call.
func (m *memref) CanMoveTo(to optvls.Memref) bool {
	a, b := m.a, to.(*memref).a
	from, end := m.at[a.Inst], m.at[b.Inst]
	for _, v := range m.l.sched[min(from, end):max(from, end)] {
		x := m.l.dp.Access(v)
		switch {
		case v.Op.IsCheck() && a.Kind == dep.Indexed && !a.Store:
			return false // perhaps its own
		case x == nil || x == a:
		case !m.l.movable(x, a) || !m.l.movable(a, x):
			return false
		}
	}
	return true
}

// findGroups makes groups of the strided and indexed accesses.
func (l *loop) findGroups(vf int) {
	l.groups = make(map[*vir.Value]*group)
	at := l.positions()
	var refs []optvls.Memref
	for _, v := range l.sched {
		if a := l.dp.Access(v); a != nil && l.groupable(a) {
			refs = append(refs, &memref{l, a, vf, at})
		}
	}
	l.findRows(vf)
	groups, _ := optvls.Groups(refs, l.target.VectorBytes, optvls.Options{})
	for _, s := range groups {
		if l.addGroup(l.newGroup(s, refAccess)); l.orderKept() {
			continue
		}
		// Two groups may not pass each other although each may pass the members of
		// the other: the later one is taken apart.
		for _, m := range s.Members {
			delete(l.groups, m.Ref.(*memref).a.Inst)
		}
		l.groupList = l.groupList[:len(l.groupList)-1]
		for _, m := range s.Members {
			alone, _ := optvls.Groups([]optvls.Memref{m.Ref}, l.target.VectorBytes, optvls.Options{})
			l.addGroup(l.newGroup(alone[0], refAccess))
		}
	}
}

// orderKept reports whether the schedule with the groups so far can be legal.
func (l *loop) orderKept() bool {
	_, ok := l.moveTests(maxLanes)
	return ok
}

// addGroup makes a group, if its code is cheaper than single accesses.
func (l *loop) addGroup(g *group) {
	if g.code(g.lanes) == nil {
		return
	}
	l.groupList = append(l.groupList, g)
	for _, a := range g.members {
		l.groups[a.Inst] = g
	}
}

// isStrided reports whether the lanes of a lie at a constant distance, but not side
// by side.
func (l *loop) isStrided(a *dep.Access) bool {
	step, size := a.Stream.Step, a.Stream.Size
	return a.Kind == dep.Symbolic || a.Kind == dep.Linear && step != 0 && step != size && step != -size
}

// groupable reports whether a may be in a group. Symbolic steps are none that the
// server could use.
func (l *loop) groupable(a *dep.Access) bool {
	if l.inside(a.Inst) || l.serials[a.Inst] != nil || l.updateOf(a.Inst) != nil {
		return false
	}
	return a.Kind == dep.Linear && l.isStrided(a) || a.Kind == dep.Indexed && l.tableLanes(a) == 0 && !l.isRepeated(a)
}

// newGroup is the group that the server calls s; accessOf tells what its members are.
func (l *loop) newGroup(s *optvls.Group, accessOf func(optvls.Memref) *dep.Access) *group {
	g := &group{l: l, server: s, place: accessOf(s.Place).Inst, codes: make(map[int]*optvls.Code)}
	size := int64(1)
	for _, m := range s.Members {
		a := accessOf(m.Ref)
		g.members = append(g.members, a)
		size = max(size, a.Stream.Size)
	}
	g.lanes = l.target.VectorBytes / int(size)
	return g
}

// piece is the number of lanes that the code for a block of so many lanes does.
func (g *group) piece(lanes int) int { return min(g.lanes, lanes) }

// code does lanes iterations; nil when doing them one by one costs less.
func (g *group) code(lanes int) *optvls.Code {
	if c, ok := g.codes[lanes]; ok {
		return c
	}
	g.codes[lanes] = nil
	if lanes > 1 {
		s := *g.server
		s.Lanes = lanes
		s.Members = slices.Clone(s.Members)
		for i := range s.Members {
			s.Members[i].Type.Lanes = lanes
		}
		c, ok := sequence(&s, &client{g: g, lanes: lanes})
		if ok && float64(c.Cost)+g.indexCost(lanes) < costUnit*g.oneByOne(lanes) {
			g.codes[lanes] = c
		}
	}
	return g.codes[lanes]
}

// sequences keeps what the server found: loops of one program are much alike.
var sequences = struct {
	sync.Mutex
	m map[string]*optvls.Code // nil where there is none
}{m: make(map[string]*optvls.Code)}

// maxSequences bounds the memory of sequences.
const maxSequences = 1 << 12

func sequence(s *optvls.Group, c *client) (*optvls.Code, bool) {
	lo, hi := c.readable(s)
	key := fmt.Sprint(c.g.l.target.Name, s, s.Vector, lo, hi, c.g.blends())
	sequences.Lock()
	code, known := sequences.m[key]
	sequences.Unlock()
	if known {
		return code, code != nil
	}
	code, ok := optvls.Sequence(s, c)
	if !ok {
		code = nil
	}
	sequences.Lock()
	if len(sequences.m) >= maxSequences {
		clear(sequences.m)
	}
	sequences.m[key] = code
	sequences.Unlock()
	return code, ok
}

// oneByOne is the cost of scalar accesses, in cycles.
func (g *group) oneByOne(lanes int) float64 {
	sum := 0.0
	for _, a := range g.members {
		if g.rows {
			sum += g.l.spreadCost(a.Inst.Access(), lanes)
		} else {
			sum += g.l.oneByOne(a, lanes)
		}
	}
	return sum
}

// indexCost is what it takes to have the indices as scalars.
func (g *group) indexCost(lanes int) float64 {
	if g.rows || !g.server.Access.Indexed {
		return 0
	}
	if a := g.members[0]; !a.Store && g.l.indexLoad(a) != nil {
		return costUnit * float64(lanes) * g.l.target.Cost(vir.OpLoad, a.Index.Type.Lane()).Throughput
	}
	t := vir.Vec(vir.I64, g.l.target.Lanes(vir.I64))
	return costUnit * float64(lanes) * g.l.target.Cost(vir.OpExtract, t).Throughput
}

func (l *loop) oneByOne(a *dep.Access, lanes int) float64 {
	t := a.Inst.Access()
	if a.Kind == dep.Indexed {
		if a.Store {
			return l.target.ScatterCost(vir.Vec(t.Elem, lanes), a.Inst.Masked).Throughput
		}
		index := vir.I64
		if l.narrowIndex(a) {
			index = vir.I32
		}
		return l.target.GatherCost(vir.Vec(t.Elem, lanes), target.IndexElem(index, a.Scale), a.Inst.Masked).Throughput
	}
	if a.Store && a.Inst.Masked {
		return l.target.ScatterCost(vir.Vec(t.Elem, lanes), true).Throughput
	}
	if a.Store {
		return float64(lanes) * (l.target.Cost(vir.OpStore, t).Throughput + l.target.Cost(vir.OpExtract, vir.Vec(t.Elem, lanes)).Throughput)
	}
	return l.spreadCost(t, lanes)
}

// spreadCost is that of loading elements of type t into lanes one by one.
func (l *loop) spreadCost(t vir.Type, lanes int) float64 {
	insert := &vir.Value{Op: vir.OpInsert, Type: vir.Vec(t.Elem, 1), Args: []*vir.Value{{Type: vir.Vec(t.Elem, 1)}, {Type: t}}}
	return float64(lanes) * (l.target.Cost(vir.OpLoad, t).Throughput + l.target.CostValue(insert).Throughput)
}

// costUnit is what the server's integers count to a cycle.
const costUnit = 100

// A client answers what the server asks about a group.
type client struct {
	g     *group
	lanes int
}

func (c *client) Access(in *optvls.Inst) (int, bool) {
	if in.Masked {
		return c.masked(in)
	}
	t := c.g.l.target
	op, ty := vir.OpLoadUnit, vir.Vec(vir.IntElem(in.Type.Bits/8), in.Type.Lanes)
	if in.Op == optvls.Store {
		op = vir.OpStoreUnit
	}
	return int(costUnit * t.Cost(op, ty).Throughput), true
}

func (c *client) Shuffle(from optvls.Type, lanes []int) int {
	t := vir.Vec(vir.IntElem(from.Bits/8), from.Lanes)
	v := &vir.Value{Op: vir.OpShuffle, Type: vir.Vec(t.Elem, len(lanes)), Args: []*vir.Value{{Type: t}}, Lanes: lanes}
	if slices.Max(lanes) >= from.Lanes {
		v.Args = append(v.Args, v.Args[0])
	}
	return int(costUnit * c.g.l.target.CostValue(v).Throughput)
}

// MayRead answers from readable.
func (c *client) MayRead(s *optvls.Group, from, to int64) bool {
	lo, hi := c.readable(s)
	return lo <= from && to <= hi
}

// readable is the bytes that may be read: everything between those that the
// iterations read is inside of the same memory, and that holds whole elements. Lanes
// that are not active may have any index.
func (c *client) readable(s *optvls.Group) (lo, hi int64) {
	if s.Access.Indexed && s.Access.Masked {
		return 0, 0
	}
	lo, hi = s.Extent()
	lead := c.g.members[0]
	if lead.Stream.Param == noParam {
		return lo, hi
	}
	e := int64(c.g.l.region.Fn.Params[lead.Stream.Param].Param.ElemSize)
	if e > 0 && lead.Stream.Step%e == 0 && lead.Scale%e == 0 {
		if r, ok := scev.Residue(lead.Stream.Off, e); ok {
			lo -= mod(r+lo, e)
			hi += mod(-(r + hi), e)
		}
	}
	return lo, hi
}

func mod(x, m int64) int64 { return (x%m + m) % m }

// loadGroup loads all members.
func (w *widener) loadGroup(g *group) {
	n := g.piece(w.lanes)
	code := g.code(n)
	if code == nil {
		for _, a := range g.members {
			w.vec[a.Inst] = w.loadSpread(a)
		}
		return
	}
	if g.server.Access.Indexed {
		w.flush()
	}
	pieces := make([][]*vir.Value, len(g.members))
	for o := 0; o < w.lanes; o += n {
		for i, x := range w.loadPiece(g, code, o) {
			pieces[i] = append(pieces[i], w.recast(x, vir.Vec(g.members[i].Inst.Type.Elem, n)))
		}
	}
	for i, a := range g.members {
		x := w.concat(pieces[i])
		x.Name = a.Inst.Name
		w.vec[a.Inst] = x
	}
}

// loadPiece runs the code for the lanes from o on.
func (w *widener) loadPiece(g *group, code *optvls.Code, o int) []*vir.Value {
	vals := make([]*vir.Value, len(code.Insts))
	for i := range code.Insts {
		in := &code.Insts[i]
		if in.Op == optvls.Shuffle {
			vals[i] = w.shuffle(in, vals)
			continue
		}
		vals[i] = w.b.Load(vir.OpLoadUnit, g.vector(in.Type), w.inGroup(g, in, o), nil)
	}
	var results []*vir.Value
	for _, r := range code.Results {
		results = append(results, vals[r])
	}
	return results
}

func (w *widener) shuffle(in *optvls.Inst, vals []*vir.Value) *vir.Value {
	x := vals[in.Args[0]]
	var y *vir.Value
	if len(in.Args) > 1 {
		y = vals[in.Args[1]]
	}
	return w.b.Shuffle(vir.Vec(x.Type.Elem, len(in.Lanes)), in.Lanes, x, y)
}

// storeGroup stores all members.
func (w *widener) storeGroup(g *group) {
	n := g.piece(w.lanes)
	code := g.code(n)
	if code == nil {
		byProgram := slices.Clone(g.members)
		at := w.e.l.positions()
		slices.SortFunc(byProgram, func(a, b *dep.Access) int { return cmp.Compare(at[a.Inst], at[b.Inst]) })
		for _, a := range byProgram {
			w.storeSpread(a)
		}
		return
	}
	for o := 0; o < w.lanes; o += n {
		w.storePiece(g, code, o, n)
	}
}

func (w *widener) storePiece(g *group, code *optvls.Code, o, n int) {
	vals := make([]*vir.Value, len(code.Insts))
	for i := range code.Insts {
		in := &code.Insts[i]
		switch in.Op {
		case optvls.Value:
			vals[i] = w.recast(w.part(w.value(g.members[in.Member].Inst.Stored()), o, n), g.vector(in.Type))
		case optvls.Shuffle:
			vals[i] = w.shuffle(in, vals)
		case optvls.Store:
			w.storePart(g, in, vals[in.Args[0]], o, n)
		}
	}
}

// inGroup is the address of a load or store for the lanes from o on.
func (w *widener) inGroup(g *group, in *optvls.Inst, o int) vir.Addr {
	if g.rows {
		a := w.apartAddr(g.members[0].Inst, o+in.Row)
		a.Disp += in.Offset
		return a
	}
	if g.server.Access.Indexed {
		a := w.byIndex(g.members[0], w.indexAt(g.members[0], o+in.Row))
		a.Disp += in.Offset
		return a
	}
	a := w.at(w.e.address(g.members[0]))
	a.Disp += int64(o)*g.members[0].Stream.Step + in.Offset
	return a
}

// indexAt is the index of access a in one lane, as a scalar.
func (w *widener) indexAt(a *dep.Access, lane int) *vir.Value {
	key := laneKey{a.Index, lane}
	if x := w.rows[key]; x != nil {
		return x
	}
	x, op := w.indexLane(a, lane)
	if x.Type.Elem != vir.I64 {
		x = w.b.Op(op, vir.Scalar(vir.I64), x)
	}
	w.rows[key] = x
	return x
}

// indexLane is the index of access a in one lane as it is, from memory if it lies
// there, and what extends it.
func (w *widener) indexLane(a *dep.Access, lane int) (x *vir.Value, extend vir.Op) {
	ad := w.loadedIndex(a)
	if ad == nil || a.Store {
		return w.b.Extract(w.index(a), lane), vir.OpSext
	}
	at := w.at(w.e.address(ad))
	at.Disp += int64(lane) * ad.Stream.Size
	if extend = vir.OpSext; w.e.l.narrowIndex(a) {
		extend = a.Index.Op
	}
	return w.b.Load(vir.OpLoad, ad.Inst.Type, at, nil), extend
}

type laneKey struct {
	v    *vir.Value
	lane int
}

// vector is the type of lanes of the server: elements as they are where all have
// one type.
func (g *group) vector(t optvls.Type) vir.Type {
	e := g.members[0].Inst.Access().Elem
	for _, a := range g.members {
		if a.Inst.Access().Elem != e {
			e = vir.Void
		}
	}
	if e.Bits() != t.Bits {
		e = vir.IntElem(t.Bits / 8)
	}
	return vir.Vec(e, t.Lanes)
}

// recast is x seen as another type of the same size.
func (w *widener) recast(x *vir.Value, t vir.Type) *vir.Value {
	if x.Type == t {
		return x
	}
	return w.b.Op(vir.OpBitcast, t, x)
}

// part is n lanes of x.
func (w *widener) part(x *vir.Value, first, n int) *vir.Value {
	if x.Type.Lanes == n {
		return x
	}
	return w.b.Subvec(x, first, n)
}

// concat puts parts one behind the other.
func (w *widener) concat(parts []*vir.Value) *vir.Value {
	if len(parts) == 1 {
		return parts[0]
	}
	t := parts[0].Type
	return w.b.Concat(vir.Vec(t.Elem, t.Lanes*len(parts)), parts...)
}
