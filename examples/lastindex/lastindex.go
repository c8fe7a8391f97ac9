// Package lastindex finds the last element that meets a condition.
package lastindex

//go:generate go tool lanewise -tests .

// lastAbove is the last element of x above limit with its index; found says whether
// there is one.
//
//vec:func LastAbove
func lastAbove(x []float32, limit float32) (v float32, at int, found bool) {
	for i := range x {
		if x[i] > limit {
			v, at, found = x[i], i, true
		}
	}
	return v, at, found
}

// lastByte is the index of the last c in x, -1 without any.
//
//vec:func LastByte
func lastByte(x []byte, c byte) int {
	at := -1
	for i, v := range x {
		if v == c {
			at = i
		}
	}
	return at
}

// fill sets zeros of x to the last element before them that is none.
//
//vec:func Fill
func fill(x []int32) {
	var last int32
	for i, v := range x {
		if v != 0 {
			last = v
		}
		x[i] = last
	}
}
