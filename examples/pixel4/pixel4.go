// Package pixel4 works on pixels of four channels, one at a time and many.
package pixel4

//go:generate go tool lanewise -tests .

// A Color has red, green, blue and alpha, premultiplied.
type Color [4]float32

// over lays src over dst.
//
//vec:func Over
func over(dst, src *Color) {
	k := 1 - src[3]
	for c := range dst {
		dst[c] = src[c] + dst[c]*k
	}
}

// overAll lays an image over another.
//
//vec:func OverAll
func overAll(dst, src []Color) {
	for i := range dst {
		k := 1 - src[i][3]
		for c := range dst[i] {
			dst[i][c] = src[i][c] + dst[i][c]*k
		}
	}
}

// mix8 mixes 8-bit pixels: alpha of 255 gives src.
//
//vec:func Mix8
func mix8(dst, src *[4]uint8, alpha uint8) {
	a := uint32(alpha)
	for c := range dst {
		dst[c] = uint8((uint32(src[c])*a + uint32(dst[c])*(255-a) + 127) / 255)
	}
}

// average is the mean color of 4 by 4 pixels, row by row.
//
//vec:func Average
func average(dst *Color, block *[16]Color) {
	for c := range dst {
		var sum float32
		for i := range block {
			sum += block[i][c]
		}
		dst[c] = sum / 16
	}
}

// blur is one step of a filter with feedback: each pixel waits for the one before, its
// channels do not.
//
//vec:func Blur
func blur(row []Color, k float32) {
	var last Color
	for i := range row {
		p := &row[i]
		for c := range p {
			last[c] += (p[c] - last[c]) * k
			p[c] = last[c]
		}
	}
}
