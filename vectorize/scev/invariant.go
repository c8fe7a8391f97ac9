package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Whole is all memory behind a pointer parameter, false where it is not known before the loop how much that is.
func (s *Info) Whole(param int) (plan.Stream, bool) {
	facts := s.region.Fn.Params[param].Param
	all := plan.Stream{Param: param, Off: plan.Const(0)}
	switch {
	case facts.FixedLen > 0 && facts.ElemSize > 0:
		all.Size = facts.FixedLen * int64(facts.ElemSize)
		return all, true
	case facts.Len == nil || facts.ElemSize == 0:
		return all, false
	}
	n, ok := s.Invariant(facts.Len)
	if !ok {
		return all, false
	}
	all.Extent = Simplify(plan.Mul(n, plan.Const(int64(facts.ElemSize))))
	return all, true
}

// Invariant is the expression of an integer that is the same in all iterations
// and can be computed before the loop. Its low bits, as many as v has, are v's.
func (s *Info) Invariant(v *vir.Value) (*plan.Expr, bool) {
	if !v.Type.Elem.IsInt() || v.Type.IsVector() {
		return nil, false
	}
	if e, ok := s.inv[v]; ok {
		return e, e != nil
	}
	s.inv[v] = nil // a cycle is no invariant
	e := s.invariant(v)
	if e != nil && !e.Exceeds(mostNodes) {
		e = Simplify(e)
	}
	if e.Exceeds(mostNodes) {
		e = nil
	}
	s.inv[v] = e
	return e, e != nil
}

// mostNodes is how large an expression may be. Values are shared, parts of expressions are not: squares of squares double, and so do
// choices by many conditions.
const mostNodes = 200

func (s *Info) invariant(v *vir.Value) *plan.Expr {
	bits := v.Type.Elem.Bits()
	switch v.Op {
	case vir.OpParam:
		return plan.Sext(plan.Param(s.paramIndex(v)), bits)
	case vir.OpConst:
		if c, ok := v.ConstInt(); ok {
			return plan.Const(c)
		}
		return nil
	case vir.OpPhi:
		if same := s.only(v); same != nil {
			e, _ := s.Invariant(same)
			return e
		}
		return nil
	case vir.OpSelect:
		return s.choice(v)
	case vir.OpZext:
		if c := v.Args[0]; c.Type == vir.Scalar(vir.Bool) {
			return s.chooseBy(c, plan.Const(1), plan.Const(0))
		}
	case vir.OpSdiv, vir.OpSrem:
		if e := s.byPositive(v); e != nil {
			return e
		}
	}
	var x [2]*plan.Expr
	if n := len(v.Args); n < 1 || n > 2 {
		return nil
	}
	for i, a := range v.Args {
		e, ok := s.Invariant(a)
		if !ok {
			return nil
		}
		x[i] = e
	}
	return combine(v, x[0], x[1])
}

// byPositive is the expression of v, a quotient or remainder of 64 bits by a number that is made 1 where it is less;
// nil for others.
func (s *Info) byPositive(v *vir.Value) *plan.Expr {
	y := v.Args[1]
	if y.Op != vir.OpSmax || v.Type != vir.Scalar(vir.I64) {
		return nil
	}
	if c, ok := y.Args[1].ConstInt(); !ok || c != 1 {
		return nil
	}
	over, ok := s.Invariant(v.Args[0])
	by, ok2 := s.Invariant(y.Args[0])
	switch {
	case !ok || !ok2:
		return nil
	case v.Op == vir.OpSdiv:
		return plan.Quo(over, by)
	}
	return plan.Rem(over, by)
}

// combine is the expression of an integer operation; nil when there is none.
func combine(v *vir.Value, x, y *plan.Expr) *plan.Expr {
	switch v.Op {
	case vir.OpAdd:
		return plan.Add(x, y)
	case vir.OpSub:
		return plan.Sub(x, y)
	case vir.OpMul:
		return plan.Mul(x, y)
	case vir.OpNeg:
		return plan.Neg(x)
	case vir.OpNot:
		return plan.Sub(plan.Const(-1), x)
	case vir.OpShl:
		if c, ok := shiftCount(v); ok {
			return plan.Mul(x, plan.Const(1<<c))
		}
	case vir.OpTrunc:
		return x
	case vir.OpZext:
		return plan.Zext(x, v.Args[0].Type.Elem.Bits())
	case vir.OpSext:
		return plan.Sext(x, v.Args[0].Type.Elem.Bits())
	case vir.OpAnd:
		return plan.And(x, y)
	}
	return whole(v, x, y)
}

// whole is the expression of an operation that depends on all bits of x and y, of which those beyond the
// type of v may be anything; nil when there is none.
func whole(v *vir.Value, x, y *plan.Expr) *plan.Expr {
	bits := v.Type.Elem.Bits()
	low := x
	x = plan.Sext(x, bits)
	if y != nil {
		y = plan.Sext(y, bits)
	}
	switch v.Op {
	case vir.OpSdiv:
		if c, ok := v.Args[1].ConstInt(); ok && c > 0 {
			return plan.Quo(x, plan.Const(c))
		}
	case vir.OpAshr:
		if c, ok := shiftCount(v); ok && c < bits-1 {
			return plan.Quo(plan.Sub(x, plan.And(x, plan.Const(1<<c-1))), plan.Const(1<<c))
		}
	case vir.OpLshr:
		if c, ok := shiftCount(v); ok && bits < 64 {
			return plan.Quo(plan.Zext(low, bits), plan.Const(1<<c))
		}
	case vir.OpSmin:
		return plan.Choose(x, y, x, y)
	case vir.OpSmax:
		return plan.Choose(y, x, x, y)
	}
	return nil
}

// shiftCount is the constant count of a shift, when below the width.
func shiftCount(v *vir.Value) (int, bool) {
	c, ok := v.Args[1].IsConst()
	if !ok || c >= uint64(v.Type.Elem.Bits()) {
		return 0, false
	}
	return int(c), true
}

// only is the value that phi always has: the one operand other than itself. A
// header phi qualifies when every iteration keeps it.
func (s *Info) only(phi *vir.Value) *vir.Value {
	if s.isHeaderPhi(phi) {
		if s.keeps(s.next(phi), phi, 0, make(map[*vir.Value]bool)) {
			return s.initial(phi)
		}
		return nil
	}
	var same *vir.Value
	for _, a := range phi.Args {
		if a == phi || a == same {
			continue
		}
		if same != nil {
			return nil
		}
		same = a
	}
	return same
}

// maxDepth limits the search through joins.
const maxDepth = 32

// keeps reports whether v is phi on all ways, seen through joins and choices. Those that have
// been found to be are in known: ways through many joins are very many.
func (s *Info) keeps(v, phi *vir.Value, depth int, known map[*vir.Value]bool) bool {
	if v == phi || known[v] {
		return true
	}
	var ways []*vir.Value
	switch {
	case depth > maxDepth || !s.inLoop(v):
		return false
	case v.Op == vir.OpPhi && v.Block != s.header:
		ways = v.Args
	case v.Op == vir.OpSelect:
		ways = v.Args[1:]
	}
	for _, a := range ways {
		if !s.keeps(a, phi, depth+1, known) {
			return false
		}
	}
	known[v] = len(ways) > 0
	return known[v]
}

// IsInvariant reports whether v, of any type, is the same in all iterations and
// has neither memory access nor effect in its computation.
func (s *Info) IsInvariant(v *vir.Value) bool {
	return s.isInvariant(v, 0, make(map[*vir.Value]bool))
}

func (s *Info) isInvariant(v *vir.Value, depth int, known map[*vir.Value]bool) bool {
	switch {
	case v.Op == vir.OpParam || v.Op == vir.OpConst || known[v]:
		return true
	case depth > maxDepth || v.Op == vir.OpPoison:
		return false
	case v.Op == vir.OpPhi:
		same := s.only(v)
		return same != nil && s.isInvariant(same, depth+1, known)
	case v.Op.Info().Effect || v.Op.Info().Reads:
		return false
	}
	for _, a := range v.Args {
		if !s.isInvariant(a, depth+1, known) {
			return false
		}
	}
	known[v] = true
	return true
}
