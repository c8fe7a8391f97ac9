package optvls

import (
	"fmt"
	"strings"
	"testing"
)

// at makes memrefs of 4 bytes at the given distances.
func at(offs ...int64) []*ref {
	var refs []*ref
	for i, o := range offs {
		refs = append(refs, &ref{name: fmt.Sprint("memref", i+1), off: o, order: i, typ: Type{32, 4}, stride: 64})
	}
	return refs
}

func memrefs(refs []*ref) []Memref {
	var all []Memref
	for _, r := range refs {
		all = append(all, r)
	}
	return all
}

// names prints groups in their order, members by address.
func names(groups []*Group) string {
	var all []string
	for _, g := range groups {
		var s []string
		for _, m := range g.Members {
			s = append(s, m.Ref.(*ref).name)
		}
		all = append(all, strings.Join(s, " "))
	}
	return strings.Join(all, " | ")
}

func TestGroupsOfTheSmallestGaps(t *testing.T) {
	refs := memrefs(at(0, 4, 12, 16, 20))
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Greedy: true}, "memref1 memref2 memref3 | memref4 memref5"},
		{Options{}, "memref1 memref2 | memref3 memref4 memref5"},
	} {
		groups, of := Groups(refs, 16, c.o)
		if got := names(groups); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
		for _, r := range refs {
			found := false
			for _, m := range of[r].Members {
				found = found || m.Ref == r
			}
			if !found {
				t.Errorf("%s is mapped to a group without it", r.(*ref).name)
			}
		}
	}
}

// A countingRef counts how often anybody asks whether something may move.
type countingRef struct {
	ref
	asked *int
}

func (r *countingRef) Distance(from Memref) (int64, bool) {
	return r.off - from.(*countingRef).off, true
}
func (r *countingRef) SameElements(Memref) bool { return true }
func (r *countingRef) CanMoveTo(Memref) bool {
	*r.asked++
	return true
}

// Loops that have been unrolled load from the same places again and again. Grouping asks no
// more than each about each.
func TestManyLoadsOfFewPlacesAreGroupedSoon(t *testing.T) {
	const n = 400
	asked := 0
	var refs []Memref
	for i := range n {
		refs = append(refs, &countingRef{ref{off: int64(8 * (i % 16)), order: i, typ: Type{64, 4}, stride: 128}, &asked})
	}
	groups, _ := Groups(refs, 32, Options{})
	if len(groups) == 0 || asked > n*n {
		t.Errorf("%d groups, %d questions", len(groups), asked)
	}
}
