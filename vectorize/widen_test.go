package vectorize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// hasRest reports whether a block of f does the rest of the iterations under a mask.
func hasRest(f *vir.Func) bool {
	for _, b := range f.Blocks {
		if strings.HasPrefix(b.Name, "rest") && !strings.HasPrefix(b.Name, "rested") {
			return true
		}
	}
	return false
}

// TestWiden adds code for AVX-512 to the kernels of testdata/loopvec, which fits their calls: what
// it does is compared, in the place of what the kernels do, with the scalar loops.
func TestWiden(t *testing.T) {
	rests := 0
	filetest.Run(t, "../testdata/loopvec/*.txtar", func(t *testing.T, c *filetest.Case) {
		r := corpusRegion(t, c)
		k, _ := Run(r, target.AVX2(), Options{Verify: true})
		if k == nil {
			return
		}
		before := *k
		Widen(k, r, nil, target.AVX512(), Options{Verify: true})
		if k.Fn != before.Fn || k.Min != before.Min {
			t.Error("the kernel without AVX-512 is another one")
		}
		if k.Wide == nil || !plan.SameSignature(k.Fn, k.Wide) || hasRest(k.Fn) {
			t.Fatalf("nothing for AVX-512 that is called alike, or a masked block without:\n%s", k.Fn)
		}
		if hasRest(k.Wide) {
			rests++
		}
		instead := *k
		instead.Fn, instead.Min = k.Wide, k.WideMin
		if _, err := vectest.Compare(r, &instead, 4, inputs(), 3*int(max(k.Block, k.Min))); err != nil {
			t.Errorf("%v\n%s", err, k.Wide)
		}
	})
	if rests < 10 {
		t.Errorf("%d kernels have a masked block", rests)
	}
}

// TestCalledAlike tells calls apart: by what they pass, what they may ask for, and what they
// have to test before.
func TestCalledAlike(t *testing.T) {
	f := func(params ...string) *vir.Func {
		f := vir.NewFunc("f")
		for _, p := range params {
			f.AddParam(p, vir.Scalar(vir.I64))
		}
		return f
	}
	near := func(from int, hi int64) []plan.Overlap {
		return []plan.Overlap{{A: plan.Stream{Param: from}, B: plan.Stream{Param: 1}, Lo: -hi / 8, Hi: hi}}
	}
	base := plan.Kernel{
		Fn: f("n", "x"), Level: "avx2", Min: 8, Block: 32, Strip: 4096, Complete: true, Bounds: []plan.Bound{{Start: plan.Const(1)}}, Overlaps: near(0, 64),
	}
	for _, tt := range []struct {
		name   string
		change func(k *plan.Kernel)
		alike  bool
	}{
		{"nothing", func(k *plan.Kernel) {}, true},
		{"level and threshold", func(k *plan.Kernel) { k.Level, k.Min = "avx512", 4 }, true},
		{"parameter", func(k *plan.Kernel) { k.Fn = f("n", "y") }, false},
		{"more parameters", func(k *plan.Kernel) { k.Fn = f("n", "x", "y") }, false},
		{"block", func(k *plan.Kernel) { k.Block = 64 }, true},
		{"most iterations", func(k *plan.Kernel) { k.Strip = 8192 }, true},
		{"farther apart", func(k *plan.Kernel) { k.Overlaps = near(0, 128) }, true},
		{"other streams apart", func(k *plan.Kernel) { k.Overlaps = near(2, 64) }, false},
		{"none apart", func(k *plan.Kernel) { k.Overlaps = nil }, false},
		{"bound", func(k *plan.Kernel) { k.Bounds = []plan.Bound{{Start: plan.Const(2)}} }, false},
		{"may do less", func(k *plan.Kernel) { k.Complete = false }, false},
		{"may stop", func(k *plan.Kernel) { k.Partial = true }, false},
	} {
		k := base
		k.Fn = f("n", "x")
		tt.change(&k)
		if got := calledAlike(&base, &k); got != tt.alike {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	less := base
	less.Complete = false
	if !calledAlike(&less, &base) {
		t.Error("a kernel that does all does not do for one that may leave some")
	}
}

// TestServeBoth has calls that suit either kernel.
func TestServeBoth(t *testing.T) {
	for _, partial := range []bool{false, true} {
		k := plan.Kernel{Partial: partial, Block: 16, Strip: 4096, Overlaps: []plan.Overlap{{Lo: 0, Hi: 64}, {Lo: -128, Hi: 0}}}
		w := plan.Kernel{Partial: partial, Block: 32, Strip: 2048, Overlaps: []plan.Overlap{{Lo: -4, Hi: 128}, {Lo: -64, Hi: 8}}}
		serveBoth(&k, &w)
		want := plan.Kernel{Partial: partial, Block: 16, Strip: 2048, Overlaps: []plan.Overlap{{Lo: -4, Hi: 128}, {Lo: -128, Hi: 8}}}
		if partial {
			want.Block = 32
		}
		if diff := cmp.Diff(want, k); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
