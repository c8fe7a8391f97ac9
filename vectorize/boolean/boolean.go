// Package boolean answers questions about how two truth values (bools or masks)
// relate, from the operations that compute them alone. "No" means unknown. It
// must not know any transformation.
package boolean

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// maxDepth bounds how far conditions are taken apart: values are shared, and the
// number of ways through them doubles with each operation.
const maxDepth = 8

// Implies reports whether x can only hold when y does.
func Implies(x, y *vir.Value) bool {
	if cx, cy, ok := both(x, y); ok {
		return cx&^cy == 0
	}
	return implies(x, y, maxDepth)
}

// Under reports whether w is done wherever v is, as far as their masks tell.
func Under(v, w *vir.Value) bool {
	return !w.Masked || v.Masked && Implies(v.Mask(), w.Mask())
}

func implies(x, y *vir.Value, depth int) bool {
	switch {
	case x == y:
		return true
	case depth == 0:
		return false
	case x.Op == vir.OpAnd && (implies(x.Args[0], y, depth-1) || implies(x.Args[1], y, depth-1)):
		return true
	case y.Op == vir.OpOr && (implies(x, y.Args[0], depth-1) || implies(x, y.Args[1], depth-1)):
		return true
	}
	return false
}

// Disjoint reports whether x and y cannot both hold.
func Disjoint(x, y *vir.Value) bool {
	if cx, cy, ok := both(x, y); ok {
		return cx&cy == 0
	}
	return disjoint(x, y, maxDepth)
}

// Exhaustive reports whether one of xs holds always.
func Exhaustive(xs ...*vir.Value) bool {
	if cols, rows, ok := columnsOf(xs...); ok {
		all := uint64(0)
		for _, c := range cols {
			all |= c
		}
		if all == rows {
			return true
		}
	}
	for i, x := range xs {
		if slices.ContainsFunc(xs[:i], func(y *vir.Value) bool { return Complements(x, y) }) {
			return true
		}
	}
	return false
}

// Covered reports whether one of xs holds wherever x does.
func Covered(x *vir.Value, xs ...*vir.Value) bool {
	cols, _, ok := columnsOf(append([]*vir.Value{x}, xs...)...)
	if !ok {
		return false
	}
	left := cols[0]
	for _, c := range cols[1:] {
		left &^= c
	}
	return left == 0
}

func disjoint(x, y *vir.Value, depth int) bool {
	switch {
	case Complements(x, y):
		return true
	case depth == 0:
		return false
	case x.Op == vir.OpAnd && (disjoint(x.Args[0], y, depth-1) || disjoint(x.Args[1], y, depth-1)):
		return true
	case y.Op == vir.OpAnd && (disjoint(x, y.Args[0], depth-1) || disjoint(x, y.Args[1], depth-1)):
		return true
	}
	return false
}

// Equal reports whether x and y hold alike.
func Equal(x, y *vir.Value) bool {
	if cx, cy, ok := both(x, y); ok && cx == cy {
		return true
	}
	return newRelation().holds(x, y, true)
}

// Complements reports whether always exactly one of x and y holds.
func Complements(x, y *vir.Value) bool { return newRelation().holds(x, y, false) }

// A relation compares truth values by their parts. Chains of operations may be long,
// but those that fork in both alike are not taken apart without end.
type relation struct{ steps int }

func newRelation() *relation { return &relation{steps: maxSteps} }

// holds reports whether x and y are always equal, or never. What and and or have
// to do with each other says De Morgan: not (a and b) = not a or not b.
func (r *relation) holds(x, y *vir.Value, equal bool) bool {
	switch r.steps--; {
	case equal && x == y, !equal && inverseCompares(x, y):
		return true
	case r.steps <= 0:
		return false
	case x.Op == vir.OpNot:
		return r.holds(x.Args[0], y, !equal)
	case y.Op == vir.OpNot:
		return r.holds(x, y.Args[0], !equal)
	case x.Op != vir.OpAnd && x.Op != vir.OpOr, y.Op != vir.OpAnd && y.Op != vir.OpOr, (x.Op == y.Op) != equal:
		return false
	}
	of := func(i, j int) bool { return r.holds(x.Args[i], y.Args[j], equal) }
	return of(0, 0) && of(1, 1) || of(0, 1) && of(1, 0)
}

func inverseCompares(x, y *vir.Value) bool {
	op, swap, ok := Inverse(x.Op)
	if !ok || y.Op != op {
		return false
	}
	if swap {
		return x.Args[0] == y.Args[1] && x.Args[1] == y.Args[0]
	}
	return x.Args[0] == y.Args[0] && x.Args[1] == y.Args[1]
}

// Inverse is the comparison that holds when op does not; swap says that it takes
// the operands the other way round. Ordered float comparisons have none, because
// of NaN.
func Inverse(op vir.Op) (inv vir.Op, swap, ok bool) {
	switch op {
	case vir.OpIcmpEq:
		return vir.OpIcmpNe, false, true
	case vir.OpIcmpNe:
		return vir.OpIcmpEq, false, true
	case vir.OpIcmpSlt:
		return vir.OpIcmpSle, true, true
	case vir.OpIcmpSle:
		return vir.OpIcmpSlt, true, true
	case vir.OpIcmpUlt:
		return vir.OpIcmpUle, true, true
	case vir.OpIcmpUle:
		return vir.OpIcmpUlt, true, true
	case vir.OpFcmpEq:
		return vir.OpFcmpNe, false, true
	case vir.OpFcmpNe:
		return vir.OpFcmpEq, false, true
	}
	return op, false, false
}
