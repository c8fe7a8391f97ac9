// Package premultiply multiplies colors with their alpha.
package premultiply

//go:generate go tool lanewise -tests .

// A Pixel is a color with straight or premultiplied alpha.
type Pixel struct{ R, G, B, A float32 }

// premultiply multiplies the colors of pixels with their alpha, in place.
//
//vec:func Premultiply
func premultiply(ps []Pixel) {
	for i := range ps {
		p := &ps[i]
		p.R *= p.A
		p.G *= p.A
		p.B *= p.A
	}
}

// copyPremultiplied stores the pixels of src, premultiplied.
//
//vec:func CopyPremultiplied
func copyPremultiplied(dst, src []Pixel) {
	for i, p := range src {
		dst[i] = Pixel{p.R * p.A, p.G * p.A, p.B * p.A, p.A}
	}
}
