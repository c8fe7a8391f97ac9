package lastindex

import (
	"bytes"
	"testing"
)

func TestLast(t *testing.T) {
	for n := range 300 {
		x, b := make([]float32, n), make([]byte, n)
		for p := range n {
			x[p], b[p] = float32(p+2), 7
			if v, at, found := LastAbove(x, 1); v != x[p] || at != p || !found {
				t.Fatalf("LastAbove = %v, %d, %v, want the element at %d", v, at, found, p)
			}
			if at := LastByte(b, 7); at != bytes.LastIndexByte(b, 7) {
				t.Fatalf("LastByte = %d, want %d", at, p)
			}
			if p >= 1 {
				x[p-1] = 0
			}
		}
		if _, at, found := LastAbove(x, 1000); at != 0 || found {
			t.Errorf("LastAbove = %d, %v without any", at, found)
		}
	}
}

func TestFill(t *testing.T) {
	x := make([]int32, 100)
	for i := range x {
		if i%7 == 3 {
			x[i] = int32(i)
		}
	}
	Fill(x)
	for i, v := range x {
		if want := max((i-3)/7*7+3, 0); i >= 3 && int(v) != want || i < 3 && v != 0 {
			t.Errorf("%d at %d, want %d", v, i, want)
		}
	}
}
