//go:build amd64 && unix

package contract

import (
	"syscall"
	"testing"
	"unsafe"
)

// Bytes of a cell, and the number of those.
const (
	page      = 4096
	largeCell = 1 << 20
	largeNum  = 8
	smallNum  = 8 // of one page each
	margin    = 128
)

// A memory has cells, with a page before and behind each that nobody can access.
type memory struct {
	mem []byte
}

func newMemory(t testing.TB) *memory {
	size := largeNum*(largeCell+page) + smallNum*2*page + page
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{mem}
	for i := range largeNum + smallNum {
		start, size := cell(i)
		if err := syscall.Mprotect(mem[start:][:size], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// cell is where a cell starts, and its size. The first largeNum are large.
func cell(i int) (start, size int) {
	if i < largeNum {
		return page + i*(largeCell+page), largeCell
	}
	return page + largeNum*(largeCell+page) + (i-largeNum)*2*page, page
}

// around is the part of a cell that a call on bytes from off on may reach by mistake.
func around(off, size int) (from, to int) {
	for i := range largeNum + smallNum {
		start, room := cell(i)
		if start <= off && off <= start+room {
			return max(off-margin, start), min(off+size+margin, start+room)
		}
	}
	panic("contract: outside of all cells")
}

func (m *memory) pointer(off int) unsafe.Pointer { return unsafe.Pointer(&m.mem[off]) }

// offset is the place of an address.
func (m *memory) offset(addr uintptr) (int, bool) {
	off := addr - uintptr(unsafe.Pointer(&m.mem[0]))
	return int(off), off < uintptr(len(m.mem))
}

// protect makes pages read-only, or writable again.
func (m *memory) protect(pages []int, write bool) {
	access := syscall.PROT_READ
	if write {
		access |= syscall.PROT_WRITE
	}
	for len(pages) > 0 {
		n := 1
		for n < len(pages) && pages[n] == pages[0]+n*page {
			n++
		}
		if err := syscall.Mprotect(m.mem[pages[0]:][:n*page], access); err != nil {
			panic(err)
		}
		pages = pages[n:]
	}
}
