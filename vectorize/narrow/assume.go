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

// A belief is a counter that may be taken to fit 32 bits.
type belief struct {
	bound plan.Bound
	held  bool // something relies on it
}

// believe collects the counters of the region, and ranges that rely on them.
func (n *narrower) believe(r *plan.Region) {
	sc := scev.New(r)
	n.beliefs, n.assumed = make(map[*vir.Value]*belief), ranges.New()
	for _, phi := range n.f.Blocks[1].Phis() {
		a, ok := sc.Affine(phi)
		if !ok || phi.Type != vir.Scalar(vir.I64) || a.Width != 64 || a.Step == 0 || max(a.Step, -a.Step) > largestStep || len(a.Wrap) > 0 {
			continue
		}
		lo, hi := int64(-1<<31+roomForSums), int64(1<<31-roomForSums)
		n.beliefs[phi] = &belief{bound: plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(lo), Hi: plan.Const(hi)}}
		n.assumed.Assume(phi, lo, hi-1)
	}
}

// assuming tries f with what is believed of counters, which is held from then on if
// f succeeds.
func (n *narrower) assuming(v *vir.Value, f func() bool) bool {
	counters := n.counters(v.Args[0], make(map[*vir.Value]bool))
	if len(counters) == 0 {
		return false
	}
	known := n.ranges
	n.ranges = n.assumed
	ok := f()
	n.ranges = known
	for _, b := range counters {
		b.held = b.held || ok
	}
	return ok
}

// counters are the beliefs about what v is computed from.
func (n *narrower) counters(v *vir.Value, seen map[*vir.Value]bool) (all []*belief) {
	if seen[v] {
		return nil
	}
	seen[v] = true
	if b := n.beliefs[v]; b != nil {
		return []*belief{b}
	}
	if v.Op == vir.OpPhi || v.Op.IsLoad() {
		return nil
	}
	for _, a := range v.Args {
		all = append(all, n.counters(a, seen)...)
	}
	return all
}

// state tells u what is held, in the order of the counters.
func (n *narrower) state(u *pass.Unit) {
	for _, phi := range n.f.Blocks[1].Phis() {
		if b := n.beliefs[phi]; b != nil && b.held {
			u.Bounds = append(u.Bounds, b.bound)
		}
	}
}
