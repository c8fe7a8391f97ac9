package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A dependence between iterations of the outer loop that are in the same iteration of
// the loop inside is kept by lanes that go one after the other there:
//
//	for i := range n {                    all lanes do j op by op, and then j+1
//		for j := range n {
//			b[j][i] = b[j][i-1] + c[j][i]     but these lane by lane, for each j
//
// That is one step of the block, as in serial.go. It begins with the first access that
// has to wait and stands where the last one does, so that everything it is computed from
// is there. What it takes along in between is what its stores could meet, and
// stores of what it loads. Dependences that lead to another iteration of the inner loop
// are none of its business: nestPair looks at these.

// laneByLane reports whether lanes one after the other are an answer to accesses in the
// wrong order in the same iteration of all loops.
func (x *nestTest) laneByLane() bool {
	return x.r.distribute && x.apart < longDistance && len(x.a.loops) > 0 && x.a.Inst.Block == x.b.Inst.Block
}

// A span is a step of a block: places in the accesses of a nest.
type span struct{ from, to int }

// nestSerials makes steps of the pairs that are in the wrong order.
func (r *Result) nestSerials(all []nested) {
	var spans []span
	for _, p := range r.crossed {
		spans = append(spans, span{min(p[0].index, p[1].index), max(p[0].index, p[1].index)})
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var apart []span
	for _, s := range spans {
		if n := len(apart); n > 0 && s.from <= apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, s.to)
		} else {
			apart = append(apart, s)
		}
	}
	var serials [][]*vir.Value
	for _, s := range apart {
		nodes := r.together(all[s.from : s.to+1])
		if nodes == nil {
			p := r.crossed[0]
			r.limitNest(p[0], p[1], 1)
			return
		}
		serials = append(serials, nodes)
	}
	r.setSerials(serials)
}

// together are the members of a step among the accesses that it spans, which lie in one
// block; nil when one of them cannot be done for one lane after the other.
func (r *Result) together(accesses []nested) []*vir.Value {
	member := make(map[*vir.Value]bool)
	for changed := true; changed; {
		changed = false
		for i := range accesses {
			a := &accesses[i]
			if !member[a.Inst] && (i == 0 || i == len(accesses)-1 || joins(a, accesses, member)) {
				member[a.Inst], changed = true, true
			}
		}
	}
	var nodes []*vir.Value
	loaded := make(map[*vir.Value]bool)
	for _, a := range accesses {
		v := a.Inst
		if !member[v] {
			continue
		}
		if v.Masked || v.Index() != nil && follows(v.Index(), loaded, v.Block) {
			return nil
		}
		loaded[v] = v.Op.IsLoad()
		nodes = append(nodes, v)
	}
	return nodes
}

// joins reports whether a has to be done along with the members: it may meet one of
// them, or stores what is computed from one.
func joins(a *nested, accesses []nested, member map[*vir.Value]bool) bool {
	for i := range accesses {
		b := &accesses[i]
		if member[b.Inst] && (a.Store || b.Store) && a.Stream.Param == b.Stream.Param {
			return true
		}
	}
	return a.Store && follows(a.Inst, member, a.Inst.Block)
}

// follows reports whether v is computed from one of some values, in block b.
func follows(v *vir.Value, from map[*vir.Value]bool, b *vir.Block) bool {
	seen := make(map[*vir.Value]bool)
	var walk func(v *vir.Value) bool
	walk = func(v *vir.Value) bool {
		if seen[v] || v.Block != b || v.Op == vir.OpPhi {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return from[a] || walk(a) })
	}
	return walk(v)
}
