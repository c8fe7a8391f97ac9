// Package collatz follows the 3n+1 problem from many numbers at once.
package collatz

//go:generate go tool lanewise -tests .

// lengths stores how many steps it takes from each number to 1. A number 0 has none.
//
//vec:func Lengths
func lengths(dst, x []uint32) {
	for i, v := range x {
		var n uint32
		for v > 1 {
			if v%2 == 0 {
				v /= 2
			} else {
				v = 3*v + 1
			}
			n++
		}
		dst[i] = n
	}
}
