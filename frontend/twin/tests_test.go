package twin

import (
	"go/types"
	"testing"
)

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

// TestStartsGoroutines asks of bodies.
func TestStartsGoroutines(t *testing.T) {
	for body, want := range map[string]bool{
		"x[0] = 1":  false,
		"go f(nil)": true,
		"g(x)":      true,
		"var w sync.WaitGroup; w.Go(func() { x[0] = 1 }); w.Wait()":             true,
		"var w sync.Once; w.Do(func() { x[0] = 1 })":                            false,
		"slices.SortFunc(x, func(a, b int32) int { return int(a - b) })":        false,
		"parallel.For(len(x), func(i int) { x[i]++ })":                          true,
		"each := func(i int) { x[i]++ }; for range 3 { parallel.For(9, each) }": true,
		"for range parallel.Least(len(x)) { x[0]++ }":                           false,
	} {
		b := newBuilder(t, "package p\nimport (\"example.com/parallel\"; \"slices\"; \"sync\")\n"+
			"var _, _, _ = parallel.Least, slices.Max[[]int], sync.OnceFunc\n"+
			"func g(x []int32) { for i := range x { go func() { x[i] = 0 }() } }\n"+
			"func f(x []int32) {\n"+body+"\n}\n")
		d, _ := b.decl("f")
		if got := newFile(b.pkg, b.ks, b.options()).startsGoroutines(d); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

func TestMayEndProcess(t *testing.T) {
	for body, want := range map[string]bool{
		"x[0] = 1": false,
		"y = make([]int32, len(x)); _ = make([]int, 8)":         false,
		"y = make([]int32, n)":                                  true,
		"y = make([]int32, 0, 2*len(x))":                        true,
		"for i := range x { y = append(y, x[i]) }":              false,
		"for i := range n { y = append(y, int32(i)) }":          true,
		"for n > 0 { for range x { y = append(y, 0) }; n-- }":   true,
		"for range n { f(x, y, n) }":                            true,
		"sum(x, n)":                                             false,
		"y = ones(n)":                                           true,
		"even(n)":                                               true,
		"y[0] = int32(bits.Len(uint(n)))":                       false,
		"_ = strings.Repeat(string(rune(n)), n)":                true,
		"make := func(n int) []int32 { return x }; y = make(n)": false,
	} {
		b := newBuilder(t, "package p\nimport (\"math/bits\"; \"strings\")\nvar _, _ = bits.Len, strings.Index\n"+
			"func sum(x []int32, n int) { for i := range n { x[i]++ } }\n"+
			"func ones(n int) []int32 { return make([]int32, n) }\n"+
			"func even(n int) bool { return n == 0 || odd(n-1) }\n"+
			"func odd(n int) bool { return n != 0 && even(n-1) }\n"+
			"func f(x, y []int32, n int) {\n"+body+"\n}\n")
		d, _ := b.decl("f")
		fn := b.pkg.TypesInfo.Defs[d.Name].(*types.Func)
		if got := newFile(b.pkg, b.ks, b.options()).mayEndProcess(fn, d); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
