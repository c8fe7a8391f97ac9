package dep

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// findPeriod recognizes indexes that repeat: the low bits of a linear value, and
// its remainder by a constant while it is not negative.
func (a *Access) findPeriod(sc *scev.Info) {
	v := a.Index
	if v.Op == vir.OpZext && v.Args[0].Type.Elem.IsInt() {
		v = v.Args[0]
	}
	var modulus int64
	switch v.Op {
	case vir.OpAnd:
		x, m := v.Args[0], v.Args[1]
		if _, ok := x.ConstInt(); ok {
			x, m = m, x
		}
		c, ok := m.IsConst()
		e, linear := sc.Affine(x)
		if !ok || !linear || c&(c+1) != 0 || c >= math.MaxInt32 {
			return
		}
		modulus = int64(c) + 1
		a.Period = modulus / gcd(e.Step, modulus)
		a.Wrap = append(a.Wrap, e.Wrap...)
	case vir.OpUrem, vir.OpSrem:
		c, ok := v.Args[1].ConstInt()
		e, linear := sc.Affine(v.Args[0])
		if !ok || !linear || c <= 0 || c > math.MaxInt32 || e.Width != 64 {
			return
		}
		modulus = c
		a.Period = modulus / gcd(e.Step, modulus)
		a.Wrap = append(a.Wrap, e.Wrap...)
		if !sc.Natural(e) {
			a.Wrap = append(a.Wrap, plan.Bound{Start: e.Start, Step: e.Step, Lo: plan.Const(0), Hi: plan.Const(math.MaxInt64)})
		}
	default:
		return
	}
	a.Kind, a.Modulus = Periodic, modulus
}

// gcd of two numbers, not negative; that of 0 and y is y.
func gcd(x, y int64) int64 {
	for x != 0 {
		x, y = y%x, x
	}
	return max(y, -y)
}

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
