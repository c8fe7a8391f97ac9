// Package swaprb turns RGBA pixels into BGRA and back.
package swaprb

//go:generate go tool lanewise -tests .

// swap exchanges red and blue of pixels of four bytes in place.
//
//vec:func Swap
//vec:func SwapExclusive exclusive
func swap(pix []uint8) {
	for i := 0; i+3 < len(pix); i += 4 {
		pix[i], pix[i+2] = pix[i+2], pix[i]
	}
}

// copySwapped stores the pixels of src with red and blue exchanged.
//
//vec:func CopySwapped
func copySwapped(dst, src []uint8) {
	for i := range len(dst) / 4 {
		s, d := src[4*i:4*i+4], dst[4*i:4*i+4]
		d[0], d[1], d[2], d[3] = s[2], s[1], s[0], s[3]
	}
}
