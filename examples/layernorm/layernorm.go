// Package layernorm is the last step of layer normalization.
package layernorm

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
