package vectorize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestPassesKeepMeaning runs the region after every pass that changes it and
// compares memory, results and panics with the original.
func TestPassesKeepMeaning(t *testing.T) {
	after := make(map[string]int)
	for i := range 150 {
		rnd := rand.New(rand.NewPCG(3, uint64(i)))
		r, inexact := vectest.RandomRegion(rnd)
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
		before := r.Fn.String()
		runner := pass.Runner{Passes: passes, Verify: true}
		runner.Check = func(name string, u *pass.Unit) error {
			if u.Kernel != nil || u.Func().String() == before {
				return nil
			}
			before = u.Func().String()
			after[name]++
			if len(u.Kept) > 0 { // it says so of memory that is tested to lie apart only
				return nil
			}
			return sameMeaning(r, u.Region, u.Counts()["early"] > 0, rnd, inexact)
		}
		if err := runner.Run(u); err != nil {
			if _, ok := err.(*pass.Refusal); !ok {
				t.Fatalf("loop %d: %v\n%s", i, err, r.Fn)
			}
		}
	}
	t.Logf("changes by pass: %v", after)
	for _, p := range []string{"ifconv", "simplify", "stores", "early", "unmask", "resimplify", "reduce", "narrow", "clean"} {
		if after[p] == 0 {
			t.Errorf("pass %s never changed anything", p)
		}
	}
}

// sameMeaning compares r with what passes made of it, which may check early.
func sameMeaning(r, changed *plan.Region, early bool, rnd *rand.Rand, inexact []int) error {
	for range 8 {
		in := vectest.Random(r, rnd, 12)
		if _, err := vectest.SameRegions(r, changed, vectest.Assumption{Early: early}, in, vectest.Scalar(r, in), inexact...); err != nil {
			return fmt.Errorf("%w\narguments %v", err, in.Args)
		}
	}
	return nil
}

// TestRegionStays checks that Run leaves its input alone and gives the same
// answer again.
func TestRegionStays(t *testing.T) {
	for i := range 30 {
		r, _ := vectest.RandomRegion(rand.New(rand.NewPCG(4, uint64(i))))
		text := r.Fn.String()
		answer := func() string {
			k, remarks := Run(r, target.AVX2(), Options{})
			s := fmt.Sprint(remarks)
			if k != nil {
				s += k.Fn.Text(vir.PrintOptions{Pos: true}) + fmt.Sprint(k.Args, k.Trip, k.Bounds, k.Min, k.Block, k.Strip, k.Outs)
			}
			return s
		}
		first := answer()
		if r.Fn.String() != text {
			t.Fatalf("loop %d was changed from\n%s\nto\n%s", i, text, r.Fn)
		}
		if second := answer(); second != first {
			t.Fatalf("loop %d: two answers:\n%s\n%s", i, first, second)
		}
	}
}

// TestOrderIsChecked moves a pass and sees the table complain.
func TestOrderIsChecked(t *testing.T) {
	moved := append([]pass.Pass(nil), passes...)
	at := slices.IndexFunc(moved, func(p pass.Pass) bool { return p.Name == "ifconv" })
	moved[at], moved[at+1] = moved[at+1], moved[at]
	if err := pass.CheckOrder(moved, orders); err == nil {
		t.Error("no complaint about simplify before ifconv")
	}
	if err := pass.CheckOrder(passes[1:], orders); err == nil {
		t.Error("no complaint about a constraint on a pass that is not there")
	}
}

// TestBrokenPassStaysScalar checks that a panic inside is a remark outside.
func TestBrokenPassStaysScalar(t *testing.T) {
	r, _ := vectest.RandomRegion(rand.New(rand.NewPCG(5, 5)))
	r.Fn.Blocks[2].Insts[0].Op = vir.OpInvalid
	r.Fn.Blocks = r.Fn.Blocks[:2]
	k, remarks := Run(r, target.AVX2(), Options{Verify: true})
	if last := remarks[len(remarks)-1]; k != nil || last.ID[:9] != "internal:" || last.Args["pass"] == nil {
		t.Errorf("kernel %v, remark %v", k != nil, last)
	}
}
