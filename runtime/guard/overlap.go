package guard

import (
	"math"
	"math/bits"
	"unsafe"
)

// Clear reports whether b+boff lies at most lo or at least hi bytes after
// a+aoff: outside the window of distances at which two streams that walk in
// step would meet in the wrong order.
func Clear(a, b unsafe.Pointer, aoff, boff, lo, hi int) bool {
	d := int(uintptr(b)-uintptr(a)) + (boff - aoff)
	return d <= lo || d >= hi
}

// Disjoint reports whether two streams of n iterations touch no common byte.
// Iteration t of the first touches asize bytes at a + aoff + t*astep, the second
// likewise. Streams that interleave without touching count as touching.
func Disjoint(a unsafe.Pointer, aoff, astep, asize int, b unsafe.Pointer, boff, bstep, bsize, n int) bool {
	if n <= 0 {
		return true
	}
	alo, ahi, aok := extent(uintptr(a), aoff, astep, asize, n)
	blo, bhi, bok := extent(uintptr(b), boff, bstep, bsize, n)
	return aok && bok && (ahi <= blo || bhi <= alo)
}

// Follows reports whether b+boff is a+aoff or lies behind it: a stream from a that
// is no faster than one from b stays behind it.
func Follows(a, b unsafe.Pointer, aoff, boff int) bool {
	return int(uintptr(b)-uintptr(a))+(boff-aoff) >= 0
}

// far bounds every term of an address, so that sums of four cannot overflow.
const far = math.MaxInt >> 2

// extent is the range of addresses [lo, hi) of a stream, not ok when its
// arithmetic leaves the integers. n is positive.
func extent(p uintptr, off, step, size, n int) (lo, hi int, ok bool) {
	over, span := bits.Mul(uint(n-1), magnitude(step))
	if over != 0 || span > far || magnitude(off) > far || p > far || uint(size) > far {
		return 0, 0, false
	}
	first := int(p) + off
	if step < 0 {
		return first - int(span), first + size, true
	}
	return first, first + int(span) + size, true
}

// magnitude is |x|, also of the smallest integer.
func magnitude(x int) uint {
	if x < 0 {
		return -uint(x)
	}
	return uint(x)
}
