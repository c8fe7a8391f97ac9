package scev

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestWholeOperations computes operations on all bits of narrow and wide operands by their expressions.
func TestWholeOperations(t *testing.T) {
	for _, c := range []struct {
		op   string
		want func(x, y int64, bits int) int64
	}{
		{"sdiv %s %%x, %%seven", func(x, _ int64, _ int) int64 { return x / 7 }},
		{"ashr %s %%x, %%three", func(x, _ int64, _ int) int64 { return x >> 3 }},
		{"lshr %s %%x, %%three", func(x, _ int64, bits int) int64 { return int64(uint64(x) << (64 - bits) >> (64 - bits) >> 3) }},
		{"and %s %%x, %%y", func(x, y int64, _ int) int64 { return x & y }},
		{"smin %s %%x, %%y", func(x, y int64, _ int) int64 { return min(x, y) }},
		{"smax %s %%x, %%y", func(x, y int64, _ int) int64 { return max(x, y) }},
	} {
		for _, bits := range []int{8, 16, 64} {
			elem := fmt.Sprintf("i%d", bits)
			text := fmt.Sprintf("func @f(%%x %[1]s, %%y %[1]s, %%i0 i64) (i64) {\nentry:\n\tjmp header\nheader:\n\t%%i = phi i64 [%%i0, entry], [%%i1, latch]\n"+
				"\t%%ten = const i64 10\n\t%%c = icmp.slt bool %%i, %%ten\n\tbr %%c, body, exit\nbody:\n\titer\n\t%%three = const %[1]s 3\n\t%%seven = const %[1]s 7\n"+
				"\t%%v = %[2]s\n\tjmp latch\nlatch:\n\t%%one = const i64 1\n\t%%i1 = add i64 %%i, %%one\n\tjmp header\nexit:\n\tret %%i\n}\n", elem, fmt.Sprintf(c.op, elem))
			f, err := parse.Func(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			v := f.Blocks[2].Insts[3]
			e, ok := New(&plan.Region{Fn: f, State: []plan.State{{Param: 2}}}).Invariant(v)
			if !ok {
				if bits == 64 && v.Op.String() == "lshr" {
					continue // the sign
				}
				t.Errorf("%s of %s: no expression", v.Op, elem)
				continue
			}
			for _, x := range []int64{0, 1, 6, 7, 8, 100, -1, -7, -8, -9, -100, 127, -128} {
				for _, y := range []int64{0, 5, -5, 127, -128} {
					got := e.Eval(func(p int) int64 { return []int64{x, y, 0}[p] }, 0)
					if sh := 64 - bits; got<<sh>>sh != c.want(x, y, bits)<<sh>>sh {
						t.Errorf("%s of %s, %d and %d: %d by %s, want %d", v.Op, elem, x, y, got, e, c.want(x, y, bits))
					}
				}
			}
		}
	}
}

// TestLargeExpressions are of values of 40 conditions, and of a square of a square 40 times: nobody writes them down.
func TestLargeExpressions(t *testing.T) {
	var choices, squares strings.Builder
	choices.WriteString("\t%d0 = icmp.eq bool %x, %y\n")
	squares.WriteString("\t%v0 = add i64 %x, %y\n")
	for k := range 40 {
		fmt.Fprintf(&choices, "\t%%k%[1]d = const i64 %[1]d\n\t%%c%[1]d = icmp.slt bool %%x, %%k%[1]d\n\t%%d%[2]d = or bool %%c%[1]d, %%d%[1]d\n", k, k+1)
		fmt.Fprintf(&squares, "\t%%v%[2]d = mul i64 %%v%[1]d, %%v%[1]d\n", k, k+1)
	}
	choices.WriteString("\t%v40 = zext i64 %d40\n")
	for _, text := range []string{choices.String(), squares.String()} {
		text = "func @f(%x i64, %y i64, %i0 i64) (i64) {\nentry:\n\tjmp header\nheader:\n\t%i = phi i64 [%i0, entry], [%i1, latch]\n" +
			"\t%ten = const i64 10\n\t%c = icmp.slt bool %i, %ten\n\tbr %c, body, exit\nbody:\n\titer\n" + text +
			"\tjmp latch\nlatch:\n\t%one = const i64 1\n\t%i1 = add i64 %i, %one\n\tjmp header\nexit:\n\tret %i\n}\n"
		f, err := parse.Func(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		insts := f.Blocks[2].Insts
		if e, ok := New(&plan.Region{Fn: f, State: []plan.State{{Param: 2}}}).Invariant(insts[len(insts)-2]); ok {
			t.Errorf("%v", e)
		}
	}
}
