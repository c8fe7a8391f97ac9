package mandelbrot

import (
	"bytes"
	"image/png"
	"slices"
	"testing"
)

func TestSteps(t *testing.T) {
	steps := make([]int32, 5)
	row32(steps, []float32{0, 3, 1, -2, 0.5}, 0, 50)
	if want := []int32{50, 0, 2, 50, 4}; !slices.Equal(steps, want) {
		t.Errorf("row32 gave %v, want %v", steps, want)
	}
	row64(steps, []float64{0, 3, 1, -2, 0.5}, 0, 50)
	if want := []int32{50, 0, 2, 50, 4}; !slices.Equal(steps, want) {
		t.Errorf("row64 gave %v, want %v", steps, want)
	}
}

// TestPicturesAreEqual compares whole files.
func TestPicturesAreEqual(t *testing.T) {
	const width, limit = 201, 300
	scalar, vector := file(t, width, limit, rounded), file(t, width, limit, Row32)
	if !bytes.Equal(scalar, vector) {
		t.Error("the twin draws another picture")
	}
	if other := file(t, width, limit/10, Row32); bytes.Equal(other, vector) {
		t.Error("the limit does not show")
	}
}

// rounded is row32 with every product rounded by itself, whatever fuses the others.
func rounded(steps []int32, re []float32, im float32, limit int32) {
	for i, cr := range re {
		zr, zi := cr, im
		var n int32
		for n < limit && float32(zr*zr)+float32(zi*zi) <= 4 {
			zr, zi = float32(zr*zr)-float32(zi*zi)+cr, float32(2*zr*zi)+im
			n++
		}
		steps[i] = n
	}
}

func file(t *testing.T, width int, limit int32, row Rows) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, Picture(width, limit, row)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
