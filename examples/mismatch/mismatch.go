// Package mismatch compares slices. The condition to go on may stand in the loop
// header as well.
package mismatch

//go:generate go tool lanewise -tests .

// equal reports whether x and y hold the same numbers.
//
//vec:func Equal
func equal(x, y []int32) bool {
	if len(x) != len(y) {
		return false
	}
	for i, v := range x {
		if v != y[i] {
			return false
		}
	}
	return true
}

// commonPrefix is the length of the longest common prefix of x and y.
//
//vec:func CommonPrefix
func commonPrefix(x, y []byte) int {
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
