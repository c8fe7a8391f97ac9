// Package loopvec turns the scalar loop of a region into a kernel: several
// iterations per step, one in each lane.
//
//	for i := range y { y[i] += a*x[i] }
//
//	vec32: %x = load.unit f32x32 [%xb + %t*4]    32 iterations: 4 registers of 8 lanes
//	       ...
//	vec8:  the same at 8 lanes, then 4, 2, 1
//
// Requires: the straight body of if-conversion, chains of reductions shortened by
// Reductions, equal values shared. Afterwards the unit has a kernel; the region
// is as it was.
//
// First the loop is analyzed: can it be vectorized at all, and what must the
// caller test (loop)? Then a kernel is written for each candidate number of lanes
// (emitter) and costed as it stands; the cheapest wins. Nothing of the region is
// changed by any of that.
//
// Remarks: loopvec:Vectorized, loopvec:Unprofitable, loopvec:Candidates, loopvec:Skipped, and one
// refusal for each way in which a loop can be illegal; those of analyses are
// passed on.
//
// Not handled: recurrences through addresses, vectors of pointers.
package loopvec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// inPartInstead are the reasons for which a part of a loop may stay scalar.
var inPartInstead = []string{"dep:Order", "loopvec:OrderedReduction", "loopvec:Recurrence"}

// Run vectorizes the region of u.
func Run(u *pass.Unit) error {
	err := vectorized(u, false)
	var r *pass.Refusal
	if errors.As(err, &r) && slices.Contains(inPartInstead, r.ID) {
		return distributed(u, r)
	}
	return err
}

// vectorized vectorizes the region of u, with distribute also parts of it.
func vectorized(u *pass.Unit, distribute bool) error {
	l, err := analyze(u, distribute)
	if err != nil {
		return err
	}
	plans, err := l.candidates()
	if err != nil {
		return err
	}
	l, plans = l.shortCycles(u, plans)
	best, gains := l.choose(plans)
	u.Note("loopvec:Candidates", u.Region.Pos, map[string]any{"scalar": round(l.scalarCost())}, "cycles per iteration: %s", describe(l.scalarCost(), plans))
	asked := u.Region.Clauses.Simdlen > 0 || u.Region.Clauses.Require || u.Region.Clauses.Force
	if l.movesUntilLeft() && !asked {
		return pass.Refuse("loopvec:Unprofitable", nil, "elements are moved until the loop is left: the next turn of the loop around would wait for vectors that are still being stored")
	}
	if !gains && !asked {
		if l.short != nil {
			return gainless(&pass.Refusal{ID: l.short.ID, Pos: l.short.Pos, Msg: l.short.Msg})
		}
		return l.unprofitable(best)
	}
	l.reordered = best.inOrder
	l.finish(best)
	l.noteGroups(best.vf)
	l.noteOrder()
	l.noteSkips(best)
	u.Kernel = best.kernel
	u.Summary = map[string]any{
		"vf": best.vf, "uf": best.uf, "memory": l.memoryForms(), "min": best.kernel.Min,
		"cost": round(best.cost), "scalar": round(l.scalarCost()),
	}
	if l.storesMidway() && slices.ContainsFunc(l.nest.stores.loops, l.asksForTurns) {
		u.Summary["inner"] = leastTurns
	}
	if part := l.inPart(); part != "" {
		u.Summary["partial"] = part
	}
	return nil
}

// unprofitable refuses the loop for the sake of its best plan.
func (l *loop) unprofitable(best *candidate) error {
	text := fmt.Sprintf("%d lanes are estimated at %.2f cycles per iteration, the scalar loop at %.2f", best.vf, best.cost, l.scalarCost())
	if best.cost < l.scalarCost() {
		switch m := l.margin(best); {
		case m > 1 && m == l.waitingMargin():
			text += fmt.Sprintf(": with less than a factor of %.2g they lose it while they wait for the one that is in the loop inside longest", m)
		case m > 1:
			text += fmt.Sprintf(": too small a gain for estimates that differ by a factor of up to %.2g between processors", m)
		}
	}
	return pass.Refuse("loopvec:Unprofitable", nil, "%s", text)
}

// choose is the best of those plans that promise a gain whatever the conditions of the loop are, of all
// where none does.
func (l *loop) choose(plans []*candidate) (best *candidate, gains bool) {
	var gaining []*candidate
	for _, c := range plans {
		if c.cost*l.margin(c) < l.scalarCost() && l.pairsPay(c) {
			gaining = append(gaining, c)
		}
	}
	if len(gaining) == 0 {
		return cheapest(plans), false
	}
	return cheapest(gaining), true
}

// gatherMargin is the gain that estimates have to promise where inner loops gather, or an iteration does
// so several times: what that takes depends on the processor more than anything else. On Zen 4 it is
// up to twice the figure of package target.
const gatherMargin = 1.2

func (l *loop) margin(c *candidate) float64 {
	margin := l.gatherMargin(c)
	if len(l.serials) > 0 && !l.countsActive() {
		margin = max(margin, serialMargin)
	}
	if l.order != nil || l.countsActive() {
		margin = max(margin, orderMargin)
	}
	if l.storesApartUnderMask() {
		margin = max(margin, seldomMargin)
	}
	if l.movesFarApart() {
		margin = max(margin, farMargin)
	}
	return max(margin, l.waitingMargin())
}

// farMargin is the gain that estimates have to promise where elements are loaded and stored as far apart as is known at run time only: down the
// columns of a matrix, with rows of a power of two, all of them meet in a few sets of the cache, for which loads in lanes wait longer behind stores
// than the loop as written.
const farMargin = 1.5

// movesFarApart reports whether there are such loads and stores.
func (l *loop) movesFarApart() bool {
	far := func(stores bool) bool {
		return slices.ContainsFunc(l.dp.Accesses, func(a dep.Access) bool { return a.Store == stores && a.Kind == dep.Symbolic })
	}
	return far(true) && far(false)
}

// seldomMargin is the gain that estimates have to promise where elements that do not lie side by side are stored under a condition.
// The loop as written hardly does anything where that seldom holds, lanes are put together all the same.
const seldomMargin = 1.5

// storesApartUnderMask reports whether there are such stores.
func (l *loop) storesApartUnderMask() bool {
	for i := range l.dp.Accesses {
		a := &l.dp.Accesses[i]
		if a.Store && a.Inst.Masked && a.Kind == dep.Linear && a.Stream.Step != a.Stream.Size && a.Stream.Step != -a.Stream.Size && !a.Uniform() {
			return true
		}
	}
	return false
}

func (l *loop) gatherMargin(c *candidate) float64 {
	gathered := make(map[vir.Pos]bool)
	for _, b := range c.stageBlocks(0) {
		for _, v := range b.Insts {
			if v.Op != vir.OpGather {
				continue
			}
			gathered[v.Pos] = true
			if len(gathered) > 1 || l.depths[b] > 0 {
				return gatherMargin
			}
		}
	}
	return 1
}

// cheapest prefers fewer lanes where more would hardly help. Plans come with
// decreasing lanes.
func cheapest(plans []*candidate) *candidate {
	low := plans[0].likely()
	for _, p := range plans {
		low = min(low, p.likely())
	}
	best := plans[0]
	for _, p := range plans {
		if p.likely() <= 1.03*low {
			best = p
		}
	}
	return best
}

func describe(scalar float64, plans []*candidate) string {
	s := []string{fmt.Sprintf("scalar %.2f", scalar)}
	for _, p := range plans {
		s = append(s, fmt.Sprintf("VF %d UF %d %.2f", p.vf, p.uf, p.cost))
	}
	return strings.Join(s, ", ")
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }
