package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// longest bounds the operations of a routine.
const longest = 100

// A candidate is code that several places have in common.
type candidate struct {
	t        *text
	starts   []int // of its occurrences, ascending
	length   int
	inputs   *inputs
	outputs  []int     // operations of which some occurrence needs the result
	advances []advance // results behind those of outputs

	body  *vir.Func
	bytes int // of body
	gain  int // bytes less, estimated
}

// A spot is where a sequence of one structure occurs.
type spot struct {
	starts []int // ascending, without overlaps
	length int
}

// considered bounds the spots of a text of which the parameters are looked for.
const considered = 1000

// candidates lists what repeats in t, is of one structure and can be a routine. Of very
// many it looks at those that promise most.
func (t *text) candidates() (found []*candidate) {
	classes := make([]int, len(t.items))
	for k, i := range t.items {
		classes[k] = i.class
	}
	var spots []spot
	for _, r := range repeats(classes, longest) {
		spots = append(spots, t.spots(r)...)
	}
	worth := make(map[*int]int)
	for _, s := range spots {
		bytes := t.roughly(s)
		worth[&s.starts[0]] = (bytes-callBytes)*len(s.starts) - bytes
	}
	slices.SortStableFunc(spots, func(a, b spot) int { return worth[&b.starts[0]] - worth[&a.starts[0]] })
	for _, s := range spots[:min(len(spots), considered)] {
		found = append(found, t.candidate(s.starts, s.length))
		found = append(found, t.partitions(s.starts, s.length)...)
	}
	return slices.DeleteFunc(found, func(c *candidate) bool { return c == nil })
}

// spots divides a repeat by structure, at its length and with fewer operations at the end.
// (Those with fewer operations at the front are repeats of their own.)
func (t *text) spots(r repeat) (found []spot) {
	const shorter = 3
	for length := r.length; length > max(0, r.length-1-shorter); length-- {
		var structures []int
		groups := make(map[int][]int)
		for _, start := range r.starts {
			s := t.structure(start, length)
			g := groups[s]
			switch n := len(g); {
			case s == noStructure || n > 0 && g[n-1]+length > start:
				continue
			case n == 0:
				structures = append(structures, s)
			}
			groups[s] = append(g, start)
		}
		for _, s := range structures {
			if len(groups[s]) > 1 {
				found = append(found, spot{groups[s], length})
			}
		}
	}
	return found
}

// candidate is the one with the given occurrences, nil if there is none.
func (t *text) candidate(starts []int, length int) *candidate {
	starts = slices.DeleteFunc(slices.Clone(starts), func(s int) bool { return !t.canGather(s, length) })
	if len(starts) < 2 {
		return nil
	}
	c := &candidate{t: t, starts: starts, length: length}
	var ok bool
	if c.inputs, ok = t.parameters(starts, length); !ok {
		return nil
	}
	var ts []vir.Type
	for j := range length {
		if slices.ContainsFunc(starts, func(s int) bool { return t.isOutput(s+j, s+length) }) {
			if typ := t.items[starts[0]+j].v.Type; typ.IsMask() {
				return nil
			} else if typ.Elem != vir.Void {
				c.outputs = append(c.outputs, j)
				ts = append(ts, typ)
			}
		}
	}
	if !inRegisters(ts) || c.converts() {
		return nil
	}
	c.findAdvances()
	return c
}

// converts reports whether a scalar would have to go from one kind of register to another.
func (c *candidate) converts() bool {
	for _, s := range c.starts {
		for _, p := range c.inputs.params {
			a := c.t.operands(s, s+p.slot.item)[p.slot.operand]
			if !p.typ.IsVector() && a.Type != p.typ {
				return true
			}
		}
	}
	return false
}

// partitions are candidates of those occurrences that have the same constant for an
// input that the others do not have: it is no parameter then.
func (t *text) partitions(starts []int, length int) (found []*candidate) {
	in, ok := t.parameters(starts, length)
	if !ok {
		return nil
	}
	for _, p := range in.params {
		var values [][]uint64
		var parts [][]int
		for o, s := range starts {
			bits, ok := constant(in.operand(p.slot, o))
			if !ok {
				continue
			}
			g := slices.IndexFunc(values, func(v []uint64) bool { return slices.Equal(v, bits) })
			if g < 0 {
				g = len(values)
				values, parts = append(values, bits), append(parts, nil)
			}
			parts[g] = append(parts[g], s)
		}
		for _, part := range parts {
			found = append(found, t.candidate(part, length))
		}
	}
	return found
}
