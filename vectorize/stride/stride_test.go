package stride_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/stride"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// TestFiles shows what becomes of regions, with the numbers that have bounds; nothing of loops that count in another way.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/stride/*.txtar", func(t *testing.T, c *filetest.Case) {
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		before := r.Fn.String()
		var sb strings.Builder
		if l := stride.Split(r); l != nil {
			if err := verify.Func(l.Region.Fn); err != nil {
				t.Fatal(err)
			}
			sb.WriteString(l.Region.Fn.String())
			for _, b := range l.Bounds {
				fmt.Fprintf(&sb, "%s <= %s < %s\n", b.Lo, b.Start, b.Hi)
			}
		}
		c.Golden("from-zero", sb.String())
		if r.Fn.String() != before {
			t.Error("the region has changed")
		}
	})
}

// TestRestore: callers of a kernel know nothing of the counter, and kernels that return it are none.
func TestRestore(t *testing.T) {
	split := func() (*stride.Loop, *plan.Kernel) {
		r, err := vectest.Region(region, plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		l := stride.Split(r)
		turn := len(l.Region.Fn.Params) - 1
		k := &plan.Kernel{
			Fn:   l.Region.Fn.Clone(),
			Trip: plan.Trip{Start: plan.Param(turn), Limit: plan.Param(1), Step: 1},
			Outs: []plan.Out{{Kind: plan.OutExpr, Expr: plan.Add(plan.Param(2), plan.Param(turn))}, {Kind: plan.OutSame}},
		}
		b := vir.NewBuilder(k.Fn, nil)
		edit.Ahead(b, k.Fn.Entry(), func() { b.Same(vir.OpAdd, k.Fn.Params[turn], k.Fn.Params[turn]) })
		k.Inner = &plan.Trip{Start: plan.Param(turn), Limit: plan.Param(1), Step: 1}
		for i := range k.Fn.Params {
			k.Args = append(k.Args, plan.Arg{Kind: plan.ArgParam, Index: i})
		}
		return l, k
	}
	l, k := split()
	if l.Restore(k) != k || len(k.Outs) != 1 || len(k.Args) != 3 || len(k.Fn.Params) != 3 {
		t.Errorf("%d outs, %d arguments of %d parameters", len(k.Outs), len(k.Args), len(k.Fn.Params))
	}
	if got := fmt.Sprint(k.Trip.Start, " ", k.Inner.Start, " ", k.Outs[0].Expr); got != "0 0 ($2 + 0)" {
		t.Errorf("starts, and the value behind a call: %s", got)
	}
	if err := verify.Func(k.Fn); err != nil {
		t.Error(err)
	}
	l, k = split()
	k.Outs[1].Kind = plan.OutResult
	if l.Restore(k) != nil {
		t.Error("a kernel that returns the counter")
	}
}

const region = `
func @counter(%n i64, %w i64, %k0 i64) (i64) {
entry:
	jmp header
header:
	%k = phi i64 [%k0, entry], [%k1, latch]
	%more = icmp.slt bool %k, %n
	br %more, body, exit
body:
	iter
	jmp latch
latch:
	%k1 = add i64 %k, %w
	jmp header
exit:
	ret %k
}
`
