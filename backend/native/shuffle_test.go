package native_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var dataElems = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}

// A bench is a set of straight-line kernels
//
//	func @name(%in ptr, %out ptr)
//
// in which every loaded byte differs from its neighbours.
type bench struct {
	t     *testing.T
	fns   []*vir.Func
	byNam map[string]*vir.Func
	cases []native.Case
	b     *vir.Builder
	in    []byte
	out   int
	rng   *rand.Rand
}

func newBench(t *testing.T, seed uint64) *bench {
	return &bench{t: t, byNam: make(map[string]*vir.Func), rng: rand.New(rand.NewPCG(seed, 7))}
}

// start begins a kernel.
func (k *bench) start(name string) {
	f := vir.NewFunc(name)
	f.AddParam("in", vir.Scalar(vir.Ptr))
	f.AddParam("out", vir.Scalar(vir.Ptr))
	k.b = vir.NewBuilder(f, f.NewBlock("entry"))
	k.in, k.out = nil, 0
}

// load reads fresh input.
func (k *bench) load(t vir.Type) *vir.Value {
	off := len(k.in)
	for range t.Size() {
		k.in = append(k.in, byte(k.rng.IntN(256)))
	}
	return k.b.Load(form(t.Lanes, vir.OpLoad), t, vir.Addr{Base: k.b.Func.Params[0], Disp: int64(off)}, nil)
}

// loadBytes reads given input.
func (k *bench) loadBytes(t vir.Type, data []byte) *vir.Value {
	off := len(k.in)
	k.in = append(k.in, data...)
	return k.b.Load(form(t.Lanes, vir.OpLoad), t, vir.Addr{Base: k.b.Func.Params[0], Disp: int64(off)}, nil)
}

func (k *bench) store(v *vir.Value) {
	if v.Type.Elem == vir.Bool {
		v = k.b.Op(vir.OpZext, v.Type.WithElem(vir.I8), v)
	}
	k.b.Store(form(v.Type.Lanes, vir.OpStore), v, vir.Addr{Base: k.b.Func.Params[1], Disp: int64(k.out)}, nil)
	k.out += v.Type.Size()
}

// finish ends a kernel and makes its case.
func (k *bench) finish() {
	k.t.Helper()
	k.b.Ret()
	f := k.b.Func
	if err := verify.Func(f); err != nil {
		k.t.Fatalf("%v\n%s", err, f)
	}
	k.fns = append(k.fns, f)
	k.byNam[f.Name] = f
	mem := new(interp.Memory)
	in := mem.AllocReadOnly("in", append([]byte(nil), k.in...))
	out := mem.Alloc("out", make([]byte, max(1, k.out)))
	k.cases = append(k.cases, native.Case{Fn: f.Name, Mem: mem, Args: []interp.Value{in.Ptr(0), out.Ptr(0)}})
}

func (k *bench) run(t *target.Target) *native.Program {
	k.t.Helper()
	p, err := native.Build(k.t.TempDir(), k.fns, t)
	if err != nil {
		k.t.Fatal(err)
	}
	got, err := p.Run(k.cases)
	if err != nil {
		k.t.Error(err)
	}
	failures := 0
	for i, g := range got {
		f := k.byNam[k.cases[i].Fn]
		if d := native.Diff(f, k.cases[i], g); d != "" {
			if failures++; failures < 5 {
				k.t.Errorf("%s: %s\n%s", f.Name, d, f)
			}
		}
	}
	if failures > 0 {
		k.t.Errorf("%d of %d kernels differ", failures, len(k.cases))
	}
	sound(k.t, p)
	return p
}

// shuffled stores a shuffle of x and y, which may be nil; lanes of -1 show 0.
func (k *bench) shuffled(t vir.Type, lanes []int, x, y *vir.Value) {
	v := k.b.Shuffle(t, lanes, x, y)
	keep, all := make([]uint64, len(lanes)), true
	for i, l := range lanes {
		if keep[i] = 1; l < 0 {
			keep[i], all = 0, false
		}
	}
	if !all {
		m := k.b.Lanes(t.WithElem(vir.Bool), keep)
		if t.Elem == vir.Bool {
			v = k.b.Same(vir.OpAnd, m, v)
		} else {
			v = k.b.Op(vir.OpBlend, t, m, v, k.b.Const(t, 0))
		}
	}
	k.store(v)
}

// source is a vector, mostly from memory.
func (k *bench) source(t vir.Type) *vir.Value {
	if t.Elem == vir.Bool {
		x := k.load(t.WithElem(intElems[k.rng.IntN(4)]))
		return k.b.Cmp(vir.OpIcmpSlt, x, k.b.Int(x.Type, 0))
	}
	switch k.rng.IntN(10) {
	case 0:
		return k.b.Const(t, 0)
	case 1:
		bits := make([]uint64, t.Lanes)
		for i := range bits {
			bits[i] = k.rng.Uint64() >> (64 - t.Elem.Bits())
		}
		return k.b.Lanes(t, bits)
	}
	return k.load(t)
}

var shuffleRounds = flag.Int("shuffles", 120, "number of kernels with random shuffles")

// TestRandomShuffles runs shuffles of all types and widths: any lanes, steps as
// of interleaved data, and poison lanes.
func TestRandomShuffles(t *testing.T) { runShuffles(t, 1, *shuffleRounds, level()) }

func TestShufflesInFewRegisters(t *testing.T) {
	inFewRegisters(t, 5, 6, func(t *testing.T, tgt *target.Target) {
		runShuffles(t, 9, *shuffleRounds/4, tgt)
	})
}

func runShuffles(t *testing.T, seed uint64, rounds int, tgt *target.Target) {
	t.Helper()
	k := newBench(t, seed)
	n := 0
	for round := range rounds {
		k.start(fmt.Sprintf("shuffle%d", round))
		for range 12 {
			e := append([]vir.Elem{vir.Bool}, dataElems...)[k.rng.IntN(7)]
			from, to := 1<<k.rng.IntN(7), 1<<k.rng.IntN(7)
			x := k.source(vir.Vec(e, from))
			var y *vir.Value
			total := from
			if k.rng.IntN(3) > 0 {
				y, total = k.source(vir.Vec(e, from)), 2*from
			}
			k.shuffled(vir.Vec(e, to), k.pattern(to, total), x, y)
			n++
		}
		k.finish()
	}
	k.run(tgt)
	t.Logf("%d shuffles", n)
}

// pattern is a list of n lanes out of total.
func (k *bench) pattern(n, total int) []int {
	lanes := make([]int, n)
	first, step := k.rng.IntN(total), 1+k.rng.IntN(8)
	kind := k.rng.IntN(4)
	poison := k.rng.IntN(3) == 0
	for i := range lanes {
		switch kind {
		case 0:
			lanes[i] = k.rng.IntN(total)
		case 1:
			lanes[i] = (first + i*step) % total
		case 2: // two streams zipped
			lanes[i] = (first + i/2 + i%2*(total/2)) % total
		default: // mostly in place
			if lanes[i] = i % total; k.rng.IntN(4) == 0 {
				lanes[i] = k.rng.IntN(total)
			}
		}
		if poison && k.rng.IntN(3) == 0 {
			lanes[i] = -1
		}
	}
	return lanes
}

// TestAllSmallShuffles runs every shuffle of two vectors of 2 lanes, and every one
// of one vector of 4.
func TestAllSmallShuffles(t *testing.T) {
	k := newBench(t, 2)
	for _, e := range dataElems {
		for _, two := range []bool{true, false} {
			from, choices := vir.Vec(e, 4), 4
			if two {
				from = vir.Vec(e, 2)
			}
			k.start(fmt.Sprintf("all_%s_%t", e, two))
			count := 0
			for i := range choices * choices * choices * choices {
				lanes := []int{i % 4, i / 4 % 4, i / 16 % 4, i / 64}
				if two && i >= 16 {
					break
				}
				if count++; count%32 == 0 {
					k.finish()
					k.start(fmt.Sprintf("all_%s_%t_%d", e, two, i))
				}
				if two {
					k.shuffled(from, lanes[:2], k.load(from), k.load(from))
				} else {
					k.shuffled(from, lanes, k.load(from), nil)
				}
			}
			k.finish()
		}
	}
	k.run(level())
}

// TestConcatInsertSubvec puts vectors together from vectors and scalars of all sizes.
func TestConcatInsertSubvec(t *testing.T) {
	k := newBench(t, 3)
	for _, e := range append([]vir.Elem{vir.Bool}, dataElems...) {
		for lanes := 1; lanes <= 64; lanes *= 2 {
			part := vir.Vec(e, lanes)
			k.start(fmt.Sprintf("concat_%s_%d", e, lanes))
			for n := 2; n <= 8 && n*lanes <= 128; n *= 2 {
				var vs []*vir.Value
				for range n {
					vs = append(vs, k.source(part))
				}
				k.store(k.b.Concat(vir.Vec(e, n*lanes), vs...))
			}
			x, y := k.source(part), k.source(part)
			both := k.b.Concat(vir.Vec(e, 2*lanes), x, y)
			k.store(k.b.Subvec(both, lanes, lanes))
			k.finish()
			k.inserts(e, lanes)
		}
	}
	k.run(level())
}

func (k *bench) inserts(e vir.Elem, lanes int) {
	t := vir.Vec(e, lanes)
	for first := 0; first < lanes; first += 8 {
		k.start(fmt.Sprintf("insert_%s_%d_%d", e, lanes, first))
		base := k.source(t)
		for l := first; l < min(first+8, lanes); l++ {
			k.store(k.b.Insert(base, k.scalar(e), l))
		}
		k.finish()
	}
	k.start(fmt.Sprintf("build_%s_%d", e, lanes))
	all, some := k.b.Op(vir.OpPoison, t), k.source(t)
	for l := range lanes {
		all = k.b.Insert(all, k.scalar(e), l)
		if k.rng.IntN(2) == 0 {
			some = k.b.Insert(some, k.scalar(e), l)
		}
	}
	k.store(all)
	k.store(some)
	k.finish()
}

// scalar is a scalar from memory or computed.
func (k *bench) scalar(e vir.Elem) *vir.Value {
	if e == vir.Bool {
		x := k.load(vir.Scalar(vir.I16))
		return k.b.Cmp(vir.OpIcmpSlt, x, k.b.Int(x.Type, 0))
	}
	x := k.load(vir.Scalar(e))
	if k.rng.IntN(2) == 0 {
		return x
	}
	if e.IsFloat() {
		return k.b.Same(vir.OpFneg, x)
	}
	return k.b.Same(vir.OpNot, x)
}

// TestScalarsComeBeforeStores inserts and broadcasts a loaded scalar after its
// place in memory was overwritten.
func TestScalarsComeBeforeStores(t *testing.T) {
	k := newBench(t, 11)
	for _, e := range dataElems {
		for _, broadcast := range []bool{false, true} {
			k.start(fmt.Sprintf("order_%s_%t", e, broadcast))
			out := vir.Addr{Base: k.b.Func.Params[1]}
			x := k.b.Load(vir.OpLoad, vir.Scalar(e), out, nil)
			k.store(k.load(vir.Vec(e, 8))) // over x
			v := k.b.Insert(k.load(vir.Vec(e, 8)), x, 3)
			if broadcast {
				v = k.b.Op(vir.OpBroadcast, vir.Vec(e, 8), x)
			}
			k.store(v)
			k.finish()
		}
	}
	k.run(level())
}
