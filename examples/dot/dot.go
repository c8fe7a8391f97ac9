// Package dot multiplies two vectors element by element and sums up. Float sums
// need the reassoc clause: several partial sums give other roundings than one.
package dot

//go:generate go tool lanewise -tests .

// dotFloat32 is the scalar product of x and y.
//
//vec:func Float32 reassoc
func dotFloat32(x, y []float32) float32 {
	var s float32
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// dotInt16 is the scalar product of x and y, summed up in 32 bits that wrap.
//
//vec:func Int16
func dotInt16(x, y []int16) int32 {
	var s int32
	for i, v := range x {
		s += int32(v) * int32(y[i])
	}
	return s
}
