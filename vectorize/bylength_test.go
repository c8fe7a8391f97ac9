package vectorize

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

const highest = `func @highest(%x ptr {elem 8, len %x_len}, %x_len i64, %out ptr {elem 8, len %out_len}, %out_len i64, %w i64, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%more = icmp.slt bool %i, %out_len
	br %more, body, exit
body:
	iter
	%one = const i64 1
	check.index %i, %x_len
	%m = load i64 [%x + %i*8]
	jmp head
head:
	%j = phi i64 [%one, body], [%j1, inner]
	%high = phi i64 [%m, body], [%high1, inner]
	%c = icmp.slt bool %j, %w
	br %c, inner, done
inner:
	%at = add i64 %i, %j
	check.index %at, %x_len
	%v = load i64 [%x + %at*8]
	%high1 = smax i64 %high, %v
	%j1 = add i64 %j, %one
	jmp head
done:
	store i64 %high, [%out + %i*8]
	jmp latch
latch:
	%step = const i64 1
	%i1 = add i64 %i, %step
	jmp header
exit:
	ret %i
}`

// TestShortAndLong: iterations of the outer loop are lanes for calls with few iterations inside, and store side by side then.
func TestShortAndLong(t *testing.T) {
	r, err := vectest.Region(highest, plan.Clauses{})
	if err != nil {
		t.Fatal(err)
	}
	outer, _ := Run(r, target.AVX2(), Options{Verify: true})
	k := ByLength(r, outer, 20, target.AVX2(), Options{Verify: true})
	if k == nil || k.Short != 20 {
		t.Fatalf("no kernel for both: %+v", k)
	}
	first := k.Fn.Entry().Term()
	few := first.Args[0]
	if n, ok := few.Args[1].ConstInt(); few.Op != vir.OpIcmpSle || !ok || n != 20 {
		t.Errorf("the choice is by %s of %d operands", few.Op, len(few.Args))
	}
	for i, lanes := range []bool{true, false} {
		stores := 0
		for v := range k.Fn.Values {
			if v.Op == vir.OpStoreUnit && v.Base().Name != "state" && strings.HasPrefix(v.Block.Name, first.Block.Succs[i].Name+".") {
				stores++
			}
		}
		if (stores > 0) != lanes {
			t.Errorf("version %d has %d stores of lanes", i, stores)
		}
	}
}

// TestRandomShortAndLong compares kernels for short and long rows with the scalar nest.
func TestRandomShortAndLong(t *testing.T) {
	joined, fails := 0, 0
	var total vectest.Stats
	for i := 0; i < *loops && fails < 3; i++ {
		g := &rowsGenerator{Rand: rand.New(rand.NewPCG(*seed+77, uint64(i)))}
		text := g.text()
		r, err := vectest.Region(text, plan.Clauses{Force: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		opt := Options{Verify: true, Brief: i%3 == 1}
		outer, _ := Run(r, target.AVX2(), opt)
		if outer == nil {
			continue
		}
		k := ByLength(r, outer, int64(i%7), target.AVX2(), opt)
		if k == nil {
			continue
		}
		joined++
		s, err := vectest.Compare(r, k, uint64(i), 40, 300)
		if err != nil {
			t.Errorf("nest %d: %v\n%s\n%s", i, err, text, k.Fn)
			fails++
		}
		total.Add(s)
	}
	t.Logf("%d of %d, %+v", joined, *loops, total)
	if joined < *loops/10 || total.Vector < int64(joined) || total.Panics == 0 {
		t.Error("too few nests have kernels for short and long rows")
	}
}
