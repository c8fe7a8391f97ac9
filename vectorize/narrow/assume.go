package narrow

import (
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Programs count in int, but few loops ever come to 1<<31. Where it helps, counters
// are taken to fit 32 bits, with room for small sums and differences; that becomes
// a bound of the kernel's iterations, so that those beyond it are done by the scalar loop.
const (
	roomForSums = 1 << 16
	largestStep = 1 << 12
)

// A belief is a number that may be taken to fit fewer bits.
type belief struct {
	bound plan.Bound
	held  bool // something relies on it
}

// An assumption is beliefs, and the ranges of values if all of them are true.
type assumption struct {
	beliefs map[*vir.Value]*belief
	ranges  *ranges.Info
	order   []*vir.Value // that are believed of
	bits    int          // it is made for computing in at most so many
}

func newAssumption(bits int) *assumption {
	return &assumption{beliefs: make(map[*vir.Value]*belief), ranges: ranges.New(), bits: bits}
}

// believe takes v, which starts with start and goes on in steps, to lie from lo to below hi.
func (a *assumption) believe(v *vir.Value, start *plan.Expr, step, lo, hi int64) {
	a.beliefs[v] = &belief{bound: plan.Bound{Start: start, Step: step, Lo: plan.Const(lo), Hi: plan.Const(hi)}}
	a.ranges.Assume(v, lo, hi-1)
	a.order = append(a.order, v)
}

// believe collects the counters of the region, small parameters, and ranges that rely on them.
func (n *narrower) believe(r *plan.Region) {
	sc := scev.New(r)
	n.counted, n.small = newAssumption(32), nil
	for _, phi := range n.f.Blocks[1].Phis() {
		a, ok := sc.Affine(phi)
		if !ok || phi.Type != vir.Scalar(vir.I64) || a.Width != 64 || a.Step == 0 || max(a.Step, -a.Step) > largestStep || len(a.Wrap) > 0 {
			continue
		}
		n.counted.believe(phi, a.Start, a.Step, -1<<31+roomForSums, 1<<31-roomForSums)
	}
	if !n.pixels() {
		return
	}
	for _, size := range smallNumbers {
		a := newAssumption(size.bits)
		for i, p := range n.f.Params {
			if r.IsNumber(i) {
				a.believe(p, plan.Param(i), 0, 1-size.below, size.below)
			}
		}
		n.small = append(n.small, a)
	}
}

// Loops over pixels and samples add and multiply by what callers know in int: offsets, weights, gains. These are small numbers:
// offsets of bytes leave room in 16 bits, products of bytes and fractions of 1<<16 in 32, and so do sums of two products of samples
// and fractions less than 1<<15.
var smallNumbers = []struct {
	below int64
	bits  int // in which it is worth to believe so
}{{1 << 14, 16}, {1 << 17, 32}, {1 << 15, 32}}

// pixels reports whether the loop goes through elements of one or two bytes, and no others.
func (n *narrower) pixels() bool {
	some, all := false, true
	for v := range n.f.Values {
		if (v.Op.IsLoad() || v.Op.IsStore()) && v.Index() != nil {
			some, all = true, all && v.Access().Size() <= 2
		}
	}
	return some && all
}

// assumingSmall tries f, about v, in the bits for which parameters are small numbers.
func (n *narrower) assumingSmall(v *vir.Value, f func(bits int) bool) {
	for _, a := range n.small {
		if n.assuming(v, a, func() bool { return f(a.bits) }) {
			return
		}
	}
}

// assuming tries f, about v, with a, which is held from then on if f succeeds.
func (n *narrower) assuming(v *vir.Value, a *assumption, f func() bool) bool {
	seen := make(map[*vir.Value]bool)
	var about []*belief
	for _, x := range v.Args {
		about = append(about, a.about(x, seen)...)
	}
	if len(about) == 0 {
		return false
	}
	known := n.ranges
	n.ranges = a.ranges
	ok := f()
	n.ranges = known
	for _, b := range about {
		b.held = b.held || ok
	}
	return ok
}

// about are the beliefs about what v is computed from.
func (a *assumption) about(v *vir.Value, seen map[*vir.Value]bool) (all []*belief) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	if b := a.beliefs[v]; b != nil {
		return []*belief{b}
	}
	if v.Op == vir.OpPhi || v.Op.IsLoad() {
		return nil
	}
	for _, x := range v.Args {
		all = append(all, a.about(x, seen)...)
	}
	return all
}

// state tells u what is held, in the order of counters and parameters.
func (n *narrower) state(u *pass.Unit) {
	for _, a := range append([]*assumption{n.counted}, n.small...) {
		for _, v := range a.order {
			if b := a.beliefs[v]; b.held {
				u.Bounds = append(u.Bounds, b.bound)
			}
		}
	}
}
