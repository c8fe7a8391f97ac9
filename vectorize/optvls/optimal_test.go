package optvls

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

// A bound computes a lower bound for the number of shuffles between given sources
// and wanted vectors: no network of fewer has room for what must pass. It considers
// all networks of m inner shuffles of two earlier vectors each, and all choices of two
// vectors for each wanted one, and asks of every set of inner shuffles that the
// elements which cannot avoid the set fit into it.
type bound struct {
	lanes   int
	sources []uint64 // the elements of each source
	wants   []uint64
}

// least is the smallest number of shuffles up to a most that may suffice.
func (b *bound) least(most int) int {
	for m := 0; len(b.wants)+m < most; m++ {
		if b.inner(nil, m) {
			return len(b.wants) + m
		}
	}
	return most
}

// inner completes a network of inner shuffles in all ways.
func (b *bound) inner(net [][2]int, m int) bool {
	if m == 0 {
		return b.choose(net, b.wants, make([]uint64, 1<<len(net)))
	}
	vecs := len(b.sources) + len(net)
	for x := range vecs {
		for y := range x {
			if b.inner(append(slices.Clip(net), [2]int{x, y}), m-1) {
				return true
			}
		}
	}
	return false
}

// choose finds two vectors for each want so that no set of inner shuffles must hold
// more than it can: through has the elements that cannot avoid each set.
func (b *bound) choose(net [][2]int, wants, through []uint64) bool {
	if len(wants) == 0 {
		return true
	}
	vecs := len(b.sources) + len(net)
	for x := range vecs {
		for y := range x + 1 {
			if next, ok := b.add(net, wants[0], [2]int{x, y}, through); ok && b.choose(net, wants[1:], next) {
				return true
			}
		}
	}
	return false
}

func (b *bound) add(net [][2]int, want uint64, from [2]int, through []uint64) ([]uint64, bool) {
	if want&^b.reach(net, from, 0) != 0 {
		return nil, false
	}
	next := slices.Clone(through)
	for set := 1; set < len(next); set++ {
		next[set] |= want &^ b.reach(net, from, set)
		if bits.OnesCount64(next[set]) > b.lanes*bits.OnesCount(uint(set)) {
			return nil, false
		}
	}
	return next, true
}

// reach is what two vectors can have without any inner shuffle of the set.
func (b *bound) reach(net [][2]int, from [2]int, without int) uint64 {
	all := uint64(0)
	for _, v := range from {
		if v < len(b.sources) {
			all |= b.sources[v]
		} else if i := v - len(b.sources); without>>i&1 == 0 {
			all |= b.reach(net, net[i], without)
		}
	}
	return all
}

// boundOf takes sources and wanted vectors from code that was found.
func boundOf(g *Group, code *Code) (*bound, int) {
	m := &machine{g: g, client: testClient{unitCosts{}, 1, true}, active: make([]bool, g.Lanes)}
	for k := range m.active {
		m.active[k] = true
	}
	touched := m.touched()
	m.mem = make(map[int64]string)
	b := &bound{lanes: g.Vector / g.unit()}
	number := make(map[string]int)
	vals := make([][]string, len(code.Insts))
	shuffles := 0
	must := func(v []string, err error) []string {
		if err != nil {
			panic(fmt.Sprintf("%s: %v\n%s", g, err, code))
		}
		return v
	}
	set := func(v []string, bytes int) uint64 {
		s := uint64(0)
		for k := 0; k < len(v); k += bytes {
			if v[k] == "any" {
				continue
			}
			if _, ok := number[v[k]]; !ok {
				number[v[k]] = len(number)
			}
			s |= 1 << number[v[k]]
		}
		return s
	}
	wants := slices.Clone(code.Results)
	for i := range code.Insts {
		in := &code.Insts[i]
		switch in.Op {
		case Value:
			vals[i] = m.value(in.Member)
		case Load:
			vals[i] = must(m.access(in, vals, touched))
		case Shuffle:
			vals[i] = must(shuffled(code, in, vals))
			if len(in.Args) > 1 || KindOf(code.Insts[in.Args[0]].Type.Lanes, in.Lanes) != Widen {
				shuffles++
			}
			continue
		case Store:
			wants = append(wants, in.Args[0])
			continue
		}
		b.sources = append(b.sources, set(vals[i], in.Type.Bits/8))
	}
	slices.Sort(wants)
	for _, w := range slices.Compact(wants) {
		if code.Insts[w].Op == Shuffle {
			b.wants = append(b.wants, set(vals[w], code.Insts[w].Type.Bits/8))
		}
	}
	return b, shuffles
}

// freeWidening is as on machines whose narrow registers are the low lanes of wide
// ones.
type freeWidening struct{ unitCosts }

func (freeWidening) Shuffle(from Type, lanes []int) int {
	if KindOf(from.Lanes, lanes) == Widen {
		return 0
	}
	return 1
}

// TestUpToFourLoadsAreOptimal counts the shuffles of all groups of up to four members
// in up to four loads or stores, and asks for the least number there can be where
// all shuffles cost the same.
func TestUpToFourLoadsAreOptimal(t *testing.T) {
	groups := 0
	for _, access := range []Access{{}, {Store: true}, {Indexed: true}, {Indexed: true, Store: true}} {
		for _, vf := range []int{2, 4, 8, 16} {
			for stride := 1; stride <= 4; stride++ {
				for set := 1; set < 1<<stride; set++ {
					if optimal(t, access, vf, stride, set) {
						groups++
					}
				}
			}
		}
	}
	if groups < 250 {
		t.Errorf("only %d groups", groups)
	}
}

// optimal says whether the group of a set of slots has few enough loads and stores
// to be compared.
func optimal(t *testing.T, access Access, vf, stride, set int) bool {
	var f []int
	for i := range stride {
		if set>>i&1 != 0 {
			f = append(f, i)
		}
	}
	groups, _ := Groups(interleaved(access, 8, stride, vf, f...), max(vf, powerOfTwo(stride)), Options{})
	if len(groups) != 1 {
		t.Fatal("more than one group")
	}
	code, ok := Sequence(groups[0], freeWidening{unitCosts{gaps: true, masks: true}})
	if !ok {
		t.Fatal("no sequence")
	}
	b, shuffles := boundOf(groups[0], code)
	if len(b.sources) > 4 || len(b.wants) > 4 {
		return false
	}
	if least := b.least(shuffles); least < shuffles {
		t.Errorf("%s: %d shuffles, perhaps %d would do\n%s", groups[0], shuffles, least, code)
	}
	return true
}
