package avx2

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// A Pool holds the vector constants of a file, each once. Every entry is 32
// bytes, so that it serves as an operand of both register widths.
type Pool struct {
	prefix string
	index  map[entry]int
	order  []entry
	tables []*table // in order of first use
}

// A table is a longer constant, of a multiple of 8 bytes.
type table struct {
	name string
	data []byte
}

type entry [32]byte

// NewPool returns an empty pool; its symbols start with prefix.
func NewPool(prefix string) *Pool {
	return &Pool{prefix: prefix, index: make(map[entry]int)}
}

func (p *Pool) symbol(i int) operand.Symbol {
	return operand.NewStaticSymbol(fmt.Sprintf("%s%d", p.prefix, i))
}

// addr is the address of a constant.
func (p *Pool) addr(e entry) operand.Mem {
	i, ok := p.index[e]
	if !ok {
		i = len(p.order)
		p.index[e] = i
		p.order = append(p.order, e)
	}
	return operand.NewDataAddr(p.symbol(i), 0)
}

// table is the address of a table, which is in the file once.
func (p *Pool) table(t *table) operand.Mem {
	if !slices.Contains(p.tables, t) {
		p.tables = append(p.tables, t)
	}
	return operand.NewDataAddr(operand.NewStaticSymbol(p.prefix+t.name), 0)
}

// Globals are the data sections, in order of first use. Values are bit
// patterns: the assembler reads no NaN.
func (p *Pool) Globals() []*ir.Global {
	var gs []*ir.Global
	for i, e := range p.order {
		g := ir.NewGlobal(p.symbol(i))
		g.Attributes = attr.RODATA | attr.NOPTR
		for off := 0; off < len(e); off += 8 {
			g.Append(operand.U64(binary.LittleEndian.Uint64(e[off:])))
		}
		gs = append(gs, g)
	}
	for _, t := range p.tables {
		gs = append(gs, t.global(p.prefix))
	}
	return gs
}

func (t *table) global(prefix string) *ir.Global {
	g := ir.NewGlobal(operand.NewStaticSymbol(prefix + t.name))
	g.Attributes = attr.RODATA | attr.NOPTR
	for off := 0; off < len(t.data); off += 8 {
		g.Append(operand.U64(binary.LittleEndian.Uint64(t.data[off:])))
	}
	return g
}

// splatEntry repeats the low size bytes of bits.
func splatEntry(size int, bits uint64) (e entry) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	for i := range e {
		e[i] = b[i%size]
	}
	return e
}

// listEntry lays out lanes of the given size, repeated to fill the entry.
func listEntry(size int, lanes []uint64) (e entry) {
	for i := range e {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], lanes[i/size%len(lanes)])
		e[i] = b[i%size]
	}
	return e
}
