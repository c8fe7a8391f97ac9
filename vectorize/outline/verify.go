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

// structure tells which operands of the occurrence come from inside, and from where:
// only occurrences with the same structure can be one routine without branches in it.
// It is not ok when a value that no routine can take goes in or out.
func (t *text) structure(start, length int) (s string, ok bool) {
	var sb strings.Builder
	for k := start; k < start+length; k++ {
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
		if t.isOutput(k, start+length) && t.items[k].v.Type.IsMask() {
			return "", false
		}
	}
	return sb.String(), t.canGather(start, length)
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
