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

// ClearFew is Clear, or, for calls of few iterations, Clear of another window.
func ClearFew(a, b unsafe.Pointer, aoff, boff, lo, hi int, few bool, lofew, hifew int) bool {
	d := int(uintptr(b)-uintptr(a)) + (boff - aoff)
	return d <= lo || d >= hi || few && (d <= lofew || d >= hifew)
}

// Disjoint reports whether two streams of n iterations touch no common byte.
// Iteration t of the first touches asize bytes at a + aoff + t*astep, the second
// likewise. Streams that interleave without touching count as touching.
func Disjoint(a unsafe.Pointer, aoff, astep, asize int, b unsafe.Pointer, boff, bstep, bsize, n int) bool {
	if n <= 0 {
		return true
	}
	walk := uint(n-1) | uint(astep+longWalk) | uint(bstep+longWalk)
	place := uint(uintptr(a)|uintptr(b)) | uint(aoff+farPlace) | uint(boff+farPlace) | uint(asize|bsize)
	if walk >= 2*longWalk || place >= 2*farPlace {
		return slowlyDisjoint(a, aoff, astep, asize, b, boff, bstep, bsize, n)
	}
	aspan, bspan := (n-1)*astep, (n-1)*bstep
	afirst, bfirst := int(uintptr(a))+aoff, int(uintptr(b))+boff
	return afirst+max(aspan, 0)+asize <= bfirst+min(bspan, 0) || bfirst+max(bspan, 0)+bsize <= afirst+min(aspan, 0)
}

// Numbers of iterations and steps up to longWalk, and all else of a stream up to farPlace, are added
// up without overflow.
const longWalk, farPlace = 1 << 29, 1 << 60

// slowlyDisjoint is Disjoint of any numbers.
func slowlyDisjoint(a unsafe.Pointer, aoff, astep, asize int, b unsafe.Pointer, boff, bstep, bsize, n int) bool {
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
