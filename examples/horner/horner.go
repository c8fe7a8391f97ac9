// Package horner evaluates a polynomial at many points.
package horner

//go:generate go tool lanewise -tests .

// Coefficients of the Taylor polynomial of exp.
const (
	c0 = 1
	c1 = 1
	c2 = 1.0 / 2
	c3 = 1.0 / 6
	c4 = 1.0 / 24
	c5 = 1.0 / 120
)

// exp5 stores an approximation of exp(x) into dst, good to about 2e-5 for
// |x| <= 0.5. The products round, as Go without fusion rounds them.
//
//vec:func Exp5
func exp5(dst, x []float32) {
	for i, v := range x {
		dst[i] = ((((c5*v+c4)*v+c3)*v+c2)*v+c1)*v + c0
	}
}

// exp5Fused may fuse products and sums.
//
//vec:func Exp5Fused contract
func exp5Fused(dst, x []float32) {
	for i, v := range x {
		dst[i] = ((((c5*v+c4)*v+c3)*v+c2)*v+c1)*v + c0
	}
}

// polynomial stores the values at x of the polynomial with the given coefficients,
// that of the highest power first. Lanes are points.
//
//vec:func Polynomial
func polynomial(dst, x, coefficients []float32) {
	for i, v := range x {
		var p float32
		for _, c := range coefficients {
			p = p*v + c
		}
		dst[i] = p
	}
}
