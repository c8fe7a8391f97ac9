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

// doubleRound does a column round and a diagonal round on a state in memory. Lanes are
// quarter rounds.
//
//vec:func DoubleRound
func doubleRound(s *[16]uint32) {
	mixWords(s, 0, 4, 8, 12)
	mixWords(s, 1, 5, 9, 13)
	mixWords(s, 2, 6, 10, 14)
	mixWords(s, 3, 7, 11, 15)
	mixWords(s, 0, 5, 10, 15)
	mixWords(s, 1, 6, 11, 12)
	mixWords(s, 2, 7, 8, 13)
	mixWords(s, 3, 4, 9, 14)
}

// mixWords is a quarter round on words of a state.
func mixWords(s *[16]uint32, a, b, c, d int) {
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 16)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 12)
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 8)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 7)
}

// oneBlock stores the block of the key stream that comes of a state.
//
//vec:func OneBlock
func oneBlock(dst, state *[16]uint32) {
	*dst = *state
	for range 10 {
		mixWords(dst, 0, 4, 8, 12)
		mixWords(dst, 1, 5, 9, 13)
		mixWords(dst, 2, 6, 10, 14)
		mixWords(dst, 3, 7, 11, 15)
		mixWords(dst, 0, 5, 10, 15)
		mixWords(dst, 1, 6, 11, 12)
		mixWords(dst, 2, 7, 8, 13)
		mixWords(dst, 3, 4, 9, 14)
	}
	for i, x := range state {
		dst[i] += x
	}
}

// oneBlockLocal does the same with variables, which the compiler keeps in registers for
// the most part. Lanes would wait for each other as long: the twin is the original.
//
//vec:func OneBlockLocal
func oneBlockLocal(dst, s *[16]uint32) {
	x0, x1, x2, x3 := s[0], s[1], s[2], s[3]
	x4, x5, x6, x7 := s[4], s[5], s[6], s[7]
	x8, x9, x10, x11 := s[8], s[9], s[10], s[11]
	x12, x13, x14, x15 := s[12], s[13], s[14], s[15]
	for range 10 {
		x0, x4, x8, x12 = quarterRound(x0, x4, x8, x12)
		x1, x5, x9, x13 = quarterRound(x1, x5, x9, x13)
		x2, x6, x10, x14 = quarterRound(x2, x6, x10, x14)
		x3, x7, x11, x15 = quarterRound(x3, x7, x11, x15)
		x0, x5, x10, x15 = quarterRound(x0, x5, x10, x15)
		x1, x6, x11, x12 = quarterRound(x1, x6, x11, x12)
		x2, x7, x8, x13 = quarterRound(x2, x7, x8, x13)
		x3, x4, x9, x14 = quarterRound(x3, x4, x9, x14)
	}
	dst[0], dst[1], dst[2], dst[3] = x0+s[0], x1+s[1], x2+s[2], x3+s[3]
	dst[4], dst[5], dst[6], dst[7] = x4+s[4], x5+s[5], x6+s[6], x7+s[7]
	dst[8], dst[9], dst[10], dst[11] = x8+s[8], x9+s[9], x10+s[10], x11+s[11]
	dst[12], dst[13], dst[14], dst[15] = x12+s[12], x13+s[13], x14+s[14], x15+s[15]
}
