package prefixsum

import "testing"

func TestSums(t *testing.T) {
	for n := range 150 {
		x, y, sums, before := make([]int32, n), make([]float32, n), make([]int32, n), make([]int32, n)
		floats, most := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i] = int32(i*i%13 - 5)
			y[i] = float32(x[i])
		}
		Int32(sums, x)
		all := Offsets(before, x)
		Float32(floats, y)
		Max(most, y)
		s, m := int32(0), float32(-5)
		for i, v := range x {
			if before[i] != s {
				t.Fatalf("Offsets: %d at %d, want %d", before[i], i, s)
			}
			s, m = s+v, max(m, y[i])
			if sums[i] != s || floats[i] != float32(s) || most[i] != m {
				t.Fatalf("sums %d and %v, maximum %v at %d, want %d and %v", sums[i], floats[i], most[i], i, s, m)
			}
		}
		if all != s {
			t.Fatalf("Offsets = %d, want %d", all, s)
		}
	}
}
