package scev_test

import (
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestMergedBoundsImplyBoth compares merged bounds with the two they are made of,
// for all small numbers.
func TestMergedBoundsImplyBoth(t *testing.T) {
	r := regiontest.Parse(t, `func @f(%x ptr {elem 4, len %n}, %n i64, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%c = icmp.slt bool %i, %n
	br %c, body, exit
body:
	iter
	jmp latch
latch:
	%one = const i64 1
	%i1 = add i64 %i, %one
	jmp header
exit:
	ret %i
}
`)
	sc := scev.New(r)
	n, i := plan.Param(1), plan.Param(2)
	merged, fewer := 0, 0
	for step := int64(-4); step <= 4; step++ {
		for d := int64(-5); d <= 5; d++ {
			for h := int64(-1); h <= 2; h++ {
				a := plan.Bound{Start: plan.Mul(i, plan.Const(step)), Step: step, Lo: plan.Const(0), Hi: n}
				b := plan.Bound{Start: plan.Add(a.Start, plan.Const(d)), Step: step, Lo: plan.Const(0), Hi: plan.Add(n, plan.Const(h))}
				m, ok := sc.Merge(a, b)
				if ok != (h >= 0) {
					t.Fatalf("step %d distance %d limits %d: merged %v", step, d, h, ok)
				}
				if !ok {
					continue
				}
				merged++
				for length := int64(0); length < 12; length++ {
					for start := int64(-4); start < 4; start++ {
						param := func(k int) int64 { return []int64{0, length, start}[k] }
						for iter := int64(0); iter < 12; iter++ {
							one, both := holds([]plan.Bound{m}, param, iter), holds([]plan.Bound{a, b}, param, iter)
							if one && !both {
								t.Fatalf("step %d distance %d limits %d length %d start %d iteration %d: %v", step, d, h, length, start, iter, m)
							}
							if both && !one {
								fewer++
							}
						}
					}
				}
			}
		}
	}
	if merged < 100 || fewer > 0 {
		t.Errorf("%d merged, %d hold for fewer iterations", merged, fewer)
	}
}
