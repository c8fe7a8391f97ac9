package vectest

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// RandomRegion makes a random loop in the shape that the frontend gives regions:
// slices, scalars, conditions, reductions. Every region is valid; whether it can
// be vectorized is another matter.
//
// inexact are the results that reassoc may round differently.
func RandomRegion(rnd *rand.Rand) (r *plan.Region, inexact []int) {
	g := &loopGen{Rand: rnd, f: vir.NewFunc("loop")}
	g.policy()
	g.parameters()
	entry, header := g.f.NewBlock("entry"), g.f.NewBlock("header")
	vir.NewBuilder(g.f, entry).Jmp(header)
	h := vir.NewBuilder(g.f, header)
	i := g.carried(h, "i", vir.Scalar(vir.I64))
	if g.IntN(4) == 0 {
		g.induction(h)
	}
	g.fixed = len(g.states)
	for k := range g.IntN(3) {
		g.reduction(h, k)
	}
	g.i = i.phi
	limit := g.slices[0].Param.Len
	body := g.f.NewBlock("body")
	exit := &vir.Block{Name: "exit", Func: g.f}
	if g.down {
		h.Br(h.Cmp(vir.OpIcmpSle, h.Int(limit.Type, 0), i.phi), body, exit)
	} else {
		h.Br(h.Cmp(vir.OpIcmpSlt, i.phi, limit), body, exit)
	}
	g.b = vir.NewBuilder(g.f, body)
	g.b.Op(vir.OpIter, vir.Type{})
	g.watch()
	for range 1 + g.IntN(5) {
		g.statement(2)
	}
	for _, s := range g.states[g.fixed:] {
		switch {
		case s.kind == anew && s.phi.Type.Elem == vir.Bool:
			s.cur = g.cond(2)
		case s.kind == anew:
			s.cur = g.expr(s.phi.Type, 3)
		case s.cur == s.phi && s.kind == chosen:
			g.choose()
		case s.cur == s.phi:
			g.accumulate(s)
		}
	}
	latch := g.f.NewBlock("latch")
	g.b.Jmp(latch)
	g.b.Cur = latch
	for k, s := range g.states[:g.fixed] {
		step := int64(1)
		if k > 0 {
			step = []int64{1, -1, 3}[s.kind]
		} else if g.down {
			step = -1
		}
		s.cur = g.b.Op(vir.OpAdd, s.phi.Type, s.phi, g.b.Int(s.phi.Type, step))
	}
	g.b.Jmp(header)
	g.f.Blocks = append(g.f.Blocks, exit)
	r = g.region(exit)
	for k, s := range g.states {
		if r.Clauses.Reassoc && s.phi.Type.Elem.IsFloat() && s.kind < 2 {
			inexact = append(inexact, k)
		}
	}
	return r, inexact
}

type loopGen struct {
	*rand.Rand
	f       *vir.Func
	b       *vir.Builder
	i, j    *vir.Value // j may be an index too; nil when not
	elems   []vir.Elem
	slices  []*vir.Value
	fields  map[*vir.Value][]field // of the elements of a slice
	pool    []*vir.Value           // what expressions may use at this point
	states  []*carriedVar
	conds   float64
	fixed   int        // so many of the states are inductions
	down    bool       // the loop counts down
	records bool       // elements of some slices are structs
	strides bool       // some subscripts are multiples
	indexed bool       // some subscripts are loaded
	repeats bool       // some subscripts repeat
	watched bool       // what the loop carries is read
	step    *vir.Value // some subscripts move by a step known at run time; nil when none does
	table   *vir.Value // an array or constant that is looked up; nil when there is none
	exits   bool       // the loop may be left from inside
	single  *vir.Value // a pointer to one variable; nil when there is none
	known   *vir.Value // a bool that branches ask for; nil when there is none
}

// carriedVar is a variable that the loop carries.
type carriedVar struct {
	phi, cur *vir.Value
	kind     int // of reduction
}

// A field is a part of an element.
type field struct {
	elem vir.Elem
	off  int64
}

var dataElems = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}

func (g *loopGen) policy() {
	for range 1 + g.IntN(3) {
		g.elems = append(g.elems, dataElems[g.IntN(len(dataElems))])
	}
	g.conds = []float64{0, 0.3, 0.6}[g.IntN(3)]
	g.down = g.IntN(6) == 0
	g.records, g.strides = g.IntN(3) == 0, g.IntN(4) == 0
	g.watched = g.IntN(4) == 0
	g.indexed, g.repeats = g.IntN(4) == 0, g.IntN(5) == 0
	g.exits = g.IntN(4) == 0
	g.fields = make(map[*vir.Value][]field)
}

func (g *loopGen) elem() vir.Elem { return g.elems[g.IntN(len(g.elems))] }

func (g *loopGen) parameters() {
	for k := range 1 + g.IntN(3) {
		name := string("xyz"[k])
		p := g.f.AddParam(name, vir.Scalar(vir.Ptr))
		n := g.f.AddParam(name+"_len", vir.Scalar(vir.I64))
		p.Param = vir.ParamFacts{ElemSize: g.elem().Size(), Len: n}
		g.slices = append(g.slices, p)
		if g.records && g.IntN(3) > 0 {
			g.record(p)
		}
	}
	if g.IntN(4) == 0 {
		g.single = g.f.AddParam("p", vir.Scalar(vir.Ptr))
		g.single.Param = vir.ParamFacts{ElemSize: g.elem().Size(), FixedLen: 1}
	}
	if g.IntN(6) == 0 {
		g.step = g.f.AddParam(stepName, vir.Scalar(vir.I64))
	}
	if g.IntN(5) == 0 {
		g.addTable()
	}
	for k := range g.IntN(3) {
		g.pool = append(g.pool, g.f.AddParam(string("ab"[k]), vir.Scalar(g.elem())))
	}
	if g.IntN(5) == 0 {
		g.known = g.f.AddParam("known", vir.Scalar(vir.Bool))
	}
}

// question is the condition of a branch, perhaps one that is known before the loop.
func (g *loopGen) question() *vir.Value {
	if g.known != nil && g.IntN(2) == 0 {
		return g.known
	}
	return g.cond(2)
}

// stepName is the parameter that subscripts are multiplied by.
const stepName = "step"

// addTable adds an array of a size that fits registers, or a little less or more,
// that may be constant.
func (g *loopGen) addTable() {
	e := dataElems[g.IntN(len(dataElems))]
	if g.IntN(2) == 0 {
		e = vir.I8
	}
	n := []int{4, 8, 16, 16, 32, 256, 10, 33}[g.IntN(8)]
	g.table = g.f.AddParam("tab", vir.Scalar(vir.Ptr))
	g.table.Param = vir.ParamFacts{ElemSize: e.Size(), FixedLen: int64(n)}
	g.elems = append(g.elems, e)
	if e.IsInt() && g.IntN(2) == 0 {
		content := make([]byte, n*e.Size())
		for k := range content {
			content[k] = byte(g.Uint32())
		}
		g.table.Param.Content, g.table.Param.Immutable = string(content), true
	}
}

// lookup is an element of the table: at a loaded index, mostly one that is in range,
// or at one that repeats.
func (g *loopGen) lookup() *vir.Value {
	i64 := vir.Scalar(vir.I64)
	size, n := g.table.Param.ElemSize, g.table.Param.FixedLen
	x := g.i
	if v := g.loaded(); v != nil {
		x = v
	}
	if g.IntN(8) > 0 {
		most := int64(1)<<(bits.Len64(uint64(n))-1) - 1 // of those in range
		x = g.b.Op(vir.OpAnd, i64, x, g.b.Int(i64, most))
	}
	g.b.Check(vir.OpCheckIndex, nil, x, g.b.Int(i64, n))
	e := g.elemOf(g.table)
	return g.b.Load(vir.OpLoad, vir.Scalar(e), vir.Addr{Base: g.table, Index: x, Scale: int64(size)}, nil)
}

// record makes the elements of p structs: of one float type, or of integers.
func (g *loopGen) record(p *vir.Value) {
	e, at := g.elem(), 0
	for range 2 + g.IntN(4) {
		if e.IsInt() && g.IntN(3) == 0 {
			e = dataElems[g.IntN(4)]
		}
		at = (at + e.Size() - 1) / e.Size() * e.Size()
		g.fields[p] = append(g.fields[p], field{e, int64(at)})
		at += e.Size()
	}
	size := 8
	if !slices.ContainsFunc(g.fields[p], func(f field) bool { return f.elem.Size() == 8 }) {
		size = 4
	}
	p.Param.ElemSize = (at + size - 1) / size * size
}

// field is a part of the elements of p.
func (g *loopGen) field(p *vir.Value) field {
	if fs := g.fields[p]; fs != nil {
		return fs[g.IntN(len(fs))]
	}
	return field{g.elemOf(p), 0}
}

func (g *loopGen) carried(h *vir.Builder, name string, t vir.Type) *carriedVar {
	init := g.f.AddParam(name+"0", t)
	s := &carriedVar{phi: h.Phi(t)}
	s.phi.Name, s.cur = name, s.phi
	s.phi.Args = []*vir.Value{init}
	g.states = append(g.states, s)
	return s
}

// induction adds a second variable that changes by a constant.
func (g *loopGen) induction(h *vir.Builder) {
	e := []vir.Elem{vir.I64, vir.I64, vir.I32, vir.I8}[g.IntN(4)]
	s := g.carried(h, "j", vir.Scalar(e))
	s.kind = g.IntN(3)
	g.pool = append(g.pool, s.phi)
	if e == vir.I64 && s.kind < 2 && g.IntN(2) == 0 {
		g.j = s.phi
	}
}

func (g *loopGen) reduction(h *vir.Builder, k int) {
	e := g.elem()
	if g.IntN(3) == 0 {
		e = vir.I64
	}
	if g.IntN(6) == 0 {
		e = vir.Bool
	}
	s := g.carried(h, string("rs"[k]), vir.Scalar(e))
	s.kind = g.IntN(anew + 3)
	if s.kind > anew {
		s.kind = chosen
	}
}

// anew is the kind of variables that every iteration sets without reading them.
const anew = 8

// region adds the back edges and the exit.
func (g *loopGen) region(exit *vir.Block) *plan.Region {
	r := &plan.Region{Fn: g.f, Func: "loop", Twin: "Loop", Label: "loopKernel", Pos: vir.Pos{File: "loop.vir", Line: 1, Col: 1}}
	var results []*vir.Value
	for _, s := range g.states {
		init := s.phi.Args[0]
		s.phi.Args = append(s.phi.Args, s.cur)
		results = append(results, s.phi)
		g.f.Results = append(g.f.Results, s.phi.Type)
		st := plan.State{Live: s.phi != g.i || g.IntN(2) == 0}
		for i, p := range g.f.Params {
			if p == init {
				st.Param = i
			}
		}
		if s.phi == g.i && !g.down {
			st.Init = new(int64)
		}
		r.State = append(r.State, st)
	}
	vir.NewBuilder(g.f, exit).Ret(results...)
	r.Clauses.Reassoc, r.Clauses.Exclusive = g.IntN(2) == 0, g.IntN(2) == 0
	r.Clauses.Reassoc = r.Clauses.Reassoc && !g.watched
	return r
}

func (g *loopGen) statement(depth int) {
	switch {
	case depth > 0 && g.Float64() < g.conds:
		g.branch(depth - 1)
	case g.single != nil && g.IntN(4) == 0:
		g.b.Check(vir.OpCheckNil, nil, g.single)
		g.b.Store(vir.OpStore, g.expr(vir.Scalar(g.elemOf(g.single)), 2), vir.Addr{Base: g.single}, nil)
	case g.exits && g.IntN(3) == 0:
		g.exit()
	case g.IntN(3) > 0:
		g.store()
	case g.IntN(8) == 0:
		g.choose()
		g.watch()
	case len(g.states) > g.fixed && g.IntN(2) == 0:
		g.accumulate(g.states[g.fixed+g.IntN(len(g.states)-g.fixed)])
	case g.IntN(4) == 0:
		g.checked()
	default:
		g.pool = append(g.pool, g.expr(vir.Scalar(g.elem()), 3))
	}
}

// exit leaves the loop: seldom, so that there are blocks before, or at one place.
func (g *loopGen) exit() {
	bool1, i64 := vir.Scalar(vir.Bool), vir.Scalar(vir.I64)
	c := g.cond(2)
	switch g.IntN(4) {
	case 0:
	case 1:
		c = g.b.Cmp(vir.OpIcmpEq, g.i, g.b.Int(i64, int64(g.IntN(150))))
	default:
		far := g.b.Cmp(vir.OpIcmpSlt, g.b.Int(i64, int64(g.IntN(100))), g.i)
		c = g.b.Op(vir.OpAnd, bool1, far, c)
	}
	g.b.Check(vir.OpExit, nil, c)
}

// branch writes if c { ... } else { ... }; values of an arm stay in it, variables
// come together.
func (g *loopGen) branch(depth int) {
	c := g.question()
	from := g.b.Cur
	then, join := g.f.NewBlock(g.block("then")), &vir.Block{Name: g.block("join"), Func: g.f}
	els := join
	hasElse := g.IntN(2) == 0
	if hasElse {
		els = g.f.NewBlock(g.block("else"))
	}
	g.b.Br(c, then, els)
	before := g.save()
	ends := [][]*vir.Value{}
	arm := func(b *vir.Block) {
		g.b.Cur = b
		pool := g.pool
		for range 1 + g.IntN(2) {
			g.statement(depth)
		}
		g.pool = pool
		g.b.Jmp(join)
		ends = append(ends, g.save())
		g.restore(before)
	}
	if !hasElse {
		ends = append(ends, before)
	}
	_ = from
	arm(then)
	if hasElse {
		arm(els)
	}
	g.f.Blocks = append(g.f.Blocks, join)
	g.b.Cur = join
	for k, s := range g.states {
		if ends[0][k] == ends[1][k] {
			s.cur = ends[0][k]
			continue
		}
		phi := g.b.Phi(s.phi.Type)
		phi.Args = []*vir.Value{ends[0][k], ends[1][k]}
		s.cur = phi
	}
}

func (g *loopGen) block(name string) string { return fmt.Sprintf("%s%d", name, g.f.NumIDs()) }

func (g *loopGen) save() []*vir.Value {
	var out []*vir.Value
	for _, s := range g.states {
		out = append(out, s.cur)
	}
	return out
}

func (g *loopGen) restore(cur []*vir.Value) {
	for i, s := range g.states {
		s.cur = cur[i]
	}
}

// checked adds a check that may panic, and a value that depends on it.
func (g *loopGen) checked() {
	e := g.elem()
	switch {
	case g.single != nil && g.IntN(2) == 0:
		g.b.Check(vir.OpCheckNil, nil, g.single)
		g.pool = append(g.pool, g.b.Load(vir.OpLoad, vir.Scalar(g.elemOf(g.single)), vir.Addr{Base: g.single}, nil))
	case g.IntN(5) == 0:
		x := g.leaf(vir.Scalar(e))
		less := vir.OpFcmpLt
		if e.IsInt() {
			less = vir.OpIcmpSlt
		}
		g.b.Check(vir.OpCheckRare, nil, g.b.Cmp(less, x, g.leaf(vir.Scalar(e))))
	case e.IsInt() && g.IntN(3) > 0:
		op := []vir.Op{vir.OpCheckDiv, vir.OpCheckShift}[g.IntN(2)]
		x := g.leaf(vir.Scalar(e))
		g.b.Check(op, nil, x)
		g.pool = append(g.pool, x)
	}
}

// loaded is an index out of a slice of integers, nil when there is none.
func (g *loopGen) loaded() *vir.Value {
	for _, q := range g.slices {
		if g.fields[q] != nil || g.IntN(2) == 0 {
			continue
		}
		e := g.elemOf(q)
		if !e.IsInt() {
			continue
		}
		i64 := vir.Scalar(vir.I64)
		x := g.i
		g.b.Check(vir.OpCheckIndex, nil, x, q.Param.Len)
		v := g.b.Load(vir.OpLoad, vir.Scalar(e), vir.Addr{Base: q, Index: x, Scale: int64(e.Size())}, nil)
		if e != vir.I64 {
			v = g.b.Op([]vir.Op{vir.OpZext, vir.OpSext}[g.IntN(2)], i64, v)
		}
		switch g.IntN(5) {
		case 0:
			v = g.b.Op(vir.OpAdd, i64, v, g.b.Int(i64, int64(g.IntN(4))))
		case 1:
			v = g.b.Op(vir.OpAnd, i64, v, g.b.Int(i64, 7))
		}
		return v
	}
	return nil
}

// index is i or i plus a small constant, or loaded, or i modulo something, checked.
func (g *loopGen) index(p *vir.Value) *vir.Value {
	x := g.i
	if g.indexed && g.IntN(2) == 0 {
		if v := g.loaded(); v != nil {
			g.b.Check(vir.OpCheckIndex, nil, v, p.Param.Len)
			return v
		}
	}
	if g.IntN(30) == 0 || g.repeats && g.IntN(4) == 0 {
		x = g.b.Op(vir.OpAnd, x.Type, x, g.b.Int(x.Type, int64(2<<g.IntN(3)-1)))
		g.b.Check(vir.OpCheckIndex, nil, x, p.Param.Len)
		return x
	}
	if g.j != nil && g.IntN(3) == 0 {
		x = g.j
	}
	switch {
	case g.step != nil && g.IntN(3) == 0:
		x = g.b.Op(vir.OpMul, x.Type, x, g.step)
	case g.strides && g.IntN(2) == 0:
		x = g.b.Op(vir.OpMul, x.Type, x, g.b.Int(x.Type, int64(2+g.IntN(3))))
	}
	if g.IntN(6) == 0 || g.strides && g.IntN(2) == 0 {
		x = g.b.Op(vir.OpAdd, x.Type, x, g.b.Int(x.Type, int64(g.IntN(20)-3)))
	}
	g.b.Check(vir.OpCheckIndex, nil, x, p.Param.Len)
	return x
}

// elemOf is a type of the slice's element size.
func (g *loopGen) elemOf(p *vir.Value) vir.Elem {
	for _, e := range g.elems {
		if e.Size() == p.Param.ElemSize {
			return e
		}
	}
	return vir.IntElem(p.Param.ElemSize)
}

func (g *loopGen) load(p *vir.Value, f field) *vir.Value {
	x := g.index(p)
	return g.b.Load(vir.OpLoad, vir.Scalar(f.elem), vir.Addr{Base: p, Index: x, Scale: int64(p.Param.ElemSize), Disp: f.off}, nil)
}

func (g *loopGen) store() {
	p := g.slices[g.IntN(len(g.slices))]
	g.storeTo(p, g.field(p))
	if fs := g.fields[p]; fs != nil && g.IntN(2) == 0 {
		for _, f := range fs {
			g.storeTo(p, f)
		}
	}
}

func (g *loopGen) storeTo(p *vir.Value, f field) {
	v := g.expr(vir.Scalar(f.elem), 2)
	x := g.index(p)
	g.b.Store(vir.OpStore, v, vir.Addr{Base: p, Index: x, Scale: int64(p.Param.ElemSize), Disp: f.off}, nil)
}

func (g *loopGen) accumulate(s *carriedVar) {
	t := s.cur.Type
	if s.kind >= anew {
		return
	}
	if t.Elem == vir.Bool {
		s.cur = g.b.Op([]vir.Op{vir.OpOr, vir.OpAnd}[s.kind%2], t, s.cur, g.cond(1))
		return
	}
	if t.Elem.IsInt() && s.kind < 2 && g.IntN(2) == 0 { // count
		s.cur = g.b.Op(vir.OpAdd, t, s.cur, g.b.Op(vir.OpZext, t, g.cond(1)))
		return
	}
	v := g.expr(t, 2)
	if t.Elem.IsFloat() {
		g.accumulateFloat(s, v)
		return
	}
	op := []vir.Op{vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpXor, vir.OpSmin, vir.OpUmax, vir.OpAnd, vir.OpOr}[s.kind]
	s.cur = g.b.Op(op, t, s.cur, v)
}

func (g *loopGen) accumulateFloat(s *carriedVar, v *vir.Value) {
	switch op := []vir.Op{vir.OpFadd, vir.OpFsub, vir.OpFmin, vir.OpFmax, vir.OpFcmpLt, vir.OpFcmpLe, vir.OpFcmpLt, vir.OpFcmpLe}[s.kind]; op {
	case vir.OpFcmpLt, vir.OpFcmpLe:
		x, y := s.cur, v
		if s.kind > 5 {
			x, y = y, x
		}
		s.cur = g.b.Op(vir.OpSelect, v.Type, g.b.Cmp(op, x, y), v, s.cur)
	default:
		s.cur = g.b.Op(op, v.Type, s.cur, v)
	}
}
