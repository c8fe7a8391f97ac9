package outline

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// argument is the number of bytes that one more argument takes where a kernel is called.
const argument = 12

// subsets is the number of subsets of a group that are looked at.
const subsets = 100

// A partitioning finds out which members of a group had better share a body. All of them
// do when they have the same constants. Otherwise body and arguments of all are measured
// against those of two parts: the members that have the same for one of the holes, in which
// that is a constant then, and the others. The parts are partitioned likewise.
type partitioning struct {
	Options
	g    *group
	code map[*vir.Func]Code
	memo map[string]*shares
}

// shares are disjoint groups, and what their bodies and the additional arguments take.
type shares struct {
	parts []*group
	bytes int
}

// partition divides g into groups that are to share a body each; some have one member.
func (g *group) partition(opt Options) []*group {
	if len(g.members) == 1 || opt.Measure == nil {
		return []*group{g}
	}
	p := &partitioning{Options: opt, g: g, code: make(map[*vir.Func]Code), memo: make(map[string]*shares)}
	return p.best(count(len(g.members))).parts
}

// best is the best way to share code among some members.
func (p *partitioning) best(members []int) *shares {
	key := fmt.Sprint(members)
	if s := p.memo[key]; s != nil {
		return s
	}
	s := p.whole(members)
	p.memo[key] = s
	if len(members) == 1 || len(s.parts) == 1 && len(s.parts[0].holes()) == 0 {
		return s
	}
	for _, part := range p.cuts(members) {
		if len(p.memo) > subsets {
			break
		}
		in, out := p.best(part[0]), p.best(part[1])
		if in.bytes+out.bytes < s.bytes {
			s = &shares{append(in.parts[:len(in.parts):len(in.parts)], out.parts...), in.bytes + out.bytes}
		}
	}
	p.memo[key] = s
	return s
}

// whole is one body for all the members; bodies of their own where that does not do.
func (p *partitioning) whole(members []int) *shares {
	if sub := p.g.only(members, p.most()); sub != nil {
		if bytes, ok := p.together(sub); ok {
			return &shares{[]*group{sub}, bytes}
		}
	}
	s := &shares{}
	for _, i := range members {
		sub := p.g.only([]int{i}, p.most())
		s.parts = append(s.parts, sub)
		s.bytes += p.measure(sub.members[0].kernel.Fn).Bytes
	}
	return s
}

// together is what the common body of g and its arguments take. It is not ok when there
// would be more to do in loops than one of the members does now.
func (p *partitioning) together(g *group) (bytes int, ok bool) {
	f, hs := g.body()
	c := p.measure(f)
	if c.Bytes == 0 {
		return 0, false
	}
	for _, m := range g.members {
		if own := p.measure(m.kernel.Fn); own.Bytes == 0 || c.Loops > own.Loops {
			return 0, false
		}
	}
	return c.Bytes + argument*additional(hs)*len(g.members), true
}

// additional is the number of parameters for holes.
func additional(hs []*hole) (n int) {
	for _, h := range hs {
		if h.base == nil {
			n++
		}
	}
	return n
}

// measure is what f takes, nothing when that cannot be told.
func (p *partitioning) measure(f *vir.Func) Code {
	c, known := p.code[f]
	if !known {
		if codes, err := p.Measure([]*vir.Func{f}); err == nil && len(codes) == 1 {
			c = codes[0]
		}
		p.code[f] = c
	}
	return c
}

// cuts lists the ways to take from some members those with one value of a hole.
func (p *partitioning) cuts(members []int) (cuts [][2][]int) {
	sub := p.g.only(members, p.most())
	if sub == nil {
		return nil
	}
	seen := make(map[string]bool)
	for _, h := range sub.holes() {
		for _, a := range h.atoms {
			var in, out []int
			for i, b := range h.atoms {
				if a == b {
					in = append(in, members[i])
				} else {
					out = append(out, members[i])
				}
			}
			if key := fmt.Sprint(in); len(out) > 0 && !seen[key] {
				seen[key] = true
				cuts = append(cuts, [2][]int{in, out})
			}
		}
	}
	slices.SortStableFunc(cuts, func(a, b [2][]int) int { return len(b[0]) - len(a[0]) })
	return cuts
}

// only is the group of some members, of which the first leads; nil when they turn out to be
// too different from that one.
func (g *group) only(members []int, most slack) *group {
	sub := &group{}
	for k, i := range members {
		m := g.members[i]
		m.matching = nil
		if k == 0 {
			sub.members = append(sub.members, m)
		} else if !joinAny([]*group{sub}, m, most) {
			return nil
		}
	}
	return sub
}

// saved is by how much code becomes smaller with every member that shares f, as estimated;
// nothing when that cannot be told. What the leader needs more is the second one's to pay.
func (g *group) saved(f *vir.Func, hs []*hole, opt Options) []int {
	bytes := make([]int, len(g.members))
	if opt.Measure == nil {
		return bytes
	}
	p := &partitioning{Options: opt, code: make(map[*vir.Func]Code)}
	for i, m := range g.members {
		bytes[i] = p.measure(m.kernel.Fn).Bytes - argument*additional(hs)
	}
	bytes[1] += bytes[0] - p.measure(f).Bytes
	return bytes
}
