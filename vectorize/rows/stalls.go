package rows

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// nearRow is how many elements rows have to be apart so that no vector of one holds a part of a vector of the next one.
const nearRow = 32

// stalls reports whether rows add to what the row before has just added to, out[i+j] += ...: vectors that are loaded then come
// from two that are being stored, for which processors wait as long as short rows take.
func (n *Nest) stalls() bool {
	sc := scev.New(n.region)
	accesses := func(do func(v *vir.Value, x scev.Nested)) {
		for _, b := range n.loop.Blocks {
			for _, v := range b.Insts {
				if (v.Op.IsLoad() || v.Op.IsStore()) && v.Index() != nil {
					if x, ok := sc.Nested(v.Index()); ok {
						do(v, x)
					}
				}
			}
		}
	}
	found := false
	accesses(func(s *vir.Value, x scev.Nested) {
		step := x.Step(nil)
		if !s.Op.IsStore() || step.Op != plan.ExprConst || step.Const == 0 || max(step.Const, -step.Const) >= nearRow {
			return
		}
		accesses(func(l *vir.Value, y scev.Nested) {
			d, ok := scev.Diff(x.Start, y.Start)
			found = found || l.Op.IsLoad() && l.Base() == s.Base() && ok && d == 0
		})
	})
	return found
}
