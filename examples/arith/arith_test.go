package arith

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// results are those of all functions for one pair of operands, as text: there
// NaNs are equal and zeros are not.
func results[T number](x, y []T) string {
	var all []string
	for _, f := range []func(dst, x, y []T){add[T], sub[T], mul[T], smaller[T], larger[T]} {
		dst := make([]T, len(x))
		f(dst, x, y)
		all = append(all, fmt.Sprint(dst))
	}
	scaled := make([]T, len(x))
	scale(scaled, x, y[0])
	return strings.Join(append(all, fmt.Sprint(sum(x)), fmt.Sprint(scaled)), " ")
}

func TestResults(t *testing.T) {
	var (
		nan      = math.NaN()
		negative = math.Copysign(0, -1)
	)
	for _, tt := range []struct{ kind, got, want string }{
		// x+y, x-y, x*y, min(x, y), max(x, y), the sum of x, y[0]*x
		{"int8", results([]int8{100, -128}, []int8{100, -1}),
			"[-56 127] [0 -127] [16 -128] [100 -128] [100 -1] -28 [16 0]"},
		{"int16", results([]int16{30000, -32768}, []int16{3, -1}),
			"[30003 32767] [29997 -32767] [24464 -32768] [3 -32768] [30000 -1] -2768 [24464 -32768]"},
		{"int32", results([]int32{1 << 30, -1 << 31}, []int32{3, -1}),
			"[1073741827 2147483647] [1073741821 -2147483647] [-1073741824 -2147483648] [3 -2147483648] [1073741824 -1] -1073741824 [-1073741824 -2147483648]"},
		{"int64", results([]int64{1 << 40, -1 << 63}, []int64{-3 << 30, 1}),
			"[1096290402304 -9223372036854775807] [1102732853248 9223372036854775807] [0 -9223372036854775808] [-3221225472 -9223372036854775808] [1099511627776 1] -9223370937343148032 [0 0]"},
		{"uint8", results([]uint8{200, 3}, []uint8{100, 5}),
			"[44 8] [100 254] [32 15] [100 3] [200 5] 203 [32 44]"},
		{"uint16", results([]uint16{1 << 15, 3}, []uint16{3, 5}),
			"[32771 8] [32765 65534] [32768 15] [3 3] [32768 5] 32771 [32768 9]"},
		{"uint32", results([]uint32{1 << 31, 3}, []uint32{3, 5}),
			"[2147483651 8] [2147483645 4294967294] [2147483648 15] [3 3] [2147483648 5] 2147483651 [2147483648 9]"},
		{"uint64", results([]uint64{1 << 63, 3}, []uint64{3, 5}),
			"[9223372036854775811 8] [9223372036854775805 18446744073709551614] [9223372036854775808 15] [3 3] [9223372036854775808 5] 9223372036854775811 [9223372036854775808 9]"},
		{"float32", results([]float32{1 << 24, 0.5}, []float32{1, 0.25}),
			"[1.6777216e+07 0.75] [1.6777215e+07 0.25] [1.6777216e+07 0.125] [1 0.25] [1.6777216e+07 0.5] 1.6777216e+07 [1.6777216e+07 0.5]"},
		{"float64", results([]float64{0, negative, nan}, []float64{negative, 1, 1}),
			"[0 1 NaN] [0 -1 NaN] [-0 -0 NaN] [-0 -0 NaN] [0 1 NaN] NaN [-0 0 NaN]"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got\n%s, want\n%s", tt.kind, tt.got, tt.want)
		}
	}
}
