package number

import (
	"math"
	"testing"
)

func TestGCD(t *testing.T) {
	for _, c := range [][3]int64{{0, 0, 0}, {0, -6, 6}, {6, 0, 6}, {4, 6, 2}, {-4, 6, 2}, {9, -15, 3}, {7, 5, 1}} {
		if got := GCD(c[0], c[1]); got != c[2] {
			t.Errorf("GCD(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestFloorDiv(t *testing.T) {
	for x := int64(-20); x <= 20; x++ {
		for y := int64(-5); y <= 5; y++ {
			if y == 0 {
				continue
			}
			if got, want := FloorDiv(x, y), int64(math.Floor(float64(x)/float64(y))); got != want {
				t.Errorf("FloorDiv(%d, %d) = %d, want %d", x, y, got, want)
			}
		}
	}
}
