// Package popcount counts bits.
package popcount

//go:generate go tool lanewise -tests .

import "math/bits"

// ones is the number of bits set in x.
//
//vec:func Ones
func ones(x []uint64) int {
	n := 0
	for _, w := range x {
		n += bits.OnesCount64(w)
	}
	return n
}

// onesBytes is the number of bits set in x.
//
//vec:func OnesBytes
func onesBytes(x []byte) int {
	n := 0
	for _, b := range x {
		n += bits.OnesCount8(b)
	}
	return n
}

// hamming is the number of bits in which x and y differ.
//
//vec:func Hamming
func hamming(x, y []uint64) int {
	n := 0
	for i := range x {
		n += bits.OnesCount64(x[i] ^ y[i])
	}
	return n
}

// hammingBytes is the number of bits in which x and y differ.
//
//vec:func HammingBytes
func hammingBytes(x, y []byte) int {
	n := 0
	for i := range x {
		n += bits.OnesCount8(x[i] ^ y[i])
	}
	return n
}
