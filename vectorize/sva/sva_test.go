package sva

import (
	"testing"

	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/internal/regiontest"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

func analyze(r *plan.Region, opt Options) *Result {
	sc := scev.New(r)
	return Analyze(r, sc, slev.Analyze(r, sc), opt)
}

// TestFiles compares the annotated text of regions with what the files expect,
// and verifies the natures. The flag walks says that all strided accesses go by
// the address of their first lane.
func TestFiles(t *testing.T) {
	filetest.Run(t, "../../testdata/sva/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := regiontest.Parse(t, c.Section("in"))
		opt := Options{}
		if c.Flag("walks") {
			sc := scev.New(r)
			sl := slev.Analyze(r, sc)
			opt.Walks = func(v *vir.Value) bool { return sl.Address(v).Kind == slev.Strided }
		}
		res := analyze(r, opt)
		for _, err := range res.Check() {
			t.Error(err)
		}
		c.Golden("out", r.Fn.Text(vir.PrintOptions{Note: res.Note}))
	})
}

const scale = `func @f(%x ptr {elem 8, len %n}, %a i64, %n i64, %i0 i64) (i64) {
entry:
	jmp header
header:
	%i = phi i64 [%i0, entry], [%i1, latch]
	%c = icmp.slt bool %i, %n
	br %c, body, exit
body:
	iter
	%two = const i64 2
	%d = add i64 %i, %two
	%b = add i64 %a, %two
	%p = mul i64 %d, %b
	store i64 %p, [%x + %d*8]
	jmp latch
latch:
	%one = const i64 1
	%i1 = add i64 %i, %one
	jmp header
exit:
	ret %i
}
`

func TestGetters(t *testing.T) {
	r := regiontest.Parse(t, scale)
	res := analyze(r, Options{})
	val := func(name string) *vir.Value { return regiontest.Value(t, r, name) }
	if n := res.Inst(val("d")); n != Vector|FirstScalar {
		t.Errorf("index that is also a value is %s", n)
	}
	if n := res.Return(val("b")); n != FirstScalar || !res.NeedsBroadcast(val("b")) {
		t.Errorf("uniform sum is %s, broadcast %v", n, res.NeedsBroadcast(val("b")))
	}
	if res.NeedsBroadcast(val("a")) || res.NeedsBroadcast(val("d")) {
		t.Error("broadcast where none is needed")
	}
	if n := res.Operand(val("p"), 1); n != Vector {
		t.Errorf("operand of vector product is %s", n)
	}
}

// TestCheckFindsWrongNatures breaks one entry at a time.
func TestCheckFindsWrongNatures(t *testing.T) {
	for name, spoil := range map[string]func(res *Result, val func(string) *vir.Value){
		"definition without nature": func(res *Result, val func(string) *vir.Value) { res.ret[val("d")] = 0 },
		"use without nature":        func(res *Result, val func(string) *vir.Value) { res.args[val("p")][0] = 0 },
		"last scalar of first":      func(res *Result, val func(string) *vir.Value) { res.args[val("p")][1] = LastScalar },
		"first scalar of last": func(res *Result, val func(string) *vir.Value) {
			res.ret[val("b")] = LastScalar
			res.args[val("p")][1] = FirstScalar
		},
		"fewer natures in operand": func(res *Result, val func(string) *vir.Value) { res.args[val("d")][1] = FirstScalar },
		"start in lanes":           func(res *Result, val func(string) *vir.Value) { res.args[val("i")][0] = Vector },
		"stored as scalar": func(res *Result, val func(string) *vir.Value) {
			for _, u := range res.fn.Uses()[val("p")] {
				res.args[u][0] = FirstScalar
				res.ret[val("p")] |= FirstScalar
			}
		},
		"last subscript": func(res *Result, val func(string) *vir.Value) {
			for _, u := range res.fn.Uses()[val("p")] {
				res.args[u][2] = LastScalar
				res.ret[val("d")] |= LastScalar
			}
		},
	} {
		r := regiontest.Parse(t, scale)
		res := analyze(r, Options{})
		if errs := res.Check(); errs != nil {
			t.Fatal(errs)
		}
		spoil(res, func(name string) *vir.Value { return regiontest.Value(t, r, name) })
		if res.Check() == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
