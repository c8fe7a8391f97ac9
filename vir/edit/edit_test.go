package edit

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

func read(t *testing.T, text string) *vir.Func {
	t.Helper()
	f, err := parse.Func(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func same(t *testing.T, f *vir.Func, want string) {
	t.Helper()
	if err := verify.Func(f); err != nil {
		t.Error(err)
	}
	if w := read(t, want).String(); f.String() != w {
		t.Errorf("got\n%s\nwant\n%s", f, w)
	}
}

const chain = `func @f(%a i64, %q bool) (i64) {
entry:
	%x = add i64 %a, %a
	jmp next
next:
	%p = phi i64 [%x, entry], [%a, dead]
	%y = add i64 %p, %x
	br %q, left, right
left:
	jmp right
right:
	%z = phi i64 [%x, next], [%y, left]
	ret %z
dead:
	jmp next
}
`

func TestMergeDropsWhatNothingReaches(t *testing.T) {
	f := read(t, chain)
	Merge(f)
	same(t, f, `func @f(%a i64, %q bool) (i64) {
entry:
	%x = add i64 %a, %a
	%y = add i64 %x, %x
	br %q, left, right
left:
	jmp right
right:
	%z = phi i64 [%x, entry], [%y, left]
	ret %z
}
`)
}

func TestSplitThenMergeIsNothing(t *testing.T) {
	f := read(t, chain)
	Merge(f)
	before := f.String()
	b := f.Entry()
	iter := f.NewValue(vir.OpIter, vir.Type{})
	iter.Block = b
	b.Insts = slices.Insert(b.Insts, 1, iter)
	rest := Split(b, 1)
	vir.NewBuilder(f, b).Jmp(rest)
	if err := verify.Func(f); err != nil {
		t.Fatal(err)
	}
	if len(b.Insts) != 2 || f.Blocks[1] != rest {
		t.Errorf("not split:\n%s", f)
	}
	Merge(f)
	if f.String() != before {
		t.Errorf("got\n%s\nwant\n%s", f, before)
	}
}

func TestSweepKeepsWhatIsAskedFor(t *testing.T) {
	f := read(t, `func @f(%a i64, %p ptr) (i64) {
entry:
	%x = add i64 %a, %a
	%y = sub i64 %x, %a
	%z = load i64 [%p]
	%w = mul i64 %a, %a
	store i64 %a, [%p]
	ret %a
}
`)
	Sweep(f, f.Entry().Insts[1])
	same(t, f, `func @f(%a i64, %p ptr) (i64) {
entry:
	%x = add i64 %a, %a
	%y = sub i64 %x, %a
	store i64 %a, [%p]
	ret %a
}
`)
}

func TestHoistLeavesLoadsAndDivisions(t *testing.T) {
	f := read(t, `func @f(%a i64, %b i64, %p ptr) (i64) {
entry:
	jmp loop
loop:
	%i = phi i64 [%a, entry], [%j, loop]
	%y = sub i64 %x0, %b
	%x0 = add i64 %a, %b
	%l = load i64 [%p]
	%d = udiv i64 %a, %b
	%s = add i64 %l, %d
	%j = add i64 %i, %s
	%c = icmp.slt bool %j, %y
	br %c, loop, exit
exit:
	ret %j
}
`)
	f.Blocks[1].Insts[1], f.Blocks[1].Insts[2] = f.Blocks[1].Insts[2], f.Blocks[1].Insts[1]
	Hoist(f)
	same(t, f, `func @f(%a i64, %b i64, %p ptr) (i64) {
entry:
	%x0 = add i64 %a, %b
	%y = sub i64 %x0, %b
	jmp loop
loop:
	%i = phi i64 [%a, entry], [%j, loop]
	%l = load i64 [%p]
	%d = udiv i64 %a, %b
	%s = add i64 %l, %d
	%j = add i64 %i, %s
	%c = icmp.slt bool %j, %y
	br %c, loop, exit
exit:
	ret %j
}
`)
}
