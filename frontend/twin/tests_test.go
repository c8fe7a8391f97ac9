package twin

import "testing"

func TestLoopDepth(t *testing.T) {
	for body, want := range map[string]int{
		"x[0] = 1": 0,
		"for i := range x { x[i]++ }; for range 3 { x[0]++ }":       1,
		"for range x { for range y { x[0]++ } }":                    2,
		"for i := range x { y = append(y, x[i], 0) }":               1,
		"for i := range x { s.y = append(s.y, x[i]) }":              1,
		"for i := range x { y = append(x, x[i]) }":                  2,
		"for range x { y = append(y, x...) }":                       2,
		"for range x { for range y { copy(x, y) } }":                3,
		"for range x { clear(y) }":                                  2,
		"for i := range x { x[i] = min(x[i], int32(len(y))) }":      1,
		"for range x { y = make([]int32, len(x)) }; clear(x)":       2,
		"copy := func(a, b []int32) {}\nfor range x { copy(x, y) }": 1,
	} {
		b := newBuilder(t, "package p\nfunc f(x, y []int32, s struct{ y []int32 }) {\n"+body+"\n}\n")
		d, _ := b.decl("f")
		if got := newFile(b.pkg, b.ks, b.options()).loopDepth(d.Body); got != want {
			t.Errorf("%s: depth %d, want %d", body, got, want)
		}
	}
}
