package softmax

import (
	"math"
	"testing"
)

func TestSoftmax(t *testing.T) {
	x := make([]float64, 103)
	for i := range x {
		x[i] = float64(i%11) - 5
	}
	x[50] = math.Inf(-1)
	p := make([]float64, len(x))
	Softmax(p, x)
	sum := 0.0
	for i, v := range p {
		sum += v
		if math.IsInf(x[i], -1) != (v == 0) {
			t.Errorf("p[%d] = %g", i, v)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the sum is %g", sum)
	}
	if ratio := p[1] / p[0]; math.Abs(ratio-math.E) > 1e-12 {
		t.Errorf("scores that differ by 1 give %g", ratio)
	}
}
