package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Scans, s += x[i]; y[i] = s. The lanes of s behind the iteration are sums of all
// lanes up to there (Hillis, Steele: Data parallel algorithms, CACM 1986): in each
// half of a register by doubling distances, then the sum of the lower half is added
// to the upper one, then what the block before left. Lanes of s before the iteration
// are those, moved up by one. The order of operands stays, so that all operations
// that are associative are right in every bit: integers, minima and maxima, also
// those by comparison, which keep the first of equal zeros.
type scan struct{ *reduction }

// scanOf is the scan that chain c of family f is.
func (l *loop) scanOf(phi *vir.Value, c *chain, f family) (combiner, error) {
	next := l.next(phi)
	item, ok := direct(phi, next, f)
	switch {
	case !ok:
		return nil, nil
	case f.float && !l.region.Clauses.Reassoc:
		return nil, pass.Refuse("loopvec:OrderedReduction", next, "float %s %s needs reassoc to be reordered", f.noun, name(phi))
	}
	return &scan{&reduction{phi: phi, op: f.op, step: next.Op, item: item, start: f.repeat, unit: c.unit}}, nil
}

// comparedScan is that of a maximum or minimum that is written as a comparison, nil for others.
func (l *loop) comparedScan(m *matcher, phi *vir.Value) *scan {
	cmp, item, cond := m.ifForm(phi, l.next(phi))
	if cmp == nil || cond != nil {
		return nil
	}
	return &scan{&reduction{phi: phi, op: vir.OpSelect, item: item, start: true, cmp: cmp.Op, swapped: cmp.Args[1] == phi}}
}

func (s *scan) made() []*vir.Value { return []*vir.Value{s.item} }

func (s *scan) combine(w *widener, c *carry) {
	x, step := w.value(s.item), s.step
	switch {
	case s.op == vir.OpSelect:
		x = s.withoutNaN(w.b, x)
	case step == vir.OpFsub: // -0 - (x - x) is -0, while (-0 - x) + x is +0
		x, step = w.b.Op(vir.OpFneg, x.Type, x), s.op
	}
	w.inPieces(c, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		y := s.prefixes(w.b, w.piece(x, p, n), c.elem(w.e.l).Size())
		return s.into(w.b, step, last, y), s.into(w.b, step, last, w.spreadLast(y))
	})
}

func (s *scan) wait() float64 { return 0 }

func (s *scan) latency(l *loop, t vir.Type) float64 {
	op := s.op
	if op == vir.OpSelect {
		op = vir.OpFmin
	}
	return l.target.Cost(op, t).Latency
}

// into adds partial result x to the variable by step.
func (r *reduction) into(b *vir.Builder, step vir.Op, old, x *vir.Value) *vir.Value {
	if r.op == vir.OpSelect {
		return r.combine(b, old, x)
	}
	return b.Op(step, x.Type, old, x)
}

// prefixes combines each lane of x, of so many bytes, with all lanes before it.
func (r *reduction) prefixes(b *vir.Builder, x *vir.Value, bytes int) *vir.Value {
	n := x.Type.Lanes
	for d := 1; d < n; d *= 2 {
		x = r.combine(b, r.moved(b, x, r.before(n, d, bytes)), x)
	}
	return x
}

// before is, for each of n lanes of so many bytes of which d are combined already, the one to combine it
// with: below n, or a lane of the identity.
func (r *reduction) before(n, d, bytes int) []int {
	window := min(n, 16/bytes) // lanes that move together
	at := make([]int, n)
	for k := range at {
		switch {
		case d < window && k%window >= d:
			at[k] = k - d
		case d >= window && k%(2*d) >= d:
			at[k] = k/d*d - 1
		case r.start:
			at[k] = k // twice the same is the same
		default:
			at[k] = n + k
		}
	}
	return at
}

// moved is lanes at of x, and behind them of the identity.
func (r *reduction) moved(b *vir.Builder, x *vir.Value, at []int) *vir.Value {
	if r.start {
		return b.Shuffle(x.Type, at, x, nil)
	}
	return b.Shuffle(x.Type, at, x, b.Const(x.Type, r.unit))
}

// withoutNaN replaces items that are never taken by the one that is taken last.
func (r *reduction) withoutNaN(b *vir.Builder, x *vir.Value) *vir.Value {
	sign := -1
	if r.swapped {
		sign = 1
	}
	unit := b.Const(x.Type, x.Type.Elem.FloatBits(math.Inf(sign)))
	return b.Op(vir.OpBlend, x.Type, b.Cmp(vir.OpFcmpEq, x, x), x, unit)
}
