package pixel4

import "testing"

func TestOver(t *testing.T) {
	src, want := Color{.25, .5, 0, .5}, Color{.75, .5, .5, 1}
	for _, f := range []func(dst, src *Color){over, Over} {
		dst := Color{1, 0, 1, 1}
		if f(&dst, &src); dst != want {
			t.Errorf("got %v", dst)
		}
	}
	dst, srcs := make([]Color, 17), make([]Color, 17)
	dst[16], srcs[16] = Color{1, 0, 1, 1}, src
	if OverAll(dst, srcs); dst[16] != want {
		t.Errorf("got %v", dst[16])
	}
}

func TestMix8(t *testing.T) {
	for _, f := range []func(dst, src *[4]uint8, alpha uint8){mix8, Mix8} {
		for alpha, want := range map[uint8][4]uint8{0: {10, 20, 30, 40}, 255: {200, 100, 0, 255}, 51: {48, 36, 24, 83}} {
			dst := [4]uint8{10, 20, 30, 40}
			if f(&dst, &[4]uint8{200, 100, 0, 255}, alpha); dst != want {
				t.Errorf("alpha %d: %v instead of %v", alpha, dst, want)
			}
		}
	}
}

func TestAverage(t *testing.T) {
	var block [16]Color
	for i := range block {
		block[i] = Color{float32(i), 1, 2 * float32(i), 0}
	}
	for _, f := range []func(dst *Color, block *[16]Color){average, Average} {
		var dst Color
		if f(&dst, &block); dst != (Color{7.5, 1, 15, 0}) {
			t.Errorf("got %v", dst)
		}
	}
}

func TestBlur(t *testing.T) {
	for _, f := range []func(row []Color, k float32){blur, Blur} {
		row := []Color{{1, 2, 4, 8}, {}, {}, {0, 0, 0, 8}}
		f(row, .5)
		for i, want := range []Color{{.5, 1, 2, 4}, {.25, .5, 1, 2}, {.125, .25, .5, 1}, {.0625, .125, .25, 4.5}} {
			if row[i] != want {
				t.Errorf("pixel %d is %v", i, row[i])
			}
		}
	}
}
