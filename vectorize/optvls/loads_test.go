package optvls

import (
	"maps"
	"math/bits"
	"slices"
	"testing"
)

// TestNoOtherLoadsAreBetter takes all groups of up to four members in a window of a
// few elements, and compares loads and shuffles together with a bound over all sets of
// up to four full loads that have what is needed. All groups reach it but for some of
// two classes, which are counted by how far they are off:
//
//   - members that read elements of the next iterations: what several results have in
//     common is put together for each of them, and the bound would make it once;
//   - members of fewer lanes than a register: the bound puts what several results need
//     into one register and takes each out of it.
//
// It may be that nothing reaches the bound there; the numbers may become smaller.
func TestNoOtherLoadsAreBetter(t *testing.T) {
	above := make(map[string][4]int)
	for _, vf := range []int{2, 4, 8} {
		for stride := 1; stride <= window; stride++ {
			lanes := max(vf, powerOfTwo(stride))
			for set := uint(1); set < 1<<window; set += 2 {
				if bits.OnesCount(set) > 4 || bits.Len(set) > lanes {
					continue
				}
				class := "all others"
				switch {
				case bits.Len(set) > stride:
					class = "next iterations"
				case lanes > vf:
					class = "few lanes"
				}
				found, least := loadsAndShuffles(t, vf, stride, set)
				a := above[class]
				a[min(found-least, 3)]++
				above[class] = a
			}
		}
	}
	want := map[string][4]int{
		"next iterations": {109, 23, 12, 0},
		"few lanes":       {83, 11, 0, 0},
		"all others":      {74, 0, 0, 0},
	}
	if !maps.Equal(above, want) {
		t.Errorf("groups that are 0, 1, 2, and more above the bound: %v, want %v", above, want)
	}
}

// window is how many elements the offsets of a group lie in.
const window = 6

// loadsAndShuffles is how many there are in the code, and a lower bound.
func loadsAndShuffles(t *testing.T, vf, stride int, set uint) (found, least int) {
	var f []int
	for i := range window {
		if set>>i&1 != 0 {
			f = append(f, i)
		}
	}
	lanes := max(vf, powerOfTwo(stride))
	groups, _ := Groups(interleaved(Access{}, 8, stride, vf, f...), lanes, Options{})
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	code, ok := Sequence(groups[0], freeWidening{unitCosts{gaps: true}})
	if !ok {
		t.Fatal("no sequence")
	}
	b := &loadBound{lanes: lanes, most: code.Cost}
	for _, o := range f {
		w := make([]int, vf)
		for k := range w {
			w[k] = k*stride + o
			b.needed |= 1 << w[k]
		}
		b.wants = append(b.wants, w)
	}
	b.end = bits.Len64(b.needed)
	b.load = min(lanes, 1<<(bits.Len(uint(b.end))-1))
	b.choose(nil, b.needed)
	return code.Cost, b.most
}

// A loadBound looks for loads and shuffles that are fewer than the most.
type loadBound struct {
	lanes  int    // of a register
	load   int    // lanes of a load: a register, or as many as memory has
	end    int    // of the memory that may be read
	needed uint64 // elements
	wants  [][]int
	most   int
}

// choose adds loads that have the lowest element that is missing, in all ways; and,
// when nothing is missing, one more of any kind.
func (b *loadBound) choose(loads []int, missing uint64) {
	if missing == 0 {
		b.shuffles(loads)
		return
	}
	if len(loads) == 4 || len(loads)+1 >= b.most {
		return
	}
	low := bits.TrailingZeros64(missing)
	for at := max(0, low-b.load+1); at <= min(low, b.end-b.load); at++ {
		b.choose(append(slices.Clip(loads), at), missing&^b.loaded(at))
	}
}

func (b *loadBound) loaded(at int) uint64 { return (1<<b.load - 1) << at }

// shuffles bounds the shuffles that the loads need.
func (b *loadBound) shuffles(loads []int) {
	x := &bound{lanes: b.lanes}
	for _, at := range loads {
		x.sources = append(x.sources, b.loaded(at)&b.needed)
	}
	for _, w := range b.wants {
		if w[len(w)-1] == w[0]+len(w)-1 && slices.Contains(loads, w[0]) {
			continue // loaded as it is
		}
		s := uint64(0)
		for _, e := range w {
			s |= 1 << e
		}
		x.wants = append(x.wants, s)
	}
	if most := b.most - len(loads); most > 0 {
		b.most = min(b.most, len(loads)+x.least(most))
	}
}
