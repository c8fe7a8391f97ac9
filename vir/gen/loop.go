package gen

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Loop is a scalar function in the shape of plan.Region with inputs.
type Loop struct {
	Region plan.Region
	Mem    *interp.Memory // before the call; clone it to run
	Args   []interp.Value // one per parameter
	Elems  []vir.Elem     // of the objects of Mem, in their order
}

// An Outcome is what a run leaves.
type Outcome struct {
	Results []interp.Value
	Mem     *interp.Memory
	Err     error
}

// Run executes the loop in the interpreter.
func (l *Loop) Run() Outcome {
	mem := l.Mem.Clone()
	res, err := interp.Run(l.Region.Fn, mem, l.Args)
	return Outcome{res, mem, err}
}

// Same compares two outcomes; the error says where they differ.
func (l *Loop) Same(a, b Outcome) error {
	if fmt.Sprint(a.Err) != fmt.Sprint(b.Err) {
		return fmt.Errorf("errors differ: %v and %v", a.Err, b.Err)
	}
	for i := range a.Results {
		if !interp.Equal(a.Results[i], b.Results[i]) {
			return fmt.Errorf("result %d differs: %v and %v", i, a.Results[i], b.Results[i])
		}
	}
	x, y := a.Mem.Objects(), b.Mem.Objects()
	for i := range x {
		if !interp.EqualMemory(l.Elems[i], x[i].Data, y[i].Data) {
			return fmt.Errorf("%s differs: % x and % x", x[i].Name, x[i].Data, y[i].Data)
		}
	}
	return nil
}

// slice is a slice of the loop: a pointer and a length parameter.
type slice struct {
	elem     vir.Elem
	ptr, len *vir.Value
	readOnly bool
}

// A looper is the state of making a loop.
type looper struct {
	l      *Loop
	fn     *vir.Func
	slices []slice
	iv     *vir.Value // induction variable, an i64
	sums   []*vir.Value
}

// MakeLoop makes a counted loop over a few slices with reductions, conditions
// and checks.
func MakeLoop(src *Source) *Loop {
	m := newMaker(src, Options{Panics: true})
	m.loop = &looper{l: &Loop{Mem: new(interp.Memory)}, fn: vir.NewFunc("loop")}
	m.loop.l.Region = plan.Region{Fn: m.loop.fn, Func: "loop", Twin: "Loop", Label: "loop"}
	m.loop.build(m)
	return m.loop.l
}

func (lp *looper) build(m *maker) {
	n := m.below(20)
	for i := range 1 + m.below(3) {
		lp.addSlice(m, i, n)
	}
	for i := range m.below(3) {
		e := pick(m.Source, data)
		m.add(lp.param(fmt.Sprintf("a%d", i), vir.Scalar(e), interp.New(vir.Scalar(e), m.lane(e))))
	}
	limit := pick(m.Source, lp.slices).len
	if m.chance(30) {
		limit = lp.param("n", i64, interp.Int(int64(n)))
	}
	entry, header := lp.fn.NewBlock("entry"), lp.fn.NewBlock("header")
	body, latch, exit := lp.fn.NewBlock("body"), lp.fn.NewBlock("latch"), lp.fn.NewBlock("exit")
	m.b = vir.NewBuilder(lp.fn, entry)
	m.b.Jmp(header)

	m.b.Cur = header
	lp.state(m, "i", i64, interp.Int(int64(m.below(3))))
	lp.iv = header.Phis()[0]
	m.add(lp.iv)
	for i := range m.below(3) {
		e := pick(m.Source, data)
		lp.sums = append(lp.sums, lp.state(m, fmt.Sprintf("s%d", i), vir.Scalar(e), interp.New(vir.Scalar(e), m.lane(e))))
	}
	m.b.Br(m.b.Cmp(vir.OpIcmpSlt, lp.iv, limit), body, exit)

	m.b.Cur = body
	m.b.Op(vir.OpIter, vir.Type{})
	next := lp.body(m, latch)
	m.b.Cur = latch
	step := m.plus(lp.iv, int64(1+m.below(2)*m.below(3)))
	m.b.Jmp(header)
	for i, phi := range header.Phis() {
		if i == 0 {
			phi.Args = append(phi.Args, step)
		} else {
			phi.Args = append(phi.Args, next[i-1])
		}
	}
	m.b.Cur = exit
	m.b.Ret(header.Phis()...)
	for _, phi := range header.Phis() {
		lp.fn.Results = append(lp.fn.Results, phi.Type)
	}
	lp.moveToEnd(latch, exit)
}

// moveToEnd puts the blocks last, behind those that the body added.
func (lp *looper) moveToEnd(blocks ...*vir.Block) {
	var rest []*vir.Block
	for _, b := range lp.fn.Blocks {
		if b != blocks[0] && b != blocks[1] {
			rest = append(rest, b)
		}
	}
	lp.fn.Blocks = append(rest, blocks...)
}

func (lp *looper) param(name string, t vir.Type, arg interp.Value) *vir.Value {
	lp.l.Args = append(lp.l.Args, arg)
	return lp.fn.AddParam(name, t)
}

// state adds a phi of the header with its parameter.
func (lp *looper) state(m *maker, name string, t vir.Type, init interp.Value) *vir.Value {
	p := lp.param(name+"0", t, init)
	phi := m.b.Phi(t)
	phi.Name = name
	phi.Args = []*vir.Value{p}
	lp.l.Region.State = append(lp.l.Region.State, plan.State{Param: len(lp.fn.Params) - 1, Live: true})
	return phi
}

// addSlice adds a slice of about n elements, sometimes inside the one before.
func (lp *looper) addSlice(m *maker, i, n int) {
	s := slice{elem: pick(m.Source, data)}
	objects := lp.l.Mem.Objects()
	length := max(n+m.below(4)-1, 0)
	var arg interp.Value
	if k := len(lp.slices); k > 0 && m.chance(30) && !lp.slices[k-1].readOnly {
		s.elem = lp.slices[k-1].elem
		o := objects[len(objects)-1]
		off := m.below(5) * s.elem.Size()
		arg = o.Ptr(int64(min(off, len(o.Data))))
		length = (len(o.Data) - min(off, len(o.Data))) / s.elem.Size()
	} else {
		var bytes []byte
		for range length {
			x := m.lane(s.elem)
			for range s.elem.Size() {
				bytes = append(bytes, byte(x))
				x >>= 8
			}
		}
		o := lp.l.Mem.Alloc(fmt.Sprintf("x%d", i), bytes)
		s.readOnly = m.chance(15)
		o.ReadOnly = s.readOnly
		lp.l.Elems = append(lp.l.Elems, s.elem)
		arg = o.Ptr(0)
	}
	name := fmt.Sprintf("x%d", i)
	s.ptr = lp.param(name, vir.Scalar(vir.Ptr), arg)
	s.len = lp.param(name+"_len", i64, interp.Int(int64(length)))
	s.ptr.Param = vir.ParamFacts{ElemSize: s.elem.Size(), Len: s.len, Immutable: s.readOnly}
	lp.slices = append(lp.slices, s)
}

func (lp *looper) hasElem(e vir.Elem) bool {
	for _, s := range lp.slices {
		if s.elem == e {
			return true
		}
	}
	return false
}

// place is a checked address: the induction variable, or a neighbour.
func (lp *looper) place(m *maker, s slice) vir.Addr {
	index := lp.iv
	if m.chance(25) {
		index = m.plus(lp.iv, int64(m.below(5)-2))
	}
	m.b.Check(vir.OpCheckIndex, nil, index, s.len)
	a := vir.Addr{Base: s.ptr, Index: index, Scale: int64(s.elem.Size())}
	if m.chance(10) {
		a.Base = m.emit(vir.OpPtradd, a.Base.Type, a.Base, m.b.Int(i64, 8))
		a.Disp = -8
	}
	return a
}

func (lp *looper) load(m *maker, t vir.Type) *vir.Value {
	var of []slice
	for _, s := range lp.slices {
		if s.elem == t.Elem {
			of = append(of, s)
		}
	}
	return m.b.Load(vir.OpLoad, t, lp.place(m, pick(m.Source, of)), nil)
}

// body fills the body up to a jump to the latch and gives the next values of the
// reductions.
func (lp *looper) body(m *maker, latch *vir.Block) []*vir.Value {
	lp.straight(m)
	if m.chance(50) {
		lp.branch(m)
		lp.straight(m)
	}
	next := make([]*vir.Value, len(lp.sums))
	for i, s := range lp.sums {
		next[i] = lp.reduce(m, s)
	}
	m.b.Jmp(latch)
	return next
}

func (lp *looper) straight(m *maker) {
	ops := m.ops()
	for range 1 + m.below(8) {
		m.op(pick(m.Source, ops), 0)
	}
	for range m.below(3) {
		lp.store(m)
	}
}

func (lp *looper) store(m *maker) {
	s := pick(m.Source, lp.slices)
	if s.readOnly {
		return
	}
	x := m.value(vir.Scalar(s.elem))
	m.b.Store(vir.OpStore, x, lp.place(m, s), nil)
}

// branch adds "if c { ... }" with a phi behind. Values of the arm stay in it.
func (lp *looper) branch(m *maker) {
	then, join := lp.fn.NewBlock("then"), lp.fn.NewBlock("join")
	t := vir.Scalar(pick(m.Source, data))
	other := m.value(t)
	m.b.Br(m.value(bool1), then, join)
	saved := make(map[vir.Type]int)
	for t, p := range m.pool {
		saved[t] = len(p)
	}
	m.b.Cur = then
	lp.straight(m)
	x := m.value(t)
	m.b.Jmp(join)
	for t, p := range m.pool {
		m.pool[t] = p[:saved[t]]
	}
	m.b.Cur = join
	phi := m.b.Phi(t)
	phi.Args = []*vir.Value{other, x}
	m.add(phi)
}

// reduce is the next value of a reduction.
func (lp *looper) reduce(m *maker, s *vir.Value) *vir.Value {
	ops := []vir.Op{vir.OpAdd, vir.OpXor, vir.OpSmax, vir.OpUmin, vir.OpMul}
	if s.Type.Elem.IsFloat() {
		ops = []vir.Op{vir.OpFadd, vir.OpFmul, vir.OpFmin, vir.OpFmax}
	}
	r := m.emit(pick(m.Source, ops), s.Type, s, m.value(s.Type))
	if m.chance(30) {
		r = m.emit(vir.OpSelect, s.Type, m.value(bool1), r, s)
	}
	return r
}

// plus is x + c.
func (m *maker) plus(x *vir.Value, c int64) *vir.Value {
	return m.b.Same(vir.OpAdd, x, m.b.Int(x.Type, c))
}
