package twintest

import (
	"slices"
	"sync"
	"unsafe"
)

// An arena is memory in which arguments are laid out: cells of whole pages,
// with a page before and behind each that nobody can access. The two functions
// run on two arenas of the same shape, so that an offset means the same in both.
type arena struct {
	mem   []byte
	cells int
	size  int // bytes of a cell, a multiple of the page size
	used  int // cells used by the current arguments

	patterned int    // cells that have the pattern,
	written   []span // but for these
}

// A span is a part of an arena, from an offset to another.
type span struct{ from, to int }

func newArena(cells, size int) (*arena, error) {
	size = (size + pageSize - 1) / pageSize * pageSize
	mem, err := mapMemory(cells*(size+pageSize) + pageSize)
	if err != nil {
		return nil, err
	}
	a := &arena{mem: mem, cells: cells, size: size}
	for i := range cells {
		if err := protect(a.cell(i), readWrite); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// A pool keeps arenas for the next test. They are never unmapped: values that
// point into one may live on for a while, and its addresses must not become
// the collector's.
type pool struct {
	mu   sync.Mutex
	free []*arena
}

var arenas pool

// Shapes of the arenas in use.
const (
	smallCells, smallCell = 16, 32 << 10
	largeCells, largeCell = 8, 4 << 20
)

func (p *pool) get(cells, size int) (*arena, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, a := range p.free {
		if a.cells == cells && a.size >= size {
			p.free = slices.Delete(p.free, i, i+1)
			return a, nil
		}
	}
	return newArena(cells, size)
}

func (p *pool) put(a *arena) {
	if a != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.free = append(p.free, a)
	}
}

// start is the offset of a cell.
func (a *arena) start(i int) int { return pageSize + i*(a.size+pageSize) }

func (a *arena) cell(i int) []byte { return a.mem[a.start(i):][:a.size:a.size] }

func (a *arena) pointer(off int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(&a.mem[0]), off) }

// offset is the place of p in the arena.
func (a *arena) offset(p uintptr) (int, bool) {
	off := p - uintptr(unsafe.Pointer(&a.mem[0]))
	return int(off), off < uintptr(len(a.mem))
}

// restart begins to hand out cells anew. Arguments are all that is written to between two
// starts, unless spoil says otherwise.
func (a *arena) restart() {
	for _, s := range a.written {
		for s.from < s.to {
			cell := s.from / (a.size + pageSize)
			s.from += copy(a.mem[s.from:s.to], pattern[(s.from-a.start(cell))%period:])
		}
	}
	a.written, a.used = a.written[:0], 0
}

// spoil says that anything may have been written anywhere.
func (a *arena) spoil() { a.patterned, a.written = 0, a.written[:0] }

// write says that arguments are at an offset.
func (a *arena) write(off, bytes int) { a.written = append(a.written, span{off, off + bytes}) }

// take hands out the next cell, with a pattern that is the same in both arenas; -1 when
// none is left.
func (a *arena) take() int {
	if a.used == a.cells {
		return -1
	}
	if a.used == a.patterned {
		fillPattern(a.cell(a.used))
		a.patterned++
	}
	a.used++
	return a.used - 1
}

// period is the length of the pattern, pattern some repetitions of it.
const period = 251

var pattern = func() []byte {
	b := make([]byte, 64*period)
	fillPattern(b)
	return b
}()

// fillPattern writes bytes that differ from their neighbours, from typical
// values, and along the cell.
func fillPattern(b []byte) {
	for i := range min(period, len(b)) {
		b[i] = byte(i*167 + 91)
	}
	for n := period; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

func (a *arena) page(off int) []byte { return a.mem[off:][:pageSize:pageSize] }

// protectPages changes the access of sorted pages, run by run.
func (a *arena) protectPages(pages []int, access int) {
	for len(pages) > 0 {
		n := 1
		for n < len(pages) && pages[n] == pages[0]+n*pageSize {
			n++
		}
		if err := protect(a.mem[pages[0]:][:n*pageSize], access); err != nil {
			panic(err)
		}
		pages = pages[n:]
	}
}

// without is pages without the one that holds offset off.
func without(pages []int, off int) []int {
	return slices.DeleteFunc(slices.Clone(pages), func(p int) bool { return p <= off && off < p+pageSize })
}
