package mandelbrot

import (
	"image"
	"image/color"
)

// A Rows is Row32 or the function that it is made from: one row of a picture.
type Rows func(steps []int32, re []float32, im float32, limit int32)

// Picture is the part of the plane from -2 to 1 and from -1.2 to 1.2, w pixels wide:
// points that stay for limit steps are black.
func Picture(w int, limit int32, row Rows) image.Image {
	h := w * 4 / 5
	p := image.NewGray(image.Rect(0, 0, w, h))
	re, steps := make([]float32, w), make([]int32, w)
	for x := range re {
		re[x] = -2 + 3*float32(x)/float32(w)
	}
	for y := range h {
		row(steps, re, 1.2-2.4*float32(y)/float32(h), limit)
		for x, n := range steps {
			p.SetGray(x, y, shade(n, limit))
		}
	}
	return p
}

func shade(n, limit int32) color.Gray {
	if n == limit {
		return color.Gray{}
	}
	return color.Gray{Y: uint8(255 - 191*n/(n+16))}
}
