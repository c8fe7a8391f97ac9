package target

import (
	"fmt"
	"slices"
	"testing"
)

// lanesOf reads a mask such as "1110".
func lanesOf(s string) (active []bool) {
	for _, c := range s {
		active = append(active, c == '1')
	}
	return active
}

// TestPieces shows in what pieces lanes are stored.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		mask   string
		width  int
		pieces []Piece
	}{
		{"00000000", 4, nil},
		{"11111111", 4, []Piece{{0, 32}}},
		{"00001111", 4, []Piece{{16, 16}}},
		{"0010", 4, []Piece{{8, 4}}},
		{"1110", 4, []Piece{{0, 8}, {8, 4}}},
		{"0111", 4, []Piece{{4, 4}, {8, 8}}},
		{"1110", 8, []Piece{{0, 16}, {16, 8}}},
		{"11101110", 4, []Piece{{0, 8}, {8, 4}, {16, 8}, {24, 4}}},
		{"1010", 1, []Piece{{0, 1}, {2, 1}}},
		{"01111110", 2, []Piece{{2, 2}, {4, 4}, {8, 4}, {12, 2}}},
	} {
		got := Pieces(lanesOf(c.mask), c.width)
		if !slices.Equal(got, c.pieces) {
			t.Errorf("%s of %d bytes: %v, want %v", c.mask, c.width, got, c.pieces)
		}
	}
}

// TestPiecesCover tries all masks of a register: pieces are what is active,
// each byte once, and fit their place.
func TestPiecesCover(t *testing.T) {
	for _, width := range []int{2, 4, 8} {
		lanes := min(32/width, 12)
		for m := range 1 << lanes {
			mask := fmt.Sprintf("%0*b", lanes, m)
			active := lanesOf(mask)
			count := make([]int, 64)
			for _, p := range Pieces(active, width) {
				if p.Offset%p.Bytes != 0 {
					t.Errorf("%s: piece %v", mask, p)
				}
				for b := range p.Bytes {
					count[p.Offset+b]++
				}
			}
			for b := range lanes * width {
				want := 0
				if active[b/width] {
					want = 1
				}
				if count[b] != want {
					t.Fatalf("%s of %d bytes: byte %d is stored %d times", mask, width, b, count[b])
				}
			}
			if c := partialStore(active, width); (c.Throughput > 0) != (m > 0) {
				t.Errorf("%s costs %v", mask, c)
			}
		}
	}
}
