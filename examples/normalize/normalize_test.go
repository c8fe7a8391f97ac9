package normalize

import "testing"

func TestNormalize(t *testing.T) {
	vs := [][3]float64{{0, 4, 0}, {-0.5, 0, 0}}
	normalize(vs)
	if vs[0] != [3]float64{0, 1, 0} || vs[1] != [3]float64{-1, 0, 0} {
		t.Errorf("normalize gave %v", vs)
	}
}

func TestNorms(t *testing.T) {
	dst := make([]float32, 2)
	norms(dst, [][4]float32{{1, 1, 1, 1}, {0, 3, 0, 4}})
	if dst[0] != 2 || dst[1] != 5 {
		t.Errorf("norms gave %v", dst)
	}
}
