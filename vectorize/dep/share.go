package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// shareIndexes finds indexes that differ by a constant before they are extended
// to 64 bits, as x[j] and x[j+1] with a j of type int32, and tells them as the
// first of them and an offset.
//
// Let r and b be two such indexes as 64-bit numbers, r - b = d modulo 2^w, with
// |d| < 2^(w-1). Both are sign extensions. Where an element is used, r is a
// subscript in range: r >= 0.
//
//   - If d >= 0, then r = b + d: an overflow of b + d would have made r negative.
//   - If b is a subscript in range as well, both lie in [0, 2^(w-1)), so that
//     |r - b| < 2^(w-1), which only d fits.
//
// So b may be told instead of r if d >= 0, or if b is used in every iteration.
func (r *Result) shareIndexes() {
	var firsts []*Access
next:
	for i := range r.Accesses {
		a := &r.Accesses[i]
		x, c, ok := narrowSum(a.Index)
		if a.Kind != Indexed || !ok {
			continue
		}
		for _, b := range firsts {
			y, k, _ := narrowSum(b.Index)
			d := c - k
			if x != y || a.Index == b.Index || -far >= d || d >= far || 2*max(d, -d) >= 1<<x.Type.Elem.Bits() {
				continue
			}
			if d >= 0 || !b.Conditional {
				a.Stream.Off = scev.Simplify(plan.Add(a.Stream.Off, plan.Const(d*a.Scale)))
				a.Index = b.Index
				continue next
			}
		}
		firsts = append(firsts, a)
	}
}

// narrowSum takes a sign extension apart into a narrow value and the constants
// that are added to it.
func narrowSum(v *vir.Value) (x *vir.Value, c int64, ok bool) {
	if v == nil || v.Op != vir.OpSext || !v.Args[0].Type.Elem.IsInt() {
		return nil, 0, false
	}
	for x = v.Args[0]; ; {
		k, isConst := int64(0), false
		switch x.Op {
		case vir.OpAdd:
			if k, isConst = x.Args[1].ConstInt(); isConst {
				x = x.Args[0]
			} else if k, isConst = x.Args[0].ConstInt(); isConst {
				x = x.Args[1]
			}
		case vir.OpSub:
			if k, isConst = x.Args[1].ConstInt(); isConst {
				x, k = x.Args[0], -k
			}
		}
		if !isConst {
			return x, c, true
		}
		c += k
	}
}
