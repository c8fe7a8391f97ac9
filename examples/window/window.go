// Package window computes elements from those around them, as many as a call says, also at the edges.
package window

//go:generate go tool lanewise -tests .

// highest stores the largest of each element and the w-1 behind it. It panics unless x is longer than dst by
// as much.
//
//vec:func Highest
func highest(dst, x []float64, w int) {
	for i := range dst {
		m := x[i]
		for j := 1; j < w; j++ {
			m = max(m, x[i+j])
		}
		dst[i] = m
	}
}

// sums stores the sum of each element and those that are at most r away.
//
//vec:func Sums
func sums(dst, x []int32, r int) {
	for i := range x {
		s := int32(0)
		for _, v := range x[max(i-r, 0):min(i+r+1, len(x))] {
			s += v
		}
		dst[i] = s
	}
}

// filter stores x filtered by k, whose middle is at the element. What lies beyond the edges is as the element at the edge.
//
//vec:func Filter
func filter(dst, x, k []float32) {
	for i := range dst {
		s := float32(0)
		for j, c := range k {
			s += c * x[min(max(i+j-len(k)/2, 0), len(x)-1)]
		}
		dst[i] = s
	}
}

// dilate stores for each pixel of a picture the largest of those that are at most r away in both directions, but for a
// margin of r pixels.
//
//vec:func Dilate
func dilate(dst, src []uint8, width, height, r int) {
	for y := r; y < height-r; y++ {
		for x := r; x < width-r; x++ {
			m := uint8(0)
			for j := y - r; j <= y+r; j++ {
				for i := x - r; i <= x+r; i++ {
					m = max(m, src[j*width+i])
				}
			}
			dst[y*width+x] = m
		}
	}
}
