package ring_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/ring"
	"github.com/lanewise/lanewise/vir/plan"
)

// body is a loop with the lines between its first and last ones.
func body(lines string) string {
	return `func @f(%dst ptr {elem 4, len %dst_len}, %dst_len i64, %w ptr {elem 4, len %w_len}, %w_len i64, %n i64, %i0 i64) (i64) {
entry:
	%one = const i64 1
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%go = icmp.slt bool %i, %dst_len
	br %go, body, exit
body:
	iter
	` + strings.ReplaceAll(lines, "\n", "\n\t") + `
	%i1 = add i64 %i, %one
	jmp latch
latch:
	jmp header
exit:
	ret %i
}
`
}

func TestRings(t *testing.T) {
	const byLen = "check.div %w_len\n%r = srem i64 %i, %w_len\ncheck.index %r, %w_len\n%v = load i32 [%w + %r*4]\n"
	const byNumber = "%r = urem i64 %i, %n\ncheck.index %r, %w_len\n%v = load i32 [%w + %r*4]\n"
	const byMask = "%r = and i64 %n, %i\ncheck.index %r, %w_len\n%v = load i32 [%w + %r*4]\n"
	const byLess = "%m = sub i64 %w_len, %one\n%r = and i64 %i, %m\ncheck.index %r, %w_len\n%v = load i32 [%w + %r*4]\n"
	const store = "store i32 %v, [%dst + %i*4]"
	for _, c := range []struct{ lines, want string }{
		{byLen + store, "by 3 of 3, 1 tests"},
		{byNumber + store, "by 4 of 3, 1 tests"},
		{byMask + store, "by 4 of 3, 1 tests, mask"},
		{byLess + store, "by 3 of 3, 1 tests"},
		{byLen + "%x = load i32 [%w + %r*4 + 4]\n" + store, "none"},
		{byLen + "%x = load i32 [%w + %i*4]\n" + store, "none"},
		{byLen + "%r2 = srem i64 %w_len, %w_len\n" + store, "none"},
		{byLen + "%x = add i64 %w_len, %i\n" + store, "none"},
		{byNumber + "check.index %i, %w_len\n" + store, "none"},
		{byNumber + "%x = and i64 %i, %n\n" + store, "none"},
		{byNumber + "%x = add i64 %r, %i\n" + store, "none"},
		{byLess + "%x = add i64 %m, %i\n" + store, "none"},
		{byLen + "store i32 %v, [%w + %r*4]", "none"},
		{byLen, "by 3 of 3, 0 tests"},
	} {
		got := "none"
		if r := ring.Of(regiontest.Parse(t, body(c.lines))); r != nil {
			got = fmt.Sprintf("by %d of %d, %d tests", r.Size, r.Len, len(r.Apart))
			if r.Mask {
				got += ", mask"
			}
		}
		if got != c.want {
			t.Errorf("%s\n%s, want %s", c.lines, got, c.want)
		}
	}
}

// TestAlong has a variable that goes round, in the loop as it is between two jumps.
func TestAlong(t *testing.T) {
	body := func(lines string) string {
		return `func @f(%dst ptr {elem 4, len %dst_len}, %dst_len i64, %w ptr {elem 4, len %w_len}, %w_len i64, %i0 i64, %k0 i64) (i64, i64) {
entry:
	%one = const i64 1
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%k = phi i64 [%k0, entry], [%k1, latch]
	%go = icmp.slt bool %i, %dst_len
	br %go, body, exit
body:
	iter
	check.index %k, %w_len
	%v = load i32 [%w + %k*4]
	` + strings.ReplaceAll(lines, "\n", "\n\t") + `
	store i32 %v, [%dst + %i*4]
	%k1 = add i64 %k, %one
	%i1 = add i64 %i, %one
	jmp latch
latch:
	jmp header
exit:
	ret %i, %k
}
`
	}
	round := ring.Circle{Var: 5, Size: plan.Param(3)}
	for _, c := range []struct {
		lines  string
		circle ring.Circle
		want   string
	}{
		{"", round, "by 3 of 3, 1 tests, 1 goes round"},
		{"", ring.Circle{Var: 5, Size: plan.Param(1)}, "none"}, // with which the counter is compared
		{"", ring.Circle{Var: 4, Size: plan.Param(3)}, "none"}, // the counter
		{"", ring.Circle{Var: 5, Size: plan.Const(7)}, "none"},
		{"%x = add i64 %k, %i\ncheck.index %x, %dst_len", round, "none"},
		{"%x = load i32 [%w + %i*4]", round, "none"},
		{"%x = load i32 [%w + %k*4 + 4]", round, "none"},
		{"%x = add i64 %w_len, %i", round, "none"},
		{"store i32 %v, [%w + %k*4]", round, "none"},
	} {
		got := "none"
		if r := ring.Along(regiontest.Parse(t, body(c.lines)), c.circle); r != nil {
			got = fmt.Sprintf("by %d of %d, %d tests, %d goes round", r.Size, r.Len, len(r.Apart), r.Var)
		}
		if got != c.want {
			t.Errorf("%v: %s\n%s, want %s", c.circle, c.lines, got, c.want)
		}
	}
}
