// Package semantics runs the file tests of testdata/semantics: one for every
// property of Go that a vectorizer easily loses; and those of testdata/fixedbugs, one for
// every bug that has been found. A file holds Go source with
// annotated functions, the remarks that are expected, and tests written by hand
// beside those that are generated.
//
// What is exported is for the tests written by hand: calling a function and
// keeping its panic, and memory with nothing behind it. The package must not
// know how twins are made.
package semantics

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Panic calls f and returns the text and type of the value it panics with; "" if it
// returns. An access to memory that is not there is a panic, too.
func Panic(f func()) (text string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch x := recover().(type) {
		case nil:
		case runtime.Error:
			text = fmt.Sprintf("runtime error %T: %v", x, x)
		default:
			text = fmt.Sprintf("%T: %v", x, x)
		}
	}()
	f()
	return ""
}

// AtEnd is a slice of n elements that ends where accessible memory ends. T
// holds no pointers. Where the system cannot do that, it is a plain slice.
func AtEnd[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T))) * n
	mem := guarded(size)
	if mem == nil {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(mem[len(mem)-size:]))), n)
}

// AtStart is a slice of n elements that starts where accessible memory starts.
func AtStart[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T))) * n
	mem := guarded(size)
	if mem == nil {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(mem))), n)
}

// Bytes is the memory of a slice.
func Bytes[T any](x []T) []byte {
	size := int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size*len(x))
}
