package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Lookups in a table held in registers. The instructions look up in a chunk of
// 16 bytes, the same in both halves, for elements of 1 and 2 bytes, and in one
// of a whole register for larger ones:
//
//	VPSHUFB  bytes, by the low 4 bits of control bytes
//	VPERMD   4 bytes, by the low 3 bits of control elements
//
// Longer tables take a lookup in each chunk and choose between the results by
// higher bits of the index, pair by pair.

// maxChunks is the number of chunks up to which a table stays in registers.
const maxChunks = 16

// permute is a part of a lookup.
func permute(c partOf) vec {
	s, table, index := c.s, c.v.Args[0], c.v.Args[1]
	chunk := chunkBytes(c.bytes())
	n := max(1, table.Type.Size()/chunk)
	if n > maxChunks || c.bytes() >= 4 && n > 4 {
		return s.lookupInMemory(c)
	}
	idx := s.part(index, c.p)
	control := s.tableControl(c.bytes(), c.size, n, idx)
	return s.chooseChunk(c, idx, n, 0, func(k int) vec {
		t := s.tableChunk(table, k, c.size)
		if chunk == 16 {
			d := s.f.Vec(c.size)
			s.op("VPSHUFB", sized(control, c.size), sized(t, c.size), sized(d, c.size))
			return d
		}
		return s.bin(pick(c.elem().IsFloat(), "VPERMPS", "VPERMD"), regBytes, control, t)
	})
}

// chunkBytes is the size of the chunks for elements of the given bytes.
func chunkBytes(bytes int) int {
	if bytes < 4 {
		return 16
	}
	return regBytes
}

// tableControl turns indices of elements into those of the units that the
// instruction moves: bytes for elements of 1 and 2 bytes, else 4 bytes. Bits above
// the chunk stay out of those that it looks at.
func (s *selector) tableControl(bytes, size, chunks int, idx vec) vec {
	switch bytes {
	case 1:
		if chunks > 8 { // a top bit would give 0
			return s.bin("VPAND", size, idx, s.splat(1, 15))
		}
	case 2: // bytes 2i and 2i+1; the top bit of either must be 0
		low := s.bin("VPAND", size, idx, s.splat(2, 7))
		return s.bin("VPADDW", size, s.bin("VPMULLW", size, low, s.splat(2, 0x0202)), s.splat(2, 0x0100))
	case 8: // 4-byte units 2i and 2i+1
		twice := s.bin("VPADDD", size, idx, idx)
		return s.bin("VPADDD", size, s.imm("VPSHUFD", size, 0xa0, twice), s.splat(8, 1<<32))
	}
	return idx
}

// chooseChunk looks up in chunks first to first+n-1 and takes what the bits of the index above
// those of a chunk say.
func (s *selector) chooseChunk(c partOf, idx vec, n, first int, look func(chunk int) vec) vec {
	if n == 1 {
		return look(first)
	}
	low := s.chooseChunk(c, idx, n/2, first, look)
	high := s.chooseChunk(c, idx, n/2, first+n/2, look)
	bit := log2(uint64(chunkBytes(c.bytes())/c.bytes())) + log2(uint64(n)) - 1
	name, mask := s.indexBit(c, idx, bit)
	return s.blendv(name, c.size, mask, high, low)
}

// indexBit is a mask for the blend of the given name of the lanes whose index has
// the given bit.
func (s *selector) indexBit(c partOf, idx vec, bit int) (name string, mask vec) {
	switch c.bytes() {
	case 1: // the bit of each byte goes to its top; what comes from below does not matter
		if bit == 7 {
			return "VPBLENDVB", idx
		}
		return "VPBLENDVB", s.shifted("VPSLLW", c.size, 7-bit, idx)
	case 2:
		top := s.shifted("VPSLLW", c.size, 15-bit, idx)
		return "VPBLENDVB", s.shifted("VPSRAW", c.size, 15, top)
	case 4:
		return "VBLENDVPS", s.shifted("VPSLLD", c.size, 31-bit, idx)
	}
	return "VBLENDVPD", s.shifted("VPSLLQ", c.size, 63-bit, idx)
}

type shiftKey struct {
	v    vec
	name string
	n    int
}

// shifted is a shift by a constant, once per block.
func (s *selector) shifted(name string, size, n int, x vec) vec {
	k := shiftKey{x, name, n}
	if r, ok := s.shifts[k]; ok {
		return r
	}
	r := s.imm(name, size, n, x)
	s.shifts[k] = r
	return r
}

type chunkKey struct {
	table *vir.Value
	k     int
}

// tableChunk is chunk k of a table in a register, 16 bytes in both halves. Chunks
// of a table from outside of the loops are made there. A lookup of one half needs one chunk of one half.
func (s *selector) tableChunk(table *vir.Value, k, need int) vec {
	size, chunk := table.Type.Size(), chunkBytes(table.Type.Elem.Size())
	if e, ok := s.constant(table, k*chunk/regBytes); ok {
		if chunk == 16 {
			e = halfEntry(e, k*chunk%regBytes)
		}
		return s.inReg(s.konst(e), regBytes)
	}
	if chunk == regBytes || size <= chunk {
		r := s.part(table, k)
		if chunk == 16 && need > chunk {
			return s.outside(table, k, func() vec { return s.bothHalves(r, 0) })
		}
		return r
	}
	r := s.part(table, k*chunk/regBytes)
	return s.outside(table, k, func() vec { return s.bothHalves(r, k*chunk%regBytes/16) })
}

// halfEntry repeats the 16 bytes from off on.
func halfEntry(e entry, off int) entry {
	copy(e[:16], e[off:off+16])
	copy(e[16:], e[:16])
	return e
}

// bothHalves repeats a half of r.
func (s *selector) bothHalves(r vec, half int) vec {
	if half == 0 {
		return s.join(r, r)
	}
	return s.imm("VPERMQ", regBytes, 0xee, r)
}

// outside emits what is made of chunk k of a table once: before all loops if the
// table is known there, else once per block.
func (s *selector) outside(table *vir.Value, k int, emit func() vec) vec {
	key := chunkKey{table, k}
	if at, ok := s.chunkCache[key]; ok && s.a.dominates(at.at, s.block) {
		return at.r
	}
	where := s.block
	if s.a.depth[s.block] > 0 {
		pre := s.a.preheader(s.block)
		known := table.Op == vir.OpParam || table.Block != s.block && s.a.dominates(table.Block, pre)
		if known {
			where = pre
		}
	}
	if where == s.block {
		r := emit()
		s.chunkCache[key] = spreadAt{r, s.block, regBytes}
		return r
	}
	cur := s.cur
	s.cur = s.ready[where]
	r := emit()
	s.cur = cur
	s.chunkCache[key] = spreadAt{r, where, regBytes}
	return r
}

// lookupInMemory stores the table to the stack and loads lane by lane. An index outside
// of the table gives any of its lanes.
func (s *selector) lookupInMemory(c partOf) vec {
	table, index := c.v.Args[0], c.v.Args[1]
	slot := s.tableSlot(table)
	xs := make([]lane, c.lanes())
	for k := range xs {
		xs[k] = func() operand.Op {
			r := s.indexLane(index, c.first()+k)
			s.op("ANDL", imm32(int64(table.Type.Lanes-1)), r.As32())
			return slot.Idx(r, uint8(c.bytes()))
		}
	}
	return s.assemble(c.elem(), xs)
}

// indexLane is a lane of an index in a general register, zero-extended.
func (s *selector) indexLane(index *vir.Value, k int) gpr {
	size, per := index.Type.Elem.Size(), partLanes(index.Type)
	r, off := s.part(index, k/per), k%per*size
	if off >= 16 {
		r, off = s.upper(r), off-16
	}
	d := s.f.GP()
	if size == 8 {
		s.op("VPEXTRQ", operand.U8(off/8), r.AsX(), d)
	} else {
		s.op("VPEXTR"+letter(index.Type.Elem), operand.U8(off/size), r.AsX(), d.As32())
	}
	return d
}

// tableSlot is a copy of the table in the stack, made once for those who know it
// from the same place.
func (s *selector) tableSlot(table *vir.Value) operand.Mem {
	if t, ok := s.tables[table]; ok && t.block == s.block {
		return t.slot
	}
	slot := s.f.Local(max(table.Type.Size(), 16))
	for p := range numParts(table.Type) {
		s.op("VMOVUPS", sized(s.part(table, p), partBytes(table.Type)), slot.Offset(p*regBytes))
	}
	s.tables[table] = tableAt{slot, s.block}
	return slot
}

type tableAt struct {
	slot  operand.Mem
	block *vir.Block
}
