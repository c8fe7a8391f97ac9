package optvls

import "testing"

func TestKinds(t *testing.T) {
	u := -1
	for _, c := range []struct {
		n     int
		lanes []int
		want  Kind
	}{
		{4, []int{0, 1, 2, 3}, Identity},
		{4, []int{0, u, u, 3}, Identity},
		{2, []int{0, 1, u, u}, Widen},
		{4, []int{2, 3}, Extract},
		{4, []int{6, 7}, Extract},
		{4, []int{1, 2}, Permute},
		{4, []int{2, 2, 2, 2}, Broadcast},
		{4, []int{u, 2, u, 2}, Broadcast},
		{4, []int{3, 2, 1, 0}, Reverse},
		{2, []int{0, 1, 2, 3}, Concat},
		{4, []int{0, 5, 2, 7}, Select},
		{4, []int{0, 4, 2, 6}, Transpose},
		{4, []int{1, 5, 3, 7}, Transpose},
		{4, []int{0, 4, 1, 5}, Unpack},
		{4, []int{2, 6, 3, 7}, Unpack},
		{8, []int{0, 8, 1, 9, 4, 12, 5, 13}, UnpackIn},
		{8, []int{2, 10, 3, 11, 6, 14, 7, 15}, UnpackIn},
		{8, []int{0, 8, 1, 9, 6, 14, 7, 15}, Permute2}, // low and high
		{4, []int{0, 2, 4, 6}, Even},
		{4, []int{1, 3, 5, 7}, Even},
		{4, []int{0, 2}, Even},
		{4, []int{3, 4, 5, 6}, Align},
		{4, []int{0, 1, 6, 7}, Select}, // before halves
		{4, []int{2, 3, 6, 7}, Halves},
		{4, []int{0, 1, 4, 5}, Halves},
		{4, []int{2, 3, 0, 1}, Halves},
		{4, []int{1, 0, 3, 2}, Permute},
		{4, []int{1, 5, 2, 6}, Permute2},
	} {
		if got := KindOf(c.n, c.lanes); got != c.want {
			t.Errorf("%d lanes %v: %v, want %v", c.n, c.lanes, got, c.want)
		}
	}
}
