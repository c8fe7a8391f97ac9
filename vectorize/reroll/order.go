package reroll

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// order puts the accesses into the order in which a copy does them, that of the first
// one, and finds the tests that the others may do it in the same way: accesses that come
// in another order than in the loop as written must lie apart within an iteration.
func (m *matcher) order() (tests []plan.Overlap, ok bool) {
	slices.SortStableFunc(m.all, func(a, b *node) int { return cmp.Compare(m.at[a.lanes[0]], m.at[b.lanes[0]]) })
	for p, a := range m.all {
		for q, b := range m.all[:p+1] {
			if !a.lanes[0].Op.IsStore() && !b.lanes[0].Op.IsStore() || immutable(a) || immutable(b) {
				continue
			}
			t, need, ok := m.exchanged(b, a, q, p)
			if !ok {
				return nil, false
			}
			if need && !m.region.Clauses.Independent {
				tests = append(tests, t)
			}
		}
	}
	return tests, true
}

func immutable(n *node) bool { return n.lanes[0].Base().Param.Immutable }

// exchanged is the test for all copies of accesses a and b, which stand at p and q of
// the rolled body.
func (m *matcher) exchanged(a, b *node, p, q int) (t plan.Overlap, need, ok bool) {
	for k, v := range a.lanes {
		for l, w := range b.lanes {
			if v == w || m.before(v, w) == (k < l || k == l && p < q) {
				continue
			}
			lo, hi, away, ok := m.apart(a, b, k, l)
			if !ok {
				return t, false, false
			}
			if away {
				continue
			}
			if !need {
				t, need = plan.Overlap{A: m.stream(a), B: m.stream(b), Lo: lo, Hi: hi}, true
			}
			t.Lo, t.Hi = min(t.Lo, lo), max(t.Hi, hi)
		}
	}
	if need && a.at.step != b.at.step {
		t = plan.Overlap{A: m.whole(a), B: m.whole(b), Disjoint: true}
	}
	return t, need, true
}

func (m *matcher) before(v, w *vir.Value) bool { return m.at[v] < m.at[w] }

// apart says at which distances of the first copy of b from that of a copies k and l of
// them touch: those between lo and hi. Away: they never do.
func (m *matcher) apart(a, b *node, k, l int) (lo, hi int64, away, ok bool) {
	sizeA, sizeB := size(a), size(b)
	if a.lanes[0].Base() == b.lanes[0].Base() {
		d, known := scev.Diff(b.at.off, a.at.off)
		if !known || a.at.step != b.at.step {
			return 0, 0, false, false
		}
		d += int64(l-k) * (b.at.step / int64(m.g))
		return 0, 0, true, d <= -sizeB || d >= sizeA
	}
	if m.param(a) < 0 || m.param(b) < 0 {
		return 0, 0, false, false
	}
	by := int64(l)*(b.at.step/int64(m.g)) - int64(k)*(a.at.step/int64(m.g))
	return -sizeB - by, sizeA - by, false, true
}

func size(n *node) int64 { return int64(n.lanes[0].Access().Elem.Size()) }

func (m *matcher) param(n *node) int {
	return slices.Index(m.region.Fn.Params, n.lanes[0].Base())
}

// stream is where the first copy of a goes.
func (m *matcher) stream(a *node) plan.Stream {
	return plan.Stream{Param: m.param(a), Off: a.at.off, Step: a.at.step, Size: size(a)}
}

// whole is where all copies of a go.
func (m *matcher) whole(a *node) plan.Stream {
	s := m.stream(a)
	more := a.at.step - a.at.step/int64(m.g)
	if more < 0 {
		s.Off = scev.Simplify(plan.Add(s.Off, plan.Const(more)))
	}
	s.Size += max(more, -more)
	return s
}
