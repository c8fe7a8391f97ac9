package avx2

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// An interval bounds the lanes of an integer value, read as signed.
type interval struct{ lo, hi int64 }

// rangeDepth limits how far back ranges are followed.
const rangeDepth = 8

// rangeOf bounds v by what its operation and constants say.
func rangeOf(v *vir.Value) interval { return boundsOf(v, rangeDepth) }

func fullRange(e vir.Elem) interval {
	w := e.Bits()
	return interval{-1 << (w - 1), 1<<(w-1) - 1}
}

// within reports whether all of i is in [lo, hi].
func (i interval) within(lo, hi int64) bool { return lo <= i.lo && i.hi <= hi }

func (i interval) union(j interval) interval { return interval{min(i.lo, j.lo), max(i.hi, j.hi)} }

func boundsOf(v *vir.Value, depth int) interval {
	full := fullRange(v.Type.Elem)
	if c, ok := constLane(v); ok {
		return interval{c, c}
	}
	if depth == 0 || len(v.Args) == 0 || !v.Type.Elem.IsInt() {
		return full
	}
	var args []interval
	for _, a := range v.Args {
		switch {
		case a.Type.Elem == vir.Bool:
			args = append(args, interval{0, 1})
		case a.Type.Elem.IsInt():
			args = append(args, boundsOf(a, depth-1))
		default:
			return full
		}
	}
	r, ok := transfer(v, args)
	if !ok || !r.within(full.lo, full.hi) {
		return full
	}
	return r
}

// constLane is the lane of an integer constant or of its broadcast.
func constLane(v *vir.Value) (int64, bool) {
	if v.Op == vir.OpBroadcast {
		v = v.Args[0]
	}
	return v.ConstInt()
}

// transfer is the range of an operation from those of its operands; not ok when
// nothing is known.
func transfer(v *vir.Value, a []interval) (interval, bool) {
	switch v.Op {
	case vir.OpZext:
		e := v.Args[0].Type.Elem
		if e == vir.Bool || a[0].lo >= 0 {
			return a[0], true
		}
		return interval{0, int64(e.Ones())}, true
	case vir.OpSext:
		if v.Args[0].Type.Elem == vir.Bool {
			return interval{-1, 0}, true
		}
		return a[0], true
	case vir.OpTrunc:
		return a[0], true // out of range counts as unknown
	case vir.OpPopcnt, vir.OpClz, vir.OpCtz:
		return interval{0, int64(v.Type.Elem.Bits())}, true
	case vir.OpBlend, vir.OpSelect:
		return a[1].union(a[2]), true
	case vir.OpAdd:
		return sumRange(a[0], a[1])
	case vir.OpSub:
		if !a[1].within(-limit, limit) { // the smallest integer is its own negation
			return interval{}, false
		}
		return sumRange(a[0], interval{-a[1].hi, -a[1].lo})
	case vir.OpMul:
		return productRange(a[0], a[1])
	case vir.OpSmin:
		return interval{min(a[0].lo, a[1].lo), min(a[0].hi, a[1].hi)}, true
	case vir.OpSmax:
		return interval{max(a[0].lo, a[1].lo), max(a[0].hi, a[1].hi)}, true
	case vir.OpUmin, vir.OpAnd:
		return smallerRange(a[0], a[1])
	}
	return shiftRange(v, a)
}

// limit keeps the arithmetic on bounds away from overflow.
const limit = 1 << 61

func sumRange(a, b interval) (interval, bool) {
	if !a.within(-limit, limit) || !b.within(-limit, limit) {
		return interval{}, false
	}
	return interval{a.lo + b.lo, a.hi + b.hi}, true
}

func productRange(a, b interval) (interval, bool) {
	const root = 1 << 30
	if !a.within(-root, root) || !b.within(-root, root) {
		return interval{}, false
	}
	p := []int64{a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi}
	r := interval{p[0], p[0]}
	for _, x := range p[1:] {
		r = r.union(interval{x, x})
	}
	return r, true
}

// smallerRange is that of a result that is not above either operand, as
// unsigned numbers.
func smallerRange(a, b interval) (interval, bool) {
	switch {
	case a.lo >= 0 && b.lo >= 0:
		return interval{0, min(a.hi, b.hi)}, true
	case a.lo >= 0:
		return interval{0, a.hi}, true
	case b.lo >= 0:
		return interval{0, b.hi}, true
	}
	return interval{}, false
}

// shiftRange is that of shifts to the right by a constant.
func shiftRange(v *vir.Value, a []interval) (interval, bool) {
	if v.Op != vir.OpLshr && v.Op != vir.OpAshr {
		return interval{}, false
	}
	w := uint64(v.Type.Elem.Bits())
	n := uint64(a[1].lo)
	switch {
	case a[1].lo != a[1].hi || n == 0 || n >= w:
		return interval{}, false
	case v.Op == vir.OpAshr || a[0].lo >= 0:
		return interval{a[0].lo >> n, a[0].hi >> n}, true
	}
	return interval{0, int64(^uint64(0) >> (64 - w) >> n)}, true
}

// fitsUnsigned reports whether all lanes of v are in 0 to 2^n-1.
func fitsUnsigned(v *vir.Value, n int) bool {
	r := rangeOf(v)
	return r.lo >= 0 && bits.Len64(uint64(r.hi)) <= n
}

// fitsSigned reports whether all lanes of v fit n bits with sign.
func fitsSigned(v *vir.Value, n int) bool {
	return rangeOf(v).within(-1<<(n-1), 1<<(n-1)-1)
}
