package dot4

import "testing"

func TestDots(t *testing.T) {
	a, b := [4]float32{1, 2, 3, 4}, [4]float32{5, -6, 7, 8}
	if dot(&a, &b) != 46 || Dot(&a, &b) != 46 {
		t.Errorf("%v and %v", dot(&a, &b), Dot(&a, &b))
	}
	rows := [4][4]float32{a, b, {1}, {0, 1}}
	for _, f := range []func(dst *[4]float32, a *[4][4]float32, b *[4]float32){dots, Dots} {
		var dst [4]float32
		if f(&dst, &rows, &b); dst != [4]float32{46, 174, 5, -6} {
			t.Errorf("got %v", dst)
		}
	}
	dst := make([]float32, 13)
	Lengths(dst, [][4]float32{11: b, 12: a})
	if dst[11] != 174 || dst[12] != 30 {
		t.Errorf("got %v", dst)
	}
}
