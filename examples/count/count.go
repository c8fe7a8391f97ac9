// Package count counts the elements that meet a condition.
package count

//go:generate go tool lanewise -tests .

// countAbove is the number of elements of x above t.
//
//vec:func Above
func countAbove(x []float32, t float32) int {
	n := 0
	for _, v := range x {
		if v > t {
			n++
		}
	}
	return n
}

// countByte is the number of bytes of b that equal c.
//
//vec:func Byte
func countByte(b []byte, c byte) int {
	n := 0
	for _, v := range b {
		if v == c {
			n++
		}
	}
	return n
}
