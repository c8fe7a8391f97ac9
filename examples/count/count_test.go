package count

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	x := []float32{1, 2, 3, float32(math.NaN())}
	if got := countAbove(x, 1); got != 2 {
		t.Errorf("countAbove(%v, 1) = %d, want 2", x, got)
	}
	if got := countByte([]byte("banana"), 'a'); got != 3 {
		t.Errorf("countByte = %d, want 3", got)
	}
}
