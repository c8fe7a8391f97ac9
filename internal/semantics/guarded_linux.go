package semantics

import "syscall"

// guarded is whole pages, at least one and with room for size bytes, between
// two that cannot be accessed. It is never unmapped.
func guarded(size int) []byte {
	page := syscall.Getpagesize()
	n := max((size+page-1)/page, 1) * page
	mem, err := syscall.Mmap(-1, 0, n+2*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	mem = mem[page:][:n:n]
	if err := syscall.Mprotect(mem, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		return nil
	}
	return mem
}
