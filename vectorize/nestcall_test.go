package vectorize

import (
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
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

// TestShortRows: rows of all lengths, of which those that are short go past the stages of more lanes at once, long ones end behind any
// stage, and what is the same for all rows is tested in front of the first one. Bits of the count take no registers.
func TestShortRows(t *testing.T) {
	text := strings.NewReplacer(
		"\tcheck.index %at, %y_len\n\t%a = load i32 [%y + %at*4]", "\t%from = add i64 %i, %j\n\tcheck.index %from, %y_len\n\t%a = load i32 [%y + %from*4]",
		"VALUE", "\tcheck.index %at, %x_len\n\t%b = load i32 [%x + %at*4]\n\t%v = add i32 %a, %b",
	).Replace(fewRows)
	for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		k, said := Rows(r, plan.Clauses{}, tgt, Options{Verify: true})
		if k == nil {
			t.Fatalf("no kernel for rows: %v", said)
		}
		if _, err := vectest.Compare(r, k, 1, 500, 40); err != nil {
			t.Errorf("%v\n%s", err, k.Fn)
		}
		entry := k.Fn.Entry()
		if term := entry.Term(); term.Op != vir.OpBr || entry.Succs[1].Term().Op != vir.OpRet {
			t.Errorf("nothing is tested in front of rows:\n%s", k.Fn)
		}
		if slices.ContainsFunc(entry.Insts, func(v *vir.Value) bool { return v.Op == vir.OpAnd }) {
			t.Errorf("bits of the count are kept for all rows:\n%s", k.Fn)
		}
		short := slices.IndexFunc(k.Fn.Blocks, func(b *vir.Block) bool { return b.Name == "row_tail4" })
		if short < 0 || len(k.Fn.Blocks[short].Preds) != 2 {
			t.Errorf("short rows have no shortcut:\n%s", k.Fn)
		}
	}
}

// headerRows adds rows of y to rows of x, whose headers each turn loads.
const headerRows = `func @rows(%x ptr {elem 24, len %x_len}, %x_len i64, %y ptr {elem 24, len %y_len}, %y_len i64, %w i64, %h i64, %i0 i64) (i64) {
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
	jmp head
head:
	%j = phi i64 [%zero, body], [%j1, inner]
	%c = icmp.slt bool %j, LENGTH
	br %c, inner, done
inner:
	CHECK
	%p = load ptr [%x + %i*24]
	%n = load i64 [%x + %i*24 + 8]
	%q = load ptr [%x + %i*24]
	%below = sub i64 %i, %one
	check.index %below, %y_len
	%r = load ptr [%y + %below*24]
	%m = load i64 [%y + %below*24 + 8]
	check.index %j, %m
	%a = load i32 [%r + %j*4]
	check.index %j, %n
	%b = load i32 [%p + %j*4]
	%v = add i32 %a, %b
	store i32 %v, [%q + %j*4]
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

// TestHeadersOfRows: nothing is read outside of the slices of headers, also where rows have no turn, or turns make sure of a subscript in another way:
// with fewer turns than it.
func TestHeadersOfRows(t *testing.T) {
	for _, say := range []*strings.Replacer{
		strings.NewReplacer("LENGTH", "%w", "CHECK", "check.index %i, %x_len"),
		strings.NewReplacer("LENGTH", "%i", "CHECK", "check.index %i, %x_len"),
		strings.NewReplacer("LENGTH", "%i", "\tCHECK\n", "", "%i, %h", "%i, %x_len"),
	} {
		text := say.Replace(headerRows)
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		k, said := Rows(r, plan.Clauses{}, target.AVX2(), Options{Verify: true})
		if k == nil {
			t.Fatalf("no kernel for rows: %v", said)
		}
		stats, err := vectest.Compare(r, k, 1, 600, 40)
		if err != nil {
			t.Errorf("%v\n%s", err, k.Fn)
		}
		if stats.Vector == 0 {
			t.Error("no row was done in lanes")
		}
	}
}
