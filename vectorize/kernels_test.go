package vectorize

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
)

// TestKernels shows kernels that run a region as it is: testdata/kernelize and forward, where
// the region's loops stay loops and its memory memory, and unroll. The section kernel is the function behind the pass that the flag after= names, or the reason
// why there is none; once says that the region is straight-line code. The whole kernel is
// compared with the region.
func TestKernels(t *testing.T) {
	for _, area := range []string{"kernelize", "forward", "unroll"} {
		t.Run(area, func(t *testing.T) {
			var skip []string
			if area != "unroll" {
				skip = []string{"unroll", "registers"}
			}
			filetest.Run(t, "../testdata/"+area+"/*.txtar", func(t *testing.T, c *filetest.Case) { kernelCase(t, c, skip) })
		})
	}
}

func kernelCase(t *testing.T, c *filetest.Case, skip []string) {
	once := c.Flag("once")
	last := c.Flags[0][len("after="):]
	c.Flags = slices.DeleteFunc(c.Flags[1:], func(f string) bool { return f == "once" })
	r := corpusRegion(t, c)
	r.Once = once
	r.Clauses.Force = true
	n := slices.IndexFunc(straightPasses, func(p pass.Pass) bool { return p.Name == last }) + 1
	u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
	if err := (&pass.Runner{Passes: straightPasses[:n], Skip: skip, Verify: true}).Run(u); err != nil {
		c.Golden("refusal", err.Error()+"\n")
		return
	}
	c.Golden("kernel", u.Func().String())
	k, remarks := Straight(r, target.AVX2(), Options{Verify: true, Skip: skip})
	if k == nil {
		t.Fatal(remarks[len(remarks)-1])
	}
	k.Min = 1 // whether that pays is no matter
	stats, err := vectest.Compare(r, k, 1, 60, 24)
	if err != nil {
		t.Fatalf("%v\n%s", err, k.Fn)
	}
	if stats.Vector == 0 {
		t.Errorf("the kernel never did anything: %+v", stats)
	}
}
