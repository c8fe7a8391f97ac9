package gosem

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// ofBits is what package math/bits has for operands of w bits.
func ofBits(op vir.Op, w int) Func {
	one := func(f8 func(uint8) uint64, f16 func(uint16) uint64, f32 func(uint32) uint64, f64 func(uint64) uint64) Func {
		switch w {
		case 8:
			return func(x, _, _ uint64) (uint64, bool) { return f8(uint8(x)), true }
		case 16:
			return func(x, _, _ uint64) (uint64, bool) { return f16(uint16(x)), true }
		case 32:
			return func(x, _, _ uint64) (uint64, bool) { return f32(uint32(x)), true }
		}
		return func(x, _, _ uint64) (uint64, bool) { return f64(x), true }
	}
	switch op {
	case vir.OpClz:
		return one(number(bits.LeadingZeros8), number(bits.LeadingZeros16), number(bits.LeadingZeros32), number(bits.LeadingZeros64))
	case vir.OpCtz:
		return one(number(bits.TrailingZeros8), number(bits.TrailingZeros16), number(bits.TrailingZeros32), number(bits.TrailingZeros64))
	case vir.OpPopcnt:
		return one(number(bits.OnesCount8), number(bits.OnesCount16), number(bits.OnesCount32), number(bits.OnesCount64))
	case vir.OpBitrev:
		return one(same(bits.Reverse8), same(bits.Reverse16), same(bits.Reverse32), same(bits.Reverse64))
	case vir.OpBswap:
		return one(same(func(x uint8) uint8 { return x }), same(bits.ReverseBytes16), same(bits.ReverseBytes32), same(bits.ReverseBytes64))
	case vir.OpRotl:
		return rotate(w)
	}
	return nil
}

func number[U unsigned](f func(U) int) func(U) uint64 {
	return func(x U) uint64 { return uint64(f(x)) }
}

func same[U unsigned](f func(U) U) func(U) uint64 {
	return func(x U) uint64 { return uint64(f(x)) }
}

// rotate takes counts modulo the width, so that they are no negative ints.
func rotate(w int) Func {
	return func(x, y, _ uint64) (uint64, bool) {
		n := int(y % uint64(w))
		switch w {
		case 8:
			return uint64(bits.RotateLeft8(uint8(x), n)), true
		case 16:
			return uint64(bits.RotateLeft16(uint16(x), n)), true
		case 32:
			return uint64(bits.RotateLeft32(uint32(x), n)), true
		}
		return bits.RotateLeft64(x, n), true
	}
}
