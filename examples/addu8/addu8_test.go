package addu8

import "testing"

func TestAllPairs(t *testing.T) {
	var dst, x, y [256]uint8
	for a := range 256 {
		for b := range 256 {
			x[b], y[b] = uint8(a), uint8(b)
		}
		check := func(name string, f func(dst, x, y []uint8), want func(b int) int) {
			f(dst[:], x[:], y[:])
			for b := range 256 {
				if int(dst[b]) != want(b) {
					t.Fatalf("%s(%d, %d) = %d, want %d", name, a, b, dst[b], want(b))
				}
			}
		}
		check("add", add, func(b int) int { return (a + b) & 255 })
		check("addSat", addSat, func(b int) int { return min(a+b, 255) })
		check("maxOf", maxOf, func(b int) int { return max(a, b) })
	}
}
