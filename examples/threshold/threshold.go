// Package threshold turns gray images into black and white ones.
package threshold

//go:generate go tool lanewise -tests .

// binarize stores 255 into dst where src is at least t, and 0 elsewhere.
//
//vec:func Binarize
func binarize(dst, src []uint8, t uint8) {
	for i, v := range src {
		if v >= t {
			dst[i] = 255
		} else {
			dst[i] = 0
		}
	}
}

// cut sets pixels darker than t to black and leaves the others alone: they are
// not written at all.
//
//vec:func Cut
func cut(img []uint8, t uint8) {
	for i, v := range img {
		if v < t {
			img[i] = 0
		}
	}
}
