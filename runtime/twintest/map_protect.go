//go:build darwin || linux

package twintest

import "syscall"

const (
	readOnly  = syscall.PROT_READ
	readWrite = syscall.PROT_READ | syscall.PROT_WRITE

	canProtect = true
)

var pageSize = syscall.Getpagesize()

// mapMemory maps memory without access.
func mapMemory(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func protect(mem []byte, access int) error { return syscall.Mprotect(mem, access) }
