package generate

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
)

// perhaps is the gain of kernels that run only if something unlikely is given, or do a
// part of the loop lane by lane: any other one is better.
const perhaps = 1.001

// surely is the gain that another kernel needs to be better than one of those.
const surely = 1.1

// doubt is what the gain of such a part is divided by where it is in a loop inside. Memory
// is gone through in another order then, which is what most of the gain comes from.
const doubt = 2

// gain is the estimated time of the scalar loop over that of the kernel, with a call of it where there are
// known to be few iterations.
func (n *nest) gain() float64 {
	if n.kernel == nil || n.tooShort() {
		return 1
	}
	for _, r := range n.remarks {
		cost, ok := r.Args["cost"].(float64)
		scalar, ok2 := r.Args["scalar"].(float64)
		switch {
		case r.Kind != diag.Passed:
		case ok && ok2 && cost > 0 && r.Args["given"] != nil:
			return max(perhaps, math.Sqrt(scalar/cost)) // nobody knows how often that is the case
		case r.Args["partial"] != nil && len(n.inside) == 0:
			return perhaps
		case ok && ok2 && cost > 0 && r.Args["partial"] != nil:
			return max(perhaps, scalar/cost/doubt)
		case ok && ok2 && cost > 0:
			if few, known := n.trips(briefMost + 1); known {
				return n.speedupOf(few, scalar, cost)
			}
			return scalar / cost
		}
	}
	return 1
}

// clearly is how much better one of two kernels has to be by estimates of what they take themselves,
// which are right within a factor of two or so.
const clearly = 2.5

// seenFrom is the gain of k, a loop directly inside of n, as far as it compares with that of n. Estimates of
// the scalar code of one and the same loop differ: turns wait for each other, or those of the next
// iteration of n fill the gaps; a sum is in memory, or in a register. The less counts, unless k
// is clearly better.
func (k *nest) seenFrom(n *nest, gain float64) float64 {
	cost, ok := k.run()
	outer, scalar, ok2 := n.cycles()
	if gain <= perhaps || !ok || !ok2 {
		return gain
	}
	seen := scalar / cost
	if len(k.inside) == 0 && seen > clearly*scalar/outer && k.kernel.Min < vectorize.InnerTrips {
		return seen
	}
	return min(gain, seen)
}

// run is what k takes in each iteration of the loop around it, in cycles, with the kernels that have been chosen in it.
func (k *nest) run() (cycles float64, ok bool) {
	if cost, _, ok := k.cycles(); ok {
		cost *= vectorize.InnerTrips
		if k.kernel.Partial && len(k.inside) == 0 {
			cost += calling // such a kernel does not become part of that of the loop around it
		}
		return cost, true
	}
	if len(k.inside) != 1 {
		return 0, false
	}
	inside, ok := k.inside[0].run()
	return (calling + inside) * vectorize.InnerTrips, ok
}

// wholeMargin is how much better straight-line code must be than the loops in it, which
// are less code.
const wholeMargin = 1.25

// calling is what a call of a kernel takes, with the tests before it, in cycles.
const calling = 20

// charged is the gain of what was chosen in n, less the price of calls where it is known
// how many iterations share it.
func (n *nest) charged() float64 {
	if cost, scalar, ok := n.cycles(); ok {
		return n.speedup(scalar, cost)
	}
	if len(n.inside) == 0 {
		return n.gain()
	}
	least := math.Inf(1)
	for _, k := range n.inside {
		if n.kernel != nil && n.kernel.Adjoining {
			least = min(least, k.gain())
		} else {
			least = min(least, k.charged())
		}
	}
	return least
}

// cycles is what an iteration takes in the kernel and in the scalar loop.
func (n *nest) cycles() (cost, scalar float64, ok bool) {
	for _, r := range n.remarks {
		if r.Kind != diag.Passed || n.kernel == nil || n.region.Once {
			continue
		}
		cost, ok = r.Args["cost"].(float64)
		scalar, _ = r.Args["scalar"].(float64)
	}
	return cost, scalar, ok && cost > 0 && scalar > 0
}

// speedup is the time of the scalar loop over that of the kernel, given what an iteration
// takes in each, in cycles.
func (a *attempt) speedup(scalar, cost float64) float64 {
	n, ok := a.trips(1 << 10)
	if !ok {
		return scalar / cost
	}
	return a.speedupOf(n, scalar, cost)
}

// speedupOf is that of n iterations.
func (a *attempt) speedupOf(n int64, scalar, cost float64) float64 {
	if n < a.kernel.Min {
		return 1
	}
	rest := n % a.kernel.Block
	vector := calling + cost*float64(n-rest)
	if a.kernel.Complete {
		vector += min(2*cost, scalar) * float64(rest)
	} else {
		vector += scalar * float64(rest)
	}
	return scalar * float64(n) / vector
}

// dropShort drops the kernels of loops in n that are too short.
func (n *nest) dropShort() {
	for _, k := range n.inside {
		if k.dropShort(); k.kernel == nil && n.kernel != nil && n.along != nil {
			k.partOf(n)
		}
	}
	most := ""
	count, short := n.short()
	if !short {
		count, short = n.brief()
		most = "at most "
	}
	if short {
		r := n.region
		n.before = slices.Clone(n.remarks)
		n.drop(diag.Remark{
			Kind: diag.Missed, ID: "loopvec:FewIterations", Pos: r.Pos, Func: r.Func, Twin: r.Twin,
			Msg: fmt.Sprintf("the loop has %s%d iterations, and calling a kernel for them takes longer", most, count),
		})
	}
}

// partOf says of k, which has no kernel of its own, that it is vectorized as a part of that of n.
func (k *nest) partOf(n *nest) {
	for _, m := range k.before {
		if m.Kind == diag.Passed {
			m.Msg += ", in the kernel of the loop around it"
			k.remarks[len(k.remarks)-1] = m
		}
	}
}

// short reports whether n has a kernel for a loop that is known to have so few iterations
// that none of them is worth a call, unless it is to have one at any rate.
func (n *nest) short() (count int64, short bool) {
	if !n.voluntary() {
		return 0, false
	}
	count, known := n.trips(n.kernel.Min)
	return count, known && count < n.kernel.Min
}

// voluntary reports whether n has a kernel of a loop that it need not have.
func (n *nest) voluntary() bool {
	return n.kernel != nil && !n.region.Once && !n.region.Clauses.Require && !n.region.Clauses.Force
}

// tooShort reports whether the loop is known to have fewer iterations, whenever it is
// entered, than are worth a call of its kernel.
func (a *attempt) tooShort() bool {
	n, ok := a.trips(a.kernel.Min)
	return ok && n < a.kernel.Min
}

// trips is the number of iterations whenever the loop is entered, if that is known and
// not more than limit.
func (a *attempt) trips(limit int64) (int64, bool) {
	t := a.kernel.Trip
	if span := a.region.Span; span != nil && t.Step != 0 {
		step := max(t.Step, -t.Step)
		if n := max(*span+step-1, 0) / step; n < limit {
			return n, true
		}
	}
	return t.Turns(a.region.Init, limit)
}
