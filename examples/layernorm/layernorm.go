// Package layernorm is the last step of layer normalization.
package layernorm

import "math"

//go:generate go tool lanewise -tests .

// affine stores the normalized x, scaled by gamma and shifted by beta, into dst.
// inv is one over the standard deviation.
//
//vec:func Affine
func affine(dst, x, gamma, beta []float32, mean, inv float32) {
	for i, v := range x {
		dst[i] = (v-mean)*inv*gamma[i] + beta[i]
	}
}

// norm stores x with mean 0 and variance 1, scaled by gamma and shifted by beta, into dst.
//
//vec:func Norm reassoc
func norm(dst, x, gamma, beta []float32) {
	var sum float32
	for _, v := range x {
		sum += v
	}
	mean := sum / float32(len(x))
	var squares float32
	for _, v := range x {
		d := v - mean
		squares += d * d
	}
	inv := 1 / float32(math.Sqrt(float64(squares/float32(len(x))+1e-5)))
	for i, v := range x {
		dst[i] = (v-mean)*inv*gamma[i] + beta[i]
	}
}
