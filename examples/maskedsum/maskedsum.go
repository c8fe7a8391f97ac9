// Package maskedsum adds up chosen elements.
package maskedsum

//go:generate go tool lanewise -tests .

// maskedSum adds up the elements of x for which keep is set, in any order.
//
//vec:func Float32 reassoc
func maskedSum(x []float32, keep []bool) float32 {
	var s float32
	for i, v := range x {
		if keep[i] {
			s += v
		}
	}
	return s
}

// positiveSum adds up the positive elements of x and counts them.
//
//vec:func PositiveInt32
func positiveSum(x []int32) (sum int32, n int) {
	for _, v := range x {
		if v > 0 {
			sum += v
			n++
		}
	}
	return sum, n
}
