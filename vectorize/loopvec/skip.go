package loopvec

import (
	"fmt"

	"github.com/lanewise/lanewise/vectorize/loopvec/bypass"
	"github.com/lanewise/lanewise/vir"
)

// What is done for some lanes only may be done for none: a branch around it saves
// that much, and costs a test, a jump, and sometimes a misprediction. At any density
// of active lanes it is mispredicted at most as often as it is taken, so that a region
// that takes as long as a misprediction never loses by the branch, up to the test.
const (
	skipWorth = 10.0 // cycles of a region, as estimated
	skipShare = 0.5  // of the blocks that are taken to skip it
)

// skip puts branches around regions of the loops of c, and notes what they save.
func (l *loop) skip(c *candidate) {
	for i, s := range c.stages {
		if !s.loop {
			continue
		}
		n := 0
		for _, b := range c.stageBlocks(i) {
			saved := bypass.Block(b, bypass.Options{
				Cost: l.regionCost, Worth: skipWorth,
				Name: func() string {
					n++
					return fmt.Sprintf("vec%d.if%d", s.lanes, n)
				},
				Made: func(x *vir.Block) {
					if d := l.depths[b]; d > 0 {
						l.depths[x] = d
					}
				},
			})
			if i == 0 {
				c.skips += innerWeight(l.depths[b]) * saved
			}
		}
	}
}

// regionCost is the cycles of values, leaving aside stores under masks: they have
// branches of their own.
func (l *loop) regionCost(values []*vir.Value) float64 {
	total := 0.0
	for _, v := range values {
		if !free(v) && !v.Op.IsStore() {
			total += l.target.CostValue(v).Throughput * remains(v)
		}
	}
	return total
}

// likely is cycles per iteration when regions are skipped as often as assumed.
func (c *candidate) likely() float64 {
	return c.cost - skipShare*c.skips/float64(c.stages[0].lanes)
}
