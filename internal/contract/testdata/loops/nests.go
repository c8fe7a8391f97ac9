package loops

//vec:func Matvec
func matvec(y, m, x []float64, w int) {
	for i := range y {
		s := 0.0
		for j := range w {
			s += m[i*w+j] * x[j]
		}
		y[i] = s
	}
}

//vec:func Blur
func blur(dst, src []int32, w, h int) {
	for y := 1; y+1 < h; y++ {
		for x := 1; x+1 < w; x++ {
			i := y*w + x
			dst[i] = (src[i-w] + src[i+w] + src[i-1] + src[i+1]) >> 2
		}
	}
}

//vec:func ScaleRows
func scaleRows(m [][]float32, k []float32) {
	for i, row := range m {
		for j := range row {
			row[j] *= k[i]
		}
	}
}

//vec:func MaskRows
func maskRows(m [][]uint8, limit uint8) {
	for _, row := range m {
		for j, v := range row {
			if v > limit {
				row[j] = limit
			}
		}
	}
}

//vec:func Steps
func steps(dst []int32, x []uint32) {
	for i, v := range x {
		n := int32(0)
		for v > 1 && n < 40 {
			if v&1 == 0 {
				v /= 2
			} else {
				v = 3*v + 1
			}
			n++
		}
		dst[i] = n
	}
}

//vec:func Columns
func columns(dst []int32, m []int32, w int) {
	for j := range dst {
		s := int32(0)
		for i := range w {
			s += m[i*w+j]
		}
		dst[j] = s
	}
}
