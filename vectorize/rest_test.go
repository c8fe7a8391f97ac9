package vectorize

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestRests: with AVX-512 a masked block does the rest of the iterations, but not where it would reach below
// the first element of a slice.
func TestRests(t *testing.T) {
	const loop = `func @loop(%x ptr {elem 8, len %n}, %n i64, %i0 i64, %s0 i64) (i64, i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%s = phi i64 [%s0, entry], [%s1, latch]
	%zero = const i64 0
	%more = CONDITION
	br %more, body, exit
body:
	iter
	check.index %i, %n
	%v = load i64 [%x + %i*8]
	%s1 = add i64 %s, %v
	jmp latch
latch:
	%step = const i64 STEP
	%i1 = add i64 %i, %step
	jmp header
exit:
	ret %i, %s
}
`
	for _, c := range []struct {
		name, condition, step string
		want                  bool
	}{
		{"up", "icmp.slt bool %i, %n", "1", true},
		{"down", "icmp.sle bool %zero, %i", "-1", false},
	} {
		text := strings.NewReplacer("CONDITION", c.condition, "STEP", c.step).Replace(loop)
		wantRest(t, c.name, text, c.want)
	}
}

// TestRestsOfUpdates: masked stores are not handed on to loads, so that loops that update a slice
// in place have blocks of 4, 2 and 1 lanes instead. Elements of less than 4 bytes keep the masked block.
func TestRestsOfUpdates(t *testing.T) {
	const loop = `func @loop(%x ptr {elem SIZE, len %n}, %y ptr {elem SIZE, len %n}, %n i64, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%more = icmp.slt bool %i, %n
	br %more, body, exit
body:
	iter
	check.index %i, %n
	%v = load TYPE [LOADED + %i*SIZE]
	%w = add TYPE %v, %v
	check.index %i, %n
	store TYPE %w, [%x + %i*SIZE]
	jmp latch
latch:
	%step = const i64 1
	%i1 = add i64 %i, %step
	jmp header
exit:
	ret %i
}
`
	for _, c := range []struct {
		name, typ, size, loaded string
		want                    bool
	}{
		{"32 bits in place", "i32", "4", "%x", false},
		{"64 bits in place", "i64", "8", "%x", false},
		{"16 bits in place", "i16", "2", "%x", true},
		{"from another slice", "i32", "4", "%y", true},
	} {
		text := strings.NewReplacer("TYPE", c.typ, "SIZE", c.size, "LOADED", c.loaded).Replace(loop)
		wantRest(t, c.name, text, c.want)
	}
}

// wantRest tests whether the kernel of a loop has a masked block.
func wantRest(t *testing.T, name, text string, want bool) {
	t.Helper()
	r, err := vectest.Region(text, plan.Clauses{}, "i")
	if err != nil {
		t.Fatal(name, err)
	}
	k, remarks := Run(r, target.AVX512(), Options{Verify: true})
	if k == nil {
		t.Fatal(name, remarks)
	}
	if got := strings.Contains(k.Fn.String(), "rest"); got != want {
		t.Errorf("%s: a masked block for the rest: %v, want %v\n%s", name, got, want, k.Fn)
	}
}
