package pass

import "math"

const (
	// CallTime is about how long one call of a kernel may take, in nanoseconds: as long as the garbage collector
	// and other goroutines of the same thread may have to wait for it.
	CallTime = 50_000

	// Clock and Bandwidth are those of a slow machine: cycles, and bytes from memory, in a nanosecond.
	Clock     = 3.0
	Bandwidth = 10.0

	line = 64 // bytes of a cache line
)

// Transfer is the time that an access of size bytes takes where it comes from memory, in nanoseconds. Accesses that
// are scattered, to anywhere in memory, move whole lines.
func Transfer(size int64, scattered bool) float64 {
	if scattered {
		size = max(size, line)
	}
	return float64(size) / Bandwidth
}

// Strip is how many iterations one call may do, each of which takes ns nanoseconds: the power of two that comes closest
// to CallTime, at most most and at least least, both of which are powers of two themselves.
func (u *Unit) Strip(ns float64, least, most int64) int64 {
	for most > least && (u.Brief || float64(most)*ns > CallTime*math.Sqrt2) {
		most /= 2
	}
	return most
}
