package forward

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A cell is memory that is accessed by addresses that do not change within an iteration,
// always with the same type.
type cell struct {
	accesses []*vir.Value // in reverse post-order
	tests    []alias.Apart
	home     *vir.Block // what comes before all of them, in no loop inside
	sinks    bool       // one store is enough: no way from home on is without one
}

// cells finds those that nothing else touches.
func (s *scope) cells() []*cell {
	var out []*cell
	seen := make(map[*vir.Value]bool)
	for _, v := range s.all {
		if seen[v] {
			continue
		}
		c := &cell{accesses: []*vir.Value{v}}
		seen[v] = true
		for _, w := range s.all {
			if !seen[w] && alias.Compare(v, w) == alias.Equal && v.Access() == w.Access() {
				c.accesses = append(c.accesses, w)
				seen[w] = true
			}
		}
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c *cell) bool { return !s.steady(c) || !s.alone(c) })
}

// steady reports whether the address of c is the same wherever an iteration computes it,
// and valid whenever its home is run: the iteration, or what it does under a condition that all
// accesses are under.
func (s *scope) steady(c *cell) bool {
	c.home = s.homeOf(c.accesses)
	valid := false
	for _, v := range c.accesses {
		valid = valid || v.Block == c.home || s.always(v.Block)
		for _, a := range address(v) {
			if !s.fixed(a) {
				return false
			}
		}
	}
	c.sinks = slices.ContainsFunc(c.accesses, func(v *vir.Value) bool { return v.Op.IsStore() && s.always(v.Block) }) || s.together(c)
	return valid
}

// homeOf is the last block in no loop inside that is run before all of vs.
func (s *scope) homeOf(vs []*vir.Value) *vir.Block {
	d := vs[0].Block
	for _, v := range vs[1:] {
		d = s.dom.Common(d, v.Block)
	}
	for !s.top(d) {
		d = s.dom.Idom(d)
	}
	return d
}

// together reports whether all stores of c are in one block that is in no loop inside.
func (s *scope) together(c *cell) bool {
	var in *vir.Block
	for _, v := range c.accesses {
		if v.Op.IsStore() {
			if in != nil && v.Block != in {
				return false
			}
			in = v.Block
		}
	}
	return in != nil && s.top(in)
}

// address lists the operands of the address of v.
func address(v *vir.Value) []*vir.Value {
	if v.Indexed {
		return []*vir.Value{v.Base(), v.Index()}
	}
	return []*vir.Value{v.Base()}
}

// fixed reports whether v has one value in an iteration: it stands in no loop inside, or
// is computed from what does not.
func (s *scope) fixed(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if v.Block == nil || !s.inside[v.Block] || s.top(v.Block) {
			return edit.Given
		}
		i := v.Op.Info()
		return edit.KnownIf(v.Op != vir.OpPhi && !i.Effect && !i.Reads)
	})
}

// alone reports whether nothing else touches c, as far as that can be told or tested.
func (s *scope) alone(c *cell) bool {
	stored := slices.ContainsFunc(c.accesses, func(v *vir.Value) bool { return v.Op.IsStore() })
	for _, w := range s.all {
		if slices.Contains(c.accesses, w) || !stored && !w.Op.IsStore() {
			continue
		}
		switch alias.Compare(c.accesses[0], w) {
		case alias.Disjoint:
		case alias.Unknown:
			t := alias.Apart{A: alias.Of(c.accesses[0]), B: alias.Of(w)}
			if !s.testable(t.A) || !s.testable(t.B) {
				return false
			}
			c.tests = append(c.tests, t)
		default:
			return false
		}
	}
	return true
}

// testable reports whether a range is known where the iteration begins.
func (s *scope) testable(r alias.Range) bool {
	return s.known(r.Base) && (r.Index == nil || s.known(r.Index))
}

// known reports whether v can be computed where the iteration begins.
func (s *scope) known(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if v.Block == nil || !s.inside[v.Block] && s.dom.Dominates(v.Block, s.begin()) {
			return edit.Given
		}
		i := v.Op.Info()
		return edit.KnownIf(v.Op != vir.OpPhi && !i.Effect && !i.Reads && !edit.Divides(v.Op))
	})
}

// begin is the block behind which tests of memory stand.
func (s *scope) begin() *vir.Block {
	if s.it.Loop != nil {
		return s.it.Loop.Header
	}
	return s.f.Entry()
}

// Where a test at run time pays: it costs about as much as so many accesses.
const (
	testCost  = 4
	frontCost = 1 // where the distance is the same for all iterations of a call
	roundGain = 8 // an access in a loop inside counts as so many
)

// A pair is two pointers whose memory is compared at run time.
type pair struct{ a, b *vir.Value }

func pairOf(t alias.Apart) pair {
	a, b := alias.Root(t.A.Base), alias.Root(t.B.Base)
	if a.ID() > b.ID() {
		a, b = b, a
	}
	return pair{a, b}
}

// pairs are those that c needs.
func (c *cell) pairs() (out []pair) {
	for _, t := range c.tests {
		if p := pairOf(t); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// pool adds up what tests are good for, and what they cost.
func (s *scope) pool(cells []*cell) {
	s.gains, s.costs = make(map[pair]int), make(map[pair]int)
	for _, c := range cells {
		for _, p := range c.pairs() {
			s.gains[p] += max(s.gain(c), 0)
		}
		for _, t := range c.tests {
			p := pairOf(t)
			if s.costs[p] = max(s.costs[p], frontCost); !s.inFront(t) {
				s.costs[p] = testCost
			}
		}
	}
}

// inFront reports whether t is a test that a call makes once.
func (s *scope) inFront(t alias.Apart) bool {
	if s.it.Loop == nil {
		return false
	}
	d := t.Distance()
	outside := func(v *vir.Value) bool { return v.Block == nil || !s.it.Loop.Contains(v.Block) }
	return outside(d.From) && outside(d.To) && !slices.ContainsFunc(d.Terms, func(x alias.Term) bool { return !outside(x.Value) })
}

// worthwhile reports whether registers save accesses, and more than tests cost.
func (s *scope) worthwhile(c *cell) bool {
	cheap := func(p pair) bool { return s.gains[p] <= s.costs[p] }
	return s.gain(c) > 0 && !slices.ContainsFunc(c.pairs(), cheap)
}

// gain is the number of accesses that registers save.
func (s *scope) gain(c *cell) int {
	loads, stores := 0, 0
	for _, v := range c.accesses {
		n := 1
		for l := s.loop(v.Block); l != nil && l != s.it.Loop; l = l.Parent {
			n *= roundGain
		}
		if v.Op.IsStore() {
			stores += n
		} else {
			loads += n
		}
	}
	gain := loads
	if first := c.accesses[0]; loads > 0 && !(first.Op.IsStore() && (first.Block == c.home || s.always(first.Block))) {
		gain--
	}
	if stores > 0 && c.sinks {
		gain += stores - 1
	}
	return gain
}
