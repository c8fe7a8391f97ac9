package vectorize

import (
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/filetest"
	"github.com/lanewise/lanewise/vir"
)

// TestMasksThatComeBack looks at the masks that blocks of testdata/loopvec/periodic-mask-bytes pass
// on: they are in as many lanes as the bytes they are for, so that no block packs them.
func TestMasksThatComeBack(t *testing.T) {
	filetest.Run(t, "../testdata/loopvec/periodic-mask-bytes.txtar", func(t *testing.T, c *filetest.Case) {
		k, _ := Run(corpusRegion(t, c), target.AVX2(), Options{Verify: true})
		if k == nil {
			t.Fatal("not vectorized")
		}
		lanes := 0
		for v := range k.Fn.Values {
			if v.Op == vir.OpPhi && v.Type.Elem == vir.Bool {
				lanes = max(lanes, v.Type.Lanes)
			}
		}
		if lanes != 32 {
			t.Errorf("masks of up to %d lanes in\n%s", lanes, k.Fn)
		}
	})
}
