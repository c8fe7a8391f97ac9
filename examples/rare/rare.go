// Package rare holds loops with branches that are expensive and rarely taken. Their
// kernels jump over what no lane of a block needs.
package rare

//go:generate go tool lanewise -tests .

import "math"

// limit bends samples above a threshold so that none gets to twice the threshold. Those
// below stay as they are: a signal that is not too loud is only looked at.
//
//vec:func Limit
func limit(x []float32, threshold float32) {
	for i, v := range x {
		if v > threshold {
			over := (v - threshold) / threshold
			x[i] = threshold * (1 + over/float32(math.Sqrt(float64(1+over*over))))
		}
	}
}

// slowDown stores a factor for each velocity that is faster than most, which brings it
// down to that.
//
//vec:func SlowDown
func slowDown(factors, vx, vy []float64, most float64) {
	for i, x := range vx {
		y := vy[i]
		if l := x*x + y*y; l > most*most {
			factors[i] = most / math.Sqrt(l)
		}
	}
}

// invert stores the inverses of large elements.
//
//vec:func Invert
func invert(dst, x []float64, limit float64) {
	for i, v := range x {
		if v > limit {
			dst[i] = 1 / v
		}
	}
}

// expNear stores exp(x), by few terms near 0 and by ten elsewhere.
//
//vec:func ExpNear
func expNear(dst, x []float32) {
	for i, v := range x {
		y := (0.5*v+1)*v + 1
		if v > 0.01 || v < -0.01 {
			y = 1.0/362880*v + 1.0/40320
			y = y*v + 1.0/5040
			y = y*v + 1.0/720
			y = y*v + 1.0/120
			y = y*v + 1.0/24
			y = y*v + 1.0/6
			y = y*v + 0.5
			y = y*v + 1
			y = y*v + 1
		}
		dst[i] = y
	}
}

// penalize adds to the scores of items whose values are above a threshold. There is
// next to nothing to jump over.
//
//vec:func Penalize
func penalize(score, x []float32, threshold, penalty float32) {
	for i, v := range x {
		if v > threshold {
			score[i] += penalty
		}
	}
}
