package gen

import (
	"github.com/lanewise/lanewise/vir"
)

var (
	ints   = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
	flts   = []vir.Elem{vir.F32, vir.F64}
	data   = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}
	i64    = vir.Scalar(vir.I64)
	bool1  = vir.Scalar(vir.Bool)
	sizes  = map[int][]vir.Elem{1: {vir.I8}, 2: {vir.I16}, 4: {vir.I32, vir.F32}, 8: {vir.I64, vir.F64}}
	scales = []int64{1, 2, 4, 8}
)

// maxOut limits the memory of a kernel in bytes; then no more operations follow.
const maxOut = 1 << 14

// A maker builds one function. Every value in its pool is free of poison.
type maker struct {
	*Source
	opt  Options
	b    *vir.Builder
	pool map[vir.Type][]*vir.Value
	used map[*vir.Value]bool

	k       *Kernel // of straight-line functions
	in, out *vir.Value
	n       *vir.Value

	loop *looper // of loops; nil in straight-line functions
}

// Line makes a straight-line function.
func Line(src *Source, opt Options) *Kernel {
	m := newMaker(src, opt)
	m.k = &Kernel{Fn: vir.NewFunc("kernel"), N: int64(src.below(20))}
	m.in = m.k.Fn.AddParam("in", vir.Scalar(vir.Ptr))
	m.out = m.k.Fn.AddParam("out", vir.Scalar(vir.Ptr))
	m.n = m.k.Fn.AddParam("n", i64)
	m.k.Fn.Results = []vir.Type{i64}
	m.b = vir.NewBuilder(m.k.Fn, m.k.Fn.NewBlock("entry"))
	m.add(m.n)
	lanes := pick(src, opt.Lanes)
	count := opt.Insts
	if count == 0 {
		count = 1 + src.below(24)
	}
	ops := m.ops()
	for range count {
		if len(m.k.In) > maxOut {
			break
		}
		m.op(pick(src, ops), lanes)
	}
	if len(m.b.Cur.Insts) == 0 { // operations without a form for these lanes
		m.value(vir.Type{Elem: vir.I32, Lanes: lanes})
	}
	if opt.Exits && m.chance(25) {
		m.exit(lanes)
	}
	m.results()
	m.b.Ret(m.value(i64))
	m.padIn()
	return m.k
}

// exit ends the block with a way out.
func (m *maker) exit(lanes int) {
	var c *vir.Value
	masks := m.pool[vir.Type{Elem: vir.Bool, Lanes: lanes}]
	if lanes > 0 && len(masks) > 0 && m.chance(80) {
		c = m.emit(pick(m.Source, []vir.Op{vir.OpAny, vir.OpAll}), bool1, masks[len(masks)-1])
	} else {
		c = m.value(bool1)
	}
	out, rest := m.k.Fn.NewBlock("out"), m.k.Fn.NewBlock("rest")
	m.b.Br(c, rest, out)
	m.b.Cur = out
	m.b.Ret(m.b.Int(i64, int64(m.below(100))))
	m.b.Cur = rest
}

func newMaker(src *Source, opt Options) *maker {
	return &maker{Source: src, opt: opt, pool: make(map[vir.Type][]*vir.Value), used: make(map[*vir.Value]bool)}
}

// ops lists the operations that op can make.
func (m *maker) ops() []vir.Op {
	var ops []vir.Op
	for _, op := range vir.Ops() {
		switch {
		case op == vir.OpParam, op == vir.OpPhi, op.Info().Term, op.IsStore():
			// Parameters, control flow and results have their own places.
		case !m.allowed(op, vir.Type{}):
		case (op.IsCheck() || op == vir.OpIter) && !m.opt.Panics:
		default:
			ops = append(ops, op)
		}
	}
	return ops
}

// add puts a value without poison into the pool.
func (m *maker) add(v *vir.Value) *vir.Value {
	m.pool[v.Type] = append(m.pool[v.Type], v)
	return v
}

// emit appends an operation whose operands are used now.
func (m *maker) emit(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	for _, a := range args {
		m.used[a] = true
	}
	return m.b.Op(op, t, args...)
}

func (m *maker) allowed(op vir.Op, t vir.Type) bool {
	return m.opt.Allow == nil || m.opt.Allow(op, t)
}

// value is a value of type t, old or new.
func (m *maker) value(t vir.Type) *vir.Value {
	if p := m.pool[t]; len(p) > 0 && m.chance(80) {
		if m.chance(50) {
			return p[len(p)-1-m.below(min(len(p), 3))] // long chains
		}
		return pick(m.Source, p)
	}
	return m.add(m.fresh(t))
}

// fresh makes a value of type t from memory, a constant or simpler values.
func (m *maker) fresh(t vir.Type) *vir.Value {
	switch {
	case t.Elem == vir.Bool:
		return m.freshTruth(t)
	case t.IsVector() && m.chance(15) && m.allowed(vir.OpBroadcast, t):
		return m.emit(vir.OpBroadcast, t, m.value(t.Lane()))
	case m.chance(20) || !m.mayLoad(t):
		return m.constant(t)
	}
	return m.load(m.loadForm(t), t)
}

func (m *maker) mayLoad(t vir.Type) bool {
	if m.loop != nil {
		return m.loop.hasElem(t.Elem)
	}
	return true
}

func (m *maker) freshTruth(t vir.Type) *vir.Value {
	switch {
	case t.IsVector() && m.chance(25) && m.allowed(vir.OpPrefix, t):
		return m.emit(vir.OpPrefix, t, m.smallInt(t.Lanes+2))
	case m.chance(15):
		return m.constant(t)
	case m.chance(50):
		x := vir.Type{Elem: pick(m.Source, flts), Lanes: t.Lanes}
		return m.emit(vir.OpFcmpLt, t, m.value(x), m.value(x))
	}
	x := vir.Type{Elem: pick(m.Source, ints), Lanes: t.Lanes}
	return m.emit(vir.OpIcmpSlt, t, m.value(x), m.value(x))
}

// smallInt is an i64 of which most values lie around 0 to n.
func (m *maker) smallInt(n int) *vir.Value {
	if m.chance(30) {
		return m.value(i64)
	}
	if m.k != nil && m.chance(30) {
		return m.n
	}
	return m.b.Int(i64, int64(m.below(n+2)-1))
}

// constant is a splat or names each lane.
func (m *maker) constant(t vir.Type) *vir.Value {
	if t.Lanes < 2 || m.chance(50) {
		return m.b.Const(t, m.lane(t.Elem))
	}
	bits := make([]uint64, t.Lanes)
	for i := range bits {
		bits[i] = m.lane(t.Elem)
	}
	return m.b.Lanes(t, bits)
}

// loadForm is a load operation for t.
func (m *maker) loadForm(t vir.Type) vir.Op {
	switch {
	case !t.IsVector():
		return vir.OpLoad
	case m.chance(20) && m.allowed(vir.OpLoadReverse, t):
		return vir.OpLoadReverse
	}
	return vir.OpLoadUnit
}

// load reads fresh input. Under a mask the inactive lanes are blended away.
func (m *maker) load(op vir.Op, t vir.Type) *vir.Value {
	if m.loop != nil {
		return m.loop.load(m, t)
	}
	off := m.newInput(t)
	a := m.address(m.in, first(op, off, t))
	if !t.IsVector() || !m.chance(25) || !m.allowed(vir.OpBlend, t) {
		return m.b.Load(op, t, a, nil)
	}
	mask := m.value(t.WithElem(vir.Bool))
	m.used[mask] = true
	v := m.b.Load(op, t, a, mask)
	return m.emit(vir.OpBlend, t, mask, v, m.value(t))
}

// newInput fills a new place in the input and gives its offset. Places are not
// aligned.
func (m *maker) newInput(t vir.Type) int {
	for range m.below(4) {
		m.k.In = append(m.k.In, byte(m.below(256)))
	}
	off := len(m.k.In)
	for range max(t.Lanes, 1) {
		x := m.lane(t.Elem)
		for range t.Elem.Size() {
			m.k.In = append(m.k.In, byte(x))
			x >>= 8
		}
	}
	return off
}

// padIn makes the input not empty.
func (m *maker) padIn() {
	if len(m.k.In) == 0 {
		m.k.In = []byte{0}
	}
	if len(m.k.Out) == 0 {
		m.k.Out = []byte{0}
	}
}

// first is the offset that an operation in form op takes as its address to
// access t.Size() bytes from off on.
func first(op vir.Op, off int, t vir.Type) int64 {
	if op == vir.OpLoadReverse || op == vir.OpStoreReverse {
		off += (t.Lanes - 1) * t.Elem.Size()
	}
	return int64(off)
}

// address writes base + off in one of many ways.
func (m *maker) address(base *vir.Value, off int64) vir.Addr {
	if m.chance(20) {
		d := int64(m.below(int(off) + 1))
		base = m.emit(vir.OpPtradd, base.Type, base, m.b.Int(i64, d))
		off -= d
	}
	a := vir.Addr{Base: base, Disp: off}
	if m.chance(40) {
		index, x := m.n, m.k.N
		if m.chance(30) {
			x = int64(m.below(9) - 4)
			index = m.b.Int(i64, x)
		}
		a.Index, a.Scale = index, pick(m.Source, scales)
		a.Disp -= x * a.Scale
	}
	return a
}

// results stores what nobody used.
func (m *maker) results() {
	for i := 0; i < len(m.b.Cur.Insts); i++ {
		v := m.b.Cur.Insts[i]
		if v.Type.Elem == vir.Void || v.Type.Elem == vir.Ptr || m.used[v] || !m.pooled(v) || len(m.k.Out) > maxOut {
			continue
		}
		m.used[v] = true
		if v.Type.Elem == vir.Bool {
			op := pick(m.Source, []vir.Op{vir.OpZext, vir.OpSext})
			t := v.Type.WithElem(pick(m.Source, ints))
			if !m.allowed(op, t) {
				continue
			}
			v = m.emit(op, t, v)
			i++ // do not store it twice
		}
		m.store(v)
	}
}

// pooled tells values that may be looked at from intermediate ones with poison.
func (m *maker) pooled(v *vir.Value) bool {
	for _, x := range m.pool[v.Type] {
		if x == v {
			return true
		}
	}
	return false
}

func (m *maker) store(v *vir.Value) {
	for range m.below(4) {
		m.k.Out = append(m.k.Out, 0xee)
	}
	off := len(m.k.Out)
	for range v.Type.Size() {
		m.k.Out = append(m.k.Out, 0xaa)
	}
	op := vir.OpStore
	if v.Type.IsVector() {
		op = vir.OpStoreUnit
		if m.chance(20) && m.allowed(vir.OpStoreReverse, v.Type) {
			op = vir.OpStoreReverse
		}
	}
	var mask *vir.Value
	if p := m.pool[v.Type.WithElem(vir.Bool)]; v.Type.IsVector() && len(p) > 0 && m.chance(40) {
		mask = pick(m.Source, p)
		m.used[mask] = true
	}
	m.k.Outs = append(m.k.Outs, Slot{off, v.Type})
	if v.Type.IsVector() && m.chance(10) && m.allowed(vir.OpScatter, v.Type) {
		m.scatter(v, off, mask)
		return
	}
	if mask != nil && m.chance(15) && m.allowed(vir.OpStoreCompress, v.Type) {
		op = vir.OpStoreCompress
	}
	m.b.Store(op, v, m.address(m.out, first(op, off, v.Type)), mask)
}
