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

func TestLooksAtBits(t *testing.T) {
	for body, want := range map[string]bool{
		"y[0] = math.Float32bits(x[0])":                  true,
		"if math.Signbit(float64(x[0])) { y[0]++ }":      true,
		"x[0] = float32(math.Abs(float64(x[0])))":        false,
		"Signbit := func(float32) {}\nSignbit(x[0])":     false,
		"m := math.Copysign\nx[0] = float32(m(1, -0.5))": true,
	} {
		b := newBuilder(t, "package p\nimport \"math\"\nfunc f(x []float32, y []uint32) {\n"+body+"\n_ = math.Pi\n}\n")
		d, _ := b.decl("f")
		if got := newFile(b.pkg, b.ks, b.options()).looksAtBits(d.Body); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
