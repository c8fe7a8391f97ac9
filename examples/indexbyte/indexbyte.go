// Package indexbyte looks for a byte. The loop is left as soon as it is found: the
// kernel looks at whole blocks, and stops before the one that holds it.
package indexbyte

//go:generate go tool lanewise -tests .

// indexByte is the position of the first c in x, -1 when there is none.
//
//vec:func IndexByte
func indexByte(x []byte, c byte) int {
	for i, b := range x {
		if b == c {
			return i
		}
	}
	return -1
}
