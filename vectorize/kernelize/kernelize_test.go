package kernelize

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/verify"
)

// Rows of a slice of slices are looked up behind a store of numbers, which does not change
// where they are.
const rows = `func @code(%m ptr {elem 24, len %m_len}, %m_len i64, %x ptr {elem 4, len %x_len}, %x_len i64, %a i32, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%c = icmp.slt bool %i, %m_len
	br %c, body, exit
body:
	iter
	check.index %i, %x_len
	store i32 %a, [%x + %i*4]
	%p = load ptr [%m + %i*24]
	%n = load i64 [%m + %i*24 + DISP]
	check.index %i, %n
	store i32 %a, [%p + %i*4]
	jmp latch
latch:
	%one = const i64 1
	%i1 = add i64 %i, %one
	jmp header
exit:
	ret %i
}
`

func TestLengthsOfRowsAreKnownEarly(t *testing.T) {
	for disp, early := range map[string]bool{"8": true, "16": false} {
		r := regiontest.Parse(t, strings.Replace(rows, "DISP", disp, 1))
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
		err := Run(u)
		if (err == nil) != early {
			t.Errorf("at %s: %v", disp, err)
		}
		if err == nil {
			if err := verify.Func(u.Kernel.Fn); err != nil {
				t.Error(err)
			}
		}
	}
}
