// Package planar takes packed pixels apart into planes.
package planar

//go:generate go tool lanewise -tests .

// split stores the channels of pixels of three bytes as planes.
//
//vec:func Split
func split(r, g, b, src []uint8) {
	for i := range r {
		r[i] = src[3*i]
		g[i] = src[3*i+1]
		b[i] = src[3*i+2]
	}
}

// join stores planes as pixels of three bytes.
//
//vec:func Join
func join(dst, r, g, b []uint8) {
	for i := range r {
		dst[3*i] = r[i]
		dst[3*i+1] = g[i]
		dst[3*i+2] = b[i]
	}
}

// toRGBA stores pixels of three bytes as opaque pixels of four.
//
//vec:func ToRGBA
func toRGBA(dst, src []uint8) {
	for i := range len(dst) / 4 {
		s, d := src[3*i:3*i+3], dst[4*i:4*i+4]
		d[0], d[1], d[2], d[3] = s[0], s[1], s[2], 255
	}
}
