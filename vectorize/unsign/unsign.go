// Package unsign makes divisions unsigned where branches keep what is divided from being negative:
//
//	for v > 0 {
//		sum += v % 10
//		v /= 10
//	}
//
// Lanes take several instructions to round a quotient towards zero, and to shift numbers of 64
// bits as signed ones. A division that is reached only when its operands are not negative gives
// the same without signs; where it is computed for other lanes nobody looks at the result.
//
// Requires: a region as the frontend makes it, as long as conditions are branches. Variables of
// inner loops are left to a second run, which comes when it is known how many bits they have: that one
// sees the conditions of these loops only.
//
// Not handled: what is not negative because of the numbers that a loop counts through; inductions, whose
// quotients have meanings of their own; numbers that fit half of their bits, since packages
// behind this one compute with those in lanes of half the size.
package unsign

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

var unsigned = map[vir.Op]vir.Op{vir.OpSdiv: vir.OpUdiv, vir.OpSrem: vir.OpUrem, vir.OpAshr: vir.OpLshr}

// Run looks at divisions and shifts of what is no variable of an inner loop.
func Run(u *pass.Unit) error {
	return run(u, func(x *vir.Value) bool { return x.Op == vir.OpPhi && x.Block != u.Region.Fn.Blocks[1] })
}

// Inner looks at all of them.
func Inner(u *pass.Unit) error { return run(u, func(*vir.Value) bool { return false }) }

func run(u *pass.Unit, later func(*vir.Value) bool) error {
	f := u.Region.Fn
	sc, dom, free := scev.New(u.Region), loops.DomTree(f), ranges.New()
	for _, b := range f.Blocks {
		var known *ranges.Info
		for _, v := range b.Insts {
			op, ok := unsigned[v.Op]
			if !ok || later(v.Args[0]) || fitsHalf(free, v.Args[0]) || counts(sc, v.Args[0]) {
				continue
			}
			if known == nil {
				known = behind(dom, b)
			}
			if known.Of(v.Args[0]).SLo >= 0 && (v.Op == vir.OpAshr || known.Of(v.Args[1]).SLo >= 0) && u.Count() {
				v.Op = op
			}
		}
	}
	return nil
}

// fitsHalf reports whether x needs no more than half of its bits, whatever branches say.
func fitsHalf(free *ranges.Info, x *vir.Value) bool { return free.Of(x).FitsS(x.Type.Elem.Bits() / 2) }

// counts reports whether x goes along with a loop.
func counts(sc *scev.Info, x *vir.Value) bool {
	_, outer := sc.Affine(x)
	_, inner := sc.Nested(x)
	return outer || inner
}

// behind is what is known of numbers in b, from the branches that lead to it.
func behind(dom *loops.Dom, b *vir.Block) *ranges.Info {
	in := ranges.New()
	for ; b != nil; b = dom.Idom(b) {
		if len(b.Preds) != 1 {
			continue
		}
		if t := b.Preds[0].Term(); t.Op == vir.OpBr && t.Block.Succs[0] != t.Block.Succs[1] {
			learn(in, t.Args[0], t.Block.Succs[0] == b)
		}
	}
	return in
}

// learn takes in that condition c is known to hold, or known not to.
func learn(in *ranges.Info, c *vir.Value, holds bool) {
	switch {
	case c.Op == vir.OpNot:
		learn(in, c.Args[0], !holds)
	case c.Op == vir.OpAnd && holds, c.Op == vir.OpOr && !holds:
		learn(in, c.Args[0], holds)
		learn(in, c.Args[1], holds)
	case c.Op == vir.OpIcmpSlt && holds:
		atLeast(in, c.Args[1], in.Of(c.Args[0]).SLo, 1)
	case c.Op == vir.OpIcmpSle && holds:
		atLeast(in, c.Args[1], in.Of(c.Args[0]).SLo, 0)
	case c.Op == vir.OpIcmpSlt: // x >= y
		atLeast(in, c.Args[0], in.Of(c.Args[1]).SLo, 0)
	case c.Op == vir.OpIcmpSle: // x > y
		atLeast(in, c.Args[0], in.Of(c.Args[1]).SLo, 1)
	}
}

// atLeast takes in that x is at least lo+more.
func atLeast(in *ranges.Info, x *vir.Value, lo, more int64) {
	if x.Op == vir.OpConst || lo > math.MaxInt64-more || in.Of(x).SLo >= lo+more {
		return
	}
	in.Assume(x, lo+more, max(lo+more, in.Of(x).SHi))
}
