package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target/shuffle"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rearrangements of lanes by constants: shuffle, concat and the like are
// described byte by byte, part by part of the result, and emitted as package
// shuffle plans it. Equal instructions on equal registers are emitted once per
// block, so that the results of a group share what they have in common.

// A supply gives the sources of a plan.
type supply struct {
	reg func(n int) vec
	// mem is source n where it is, in memory if possible; it is asked once.
	// Without it, all sources are registers.
	mem   func(n int) operand.Op
	bytes int // of a source
}

// A planKey identifies an instruction of a plan.
type planKey struct {
	op   shuffle.Op
	imm  int
	ctl  entry
	size int
	a, b reg.ID
}

// rearrange makes want out of sources. float chooses the instructions of the
// floating-point side.
func (s *selector) rearrange(want *shuffle.Reg, from supply, float bool) vec {
	p := shuffle.For(*want)
	if len(p.Steps) == 0 {
		return from.reg(p.Source)
	}
	if row, ok := want.Row(); ok && s.t.EVEX && from.bytes == regBytes && len(p.Steps) > 1 {
		return s.row(row, from)
	}
	uses := make(map[int]int)
	for _, st := range p.Steps {
		uses[st.A]++
		if st.Op.Info().Kind >= shuffle.Binary {
			uses[st.B]++
		}
	}
	e := &planner{s: s, p: p, from: from, float: float, uses: uses}
	for n, st := range p.Steps {
		if n == len(p.Steps)-1 && st.Op == shuffle.Permq && st.Imm&0xf == 0xe && isLow(want) {
			return s.upper(s.inReg(e.operand(st.A, false, regBytes), regBytes))
		}
		st.Size = e.width(st)
		e.sizes = append(e.sizes, st.Size)
		e.regs = append(e.regs, e.step(st))
	}
	return e.regs[len(e.regs)-1]
}

// row emits r with EVEX encoding.
func (s *selector) row(r shuffle.Row, from supply) vec {
	register := func(n int) vec {
		if n < 0 {
			return s.inReg(s.konst(entry{}), regBytes)
		}
		return from.reg(n)
	}
	first, second := register(r.First), register(r.Second)
	key := planKey{imm: r.From, size: regBytes, a: first.ID(), b: second.ID()} // of no instruction of a plan
	if _, ok := s.plans[key]; !ok {
		d := s.f.Vec(regBytes)
		s.evex("VALIGND", operand.U8(r.From/4), first.AsY(), second.AsY(), d)
		s.plans[key] = d
	}
	return s.plans[key]
}

// isLow reports whether only the low half is wanted.
func isLow(want *shuffle.Reg) bool {
	for _, b := range want[shuffle.Half:] {
		if b != shuffle.Any {
			return false
		}
	}
	return true
}

// A planner emits one plan.
type planner struct {
	s     *selector
	p     *shuffle.Plan
	from  supply
	float bool
	uses  map[int]int // by operand number
	regs  []vec       // of steps
	sizes []int       // of steps
}

// width is the number of bytes that a step works on. What is done to whole
// registers is done as a whole even if half of it is enough: that costs the same,
// and the other half may be wanted elsewhere.
func (e *planner) width(st shuffle.Step) int {
	if st.Op == shuffle.Insertps || st.Op == shuffle.Extract128 || e.size(st.A) < regBytes {
		return st.Size
	}
	if st.Op.Info().Kind >= shuffle.Binary && e.size(st.B) < regBytes {
		return st.Size
	}
	return regBytes
}

// size is the number of bytes of operand i.
func (e *planner) size(i int) int {
	if i < 0 {
		return e.from.bytes
	}
	return e.sizes[i]
}

func (e *planner) reg(i int) vec {
	if i < 0 {
		return e.from.reg(^i)
	}
	return e.regs[i]
}

// operand is operand i, in memory if it is a source with no other use in the plan
// and not smaller than what is read.
func (e *planner) operand(i int, memory bool, read int) operand.Op {
	if memory && i < 0 && e.uses[i] == 1 && e.from.mem != nil && read <= e.from.bytes {
		return e.from.mem(^i)
	}
	return e.reg(i)
}

// inMemory reports whether o is in memory.
func inMemory(o operand.Op) bool {
	_, ok := o.(operand.Mem)
	return ok
}

func (e *planner) step(st shuffle.Step) vec {
	info, read := st.Op.Info(), st.Size
	if info.MemoryBytes > 0 {
		read = info.MemoryBytes
	}
	if info.Kind < shuffle.Binary {
		a := e.operand(st.A, info.Memory == 'a', read)
		return e.once(st, a, nil, func() vec { return e.unary(st, info, a) })
	}
	if st.Op == shuffle.Blendd && st.A < 0 && st.B >= 0 {
		st.A, st.B, st.Imm = st.B, st.A, st.Imm^0xff // the source may be in memory
	}
	// The register first: it may be a load that has to come before another.
	a := e.reg(st.A)
	b := e.operand(st.B, info.Memory == 'b', read)
	return e.once(st, a, b, func() vec { return e.binary(st, info, a, b) })
}

// once emits a step unless it was emitted in this block.
func (e *planner) once(st shuffle.Step, a, b operand.Op, emit func() vec) vec {
	if inMemory(a) || b != nil && inMemory(b) {
		return emit()
	}
	k := planKey{op: st.Op, imm: st.Imm, ctl: entry(st.Const), size: st.Size, a: a.(vec).ID()}
	if b != nil {
		k.b = b.(vec).ID()
	}
	if r, ok := e.s.plans[k]; ok {
		return r
	}
	r := emit()
	e.s.plans[k] = r
	return r
}

func (e *planner) name(info *shuffle.Info) string {
	if e.float && info.Float != "" {
		return info.Float
	}
	return info.Name
}

func (e *planner) unary(st shuffle.Step, info *shuffle.Info, a operand.Op) vec {
	s, name := e.s, e.name(info)
	switch {
	case info.Kind == shuffle.UnaryConst:
		return s.bin(name, st.Size, s.inReg(a, st.Size), s.konst(entry(st.Const)))
	case info.Kind == shuffle.IndexConst:
		return s.bin(name, st.Size, s.inReg(s.konst(entry(st.Const)), st.Size), a)
	case st.Op == shuffle.Extract128:
		return s.upper(s.inReg(a, regBytes))
	case info.Kind == shuffle.UnaryImm:
		return s.imm(name, st.Size, st.Imm, a)
	}
	// Broadcasts and extensions read the low lanes of a half.
	d := s.f.Vec(st.Size)
	s.op(name, at(a, 16), sized(d, st.Size))
	return d
}

func (e *planner) binary(st shuffle.Step, info *shuffle.Info, a vec, b operand.Op) vec {
	s, name := e.s, e.name(info)
	switch {
	case st.Op == shuffle.Insert128:
		d := s.f.Vec(regBytes)
		s.op(name, operand.U8(st.Imm), at(b, 16), a.AsY(), d)
		return d
	case info.Kind == shuffle.BinaryMask:
		mask := s.inReg(s.konst(entry(st.Const)), st.Size)
		return s.blendv(name, st.Size, mask, b, a)
	case info.Kind == shuffle.BinaryImm:
		return s.imm2(name, st.Size, st.Imm, a, b)
	}
	return s.bin(name, st.Size, a, b)
}

// parts is a supply of the parts of vs, all of one type, numbered one behind the
// other.
func (s *selector) parts(vs []*vir.Value) supply {
	n := numParts(vs[0].Type)
	return supply{
		bytes: partBytes(vs[0].Type),
		reg:   func(i int) vec { return s.part(vs[i/n], i%n) },
		mem:   func(i int) operand.Op { return s.partOrMem(vs[i/n], i%n) },
	}
}

// lanesOf are count lanes from first on of v, which only moves lanes, as lanes
// numbered through its operands; -1 where nothing is defined.
func lanesOf(v *vir.Value, first, count int) []int {
	lanes := make([]int, count)
	n := v.Args[0].Type.Lanes
	for i := range lanes {
		lanes[i] = first + i
		if v.Op == vir.OpShuffle {
			lanes[i] = v.Lanes[first+i]
		}
		if k := lanes[i]; k >= 0 && v.Args[k/n].Op == vir.OpPoison {
			lanes[i] = -1
		}
	}
	return lanes
}

// layout is how operands of type t lie in registers, with lanes of width bytes.
func layout(t vir.Type, width int) shuffle.Layout {
	return shuffle.Layout{Lanes: t.Lanes, Width: width}
}

// isZeroConst reports whether lane k of v is a constant of zero bits.
func isZeroConst(v *vir.Value, k int) bool {
	if v.Op == vir.OpBroadcast {
		v, k = v.Args[0], 0
	}
	switch {
	case v.Op != vir.OpConst:
		return false
	case len(v.Bits) == 1:
		return v.Bits[0] == 0
	}
	return v.Bits[k] == 0
}

// rearranged is a part of shuffle or concat.
func rearranged(c partOf) vec {
	s := c.s
	if r, ok := splatOfLoad(c); ok {
		return r
	}
	if c.v.Op == vir.OpShuffle && inPlace(c.v) {
		if r, ok := sumsAndDifferences(c, c.v.Lanes, c.v.Args); ok {
			return r
		}
	}
	lanes := lanesOf(c.v, c.first(), c.lanes())
	want := layout(c.v.Args[0].Type, c.bytes()).Want(lanes)
	for i, k := range lanes {
		if n := c.v.Args[0].Type.Lanes; k >= 0 && isZeroConst(c.v.Args[k/n], k%n) {
			for b := range c.bytes() {
				want[i*c.bytes()+b] = shuffle.Zero
			}
		}
	}
	if want == shuffle.None() {
		return s.f.Vec(regBytes) // nothing of it is defined
	}
	if s.passesFields(c.v) {
		for b := c.v.Type.Size(); b < 16; b++ {
			want[b] = shuffle.Zero
		}
	}
	from := s.parts(c.v.Args)
	if !c.readsOnce() {
		from.mem = nil
	}
	return s.rearrange(&want, from, c.elem().IsFloat())
}

// passesFields reports whether v takes floats out of what has been loaded with what lies between them, does not fill a register, and is
// computed with: small integers in the rest of it would be subnormal numbers, which take Intel processors more than a hundred cycles.
func (s *selector) passesFields(v *vir.Value) bool {
	t := v.Type
	if v.Op != vir.OpShuffle || t.Lanes == 1 || t.Size() >= 16 || v.Args[0].Type.Size() <= t.Size() {
		return false
	}
	loaded := func(a *vir.Value) bool { return a.Op == vir.OpLoadUnit }
	return slices.ContainsFunc(v.Args, loaded) && s.isCalculatedWith(v)
}

// isCalculatedWith reports whether v, or its bits as another type, is an operand of arithmetic on floats.
func (s *selector) isCalculatedWith(v *vir.Value) bool {
	return slices.ContainsFunc(s.a.uses[v], func(u *vir.Value) bool {
		switch u.Op {
		case vir.OpBitcast:
			return s.isCalculatedWith(u)
		case vir.OpFtosi, vir.OpFtoui:
			return true
		case vir.OpShuffle, vir.OpConcat, vir.OpPhi, vir.OpBlend:
			return false
		}
		return v.Type.Elem.IsFloat() && u.Type.Elem.IsFloat() && !u.Op.IsLoad() && !u.Op.IsStore()
	})
}

// readsOnce reports whether every register of the operands is wanted by one part
// of the result only.
func (c partOf) readsOnce() bool {
	l := layout(c.v.Args[0].Type, c.bytes())
	reader := make(map[int]int)
	for k, lane := range lanesOf(c.v, 0, c.v.Type.Lanes) {
		if lane < 0 {
			continue
		}
		n, _ := l.Find(lane)
		if p, ok := reader[n]; ok && p != k/c.lanes() {
			return false
		}
		reader[n] = k / c.lanes()
	}
	return true
}

// splatOfLoad is one lane of a load that serves nothing else, everywhere.
func splatOfLoad(c partOf) (vec, bool) {
	s := c.s
	if c.v.Op != vir.OpShuffle || numParts(c.v.Type) > 1 || c.v.Type.Lanes < 2 {
		return nil, false
	}
	first := c.v.Lanes[0]
	for _, k := range c.v.Lanes {
		if k != first {
			return nil, false
		}
	}
	n := c.v.Args[0].Type.Lanes
	if first < 0 || !s.pending(c.v.Args[first/n], 0) {
		return nil, false
	}
	x, d := c.v.Args[first/n], s.f.Vec(regBytes)
	m := s.loadMem(x, 0, n).Offset(first % n * c.bytes())
	s.op(broadcastName(c.elem(), true), m, d.AsY())
	return d, true
}

// maskRearranged is a part of shuffle or concat of masks with lanes of the given
// width.
func (s *selector) maskRearranged(v *vir.Value, width, p int) vec {
	n := min(v.Type.Lanes, regBytes/width)
	l := layout(v.Args[0].Type, width)
	want := l.Want(lanesOf(v, p*n, n))
	if want == shuffle.None() {
		return s.zero()
	}
	regs := l.Registers()
	from := supply{reg: func(i int) vec { return s.truePart(v.Args[i/regs], width, i%regs) }, bytes: s.maskSize(v.Args[0], width)}
	return s.rearrange(&want, from, false)
}
