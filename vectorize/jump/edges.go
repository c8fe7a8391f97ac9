package jump

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Windows that the edges hold back:
//
//	lo, hi := max(i-r, 0), min(i+r+1, len(x))        lo, hi = i-r, i+r+1
//	for j := lo; j < hi; j++ {                  ==>      in as many iterations as two bounds say
//
// Iterations at the edges, where a window is smaller, are those that the caller does.

// mostEdges is the most values that are taken to be held back by nothing.
const mostEdges = 8

// Within is r, which has loops inside, between edges; nil without loops or edges.
func Within(r *plan.Region) *Stretch {
	if r.Once || len(loops.Find(r.Fn).All) < 2 {
		return nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	var bounds []plan.Bound
	for range mostEdges {
		b := freeOne(&c)
		if b == nil {
			break
		}
		bounds = append(bounds, b...)
	}
	if bounds == nil {
		return nil
	}
	return &Stretch{Region: &c, Bounds: bounds}
}

// freeOne replaces one value of r that an edge holds back, or a comparison with an edge, and gives the bounds under which
// that is right.
func freeOne(r *plan.Region) []plan.Bound {
	sc := scev.New(r)
	ends := conditionsOfLoops(sc)
	for v := range r.Fn.Values {
		if x, bounds, ok := sc.HeldBack(v); ok {
			r.Fn.ReplaceUses(v, x)
			v.Remove()
			return bounds
		}
		if ends[v] {
			continue
		}
		if holds, bounds, ok := sc.Inside(v); ok {
			v.Op, v.Args, v.Bits = vir.OpConst, nil, []uint64{0}
			if holds {
				v.Bits[0] = 1
			}
			edit.Fold(r.Fn)
			return bounds
		}
	}
	return nil
}

// conditionsOfLoops are the values that decide whether loops are left.
func conditionsOfLoops(sc *scev.Info) map[*vir.Value]bool {
	seen := make(map[*vir.Value]bool)
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		if seen[v] || v.Type != vir.Scalar(vir.Bool) {
			return
		}
		seen[v] = true
		for _, a := range v.Args {
			visit(a)
		}
	}
	for _, l := range sc.Loops().All {
		for _, e := range l.Exits {
			if t := e.From.Term(); t.Op == vir.OpBr {
				visit(t.Args[0])
			}
		}
	}
	return seen
}
