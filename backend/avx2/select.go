// Package avx2 selects instructions: it turns a kernel function of vir into a
// machine function of x86 instructions with AVX2, FMA, BMI1 and BMI2.
//
// A vector value is held in register-sized parts. Emission is driven by demand:
// stores and values that leave a block are the roots, and whatever they need is
// emitted just before them, part by part, so that a value is live for a short
// time and a load with one reader becomes its memory operand. Masks are vectors
// of 0 and -1 with the element width of their producer; readers with another
// width convert them. The package must not know Go source or files.
package avx2

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type (
	vec = reg.VecVirtual
	gpr = reg.GPVirtual
)

// regBytes is the size of a vector register.
const regBytes = 32

type selector struct {
	written bool // values are emitted where they stand
	callers *Callers
	params  [][]reg.Register // of a routine
	weights map[*vir.Value]int

	fn    *vir.Func
	f     *machine.Func
	t     *target.Target
	a     *analysis
	pool  *Pool
	frame *Frame

	block *vir.Block     // being selected
	cur   *machine.Block // where instructions go
	head  map[*vir.Block]*machine.Block
	tail  map[*vir.Block]*machine.Block
	ready map[*vir.Block]*machine.Block // where its terminator begins, which may be several machine blocks
	entry []*machine.Inst               // loads of parameters, to be put in front

	gps     map[*vir.Value]gpr
	vecs    map[*vir.Value][]vec // by part; nil while not emitted
	carried map[reg.ID]bool      // registers of phis
	masks   map[*vir.Value]*mask
	widths  map[*vir.Value]int // of masks; 0 while being computed
	loads   map[*vir.Value]int // lanes of a load already used as memory operands

	// Caches of the block being selected.
	conv   map[convKey]vec
	trues  map[convKey]vec // masks that are complemented otherwise
	half   map[halfKey]vec
	plans  map[planKey]vec
	shifts map[shiftKey]vec
	idx    map[indexKey]gpr

	hoisted map[hoistKey]reg.Register
	locals  locals
	spreads map[spreadKey]spreadAt
	slot    operand.Mem // for masked accesses
	indices operand.Mem // for indices of masked gathers and scatters

	chunkCache map[chunkKey]spreadAt
	tables     map[*vir.Value]tableAt
	kept       map[*vir.Value]operand.Mem // vectors of which lanes are read by number
	laneSlots  []*laneSlot
	pieces     *pieces       // of the block
	packed     []operand.Mem // for compress stores
	bases      map[tableKey]gpr
	inK1       heldMask
	pages      map[pageKey]gpr // where stores under masks have met active lanes

	zmm        map[*vir.Value]bool     // values and stores in parts of 64 bytes
	zmms       map[*vir.Value][]vec    // their parts
	testedBits map[*vir.Value][]gpr    // of masks in mask registers, behind their test
	emitsZMM   *vir.Value              // what is being emitted in 64 bytes: it has no operand in 32
	invariant  map[zmmKey]vec          // in loops with such parts
	entering   map[*vir.Block][]func() // what sets them in front of a loop
	halves     map[halfKey]vec         // upper ones of parts of 64 bytes, in the block
	fulls      map[zmmKey]vec          // parts of 64 bytes of what is held in 32, in the block
	ahead      map[*vir.Value]bool     // what may be held in 64 bytes in front of loops
}

type convKey struct {
	v        *vir.Value
	width, p int
}

type halfKey struct {
	r reg.ID
}

type indexKey struct {
	v      *vir.Value
	factor int64
}

type hoistKey struct {
	at   *vir.Block
	e    entry
	gp   bool
	bits uint64
	name string // of an instruction
	of   reg.ID // its operand
}

// An unsupported value is reported by panicking with a selectError.
type selectError struct{ error }

func (s *selector) fail(v *vir.Value, format string, args ...any) {
	panic(selectError{fmt.Errorf("@%s: %s: %s", s.fn.Name, v.Inst(), fmt.Sprintf(format, args...))})
}

// An Order is a way to order the values of a block.
type Order int

const (
	// OnDemand emits values just before what needs them.
	OnDemand Order = iota
	// AsWritten emits values of functions with memory operations in order where they
	// stand, which keeps fewer of them alive when many depend on many others.
	AsWritten
)

// Select turns fn into a machine function. Constants go to pool. Of a local routine the
// callers want something; of those that fn calls they know how.
func Select(fn *vir.Func, t *target.Target, pool *Pool, order Order, callers *Callers) (f *machine.Func, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(selectError)
			if !ok {
				panic(fmt.Sprintf("@%s: %v", fn.Name, r))
			}
			f, err = nil, e.error
		}
	}()
	s := &selector{
		written: order == AsWritten && fn.InOrder,
		callers: callers,

		fn: fn, f: machine.NewFunc(fn.Name), t: t, a: analyze(fn), pool: pool, frame: Layout(fn),
		head:    make(map[*vir.Block]*machine.Block),
		tail:    make(map[*vir.Block]*machine.Block),
		ready:   make(map[*vir.Block]*machine.Block),
		gps:     make(map[*vir.Value]gpr),
		vecs:    make(map[*vir.Value][]vec),
		carried: make(map[reg.ID]bool),
		masks:   make(map[*vir.Value]*mask),
		widths:  make(map[*vir.Value]int),
		loads:   make(map[*vir.Value]int),
		hoisted: make(map[hoistKey]reg.Register),
		spreads: make(map[spreadKey]spreadAt),
		weights: make(map[*vir.Value]int),

		chunkCache: make(map[chunkKey]spreadAt),
		tables:     make(map[*vir.Value]tableAt),
		kept:       make(map[*vir.Value]operand.Mem),
		bases:      make(map[tableKey]gpr),
		pages:      make(map[pageKey]gpr),

		zmms:       make(map[*vir.Value][]vec),
		testedBits: make(map[*vir.Value][]gpr),
		invariant:  make(map[zmmKey]vec),
		entering:   make(map[*vir.Block][]func()),
	}
	s.zmm = s.findZMM()
	s.run()
	return s.f, nil
}

func (s *selector) run() {
	for i, b := range s.fn.Blocks {
		s.head[b] = s.f.NewBlock(s.a.depth[b])
		s.head[b].Label = label(b.Name, i)
		s.phis(b)
	}
	if s.fn.Local {
		s.enterRoutine()
	}
	placed := make(map[*vir.Block][]*machine.Block)
	for _, b := range s.a.order {
		s.f.Blocks = nil
		s.selectBlock(b)
		placed[b] = s.f.Blocks
	}
	s.f.Blocks = nil
	for _, b := range s.fn.Blocks {
		if _, ok := s.a.rpo[b]; ok {
			s.f.Blocks = append(s.f.Blocks, placed[b]...)
			s.f.Blocks = append(s.f.Blocks, s.edges(b)...)
		}
	}
	entry := s.head[s.fn.Entry()]
	entry.Insts = append(s.entry, entry.Insts...)
	s.align()
}

// label is the name of block i as a label: letters, digits and underscores.
func label(name string, i int) string {
	clean := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if clean == name && name != "" && (name[0] < '0' || name[0] > '9') && !isRegister(name) {
		return name
	}
	return fmt.Sprintf("b%d_%s", i, clean)
}

// isRegister keeps labels apart from what the assembler reads as a register.
func isRegister(name string) bool { return name == strings.ToUpper(name) || name == "g" }

// phis gives every phi of b its registers.
func (s *selector) phis(b *vir.Block) {
	for _, v := range b.Phis() {
		switch {
		case v.Type.IsMask():
			m := &mask{width: s.width(v), parts: make([]vec, maskParts(v.Type.Lanes, s.width(v)))}
			for p := range m.parts {
				m.parts[p] = s.f.Vec(min(regBytes, v.Type.Lanes*m.width))
			}
			s.masks[v] = m
		case s.zmm[v]:
			parts := make([]vec, v.Type.Size()/zmmBytes)
			for p := range parts {
				parts[p] = s.f.Vec(zmmBytes)
			}
			s.zmms[v] = parts
		case inVector(v.Type):
			parts := make([]vec, numParts(v.Type))
			for p := range parts {
				parts[p] = s.f.Vec(min(regBytes, v.Type.Size()))
			}
			for _, r := range parts {
				s.carried[r.ID()] = true
			}
			s.vecs[v] = parts
		default:
			s.gps[v] = s.f.GP()
		}
	}
}

// inVector reports whether values of type t live in vector registers.
func inVector(t vir.Type) bool { return t.IsVector() || t.Elem.IsFloat() }

// numParts is the number of registers of a value in vector registers.
func numParts(t vir.Type) int { return max(1, t.Size()/regBytes) }

// partLanes is the number of lanes of each part; 1 for scalars.
func partLanes(t vir.Type) int { return max(1, t.Lanes/numParts(t)) }

// partBytes is the number of meaningful bytes of each part.
func partBytes(t vir.Type) int { return partLanes(t) * t.Elem.Size() }

// align asks for alignment of innermost loops: a whole cache line for those
// that work on the most lanes, half of one for the others.
func (s *selector) align() {
	most := 0
	lanes := make(map[*vir.Block]int)
	for _, b := range s.a.order {
		h := s.a.inner[b]
		if h == nil || s.hasInner(h) {
			continue
		}
		for _, v := range b.Insts {
			lanes[h] = max(lanes[h], v.Type.Lanes)
		}
		most = max(most, lanes[h])
	}
	for h, n := range lanes {
		s.head[h].Align = 32
		if n == most {
			s.head[h].Align = 64
		}
	}
}

// hasInner reports whether another loop lies within the loop of header h.
func (s *selector) hasInner(h *vir.Block) bool {
	for b := range s.a.body(h) {
		if s.a.inner[b] != h {
			return true
		}
	}
	return false
}

// op appends an instruction.
func (s *selector) op(name string, args ...operand.Op) { s.cur.Emit(name, args...) }

// sizedOp appends an instruction on registers of the given size, which may have another name
// on 64 bytes.
func (s *selector) sizedOp(name string, size int, args ...operand.Op) {
	if size <= regBytes {
		s.op(name, args...)
		return
	}
	if n, ok := zmmNames[name]; ok {
		name = n
	}
	s.evex(name, args...)
}

// bin emits x = a op b in the usual order of operands; b may be in memory.
func (s *selector) bin(name string, size int, a vec, b operand.Op) vec {
	d := s.f.Vec(size)
	s.sizedOp(name, size, at(b, size), sized(a, size), sized(d, size))
	return d
}

// un emits x = op a; a may be in memory.
func (s *selector) un(name string, size int, a operand.Op) vec {
	d := s.f.Vec(size)
	s.sizedOp(name, size, at(a, size), sized(d, size))
	return d
}

// imm emits x = op imm, a; a may be in memory.
func (s *selector) imm(name string, size int, imm int, a operand.Op) vec {
	d := s.f.Vec(size)
	s.sizedOp(name, size, operand.U8(imm), at(a, size), sized(d, size))
	return d
}

// immOf is imm of register r that holds v, done in front of loops if v is the same in all
// iterations and lanes.
func (s *selector) immOf(v *vir.Value, name string, size int, imm int, r vec) vec {
	at := s.inFront(v)
	if at == nil || size > regBytes {
		return s.imm(name, size, imm, r)
	}
	return s.hoist(at, hoistKey{at: at, of: r.ID(), name: name, bits: uint64(imm)}, regBytes, operand.U8(imm), view(r, regBytes))
}

// unOf is un of register r that holds v, likewise.
func (s *selector) unOf(v *vir.Value, name string, size int, r vec) vec {
	at := s.inFront(v)
	if at == nil {
		return s.un(name, size, r)
	}
	return s.hoist(at, hoistKey{at: at, of: r.ID(), name: name}, size, view(r, size))
}

// inFront is the block in front of the loop here if broadcast v is known there, nil if it is not, or there is no loop.
func (s *selector) inFront(v *vir.Value) *vir.Block {
	if v.Op != vir.OpBroadcast || s.a.depth[s.block] == 0 {
		return nil
	}
	if at := s.a.preheader(s.block); s.a.dominates(v.Block, at) {
		return at
	}
	return nil
}

// hoist does instruction k.name at the end of block at, once.
func (s *selector) hoist(at *vir.Block, k hoistKey, size int, args ...operand.Op) vec {
	if d, ok := s.hoisted[k]; ok {
		return d.(vec)
	}
	d := s.f.Vec(size)
	b := s.ready[at]
	b.Insts = append(b.Insts, machine.MustMake(k.name, append(args, view(d, size))...))
	s.hoisted[k] = d
	return d
}

// imm2 emits x = op imm, a, b with b possibly in memory.
func (s *selector) imm2(name string, size int, imm int, a vec, b operand.Op) vec {
	d := s.f.Vec(size)
	s.op(name, operand.U8(imm), at(b, size), sized(a, size), sized(d, size))
	return d
}

// sized is the view of r with the given number of bytes.
func sized(r vec, size int) reg.Register { return view(r, size) }

// view is sized for any vector register.
func view(r reg.Register, size int) reg.Register {
	switch {
	case size > regBytes:
		return r.(reg.Vec).AsZ()
	case size > 16:
		return r.(reg.Vec).AsY()
	}
	return r.(reg.Vec).AsX()
}

// at is sized for operands that may be in memory.
func at(o operand.Op, size int) operand.Op {
	if r, ok := o.(vec); ok {
		return sized(r, size)
	}
	return o
}

// inReg loads an operand of the given size if it is in memory.
func (s *selector) inReg(o operand.Op, size int) vec {
	if r, ok := o.(vec); ok {
		return r
	}
	if m, ok := o.(operand.Mem); ok && m.Symbol.Static && s.a.depth[s.block] == 0 {
		return s.local(localKey{m.Symbol.Name, size}, machine.Remat{Mem: m, Make: func(d reg.Register) *machine.Inst {
			return machine.MustMake("VMOVUPS", m, view(d, size))
		}})
	}
	return s.un("VMOVUPS", size, o)
}

// Locals are constants outside of loops that are in registers already: those of
// the machine block at.
type locals struct {
	at   *machine.Block
	regs map[localKey]vec
}

type localKey struct {
	name string // of the symbol, or of what makes it
	size int
}

// local is a constant in a register for the rest of the machine block.
func (s *selector) local(k localKey, r machine.Remat) vec {
	if s.locals.at != s.cur {
		s.locals = locals{s.cur, make(map[localKey]vec)}
	}
	for size := k.size; size <= zmmBytes; size *= 2 {
		if d, ok := s.locals.regs[localKey{k.name, size}]; ok {
			return d
		}
	}
	d := s.f.Vec(k.size)
	s.cur.Insts = append(s.cur.Insts, r.Make(d))
	s.f.Remat[d.ID()] = r
	s.locals.regs[k] = d
	return d
}

// zero is a register of zeros.
func (s *selector) zero() vec { return s.konst(entry{}).(vec) }

// ones is a register of ones.
func (s *selector) ones() vec { return s.konst(splatEntry(8, ^uint64(0))).(vec) }

// splat is a constant with the same element everywhere.
func (s *selector) splat(size int, bits uint64) operand.Op { return s.konst(splatEntry(size, bits)) }

// konst is a constant: a register in loops, otherwise memory where it is used.
// Zeros and ones are always registers.
func (s *selector) konst(e entry) operand.Op {
	mk, simple := s.maker(e)
	if s.a.depth[s.block] == 0 {
		if !simple {
			return s.pool.addr(e)
		}
		return s.local(localKey{fmt.Sprint(e), regBytes}, machine.Remat{Make: mk})
	}
	k := hoistKey{at: s.a.preheader(s.block), e: e}
	if r, ok := s.hoisted[k]; ok {
		return r.(vec)
	}
	d := s.f.Vec(regBytes)
	b := s.ready[k.at]
	b.Insts = append(b.Insts, mk(d))
	s.hoisted[k] = d
	r := machine.Remat{Make: mk}
	if !simple {
		r.Mem = s.pool.addr(e)
	}
	s.f.Remat[d.ID()] = r
	return d
}

// maker makes the instruction that sets a register to e, and reports whether it
// does without memory.
func (s *selector) maker(e entry) (mk func(reg.Register) *machine.Inst, simple bool) {
	switch e {
	case entry{}:
		return func(d reg.Register) *machine.Inst {
			x := d.(reg.Vec).AsX()
			return machine.MustMake("VPXOR", x, x, x)
		}, true
	case splatEntry(8, ^uint64(0)):
		return func(d reg.Register) *machine.Inst {
			y := d.(reg.Vec).AsY()
			return machine.MustMake("VPCMPEQD", y, y, y)
		}, true
	}
	m := s.pool.addr(e)
	return func(d reg.Register) *machine.Inst { return machine.MustMake("VMOVUPS", m, d.(reg.Vec).AsY()) }, false
}

// imm64 is an integer constant in a general register.
func (s *selector) imm64(x int64) gpr {
	mk := func(d reg.Register) *machine.Inst {
		return machine.MustMake("MOVQ", machine.Imm(x), d.(reg.GP).As64())
	}
	if s.a.depth[s.block] == 0 {
		d := s.f.GP()
		s.cur.Insts = append(s.cur.Insts, mk(d))
		return d
	}
	k := hoistKey{at: s.a.preheader(s.block), gp: true, bits: uint64(x)}
	if r, ok := s.hoisted[k]; ok {
		return r.(gpr)
	}
	d := s.f.GP()
	b := s.ready[k.at]
	b.Insts = append(b.Insts, mk(d))
	s.hoisted[k] = d
	s.f.Remat[d.ID()] = machine.Remat{Make: mk}
	return d
}
