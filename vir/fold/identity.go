package fold

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// Identity is the bits of x with x op y = y for all y of type e; 0 for operations that have none.
func Identity(op vir.Op, e vir.Elem) uint64 {
	ones := e.Ones()
	switch op {
	case vir.OpMul:
		return 1
	case vir.OpAnd, vir.OpUmin:
		return ones
	case vir.OpSmin:
		return ones >> 1
	case vir.OpSmax:
		return ones>>1 + 1
	case vir.OpFadd: // -0 + -0 = -0, while +0 + -0 = +0
		return e.FloatBits(math.Copysign(0, -1))
	case vir.OpFmul:
		return e.FloatBits(1)
	case vir.OpFmin:
		return e.FloatBits(math.Inf(1))
	case vir.OpFmax:
		return e.FloatBits(math.Inf(-1))
	}
	return 0
}

// Together is the operation that combines what a chain of operations op does one after the other: for differences a sum.
// It is OpInvalid where their order matters, as for floats unless reassoc says otherwise.
func Together(op vir.Op, reassoc bool) vir.Op {
	switch op {
	case vir.OpAdd, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return op
	case vir.OpSub:
		return vir.OpAdd
	case vir.OpFadd, vir.OpFsub:
		if reassoc {
			return vir.OpFadd // a product of many may overflow before it meets an element that is 0
		}
	}
	return vir.OpInvalid
}
