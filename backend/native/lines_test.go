package native_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// A line is a straight-line kernel
//
//	func @name(%p ptr, %q ptr, %a elem, %b elem, %c elem)
//
// in which scalars and short vectors of two element types live side by side: vectors
// are built from scalars and taken apart, and memory is read and written in places
// that overlap, through two pointers to the same object.
type line struct {
	rng     *rand.Rand
	b       *vir.Builder
	elems   []vir.Elem
	scalars map[vir.Elem][]*vir.Value
	vectors map[vir.Elem][]*vir.Value
}

// places is the number of elements in the memory of each element type.
const places = 96

func newLine(rng *rand.Rand, name string, ops int) *line {
	l := &line{rng: rng, scalars: make(map[vir.Elem][]*vir.Value), vectors: make(map[vir.Elem][]*vir.Value)}
	l.elems = []vir.Elem{dataElems[rng.IntN(6)], dataElems[rng.IntN(6)]}
	f := vir.NewFunc(name)
	f.InOrder = true
	f.AddParam("p", vir.Scalar(vir.Ptr))
	f.AddParam("q", vir.Scalar(vir.Ptr))
	for _, n := range []string{"a", "b", "c"} {
		l.keep(f.AddParam(n, vir.Scalar(l.elems[0])))
	}
	l.b = vir.NewBuilder(f, f.NewBlock("entry"))
	for range ops {
		l.op(l.elems[rng.IntN(2)])
	}
	for _, e := range l.elems { // what is left keeps registers busy to the end
		for range 8 {
			l.store(l.vector(e))
			l.store(l.scalar(e))
		}
	}
	l.b.Ret()
	return l
}

// region is where elements of type e lie in memory.
func region(e vir.Elem) int64 { return int64(e) * places * 8 }

func (l *line) keep(v *vir.Value) *vir.Value {
	m := l.scalars
	if v.Type.IsVector() {
		m = l.vectors
	}
	m[v.Type.Elem] = append(m[v.Type.Elem], v)
	return v
}

func (l *line) chance(percent int) bool { return l.rng.IntN(100) < percent }

// pick is one of vs, mostly a late one.
func (l *line) pick(vs []*vir.Value) *vir.Value {
	if l.chance(60) {
		return vs[len(vs)-1-l.rng.IntN(min(len(vs), 5))]
	}
	return vs[l.rng.IntN(len(vs))]
}

func (l *line) scalar(e vir.Elem) *vir.Value {
	switch {
	case l.chance(15):
		return l.constant(vir.Scalar(e))
	case len(l.scalars[e]) == 0 || l.chance(20):
		return l.keep(l.load(vir.Scalar(e)))
	}
	return l.pick(l.scalars[e])
}

func (l *line) vector(e vir.Elem) *vir.Value {
	if len(l.vectors[e]) == 0 || l.chance(15) {
		return l.keep(l.load(vir.Vec(e, 1<<l.rng.IntN(1+log2(32/e.Size())))))
	}
	return l.pick(l.vectors[e])
}

func log2(n int) (k int) {
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// like is a vector of type t.
func (l *line) like(t vir.Type) *vir.Value {
	for range 4 {
		if v := l.vector(t.Elem); v.Type == t {
			return v
		}
	}
	if l.chance(20) {
		return l.constant(t)
	}
	return l.keep(l.load(t))
}

func (l *line) constant(t vir.Type) *vir.Value {
	bits := make([]uint64, max(1, t.Lanes))
	for k := range bits {
		x := uint64(l.rng.IntN(3))
		switch t.Elem {
		case vir.F32:
			x = uint64(math.Float32bits(float32(x)))
		case vir.F64:
			x = math.Float64bits(float64(x))
		}
		bits[k] = x
	}
	if len(bits) == 1 || l.chance(30) {
		return l.b.Const(t, bits[0])
	}
	return l.b.Lanes(t, bits)
}

func (l *line) address(t vir.Type) vir.Addr {
	n := places - max(t.Lanes, 1) + 1
	return vir.Addr{Base: l.b.Func.Params[l.rng.IntN(2)], Disp: region(t.Elem) + int64(l.rng.IntN(n)*t.Elem.Size())}
}

func (l *line) load(t vir.Type) *vir.Value {
	return l.b.Load(form(t.Lanes, vir.OpLoad), t, l.address(t), nil)
}

func (l *line) store(v *vir.Value) {
	var mask *vir.Value
	if v.Type.Lanes > 1 && l.chance(15) {
		mask = l.mask(v.Type.Lanes)
	}
	l.b.Store(form(v.Type.Lanes, vir.OpStore), v, l.address(v.Type), mask)
}

func (l *line) mask(lanes int) *vir.Value {
	bits := make([]uint64, lanes)
	for k := range bits {
		bits[k] = uint64(l.rng.IntN(2))
		if l.chance(10) {
			bits[k] = uint64(k & 1)
		}
	}
	return l.b.Lanes(vir.Vec(vir.Bool, lanes), bits)
}

// op adds something with elements of type e.
func (l *line) op(e vir.Elem) {
	switch l.rng.IntN(14) {
	case 0, 1:
		l.keep(l.arith(l.scalar(e), l.scalar(e)))
	case 2, 3:
		x := l.vector(e)
		l.keep(l.arith(x, l.like(x.Type)))
	case 4:
		l.keep(l.built(e))
	case 5:
		for range 1 + l.rng.IntN(4) {
			l.taken(e)
		}
	case 6:
		x := l.scalar(e)
		l.keep(l.b.Op(vir.OpBroadcast, vir.Vec(e, 1<<l.rng.IntN(1+log2(32/e.Size()))), x))
	case 7:
		x := l.vector(e)
		lanes := make([]int, x.Type.Lanes)
		for k := range lanes {
			lanes[k] = l.rng.IntN(2 * len(lanes))
		}
		l.keep(l.b.Shuffle(x.Type, lanes, x, l.like(x.Type)))
	case 8:
		x := l.vector(e)
		if n := x.Type.Lanes; n > 1 {
			l.keep(l.b.Subvec(x, l.rng.IntN(2)*n/2, n/2))
		}
	case 9:
		x := l.vector(e)
		if n := x.Type.Lanes; 2*n*e.Size() <= 64 {
			l.keep(l.b.Concat(vir.Vec(e, 2*n), x, l.like(x.Type)))
		}
	case 10:
		l.keep(l.alternating(e))
	case 11:
		l.store(l.vector(e))
	case 12:
		l.store(l.scalar(e))
	case 13:
		x := l.vector(e)
		m := l.mask(x.Type.Lanes)
		v := l.b.Load(vir.OpLoadUnit, x.Type, l.address(x.Type), m)
		l.keep(l.b.Op(vir.OpBlend, x.Type, m, v, x))
	}
}

// arith is an operation of two equal types that makes no NaN of small numbers.
func (l *line) arith(x, y *vir.Value) *vir.Value {
	if x.Type.Elem.IsFloat() {
		switch l.rng.IntN(6) {
		case 0:
			return l.b.Same(vir.OpFneg, x)
		case 1:
			return l.b.Same(vir.OpFmin, x, y)
		case 2:
			return l.b.Same(vir.OpFsub, x, y)
		case 3:
			return l.b.Same(vir.OpFmul, x, l.constant(x.Type))
		}
		return l.b.Same(vir.OpFadd, x, y)
	}
	ops := []vir.Op{vir.OpAdd, vir.OpSub, vir.OpXor, vir.OpAnd, vir.OpOr, vir.OpMul, vir.OpSmin, vir.OpUmax}
	if w := x.Type.Elem.Bits(); l.chance(10) {
		n := uint64(1 + l.rng.IntN(w-1))
		if l.chance(40) {
			n = uint64(8 * (1 + l.rng.IntN(max(1, w/8-1))) % w)
		}
		left, right := l.b.Same(vir.OpShl, x, l.b.Const(x.Type, n)), l.b.Same(vir.OpLshr, x, l.b.Const(x.Type, uint64(w)-n))
		return l.b.Same([]vir.Op{vir.OpOr, vir.OpXor, vir.OpAdd}[l.rng.IntN(3)], right, left)
	}
	if l.chance(20) {
		op := []vir.Op{vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpRotl}[l.rng.IntN(4)]
		return l.b.Same(op, x, l.b.Const(x.Type, uint64(l.rng.IntN(x.Type.Elem.Bits()))))
	}
	if l.chance(10) && !x.Type.IsVector() {
		op := []vir.Op{vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem}[l.rng.IntN(4)]
		return l.b.Same(op, x, l.b.Const(x.Type, uint64(1+l.rng.IntN(127))))
	}
	return l.b.Same(ops[l.rng.IntN(len(ops))], x, y)
}

// built is a vector of scalars: any, neighbours in memory, constants, lanes of other
// vectors.
func (l *line) built(e vir.Elem) *vir.Value {
	t := vir.Vec(e, 1<<l.rng.IntN(1+log2(32/e.Size())))
	v := l.b.Op(vir.OpPoison, t)
	if l.chance(30) {
		v = l.constant(t)
	}
	kind, at := l.rng.IntN(5), l.address(vir.Vec(e, t.Lanes))
	from := l.vector(e)
	for k := range t.Lanes {
		var x *vir.Value
		switch {
		case kind == 0, kind == 1 && l.chance(60):
			x = l.b.Load(vir.OpLoad, t.Lane(), at, nil)
		case kind == 2, kind == 3 && l.chance(60):
			x = l.b.Extract(from, l.rng.IntN(from.Type.Lanes))
		default:
			x = l.scalar(e)
		}
		at.Disp += int64(e.Size())
		v = l.b.Insert(v, x, k)
	}
	return v
}

// taken is a lane of a vector, as a scalar or stored.
func (l *line) taken(e vir.Elem) {
	v := l.vector(e)
	x := l.b.Extract(v, l.rng.IntN(v.Type.Lanes))
	if l.chance(50) {
		l.store(x)
		return
	}
	l.keep(x)
}

// alternating adds in some lanes and subtracts in others.
func (l *line) alternating(e vir.Elem) *vir.Value {
	x := l.vector(e)
	y := l.like(x.Type)
	add, sub := vir.OpAdd, vir.OpSub
	if e.IsFloat() {
		add, sub = vir.OpFadd, vir.OpFsub
	}
	sum, diff := l.b.Same(add, x, y), l.b.Same(sub, x, y)
	if l.chance(30) {
		sum, diff = diff, sum
	}
	n := x.Type.Lanes
	if l.chance(50) {
		return l.b.Op(vir.OpBlend, x.Type, l.mask(n), sum, diff)
	}
	lanes := make([]int, n)
	odd := l.rng.IntN(2)
	for k := range lanes {
		lanes[k] = k + n*((k+odd)%2)
	}
	return l.b.Shuffle(x.Type, lanes, sum, diff)
}

// memory is small numbers of all types.
func (l *line) memory() []byte {
	var data []byte
	for e := range vir.Elem(16) {
		var xs []uint64
		for range places {
			x := uint64(l.rng.IntN(256))
			switch {
			case e == vir.F32:
				x = uint64(math.Float32bits(float32(x)))
			case e == vir.F64:
				x = math.Float64bits(float64(x))
			case e.IsInt():
				x = l.rng.Uint64()
			}
			xs = append(xs, x)
		}
		part := make([]byte, places*8)
		if e.IsInt() || e.IsFloat() {
			copy(part, pack(e, xs))
		}
		data = append(data, part...)
	}
	return data
}

func (l *line) arg() interp.Value {
	e := l.elems[0]
	return interp.New(vir.Scalar(e), pack64(e, l.rng.IntN(100)))
}

func pack64(e vir.Elem, x int) uint64 {
	switch e {
	case vir.F32:
		return uint64(math.Float32bits(float32(x)))
	case vir.F64:
		return math.Float64bits(float64(x))
	}
	return uint64(x)
}

var lineRounds = flag.Int("lines", 80, "number of random kernels of scalars and short vectors")

// TestRandomLines compares them with the interpreter.
func TestRandomLines(t *testing.T) { runLines(t, 1, *lineRounds, level()) }

// TestLinesInFewRegisters spills everywhere.
func TestLinesInFewRegisters(t *testing.T) {
	inFewRegisters(t, 6, 7, func(t *testing.T, tgt *target.Target) {
		runLines(t, 1000, *lineRounds/3, tgt)
	})
}

func runLines(t *testing.T, seed uint64, rounds int, tgt *target.Target) {
	t.Helper()
	k := newBench(t, seed)
	for i := range rounds {
		l := newLine(rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("line%d", i), 10+i%7*25)
		f := l.b.Func
		if err := verify.Func(f); err != nil {
			t.Fatalf("%v\n%s", err, f)
		}
		mem := new(interp.Memory)
		o := mem.Alloc("memory", l.memory())
		k.fns, k.byNam[f.Name] = append(k.fns, f), f
		k.cases = append(k.cases, native.Case{Fn: f.Name, Mem: mem, Args: []interp.Value{o.Ptr(0), o.Ptr(0), l.arg(), l.arg(), l.arg()}})
	}
	k.run(tgt)
}
