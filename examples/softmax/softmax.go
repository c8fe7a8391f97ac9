// Package softmax turns scores into probabilities, one exponential for each.
package softmax

import "math"

//go:generate go tool lanewise -tests .

// softmax stores the probabilities of scores x: their exponentials over the sum of all.
//
//vec:func Softmax reassoc
func softmax(dst, x []float64) {
	m := math.Inf(-1)
	for _, v := range x {
		m = max(m, v)
	}
	sum := 0.0
	for i, v := range x {
		e := math.Exp(v - m)
		dst[i] = e
		sum += e
	}
	for i := range x {
		dst[i] /= sum
	}
}

// sigmoid stores the logistic function of x in single precision.
//
//vec:func Sigmoid
func sigmoid(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
}
