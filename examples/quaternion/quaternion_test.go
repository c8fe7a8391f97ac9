package quaternion

import "testing"

var i, j, k = Quaternion{X: 1}, Quaternion{Y: 1}, Quaternion{Z: 1}

func TestRulesOfHamilton(t *testing.T) {
	minus := Quaternion{W: -1}
	for _, c := range []struct{ p, q, want Quaternion }{
		{i, j, k}, {j, k, i}, {k, i, j}, {i, i, minus}, {j, j, minus}, {k, k, minus}, {j, i, Quaternion{Z: -1}},
	} {
		for _, f := range []func(dst, p, q *Quaternion){mul, Mul} {
			var dst Quaternion
			if f(&dst, &c.p, &c.q); dst != c.want {
				t.Errorf("%v * %v = %v", c.p, c.q, dst)
			}
		}
	}
	for _, f := range []func([]Quaternion) Quaternion{chain, Chain} {
		if p := f([]Quaternion{i, j, k}); p != minus {
			t.Errorf("ijk = %v", p)
		}
	}
	qs := make([]Quaternion, 19)
	for n := range qs {
		qs[n] = j
	}
	Turn(qs, i)
	for n := range qs {
		if qs[n] != k {
			t.Fatalf("ij = %v", qs[n])
		}
	}
}
