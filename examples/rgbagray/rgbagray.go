// Package rgbagray converts interleaved RGBA pixels to luma.
package rgbagray

//go:generate go tool lanewise -tests .

// gray stores the luma of the pixels of src, four bytes each, into dst, with
// BT.601 weights in 1/256.
//
//vec:func Gray
func gray(dst, src []uint8) {
	for i := range dst {
		p := src[4*i : 4*i+4]
		dst[i] = uint8((77*uint32(p[0]) + 150*uint32(p[1]) + 29*uint32(p[2]) + 128) >> 8)
	}
}
