// Package indexany looks for either of two bytes.
package indexany

//go:generate go tool lanewise -tests .

// indexEither is the position of the first byte of s that is a or b, -1 when there
// is none.
//
//vec:func IndexEither
func indexEither(s string, a, b byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == a || s[i] == b {
			return i
		}
	}
	return -1
}
