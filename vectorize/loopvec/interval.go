package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
)

// An interval is of numbers, with signs or without.
type interval struct{ lo, hi int64 }

func (r interval) within(s interval) bool { return s.lo <= r.lo && r.hi <= s.hi }

func (r interval) union(s interval) interval { return interval{min(r.lo, s.lo), max(r.hi, s.hi)} }

// span is what a number of so many bits may be, of which some are left unused.
func span(bits, unused int) interval {
	most := int64(1) << (bits - 1 - unused)
	return interval{-most, most - 1}
}

// settles finds a range that no iteration leaves, beginning with the first value, from limit to limit.
func (c *confiner) settles() bool {
	var ends []int64
	c.limits(c.next, make(map[*vir.Value]bool), &ends)
	slices.Sort(ends)
	c.r = interval{c.first, c.first}
	for range 2*len(ends) + 1 {
		c.all = c.r
		next, ok := c.of(c.next, c.r)
		switch {
		case !ok:
			return false
		case next.within(c.r):
			c.in = c.r
			return true
		}
		all := c.r.union(next)
		lo, below := slices.BinarySearch(ends, all.lo)
		hi, _ := slices.BinarySearch(ends, all.hi)
		if !below {
			lo--
		}
		if all.lo < c.r.lo && lo >= 0 {
			all.lo = ends[lo]
		}
		if all.hi > c.r.hi && hi < len(ends) {
			all.hi = ends[hi]
		}
		c.r = all
	}
	return false
}

// limits collects the ends of the ranges of what variables are compared with or set to.
func (c *confiner) limits(v *vir.Value, seen map[*vir.Value]bool, ends *[]int64) {
	if v == c.phi || seen[v] {
		return
	}
	seen[v] = true
	if c.m.free(v) {
		if r, ok := c.free(v); ok && r.within(span(33, 0)) {
			*ends = append(*ends, r.lo, r.hi)
		}
		return
	}
	args := v.Args
	if v.Op == vir.OpSelect {
		args = args[1:]
		if g := c.guard(v); g != nil {
			args = []*vir.Value{g.limit}
		}
	}
	for _, a := range args {
		c.limits(a, seen, ends)
	}
}

// free is the range of what does not depend on the variable.
func (c *confiner) free(v *vir.Value) (interval, bool) {
	r := c.known.Of(v)
	if c.unsigned {
		return interval{int64(r.ULo), int64(r.UHi)}, r.UHi>>63 == 0
	}
	return interval{r.SLo, r.SHi}, true
}

// step is the range of what is added: constants have signs.
func (c *confiner) step(v *vir.Value) (interval, bool) {
	if k, ok := v.ConstInt(); ok {
		return interval{k, k}, true
	}
	return c.free(v)
}

// held is what the type of the variable holds.
func (c *confiner) held() interval {
	all := ranges.Full(c.phi.Type.Elem.Bits())
	if c.unsigned {
		return interval{0, int64(min(all.UHi, 1<<63-1))}
	}
	return interval{all.SLo, all.SHi}
}

// of is the range of v where the variable is in r; not ok where that is not known, or a sum may wrap.
func (c *confiner) of(v *vir.Value, r interval) (interval, bool) {
	x, ok := c.find(v, r)
	c.all = c.all.union(x)
	return x, ok
}

func (c *confiner) find(v *vir.Value, r interval) (interval, bool) {
	switch {
	case v == c.phi:
		return r, true
	case c.m.free(v):
		return c.free(v)
	case v.Op == vir.OpSelect:
		if g := c.guard(v); g != nil {
			return c.guardedStep(g, r)
		}
		x, ok := c.of(v.Args[1], r)
		y, alsoOk := c.of(v.Args[2], r)
		return x.union(y), ok && alsoOk
	case v.Op == vir.OpAdd, v.Op == vir.OpSub:
		return c.sum(v, r)
	}
	x, ok := c.of(v.Args[0], r)
	y, alsoOk := c.of(v.Args[1], r)
	if v.Op == vir.OpSmin || v.Op == vir.OpUmin {
		return interval{min(x.lo, y.lo), min(x.hi, y.hi)}, ok && alsoOk
	}
	return interval{max(x.lo, y.lo), max(x.hi, y.hi)}, ok && alsoOk
}

func (c *confiner) sum(v *vir.Value, r interval) (interval, bool) {
	from, x := v.Args[0], v.Args[1]
	if c.m.free(from) && v.Op == vir.OpAdd {
		from, x = x, from
	}
	a, ok := c.of(from, r)
	b, alsoOk := c.step(x)
	if !ok || !alsoOk || !c.m.free(x) || !a.within(span(40, 0)) || !b.within(span(40, 0)) {
		return interval{}, false
	}
	c.all = c.all.union(b)
	if v.Op == vir.OpSub {
		b = interval{-b.hi, -b.lo}
	}
	sum := interval{a.lo + b.lo, a.hi + b.hi}
	return sum, sum.within(c.held())
}

// Variables that grow begin within growthRoom, and the iterations of a call, even of one twice as long as there
// is, grow them by half of that at most.
const (
	growthRoom = 1 << 29
	mostGrowth = growthRoom / 2 / (2 * maxStrip)
)

// grows finds a range that iterations leave by little, if possible on one side only.
func (c *confiner) grows() bool {
	lo, hi := c.first, c.first
	for range 4 { // what it is set to lies in between
		up, ok := c.of(c.next, interval{lo, growthRoom - 1})
		down, alsoOk := c.of(c.next, interval{-growthRoom, hi})
		if !ok || !alsoOk {
			return false
		}
		lo, hi = max(min(lo, up.lo), -growthRoom), min(max(hi, down.hi), growthRoom-1)
	}
	for _, r := range []interval{{lo, growthRoom - 1}, {-growthRoom, hi}, {-growthRoom, growthRoom - 1}} {
		c.all, c.r, c.in = interval{}, r, r
		next, ok := c.of(c.next, r)
		if next.lo < r.lo {
			c.in.lo -= growthRoom / 2
		}
		if next.hi > r.hi {
			c.in.hi += growthRoom / 2
		}
		oneSided := c.in.lo == r.lo && r.lo == lo || c.in.hi == r.hi && r.hi == hi
		last := r.hi-r.lo == 2*growthRoom-1
		if ok && (oneSided || last) && r.lo-next.lo <= mostGrowth && next.hi-r.hi <= mostGrowth {
			return interval{c.first, c.first}.within(r)
		}
	}
	return false
}
