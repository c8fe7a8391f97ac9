//go:build unix

// Command faults calls twins whose kernels fault, and lets the stack move below them while
// the panic is handled.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"unsafe"

	"example.com/m/kinds"
	small "example.com/m/small"
)

func main() {
	const size = 1 << 16
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ints := unsafe.Slice((*int32)(unsafe.Pointer(&mem[0])), size/4)
	floats := unsafe.Slice((*float32)(unsafe.Pointer(&mem[0])), size/4)
	for name, call := range map[string]func(){
		"no frame": func() { kinds.Axpy(2, floats, make([]float32, size/4)) },
		"frame":    func() { kinds.Translate(make([]byte, size), mem) },
		"routine":  func() { small.Smooth(make([]int32, 4096), ints[:4096], 64, 64) },
	} {
		done := make(chan bool)
		go func() { // with a small stack
			defer close(done)
			debug.SetPanicOnFault(true)
			defer func() {
				moved := grow(10_000)
				runtime.GC()
				if _, ok := recover().(runtime.Error); !ok {
					fmt.Println(name + ": no fault")
				}
				fmt.Println(name, moved)
			}()
			call()
		}()
		<-done
	}
	fmt.Println("done")
}

// grow reports whether the stack moves under so many calls.
//
//go:noinline
func grow(levels int) bool {
	var a [512]byte
	here := uintptr(unsafe.Pointer(&a))
	moved := levels > 0 && grow(levels-1)
	return moved || uintptr(unsafe.Pointer(&a)) != here
}
