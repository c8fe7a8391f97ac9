package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Compress stores put the active lanes side by side. AVX-512 has an instruction for
// elements of 4 and 8 bytes. Elsewhere lanes are packed to the left by permutations
// out of a table, a unit at a time, into a part of the frame:
//
//	lanes   a b c d e f g h | i j k l m n o p     units of 8, or 4 of 8 bytes
//	mask    0 1 0 0 1 1 0 0 | 1 0 0 0 0 0 0 1
//	frame   b e f ? ? ? ? ?
//	              i p ? ? ? ? ? ?                 each unit overwrites the rest of the last
//
// and copied from there. Exactly the active lanes may be written, so the copies are
// as long as a register only where that many bytes are there, and the last one ends
// where they end: it overlaps the one before.
//
//	no lane is active      nothing
//	all lanes are          plain stores
//	32 bytes or more       for each register: a copy at its place, or at the end
//	                       of all bytes if that comes first; no branches
//	less                   two overlapping copies of 16, 8, 4 or 2 bytes, or one element
//
// Stores under one mask look at it once. Under different ones, all lanes are packed whatever
// the masks.

// packLanes is the number of lanes of a unit.
func packLanes(elem int) int { return min(8, regBytes/elem) }

// A leftPack is some compress stores under one mask.
type leftPack struct {
	maskBits
	stores []*vir.Value
	values [][]vec       // of each store, by part
	to     []operand.Mem // of each store
	slots  []operand.Mem // of each store, in the frame
	tables []gpr         // of each store
	total  gpr           // active lanes
}

// maskBits are the lanes of a mask, a bit each, in general registers.
type maskBits struct {
	s     *selector
	lanes int
	words []gpr
	per   int // lanes of a word
}

// compressStores emits stores that follow each other. All of them are packed before any is
// copied: the copies wait until what is packed has left the queue of stores, and one such
// wait is enough.
func (s *selector) compressStores(stores []*vir.Value) {
	packs := s.leftPacks(stores)
	s.forceLoads(s.block, stores[len(stores)-1], 1<<30)
	for _, p := range packs {
		for _, v := range p.stores {
			p.to = append(p.to, operand.Mem{Base: s.lea(s.address(v))})
		}
	}
	if s.t.EVEX && !slices.ContainsFunc(stores, func(v *vir.Value) bool { return v.Access().Elem.Size() < 4 }) {
		for _, p := range packs {
			p.compressAll()
		}
		return
	}
	for _, p := range packs {
		p.count()
		for _, v := range p.stores {
			p.tables = append(p.tables, s.tableBase(packTable(v.Access().Elem.Size())))
		}
	}
	if len(packs) == 1 {
		packs[0].storeAll(true)
		return
	}
	for _, p := range packs {
		p.packAll()
	}
	for _, p := range packs {
		p.storeAll(false)
	}
}

// leftPacks are stores by their masks, each with a place in the frame.
func (s *selector) leftPacks(stores []*vir.Value) []*leftPack {
	var packs []*leftPack
	for k, v := range stores {
		if n := len(packs); n == 0 || packs[n-1].stores[0].Mask() != v.Mask() {
			packs = append(packs, &leftPack{})
		}
		p := packs[len(packs)-1]
		var parts []vec
		for i := range numParts(v.Access()) {
			parts = append(parts, s.part(v.Stored(), i))
		}
		p.stores, p.values, p.slots = append(p.stores, v), append(p.values, parts), append(p.slots, s.packSlot(k))
	}
	for _, p := range packs {
		p.maskBits = s.maskBits(p.stores[0].Mask())
	}
	return packs
}

// compressAll stores what is active with instructions: a register is packed to the left, and as
// many lanes of it as are active are stored. See emptymask.go for where none is.
func (p *leftPack) compressAll() {
	s := p.s
	for i, v := range p.stores {
		if entered(v) {
			p.compress(i)
		} else {
			s.unlessEmpty(v, p.to[i], p.testAny, func() { p.compress(i) })
		}
	}
}

// compress does that for store i.
func (p *leftPack) compress(i int) {
	s, t := p.s, p.stores[i].Access()
	elem, n := t.Elem.Size(), partLanes(t)
	size := registerSize(n * elem)
	to := p.to[i]
	var off gpr
	for k, r := range p.values[i] {
		bits := p.bits(k*n, n)
		s.maskOf(bits)
		d := s.f.Vec(size)
		s.evex("VPCOMPRESS"+pick(elem == 8, "Q", "D")+".Z", sized(r, size), reg.K1, sized(d, size))
		active, first := s.f.GP(), s.f.GP()
		s.op("POPCNTL", bits.As32(), active.As32())
		s.op("BZHIQ", active, s.imm64(-1), first)
		s.maskOf(first)
		s.evex(maskedMove(elem), sized(d, size), reg.K1, to)
		if off != nil {
			active = s.lea(operand.Mem{Base: off, Index: active, Scale: 1})
		}
		off, to = active, p.to[i].Idx(active, uint8(elem))
	}
}

// maskOf moves bits to mask register K1.
func (s *selector) maskOf(bits gpr) {
	s.evex("KMOVD", bits.As32(), reg.K1)
	s.inK1 = heldMask{}
}

// packAll packs what is stored into the frame.
func (p *leftPack) packAll() {
	for i := range p.stores {
		p.pack(i, p.tables[i])
	}
}

// storeAll stores what is active, packed already or not.
func (p *leftPack) storeAll(pack bool) {
	s := p.s
	done, full, some := s.newBlock(0), s.newBlock(0), s.newBlock(0)
	second := s.newBlock(0)
	s.cur.EmitTest("TESTL", p.total.As32(), p.total.As32())
	s.branch("EQ", done, second)
	s.goOn(second)
	s.cur.EmitTest("CMPL", p.total.As32(), imm32(int64(p.lanes)))
	s.branch("EQ", full, some)
	s.goOn(some)
	if pack {
		p.packAll()
	}
	for i := range p.stores {
		p.copyOut(i)
	}
	s.cur.Then = done
	s.goOn(full)
	for i, v := range p.stores {
		t := v.Access()
		for k, r := range p.values[i] {
			s.store(r, p.to[i].Offset(k*partBytes(t)), partBytes(t))
		}
	}
	s.cur.Then = done
	s.goOn(done)
}

// maskBits gathers the bits of mask m. Masks of 2 bytes have two bits per lane, so
// they are narrowed.
func (s *selector) maskBits(m *vir.Value) maskBits {
	width := s.width(m)
	if width == 2 {
		width = 1
	}
	b := maskBits{s: s, lanes: m.Type.Lanes, per: min(m.Type.Lanes, regBytes/width)}
	size := s.maskSize(m, width)
	for i := range maskParts(b.lanes, width) {
		r, neg := s.maskPart(m, width, i)
		b.words = append(b.words, s.cleanBits(s.bitsOf(r, width, size), b.per, width, size, neg))
	}
	return b
}

// count counts the active lanes.
func (p *leftPack) count() {
	s := p.s
	for _, w := range p.words {
		d := s.f.GP()
		s.op("POPCNTL", w.As32(), d.As32())
		if p.total == nil {
			p.total = d
		} else {
			p.total = s.lea(operand.Mem{Base: p.total, Index: d, Scale: 1})
		}
	}
}

// bits are the mask bits of n lanes from first on.
func (p *maskBits) bits(first, n int) gpr {
	s := p.s
	w := p.words[first/p.per]
	if n >= p.per {
		for k := 1; k < n/p.per; k++ {
			d := s.copyOf(p.words[first/p.per+k])
			s.op("SHLQ", operand.U8(k*p.per), d)
			s.op("ORQ", w, d)
			w = d
		}
		return w
	}
	if off := first % p.per; off > 0 {
		d := s.f.GP()
		s.op("MOVL", w.As32(), d.As32())
		s.op("SHRL", operand.U8(off), d.As32())
		w = d
		if off+n == p.per {
			return w
		}
	}
	d := s.f.GP()
	if n == 8 {
		s.op("MOVBLZX", w.As8L(), d.As32())
		return d
	}
	s.op("MOVL", w.As32(), d.As32())
	s.op("ANDL", imm32(fullBits(n, 1)), d.As32())
	return d
}

// pack writes the active lanes of store i into the frame.
func (p *leftPack) pack(i int, table gpr) {
	s := p.s
	elem := p.stores[i].Access().Elem.Size()
	n := min(p.lanes, packLanes(elem))
	slot := p.slots[i]
	var off gpr
	for first := 0; first < p.lanes; first += n {
		bits := p.bits(first, n)
		r, bytes := p.permuted(i, first, bits, table)
		to := slot
		if off != nil {
			to = slot.Idx(off, uint8(elem))
		}
		s.store(r, to, bytes)
		if first+n == p.lanes {
			return
		}
		d := s.f.GP()
		s.op("POPCNTL", bits.As32(), d.As32())
		if off != nil {
			d = s.lea(operand.Mem{Base: off, Index: d, Scale: 1})
		}
		off = d
	}
}

// permuted is the unit of store i at lane first with its active lanes in front, and
// how many bytes of it matter.
func (p *leftPack) permuted(i, first int, bits, table gpr) (vec, int) {
	s := p.s
	t := p.stores[i].Access()
	elem := t.Elem.Size()
	r := p.values[i][first/partLanes(t)]
	at := first % partLanes(t) * elem
	if elem >= 4 {
		index := s.f.Vec(regBytes)
		s.op("VPMOVZXBD", operand.Mem{Base: table, Index: bits, Scale: 8}, index.AsY())
		d := s.f.Vec(regBytes)
		s.op("VPERMD", r.AsY(), index.AsY(), d.AsY())
		return d, regBytes
	}
	if at >= 16 {
		x := s.f.Vec(16)
		s.op("VEXTRACTI128", operand.U8(1), r.AsY(), x)
		r, at = x, at-16
	}
	if at > 0 {
		r = s.imm("VPSRLDQ", 16, at, r)
	}
	m := operand.Mem{Base: table, Index: bits, Scale: 8}
	if elem == 2 {
		// Rows of 16 bytes.
		d := s.copyOf(bits)
		s.op("SHLQ", operand.U8(4), d)
		m = operand.Mem{Base: table, Index: d, Scale: 1}
	}
	return s.bin("VPSHUFB", 16, r, m), 8 * elem
}

// copyOut copies the active lanes of store i from the frame to where they belong.
func (p *leftPack) copyOut(i int) {
	elem := p.stores[i].Access().Elem.Size()
	p.s.copyExactly(p.slots[i], p.to[i], p.s.bytesOf(p.total, elem), elem, p.lanes*elem)
}

// bytesOf is the size of n elements.
func (s *selector) bytesOf(n gpr, elem int) gpr {
	if elem == 1 {
		return n
	}
	bytes := s.copyOf(n)
	s.op("SHLQ", operand.U8(log2(uint64(elem))), bytes)
	return bytes
}

// copyExactly copies so many bytes: some elements, but fewer than most bytes.
func (s *selector) copyExactly(from, to operand.Mem, bytes gpr, elem, most int) {
	end := s.newBlock(0)
	if most > regBytes {
		small, large := s.newBlock(0), s.newBlock(0)
		s.cur.EmitTest("CMPQ", bytes, machine.Imm(regBytes))
		s.branch("LT", small, large)
		s.goOn(large)
		last := s.lea(operand.Mem{Base: bytes, Disp: -regBytes})
		for at := 0; at < most; at += regBytes {
			src, dst := from, to
			if at > 0 {
				off := s.f.GP()
				s.op("MOVQ", machine.Imm(int64(at)), off)
				s.op("CMPQ", last, machine.Imm(int64(at)))
				s.op("CMOVQLT", last, off)
				src, dst = from.Idx(off, 1), to.Idx(off, 1)
			}
			s.copyBytes(src, dst, regBytes)
		}
		s.cur.Then = end
		s.goOn(small)
	}
	for size := 16; size > elem; size /= 2 {
		if size >= most {
			continue // all lanes are another way
		}
		less, enough := s.newBlock(0), s.newBlock(0)
		s.cur.EmitTest("CMPQ", bytes, machine.Imm(int64(size)))
		s.branch("LT", less, enough)
		s.goOn(enough)
		last := s.lea(operand.Mem{Base: bytes, Disp: -size})
		s.copyBytes(from, to, size)
		s.copyBytes(from.Idx(last, 1), to.Idx(last, 1), size)
		s.cur.Then = end
		s.goOn(less)
	}
	s.copyBytes(from, to, elem)
	s.cur.Then = end
	s.goOn(end)
}

// copyBytes copies so many bytes, a power of two.
func (s *selector) copyBytes(from, to operand.Mem, size int) {
	if size < 16 {
		s.moveLane(size, from, to)
		return
	}
	s.store(s.load(from, size), to, size)
}

// packSlot is a part of the frame where packed lanes are, another one for each k. A unit may
// reach a register beyond what all lanes take.
func (s *selector) packSlot(k int) operand.Mem {
	for len(s.packed) <= k {
		most := 0
		for _, b := range s.fn.Blocks {
			for _, v := range b.Insts {
				if v.Op == vir.OpStoreCompress || v.Op == vir.OpLoadExpand {
					most = max(most, v.Access().Size())
				}
			}
		}
		s.packed = append(s.packed, s.f.Local(most+regBytes))
	}
	return s.packed[k]
}

// packTable is the table for elements of the given size: a row per mask of a unit.
// Rows have 8 bytes: the active lanes in order, for bytes as they are and for 4-byte
// lanes to be extended; 8-byte lanes count as two. Rows of 2-byte lanes have 16
// bytes. What follows in a row are lanes too, and it does not matter which.
func packTable(elem int) *table {
	switch elem {
	case 2:
		return &packWords
	case 8:
		return &packQuads
	}
	return &packBytes
}

var (
	packBytes = table{name: "pack", data: packRows(8, 1, 8)}
	packWords = table{name: "packw", data: packRows(8, 2, 16)}
	packQuads = table{name: "packq", data: packRows(4, 2, 8)}
)

// packRows makes rows of the given bytes for masks of n lanes, each of them size
// indices. What follows the last row is read but not used.
func packRows(n, size, row int) []byte {
	var data []byte
	for mask := range 1 << n {
		var r []byte
		for lane := range n {
			if mask>>lane&1 != 0 {
				for k := range size {
					r = append(r, byte(lane*size+k))
				}
			}
		}
		data = append(data, append(r, make([]byte, row-len(r))...)...)
	}
	return append(data, make([]byte, 8)...)
}

// tableBase is the address of a table in a register.
func (s *selector) tableBase(t *table) gpr {
	m := s.pool.table(t)
	mk := func(d reg.Register) *machine.Inst { return machine.MustMake("LEAQ", m, d.(reg.GP).As64()) }
	if s.a.depth[s.block] == 0 {
		d := s.f.GP()
		s.cur.Insts = append(s.cur.Insts, mk(d))
		return d
	}
	k := tableKey{s.a.preheader(s.block), t}
	if d, ok := s.bases[k]; ok {
		return d
	}
	d := s.f.GP()
	b := s.ready[k.at]
	b.Insts = append(b.Insts, mk(d))
	s.bases[k] = d
	s.f.Remat[d.ID()] = machine.Remat{Make: mk}
	return d
}

type tableKey struct {
	at *vir.Block
	t  *table
}

// together is the compress stores of roots, from the first on, that are done
// together: no memory is accessed between them but by loads that nobody waits for.
func together(b *vir.Block, roots []*vir.Value) []*vir.Value {
	n := 1
	for n < len(roots) && n < maxPacks && roots[n].Op == vir.OpStoreCompress {
		i, j := slices.Index(b.Insts, roots[n-1]), slices.Index(b.Insts, roots[n])
		if slices.ContainsFunc(b.Insts[i+1:j], func(v *vir.Value) bool { return v.Op.IsLoad() || v.Op.IsStore() }) {
			break
		}
		n++
	}
	return roots[:n]
}

// maxPacks bounds what is live at the same time.
const maxPacks = 4
