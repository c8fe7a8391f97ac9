package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// What lies between the fields that are computed with comes along in vectors in the order of memory. It may be anything: a small
// integer is a subnormal number to arithmetic on floats, which takes Intel processors more than a hundred cycles then.
// Such lanes are cleared, unless the block computes with what is in them.

// A place is an element of memory, by the walk that leads there.
type place struct {
	base, index *vir.Value
	scale, at   int64
}

func placeOf(v *vir.Value, k int) place {
	return place{v.Base(), v.Index(), v.Scale, lane{v, k}.at()}
}

// calculates reports whether op is arithmetic on floats.
func calculates(op vir.Op) bool {
	switch op {
	case vir.OpFneg, vir.OpFabs, vir.OpFcopysign:
		return false
	}
	return vir.OpFadd <= op && op <= vir.OpFmaxNnan || vir.OpFtosi <= op && op <= vir.OpFptrunc
}

// numbersOf are the elements that b loads and computes with.
func numbersOf(b *vir.Block) map[place]bool {
	numbers := make(map[place]bool)
	for _, v := range b.Insts {
		if !calculates(v.Op) || !lanewise(v) {
			continue
		}
		for _, a := range v.Args {
			for k := range v.Type.Lanes {
				l := trace(a, k)
				if l.v != nil && sameBits(l.v) {
					l = trace(l.v.Args[0], l.k)
				}
				if l.isLoad() && a.Type.Elem.IsFloat() {
					numbers[placeOf(l.v, l.k)] = true
				}
			}
		}
	}
	return numbers
}

// sameBits reports whether v is the lanes of its operand as another type: fields of several types are loaded as integers.
func sameBits(v *vir.Value) bool {
	return v.Op == vir.OpBitcast && v.Type.Lanes == v.Args[0].Type.Lanes
}

// harmless reports whether lanes of v, of which only those given matter, are numbers that the block computes with as well.
func (m *maker) harmless(v *vir.Value, lanes []lane) bool {
	switch {
	case sameBits(v):
		return m.harmless(v.Args[0], lanes)
	case v.Op == vir.OpLoadUnit:
		for k, l := range lanes {
			if l.v == nil && !m.numbers[placeOf(v, k)] {
				return false
			}
		}
		return true
	case moves(v): // lanes of the result may be any of the operands
		if len(defined(lanes)) == len(lanes) {
			return true
		}
		return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !m.harmless(a, make([]lane, a.Type.Lanes)) })
	}
	return true
}

// cleared is v, which has these lanes, with zeros or some of the lanes in place of the others where it has to be.
func (m *maker) cleared(v *vir.Value, lanes []lane) *vir.Value {
	if !v.Type.Elem.IsFloat() || m.harmless(v, lanes) {
		return v
	}
	key := "cleared " + keyOf(lanes, v.Type.Elem)
	if m.made[key] == nil {
		m.made[key] = m.clear(v, lanes)
	}
	return m.made[key]
}

func (m *maker) clear(v *vir.Value, lanes []lane) *vir.Value {
	if v.Op == vir.OpShuffle && slices.Contains(m.fresh, v) {
		return m.add(&vir.Value{Op: vir.OpShuffle, Type: v.Type, Args: v.Args, Lanes: filled(v), Pos: v.Pos})
	}
	used := make([]uint64, len(lanes))
	for k, l := range lanes {
		if l.v != nil {
			used[k] = 1
		}
	}
	mask := m.add(&vir.Value{Op: vir.OpConst, Type: v.Type.WithElem(vir.Bool), Bits: used})
	zero := m.add(&vir.Value{Op: vir.OpConst, Type: v.Type, Bits: []uint64{0}})
	x := m.add(&vir.Value{Op: vir.OpBlend, Type: v.Type, Args: []*vir.Value{mask, v, zero}, Pos: v.Pos})
	m.clears = append(m.clears, x)
	return x
}

// clearCost is the throughput of what b clears. It does not count against the order of memory: the processors that need it
// do one shuffle per cycle, half as many as estimates have, and these are what it saves.
func (m *maker) clearCost(b *vir.Block) (cost float64) {
	for _, v := range b.Insts {
		if slices.Contains(m.clears, v) {
			cost += m.target.CostValue(v).Throughput
		}
	}
	return cost
}

// filled are the lanes of shuffle v, with the nearest of those that matter in place of the others.
func filled(v *vir.Value) []int {
	lanes := slices.Clone(v.Lanes)
	for k, l := range v.Lanes {
		for d := 1; l < 0; d++ {
			for _, from := range []int{k ^ d, k - d, k + d} {
				if 0 <= from && from < len(lanes) && v.Lanes[from] >= 0 {
					l = v.Lanes[from]
					break
				}
			}
		}
		lanes[k] = l
	}
	return lanes
}
