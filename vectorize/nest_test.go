package vectorize

import (
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestFilesKeepMeaning runs the regions of the file tests of if-conversion before
// and after each pass.
func TestFilesKeepMeaning(t *testing.T) {
	filetest.Run(t, "../testdata/ifconv/*.txtar", func(t *testing.T, c *filetest.Case) {
		c.Flags = nil // for others
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(7, 7))
		u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
		runner := pass.Runner{Passes: passes, Verify: true}
		runner.Check = func(name string, u *pass.Unit) error {
			if u.Kernel != nil || len(u.Kept) > 0 { // it says so of memory that is tested to lie apart only
				return nil
			}
			return sameMeaning(r, u.Region, u.Counts()["early"] > 0, rnd, nil)
		}
		if err := runner.Run(u); err != nil {
			if _, ok := err.(*pass.Refusal); !ok {
				t.Fatal(err)
			}
		}
	})
}

// TestFilesAsKernels compares the kernels of the same regions with the scalar loops.
func TestFilesAsKernels(t *testing.T) {
	nests := 0
	filetest.Run(t, "../testdata/ifconv/*.txtar", func(t *testing.T, c *filetest.Case) {
		c.Flags = nil // for others
		r, err := vectest.Region(c.Section("region.vir"), plan.Clauses{})
		if err != nil {
			t.Fatal(err)
		}
		for _, brief := range []bool{false, true} {
			k, remarks := Run(r, target.AVX2(), Options{Verify: true, Brief: brief})
			if k == nil {
				t.Logf("stays scalar: %v", remarks)
				return
			}
			stats, err := vectest.Compare(r, k, 7, 60, 70)
			if err != nil {
				t.Fatalf("brief calls: %t: %v\n%s", brief, err, k.Fn)
			}
			if stats.Vector == 0 && !brief {
				t.Error("the kernel never did anything")
			}
			if k.Timed {
				nests++
			}
		}
	})
	if nests == 0 {
		t.Error("no loop with an inner loop became a kernel")
	}
}
