package yuv

import (
	"slices"
	"testing"
)

var (
	black = []uint8{0, 0, 0, 255}
	white = []uint8{255, 255, 255, 255}
	red   = []uint8{255, 1, 0, 255}
)

func TestTo444(t *testing.T) {
	dst := make([]uint8, 12)
	to444(dst, []uint8{16, 235, 82}, []uint8{128, 128, 90}, []uint8{128, 128, 240})
	if want := slices.Concat(black, white, red); !slices.Equal(dst, want) {
		t.Errorf("to444 gave %v, want %v", dst, want)
	}
}

func TestRow420(t *testing.T) {
	dst := make([]uint8, 12)
	row420(dst, []uint8{16, 235, 82}, []uint8{128, 90}, []uint8{128, 240})
	if want := slices.Concat(black, white, red); !slices.Equal(dst, want) {
		t.Errorf("row420 gave %v, want %v", dst, want)
	}
}

func TestLuma(t *testing.T) {
	y := make([]uint8, 3)
	luma(y, slices.Concat(black, white, red))
	if want := []uint8{16, 235, 82}; !slices.Equal(y, want) {
		t.Errorf("luma gave %v, want %v", y, want)
	}
}
