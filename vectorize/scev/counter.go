package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Counter is a state variable that counts the iterations in which a condition
// holds, or does not hold:
//
//	next = cond ? phi+1 : phi
//	next = phi + cond
//
// or one that goes up in every iteration and once more where the condition holds:
//
//	next = phi + (cond ? 2 : 1)
//
// Choices become sums, except where the condition depends on the counter itself, as by what
// is loaded by it.
type Counter struct {
	Phi  *vir.Value
	Cond *vir.Value // bool
	Neg  bool       // counts where Cond does not hold
	Both bool       // goes up in every iteration, too
}

// Counter recognizes header phi as a counter. The region has a straight body: what
// branches decide is in selects.
func (s *Info) Counter(phi *vir.Value) (Counter, bool) {
	if !s.isHeaderPhi(phi) || !phi.Type.Elem.IsInt() {
		return Counter{}, false
	}
	next := s.next(phi)
	if c, ok := twice(phi, next); ok {
		return c, true
	}
	if next.Op == vir.OpAdd {
		for i, x := range next.Args {
			if x.Op == vir.OpZext && x.Args[0].Type.Elem == vir.Bool && next.Args[1-i] == phi {
				return Counter{Phi: phi, Cond: x.Args[0]}, true
			}
		}
	}
	if next.Op != vir.OpSelect {
		return Counter{}, false
	}
	c := Counter{Phi: phi, Cond: next.Args[0], Neg: next.Args[1] == phi}
	more, same := next.Args[1], next.Args[2]
	if c.Neg {
		more, same = same, more
	}
	if same != phi || more.Op != vir.OpAdd {
		return Counter{}, false
	}
	for i, x := range more.Args {
		if k, ok := x.ConstInt(); ok && k == 1 && more.Args[1-i] == phi {
			return c, true
		}
	}
	return Counter{}, false
}

// twice recognizes the next value of a counter that goes up by one or two.
func twice(phi, next *vir.Value) (Counter, bool) {
	c := Counter{Phi: phi, Both: true}
	var arms [2]int64
	switch next.Op {
	case vir.OpSelect:
		c.Cond = next.Args[0]
		for i, v := range next.Args[1:] {
			if v.Op == vir.OpAdd {
				if x, k, ok := ConstantTerm(v); ok && x == phi {
					arms[i] = k
				}
			}
		}
	case vir.OpAdd:
		for i, x := range next.Args {
			if x.Op == vir.OpZext {
				x = x.Args[0]
			}
			if x.Op != vir.OpSelect || next.Args[1-i] != phi {
				continue
			}
			c.Cond = x.Args[0]
			for i, v := range x.Args[1:] {
				arms[i], _ = v.ConstInt()
			}
		}
	}
	c.Neg = arms == [2]int64{1, 2}
	return c, c.Neg || arms == [2]int64{2, 1}
}

// Counted describes an i64 that is a counter plus a constant. A narrow counter is
// extended; what is counted must stay below Limit then, or it wraps around.
type Counted struct {
	Counter
	Start *plan.Expr // value in the current state
	Limit int64      // of the counter itself; 0 for a counter of 64 bits
}

// Counted recognizes subscripts that go up when a condition holds.
func (s *Info) Counted(v *vir.Value) (Counted, bool) {
	if v.Type != vir.Scalar(vir.I64) {
		return Counted{}, false
	}
	off := int64(0)
	for v.Op == vir.OpAdd || v.Op == vir.OpSub {
		x, c, ok := ConstantTerm(v)
		if !ok {
			return Counted{}, false
		}
		v, off = x, off+c
	}
	limit := int64(0)
	if v.Op == vir.OpSext || v.Op == vir.OpZext {
		v, limit = v.Args[0], extendedLimit(v)
	}
	if off != 0 && limit != 0 {
		return Counted{}, false
	}
	c, ok := s.Counter(v)
	if !ok {
		return Counted{}, false
	}
	start, ok := s.Invariant(s.initial(v))
	if !ok {
		return Counted{}, false
	}
	if bits := v.Type.Elem.Bits(); limit == 1<<bits {
		start = plan.Zext(start, bits)
	}
	return Counted{c, Simplify(plan.Add(start, plan.Const(off))), limit}, true
}

// ConstantTerm takes a constant off a sum or difference.
func ConstantTerm(v *vir.Value) (x *vir.Value, c int64, ok bool) {
	if c, ok := v.Args[1].ConstInt(); ok {
		if v.Op == vir.OpSub {
			c = -c
		}
		return v.Args[0], c, true
	}
	if c, ok := v.Args[0].ConstInt(); ok && v.Op == vir.OpAdd {
		return v.Args[1], c, true
	}
	return nil, 0, false
}

// extendedLimit is one more than the largest value that extension v can have.
func extendedLimit(v *vir.Value) int64 {
	bits := v.Args[0].Type.Elem.Bits()
	if v.Op == vir.OpSext {
		bits--
	}
	return 1 << bits
}
