package vectorize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// peeledText is a loop whose variable is of a simple kind but for the iterations that
// compare the counter with a number near first.
func peeledText(rnd *rand.Rand, first int64) string {
	one := func(choices ...string) string { return choices[rnd.IntN(len(choices))] }
	step, cond := one("1", "1", "2"), one("icmp.slt bool %i, %x_len", "icmp.slt bool %i, %n")
	compare := fmt.Sprintf("icmp.%s bool %s", one("eq", "eq", "ne", "slt", "sle"), one("%i, %c", "%j, %c", "%c, %i"))
	other := one("add i32 %s, %v", "smax i32 %s, %v", "smin i32 %s, %v", "xor i32 %s, %v", "add i32 %v, %v")
	special := one("add i32 %v, %v", "mul i32 %three, %s", "sub i32 %v, %s")
	if rnd.IntN(2) == 0 {
		special, other = other, special
	}
	return fmt.Sprintf(`func @loop(%%x ptr {elem 4, len %%x_len}, %%x_len i64, %%n i64, %%i0 i64, %%s0 i32) (i64, i32) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%s = phi i32 [%%s0, entry], [%%s1, latch]
	%%r = %s
	br %%r, body, exit
body:
	iter
	%%two = const i64 2
	%%three = const i32 3
	%%c = const i64 %d
	%%step = const i64 %s
	%%j = add i64 %%i, %%two
	check.index %%i, %%x_len
	%%v = load i32 [%%x + %%i*4]
	%%q = %s
	br %%q, some, others
some:
	%%t = %s
	jmp latch
others:
	%%u = %s
	jmp latch
latch:
	%%s1 = phi i32 [%%t, some], [%%u, others]
	%%i1 = add i64 %%i, %%step
	jmp header
exit:
	ret %%i, %%s
}
`, cond, first+int64(rnd.IntN(9))-3, step, compare, special, other)
}

// TestRandomPeeled compares kernels for what is behind the first iterations with the
// loops.
func TestRandomPeeled(t *testing.T) {
	peeled, fails := 0, 0
	var total vectest.Stats
	for i := 0; i < 2**loops && fails < 3; i++ {
		rnd := rand.New(rand.NewPCG(*seed, uint64(i)))
		first := int64(rnd.IntN(4)) * 3
		text := peeledText(rnd, first)
		r, err := vectest.Region(text, plan.Clauses{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r.State[0].Init = &first
		k, remarks := Run(r, target.AVX2(), Options{Verify: true, Brief: i%3 == 1})
		if last := remarks[len(remarks)-1]; last.Broken() {
			t.Fatalf("loop %d: %s\n%s\n%v", i, last, text, last.Args["ir"])
		}
		if k == nil || !slices.ContainsFunc(remarks, func(r diag.Remark) bool { return r.ID == "peel:First" }) {
			continue
		}
		peeled++
		s, err := vectest.Compare(r, k, uint64(i), 20, 200)
		if err != nil {
			t.Errorf("loop %d: %v\n%s\n%s", i, err, text, k.Fn)
			fails++
		}
		total.Add(s)
	}
	t.Logf("%d peeled, %+v", peeled, total)
	if peeled < *loops/8 || total.Vector < int64(5**loops) {
		t.Error("too few loops are peeled")
	}
}
