// Package normalize scales vectors to length 1.
package normalize

import "math"

//go:generate go tool lanewise -tests .

// normalize divides vectors by their lengths, in place.
//
//vec:func Normalize
func normalize(vs [][3]float64) {
	for i := range vs {
		v := &vs[i]
		k := 1 / math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])
		v[0] *= k
		v[1] *= k
		v[2] *= k
	}
}

// norms stores the lengths of vectors.
//
//vec:func Norms
func norms(dst []float32, vs [][4]float32) {
	for i, v := range vs {
		dst[i] = float32(math.Sqrt(float64(v[0]*v[0] + v[1]*v[1] + v[2]*v[2] + v[3]*v[3])))
	}
}
