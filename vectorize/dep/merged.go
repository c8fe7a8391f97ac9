package dep

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Merged makes one test of several between the same streams whose forbidden
// distances meet.
func Merged(tests []plan.Overlap) []plan.Overlap {
	var out []plan.Overlap
next:
	for _, o := range tests {
		for i := range out {
			if absorb(&out[i], o) {
				continue next
			}
		}
		out = append(out, o)
	}
	return out
}

// absorb widens o by p, if they are about the same distance up to a constant.
func absorb(o *plan.Overlap, p plan.Overlap) bool {
	if o.Disjoint || p.Disjoint || !sameWalk(o.A, p.A) || !sameWalk(o.B, p.B) {
		return false
	}
	ka, ok := scev.Diff(p.A.Off, o.A.Off)
	kb, ok2 := scev.Diff(p.B.Off, o.B.Off)
	if !ok || !ok2 {
		return false
	}
	// d of p is d of o + kb - ka.
	lo, hi := shift(p.Lo, ka-kb), shift(p.Hi, ka-kb)
	if lo > o.Hi || hi < o.Lo {
		return false
	}
	o.Lo, o.Hi = min(o.Lo, lo), max(o.Hi, hi)
	if known := o.Below|o.Above != 0 && p.Below|p.Above != 0; known {
		o.Below, o.Above = max(o.Below, p.Below-ka+kb), max(o.Above, p.Above+ka-kb)
	} else {
		o.Below, o.Above = 0, 0
	}
	return true
}

func sameWalk(s, t plan.Stream) bool { return s.Param == t.Param && s.Step == t.Step }

// shift keeps limits that mean no limit.
func shift(x, by int64) int64 {
	if x == math.MinInt64 || x == math.MaxInt64 {
		return x
	}
	return x + by
}
