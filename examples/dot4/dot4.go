// Package dot4 has dot products of four numbers.
package dot4

//go:generate go tool lanewise -tests .

// dot is one of them: too little for the call of a kernel.
//
//vec:func Dot
func dot(a, b *[4]float32) float32 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
}

// dots are the dot products of b with the rows of a.
//
//vec:func Dots
func dots(dst *[4]float32, a *[4][4]float32, b *[4]float32) {
	for i := range dst {
		dst[i] = a[i][0]*b[0] + a[i][1]*b[1] + a[i][2]*b[2] + a[i][3]*b[3]
	}
}

// lengths are the squares of the lengths of many vectors.
//
//vec:func Lengths
func lengths(dst []float32, vs [][4]float32) {
	for i := range dst {
		v := &vs[i]
		dst[i] = v[0]*v[0] + v[1]*v[1] + v[2]*v[2] + v[3]*v[3]
	}
}
