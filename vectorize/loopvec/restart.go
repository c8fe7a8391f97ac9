package loopvec

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// Scans that begin anew under a condition:
//
//	if head[i] { s = 0 }; s += x[i]
//	if x[i] > limit { n++ } else { n = 0 }
//
// An iteration makes phi op item of the variable, or with where it ends what came before. Lanes are
// combined as those of other scans are, but for those behind such an end, which keep what they have: whether
// there is one among the lanes that a lane stands for is a scan of its own (Blelloch: Prefix sums and their
// applications, 1990, 1.5, segmented scans).
type restart struct {
	red        *reduction
	ends, with *vir.Value
}

// restartOf is what makes next of phi, in the form that the pass Reductions brings it to; nil where that is
// something else.
func (m *matcher) restartOf(phi, next *vir.Value, reassoc bool) *restart {
	if next.Op != vir.OpSelect || phi.Type.Elem == vir.Bool || !m.free(next.Args[0]) || !m.free(next.Args[1]) {
		return nil
	}
	for _, f := range families {
		item, ok := direct(phi, next.Args[2], f)
		if ok && next.Args[2].Op == f.op && m.free(item) && (!f.float || reassoc) {
			r := &reduction{phi: phi, op: f.op, step: f.op, item: item, start: f.repeat, unit: fold.Identity(f.op, phi.Type.Elem)}
			return &restart{r, next.Args[0], next.Args[1]}
		}
	}
	return nil
}

// restarts reports whether the variable of phi is one of these.
func (l *loop) restarts(phi *vir.Value) bool {
	next := l.next(phi)
	if next.Op != vir.OpSelect {
		return false
	}
	m := newMatcher(l.region, l.sc)
	m.follow(phi)
	return m.restartOf(phi, next, l.region.Clauses.Reassoc) != nil
}

// made are the values that it is computed from.
func (s *restart) made() []*vir.Value { return []*vir.Value{s.ends, s.with, s.red.item} }

// A restarter brings the next value of a variable to that form.
type restarter struct {
	*chain
	memo map[*vir.Value]stretch
}

// A stretch is ends ? with : phi op item, where nil stands for never, and for the identity. In a fixed one
// phi does not matter at all.
type stretch struct {
	ends, with, item *vir.Value
	fixed            bool
}

// restarted is next in that form; nil for what is not of it.
func (m *matcher) restarted(phi, next *vir.Value, reassoc bool) *vir.Value {
	if phi.Type.Elem == vir.Bool {
		return nil
	}
	if m.restartOf(phi, next, reassoc) != nil {
		return next
	}
	for _, f := range families {
		c := newChain(m, phi, fold.Identity(f.op, phi.Type.Elem))
		c.op, c.inner = f.op, f.inner
		r := restarter{c, make(map[*vir.Value]stretch)}
		if f.float != phi.Type.Elem.IsFloat() || f.float && !reassoc || !r.leads(next, make(map[*vir.Value]bool)) {
			continue
		}
		x := r.of(next)
		if x.ends == nil || x.item == nil {
			return nil // a fill, or a reduction
		}
		return c.build(vir.OpSelect, next, x.ends, x.with, c.build(f.op, next, phi, x.item))
	}
	return nil
}

// leads reports whether v is phi, or made from it by the family and by choices of which one value may be
// free.
func (r restarter) leads(v *vir.Value, seen map[*vir.Value]bool) bool {
	if ok, known := seen[v]; known {
		return ok
	}
	one := func(x, y *vir.Value) bool { return r.free(y) && !r.free(x) && r.leads(x, seen) }
	ok := v == r.phi
	switch {
	case ok:
	case v.Op == vir.OpSelect:
		ok = r.free(v.Args[0])
		for _, x := range v.Args[1:] {
			ok = ok && (r.free(x) || r.leads(x, seen))
		}
	case v.Op == r.op:
		ok = one(v.Args[0], v.Args[1]) || one(v.Args[1], v.Args[0])
	case v.Op == r.inner && v.Op != vir.OpInvalid:
		ok = one(v.Args[0], v.Args[1])
	}
	seen[v] = ok
	return ok
}

// of is what v makes of phi.
func (r restarter) of(v *vir.Value) stretch {
	s, ok := r.memo[v]
	if !ok {
		s = r.make(v)
		r.memo[v] = s
	}
	return s
}

func (r restarter) make(v *vir.Value) stretch {
	switch {
	case v == r.phi:
		return stretch{}
	case r.free(v):
		return stretch{with: v, fixed: true}
	case v.Op == vir.OpSelect:
		return r.choice(v)
	}
	from, x := v.Args[0], v.Args[1]
	if r.free(from) {
		from, x = x, from
	}
	s := r.of(from)
	if s.with != nil {
		s.with = r.build(v.Op, v, s.with, x)
	}
	switch {
	case v.Op == r.inner && s.item == nil:
		s.item = r.negated(v, x)
	case s.item == nil:
		s.item = x
	default:
		s.item = r.build(v.Op, v, s.item, x)
	}
	return s
}

// choice is of for choices.
func (r restarter) choice(v *vir.Value) stretch {
	cond := v.Args[0]
	x, y := r.of(v.Args[1]), r.of(v.Args[2])
	ends := x.ends
	switch {
	case x.fixed:
		return stretch{ends: r.either(cond, y.ends), with: r.chosen(v, x.with, y.with), item: y.item}
	case y.fixed:
		return stretch{ends: r.either(r.append(cond.Type, vir.OpNot, v, cond), x.ends), with: r.chosen(v, x.with, y.with), item: x.item}
	case x.ends != y.ends:
		no := r.append(cond.Type, vir.OpConst, v)
		no.Bits = []uint64{0}
		for _, e := range []**vir.Value{&x.ends, &y.ends} {
			if *e == nil {
				*e = no
			}
		}
		ends = r.append(cond.Type, vir.OpSelect, v, cond, x.ends, y.ends)
	}
	return stretch{ends: ends, with: r.chosen(v, x.with, y.with), item: r.items(v, x.item, y.item)}
}

// items is the item of choice v, nil for none in both cases.
func (r restarter) items(v, x, y *vir.Value) *vir.Value {
	if x == nil && y == nil {
		return nil
	}
	for _, item := range []**vir.Value{&x, &y} {
		if *item == nil {
			*item = r.identity()
		}
	}
	return r.build(vir.OpSelect, v, v.Args[0], x, y)
}

// chosen is what choice v makes of x and y, of which nil does not matter.
func (r restarter) chosen(v, x, y *vir.Value) *vir.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return r.build(vir.OpSelect, v, v.Args[0], x, y)
}

// either is x or y, where nil is never.
func (r restarter) either(x, y *vir.Value) *vir.Value {
	if y == nil {
		return x
	}
	return r.append(x.Type, vir.OpOr, x, x, y)
}

func (s *restart) wait() float64 { return 0 }

func (s *restart) latency(l *loop, t vir.Type) float64 {
	return 1 + l.target.Cost(s.red.op, t).Latency
}

func (s *restart) combine(w *widener, c *carry) {
	r, b := s.red, w.b
	item, with, ends := w.value(r.item), w.value(s.with), w.value(s.ends)
	x := b.Op(vir.OpBlend, item.Type, ends, with, item)
	behind := func(x, m, before *vir.Value) *vir.Value {
		return b.Op(vir.OpBlend, x.Type, m, x, r.combine(b, before, x))
	}
	n := w.held[c.slot][0].Type.Lanes
	at := func(d int) []int { return r.before(n, d, c.elem(w.e.l).Size()) }
	ended := w.everSet(ends, w.e.l.natural(s.ends), n, at)
	w.inPieces(c, func(p, n int, last *vir.Value) (lanes, next *vir.Value) {
		x := w.piece(x, p, n)
		step := 0
		for d := 1; d < n; d *= 2 {
			x = behind(x, ended.piece(step, p), r.moved(b, x, at(d)))
			step++
		}
		m := ended.piece(step, p)
		return behind(x, m, last), behind(w.spreadLast(x), w.spreadLast(m), last)
	})
}

// An everSet is whether a bool is set in a lane, or in one of those that are combined with it in so many
// steps, n lanes at a time.
type everSet struct {
	w     *widener
	n     int
	chunk int            // lanes that are done together
	steps [][]*vir.Value // by step and chunk
}

// everSet is that of m, lanes of a bool that is as wide as elem; at is, for each of n lanes, the one that is
// combined with it behind d lanes. As many lanes are done together as fill a register: bools may be narrower
// than what they decide about.
func (w *widener) everSet(m *vir.Value, elem vir.Elem, n int, at func(d int) []int) *everSet {
	e := &everSet{w: w, n: n, chunk: n}
	if elem != vir.Void {
		e.chunk = max(n, min(w.lanes, w.e.l.target.Lanes(elem)))
	}
	var now []*vir.Value
	for c := range w.lanes / e.chunk {
		now = append(now, w.piece(m, c, e.chunk))
	}
	e.steps = append(e.steps, now)
	for d := 1; d < n; d *= 2 {
		from := e.lanes(at(d))
		var next []*vir.Value
		for _, m := range now {
			next = append(next, w.b.Op(vir.OpOr, m.Type, m, w.b.Shuffle(m.Type, from, m, nil)))
		}
		now = next
		e.steps = append(e.steps, now)
	}
	return e
}

// lanes is at for each n lanes of a chunk, or the lane itself where it is combined with nothing.
func (e *everSet) lanes(at []int) []int {
	from := make([]int, e.chunk)
	for k := range from {
		from[k] = k
		if x := at[k%e.n]; x < e.n {
			from[k] = k/e.n*e.n + x
		}
	}
	return from
}

// piece is lanes p*n to p*n+n-1 behind so many steps.
func (e *everSet) piece(step, p int) *vir.Value {
	k := e.chunk / e.n
	return e.w.piece(e.steps[step][p/k], p%k, e.n)
}
