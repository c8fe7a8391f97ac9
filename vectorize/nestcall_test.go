package vectorize

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// fewRows stores what VALUE makes of rows of y to rows of x.
const fewRows = `func @rows(%x ptr {elem 4, len %x_len}, %x_len i64, %y ptr {elem 4, len %y_len}, %y_len i64, %w i64, %h i64, %s i64, %t i32, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%more = icmp.slt bool %i, %h
	br %more, body, exit
body:
	iter
	%one = const i64 1
	%zero = const i64 0
	%base = mul i64 %i, %s
	jmp head
head:
	%j = phi i64 [%zero, body], [%j1, inner]
	%c = icmp.slt bool %j, %w
	br %c, inner, done
inner:
	%at = add i64 %base, %j
	check.index %at, %y_len
	%a = load i32 [%y + %at*4]
VALUE
	check.index %at, %x_len
	store i32 %v, [%x + %at*4]
	%j1 = add i64 %j, %one
	jmp head
done:
	jmp latch
latch:
	%i1 = add i64 %i, %one
	jmp header
exit:
	ret %i
}`

// TestFewRows: what a call for a nest takes is worth it for as many elements as gain that time, fewer where each gains more.
func TestFewRows(t *testing.T) {
	kernel := func(value string) *plan.Kernel {
		r, err := vectest.Region(strings.Replace(fewRows, "VALUE", value, 1), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		k, said := Rows(r, plan.Clauses{}, target.AVX2(), Options{Verify: true})
		if k == nil || k.Inner == nil {
			t.Fatalf("no kernel for rows: %v", said)
		}
		return k
	}
	light := kernel("\t%v = add i32 %a, %t")
	heavy := kernel("\t%b = mul i32 %a, %a\n\t%c1 = mul i32 %b, %t\n\t%d = mul i32 %c1, %a\n\t%e = add i32 %d, %b\n\t%f = mul i32 %e, %e\n\t%v = xor i32 %f, %c1")
	if light.InnerTotal < 2*heavy.InnerTotal || heavy.InnerTotal < 1 {
		t.Errorf("light rows need %d elements, heavy ones %d", light.InnerTotal, heavy.InnerTotal)
	}
	if light.InnerEach < 1 || light.InnerEach >= light.InnerMin {
		t.Errorf("each row takes %d elements, and is worth it with %d", light.InnerEach, light.InnerMin)
	}
}
