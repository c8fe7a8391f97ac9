package loopvec

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
)

// TestRoomIsWhatFits adds up the largest items: as many as there is room for do not
// overflow, and one more would.
func TestRoomIsWhatFits(t *testing.T) {
	for _, e := range []vir.Elem{vir.I8, vir.I16, vir.I32} {
		for _, ext := range []vir.Op{vir.OpZext, vir.OpSext} {
			for _, step := range []vir.Op{vir.OpAdd, vir.OpSub} {
				for _, most := range []uint64{1, 2, 3, 100, 127, 128, 255, 1000, 1 << 15, 1<<16 - 1} {
					r := &reduction{ext: ext, step: step, most: most}
					largest := uint64(1)<<e.Bits() - 1
					if ext == vir.OpSext || step == vir.OpSub {
						largest >>= 1 // sums have a sign
					}
					n := uint64(r.room(e))
					if n*most > largest || (n+1)*most <= largest {
						t.Errorf("%s %s of %d: room for %d in %s", ext, step, most, n, e)
					}
				}
			}
		}
	}
}
