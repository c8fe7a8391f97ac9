package chacha20

import "testing"

// The example of RFC 8439, 2.3.2.
var (
	key   = [8]uint32{0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c}
	nonce = [3]uint32{0x09000000, 0x4a000000, 0x00000000}
	block = [16]uint32{
		0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
		0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
		0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
		0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2,
	}
)

func TestBlockOfTheStandard(t *testing.T) {
	for _, f := range []func(dst [][16]uint32, key *[8]uint32, counter uint32, nonce *[3]uint32){keyStream, KeyStream} {
		for _, n := range []int{1, 8, 19} {
			dst := make([][16]uint32, n)
			for at := range dst {
				f(dst, &key, uint32(1-at), &nonce)
				if dst[at] != block {
					t.Fatalf("of %d blocks, number %d is %#x", n, at, dst[at])
				}
			}
		}
	}
}

func TestOneBlock(t *testing.T) {
	state := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	copy(state[4:], key[:])
	state[12] = 1
	copy(state[13:], nonce[:])
	for _, f := range []func(dst, state *[16]uint32){oneBlock, OneBlock, oneBlockLocal, OneBlockLocal} {
		var dst [16]uint32
		if f(&dst, &state); dst != block {
			t.Errorf("got %#x", dst)
		}
	}
	x, y := state, state
	doubleRound(&x)
	if DoubleRound(&y); x != y {
		t.Errorf("%#x instead of %#x", y, x)
	}
}
