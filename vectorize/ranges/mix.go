package ranges

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// A mix is x*s + y*(k-s) with a constant k and s in [0, k], as in blending pixels: it
// lies between k times the lower and k times the higher of x and y, which is half of
// what the two products by themselves would suggest.

// mixed narrows what is known of sum v if two of its terms are a mix.
func (in *Info) mixed(v *vir.Value, r Range) Range {
	terms := in.terms(nil, v)
	n := v.Type.Elem.Bits()
	for i, x := range terms {
		for j, y := range terms[:i] {
			m, ok := in.mix(n, x, y)
			if !ok {
				continue
			}
			for k, rest := range terms {
				if k != i && k != j {
					m = add(n, m, in.Of(rest))
				}
			}
			r = both(r, m)
		}
	}
	return r
}

// mostTerms limits how many terms of a sum are looked at.
const mostTerms = 8

// terms appends those of sum v: sums are taken apart while there are not too many.
func (in *Info) terms(all []*vir.Value, v *vir.Value) []*vir.Value {
	if v.Op != vir.OpAdd || len(all) >= mostTerms {
		return append(all, v)
	}
	return in.terms(in.terms(all, v.Args[0]), v.Args[1])
}

// mix is the range of the sum of two products that are a mix.
func (in *Info) mix(n int, p, q *vir.Value) (Range, bool) {
	if p.Op != vir.OpMul || q.Op != vir.OpMul {
		return Range{}, false
	}
	for i, s := range p.Args {
		for j, c := range q.Args {
			k, ok := in.complement(s, c)
			if !ok {
				k, ok = in.complement(c, s)
			}
			if ok {
				return times(n, union(in.Of(p.Args[1-i]), in.Of(q.Args[1-j])), k), true
			}
		}
	}
	return Range{}, false
}

// complement reports that c is k-s for a constant k, and s is in [0, k].
func (in *Info) complement(s, c *vir.Value) (k uint64, ok bool) {
	switch {
	case c.Op == vir.OpZext && s.Op == vir.OpZext && c.Args[0].Type == s.Args[0].Type && s.Args[0].Type.Elem != vir.Bool:
		return in.complement(s.Args[0], c.Args[0])
	case c.Op == vir.OpNot && c.Args[0] == s:
		return s.Type.Elem.Ones(), true
	case c.Op == vir.OpSub && c.Args[1] == s:
		k, ok = c.Args[0].IsConst()
		return k, ok && in.Of(s).UHi <= k
	case c.Op == vir.OpXor:
		for i, x := range c.Args {
			// All bits that s may have are turned over.
			k, ok = c.Args[1-i].IsConst()
			if x == s && ok && k&(k+1) == 0 && in.Of(s).UHi <= k {
				return k, true
			}
		}
	}
	return 0, false
}

// times is k times something in a range, of n bits.
func times(n int, x Range, k uint64) Range {
	r := Full(n)
	if over, hi := bits.Mul64(x.UHi, k); over == 0 && hi <= r.UHi {
		r = both(r, unsigned(n, x.ULo*k, hi))
	}
	const small = 1 << 31
	if -small <= x.SLo && x.SHi <= small && k <= small {
		return signedIn(n, r, x.SLo*int64(k), x.SHi*int64(k), true)
	}
	return r
}
