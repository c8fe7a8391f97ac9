// Package bypass puts branches around what a block does for some lanes only, when
// that is much and none of these lanes may be active:
//
//	%m = fcmp.lt maskx8 %v, %a              %m = ...
//	%w = ... much ...                       %any = any %m
//	%r = blend %m, %w, %v          ==>      br %any, if, end
//	store.unit %r, ...                  if: %w = ... much ...
//	                                        jmp end
//	                                   end: %w1 = phi [poison], [%w]
//	                                        %r = blend %m, %w1, %v
//	                                        store.unit %r, ...
//
// The region of a guard, a mask or its complement, are the operations whose results
// nobody looks at while the guard is empty: they go to blends whose mask implies the
// guard, to memory operations under such masks, or to other operations of the
// region. Stores under such masks belong to it themselves, and so do sums lane by lane of what
// such a mask chooses; see chain.go.
//
// A region is cut out of its block only if no operation has to stand both behind
// one part of it and before another. Behind a region, and inside of it, the search
// goes on.
//
// It knows vir and is told costs; it must not know what the block is part of.
package bypass

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
)

// Options of Block.
type Options struct {
	Cost  func(values []*vir.Value) float64 // cycles of a region
	Worth float64                           // cost from which on a branch is
	Name  func() string                     // of a new block
	// Made is told of the new blocks of each region: its own, and the rest of the one
	// it was cut out of, which is searched after that.
	Made func(r Region)
}

// A Region is one that has been cut out.
type Region struct {
	In, Behind *vir.Block
	Guard      *vir.Value // the mask, or its complement, without which it is skipped
	Cost       float64
}

// Block cuts regions out of b, and returns what they cost together: the cycles that
// are saved when all are passed by.
//
// The search takes as long as there are operations, times guards, times regions. In very
// long blocks it is given up at some time: what has been cut out until then stays.
func Block(b *vir.Block, o Options) float64 {
	left := patience
	return block(b, o, nil, &left)
}

// patience is how many operations are looked at, again and again, in all.
const patience = 1 << 20

// block does that for b, which runs only if a lane of these guards is active.
func block(b *vir.Block, o Options, within []guard, left *int) float64 {
	gs := guards(b)
	if len(gs) == 0 {
		return 0
	}
	c := newCutter(b)
	c.left = left
	r := c.best(gs, o, within)
	if r == nil {
		return 0
	}
	in, end := r.cut(o)
	block(in, o, append(slices.Clip(within), r.guard), left)
	return r.cost + block(end, o, within, left)
}

// A guard is a mask, or its complement.
type guard struct {
	mask *vir.Value
	neg  bool
}

// impliedBy reports whether no lane of mask m is active when the guard is empty.
func (g guard) impliedBy(m *vir.Value) bool {
	for m != g.mask && (m.Op == vir.OpSubvec || m.Op == vir.OpShuffle && len(m.Args) == 1) {
		m = m.Args[0]
	}
	if g.neg {
		return boolean.Disjoint(m, g.mask)
	}
	return boolean.Implies(m, g.mask)
}

// implies reports whether h has an active lane when g has one.
func (g guard) implies(h guard) bool {
	return !g.neg && !h.neg && boolean.Implies(g.mask, h.mask)
}

// impliedByNot reports the same of the complement of m.
func (g guard) impliedByNot(m *vir.Value) bool {
	if g.neg {
		return boolean.Implies(g.mask, m)
	}
	return boolean.Complements(m, g.mask)
}

// A cutter looks for regions in a block.
type cutter struct {
	b     *vir.Block
	insts []*vir.Value       // of b before something is cut out
	at    map[*vir.Value]int // positions in insts
	uses  [][]int            // positions of who uses an instruction, elsewhere for other blocks
	deps  [][]int            // positions of what an instruction must stand behind
	left  *int               // of the patience
}

// elsewhere is the position of what is in other blocks.
const elsewhere = -1

// A region is what is cut out under a guard.
type region struct {
	*cutter
	guard guard
	in    []bool // by position
	pre   []bool // stands before the region
	cost  float64

	implied, excluded map[*vir.Value]bool // what is known of masks: see impliedBy and impliedByNot
}

// impliedBy is that of the guard, computed once.
func (r *region) impliedBy(m *vir.Value) bool { return once(&r.implied, m, r.guard.impliedBy) }

// impliedByNot is that of the guard, computed once.
func (r *region) impliedByNot(m *vir.Value) bool { return once(&r.excluded, m, r.guard.impliedByNot) }

func once(known *map[*vir.Value]bool, m *vir.Value, f func(*vir.Value) bool) bool {
	if is, ok := (*known)[m]; ok {
		return is
	}
	if *known == nil {
		*known = make(map[*vir.Value]bool)
	}
	(*known)[m] = f(m)
	return (*known)[m]
}

func newCutter(b *vir.Block) *cutter {
	c := &cutter{b: b, insts: slices.Clone(b.Insts), at: make(map[*vir.Value]int, len(b.Insts)), uses: make([][]int, len(b.Insts))}
	for i, v := range b.Insts {
		c.at[v] = i
	}
	for v := range b.Func.Values {
		user, ok := c.at[v]
		if !ok {
			user = elsewhere
		}
		for _, a := range v.Args {
			if i, ok := c.at[a]; ok {
				c.uses[i] = append(c.uses[i], user)
			}
		}
	}
	c.deps = make([][]int, len(b.Insts))
	var accesses []int
	for i, v := range b.Insts {
		if v.Op == vir.OpPhi {
			continue
		}
		for _, a := range v.Args {
			if j, ok := c.at[a]; ok {
				c.deps[i] = append(c.deps[i], j)
			}
		}
		if !isAccess(v) {
			continue
		}
		for _, j := range accesses {
			if v.Op.IsStore() || b.Insts[j].Op.IsStore() {
				c.deps[i] = append(c.deps[i], j)
			}
		}
		accesses = append(accesses, i)
	}
	return c
}

func isAccess(v *vir.Value) bool { return v.Op.IsLoad() || v.Op.IsStore() }

// best is the region of one of gs that costs most, nil when none is worth a branch. A
// branch of the guards within has been taken.
func (c *cutter) best(gs []guard, o Options, within []guard) *region {
	var best *region
	for _, g := range gs {
		if slices.ContainsFunc(within, func(w guard) bool { return w.mask == g.mask || w.implies(g) }) {
			continue
		}
		r := &region{cutter: c, guard: g}
		if !r.find() {
			continue
		}
		r.cost = o.Cost(r.values())
		if r.cost >= o.Worth && (best == nil || r.cost > best.cost) {
			best = r
		}
	}
	return best
}

// guards are the masks by which lanes are chosen in b.
func guards(b *vir.Block) []guard {
	var gs []guard
	seen := make(map[*vir.Value]bool)
	add := func(m *vir.Value) {
		for m.Op == vir.OpSubvec {
			m = m.Args[0]
		}
		if m.Type.IsMask() && m.Op != vir.OpConst && !seen[m] {
			seen[m] = true
			gs = append(gs, guard{m, false}, guard{m, true})
		}
	}
	for _, v := range b.Insts {
		switch {
		case v.Op == vir.OpBlend:
			add(v.Args[0])
		case isAccess(v) && v.Masked:
			add(v.Mask())
		case v.Op == vir.OpAnd && v.Type.IsMask():
			add(v.Args[0])
			add(v.Args[1])
		}
	}
	return gs
}

// find collects the region; false when there is none that could be cut out.
func (r *region) find() bool {
	n := len(r.b.Insts)
	r.in = make([]bool, n)
	r.collect(make([]bool, n))
	for drop := make([]bool, n); ; {
		if *r.left -= n; *r.left < 0 {
			return false
		}
		late := r.late(drop)
		if late < 0 {
			break
		}
		r.collect(drop)
	}
	return slices.Contains(r.in, true)
}

// collect solves, backwards,
//
//	in(v) = v is a store under a mask that implies the guard, or
//	        v is a step of a sum that the guard leaves alone when it is empty, or
//	        v is pure or a load, is used, and all its uses are in the region, or
//	        choose v only where the guard holds
func (r *region) collect(drop []bool) {
	for i := len(r.b.Insts) - 1; i >= 0; i-- {
		r.in[i] = !drop[i] && r.belongs(i)
	}
}

func (r *region) belongs(i int) bool {
	v := r.b.Insts[i]
	switch {
	case v == r.guard.mask || v.Op == vir.OpPhi || v.Op == vir.OpConst || v.Op == vir.OpPoison || v.Op.Info().Term:
		return false
	case v.Op.IsStore():
		return v.Masked && r.impliedBy(v.Mask())
	case v.Op.IsCheck() || v.Op == vir.OpIter:
		return false
	case r.isLink(v):
		return true
	}
	uses := r.uses[i]
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(u int) bool {
		return u == elsewhere || !r.in[u] && !r.chosen(r.b.Insts[u], v) || r.begins(r.b.Insts[u], v)
	})
}

// chosen reports whether u, a blend outside, takes v only where the guard holds.
func (r *region) chosen(u, v *vir.Value) bool {
	if u.Op != vir.OpBlend || v.Type.IsMask() || u.Args[0] == v {
		return false
	}
	return (u.Args[1] != v || r.impliedBy(u.Args[0])) && (u.Args[2] != v || r.impliedByNot(u.Args[0]))
}

// late looks for an operation of the region that must stand behind another one that
// must stand behind the region, and drops it; -1 when there is none. Otherwise pre is
// what stands before the region: what it needs, and accesses that come before it anyway.
func (r *region) late(drop []bool) int {
	n := len(r.b.Insts)
	behind := make([]bool, n) // outside, and behind some part of the region
	first := slices.Index(r.in, true)
	for i := range n {
		for _, j := range r.deps[i] {
			switch {
			case r.in[i] && behind[j]:
				drop[i] = true
				return i
			case !r.in[i] && (r.in[j] || behind[j]):
				behind[i] = true
			}
		}
	}
	r.pre = make([]bool, n)
	for i := n - 1; i >= 0; i-- {
		r.pre[i] = r.pre[i] || !r.in[i] && (i < first && stays(r.b.Insts[i]) || r.b.Insts[i].Op == vir.OpPhi || r.b.Insts[i] == r.guard.mask || r.b.Insts[i].Op == vir.OpConst)
		if !r.pre[i] && !r.in[i] {
			continue
		}
		for _, j := range r.deps[i] {
			r.pre[j] = r.pre[j] || !r.in[j]
		}
	}
	// The guard itself may follow from the region.
	if m, ok := r.at[r.guard.mask]; ok && behind[m] && first >= 0 {
		i := n - 1
		for !r.in[i] {
			i--
		}
		drop[i] = true
		return i
	}
	return -1
}

// stays reports whether v stays in front of a region that comes behind it. What only
// computes goes behind it if nothing in front needs it: it may be a region, too.
func stays(v *vir.Value) bool {
	return isAccess(v) || v.Op.IsCheck() || v.Op == vir.OpIter || !v.Type.IsVector()
}

// values are the operations of the region.
func (r *region) values() []*vir.Value {
	var vs []*vir.Value
	for i, v := range r.b.Insts {
		if r.in[i] {
			vs = append(vs, v)
		}
	}
	return vs
}
