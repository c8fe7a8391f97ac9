// Package yuv converts pictures from YUV to RGBA.
package yuv

//go:generate go tool lanewise -tests .

// clamp8 brings x into a byte.
func clamp8(x int32) uint8 { return uint8(min(max(x, 0), 255)) }

// to444 stores RGBA pixels of three planes of the same size, BT.601 in 1/256.
//
//vec:func To444
func to444(dst, y, u, v []uint8) {
	for i := range y {
		c := 298 * (int32(y[i]) - 16)
		d := int32(u[i]) - 128
		e := int32(v[i]) - 128
		p := dst[4*i : 4*i+4]
		p[0] = clamp8((c + 409*e + 128) >> 8)
		p[1] = clamp8((c - 100*d - 208*e + 128) >> 8)
		p[2] = clamp8((c + 516*d + 128) >> 8)
		p[3] = 255
	}
}

// row420 stores RGBA pixels of a row of y with the rows of u and v that belong to
// it, which have half as many samples.
//
//vec:func Row420
func row420(dst, y, u, v []uint8) {
	for i := range y {
		c := 298 * (int32(y[i]) - 16)
		d := int32(u[i/2]) - 128
		e := int32(v[i/2]) - 128
		p := dst[4*i : 4*i+4]
		p[0] = clamp8((c + 409*e + 128) >> 8)
		p[1] = clamp8((c - 100*d - 208*e + 128) >> 8)
		p[2] = clamp8((c + 516*d + 128) >> 8)
		p[3] = 255
	}
}

// luma stores the luma of RGBA pixels, the way back.
//
//vec:func Luma
func luma(y, src []uint8) {
	for i := range y {
		r, g, b := int32(src[4*i]), int32(src[4*i+1]), int32(src[4*i+2])
		y[i] = uint8((66*r+129*g+25*b+128)>>8 + 16)
	}
}
