package mathlib

import "math"

// A Rare argument is one that a vector does not do: the kernel stops before its iteration.
type Rare struct{}

// rare hands an argument of which is holds over to the function in math. The frontend makes
// of it what leaves a kernel.
func rare(is bool) {
	if is {
		panic(Rare{})
	}
}

const (
	bias     = 1023
	mantissa = 52
)

// shifted is x + by in the lower bits, up to bit 51; those above are something else. Both are
// whole, and their sum is below 1<<51 in magnitude.
func shifted(x, by float64) uint64 { return math.Float64bits(x + (3<<(mantissa-1) + by)) }

// fromInt is a natural number below 1<<52 as a float.
func fromInt(x uint64) float64 {
	const exponent = (bias + mantissa) << mantissa
	return math.Float64frombits(x|exponent) - 1<<mantissa
}
