package unswitch

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

const header = `func @f(%x ptr {elem 4, len %x_len}, %x_len i64, %m i64, %f bool, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%more = icmp.slt bool %i, %x_len
	br %more, body, exit
body:
	iter
`

const footer = `
latch:
	%step = const i64 1
	%i1 = add i64 %i, %step
	jmp header
exit:
	ret %i
}
`

// chooses is a number n that a comparison chooses.
const chooses = `	%z = const i64 0
	%c = icmp.slt bool %m, %z
	br %c, then, join
then:
	jmp join
join:
	%n = phi i64 [%m, body], [%z, then]`

// TestSplit counts leaves and versions of bodies.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, body       string
		limit            int
		leaves, versions int
	}{
		{"flag", "\tbr %f, then, latch\nthen:\n\tstore i64 %i, [%x + %i*4]\n\tjmp latch", 8, 2, 2},
		{"same flag twice", "\tbr %f, a, b\na:\n\tstore i64 %i, [%x + %i*4]\n\tjmp b\nb:\n\tbr %f, c, latch\nc:\n\tstore i64 %m, [%x + %i*4]\n\tjmp latch", 8, 2, 2},
		{"two cases, one arm", `	%one = const i64 1
	%two = const i64 2
	%c1 = icmp.eq bool %m, %one
	br %c1, arm, test
test:
	%c2 = icmp.eq bool %m, %two
	br %c2, arm, latch
arm:
	store i64 %i, [%x + %i*4]
	jmp latch`, 8, 3, 2},
		{"value of the case", `	%one = const i64 1
	%two = const i64 2
	%c1 = icmp.eq bool %m, %one
	br %c1, arm, test
test:
	%c2 = icmp.eq bool %m, %two
	br %c2, arm, latch
arm:
	store i64 %m, [%x + %i*4]
	jmp latch`, 8, 3, 3},
		{"limit", "\tbr %f, a, b\na:\n\tstore i64 %i, [%x + %i*4]\n\tjmp b\nb:\n\t%z = const i64 0\n\t%c = icmp.slt bool %m, %z\n\tbr %c, c, latch\nc:\n\tstore i64 %m, [%x + %i*4]\n\tjmp latch", 2, 2, 2},
		{"of the iteration", "\t%c = icmp.eq bool %i, %m\n\tbr %c, then, latch\nthen:\n\tstore i64 %i, [%x + %i*4]\n\tjmp latch", 8, 1, 1},
		{"of memory", "\t%v = load i64 [%x]\n\t%c = icmp.eq bool %v, %m\n\tbr %c, then, latch\nthen:\n\tstore i64 %i, [%x + %i*4]\n\tjmp latch", 8, 1, 1},
		{"added to a subscript", chooses + "\n\t%k = add i64 %i, %n\n\tstore i64 %i, [%x + %k*4]\n\tjmp latch", 8, 1, 1},
		{"a row", chooses + "\n\t%k = mul i64 %n, %m\n\t%l = sub i64 %k, %i\n\tstore i64 %i, [%x + %l*4]\n\tjmp latch", 8, 1, 1},
		{"a step", chooses + "\n\t%k = mul i64 %i, %n\n\tstore i64 %i, [%x + %k*4]\n\tjmp latch", 8, 2, 2},
		{"stored", chooses + "\n\tstore i64 %n, [%x + %i*4]\n\tjmp latch", 8, 2, 2},
		{"by a flag", strings.Replace(chooses, "br %c", "br %f", 1) + "\n\t%k = add i64 %i, %n\n\tstore i64 %i, [%x + %k*4]\n\tjmp latch", 8, 2, 2},
		{"with something done", strings.Replace(chooses, "then:\n", "then:\n\tstore i64 %m, [%x + %i*4]\n", 1) + "\n\t%k = add i64 %i, %n\n\tstore i64 %i, [%x + %k*4]\n\tjmp latch", 8, 2, 2},
		{"of constants", "\t%y = const f64 2\n\t%d = fadd f64 %y, %y\n\t%c = fcmp.lt bool %y, %d\n\tbr %c, then, latch\nthen:\n\tstore i64 %i, [%x + %i*4]\n\tjmp latch", 8, 1, 1},
		{"nothing to do either way", "\tbr %f, then, latch\nthen:\n\tjmp latch", 8, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := regiontest.Parse(t, header+c.body+footer)
			before := r.Fn.String()
			tree, versions := Split(r, c.limit)
			if n := tree.leaves(); n != c.leaves || len(versions) != c.versions {
				t.Errorf("%d leaves, %d versions, want %d and %d", n, len(versions), c.leaves, c.versions)
			}
			for _, v := range versions {
				if err := verify.Func(v.Fn); err != nil {
					t.Errorf("%v\n%s", err, v.Fn)
				}
				if c.leaves < c.limit && c.leaves > 1 && strings.Contains(v.Fn.String(), "%f,") {
					t.Errorf("still asks:\n%s", v.Fn)
				}
			}
			if r.Fn.String() != before {
				t.Errorf("the region has changed:\n%s", r.Fn)
			}
		})
	}
}

// TestSplitBothArms: a chain of conditions in the first arm leaves some to the other one.
func TestSplitBothArms(t *testing.T) {
	r := regiontest.Parse(t, header+`	%zero = const i64 0
	%one = const i64 1
	%two = const i64 2
	%c0 = icmp.eq bool %m, %zero
	%c1 = icmp.slt bool %m, %one
	%c2 = icmp.slt bool %m, %two
	br %f, a, b
a:
	br %c1, a1, latch
a1:
	store i64 %i, [%x + %i*4]
	br %c0, a2, latch
a2:
	store i64 %m, [%x + %i*4]
	jmp latch
b:
	br %c2, b1, latch
b1:
	store i64 %m, [%x + %i*4]
	jmp latch`+footer)
	for limit, want := range map[int][2]int{2: {1, 1}, 3: {2, 1}, 4: {2, 2}, 5: {3, 2}} {
		tree, _ := Split(r, limit)
		if got := [2]int{tree.yes.leaves(), tree.no.leaves()}; got != want {
			t.Errorf("of %d leaves, %v are in the arms, want %v", limit, got, want)
		}
	}
}

// TestJoinNothing: without kernels there is nothing to join.
func TestJoinNothing(t *testing.T) {
	r := regiontest.Parse(t, header+"\tbr %f, then, latch\nthen:\n\tstore i64 %i, [%x + %i*4]\n\tjmp latch"+footer)
	tree, versions := Split(r, 2)
	if k := Join(r, tree, make([]*plan.Kernel, len(versions))); k != nil {
		t.Errorf("a kernel:\n%s", k.Fn)
	}
}
