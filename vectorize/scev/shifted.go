package scev

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Shifted describes an i64 that is Start + t, divided by Divisor and rounded down,
// as long as the Wrap bounds hold. The divisor is a power of two, 2 or more.
type Shifted struct {
	Start   *plan.Expr
	Divisor int64
	Wrap    []plan.Bound
}

// maxDivisor is the largest divisor of interest: with larger ones loads hardly ever differ.
const maxDivisor = 4096

// Shifted recognizes quotients of a linear value that counts up by one.
func (s *Info) Shifted(v *vir.Value) (Shifted, bool) {
	if v.Type != vir.Scalar(vir.I64) || len(v.Args) != 2 {
		return Shifted{}, false
	}
	c, ok := v.Args[1].ConstInt()
	switch v.Op {
	case vir.OpAshr, vir.OpLshr:
		ok = ok && 0 < c && c < 32
		c = 1 << max(0, min(c, 32))
	case vir.OpSdiv, vir.OpUdiv:
	default:
		return Shifted{}, false
	}
	if !ok || c < 2 || c > maxDivisor || bits.OnesCount64(uint64(c)) != 1 {
		return Shifted{}, false
	}
	a, ok := s.Affine(v.Args[0])
	if !ok || a.Step != 1 {
		return Shifted{}, false
	}
	// Signed division rounds up below 0, unsigned operations see large numbers
	// there, and sums may wrap.
	return Shifted{Start: a.Start, Divisor: c, Wrap: s.NotNegative(a)}, true
}
