// Package ranges bounds integers: which values an operation can give whatever
// its inputs are. It looks at operations only, not at branches, and knows nothing
// of loops: a phi or load may be anything its type holds.
package ranges

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// A Range holds for an integer of some width: as an unsigned number it lies in
// [ULo, UHi], as a signed one in [SLo, SHi].
type Range struct {
	ULo, UHi uint64
	SLo, SHi int64
}

// FitsU reports whether the unsigned value fits n bits.
func (r Range) FitsU(n int) bool { return n >= 64 || r.UHi>>n == 0 }

// FitsS reports whether the signed value fits n bits.
func (r Range) FitsS(n int) bool {
	return n >= 64 || -1<<(n-1) <= r.SLo && r.SHi < 1<<(n-1)
}

// Full is everything that n bits hold.
func Full(n int) Range {
	ones := ^uint64(0) >> (64 - n)
	return Range{0, ones, -int64(ones>>1) - 1, int64(ones >> 1)}
}

// unsigned is the range [lo, hi] of unsigned numbers of n bits.
func unsigned(n int, lo, hi uint64) Range {
	r := Full(n)
	r.ULo, r.UHi = lo, hi
	switch top := uint64(1) << (n - 1); {
	case hi < top:
		r.SLo, r.SHi = int64(lo), int64(hi)
	case lo >= top:
		sh := 64 - n
		r.SLo, r.SHi = int64(lo<<sh)>>sh, int64(hi<<sh)>>sh
	}
	return r
}

// signed is the range [lo, hi] of signed numbers of n bits.
func signed(n int, lo, hi int64) Range {
	r := Full(n)
	r.SLo, r.SHi = lo, hi
	mask := ^uint64(0) >> (64 - n)
	if lo >= 0 || hi < 0 {
		r.ULo, r.UHi = uint64(lo)&mask, uint64(hi)&mask
	}
	return r
}

// both combines what is known of the unsigned and of the signed value.
func both(a, b Range) Range {
	return Range{max(a.ULo, b.ULo), min(a.UHi, b.UHi), max(a.SLo, b.SLo), min(a.SHi, b.SHi)}
}

func union(a, b Range) Range {
	return Range{min(a.ULo, b.ULo), max(a.UHi, b.UHi), min(a.SLo, b.SLo), max(a.SHi, b.SHi)}
}

// An Info remembers the ranges of one function, which must not change meanwhile.
type Info struct {
	memo map[*vir.Value]Range
}

// New returns an empty memory.
func New() *Info { return &Info{memo: make(map[*vir.Value]Range)} }

// Assume makes signed v lie in [lo, hi].
func (in *Info) Assume(v *vir.Value, lo, hi int64) {
	in.memo[v] = signed(v.Type.Elem.Bits(), lo, hi)
}

// Of is the range of integer or bool v (a bool is 0 or 1).
func (in *Info) Of(v *vir.Value) Range {
	if r, ok := in.memo[v]; ok {
		return r
	}
	r := Full(v.Type.Elem.Bits())
	in.memo[v] = r // also for cycles
	if v.Type.Elem == vir.Bool {
		return r
	}
	r = in.of(v)
	in.memo[v] = r
	return r
}

func (in *Info) of(v *vir.Value) Range {
	n := v.Type.Elem.Bits()
	arg := func(i int) Range { return in.Of(v.Args[i]) }
	if r, ok := in.distance(v); ok {
		return r
	}
	switch v.Op {
	case vir.OpConst:
		if c, ok := v.IsConst(); ok {
			return unsigned(n, c, c)
		}
	case vir.OpZext:
		if v.Args[0].Type.Elem == vir.Bool {
			return unsigned(n, 0, 1)
		}
		return unsigned(n, arg(0).ULo, arg(0).UHi)
	case vir.OpSext:
		if v.Args[0].Type.Elem == vir.Bool {
			return signed(n, -1, 0)
		}
		return signed(n, arg(0).SLo, arg(0).SHi)
	case vir.OpTrunc:
		return trunc(n, arg(0))
	case vir.OpAdd:
		return in.mixed(v, add(n, arg(0), arg(1)))
	case vir.OpSub:
		if r, ok := in.left(v); ok {
			return r
		}
		return sub(n, arg(0), arg(1))
	case vir.OpNeg:
		return sub(n, unsigned(n, 0, 0), arg(0))
	case vir.OpMul:
		return mul(n, arg(0), arg(1))
	case vir.OpAnd:
		return unsigned(n, 0, min(arg(0).UHi, arg(1).UHi))
	case vir.OpOr, vir.OpXor:
		return unsigned(n, 0, ^uint64(0)>>(64-max(1, bits.Len64(arg(0).UHi|arg(1).UHi))))
	case vir.OpSelect, vir.OpBlend:
		return union(arg(1), arg(2))
	case vir.OpUmin:
		return unsigned(n, min(arg(0).ULo, arg(1).ULo), min(arg(0).UHi, arg(1).UHi))
	case vir.OpUmax:
		return unsigned(n, max(arg(0).ULo, arg(1).ULo), max(arg(0).UHi, arg(1).UHi))
	case vir.OpSmin:
		return signed(n, min(arg(0).SLo, arg(1).SLo), min(arg(0).SHi, arg(1).SHi))
	case vir.OpSmax:
		return signed(n, max(arg(0).SLo, arg(1).SLo), max(arg(0).SHi, arg(1).SHi))
	case vir.OpPopcnt, vir.OpClz, vir.OpCtz:
		return unsigned(n, 0, uint64(n))
	case vir.OpShl, vir.OpLshr, vir.OpAshr:
		return in.shift(v, n)
	case vir.OpUdiv:
		if c, ok := v.Args[1].IsConst(); ok && c != 0 {
			return unsigned(n, arg(0).ULo/c, arg(0).UHi/c)
		}
		return unsigned(n, 0, arg(0).UHi)
	case vir.OpUrem:
		if c, ok := v.Args[1].IsConst(); ok && c != 0 {
			return urem(n, arg(0), c)
		}
		return unsigned(n, 0, arg(0).UHi)
	case vir.OpSdiv:
		if c, ok := v.Args[1].ConstInt(); ok && c > 0 {
			return signed(n, arg(0).SLo/c, arg(0).SHi/c)
		}
		if x := arg(0); x.SLo > Full(n).SLo { // else divided by -1 it is itself
			most := max(x.SHi, -x.SLo)
			return signed(n, -most, most)
		}
	case vir.OpSrem:
		if c, ok := v.Args[1].ConstInt(); ok && c > 0 {
			return srem(n, arg(0), c)
		}
		return signed(n, min(arg(0).SLo, 0), max(arg(0).SHi, 0))
	}
	return Full(n)
}

// left is the range of x - x/c*c, a remainder.
func (in *Info) left(v *vir.Value) (Range, bool) {
	x, p := v.Args[0], v.Args[1]
	if p.Op != vir.OpMul {
		return Range{}, false
	}
	q := p.Args[0]
	if q.Op != vir.OpUdiv && q.Op != vir.OpSdiv || q.Args[0] != x || q.Args[1] != p.Args[1] {
		return Range{}, false
	}
	c, ok := p.Args[1].ConstInt()
	switch n := v.Type.Elem.Bits(); {
	case !ok || c <= 0:
		return Range{}, false
	case q.Op == vir.OpUdiv:
		return urem(n, in.Of(x), uint64(c)), true
	default:
		return srem(n, in.Of(x), c), true
	}
}

func urem(n int, x Range, c uint64) Range { return unsigned(n, 0, min(x.UHi, c-1)) }

func srem(n int, x Range, c int64) Range {
	return signed(n, max(min(x.SLo, 0), 1-c), min(max(x.SHi, 0), c-1))
}

// trunc keeps what fits.
func trunc(n int, x Range) Range {
	switch {
	case x.FitsU(n):
		return unsigned(n, x.ULo, x.UHi)
	case x.FitsS(n):
		return signed(n, x.SLo, x.SHi)
	}
	return Full(n)
}

func add(n int, x, y Range) Range {
	r := Full(n)
	if hi, carry := bits.Add64(x.UHi, y.UHi, 0); carry == 0 && hi <= r.UHi {
		r = both(r, unsigned(n, x.ULo+y.ULo, hi))
	}
	lo, ok1 := addExact(x.SLo, y.SLo)
	hi, ok2 := addExact(x.SHi, y.SHi)
	return signedIn(n, r, lo, hi, ok1 && ok2)
}

func sub(n int, x, y Range) Range {
	r := Full(n)
	if x.ULo >= y.UHi {
		r = both(r, unsigned(n, x.ULo-y.UHi, x.UHi-y.ULo))
	}
	lo, ok1 := addExact(x.SLo, -y.SHi)
	hi, ok2 := addExact(x.SHi, -y.SLo)
	return signedIn(n, r, lo, hi, ok1 && ok2 && y.SLo > -1<<63)
}

func mul(n int, x, y Range) Range {
	r := Full(n)
	if over, hi := bits.Mul64(x.UHi, y.UHi); over == 0 && hi <= r.UHi {
		r = both(r, unsigned(n, x.ULo*y.ULo, hi))
	}
	const small = 1 << 31
	if -small <= x.SLo && x.SHi <= small && -small <= y.SLo && y.SHi <= small {
		a, b, c, d := x.SLo*y.SLo, x.SLo*y.SHi, x.SHi*y.SLo, x.SHi*y.SHi
		return signedIn(n, r, min(a, b, c, d), max(a, b, c, d), true)
	}
	return r
}

// signedIn adds to r that the signed value lies in [lo, hi], if that did not wrap.
func signedIn(n int, r Range, lo, hi int64, ok bool) Range {
	full := Full(n)
	if ok && full.SLo <= lo && hi <= full.SHi {
		return both(r, signed(n, lo, hi))
	}
	return r
}

func addExact(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func (in *Info) shift(v *vir.Value, n int) Range {
	x := in.Of(v.Args[0])
	c, ok := v.Args[1].IsConst()
	switch {
	case v.Op == vir.OpLshr && !ok:
		return unsigned(n, 0, x.UHi)
	case !ok || c >= uint64(n):
		return Full(n)
	case v.Op == vir.OpLshr:
		return unsigned(n, x.ULo>>c, x.UHi>>c)
	case v.Op == vir.OpAshr:
		return signed(n, x.SLo>>c, x.SHi>>c)
	}
	if x.UHi <= Full(n).UHi>>c {
		return unsigned(n, x.ULo<<c, x.UHi<<c)
	}
	return Full(n)
}
