package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Expanding loads deal out elements that lie side by side, the reverse of compress
// stores: permutations out of a table, by the bits of the mask, spread a unit of
// lanes, and the next unit starts where the active lanes of this one end:
//
//	memory  b e f i p ...
//	mask    0 1 0 0 1 1 0 0 | 1 0 0 0 0 0 0 1     units of 8, or 4 of 8 bytes
//	lanes   b b e e e f i i | i p p p p p p p     every lane has the next element
//
// A unit reads as many elements as it has lanes, so all lanes together read no more
// than they are. Where there is no room for that, the elements that there are go to
// the frame first, and are spread from there.

// expandPart is a part of an expanding load. All of them are emitted together: where
// one reads depends on those before.
func expandPart(c partOf) vec {
	s, v := c.s, c.v
	e := expansion{maskBits: s.maskBits(v.Mask()), elem: c.bytes(), table: s.tableBase(expandTable(c.bytes()))}
	e.from = s.readable(v)
	parts := s.vecs[v]
	for p := range parts {
		parts[p] = e.part(p*partLanes(v.Type), partLanes(v.Type))
	}
	return parts[c.p]
}

// An expansion is an expanding load as far as it is done.
type expansion struct {
	maskBits
	elem  int
	table gpr
	from  gpr // where the first element is
	off   gpr // active lanes so far; nil for none
}

// readable is the address of v, or that of a copy in the frame where there is no room
// to read as many elements as there are lanes.
func (s *selector) readable(v *vir.Value) gpr {
	t := v.Type
	elem := t.Elem.Size()
	from := s.lea(s.address(v))
	if n, ok := isConstInt(v.Room()); ok && n >= int64(t.Lanes) {
		return from
	}
	room := s.gp(v.Room())
	far, near, some, frame := s.newBlock(0), s.newBlock(0), s.newBlock(0), s.newBlock(0)
	s.cur.EmitTest("CMPQ", room, machine.Imm(int64(t.Lanes)))
	s.branch("GE", far, near)
	s.goOn(near)
	s.cur.EmitTest("CMPQ", room, machine.Imm(0))
	s.branch("LE", frame, some)
	s.goOn(some)
	if t.Lanes > 1 {
		s.copyExactly(operand.Mem{Base: from}, s.packSlot(0), s.bytesOf(room, elem), elem, t.Size())
	}
	s.cur.Then = frame
	s.goOn(frame)
	s.op("LEAQ", s.packSlot(0), from)
	s.cur.Then = far
	s.goOn(far)
	return from
}

// part is a part of n lanes from lane first on.
func (e *expansion) part(first, n int) vec {
	unit := min(n, packLanes(e.elem))
	var units []vec
	for k := 0; k < n; k += unit {
		units = append(units, e.unit(first+k, unit))
	}
	return e.s.joinAll(units, unit*e.elem)
}

// unit is n lanes from lane first on. The next unit starts behind them.
func (e *expansion) unit(first, n int) vec {
	s := e.s
	bits := e.bits(first, n)
	m := operand.Mem{Base: e.from}
	if e.off != nil {
		m.Index, m.Scale = e.off, uint8(e.elem)
	}
	r := e.spread(s.load(m, n*e.elem), bits)
	if first+n < e.lanes {
		d := s.f.GP()
		s.op("POPCNTL", bits.As32(), d.As32())
		if e.off != nil {
			d = s.lea(operand.Mem{Base: e.off, Index: d, Scale: 1})
		}
		e.off = d
	}
	return r
}

// spread deals out the elements of r by the bits of a unit.
func (e *expansion) spread(r vec, bits gpr) vec {
	s := e.s
	switch {
	case e.elem >= 4:
		index := s.f.Vec(regBytes)
		s.op("VPMOVZXBD", operand.Mem{Base: e.table, Index: bits, Scale: 8}, index.AsY())
		d := s.f.Vec(regBytes)
		s.op("VPERMD", r.AsY(), index.AsY(), d.AsY())
		return d
	case e.elem == 2:
		d := s.copyOf(bits)
		s.op("SHLQ", operand.U8(4), d) // rows of 16 bytes
		return s.bin("VPSHUFB", 16, r, operand.Mem{Base: e.table, Index: d, Scale: 1})
	}
	return s.bin("VPSHUFB", 16, r, operand.Mem{Base: e.table, Index: bits, Scale: 8})
}

// expandTable is the table for elements of the given size, in the form of packTable: the
// number of active lanes before each.
func expandTable(elem int) *table {
	switch elem {
	case 2:
		return &spreadWords
	case 8:
		return &spreadQuads
	}
	return &spreadBytes
}

var (
	spreadBytes = table{name: "spread", data: spreadRows(8, 1)}
	spreadWords = table{name: "spreadw", data: spreadRows(8, 2)}
	spreadQuads = table{name: "spreadq", data: spreadRows(4, 2)}
)

// spreadRows makes rows for masks of n lanes, each of them size indices. What follows
// the last row is read but not used.
func spreadRows(n, size int) []byte {
	var data []byte
	for mask := range 1 << n {
		rank := 0
		for lane := range n {
			for k := range size {
				data = append(data, byte(rank*size+k))
			}
			rank += mask >> lane & 1
		}
	}
	return append(data, make([]byte, 8)...)
}
