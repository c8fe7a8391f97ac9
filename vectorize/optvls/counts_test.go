package optvls

import (
	"fmt"
	"math/bits"
	"testing"
)

// counted code of a whole interleaved group: loads or stores, and shuffles.
func countsOf(t *testing.T, access Access, bits, factor, vf int, c Client) (accesses, shuffles, cost int) {
	t.Helper()
	groups, _ := Groups(interleaved(access, bits, factor, vf, fields(factor)...), 32, Options{Span: 128})
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	code, ok := Sequence(groups[0], c)
	if !ok {
		t.Fatal("no sequence")
	}
	for _, in := range code.Insts {
		switch in.Op {
		case Load, Store:
			accesses++
		case Shuffle:
			shuffles++
		}
	}
	return accesses, shuffles, code.Cost
}

// TestPowersOfTwoAreTransposed asks for no more shuffles than a transpose network
// has: log2 of the factor levels, or of the lanes when there are fewer, of a shuffle
// for each register.
func TestPowersOfTwoAreTransposed(t *testing.T) {
	for _, size := range []int{8, 16, 32, 64} {
		for factor := 2; factor <= 16; factor *= 2 {
			for vf := 2; vf*size <= 256; vf *= 2 {
				for _, store := range []bool{false, true} {
					accesses, shuffles, _ := countsOf(t, Access{Store: store}, size, factor, vf, unitCosts{})
					most := factor * (bits.Len(uint(factor)) - 1)
					// Registers wider than the vectors need no more accesses than the network.
					if shuffles+accesses > most+factor {
						t.Errorf("%d bits, factor %d, VF %d, store %v: %d accesses and %d shuffles, want %d and %d",
							size, factor, vf, store, accesses, shuffles, factor, most)
					}
				}
			}
		}
	}
}

// TestCounts pins accesses, shuffles and costs for full registers of AVX2: the
// numbers may become smaller.
func TestCounts(t *testing.T) {
	const table = `
32x8 factor 2: load unit 2+2 avx2 2+2=60 store unit 2+2 avx2 2+4=60
32x8 factor 3: load unit 3+6 avx2 3+9=120 store unit 3+6 avx2 3+9=120
32x8 factor 4: load unit 4+8 avx2 4+8=160 store unit 4+8 avx2 4+8=160
32x8 factor 5: load unit 5+15 avx2 5+20=250 store unit 5+15 avx2 5+20=250
32x8 factor 6: load unit 6+18 avx2 8+21=290 store unit 6+18 avx2 6+24=300
32x8 factor 7: load unit 7+21 avx2 8+24=320 store unit 7+28 avx2 7+28=350
32x8 factor 8: load unit 8+24 avx2 8+24=320 store unit 8+24 avx2 8+24=320
64x4 factor 2: load unit 2+2 avx2 2+2=60 store unit 2+2 avx2 2+2=60
64x4 factor 3: load unit 3+5 avx2 3+9=120 store unit 3+5 avx2 3+9=120
64x4 factor 4: load unit 4+8 avx2 4+8=120 store unit 4+8 avx2 4+8=120
64x4 factor 5: load unit 5+10 avx2 5+12=170 store unit 5+10 avx2 5+10=150
64x4 factor 6: load unit 6+12 avx2 8+16=200 store unit 6+12 avx2 6+12=180
64x4 factor 7: load unit 7+14 avx2 8+16=240 store unit 7+14 avx2 7+14=210
64x4 factor 8: load unit 8+16 avx2 8+16=240 store unit 8+16 avx2 8+16=240
16x16 factor 2: load unit 2+2 avx2 2+4=80 store unit 2+2 avx2 2+4=60
16x16 factor 3: load unit 3+6 avx2 6+12=180 store unit 3+6 avx2 6+15=180
16x16 factor 4: load unit 4+8 avx2 4+12=200 store unit 4+8 avx2 4+12=160
16x16 factor 5: load unit 5+15 avx2 10+25=350 store unit 5+15 avx2 10+30=350
16x16 factor 6: load unit 6+18 avx2 12+30=420 store unit 6+18 avx2 12+36=420
16x16 factor 7: load unit 7+21 avx2 16+32=480 store unit 7+28 avx2 14+42=490
16x16 factor 8: load unit 8+24 avx2 8+32=400 store unit 8+24 avx2 8+24=400
8x32 factor 2: load unit 2+2 avx2 2+4=80 store unit 2+2 avx2 2+4=60
8x32 factor 3: load unit 3+6 avx2 6+12=240 store unit 3+6 avx2 6+15=240
8x32 factor 4: load unit 4+8 avx2 4+12=200 store unit 4+8 avx2 4+12=160
8x32 factor 5: load unit 5+15 avx2 10+25=500 store unit 5+15 avx2 10+30=500
8x32 factor 6: load unit 6+18 avx2 12+30=420 store unit 6+18 avx2 12+36=420
8x32 factor 7: load unit 7+21 avx2 14+35=700 store unit 7+28 avx2 14+42=700
8x32 factor 8: load unit 8+24 avx2 8+40=480 store unit 8+24 avx2 8+32=400
`
	got := "\n"
	for _, c := range []struct{ bits, vf int }{{32, 8}, {64, 4}, {16, 16}, {8, 32}} {
		for f := 2; f <= 8; f++ {
			got += fmt.Sprintf("%dx%d factor %d:", c.bits, c.vf, f)
			for _, access := range []Access{{}, {Store: true}} {
				a, s, _ := countsOf(t, access, c.bits, f, c.vf, unitCosts{})
				b, r, cost := countsOf(t, access, c.bits, f, c.vf, newAVX2(1))
				got += fmt.Sprintf(" %v unit %d+%d avx2 %d+%d=%d", map[bool]string{false: "load", true: "store"}[access.Store], a, s, b, r, cost)
			}
			got += "\n"
		}
	}
	if got != table {
		t.Errorf("accesses+shuffles=cost are now\n%s", got)
	}
}
