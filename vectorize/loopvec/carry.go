package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Variables whose lanes follow from lanes of this iteration and the end of the
// block before.
//
// First-order recurrences, y[i] = x[i] - prev; prev = x[i]. The lanes of prev are
// those of x, moved up by one:
//
//	x      a b c d e f g h
//	prev   p a b c d e f g      p is the last lane of the block before
//
// Scans, s += x[i]; y[i] = s. The lanes of s behind the iteration are sums of all
// lanes up to there (Hillis, Steele: Data parallel algorithms, CACM 1986): in each
// half of a register by doubling distances, then the sum of the lower half is added
// to the upper one, then what the block before left. Lanes of s before the iteration
// are those, moved up by one. The order of operands stays, so that all operations
// that are associative are right in every bit: integers, minima and maxima, also
// those by comparison, which keep the first of equal zeros.
//
// A variable that is set under a condition and read in all iterations is a scan, too:
// of two lanes that follow each other, the later one counts if it is set.
//
// What is kept is the last value in as many lanes as fill a register.
type carry struct {
	phi, after *vir.Value
	scan       *reduction // nil for recurrences
	restart    *restart   // of a scan that begins anew, else nil
	fill       *fill      // of a variable that not every iteration sets, else nil
	latch      *latch     // of a bool that depends on itself otherwise, else nil
	tropical   *tropical  // of minima or maxima of sums, else nil
	slot       int        // in loop.held
}

// findCarry makes a carry of the variable of phi, which m follows; nil when it is none.
func (l *loop) findCarry(m *matcher, phi *vir.Value) (*carry, error) {
	next := l.next(phi)
	s := &carry{phi: phi, after: next, slot: len(l.held)}
	if m.free(next) {
		return s, nil
	}
	if c, f := m.family(phi, next); c != nil {
		item, ok := direct(phi, next, f)
		switch {
		case !ok:
			return nil, nil
		case f.float && !l.region.Clauses.Reassoc:
			return nil, pass.Refuse("loopvec:OrderedReduction", next, "float %s %s needs reassoc to be reordered", f.noun, name(phi))
		}
		s.scan = &reduction{phi: phi, op: f.op, step: next.Op, item: item, start: f.repeat, unit: c.unit}
		return s, nil
	}
	if s.restart = m.restartOf(phi, next, l.region.Clauses.Reassoc); s.restart != nil {
		return s, nil
	}
	if cmp, item, cond := m.ifForm(phi, next); cmp != nil && cond == nil {
		s.scan = &reduction{phi: phi, op: vir.OpSelect, item: item, start: true, cmp: cmp.Op, swapped: cmp.Args[1] == phi}
		return s, nil
	}
	if cond, value, not := l.setUnder(phi); cond != nil && m.free(cond) && m.free(value) && phi.Type.Elem != vir.Bool {
		s.fill = &fill{cond: cond, value: value, not: not}
		return s, nil
	}
	if s.latch = l.latchOf(m, phi); s.latch != nil {
		return s, nil
	}
	if s.tropical = l.tropicalOf(phi); s.tropical != nil {
		return s, nil
	}
	return nil, nil
}

// made are the values that lanes compute the variable behind the iteration from; nil
// when it is computed as it stands.
func (s *carry) made() []*vir.Value {
	switch {
	case s.scan != nil:
		return []*vir.Value{s.scan.item}
	case s.restart != nil:
		return s.restart.made()
	case s.fill != nil:
		return []*vir.Value{s.fill.cond, s.fill.value}
	case s.latch != nil:
		return []*vir.Value{s.latch.ends, s.latch.to}
	case s.tropical != nil:
		return s.tropical.made()
	}
	return nil
}

func (s *carry) phis() []*vir.Value { return []*vir.Value{s.phi} }

func (s *carry) need(l *loop) { l.need(s.after) }

func (s *carry) kept(l *loop, lanes int) []vir.Type {
	return []vir.Type{vir.Vec(s.phi.Type.Elem, s.lanes(l, lanes))}
}

// lanes is the number of lanes in which the last value is kept, and which are
// combined at a time.
func (s *carry) lanes(l *loop, lanes int) int { return min(lanes, l.target.Lanes(s.elem(l))) }

// elem is the type of lanes as wide as those of the variable: masks are as wide as what
// was compared.
func (s *carry) elem(l *loop) vir.Elem {
	e := s.phi.Type.Elem
	if e != vir.Bool {
		return e
	}
	from := s.after
	if s.scan != nil {
		from = s.scan.item
	}
	if n := l.natural(from); n != vir.Void {
		return n
	}
	return vir.I32
}

func (s *carry) chain(l *loop, lanes int) float64 {
	n := s.lanes(l, lanes)
	switch {
	case s.tropical != nil:
		return float64(lanes/n) * s.tropical.chain()
	case s.restart != nil:
		return float64(lanes/n) * (1 + l.target.Cost(s.restart.red.op, vir.Vec(s.phi.Type.Elem, n)).Latency)
	case s.scan == nil:
		return float64(lanes / n)
	}
	op := s.scan.op
	if op == vir.OpSelect {
		op = vir.OpFmin
	}
	return float64(lanes/n) * l.target.Cost(op, vir.Vec(s.phi.Type.Elem, n)).Latency
}

func (s *carry) limit(int) int64 { return 0 }

func (s *carry) first(e *emitter, lanes int, _ bool) []*vir.Value {
	return []*vir.Value{e.splatOf(e.l.initial(s.phi), s.lanes(e.l, lanes))}
}

func (s *carry) next(w *widener, _ []*vir.Value) []*vir.Value {
	x := w.value(s.after)
	if w.totals[s] != nil {
		return []*vir.Value{w.totals[s]}
	}
	n := s.lanes(w.e.l, w.lanes)
	return []*vir.Value{w.spreadLast(w.piece(x, w.lanes/n-1, n))}
}

func (s *carry) fold(e *emitter, b *vir.Builder, kept []*vir.Value, to int, _ bool) []*vir.Value {
	return []*vir.Value{firstLanes(b, kept[0], s.lanes(e.l, to))}
}

func (s *carry) results(_ *emitter, b *vir.Builder, kept []*vir.Value) []*vir.Value {
	return []*vir.Value{b.Extract(kept[0], 0)}
}

// firstLanes are the first n lanes of x, or all of them if there are no more.
func firstLanes(b *vir.Builder, x *vir.Value, n int) *vir.Value {
	if n < x.Type.Lanes {
		return b.Subvec(x, 0, n)
	}
	return x
}

// piece is lanes p*n to p*n+n-1 of x.
func (w *widener) piece(x *vir.Value, p, n int) *vir.Value {
	if x.Type.Lanes == n {
		return x
	}
	return w.b.Subvec(x, p*n, n)
}

// spreadLast is the last lane of x in all lanes.
func (w *widener) spreadLast(x *vir.Value) *vir.Value {
	n := x.Type.Lanes
	if n == 1 {
		return x
	}
	at := make([]int, n)
	for k := range at {
		at[k] = n - 1
	}
	return w.b.Shuffle(x.Type, at, x, nil)
}

// shifted is the lanes of s's variable before the iterations.
func (w *widener) shifted(s *carry) *vir.Value {
	return w.shiftedBy(w.value(s.after), w.held[s.slot][0], 1)
}

// scan computes the lanes of s's variable behind the iterations, and what the next
// block starts from.
func (w *widener) scan(s *carry) {
	switch {
	case s.restart != nil:
		w.restarted(s)
		return
	case s.fill != nil:
		w.filled(s)
		return
	case s.latch != nil:
		w.latched(s)
		return
	case s.tropical != nil:
		w.tropical(s)
		return
	}
	r := s.scan
	x, step := w.value(r.item), r.step
	switch {
	case r.op == vir.OpSelect:
		x = r.withoutNaN(w.b, x)
	case step == vir.OpFsub: // -0 - (x - x) is -0, while (-0 - x) + x is +0
		x, step = w.b.Op(vir.OpFneg, x.Type, x), r.op
	}
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		y := r.prefixes(w.b, w.piece(x, p, n), s.elem(w.e.l).Size())
		return r.into(w.b, step, last, y), r.into(w.b, step, last, w.spreadLast(y))
	})
}

// inPieces computes the lanes of s's variable behind the iterations, and what the next block starts
// from, in as many lanes at a time as are kept: piece makes those of one, of n lanes, and what the next
// one starts from, out of last, which is what this one starts from.
func (w *widener) inPieces(s *carry, piece func(p, n int, last *vir.Value) (lanes, next *vir.Value)) {
	last := w.held[s.slot][0]
	n := last.Type.Lanes
	var parts []*vir.Value
	for p := range w.lanes / n {
		var lanes *vir.Value
		lanes, last = piece(p, n, last)
		parts = append(parts, lanes)
	}
	w.vec[s.after], w.totals[s] = w.concat(parts), last
}

// A fill is a variable that is set to a value where a condition holds, or with not
// where it does not.
type fill struct {
	cond, value *vir.Value
	not         bool
}

// filled is scan for fills.
func (w *widener) filled(s *carry) {
	f, b := s.fill, w.b
	set, x := w.value(f.cond), w.value(f.value)
	if f.not {
		set = b.Op(vir.OpNot, set.Type, set)
	}
	n := w.held[s.slot][0].Type.Lanes
	ever := w.everSet(set, w.e.l.natural(f.cond), n, func(d int) []int { return distances(n, d, n) })
	w.inPieces(s, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		v, step := w.piece(x, p, n), 0
		for d := 1; d < n; d *= 2 {
			v = b.Op(vir.OpBlend, v.Type, ever.piece(step, p), v, b.Shuffle(v.Type, distances(n, d, n), v, nil))
			step++
		}
		v = b.Op(vir.OpBlend, v.Type, ever.piece(step, p), v, last)
		return v, w.spreadLast(v)
	})
}

// distances is, for each of n lanes, the one that comes d lanes before it in its
// window, or the lane itself.
func distances(n, d, window int) []int {
	at := make([]int, n)
	for k := range at {
		at[k] = k
		if k%window >= d {
			at[k] = k - d
		}
	}
	return at
}

// movedUp are the lanes of two operands of a shuffle, n each, that move those of the second one up by
// d, behind the last ones of the first.
func movedUp(n, d int) []int {
	at := make([]int, n)
	for k := range at {
		at[k] = n - d + k
	}
	return at
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
	unit := b.Const(x.Type, floatBits(x.Type.Elem, math.Inf(sign)))
	return b.Op(vir.OpBlend, x.Type, b.Cmp(vir.OpFcmpEq, x, x), x, unit)
}

// loadAhead puts loads that variables are set to before the first access or check
// that needs the lanes of the variable before the iteration: the lanes come from
// those that are set. That may be before stores of the iteration.
func (l *loop) loadAhead(items []*vir.Value) ([]*vir.Value, error) {
	if l.isNest() || len(l.carries) == 0 && len(l.members) == 0 {
		return items, nil
	}
	var out []*vir.Value
	done := make(map[*vir.Value]bool)
	for i, v := range items {
		if done[v] {
			continue
		}
		ahead := l.needsAhead(v)
		if ahead[v] {
			return nil, pass.Refuse("loopvec:Recurrence", v, "%s is loaded under a condition that follows from what other iterations load", name(v))
		}
		for k := i + 1; k < len(items); k++ {
			x := items[k]
			if !ahead[x] || done[x] {
				continue
			}
			if err := l.mayLoadAhead(x, items[i:k], done); err != nil {
				return nil, err
			}
			out, done[x] = append(out, x), true
		}
		out, done[v] = append(out, v), true
	}
	return out, nil
}

// needsAhead are the loads in lanes that v is computed from; where v begins a cycle that is
// done lane by lane, those for all of it.
func (l *loop) needsAhead(v *vir.Value) map[*vir.Value]bool {
	ahead := make(map[*vir.Value]bool)
	s := l.serials[v]
	if s == nil {
		l.loadsFor(v, ahead)
		return ahead
	}
	if s.nodes[0] == v {
		for _, x := range s.nodes {
			l.loadsFor(x, ahead)
		}
	}
	for _, x := range s.nodes {
		delete(ahead, x)
	}
	return ahead
}

// loadsFor marks the loads in lanes that access or check v is computed from.
func (l *loop) loadsFor(v *vir.Value, loads map[*vir.Value]bool) {
	seen := make(map[*vir.Value]bool)
	l.loadsOf(v, loads, seen)
	switch {
	case v.Op.IsStore():
		for _, a := range v.Args {
			if l.demand[a] && !seen[a] {
				seen[a], loads[a] = true, loads[a] || a.Op.IsLoad()
				l.loadsOf(a, loads, seen)
			}
		}
	}
}

// mayLoadAhead decides whether load x may go before items.
func (l *loop) mayLoadAhead(x *vir.Value, items []*vir.Value, done map[*vir.Value]bool) error {
	b := l.dp.Access(x)
	for _, a := range items {
		if done[a] {
			continue
		}
		if a.Op.IsStore() && !l.movable(l.dp.Access(a), b) || b.Kind != dep.Linear && a.Op.IsCheck() {
			return pass.Refuse("loopvec:Recurrence", x, "%s of the iteration before is needed before it is loaded", name(x))
		}
	}
	return nil
}
