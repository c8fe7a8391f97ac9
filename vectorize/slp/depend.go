package slp

import (
	"container/heap"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A region is the instructions of a block, but for phis and the terminator, with what
// depends on what: operands, and accesses to memory that may meet. Some of them are
// bundled to be done at one place. Edges lead from what comes first.
type region struct {
	block *vir.Block
	insts []*vir.Value
	loads []*vir.Value // of scalars
	at    map[*vir.Value]int
	edges [][]int // hard: always in force
	soft  []softEdge
	unit  []int   // of each instruction; that of the first of a bundle
	parts [][]int // instructions of each unit, nil for those that belong to another

	stretches []*stretch // of loads

	seen  []int // marks of search
	round int
	steps *int // edges followed are counted there
}

// A softEdge orders two accesses that may meet. Those between the same two places are in
// force together, or none.
type softEdge struct {
	from, to int
}

func (g *Graph) newRegion(b *vir.Block) *region {
	r := &region{block: b, at: make(map[*vir.Value]int), steps: &g.spent}
	for _, v := range b.Insts[len(b.Phis()):] {
		if !v.Op.Info().Term {
			r.at[v] = len(r.insts)
			r.insts = append(r.insts, v)
			if v.Op == vir.OpLoad && isAccess(v) {
				r.loads = append(r.loads, v)
			}
		}
	}
	n := len(r.insts)
	r.edges, r.unit, r.parts, r.seen = make([][]int, n), make([]int, n), make([][]int, n), make([]int, n)
	for i, v := range r.insts {
		r.unit[i], r.parts[i] = i, []int{i}
		for _, a := range v.Args {
			if k, ok := r.at[a]; ok && a.Block == b {
				r.edges[k] = append(r.edges[k], i)
			}
		}
	}
	g.order(r)
	return r
}

// order adds the edges of memory and of other effects.
func (g *Graph) order(r *region) {
	var before []int
	for i, v := range r.insts {
		effect := v.Op.Info().Effect
		if !effect && !v.Op.IsLoad() {
			continue
		}
		for _, k := range before {
			w := r.insts[k]
			if !effect && !w.Op.Info().Effect {
				continue
			}
			rel := meet
			if isAccess(v) && isAccess(w) {
				rel = g.relate(w, v)
			}
			switch rel {
			case meet:
				r.edges[k] = append(r.edges[k], i)
			case mayMeet:
				r.soft = append(r.soft, softEdge{k, i})
			}
		}
		before = append(before, i)
	}
}

func isAccess(v *vir.Value) bool {
	return (v.Op == vir.OpLoad || v.Op == vir.OpStore) && !v.Masked
}

// bundle makes one unit of instructions; false when they depend on each other, or are
// bundled already. Chained are those that may depend on each other, as long as nothing
// stands between them.
func (r *region) bundle(vs []*vir.Value, chained bool) bool {
	var members []int
	for _, v := range vs {
		if i := r.at[v]; !slices.Contains(members, i) {
			members = append(members, i)
		}
	}
	for _, i := range members {
		if r.unit[i] != i || len(r.parts[i]) > 1 {
			return false
		}
	}
	if r.reach(members, chained) {
		return false
	}
	slices.Sort(members)
	first := members[0]
	for _, i := range members {
		r.unit[i], r.parts[i] = first, nil
	}
	r.parts[first] = members
	return true
}

// release takes the bundle with vs apart.
func (r *region) release(vs []*vir.Value) {
	u := r.unit[r.at[vs[0]]]
	for _, i := range r.parts[u] {
		if i != u {
			r.unit[i], r.parts[i] = i, []int{i}
		}
	}
	r.parts[u] = []int{u}
}

// reach reports whether one of the members comes before another by way of others, or,
// unless they are chained, at once.
func (r *region) reach(members []int, chained bool) bool {
	r.round++
	var work []int
	push := func(i int, chained bool) (hit bool) {
		*r.steps += len(r.edges[i])
		for _, k := range r.edges[i] {
			if slices.Contains(members, k) {
				if !chained {
					return true
				}
			} else if u := r.unit[k]; r.seen[u] != r.round {
				r.seen[u] = r.round
				work = append(work, u)
			}
		}
		return false
	}
	for _, i := range members {
		if push(i, chained) {
			return true
		}
	}
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range r.parts[u] {
			if push(i, false) {
				return true
			}
		}
	}
	return false
}

// schedule gives the units in an order in which nothing comes before what it depends on:
// as in the source where possible, bundles where their last member was. Edges of memory
// that would be in the way are given up; those are the second result.
func (r *region) schedule() (units []int, apart []softEdge) {
	var kept []softEdge
	for _, group := range r.softGroups() {
		if _, ok := r.sorted(append(kept, group...)); ok {
			kept = append(kept, group...)
		} else {
			apart = append(apart, group...)
		}
	}
	units, _ = r.sorted(kept)
	return units, apart
}

// softGroups are the soft edges by pairs of places.
func (r *region) softGroups() [][]softEdge {
	type pair struct{ a, b place }
	index := make(map[pair]int)
	var groups [][]softEdge
	for _, e := range r.soft {
		p := pair{placeOf(r.insts[e.from]), placeOf(r.insts[e.to])}
		if p.a.compare(p.b) > 0 {
			p.a, p.b = p.b, p.a
		}
		i, ok := index[p]
		if !ok {
			i = len(groups)
			index[p] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// sorted sorts units topologically; false when there is a cycle.
func (r *region) sorted(more []softEdge) (units []int, ok bool) {
	n := len(r.insts)
	into := make([]int, n)
	soft := make([][]int, n)
	for _, e := range more {
		soft[e.from] = append(soft[e.from], e.to)
	}
	each := func(u int, visit func(int)) {
		for _, i := range r.parts[u] {
			for _, k := range r.edges[i] {
				if r.unit[k] != u {
					visit(r.unit[k])
				}
			}
			for _, k := range soft[i] {
				visit(r.unit[k])
			}
		}
	}
	total := 0
	for u := range r.parts {
		if r.parts[u] != nil {
			total++
			each(u, func(w int) { into[w]++ })
		}
	}
	ready := make(map[int]int) // last member to unit
	var queue numbers
	add := func(u int) {
		last := r.parts[u][len(r.parts[u])-1]
		ready[last] = u
		heap.Push(&queue, last)
	}
	for u := range r.parts {
		if r.parts[u] != nil && into[u] == 0 {
			add(u)
		}
	}
	for len(queue) > 0 {
		u := ready[heap.Pop(&queue).(int)]
		units = append(units, u)
		each(u, func(w int) {
			if into[w]--; into[w] == 0 {
				add(w)
			}
		})
	}
	return units, len(units) == total
}

// numbers is a heap of which the least comes first.
type numbers []int

func (n numbers) Len() int           { return len(n) }
func (n numbers) Less(i, j int) bool { return n[i] < n[j] }
func (n numbers) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *numbers) Push(x any)        { *n = append(*n, x.(int)) }
func (n *numbers) Pop() any {
	last := len(*n) - 1
	x := (*n)[last]
	*n = (*n)[:last]
	return x
}
