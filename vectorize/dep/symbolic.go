package dep

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// longStep asks for a step S that is longer than what two accesses of a family
// reach over: with d the distance of the two and size the larger one,
// |S| >= |d| + size implies |d - j*S| >= size for all j >= 1, so that they meet
// in no other iteration. As a test of distances: from a to a+S.
func (r *Result) longStep(a, b member) {
	d := b.rel - a.rel
	if d < -far || d > far {
		r.limit(a.Access, b.Access, 1)
		return
	}
	reach := max(d, -d) + max(a.size, b.size)
	from := plan.Stream{Param: a.Stream.Param, Off: a.Stream.Off, Size: a.size}
	r.addTest(plan.Overlap{A: from, B: shifted(from, a.Step), Lo: -reach, Hi: reach})
}

// interleaved tests two families of one parameter and one step S > 0, such as
// two columns of a matrix. For A before B in the program and d the address of B
// minus that of A, S - d >= size of B implies d - j*S <= -size of B for all
// j >= 1: no later iteration of A touches what B does now.
func (r *Result) interleaved(g, h *family) {
	for _, a := range g.members {
		for _, b := range h.members {
			if !a.stores && !b.stores || r.apart(a.Access, b.Access) {
				continue
			}
			if a.index > b.index {
				a, b = b, a
			}
			from := plan.Stream{Param: a.Stream.Param, Off: a.Stream.Off, Size: a.size}
			to := plan.Stream{Param: b.Stream.Param, Off: b.Stream.Off, Size: b.size}
			next := shifted(from, a.Step)
			r.addTest(plan.Overlap{A: from, B: next, Lo: math.MinInt64, Hi: 1})
			r.addTest(plan.Overlap{A: to, B: next, Lo: math.MinInt64, Hi: b.size})
		}
	}
}

func shifted(s plan.Stream, by *plan.Expr) plan.Stream {
	s.Off = scev.Simplify(plan.Add(s.Off, by))
	return s
}
