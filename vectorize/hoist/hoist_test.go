package hoist

import (
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestCountersFromAnywhere looks at a load by a counter that is less than a length: it is in range in front of the loop
// if the counter began with 0 or more.
func TestCountersFromAnywhere(t *testing.T) {
	text, err := os.ReadFile("../../testdata/hoist/unchecked.txtar")
	if err != nil {
		t.Fatal(err)
	}
	region := string(txtar.Parse(text).Files[0].Data)
	inside := func(init *int64) (loads int) {
		r, err := vectest.Region(region, plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		r.State[0].Init = init
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
		if err := (&pass.Runner{Passes: []pass.Pass{{Name: "hoist", Run: Run}}}).Run(u); err != nil {
			t.Fatal(err)
		}
		sc := scev.New(u.Region)
		for v := range u.Region.Fn.Values {
			if v.Op == vir.OpLoad && sc.Depth(v) > 0 {
				loads++
			}
		}
		return loads
	}
	zero, negative := int64(0), int64(-1)
	for _, c := range []struct {
		init *int64
		want int
	}{{&zero, 1}, {&negative, 2}, {nil, 2}} {
		if got := inside(c.init); got != c.want {
			t.Errorf("first value %v: %d loads stay in the loop, want %d", c.init, got, c.want)
		}
	}
}
