package loopvec

import (
	"fmt"

	"github.com/lanewise/lanewise/vectorize/loopvec/bypass"
	"github.com/lanewise/lanewise/vir"
)

// What is done for some lanes only may be done for none: a branch around it saves
// that much, and costs a test, a jump, and sometimes a misprediction.
//
// Say a region takes R cycles per block, and a misprediction M. At the worst density
// half of the blocks, at random, have an active lane: the branch then costs M/2 and
// saves R/2. So it never loses against masks alone if R >= M, and since R grows with
// the lanes of a block and M does not, that is a matter of long blocks: with a square
// root and a division of float64, blocks of 4 lanes lose a factor of 2 where every
// fifth lane is active, blocks of 8 and 16 nothing. Measured on Zen 5, M is about 30
// cycles, part of which is work of other blocks that waits.
//
// Below that masks alone are better, unless the loop as written does next to nothing
// as long as the condition does not hold, which is about a cycle per iteration.
// A region that takes nearly that long per lane gets a branch in the longest blocks.
const (
	skipWorth   = 32.0 // estimated cycles of a region
	skipPerLane = 0.9  // of them, in the longest blocks
	skipShare   = 0.5  // of the blocks that are taken to skip it
)

// skip puts branches around regions of the loops of c, and notes what they save.
func (l *loop) skip(c *candidate, longest bool) {
	for i, s := range c.stages {
		if !s.loop {
			continue
		}
		worth := skipWorth
		if longest {
			worth = min(worth, skipPerLane*float64(s.lanes))
		}
		n := 0
		for _, b := range c.stageBlocks(i) {
			saved := bypass.Block(b, bypass.Options{
				Cost: l.regionCost, Worth: worth,
				Name: func() string {
					n++
					return fmt.Sprintf("vec%d.if%d", s.lanes, n)
				},
				Made: func(r bypass.Region) {
					if d := l.depths[b]; d > 0 {
						l.depths[r.In], l.depths[r.Behind] = d, d
					}
					if i == 0 {
						c.regions = append(c.regions, r)
					}
				},
			})
			if i == 0 {
				c.skips += l.weight(b) * saved
			}
		}
	}
}

// regionCost is the cycles of values, leaving aside stores under masks: they have
// branches of their own. Steps of a sum wait for each other, those of several sums do not.
func (l *loop) regionCost(values []*vir.Value) float64 {
	total, longest := 0.0, 0.0
	waits := make(map[*vir.Value]float64) // of steps, in the order of the program
	for _, v := range values {
		switch c := l.target.CostValue(v); {
		case free(v) || v.Op.IsStore():
		case bypass.IsStep(v):
			for _, a := range v.Args {
				waits[v] = max(waits[v], waits[a])
			}
			waits[v] += c.Latency
			longest = max(longest, waits[v])
		default:
			total += c.Throughput * l.remains(v)
		}
	}
	return max(total, longest)
}

// likely is cycles per iteration in calls of usual length, when regions are skipped as often as assumed.
func (c *candidate) likely() float64 {
	return c.cost + c.around - skipShare*c.skips/float64(c.stages[0].lanes)
}

// noteSkips tells of the branches in the main loop.
func (l *loop) noteSkips(c *candidate) {
	for _, r := range c.regions {
		lanes := r.Guard.Type.Lanes
		l.u.Note("loopvec:Skipped", r.Guard.Pos, map[string]any{"lanes": lanes, "cycles": round(r.Cost)},
			"what is done under a condition, %v of %v cycles, is skipped when none of %d lanes needs it", round(r.Cost), round(c.cost*float64(c.stages[0].lanes)), lanes)
	}
}
