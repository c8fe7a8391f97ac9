// Package number has what Go has no functions for.
package number

// GCD is the greatest common divisor of x and y, not negative; that of 0 and y is the size of y.
func GCD(x, y int64) int64 {
	for x != 0 {
		x, y = y%x, x
	}
	return max(y, -y)
}

// FloorDiv is x divided by y, which is not 0, rounded down.
func FloorDiv(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}
