// Package chacha20 makes the key stream of the ChaCha20 cipher, RFC 8439.
package chacha20

import "math/bits"

//go:generate go tool lanewise -tests .

// keyStream stores blocks of the key stream of key, which has 32 bytes as 8 words,
// and nonce, from block number counter on. A lane is a block.
//
//vec:func KeyStream
func keyStream(dst [][16]uint32, key *[8]uint32, counter uint32, nonce *[3]uint32) {
	for i := range dst {
		in := [16]uint32{
			0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
			key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7],
			counter + uint32(i), nonce[0], nonce[1], nonce[2],
		}
		x := in
		for range 10 {
			x[0], x[4], x[8], x[12] = quarterRound(x[0], x[4], x[8], x[12])
			x[1], x[5], x[9], x[13] = quarterRound(x[1], x[5], x[9], x[13])
			x[2], x[6], x[10], x[14] = quarterRound(x[2], x[6], x[10], x[14])
			x[3], x[7], x[11], x[15] = quarterRound(x[3], x[7], x[11], x[15])
			x[0], x[5], x[10], x[15] = quarterRound(x[0], x[5], x[10], x[15])
			x[1], x[6], x[11], x[12] = quarterRound(x[1], x[6], x[11], x[12])
			x[2], x[7], x[8], x[13] = quarterRound(x[2], x[7], x[8], x[13])
			x[3], x[4], x[9], x[14] = quarterRound(x[3], x[4], x[9], x[14])
		}
		for j, v := range x {
			dst[i][j] = v + in[j]
		}
	}
}

func quarterRound(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}
