// Package sobel finds edges in pictures of bytes.
package sobel

//go:generate go tool lanewise -tests .

// edges stores how steep the picture is at every pixel that has eight neighbours,
// 255 at most; width is the number of pixels in a row. Those at the rim stay.
//
//vec:func Edges
func edges(dst, src []uint8, width int) {
	for y := 1; y < len(src)/width-1; y++ {
		above, here, below := src[(y-1)*width:y*width], src[y*width:(y+1)*width], src[(y+1)*width:(y+2)*width]
		out := dst[y*width : (y+1)*width]
		for x := 1; x < len(out)-1; x++ {
			gx := int(above[x+1]) + 2*int(here[x+1]) + int(below[x+1]) -
				int(above[x-1]) - 2*int(here[x-1]) - int(below[x-1])
			gy := int(below[x-1]) + 2*int(below[x]) + int(below[x+1]) -
				int(above[x-1]) - 2*int(above[x]) - int(above[x+1])
			if gx < 0 {
				gx = -gx
			}
			if gy < 0 {
				gy = -gy
			}
			out[x] = uint8(min(gx+gy, 255))
		}
	}
}
