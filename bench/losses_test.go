package main

import (
	"math"
	"testing"
)

func TestVectorsFrom(t *testing.T) {
	code := "package p\n\nfunc A(x []int) {\n\tif n := len(x); n >= 24 && cpu.AVX2 {\n\t}\n\tif n >= 12 && cpu.AVX2 {\n\t}\n}\n\nfunc AB(x []int) {\n\tif n >= 7 && cpu.AVX2 {\n\t}\n}\n"
	for twin, want := range map[string]int{"A": 12, "AB": 7, "C": math.MaxInt} {
		if got := vectorsFrom(code, twin); got != want {
			t.Errorf("%s: got %d, want %d", twin, got, want)
		}
	}
}

// What shows in one build alone is no loss; what shows in both is.
func TestLossesInAllBuilds(t *testing.T) {
	measured := func(lines ...[3]string) *loss {
		l := newLoss("p/F", 8)
		for _, m := range lines {
			l.see(m[0], m[1], m[2])
		}
		return l
	}
	a := measured([3]string{"3", "10", "15"}, [3]string{"4", "10", "12"}, [3]string{"9", "10", "20"})
	b := measured([3]string{"3", "10", "10.5"}, [3]string{"4", "10", "11.5"}, [3]string{"9", "10", "9"})
	if x, n := a.worst(true); x != 5 || n != 3 || !a.loses() {
		t.Errorf("first build: got %v at %d", x, n)
	}
	a.both(b)
	if x, n := a.worst(true); x != 1.5 || n != 4 {
		t.Errorf("both: got %v at %d, want 1.5 at 4", x, n)
	}
	if x, n := a.worst(false); x != 0.9 || n != 9 {
		t.Errorf("both, above: got %v at %d, want 0.9 at 9", x, n)
	}
}
