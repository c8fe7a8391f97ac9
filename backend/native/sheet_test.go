package native_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// A sheet is what is run for a row: kernels that read streams and apply the operation in
// several forms, each of which has an output of its own. What shall come out is
// computed with Go's operators, block by block, a block being lanes elements.
type sheet struct {
	row    row
	ins    []input
	scalar vir.Elem // of parameter s; Void if there is none
	outs   []output
	loose  bool // some outputs have poison
	// inOrder asks for memory operations in order, for which there is another way to
	// order instructions.
	inOrder bool
}

// some is s with at most n outputs, others for every turn.
func (s *sheet) some(n, turn int) *sheet {
	c := *s
	c.outs = nil
	step := (len(s.outs) + n - 1) / n
	for i, o := range s.outs {
		if (i+turn)%step == 0 {
			c.outs = append(c.outs, o)
		}
	}
	return &c
}

// An input is a stream: values of an element, or, with a limit, numbers below it.
type input struct {
	elem    vir.Elem
	limit   int
	nonzero bool
	runs    bool // below 0, and not, in runs of different densities
	ties    bool // what is hard to convert too
	whole   bool // all of it belongs to each block
}

// An output is one form of the operation.
type output struct {
	form string
	elem vir.Elem // in memory
	// make gives the result; if it is nil, store stores it.
	make  func(k *kern) *vir.Value
	store func(k *kern, at vir.Addr)
	// want fills in the block of the output that belongs to the elements from i on.
	want func(e *env, i int, out []cell)
}

// A cell is an element as it shall be.
type cell struct {
	bits uint64
	kind cellKind
}

type cellKind uint8

const (
	exactly  cellKind = iota // the bits; NaNs are equal
	anything                 // poison
	kept                     // not written
)

// fill is what a byte of an output is before.
const fill = 0xaa

// An env is the data of one run.
type env struct {
	in    [][]uint64
	s     uint64
	lanes int // 1 for scalars
	loop  bool
}

// A kern is a kernel being built.
type kern struct {
	b     *vir.Builder
	lanes int
	elem  vir.Elem
	ins   []*vir.Value // pointers to streams
	out   *vir.Value
	i, q  *vir.Value // indices of the block in streams and in the output; nil in straight lines
	s     *vir.Value
	elems []vir.Elem          // of streams
	made  map[*int]*vir.Value // what is made once
	last  []func()            // to be done behind the outputs
}

func (k *kern) typ(e vir.Elem) vir.Type { return vir.Type{Elem: e, Lanes: k.lanes} }

// at is the address of the block of stream s.
func (k *kern) at(s int) vir.Addr {
	a := vir.Addr{Base: k.ins[s], Index: k.i}
	if k.i != nil {
		a.Scale = int64(k.elems[s].Size())
	}
	return a
}

// mem is the block of stream s, loaded for this use alone.
func (k *kern) mem(s int) *vir.Value {
	return k.b.Load(form(k.lanes, vir.OpLoad), k.typ(k.elems[s]), k.at(s), nil)
}

// reg is the block of stream s as something computed: exclusive or with a number that is
// nought, which only the caller knows.
func (k *kern) reg(s int) *vir.Value { return k.opaque(k.mem(s)) }

func (k *kern) opaque(x *vir.Value) *vir.Value {
	t := x.Type
	it := t.WithElem(vir.IntElem(t.Elem.Size()))
	if t.Elem.IsFloat() {
		x = k.b.Op(vir.OpBitcast, it, x)
	}
	x = k.b.Same(vir.OpXor, x, k.nought(it))
	if t.Elem.IsFloat() {
		x = k.b.Op(vir.OpBitcast, t, x)
	}
	return x
}

// nought is zero, as far as anybody can know. Of the parameter only the low bits count.
func (k *kern) nought(t vir.Type) *vir.Value {
	p := k.b.Func.Params
	z := p[len(p)-1]
	if t.Elem != vir.I64 {
		z = k.b.Op(vir.OpTrunc, vir.Scalar(t.Elem), z)
	}
	if t.IsVector() {
		z = k.b.Op(vir.OpBroadcast, t, z)
	}
	return z
}

// one is the first element of the block of stream s, as a scalar.
func (k *kern) one(s int) *vir.Value {
	return k.b.Load(vir.OpLoad, vir.Scalar(k.elems[s]), k.at(s), nil)
}

// spread is scalar x in all lanes.
func (k *kern) spread(x *vir.Value) *vir.Value {
	if k.lanes == 0 {
		return x
	}
	return k.b.Op(vir.OpBroadcast, k.typ(x.Type.Elem), x)
}

// truth is whether the elements of integer stream s are negative.
func (k *kern) truth(s int) *vir.Value { return k.sign(k.mem(s)) }

func (k *kern) sign(x *vir.Value) *vir.Value { return k.b.Cmp(vir.OpIcmpSlt, x, k.b.Int(x.Type, 0)) }

// build is the function: a loop over n elements, or one block.
func (s *sheet) build(name string, loop bool) *vir.Func {
	f := vir.NewFunc(name)
	f.InOrder = s.inOrder
	k := &kern{lanes: s.row.lanes, elem: s.row.from, made: make(map[*int]*vir.Value)}
	for i, in := range s.ins {
		k.ins = append(k.ins, f.AddParam(fmt.Sprintf("in%d", i), vir.Scalar(vir.Ptr)))
		k.elems = append(k.elems, in.elem)
	}
	k.out = f.AddParam("out", vir.Scalar(vir.Ptr))
	if s.scalar != vir.Void {
		k.s = f.AddParam("s", vir.Scalar(s.scalar))
	}
	i64 := vir.Scalar(vir.I64)
	n := f.AddParam("n", i64)
	f.AddParam("nought", i64)
	k.b = vir.NewBuilder(f, f.NewBlock("entry"))
	if !loop {
		s.body(k)
		k.b.Ret()
		return f
	}
	b := k.b
	zero := b.Int(i64, 0)
	body, exit := f.NewBlock("loop"), f.NewBlock("exit")
	b.Cur = body
	k.i, k.q = b.Phi(i64), b.Phi(i64)
	s.body(k)
	for _, f := range k.last {
		f()
	}
	end := b.Cur
	b.Cur = f.Entry()
	b.Jmp(body)
	b.Cur = end
	lanes := int64(max(1, s.row.lanes))
	i1 := b.Same(vir.OpAdd, k.i, b.Int(i64, lanes))
	q1 := b.Same(vir.OpAdd, k.q, b.Int(i64, lanes*int64(s.width())))
	b.Br(b.Cmp(vir.OpIcmpSlt, i1, n), body, exit)
	k.i.Args, k.q.Args = []*vir.Value{zero, i1}, []*vir.Value{zero, q1}
	b.Cur = exit
	b.Ret()
	return f
}

func (s *sheet) loop(name string) *vir.Func     { return s.build(name, true) }
func (s *sheet) straight(name string) *vir.Func { return s.build(name, false) }

// width is the number of bytes of all outputs together per element.
func (s *sheet) width() (n int) {
	for _, o := range s.outs {
		n += o.elem.Size()
	}
	return n
}

// body makes all outputs. The first lies last in memory: a store that reaches beyond its
// block hits one that was stored before it.
func (s *sheet) body(k *kern) {
	end := s.width()
	for _, o := range s.outs {
		end -= o.elem.Size()
		a := vir.Addr{Base: k.out, Index: k.q, Disp: int64(end * max(1, s.row.lanes))}
		if k.q != nil {
			a.Scale = 1
		}
		if o.make == nil {
			o.store(k, a)
			continue
		}
		v := o.make(k)
		if v.Type.Elem == vir.Bool {
			v = k.b.Op(vir.OpZext, v.Type.WithElem(vir.I8), v)
		}
		k.b.Store(form(v.Type.Lanes, vir.OpStore), v, a, nil)
	}
}

// want is what the output shall be for n elements from first on.
func (s *sheet) want(e *env, first, n int) []cell {
	all := make([]cell, n*len(s.outs))
	for i := 0; i < n; i += e.lanes {
		block := all[i*len(s.outs):]
		for j := range s.outs {
			// The last output comes first.
			o := s.outs[len(s.outs)-1-j]
			o.want(e, first+i, block[j*e.lanes:][:e.lanes])
		}
	}
	return all
}

// differ compares memory with cells and describes the first difference.
func (s *sheet) differ(e *env, cells []cell, first int, got []byte) string {
	pos := 0
	for c := 0; c < len(cells); c++ {
		j := c / e.lanes % len(s.outs)
		o := &s.outs[len(s.outs)-1-j]
		size := o.elem.Size()
		var w [8]byte
		copy(w[:], got[pos:pos+size])
		x := binary.LittleEndian.Uint64(w[:])
		pos += size
		want := cells[c]
		switch want.kind {
		case anything:
			continue
		case kept:
			want.bits = 0xaaaaaaaaaaaaaaaa >> (64 - 8*size)
		}
		if x == want.bits || interp.EqualMemory(o.elem, bytesOf(x, size), bytesOf(want.bits, size)) {
			continue
		}
		i := first + c/(e.lanes*len(s.outs))*e.lanes + c%e.lanes
		var in []string
		for k := range s.ins {
			in = append(in, fmt.Sprintf("%#x", e.in[k][i]))
		}
		return fmt.Sprintf("%s, element %d (lane %d) of %s, s = %#x: got %#x, want %#x", o.form, i, i%e.lanes, strings.Join(in, ", "), e.s, x, want.bits)
	}
	return ""
}

func bytesOf(x uint64, size int) []byte {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], x)
	return w[:size]
}

// streamLen is the number of elements of streams, a multiple of all lanes.
const streamLen = 2048

// data are streams for inputs: all pairs of special values of the first two as far as
// they go, then random ones.
type data struct {
	values [][]uint64
	packed [][]byte
}

var dataCache = make(map[string]*data)

func dataFor(ins []input, n int) *data {
	key := fmt.Sprint(ins, n)
	if d := dataCache[key]; d != nil {
		return d
	}
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	d := new(data)
	step := 1
	for _, in := range ins {
		var xs []uint64
		sp := specials(in.elem)
		if in.ties {
			sp = append(sp, ties(in.elem)...)
		}
		for len(xs) < n {
			x := random(rng, in.elem)
			switch k := len(xs); {
			case in.limit > 0:
				x = uint64(rng.IntN(in.limit))
			case in.runs:
				sign := uint64(1) << (in.elem.Bits() - 1)
				x = rng.Uint64() &^ sign
				if rng.IntN(100) < []int{0, 50, 100, 10, 90, 3, 97, 50}[k/64%8] {
					x |= sign
				}
			case k < n*3/4:
				// As good as all combinations: each stream takes its time.
				x = sp[k/step%len(sp)]
			case rng.IntN(4) == 0 && len(d.values) > 0:
				x = d.values[0][k] & in.elem.Ones()
			}
			if x &= in.elem.Ones(); x == 0 && in.nonzero {
				x = 1
			}
			xs = append(xs, x)
		}
		if in.limit == 0 && !in.runs {
			step *= len(sp)
			if step > n/4 {
				step = 1 + step%7
			}
		}
		d.values = append(d.values, xs)
		d.packed = append(d.packed, pack(in.elem, xs))
	}
	dataCache[key] = d
	return d
}

// ties are integers of e just between two floats, or not quite; and floats of all sizes
// that integers have, with fractions that are ties for float32, or not quite.
func ties(e vir.Elem) (xs []uint64) {
	if e.IsFloat() {
		digits, bias := 23, 127
		fractions := []uint64{0, 1, 1<<23 - 1, 1 << 22, 1<<22 - 1}
		if e == vir.F64 {
			digits, bias = 52, 1023
			fractions = []uint64{1<<52 - 1, 3 << 28, 1 << 28, 1<<28 + 1, 1<<28 - 1}
		}
		for exp := bias - 2; exp <= bias+66; exp++ {
			for _, f := range fractions {
				x := uint64(exp)<<digits | f
				xs = append(xs, x, x|1<<(e.Bits()-1))
			}
		}
		return xs
	}
	for _, digits := range []int{24, 53} {
		for k := digits; k < e.Bits(); k++ {
			for odd := range uint64(2) {
				x := 1<<k + odd<<(k-digits+1) + 1<<(k-digits)
				xs = append(xs, x-1, x, x+1, -x-1, -x, -x+1)
			}
		}
	}
	return xs
}

// A job is a case with what it shall give.
type job struct {
	s     *sheet
	c     native.Case
	e     *env
	first int
	n     int
}

// jobs are the runs of a kernel of s: over whole streams, or for straight lines over some
// blocks of them; for a scalar parameter with some values of it.
func (s *sheet) jobs(fn string, d *data, n int, loop bool) (all []job) {
	lanes := max(1, s.row.lanes)
	scalars := []uint64{0}
	if s.scalar != vir.Void {
		sp := specials(s.scalar)
		scalars = []uint64{sp[1], sp[0], sp[len(sp)/2], sp[len(sp)-1]}
		if isDivision(s.row.op) {
			scalars[1] = 2
		}
	}
	firsts := []int{0}
	size := n
	if !loop {
		size = lanes
		firsts = nil
		for i := range 6 {
			firsts = append(firsts, i*n/6/lanes*lanes)
		}
	}
	for r := range max(len(firsts), len(scalars)) {
		x, first := scalars[r%len(scalars)], firsts[r%len(firsts)]
		mem := new(interp.Memory)
		c := native.Case{Fn: fn, Mem: mem, Loose: s.loose}
		for k, in := range s.ins {
			part := d.packed[k]
			if !in.whole {
				part = part[first*in.elem.Size():][:size*in.elem.Size()]
			}
			c.Args = append(c.Args, mem.AllocReadOnly("in", part).Ptr(0))
		}
		out := make([]byte, size*s.width())
		for i := range out {
			out[i] = fill
		}
		c.Args = append(c.Args, mem.Alloc("out", out).Ptr(0))
		if s.scalar != vir.Void {
			c.Args = append(c.Args, interp.New(vir.Scalar(s.scalar), x&s.scalar.Ones()))
		}
		c.Args = append(c.Args, interp.Int(int64(size)), interp.Int(0))
		all = append(all, job{s, c, &env{d.values, x, lanes, loop}, first, size})
	}
	return all
}

// A batch builds and runs sheets, a limited number of kernels and bytes at a time.
type batch struct {
	t        *testing.T
	tgt      *target.Target
	check    bool // looks at encodings and declarations too
	fns      []*vir.Func
	jobs     []job
	bytes    int
	failures int
	kernels  int
	cases    int
	elements int
	failed   map[string]bool
}

func newBatch(t *testing.T, tgt *target.Target) *batch {
	return &batch{t: t, tgt: tgt, failed: make(map[string]bool)}
}

func (b *batch) add(s *sheet, d *data, n int, loop bool) {
	b.t.Helper()
	fn := fmt.Sprintf("k%d_%s", len(b.fns), s.row)
	f := s.build(fn, loop)
	if err := verify.Func(f); err != nil {
		b.t.Fatalf("%v\n%s", err, f)
	}
	b.fns = append(b.fns, f)
	jobs := s.jobs(fn, d, n, loop)
	b.jobs = append(b.jobs, jobs...)
	for _, j := range jobs {
		b.bytes += j.n * s.width()
		b.elements += j.n * len(s.outs)
	}
	if len(b.fns) >= 2000 || b.bytes > 200<<20 {
		b.flush()
	}
}

func (b *batch) flush() {
	b.t.Helper()
	if len(b.fns) == 0 {
		return
	}
	p, err := native.Build(b.t.TempDir(), b.fns, b.tgt)
	if err != nil {
		b.t.Fatal(err)
	}
	cases := make([]native.Case, len(b.jobs))
	for i, j := range b.jobs {
		cases[i] = j.c
	}
	got, err := p.Run(cases)
	if err != nil {
		b.t.Error(err)
	}
	for i, g := range got {
		j := b.jobs[i]
		d := g.Err
		if d == "" {
			d = j.s.differ(j.e, j.s.want(j.e, j.first, j.n), j.first, g.Objects[len(j.s.ins)])
		}
		if d == "" || b.failed[j.c.Fn] {
			continue
		}
		b.failed[j.c.Fn] = true
		if b.failures++; b.failures < 30 {
			b.t.Errorf("%s: %s", j.c.Fn, d)
		}
	}
	if b.check {
		sound(b.t, p)
	}
	b.kernels += len(b.fns)
	b.cases += len(b.jobs)
	b.fns, b.jobs, b.bytes = nil, nil, 0
	b.failed = make(map[string]bool)
}

func (b *batch) done() {
	b.t.Helper()
	b.flush()
	if b.failures > 0 {
		b.t.Errorf("%d kernels differ", b.failures)
	}
	b.t.Logf("%d kernels, %d calls, %d results", b.kernels, b.cases, b.elements)
}
