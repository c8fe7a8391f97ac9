package pcm

import (
	"math"
	"slices"
	"testing"
)

func TestEverySampleComesBack(t *testing.T) {
	samples := make([]int16, 1<<16)
	for i := range samples {
		samples[i] = int16(i)
	}
	floats, back := make([]float32, len(samples)), make([]int16, len(samples))
	toFloat(floats, samples)
	fromFloat(back, floats)
	if !slices.Equal(back, samples) {
		t.Error("samples changed on the way to float and back")
	}
}

func TestFromFloatClamps(t *testing.T) {
	dst := make([]int16, 4)
	fromFloat(dst, []float32{1, -1.5, float32(math.Inf(1)), 0.5})
	if want := []int16{32767, -32768, 32767, 16384}; !slices.Equal(dst, want) {
		t.Errorf("fromFloat gave %v, want %v", dst, want)
	}
}
