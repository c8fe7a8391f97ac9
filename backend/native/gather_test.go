package native_test

import (
	"fmt"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// A scenario is a gather or scatter of lanes of t by an index of lanes of x.
type scenario struct {
	t      vir.Type
	x      vir.Elem
	scale  int64
	masked bool
	form   int   // where the index comes from: memory, memory extended, computed, constant, memory shifted right
	loop   bool  // done twice, in a loop
	far    int64 // added to indices, and taken off the address
}

func scenarios() (all []scenario) {
	n := 0
	for _, e := range dataElems {
		for _, x := range []vir.Elem{vir.I32, vir.I64} {
			for lanes := 1; lanes <= 64; lanes *= 2 {
				for _, masked := range []bool{false, true} {
					size := int64(e.Size())
					scale := []int64{size, -size, 3 * size, 5 * size, 16, 1}[n%6]
					n++
					all = append(all, scenario{vir.Vec(e, lanes), x, scale, masked, n / 2 % 4, n%5 < 2, 0})
				}
			}
		}
	}
	// Behind the last lane the index is out of range, and the mask may be anything.
	for lanes := 1; lanes <= 2; lanes++ {
		for _, e := range []vir.Elem{vir.I32, vir.F64} {
			all = append(all, scenario{t: vir.Vec(e, lanes), x: vir.I32, scale: int64(e.Size()), masked: true, form: 2})
		}
	}
	// What is known of the index is that it fits 31 bits: multiplied, it does not fit 32.
	for i, e := range []vir.Elem{vir.F32, vir.I64} {
		for lanes := 4; lanes <= 16; lanes *= 2 {
			all = append(all, scenario{t: vir.Vec(e, lanes), x: vir.I32, scale: 6 * int64(e.Size()), masked: i == 0, form: 4, far: 1 << 30})
		}
	}
	return all
}

// table is the number of elements, scale bytes apart, of the memory behind.
const tableLen = 40

// kernel is
//
//	func @name(%table ptr, %index ptr, %mask ptr, %out ptr)
//
// with everything flush against guard pages: reading what lies outside of the
// table is a crash.
func (sc scenario) kernel(name string, scatter bool, indices []int64) *vir.Func {
	f := vir.NewFunc(name)
	var p [4]*vir.Value
	for i, n := range []string{"table", "index", "mask", "out"} {
		p[i] = f.AddParam(n, vir.Scalar(vir.Ptr))
	}
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	var round *vir.Value
	if sc.loop {
		loop := f.NewBlock("loop")
		b.Jmp(loop)
		b.Cur = loop
		round = b.Phi(vir.Scalar(vir.I64))
	}
	load := func(t vir.Type, p *vir.Value) *vir.Value {
		return b.Load(vir.OpLoadUnit, t, vir.Addr{Base: p}, nil)
	}
	it := sc.t.WithElem(sc.x)
	var index *vir.Value
	switch sc.form {
	case 0:
		index = load(it, p[1])
	case 1:
		index = b.Op(vir.OpSext, it, load(it.WithElem(vir.I8), p[1]))
	case 2:
		index = b.Same(vir.OpSub, load(it, p[1]), b.Int(it, 1))
	case 3:
		bits := make([]uint64, len(indices))
		for i, k := range indices {
			bits[i] = uint64(k) << (64 - sc.x.Bits()) >> (64 - sc.x.Bits())
		}
		index = b.Lanes(it, bits)
	case 4:
		index = b.Same(vir.OpLshr, load(it, p[1]), b.Int(it, 1))
	}
	var mask *vir.Value
	if sc.masked {
		m := load(sc.t.WithElem(vir.I8), p[2])
		mask = b.Cmp(vir.OpIcmpNe, m, b.Int(m.Type, 0))
		if sc.form == 2 { // a mask that no instruction complements
			mask = b.Cmp(vir.OpIcmpSlt, b.Int(m.Type, 0), m)
		}
	}
	a := vir.Addr{Base: p[0], Index: index, Scale: sc.scale, Disp: sc.origin()}
	if scatter {
		b.Scatter(load(sc.t, p[3]), a, mask)
	} else {
		v := b.Gather(sc.t, a, mask)
		if sc.masked {
			v = b.Op(vir.OpBlend, sc.t, mask, v, b.Const(sc.t, 1))
		}
		b.Store(vir.OpStoreUnit, v, vir.Addr{Base: p[3]}, nil)
	}
	if sc.loop {
		twice(b, round)
	}
	b.Ret()
	return f
}

// twice ends the loop of which round is the phi.
func twice(b *vir.Builder, round *vir.Value) {
	loop, exit := b.Cur, b.Func.NewBlock("exit")
	next := b.Same(vir.OpAdd, round, b.Int(round.Type, 1))
	b.Br(b.Cmp(vir.OpIcmpSlt, next, b.Int(round.Type, 2)), loop, exit)
	b.Cur = b.Func.Entry()
	zero := b.Int(round.Type, 0)
	insts := b.Cur.Insts // the constant belongs before the jump
	n := len(insts)
	insts[n-2], insts[n-1] = insts[n-1], insts[n-2]
	round.Args = []*vir.Value{zero, next}
	b.Cur = exit
}

// origin is the distance of index 0 from the start of the table.
func (sc scenario) origin() int64 {
	if sc.scale < 0 {
		return (tableLen-1)*-sc.scale - sc.far*sc.scale
	}
	return -sc.far * sc.scale
}

// bytes is the size of a table in which the last element ends.
func (sc scenario) bytes() int {
	step := max(sc.scale, -sc.scale)
	return int((tableLen-1)*step) + sc.t.Elem.Size()
}

func runScenarios(t *testing.T, scatter bool, every int, tgt *target.Target) {
	t.Helper()
	k := newBench(t, 4)
	for i, sc := range scenarios() {
		if i%every != 0 {
			continue
		}
		lanes := sc.t.Lanes
		indices := make([]int64, lanes)
		for l := range indices {
			indices[l] = int64(k.rng.IntN(tableLen))
			if scatter && (i%3 > 0 || k.rng.IntN(3) == 0) {
				indices[l] = int64(k.rng.IntN(3)) // the same addresses again
			}
		}
		name := fmt.Sprintf("k%d_%s_%s_%d_%t", i, sc.t, sc.x, sc.form, sc.masked)
		f := sc.kernel(name, scatter, indices)
		if err := verify.Func(f); err != nil {
			t.Fatalf("%v\n%s", err, f)
		}
		k.fns = append(k.fns, f)
		k.byNam[name] = f
		for round := range 5 {
			k.cases = append(k.cases, sc.run(k, name, indices, scatter, round))
		}
	}
	k.run(tgt)
}

// run is a call with fresh memory. Inactive lanes have indices far outside. The
// mask is empty, full or random.
func (sc scenario) run(k *bench, name string, indices []int64, scatter bool, round int) native.Case {
	mem := new(interp.Memory)
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(k.rng.IntN(128))
		}
		return b
	}
	mask := make([]byte, len(indices))
	var index []byte
	for l, x := range indices {
		if mask[l] = byte(k.rng.IntN(2)); round < 2 {
			mask[l] = byte(round)
		}
		if sc.masked && mask[l] == 0 && sc.form != 3 {
			x = 100
			if sc.form != 1 {
				x = 1 << 30
			}
		}
		size := sc.x.Size()
		switch sc.form {
		case 1:
			size = 1
		case 2:
			x++
		case 4:
			x = (x + sc.far) << 1
		}
		for b := range size {
			index = append(index, byte(x>>(8*b)))
		}
	}
	table := mem.Alloc("table", random(sc.bytes()))
	c := native.Case{Fn: name, Mem: mem, Elems: map[string]vir.Elem{}}
	c.Args = append(c.Args, table.Ptr(0), mem.Alloc("index", index).Ptr(0), mem.Alloc("mask", mask).Ptr(0), mem.Alloc("out", random(sc.t.Size())).Ptr(0))
	return c
}

func TestGathers(t *testing.T) { runScenarios(t, false, 1, level()) }

func TestGathersByLoads(t *testing.T) {
	tgt := level()
	tgt.GatherByLoads = true
	runScenarios(t, false, 5, tgt)
}

func TestGathersInFewRegisters(t *testing.T) {
	inFewRegisters(t, 5, 6, func(t *testing.T, tgt *target.Target) {
		runScenarios(t, false, 5, tgt)
		runScenarios(t, true, 5, tgt)
	})
}

func TestScatters(t *testing.T) { runScenarios(t, true, 1, level()) }

// TestPermutes looks up in tables of all sizes, constant and loaded, in straight
// lines; what lies in loops is TestPermuteInLoop.
func TestPermutes(t *testing.T) {
	k := newBench(t, 5)
	for _, e := range dataElems {
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256} {
			if e.Size() > 1 && n > 64 {
				continue
			}
			for lanes := 1; lanes <= 64; lanes *= 4 {
				k.start(fmt.Sprintf("permute_%s_%d_%d", e, n, lanes))
				for _, constant := range []bool{false, true} {
					k.store(k.b.Permute(k.table(vir.Vec(e, n), constant), k.indices(vir.Vec(vir.IntElem(e.Size()), lanes), n)))
				}
				k.finish()
			}
		}
	}
	k.run(level())
}

func (k *bench) table(t vir.Type, constant bool) *vir.Value {
	if !constant {
		return k.load(t)
	}
	bits := make([]uint64, t.Lanes)
	for i := range bits {
		bits[i] = k.rng.Uint64() >> (64 - t.Elem.Bits())
	}
	return k.b.Lanes(t, bits)
}

// indices is a vector of numbers below n.
func (k *bench) indices(t vir.Type, n int) *vir.Value {
	var data []byte
	for range t.Lanes {
		x := k.rng.IntN(n)
		for b := range t.Elem.Size() {
			data = append(data, byte(x>>(8*b)))
		}
	}
	return k.loadBytes(t, data)
}

// TestPermuteInLoop has the table outside of the loop.
func TestPermuteInLoop(t *testing.T) {
	s := newSuite(t)
	for _, n := range []int{8, 16, 32, 64, 256} {
		for _, constant := range []bool{false, true} {
			name := fmt.Sprintf("loop_%d_%t", n, constant)
			s.lookup(name, n, constant)
		}
	}
	s.run()
}

// lookup adds a kernel that maps all bytes of a stream through a table of n bytes,
// which are the first of another stream.
func (s *suite) lookup(name string, n int, constant bool) {
	in := stream{"in", vir.I8, make([]uint64, elems)}
	tab := stream{"tab", vir.I8, make([]uint64, elems)}
	bits := make([]uint64, n)
	for i := range elems {
		in.data[i] = uint64(i * 7 % n)
		tab.data[i] = uint64(i*i+3) & 0xff
		if i < n {
			bits[i] = uint64(i*5+1) & 0xff
		}
	}
	i64, t := vir.Scalar(vir.I64), vir.Vec(vir.I8, 64)
	f := vir.NewFunc(name)
	for _, p := range []string{"in", "tab", "out"} {
		f.AddParam(p, vir.Scalar(vir.Ptr))
	}
	count := f.AddParam("n", i64)
	f.Results = []vir.Type{i64}
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("loop"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	zero, step := b.Int(i64, 0), b.Int(i64, int64(t.Lanes))
	table := b.Load(vir.OpLoadUnit, vir.Vec(vir.I8, n), vir.Addr{Base: f.Params[1]}, nil)
	if constant {
		table = b.Lanes(vir.Vec(vir.I8, n), bits)
	}
	b.Jmp(loop)
	b.Cur = loop
	i := b.Phi(i64)
	x := b.Load(vir.OpLoadUnit, t, vir.Addr{Base: f.Params[0], Index: i, Scale: 1}, nil)
	b.Store(vir.OpStoreUnit, b.Permute(table, x), vir.Addr{Base: f.Params[2], Index: i, Scale: 1}, nil)
	next := b.Same(vir.OpAdd, i, step)
	b.Br(b.Cmp(vir.OpIcmpSlt, next, count), loop, exit)
	b.Cur = exit
	b.Ret(next)
	i.Args = []*vir.Value{zero, next}
	s.add(f, []stream{in, tab}, vir.I8)
}
