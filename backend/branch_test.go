package backend_test

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// A gather of narrow lanes under a mask is a loop of its own. Here nothing but the
// branch needs it, so that it is done when the branch asks.
const gatherForBranch = `
func @gather_for_branch(%table ptr, %x ptr, %out ptr, %n i64) (i64) {
entry:
	%zero = const i64 0
	%one = const i64 1
	%seven = const i32x4 7
	%m = load.unit i32x4 [%x]
	%idx = and i32x4 %m, %seven
	%some = icmp.slt maskx4 %idx, %seven
	%v = gather i16x4 [%table + %idx*2] mask %some
	%k = const i16x4 5
	%hit = icmp.ne maskx4 %v, %k
	%off = not maskx4 %some
	%ok = or maskx4 %hit, %off
	%all = all bool %ok
	br %all, good, bad
good:
	store i64 %one, [%out]
	ret %one
bad:
	store i64 %zero, [%out]
	ret %zero
}
`

func TestGatherForBranch(t *testing.T) {
	f, err := parse.Func(gatherForBranch)
	if err != nil {
		t.Fatal(err)
	}
	var cases []native.Case
	for n := range int64(12) {
		c := inputs(f, 16+n)
		for k, o := range c.Mem.Objects() {
			for i := range o.Data {
				switch {
				case k == 0 && i%2 == 0:
					o.Data[i] = byte(i / 2 % int(n+1))
				case k == 0:
					o.Data[i] = 0
				}
			}
		}
		cases = append(cases, c)
	}
	compareAll(t, []*vir.Func{f}, cases)
}

// Each gather finds its lanes by way of the stack, the second one with an index out
// of two parts of the first.
const gatherByGather = `
func @gather_by_gather(%table ptr, %table2 ptr, %x ptr, %out ptr, %n i64) (i64) {
entry:
	%most = const i32x32 15
	%m = load.unit i32x32 [%x]
	%idx = and i32x32 %m, %most
	%some = icmp.slt maskx32 %idx, %most
	%v = gather i16x32 [%table + %idx*2] mask %some
	%fifteen = const i16x32 15
	%w = and i16x32 %v, %fifteen
	%idx2 = zext i32x32 %w
	%y = gather i8x32 [%table2 + %idx2*1] mask %some
	store.unit i8x32 %y, [%out] mask %some
	ret %n
}
`

func TestGatherByGather(t *testing.T) {
	f, err := parse.Func(gatherByGather)
	if err != nil {
		t.Fatal(err)
	}
	var cases []native.Case
	for n := range int64(8) {
		cases = append(cases, inputs(f, 32+n))
	}
	compareAll(t, []*vir.Func{f}, cases)
}

// A branch by several comparisons leaves as soon as one decides. What the loops behind it need is made before the first.
const loopsBehindBranch = `
func @loops_behind_branch(%x ptr, %out ptr, %a i64, %b i64, %c i64) (i64) {
entry:
	%zero = const i64 0
	%one = const i64 1
	%n = const i64 3
	%s = and i64 %a, %n
	%t = and i64 %b, %n
	%u = and i64 %c, %n
	%p = icmp.slt bool %s, %t
	%q = icmp.eq bool %t, %u
	%r = icmp.slt bool %u, %n
	%v = icmp.ne bool %s, %u
	CONDITION
	br %cond, first, second
first:
	%i = phi i64 [%zero, entry], [%i1, first]
	%k = const i32x8 77
	%l = load.unit i32x8 [%x + %i*4]
	%m = xor i32x8 %l, %k
	store.unit i32x8 %m, [%out + %i*4]
	%i1 = add i64 %i, %one
	%more = icmp.slt bool %i1, %n
	br %more, first, end
second:
	%j = phi i64 [%zero, entry], [%j1, second]
	%k2 = const i32x8 1234567
	%l2 = load.unit i32x8 [%x + %j*4]
	%m2 = mul i32x8 %l2, %k2
	store.unit i32x8 %m2, [%out + %j*4]
	%j1 = add i64 %j, %one
	%more2 = icmp.slt bool %j1, %n
	br %more2, second, end
end:
	ret %s
}
`

func TestLoopsBehindBranch(t *testing.T) {
	for _, cond := range []string{
		"%cond = and bool %p, %q",
		"%cond = or bool %p, %q",
		"%o = or bool %p, %q\n\t%cond = and bool %o, %r",
		"%o = and bool %p, %q\n\t%cond = or bool %r, %o",
		"%o = and bool %p, %q\n\t%w = or bool %r, %v\n\t%cond = and bool %w, %o",
		"%o = or bool %p, %q\n\t%w = and bool %r, %v\n\t%x2 = not bool %w\n\t%cond = or bool %o, %x2",
		"%o = or bool %p, %q\n\t%x2 = not bool %o\n\t%cond = and bool %x2, %v",
		"%o = and bool %p, %q\n\t%x2 = not bool %o\n\t%w = or bool %x2, %v\n\t%cond = not bool %w",
	} {
		f, err := parse.Func(strings.Replace(loopsBehindBranch, "CONDITION", cond, 1))
		if err != nil {
			t.Fatal(err)
		}
		var cases []native.Case
		for n := range int64(24) {
			cases = append(cases, inputs(f, 16+n))
		}
		compareAll(t, []*vir.Func{f}, cases)
	}
}
