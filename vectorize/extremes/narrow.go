package extremes

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Where all lanes of a variable are taken together in the end, it does not matter in which of them a
// NaN has come by, and one register is enough for the NaNs of several:
//
//	m1 = fmax.nnan m, x
//	n1 = n where all parts of x are numbers, else NaN
//
// Behind the loop each part of m1 has n1 for its NaNs, those that other parts have met included: that
// is not right for a part, but for what is made of all of them.

const (
	registerBytes = 64
	// fewParts is the fewest registers of a variable for which that is done. Two parts are compared
	// at once, and then there is a choice, so that two registers take as many instructions either way.
	fewParts = 3
)

// nanLanes is how many lanes the NaNs of values in w have at most.
func (w *web) nanLanes() int {
	most := 0
	for v := range w.chains {
		if v.Type.Size() >= fewParts*registerBytes {
			most = registerBytes / v.Type.Elem.Size()
		}
	}
	if most == 0 || !w.together(most) {
		return w.widest()
	}
	return most
}

// widest is the number of lanes of the longest value.
func (w *web) widest() int {
	most := 0
	for v := range w.in {
		most = max(most, v.Type.Lanes)
	}
	return most
}

// A share is some lanes of a value, which have been taken together.
type share struct {
	of    *vir.Value
	lanes []bool
}

func (s share) isWhole() bool { return !slices.Contains(s.lanes, false) }

// together reports whether everyone who looks at a value of w as it was sees one lane that is made of all lanes of
// what it comes from, where each lane of NaNs is for all lanes that are a multiple of most away from it.
func (w *web) together(most int) bool {
	shares := make(map[*vir.Value]share)
	for _, b := range loops.RPO(w.f) {
		for _, v := range b.Insts {
			if !w.in[v] {
				if slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return w.in[a] && (a.Type.Lanes > 1 || !shares[a].isWhole()) }) {
					return false
				}
				continue
			}
			s, ok := w.share(v, most, shares)
			if !ok {
				return false
			}
			if s.isWhole() {
				s = share{of: v}
			}
			shares[v] = s
		}
	}
	return true
}

// share is that of v, if what it is made of can be said to have one.
func (w *web) share(v *vir.Value, most int, shares map[*vir.Value]share) (share, bool) {
	whole := func(a *vir.Value) bool { return !w.in[a] || shares[a].isWhole() }
	switch v.Op {
	case vir.OpSubvec:
		x := v.Args[0]
		s := share{x, make([]bool, x.Type.Lanes)}
		for k := range v.Type.Lanes {
			s.lanes[int(v.Imm)+k] = true
		}
		return s, whole(x)
	case vir.OpConcat:
		short := v.Type.Lanes > most && slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return a.Type.Lanes < most })
		return share{of: v}, !short && !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !whole(a) })
	case vir.OpPhi: // what a loop carries comes from operations with items
		return share{of: v}, !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !whole(a) })
	case vir.OpBlend:
		// Lanes of items go into a variable or do not.
		op, old := v.Args[1], v.Args[2]
		ok := v.Type.Lanes <= most && w.in[op] && op.Op == w.op && (op.Args[0] == old && !w.in[op.Args[1]] || op.Args[1] == old && !w.in[op.Args[0]])
		return shares[old], ok && w.in[old]
	}
	x, y := v.Args[0], v.Args[1]
	switch {
	case whole(x) && whole(y):
		return share{of: v}, true
	case !w.in[x]:
		return shares[y], true
	case !w.in[y]:
		return shares[x], true
	case shares[x].of != shares[y].of:
		return share{}, false
	}
	s := share{shares[x].of, slices.Clone(shares[x].lanes)}
	for k, has := range shares[y].lanes {
		s.lanes[k] = s.lanes[k] || has
	}
	return s, true
}
