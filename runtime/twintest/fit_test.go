package twintest

import (
	"reflect"
	"testing"
)

// TestFitsAreFound has functions that panic unless their arguments fit.
func TestFitsAreFound(t *testing.T) {
	type indexed struct {
		key  uint16
		rest float32
	}
	for name, f := range map[string]any{
		"two strided stores": func(dst, l, r []float32) {
			for i := range l {
				dst[2*i], dst[2*i+1] = l[i], r[i]
			}
		},
		"two strided slices": func(dst, src, x []int16) {
			for i := range x {
				dst[3*i] = src[4*i+3] + x[i]
			}
		},
		"slices of slices": func(dst, src []byte) {
			for i := range dst {
				_ = src[4*i : 4*i+4]
			}
		},
		"gather": func(dst, src []float32, idx []int32) {
			for i := range dst {
				dst[i] = src[idx[i]]
			}
		},
		"gather of neighbours": func(dst, src []float32, idx []int64) {
			for i, k := range idx {
				dst[i] = src[k] + src[k+1]
			}
		},
		"indices in structs": func(dst []float32, src []int8, idx []indexed) {
			for i := range idx {
				dst[i] = float32(src[idx[i].key])
			}
		},
		"array": func(dst []int32, src *[7]int32, idx []int8) {
			for i := range dst {
				dst[i] = src[idx[i]]
			}
		},
		"matrix": func(y, a, x []float32) {
			for i := range y {
				for j := range x {
					y[i] += a[i*len(x)+j] * x[j]
				}
			}
		},
		"rows": func(y []float32, a [][]float32, x []float32) {
			for i := range y {
				for j := range x {
					y[i] += a[i][j] * x[j]
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{31, 256, 4096} {
				in := inputFor(t, f)
				in.n = n
				scalar, _ := in.calls(func(args []reflect.Value) (func(), func()) {
					return func() { reflect.ValueOf(f).Call(args) }, nil
				})
				if scalar == nil {
					t.Errorf("n=%d: no arguments found", n)
				}
			}
		})
	}
}

// TestCasesFitAndPanic counts the calls of the original that return: most
// cases fit, the others keep the panics under test.
func TestCasesFitAndPanic(t *testing.T) {
	calls, returns := 0, 0
	f := func(dst, l []float32, idx []int32) {
		calls++
		for i := range l {
			dst[2*i+1] = l[idx[i]]
		}
		returns++
	}
	Check(t, f, f, Block(16))
	if returns < calls/3 || returns > calls*9/10 {
		t.Errorf("%d of %d calls return", returns, calls)
	}
}
