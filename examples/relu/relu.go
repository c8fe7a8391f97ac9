// Package relu is the rectifier of neural networks.
package relu

//go:generate go tool lanewise -tests .

// relu stores x into dst, and 0 where x is negative.
//
//vec:func ReLU
func relu(dst, x []float32) {
	for i, v := range x {
		if v < 0 {
			v = 0
		}
		dst[i] = v
	}
}

// reluInPlace sets the negative elements of x to 0.
//
//vec:func InPlace
func reluInPlace(x []float32) {
	for i := range x {
		if x[i] < 0 {
			x[i] = 0
		}
	}
}

// leaky scales the negative elements of x instead.
//
//vec:func Leaky
func leaky(dst, x []float32, slope float32) {
	for i, v := range x {
		if v < 0 {
			dst[i] = slope * v
		} else {
			dst[i] = v
		}
	}
}
