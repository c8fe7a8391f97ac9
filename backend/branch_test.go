package backend_test

import (
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
