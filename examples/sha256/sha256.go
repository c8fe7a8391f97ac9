// Package sha256 expands messages as the SHA-2 hashes do.
package sha256

import "math/bits"

//go:generate go tool lanewise -tests .

// schedule fills w behind its first 16 words. Two words at a time do not depend on each
// other, which is too little.
//
//vec:func Schedule
func schedule(w *[64]uint32) {
	for i := 16; i < 64; i++ {
		w[i] = low(w[i-15]) + w[i-7] + high(w[i-2]) + w[i-16]
	}
}

func low(x uint32) uint32 { return bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3 }

func high(x uint32) uint32 { return bits.RotateLeft32(x, -17) ^ bits.RotateLeft32(x, -19) ^ x>>10 }
