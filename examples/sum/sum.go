// Package sum adds up the elements of a slice.
package sum

//go:generate go tool lanewise -tests .

// sumFloat32 adds up x, in any order.
//
//vec:func Float32 reassoc
func sumFloat32(x []float32) float32 {
	var s float32
	for _, v := range x {
		s += v
	}
	return s
}

// sumInt32 adds up x; the sum wraps.
//
//vec:func Int32
func sumInt32(x []int32) int32 {
	var s int32
	for _, v := range x {
		s += v
	}
	return s
}

// sumBytes adds up bytes into a wider sum.
//
//vec:func Bytes
func sumBytes(x []byte) int {
	s := 0
	for _, v := range x {
		s += int(v)
	}
	return s
}
