package optvls

import "slices"

// Members may have loads of their own, where loads cost less than the shuffles that
// sharing them takes. At VF 4 and stride 3:
//
//	memory    0  1  2  3 | 4  5  6  7 | 8  9 10 11
//	x[3*i]    0        3         6          9        3 loads, and 2 shuffles each
//	x[3*i+1]     1         4         7         10
//
//	loads from 0, 6, 1 and 7 on: 4 loads, and 1 shuffle each
//
// So do those of members that overlap between iterations, such as x[2*i], x[2*i+1] and
// x[2*i+2]: those whose span is a stride at most share loads.

// ownPlans are plans where each member, or each bundle of members that lie in one
// stride, has loads of its own.
func (s *search) ownPlans(c *cover) []plan {
	n := len(s.g.Members)
	if s.g.Access.Store || s.g.Access.Indexed || s.g.Stride <= 0 || n < 2 || n > mostOwn {
		return nil
	}
	alone := make([][]int, n)
	for i := range alone {
		alone[i] = []int{i}
	}
	plans := s.bundlePlans(c, alone)
	if bundles := s.bundles(); len(bundles) > 1 && len(bundles) < n {
		plans = append(plans, s.bundlePlans(c, bundles)...)
	}
	return plans
}

// mostOwn is how many members are tried with loads of their own.
const mostOwn = 4

// bundles are members in order, of which those of a bundle lie in one stride.
func (s *search) bundles() [][]int {
	var all [][]int
	from := int64(0)
	for i, m := range s.g.Members {
		if i == 0 || m.end()-from > s.g.Stride {
			all, from = append(all, nil), m.Offset
		}
		all[len(all)-1] = append(all[len(all)-1], i)
	}
	return all
}

// bundlePlans are plans where each bundle is computed from loads of its own.
func (s *search) bundlePlans(c *cover, bundles [][]int) []plan {
	var pieces []piece
	from := make([][]int, len(bundles))
	want := make([][][]tag, len(bundles))
	for i, b := range bundles {
		for _, m := range b {
			want[i] = append(want[i], s.members[m])
		}
		own := c.pieces(s.areaOf(want[i]))
		if own == nil {
			return nil
		}
		for _, p := range own {
			k := slices.IndexFunc(pieces, func(q piece) bool { return samePieces([]piece{p}, []piece{q}) })
			if k < 0 {
				k = len(pieces)
				pieces = append(pieces, p)
			}
			from[i] = append(from[i], k)
		}
	}
	if slices.ContainsFunc(s.done, func(q []piece) bool { return samePieces(pieces, q) }) {
		return nil
	}
	s.done = append(s.done, pieces)
	var plans []plan
	for _, try := range strategies {
		plans = append(plans, plan{pieces, func(n *net) []int { return s.runBundles(n, try, from, want) }})
	}
	return plans
}

// areaOf is the part of the memory that some vectors have.
func (s *search) areaOf(vectors [][]tag) area {
	s.scratch.marked(slices.Concat(vectors...))
	a := area{row: s.areas[0].row}
	for _, u := range s.areas[0].units {
		if s.scratch.has(u.tag) {
			a.units = append(a.units, u)
		}
	}
	return a
}

// runBundles computes one bundle after the other. What a strategy has no way for is
// computed by the first one that has.
func (s *search) runBundles(n *net, try strategy, from [][]int, want [][][]tag) []int {
	var results []int
	for i := range from {
		r := try(n, s.full, from[i], want[i])
		for k := 0; r == nil && k < len(strategies); k++ {
			r = strategies[k](n, s.full, from[i], want[i])
		}
		if r == nil {
			return nil
		}
		results = append(results, r...)
	}
	return results
}
