package vectorize

import (
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

const axpy = `func @axpy(%x ptr {elem 4, len %x_len}, %x_len i64, %y ptr {elem 4, len %y_len}, %y_len i64, %a f32, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%c = icmp.slt bool %i, %y_len
	br %c, body, exit
body:
	iter
	check.index %i, %x_len
	%xv = load f32 [%x + %i*4]
	%p = fmul f32 %a, %xv
	%yv = load f32 [%y + %i*4]
	%s = fadd f32 %yv, %p
	store f32 %s, [%y + %i*4]
	jmp latch
latch:
	%one = const i64 1
	%i1 = add i64 %i, %one
	jmp header
exit:
	ret %i
}
`

func TestAxpy(t *testing.T) {
	r, err := vectest.Region(axpy, plan.Clauses{}, "i")
	if err != nil {
		t.Fatal(err)
	}
	k, remarks := Run(r, target.AVX2(), Options{Verify: true})
	for _, m := range remarks {
		t.Logf("%s %v", m, m.Args)
	}
	if k == nil || remarks[len(remarks)-1].Kind != diag.Passed {
		t.Fatal("not vectorized")
	}
	t.Logf("%s", k.Fn)
}
