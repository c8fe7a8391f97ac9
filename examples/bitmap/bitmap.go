// Package bitmap has one bit for each element, 64 in a word, as columns of data bases do.
package bitmap

//go:generate go tool lanewise -tests .

// above sets the bits of the elements of x that are above limit.
//
//vec:func Above
func above(bits []uint64, x []int32, limit int32) {
	for i, v := range x {
		if v > limit {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
}

// sum adds up the elements of x whose bits are set.
//
//vec:func Sum
func sum(x []int64, bits []uint64) (s int64) {
	for i, v := range x {
		if bits[i>>6]>>(i&63)&1 != 0 {
			s += v
		}
	}
	return s
}

// bools stores which bits are set.
//
//vec:func Bools
func bools(dst []bool, bits []uint64) {
	for i := range dst {
		dst[i] = bits[i>>6]>>(i&63)&1 != 0
	}
}

// sums adds each element of x to the sum of its block of 64.
//
//vec:func Sums
func sums(sum, x []int32) {
	for i, v := range x {
		sum[i/64] += v
	}
}

// distinct moves the elements of x together that differ from the one before them, and returns how many there are.
//
//vec:func Distinct
func distinct(x []int32) int {
	if len(x) == 0 {
		return 0
	}
	k := 1
	for i := 1; i < len(x); i++ {
		if x[i] != x[k-1] {
			x[k] = x[i]
			k++
		}
	}
	return k
}
