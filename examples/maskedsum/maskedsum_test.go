package maskedsum

import "testing"

func TestMaskedSum(t *testing.T) {
	if got := maskedSum([]float32{1, 2, 4}, []bool{true, false, true}); got != 5 {
		t.Errorf("maskedSum = %v, want 5", got)
	}
	if s, n := positiveSum([]int32{-5, 3, 0, 4}); s != 7 || n != 2 {
		t.Errorf("positiveSum = %d, %d, want 7, 2", s, n)
	}
}
