package loopvec

import (
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loopvec/bypass"
	"github.com/lanewise/lanewise/vectorize/loopvec/memorder"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A candidate is a number of lanes with the kernel and the cost it leads to.
type candidate struct {
	vf, uf int
	stages []stage
	kernel *plan.Kernel
	cost   float64 // cycles per iteration in the main loop

	inOrder bool    // the main loop computes in the order of memory
	around  float64 // cycles per iteration in front of the main loop and behind it
	skips   float64 // cycles per block in regions that may be passed by
	regions []bypass.Region
}

// inOrder has the blocks of c compute in the order of memory where that costs less,
// and reports whether the main loop does.
func (l *loop) inOrder(c *candidate) (main bool) {
	if len(l.serials) > 0 {
		return false
	}
	cost := func(b *vir.Block) float64 { return l.blockCost([]*vir.Block{b}) }
	for _, b := range c.kernel.Fn.Blocks {
		if memorder.Block(b, l.target, cost) && slices.Contains(c.stageBlocks(0), b) {
			main = true
		}
	}
	return main
}

// candidates are the plans worth looking at, at least one.
func (l *loop) candidates() ([]*candidate, error) {
	vf, err := l.lanes()
	if err != nil {
		return nil, err
	}
	ufs, err := l.unrolls(vf)
	if err != nil {
		return nil, err
	}
	l.findGroups(vf)
	l.sought = l.seeks()
	var plans []*candidate
	ufs = slices.DeleteFunc(ufs, func(uf int) bool { return uf*vf < l.copies() })
	if len(ufs) == 0 {
		return nil, pass.Refuse("reroll:Copies", nil, "a block of %d lanes has room for %d copies", vf, l.copies())
	}
	ufs = l.filled(vf, ufs)
	for _, uf := range ufs {
		c := &candidate{vf: vf, uf: uf, stages: l.stagesOf(vf, uf)}
		c.kernel = l.emit(c.stages)
		c.inOrder = l.inOrder(c)
		if v := l.illegal(c.kernel); v != nil {
			return nil, pass.Refuse("loopvec:NoVectorOperation", v, "%s has no vector form of %s on %s", l.target.Name, v.Op, v.Type.Lane())
		}
		c.cost, c.around = l.vectorCost(c), l.aroundCost(vf*uf)
		l.skip(c, uf == ufs[0])
		plans = append(plans, c)
	}
	return plans, nil
}

// filled are those of ufs with which blocks are no longer than the loop, where it always has the same few
// iterations; the least of them at any rate.
func (l *loop) filled(vf int, ufs []int) []int {
	turns, known := l.trip.Turns(nil, int64(vf*slices.Max(ufs)))
	if !known {
		return ufs
	}
	least := slices.Min(ufs)
	return slices.DeleteFunc(ufs, func(uf int) bool { return uf > least && int64(uf*vf) > turns })
}

// lanes is the vectorization factor: as many lanes of the widest type as a
// register has, fewer when a dependence says so.
func (l *loop) lanes() (int, error) {
	vf := l.target.VectorBytes / l.widest()
	limit := l.dp.MaxLanes
	if n := l.region.Clauses.Simdlen; n > 0 {
		if n > maxLanes || n&(n-1) != 0 {
			return 0, badClause("simdlen(%d) is no power of two of at most %d", n, maxLanes)
		}
		if limit > 0 && n > limit {
			return 0, pass.Refuse("loopvec:Dependence", nil, "simdlen(%d) is more than the %d lanes that dependences through memory allow", n, limit)
		}
		vf = n
	}
	if limit > 0 && limit < vf {
		vf = floorPow2(limit)
	}
	if vf < 2 {
		if l.dp.Limit != nil {
			return 0, refusal(l.dp.Limit)
		}
		return 0, pass.Refuse("loopvec:Dependence", nil, "iterations depend on each other through memory")
	}
	return vf, nil
}

// maxLanes is the most lanes of a value, in the main loop too.
const maxLanes = 256

// badClause refuses a clause that asks for what no plan can do. Callers may make
// an error of it.
func badClause(format string, args ...any) error {
	r := pass.Refuse("loopvec:BadClause", nil, format, args...)
	r.Args = map[string]any{"error": true}
	return r
}

func floorPow2(n int) int { return 1 << (bits.Len(uint(n)) - 1) }

// widestInside is the size of the widest element that lanes compute in inner loops.
func (l *loop) widestInside() int {
	return l.widestOf(l.inside)
}

// widestOf is the size of the widest element among those values of the demand.
func (l *loop) widestOf(which func(*vir.Value) bool) int {
	size := 1
	for v := range l.demand {
		if v.Type.Elem != vir.Bool && which(v) && !l.single(v) {
			size = max(size, v.Type.Elem.Size())
		}
	}
	return size
}

// widest is the size of the widest element that lanes hold.
func (l *loop) widest() int {
	size := l.widestOf(func(*vir.Value) bool { return true })
	for _, a := range l.dp.Accesses {
		if l.single(a.Inst) {
			continue
		}
		if a.Store && !a.Uniform() && l.updateOf(a.Inst) == nil || l.demand[a.Inst] {
			size = max(size, int(a.Stream.Size))
		}
	}
	for _, h := range l.held {
		if !chains(h) {
			continue // what lanes need is among the demand, the variables only move
		}
		for _, t := range h.kept(l, 1) {
			if t.Elem != vir.Bool && t.IsVector() {
				size = max(size, t.Elem.Size())
			}
		}
	}
	for _, s := range l.states {
		if s.red != nil {
			size = max(size, s.red.main.Size())
		}
	}
	return size
}

// unrollLimit is the largest main loop, in operations times registers, that is
// made by unrolling: larger ones crowd out other code.
const unrollLimit = 320

// unrolls are the unroll counts to try. Reductions want many accumulators, to
// hide the latency of the operation.
func (l *loop) unrolls(vf int) ([]int, error) {
	if n := l.region.Clauses.Unroll; n > 0 {
		if n&(n-1) != 0 || n*vf > maxLanes {
			return nil, badClause("unroll(%d) is no power of two of at most %d", n, maxLanes/vf)
		}
		return []int{l.fit(vf, n)}, nil
	}
	ufs := []int{4, 2, 1}
	if l.reductions() > 0 || slices.ContainsFunc(l.held, chains) || l.counts() && vf <= 4 { // a compress store has to wait once, whatever its length
		ufs = []int{8, 4, 2, 1}
	}
	if l.sumsInZMM() {
		ufs = slices.Insert(ufs, 0, 16)
	}
	var out []int
	rows := l.maxRows()
	for _, uf := range ufs {
		switch {
		case !l.lanesStayTogether() && uf*l.widestInside() > 2*l.widest():
			continue // blocks run until their last lane has left: two registers of what they compute there
		case uf > 1 && (uf*vf > rows || l.order.activeLanes(uf*vf) > mostActive):
			continue
		}
		if l.fit(vf, uf) == uf && uf*vf <= maxLanes && (uf == 1 || uf*len(l.demand) <= unrollLimit) {
			out = append(out, uf)
		}
	}
	return out, nil
}

// chains reports whether a block waits for what h has from the block before.
func chains(h held) bool {
	_, ok := h.(*periodic)
	return !ok
}

// sumsInZMM reports whether the loop accumulates in registers of 64 bytes: the target has them, and
// there is nothing but operations on neighbours of one size.
func (l *loop) sumsInZMM() bool {
	if !l.target.ZMM || l.reductions() == 0 || len(l.held)+len(l.states) > l.reductions()+1 || l.isNest() || l.stopsAtExits() || l.order != nil || len(l.groups) > 0 {
		return false
	}
	size := l.widest()
	for v := range l.demand {
		if v.Type.Elem == vir.Bool || v.Type.Elem.Size() != size {
			return false
		}
	}
	return l.accessesNeighbours()
}

// fit is the largest unroll count up to uf that dependences allow.
func (l *loop) fit(vf, uf int) int {
	for uf > 1 && l.dp.MaxLanes > 0 && vf*uf > l.dp.MaxLanes {
		uf /= 2
	}
	return uf
}

func (l *loop) reductions() int {
	n := 0
	for _, s := range l.states {
		if s.red != nil {
			n++
		}
	}
	return n
}

// Sizes of a body, in operations times registers, up to which a ladder of copies
// is worth its code: below one register, and from the whole main block down.
const (
	ladderLimit = 60
	steepLimit  = 40
)

// stagesOf is the main loop and what does the rest of the iterations: for small
// bodies a ladder of blocks that each halve the lanes, otherwise a loop over one
// register of lanes, and below it a ladder again, so that no scalar iterations
// are left, or less than what divides their number. Loops that may be left and do more than to look have the loop too: where
// they stop is found by repeating a block, which processors predict better than a
// ladder. Small nests that store midway, whose last block cannot be one that begins earlier (see redo.go), have one more loop, over
// half of a register.
func (l *loop) stagesOf(vf, uf int) []stage {
	s := []stage{{lanes: vf * uf, loop: true}}
	from := vf / 2
	switch {
	case l.sought != nil:
		s[0].seeks = vf * uf
		if uf > 1 {
			s[0].seeks *= leastSought
			s = append(s, stage{lanes: vf, loop: true, seeks: vf})
		}
		for ; from >= leastLanes; from /= 2 {
			s = append(s, stage{lanes: from, loop: true, seeks: from})
		}
	case uf > 1 && len(l.demand)*uf <= steepLimit && !l.isNest() && !l.stopsAtExits() && !l.counts():
		from = vf * uf / 2
	case uf > 1:
		if l.isNest() && uf > 2 {
			s = append(s, stage{lanes: 2 * vf, loop: true})
		}
		if vf >= l.copies() {
			s = append(s, stage{lanes: vf, loop: true})
		}
	}
	if half := vf / 2; l.isNest() && l.storesMidway() && l.sought == nil && half >= max(l.copies(), 2) && len(l.demand) <= steepLimit {
		s = append(s, stage{lanes: half, loop: true, part: true})
	}
	ladder := len(l.demand) <= ladderLimit && !l.isNest() && !l.counts()
	if l.rests() && !(ladder && l.updates()) {
		for n := from; n >= vf; n /= 2 {
			s = append(s, stage{lanes: n})
		}
		return append(s, stage{lanes: vf, rest: true})
	}
	if !ladder {
		return s
	}
	for n := from; n >= l.copies(); n /= 2 {
		s = append(s, stage{lanes: n})
	}
	return s
}

// illegal finds a vector operation that the target cannot do.
func (l *loop) illegal(k *plan.Kernel) *vir.Value {
	for _, b := range k.Fn.Blocks {
		for _, v := range b.Insts {
			if lanesOf(v) > 0 && !l.target.LegalValue(v) {
				return v
			}
		}
	}
	return nil
}

// lanesOf is the number of lanes that v works on, 0 for scalars.
func lanesOf(v *vir.Value) int {
	n := v.Type.Lanes
	for _, a := range v.Args {
		n = max(n, a.Type.Lanes)
	}
	return n
}
