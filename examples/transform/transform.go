// Package transform has transforms of 8 points, as image and sound codecs need them.
package transform

//go:generate go tool lanewise -tests .

// dctColumns does a scaled discrete cosine transform of the 8 columns of x, by Arai, Agui
// and Nakajima ("A Fast DCT-SQ Scheme for Images", 1988).
//
//vec:func DCTColumns
func dctColumns(x *[64]float32) {
	for i := range 8 {
		s07, d07 := x[i]+x[56+i], x[i]-x[56+i]
		s16, d16 := x[8+i]+x[48+i], x[8+i]-x[48+i]
		s25, d25 := x[16+i]+x[40+i], x[16+i]-x[40+i]
		s34, d34 := x[24+i]+x[32+i], x[24+i]-x[32+i]

		even, odd := s07+s34, s07-s34
		inner, outer := s16+s25, s16-s25
		x[i], x[32+i] = even+inner, even-inner
		turned := (outer + odd) * 0.707106781
		x[16+i], x[48+i] = odd+turned, odd-turned

		a, b, c := d34+d25, d25+d16, d16+d07
		z5 := (a - c) * 0.382683433
		z2, z4, z3 := 0.541196100*a+z5, 1.306562965*c+z5, b*0.707106781
		p, m := d07+z3, d07-z3
		x[40+i], x[24+i] = m+z2, m-z2
		x[8+i], x[56+i] = p+z4, p-z4
	}
}

// hadamard is the Walsh-Hadamard transform of 8 numbers.
//
//vec:func Hadamard
func hadamard(x *[8]int32) {
	for i := range 4 {
		x[i], x[i+4] = x[i]+x[i+4], x[i]-x[i+4]
	}
	for _, i := range [4]int{0, 1, 4, 5} {
		x[i], x[i+2] = x[i]+x[i+2], x[i]-x[i+2]
	}
	for i := 0; i < 8; i += 2 {
		x[i], x[i+1] = x[i]+x[i+1], x[i]-x[i+1]
	}
}

// butterfly is a step of a fast Fourier transform: four pairs, turned by w.
//
//vec:func Butterfly
func butterfly(a, b *[4]complex128, w *[4]complex128) {
	for i := range a {
		t := w[i] * b[i]
		a[i], b[i] = a[i]+t, a[i]-t
	}
}
