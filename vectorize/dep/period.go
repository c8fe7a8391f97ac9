package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// around is the memory that a periodic access may touch in any iteration.
func (a *Access) around() plan.Stream {
	s := a.Stream
	reach := (a.Modulus - 1) * a.Scale
	if reach < 0 {
		s.Off = scev.Simplify(plan.Add(s.Off, plan.Const(reach)))
		reach = -reach
	}
	s.Size += reach
	return s
}
