package loopvec

import "github.com/lanewise/lanewise/vir"

// Variables whose lanes follow from lanes of this iteration and the end of the
// block before.
//
// First-order recurrences, y[i] = x[i] - prev; prev = x[i]. The lanes of prev are
// those of x, moved up by one:
//
//	x      a b c d e f g h
//	prev   p a b c d e f g      p is the last lane of the block before
//
// Others are combined, see combiner.
//
// What is kept is the last value in as many lanes as fill a register.
type carry struct {
	phi, after *vir.Value
	by         combiner // nil for recurrences
	slot       int      // in loop.held
}

// A combiner says how the lanes of a variable follow from each other: those of a scan and its relatives.
type combiner interface {
	made() []*vir.Value                  // what lanes compute the variable behind the iteration from
	combine(w *widener, s *carry)        // makes these lanes, see inPieces
	latency(l *loop, t vir.Type) float64 // from what lanes of t start from to what the next ones do
	wait() float64                       // cycles of the code as written from one value to the next, 0 where that does not matter
}

// findCarry makes a carry of the variable of phi, which m follows; nil when it is none.
func (l *loop) findCarry(m *matcher, phi *vir.Value) (*carry, error) {
	s := &carry{phi: phi, after: l.next(phi), slot: len(l.held)}
	if m.free(s.after) {
		return s, nil
	}
	by, err := l.combinerOf(m, phi)
	if by == nil {
		return nil, err
	}
	s.by = by
	return s, nil
}

// combinerOf is nil where the lanes of the variable follow from each other in no way that is known.
func (l *loop) combinerOf(m *matcher, phi *vir.Value) (combiner, error) {
	if c, f := m.family(phi, l.next(phi)); c != nil {
		return l.scanOf(phi, c, f)
	}
	if r := m.restartOf(phi, l.next(phi), l.region.Clauses.Reassoc); r != nil {
		return r, nil
	}
	if s := l.comparedScan(m, phi); s != nil {
		return s, nil
	}
	if f := l.fillOf(m, phi); f != nil {
		return f, nil
	}
	if a := l.latchOf(m, phi); a != nil {
		return a, nil
	}
	if t := l.tropicalOf(phi); t != nil {
		return t, nil
	}
	if p := l.polynomialsOf(m, phi); p != nil {
		return p, nil
	}
	if s := l.shiftScanOf(m, phi); s != nil {
		return s, nil
	}
	if s := l.statesOf(m, phi); s != nil {
		return s, nil
	}
	return nil, nil
}

// made are the values that lanes compute the variable behind the iteration from; nil
// when it is computed as it stands.
func (s *carry) made() []*vir.Value {
	if s.by == nil {
		return nil
	}
	return s.by.made()
}

func (s *carry) phis() []*vir.Value { return []*vir.Value{s.phi} }

func (s *carry) need(l *loop) { l.need(s.after) }

func (s *carry) kept(l *loop, lanes int) []vir.Type {
	return []vir.Type{vir.Vec(s.phi.Type.Elem, s.lanes(l, lanes))}
}

// lanes is the number of lanes in which the last value is kept, and which are
// combined at a time.
func (s *carry) lanes(l *loop, lanes int) int {
	if _, ok := s.by.(*transitions); ok {
		return min(lanes, lookUp)
	}
	return min(lanes, l.target.Lanes(s.elem(l)))
}

// elem is the type of lanes as wide as those of the variable: masks are as wide as what
// was compared.
func (s *carry) elem(l *loop) vir.Elem {
	e := s.phi.Type.Elem
	if e != vir.Bool {
		return e
	}
	from := s.after
	if scan, ok := s.by.(*scan); ok {
		from = scan.item
	}
	if n := l.natural(from); n != vir.Void {
		return n
	}
	return vir.I32
}

func (s *carry) chain(l *loop, lanes int) float64 {
	n, each := s.lanes(l, lanes), 1.0
	if s.by != nil {
		each = s.by.latency(l, vir.Vec(s.phi.Type.Elem, n))
	}
	return float64(lanes/n) * each
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
