// Package boxblur smooths pictures of bytes.
package boxblur

//go:generate go tool lanewise -tests .

// blur3x3 stores the mean of each pixel and its eight neighbours; width is the number
// of pixels in a row. Pixels at the rim stay as they are.
//
//vec:func Blur3x3
func blur3x3(dst, src []uint8, width int) {
	for y := 1; y < len(src)/width-1; y++ {
		out := dst[y*width : (y+1)*width]
		for x := 1; x < len(out)-1; x++ {
			s := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					s += int(src[(y+dy)*width+x+dx])
				}
			}
			out[x] = uint8((s + 4) / 9)
		}
	}
}
