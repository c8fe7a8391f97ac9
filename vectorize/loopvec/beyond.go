package loopvec

import "github.com/lanewise/lanewise/vir"

// Minima begin with something larger than all that they are the minimum of, often with more than fits:
//
//	best := math.MaxInt; ... if d < best { best = d }
//
// Such a variable begins with the largest number of its width instead, which no iteration sets it to. Comparisons come out the
// same, and where it still is that number in the end, it is what it was.

// beyond are the sides of its range that a variable may begin outside of.
type beyond struct{ below, above bool }

// extend lets the variable begin beyond what iterations make of it: as far as its width goes, or anywhere.
func (c *confiner) extend() {
	made, most := c.all, span(c.width, 0)
	if c.unsigned {
		most.lo = 0
	}
	stays := func(r interval) bool {
		all := c.all
		next, ok := c.of(c.next, r)
		if c.all = c.all.union(r); ok && next.within(r) && c.all.within(most) {
			c.r, c.in = r, r
			return true
		}
		c.all = all
		return false
	}
	below, above := stays(interval{most.lo, c.r.hi}), stays(interval{c.r.lo, most.hi})
	if !c.unsigned && !c.guarded && c.onlyCompared(interval{most.lo + 1, most.hi - 1}) {
		c.beyond = beyond{below && made.lo > most.lo, above && made.hi < most.hi}
	}
}

// onlyCompared reports whether nobody looks at the variable but to compare it with numbers in r, and to set it.
func (c *confiner) onlyCompared(r interval) bool {
	leads := c.leading()
	leads[c.phi] = true
	for v := range c.m.body.Func.Values {
		for k, a := range v.Args {
			if leads[a] && !c.compares(v, k, r) && !(leads[v] && sets(v, k)) {
				return false
			}
		}
	}
	return true
}

// sets reports whether v is operand k or something else.
func sets(v *vir.Value, k int) bool {
	switch v.Op {
	case vir.OpSmin, vir.OpSmax, vir.OpPhi:
		return true
	}
	return v.Op == vir.OpSelect && k > 0
}

// compares reports whether v compares operand k with a number in r, or hands it out.
func (c *confiner) compares(v *vir.Value, k int, r interval) bool {
	switch v.Op {
	case vir.OpRet:
		return true
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle:
		with, ok := c.free(v.Args[1-k])
		return ok && c.m.free(v.Args[1-k]) && with.within(r)
	}
	return false
}

// entered is what the variable begins with in its width.
func (c *confiner) entered(b *vir.Builder, first *vir.Value, t vir.Type) *vir.Value {
	if c.beyond.above {
		first = b.Op(vir.OpSmin, first.Type, first, b.Int(first.Type, c.r.hi))
	}
	if c.beyond.below {
		first = b.Op(vir.OpSmax, first.Type, first, b.Int(first.Type, c.r.lo))
	}
	return c.resized(b, first, t)
}

// left is x, a value of the variable as wide as it was, or what it began with where nothing has set it.
func (c *confiner) left(b *vir.Builder, x, first *vir.Value) *vir.Value {
	if c.beyond.above {
		x = b.Op(vir.OpSelect, x.Type, b.Cmp(vir.OpIcmpEq, x, b.Int(x.Type, c.r.hi)), first, x)
	}
	if c.beyond.below {
		x = b.Op(vir.OpSelect, x.Type, b.Cmp(vir.OpIcmpEq, x, b.Int(x.Type, c.r.lo)), first, x)
	}
	return x
}

// allowed are the numbers that the variable may begin with.
func (c *confiner) allowed() interval {
	r, all := c.r, c.held()
	if c.beyond.above {
		r.hi = all.hi
	}
	if c.beyond.below {
		r.lo = all.lo
	}
	return r
}
