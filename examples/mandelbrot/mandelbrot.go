// Package mandelbrot counts how many steps of z*z + c it takes to get away, for many
// points c.
package mandelbrot

//go:generate go tool lanewise -tests .

// row32 stores for the points re[i] + im*i after how many steps they are farther than
// 2 from the origin, limit if they are not by then.
//
//vec:func Row32
func row32(steps []int32, re []float32, im float32, limit int32) {
	for i := range steps {
		cr := re[i]
		zr, zi := cr, im
		var n int32
		for n < limit {
			rr, ii := zr*zr, zi*zi
			if rr+ii > 4 {
				break
			}
			zi = 2*zr*zi + im
			zr = rr - ii + cr
			n++
		}
		steps[i] = n
	}
}

// row64 is row32 in float64, where pictures can be smaller.
//
//vec:func Row64
func row64(steps []int32, re []float64, im float64, limit int32) {
	for i := range steps {
		cr := re[i]
		zr, zi := cr, im
		var n int32
		for n < limit {
			rr, ii := zr*zr, zi*zi
			if rr+ii > 4 {
				break
			}
			zi = 2*zr*zi + im
			zr = rr - ii + cr
			n++
		}
		steps[i] = n
	}
}
