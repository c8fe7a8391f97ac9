package main

import "unsafe"

// signed is x seen as int8, the byte type of package i8.
func signed(x []uint8) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// signed2 makes a function on int8 one on uint8.
func signed2(f func(dst, x, y []int8)) func(dst, x, y []uint8) {
	return func(dst, x, y []uint8) { f(signed(dst), signed(x), signed(y)) }
}
