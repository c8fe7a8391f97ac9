// Package gray converts planar RGB to luma.
package gray

//go:generate go tool lanewise -tests .

// gray stores the luma of the pixels of three planes into dst, with BT.601
// weights in 1/256.
//
//vec:func Gray
func gray(dst, r, g, b []uint8) {
	for i := range dst {
		dst[i] = uint8((77*uint32(r[i]) + 150*uint32(g[i]) + 29*uint32(b[i]) + 128) >> 8)
	}
}
