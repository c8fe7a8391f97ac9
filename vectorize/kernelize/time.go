package kernelize

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

const maxStrip = 1 << 18

// count finds out how often an iteration runs each block at most.
func (m *maker) count() error {
	m.times = make(map[*vir.Block]float64)
	forest := m.sc.Loops()
	for i, b := range m.r.Fn.Blocks {
		n := 1.0
		for l := forest.Of(b); l != nil && l.Header != m.r.Fn.Blocks[1]; l = l.Parent {
			last := m.sc.Last(l)
			if last == nil || last.Op != plan.ExprConst || last.Const > math.MaxInt32 {
				return pass.Refuse("slp:InnerLoop", l.Header.Term(), "how often a loop inside runs is not constant")
			}
			n *= float64(max(last.Const, 0) + 2) // its header once more
		}
		m.times[m.f.Blocks[i]] = n
	}
	return nil
}

// strip is how many iterations a call may do in its time, a power of two.
func (m *maker) strip() (int64, error) {
	ns := m.cycles() / pass.Clock
	if ns > pass.CallTime {
		return 0, pass.Refuse("slp:InnerLoop", nil, "an iteration may take longer than a call should")
	}
	return m.u.Strip(ns, 1, maxStrip), nil
}

// cycles is what an iteration takes at most: half of the time one instruction waits for
// the other, and everything comes from memory.
func (m *maker) cycles() float64 {
	cycles := 0.0
	for v := range m.f.Values {
		if v.Block == nil {
			continue
		}
		cost := m.u.Target.CostValue(v)
		c := (cost.Throughput + cost.Latency) / 2
		if v.Op.IsLoad() || v.Op.IsStore() {
			c += pass.Transfer(int64(v.Access().Size()), false) * pass.Clock
		}
		cycles += c * max(m.times[v.Block], 1)
	}
	return cycles
}
