package outline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// operands are the operands of item k in an order that is the same in congruent
// occurrences which start at start: of commutative operations those from inside come first.
func (t *text) operands(start, k int) []*vir.Value {
	v := t.items[k].v
	if !v.Op.Info().Commutative {
		return v.Args
	}
	args := slices.Clone(v.Args)
	slices.SortStableFunc(args, func(a, b *vir.Value) int { return cmp.Compare(t.place(start, k, a), t.place(start, k, b)) })
	return args
}

// place orders operands: where they stand in the occurrence, then those from outside,
// then constants.
func (t *text) place(start, k int, a *vir.Value) int {
	if at, ok := t.inside(start, k, a); ok {
		return at
	}
	if _, ok := constant(a); ok {
		return k - start + 1
	}
	return k - start
}

// inside is where a, an operand of item k, stands in the occurrence that starts at start.
// It does not depend on where the occurrence ends, since operands come first.
func (t *text) inside(start, k int, a *vir.Value) (at int, ok bool) {
	at, ok = t.at[a]
	return at - start, ok && start <= at && at < k
}

// A structureTree numbers structures. What an operation takes from where does not depend
// on how long the occurrence is, so the structure of a longer one is that of a shorter one
// and a step: each occurrence is looked at once, whatever lengths are asked for.
type structureTree struct {
	steps map[step]int
	of    map[int][]int // by start, for every length
}

// A step leads from the structure of some operations to that with one more.
type step struct {
	from     int
	operands string
}

// noStructure is the number of what cannot be a routine: a mask would be a parameter.
const noStructure = -1

// structure is the number of the structure of an occurrence: which operands come from
// inside, and from where. Only occurrences with the same structure can be one routine
// without branches in it.
func (t *text) structure(start, length int) int {
	known := t.structures.of[start]
	for k := start + len(known); len(known) < length; k++ {
		from := 0
		if n := len(known); n > 0 {
			from = known[n-1]
		}
		next := noStructure
		if operands, ok := t.sources(start, k); ok && from != noStructure {
			s := step{from, operands}
			if next, ok = t.structures.steps[s]; !ok {
				next = len(t.structures.steps) + 1
				t.structures.steps[s] = next
			}
		}
		known = append(known, next)
	}
	t.structures.of[start] = known
	return known[length-1]
}

// sources tells where the operands of item k come from. It is not ok when a mask comes
// from outside.
func (t *text) sources(start, k int) (s string, ok bool) {
	var sb strings.Builder
	for _, a := range t.operands(start, k) {
		at, ok := t.inside(start, k, a)
		switch {
		case ok:
			fmt.Fprintf(&sb, "%d ", at)
		case a.Type.IsMask() && a.Op != vir.OpConst:
			return "", false
		default:
			sb.WriteString("- ")
		}
	}
	return sb.String(), true
}

// isOutput holds when item k of an occurrence that ends before end is used outside.
func (t *text) isOutput(k, end int) bool {
	i := t.items[k]
	return i.away || i.last >= end
}

// canGather reports whether the values of the block that stand between those of the
// occurrence can move out of the way: none that needs one of them is needed by another.
func (t *text) canGather(start, length int) bool {
	members := make([]*vir.Value, length)
	for k := range members {
		members[k] = t.items[start+k].v
	}
	_, _, ok := around(members)
	return ok
}

// around divides what stands between the members of an occurrence in their block into
// what can be moved ahead of them and what has to follow them. It is not ok when one of
// the members needs what has to follow.
func around(members []*vir.Value) (ahead, behind []*vir.Value, ok bool) {
	b := members[0].Block
	first, last := span(members)
	inside, follows := make(map[*vir.Value]bool), make(map[*vir.Value]bool)
	for _, v := range members {
		inside[v] = true
	}
	for _, v := range b.Insts[first : last+1] {
		late := slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return follows[a] })
		switch {
		case inside[v] && late:
			return nil, nil, false
		case inside[v]:
		case late || slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return inside[a] }):
			follows[v] = true
			behind = append(behind, v)
		default:
			ahead = append(ahead, v)
		}
	}
	return ahead, behind, true
}

// span is where the first and the last of members stand in their block.
func span(members []*vir.Value) (first, last int) {
	first = len(members[0].Block.Insts)
	for i, v := range members[0].Block.Insts {
		if slices.Contains(members, v) {
			first, last = min(first, i), i
		}
	}
	return first, last
}

// constant is the value of a if it is the same in all lanes or given lane by lane.
func constant(a *vir.Value) (bits []uint64, ok bool) {
	if a.Op == vir.OpBroadcast && !a.Type.IsMask() {
		a = a.Args[0]
	}
	return a.Bits, a.Op == vir.OpConst
}
