package scev

import (
	"math/bits"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// halvings is how often l turns at most because it takes bits from a number until none is left; 0 when it
// does nothing of that kind:
//
//	for ; v != 0; v >>= 1 {...}    for v >= 10 { v /= 10 }    for v != 0 { v &= v - 1 }
func halvings(l *loops.Loop) int64 {
	conditions := conditionsOf(l)
	if len(l.Latches) != 1 || conditions == nil {
		return 0
	}
	back := l.Header.PredIndex(l.Latches[0])
	for _, c := range conditions {
		r, ok := relationOf(c)
		if !ok {
			continue
		}
		if r.y.Op == vir.OpPhi {
			r.x, r.y, r.cond = r.y, r.x, mirrored[r.cond]
		}
		if phi := r.x; phi.Op == vir.OpPhi && phi.Block == l.Header && r.positive() {
			if n := takenOff(phi, inTurn(l, phi.Args[back]), !r.unsigned && r.cond != plan.NotEq); n > 0 {
				width := int64(phi.Type.Elem.Bits())
				return (width + n - 1) / n
			}
		}
	}
	return 0
}

// positive reports whether r says that x is larger than 0, as a signed number if it compares such, or is not 0.
func (r relation) positive() bool {
	c, ok := r.y.ConstInt()
	switch r.cond {
	case plan.Greater:
		return ok && (c >= 0 || r.unsigned)
	case plan.GreaterEq:
		return ok && (c > 0 || r.unsigned && c != 0)
	}
	return r.cond == plan.NotEq && ok && c == 0
}

// inTurn is v, or what it chooses in the turns of l by the condition that keeps l running.
func inTurn(l *loops.Loop, v *vir.Value) *vir.Value {
	if v.Op != vir.OpSelect || v.Args[0] != l.Header.Term().Args[0] {
		return v
	}
	if l.Contains(l.Header.Succs[0]) {
		return v.Args[1]
	}
	return v.Args[2]
}

// takenOff is how many bits a turn takes from phi at least, which is positive then, as a signed number or just not 0,
// where next is what it becomes; 0 if it may take none.
func takenOff(phi, next *vir.Value, signed bool) int64 {
	if next.Op == vir.OpAnd && isPredecessor(next.Args[1], phi) && next.Args[0] == phi || next.Op == vir.OpAnd && isPredecessor(next.Args[0], phi) && next.Args[1] == phi {
		return 1
	}
	if len(next.Args) != 2 || next.Args[0] != phi {
		return 0
	}
	c, ok := next.Args[1].ConstInt()
	switch {
	case !ok || c <= 0:
	case next.Op == vir.OpLshr || next.Op == vir.OpAshr && signed:
		return c
	case next.Op == vir.OpUdiv || next.Op == vir.OpSdiv && signed:
		return int64(bits.Len64(uint64(c))) - 1
	}
	return 0
}

// isPredecessor reports whether v is x - 1.
func isPredecessor(v, x *vir.Value) bool {
	if v.Op != vir.OpAdd && v.Op != vir.OpSub {
		return false
	}
	y, c, ok := ConstantTerm(v)
	return ok && y == x && c == -1
}
