package vectorize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

const mapLoop = `
func @map(%%d ptr {elem %[2]d, len %%n}, %%x ptr {elem %[2]d, len %%n}, %%n i64, %%i0 i64) (i64) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%more = icmp.slt bool %%i, %%n
	br %%more, body, exit
body:
	iter
	%%v = load %[1]s [%%x + %%i*%[2]d]
	%%w = %[3]s
	store %[1]s %%w, [%%d + %%i*%[2]d]
	jmp latch
latch:
	%%step = const i64 1
	%%i1 = add i64 %%i, %%step
	jmp header
exit:
	ret %%i
}`

const foldLoop = `
func @fold(%%x ptr {elem %[2]d, len %%n}, %%n i64, %%i0 i64, %%m0 %[1]s) (i64, %[1]s) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%m = phi %[1]s [%%m0, entry], [%%m1, latch]
	%%more = icmp.slt bool %%i, %%n
	br %%more, body, exit
body:
	iter
	%%v = load %[1]s [%%x + %%i*%[2]d]
	%%m1 = %[3]s
	jmp latch
latch:
	%%step = const i64 1
	%%i1 = add i64 %%i, %%step
	jmp header
exit:
	ret %%i, %%m
}`

// TestThresholds compares the fewest iterations for which kernels are called: where the scalar loop is
// slow they are few.
func TestThresholds(t *testing.T) {
	least := func(loop, elem string, size int, op string) int64 {
		text := strings.TrimSpace(fmt.Sprintf(loop, elem, size, op)) + "\n"
		r, err := vectest.Region(text, plan.Clauses{Reassoc: true}, "i")
		if err != nil {
			t.Fatal(err)
		}
		k, _ := Run(r, target.AVX2(), Options{Verify: true})
		if k == nil {
			t.Fatalf("no kernel of\n%s", text)
		}
		return k.Min
	}
	for _, tt := range []struct {
		why          string
		fewer, other int64
	}{
		{"each maximum waits for the one before",
			least(foldLoop, "f64", 8, "fmax f64 %m, %v"), least(foldLoop, "f64", 8, "fadd f64 %m, %v")},
		{"each minimum waits, more than a sign",
			least(foldLoop, "f64", 8, "fmin f64 %m, %v"), least(mapLoop, "f64", 8, "fneg f64 %v")},
		{"rounding asks what the processor can do",
			least(mapLoop, "f64", 8, "ffloor f64 %v"), least(mapLoop, "f64", 8, "fneg f64 %v")},
		{"absolute values are those of float64",
			least(mapLoop, "f32", 4, "fabs f32 %v"), least(mapLoop, "f64", 8, "fabs f64 %v")},
		{"roots are slow one by one, and less slow in lanes",
			least(mapLoop, "f32", 4, "fsqrt f32 %v"), least(mapLoop, "f32", 4, "fneg f32 %v")},
		{"divisions of 8 bytes, too",
			least(mapLoop, "f64", 8, "fdiv f64 %v, %v"), least(mapLoop, "f64", 8, "fneg f64 %v")},
	} {
		if tt.fewer >= tt.other {
			t.Errorf("%s: from %d iterations on, not fewer than %d", tt.why, tt.fewer, tt.other)
		}
	}
}

const rareDivision = `
func @rare(%d ptr {elem 8, len %n}, %x ptr {elem 8, len %n}, %n i64, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%more = icmp.slt bool %i, %n
	br %more, body, exit
body:
	iter
	%v = load f64 [%x + %i*8]
	%one = const f64 1
	%c = fcmp.lt bool %v, %one
	br %c, then, latch
then:
	%q = fdiv f64 %one, %v
	%r = fdiv f64 %q, %v
	%s = fsqrt f64 %r
	store f64 %s, [%d + %i*8]
	jmp latch
latch:
	%step = const i64 1
	%i1 = add i64 %i, %step
	jmp header
exit:
	ret %i
}`

// TestRareDivisions: divisions and roots under a condition, which estimates of the scalar loop do not count,
// do not keep kernels from being called.
func TestRareDivisions(t *testing.T) {
	r, err := vectest.Region(strings.TrimSpace(rareDivision)+"\n", plan.Clauses{}, "i")
	if err != nil {
		t.Fatal(err)
	}
	k, _ := Run(r, target.AVX2(), Options{Verify: true})
	if k == nil {
		t.Fatal("no kernel")
	}
	if k.Min > 32 {
		t.Errorf("from %d iterations on", k.Min)
	}
}

// TestFirst asks for scalar iterations before the first call where loops may be left.
func TestFirst(t *testing.T) {
	for name, first := range map[string]int64{"exit": 4, "exit-behind-store": 4, "any-of-loaded": 0, "axpy": 0} {
		filetest.Run(t, "../testdata/loopvec/"+name+".txtar", func(t *testing.T, c *filetest.Case) {
			k, _ := Run(corpusRegion(t, c), target.AVX2(), Options{Verify: true})
			if k == nil {
				t.Fatal("no kernel")
			}
			if k.First != first || k.Min <= first {
				t.Errorf("want %d iterations first, have %d", first, k.First)
			}
		})
	}
}
