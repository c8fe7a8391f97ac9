// Package first looks for the first number outside of limits, and sums up what
// comes before it.
package first

//go:generate go tool lanewise -tests .

// firstAbove is the position of the first number of x above limit, or NaN; len(x)
// when there is none.
//
//vec:func FirstAbove
func firstAbove(x []float32, limit float32) int {
	for i, v := range x {
		if !(v <= limit) {
			return i
		}
	}
	return len(x)
}

// take copies numbers from src to dst until one is negative, and returns how many
// and their sum.
//
//vec:func Take
func take(dst, src []int32) (n int, sum int32) {
	for i, v := range src {
		if v < 0 {
			n = i
			return n, sum
		}
		dst[i] = v
		sum += v
	}
	return len(src), sum
}
