// Package blend mixes images of 8-bit samples.
package blend

//go:generate go tool lanewise -tests .

// blend mixes src into dst with an opacity of its own for each sample.
//
//vec:func Blend
func blend(dst, src, alpha []uint8) {
	for i, a := range alpha {
		v := uint16(src[i])*uint16(a) + uint16(dst[i])*uint16(255-a) + 128
		dst[i] = uint8((v + v>>8) >> 8) // v/255, rounded
	}
}

// fade mixes src into dst with one opacity for all samples.
//
//vec:func Fade
func fade(dst, src []uint8, alpha uint8) {
	a := uint32(alpha)
	for i := range dst {
		dst[i] = uint8((uint32(src[i])*a + uint32(dst[i])*(255-a) + 127) / 255)
	}
}
