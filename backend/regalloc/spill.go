package regalloc

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spill moves the given nodes to memory: a store after each definition, a
// reload before each use, or the memory itself as operand where the
// instruction has such a form. Values that can be recomputed are not stored.
func spill(f *machine.Func, nodes []node) {
	s := &spiller{f: f, homes: make(map[reg.ID]*home)}
	size := widths(f)
	for _, n := range nodes {
		s.homes[n.id()] = s.newHome(n.id(), max(8, size[n.id()]))
	}
	for _, b := range f.Blocks {
		s.out = nil
		for _, i := range b.Insts {
			s.inst(i)
		}
		b.Insts = s.out
		s.out = nil
		for _, i := range b.Test {
			s.inst(i)
		}
		b.Test = s.out
	}
}

// A home is where a spilled register lives.
type home struct {
	size  int // bytes: 8, 16, 32 or 64
	mem   operand.Mem
	remat *machine.Remat
}

type spiller struct {
	f     *machine.Func
	homes map[reg.ID]*home
	out   []*machine.Inst
}

func (s *spiller) newHome(id reg.ID, size int) *home {
	h := &home{size: size}
	if r, ok := s.f.Remat[id]; ok {
		h.remat, h.mem = &r, r.Mem
	} else {
		h.mem = s.f.Spill(h.size)
	}
	return h
}

// widths are the widest uses of registers.
func widths(f *machine.Func) map[reg.ID]int {
	w := make(map[reg.ID]int)
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			for _, r := range i.Uses {
				w[r.ID()] = max(w[r.ID()], int(r.Size()))
			}
			for _, r := range i.Defs {
				w[r.ID()] = max(w[r.ID()], int(r.Size()))
			}
		}
	}
	return w
}

// inst appends i with what its spilled registers need around it.
func (s *spiller) inst(i *machine.Inst) {
	defined := s.spilled(i.Defs)
	if len(defined) == 1 && len(i.Defs) == 1 && s.homes[defined[0].ID()].remat != nil {
		return // recomputed at each use
	}
	if s.storesCopy(i) {
		return
	}
	i = s.fold(i)
	temps := make(map[reg.ID]reg.Register)
	for _, r := range append(s.spilled(i.Uses), s.spilled(i.Defs)...) {
		if temps[r.ID()] == nil {
			temps[r.ID()] = s.temp(s.homes[r.ID()])
		}
	}
	if len(temps) == 0 {
		s.out = append(s.out, i)
		return
	}
	loaded := make(map[reg.ID]bool)
	for _, r := range s.spilled(i.Uses) {
		if !loaded[r.ID()] {
			loaded[r.ID()] = true
			h := s.homes[r.ID()]
			s.load(h, h.half(temps[r.ID()], sizeIn(i.Uses, r.ID()) <= 32))
		}
	}
	s.out = append(s.out, i.Rename(func(r reg.Register) reg.Register {
		if t := temps[r.ID()]; t != nil {
			return t
		}
		return r
	}))
	for _, r := range s.spilled(i.Defs) {
		h := s.homes[r.ID()]
		s.out = append(s.out, move(h.size, h.half(temps[r.ID()], r.Size() == 32), h.mem))
	}
}

// half is the lower half of t for a home of 64 bytes if that is all there is to move. Code
// around loops has only such values, and should not meet registers of 64 bytes. Zeros
// are defined in 16 bytes and read in 64.
func (h *home) half(t reg.Register, only bool) reg.Register {
	if h.size == 64 && only {
		return t.(reg.Vec).AsY()
	}
	return t
}

// sizeIn is the widest of the registers that stand for id.
func sizeIn(rs []reg.Register, id reg.ID) int {
	size := 0
	for _, r := range rs {
		if r.ID() == id {
			size = max(size, int(r.Size()))
		}
	}
	return size
}

// storesCopy makes a copy to a spilled register a store.
func (s *spiller) storesCopy(i *machine.Inst) bool {
	if !i.IsMove() {
		return false
	}
	src, dst := i.Operands[0].(reg.Register), i.Operands[1].(reg.Register)
	h := s.homes[dst.ID()]
	if h == nil || h.remat != nil || s.homes[src.ID()] != nil {
		return false
	}
	if size := int(src.Size()); size != h.size && (h.size != 64 || size != 32) {
		return false
	}
	s.out = append(s.out, move(h.size, src, h.mem))
	return true
}

func (s *spiller) spilled(rs []reg.Register) (out []reg.Register) {
	for _, r := range rs {
		if s.homes[r.ID()] != nil {
			out = append(out, r)
		}
	}
	return out
}

func (s *spiller) temp(h *home) reg.Register {
	var t reg.Register
	if h.size == 8 {
		t = s.f.GP()
	} else {
		t = s.f.Vec(h.size)
	}
	s.f.Temp[t.ID()] = true
	return t
}

func (s *spiller) load(h *home, t reg.Register) {
	if h.remat != nil {
		s.out = append(s.out, h.remat.Make(t))
		return
	}
	s.out = append(s.out, move(h.size, h.mem, t))
}

func move(size int, src, dst operand.Op) *machine.Inst {
	if size == 8 {
		return machine.MustMake("MOVQ", src, dst)
	}
	return machine.MustMake("VMOVUPS", src, dst)
}

// fold uses a spilled source straight from memory if it is read once, as a plain
// source, and the instruction has a form that reads no more than is there. For
// copies that is the reload or the store itself.
func (s *spiller) fold(i *machine.Inst) *machine.Inst {
	i = foldableOrder(i, func(r reg.Register) bool {
		h := s.homes[r.ID()]
		return h != nil && h.mem.Base != nil
	})
	for n, op := range i.Operands {
		r, ok := op.(reg.Register)
		if !ok || s.homes[r.ID()] == nil || occurrences(i, r.ID()) != 1 {
			continue
		}
		h := s.homes[r.ID()]
		if h.mem.Base == reg.FramePointer && (i.Opcode == "IMUL3Q" || int(r.Size()) < h.size) {
			continue // go vet misreads the width of the former, and minds a part of a parameter
		}
		if h.mem.Base == nil || n == len(i.Operands)-1 && !readsLast(i) || int(r.Size()) > h.size {
			continue
		}
		ops := append([]operand.Op(nil), i.Operands...)
		ops[n] = h.mem
		if i.Opcode == "VINSERTPS" {
			ops[0], ops[n] = insertedLane(ops[0].(operand.U8), h.mem)
		}
		if folded, err := machine.Make(foldedOpcode(i), ops...); err == nil {
			return folded
		}
	}
	return i
}

// foldableOrder exchanges the sources of a sum or the like if only the second one
// is in memory: only the first one, as the assembler writes them, may be.
func foldableOrder(i *machine.Inst, inMemory func(reg.Register) bool) *machine.Inst {
	if !commutative[i.Opcode] || len(i.Operands) != 3 {
		return i
	}
	x, ok1 := i.Operands[0].(reg.Register)
	y, ok2 := i.Operands[1].(reg.Register)
	if !ok1 || !ok2 || inMemory(x) || !inMemory(y) {
		return i
	}
	return machine.MustMake(i.Opcode, y, x, i.Operands[2])
}

// commutative are the instructions with two sources that may be exchanged.
var commutative = map[string]bool{
	"VPADDB": true, "VPADDW": true, "VPADDD": true, "VPADDQ": true,
	"VPADDSB": true, "VPADDSW": true, "VPADDUSB": true, "VPADDUSW": true,
	"VPAND": true, "VPOR": true, "VPXOR": true, "VPAVGB": true, "VPAVGW": true,
	"VPCMPEQB": true, "VPCMPEQW": true, "VPCMPEQD": true, "VPCMPEQQ": true,
	"VPMINSB": true, "VPMINSW": true, "VPMINSD": true, "VPMINUB": true, "VPMINUW": true, "VPMINUD": true,
	"VPMAXSB": true, "VPMAXSW": true, "VPMAXSD": true, "VPMAXUB": true, "VPMAXUW": true, "VPMAXUD": true,
	"VPMULLW": true, "VPMULLD": true, "VPMULHW": true, "VPMULHUW": true, "VPMULHRSW": true, "VPMULUDQ": true, "VPMULDQ": true,
	"VPMADDWD": true, "VADDPS": true, "VADDPD": true, "VMULPS": true, "VMULPD": true,
}

// insertedLane turns the lane that VINSERTPS selects from a register into an
// address: from memory it takes 4 bytes and ignores those bits.
func insertedLane(imm operand.U8, m operand.Mem) (operand.Op, operand.Mem) {
	return imm & 0x3f, m.Offset(4 * int(imm>>6))
}

// foldedOpcode is the load for a copy between registers.
func foldedOpcode(i *machine.Inst) string {
	if i.Opcode == "VMOVAPS" || i.Opcode == "VMOVDQA" {
		return "VMOVUPS"
	}
	return i.Opcode
}

// readsLast holds for comparisons, which have no destination.
func readsLast(i *machine.Inst) bool { return len(i.Outputs) == 0 }

// occurrences is how often i reads a register.
func occurrences(i *machine.Inst, id reg.ID) int {
	n := 0
	for _, r := range i.Uses {
		if r.ID() == id {
			n++
		}
	}
	return n
}
