package loopvec

import "github.com/lanewise/lanewise/vir"

// Automata in lanes. The function from states to states that an iteration is are as many bytes as there are
// states, or 2, 4, 8 or 16; those of several iterations fill a register. Functions are combined as sums are in scans
// (Ladner, Fischer: Parallel prefix computation, JACM 1980), looking up what one makes of all states in the next
// one, which is an instruction that moves bytes (Mytkowicz, Musuvathi, Schulte: Data-parallel finite-state
// machines, ASPLOS 2014):
//
//	f    0 0 1 3  2 0 2 2  0 0 1 3 ...      f(q) is byte q
//	f'   0 1 2 3  0 0 1 3  2 0 2 2 ...      the one before each, first the one that changes nothing
//	     0 0 1 3  2 2 0 2  0 ...            f[f']
type transitions struct {
	goes []*vir.Value // where each state goes to
}

// statesOf is nil where phi is no number of a state.
func (l *loop) statesOf(m *matcher, phi *vir.Value) *transitions {
	a := &transitions{}
	for k := range l.u.States[phi] {
		v := m.instance([]*vir.Value{phi}, []uint64{uint64(k)}).of(l.next(phi))
		if v == nil {
			return nil
		}
		a.goes = append(a.goes, v)
	}
	if a.goes == nil {
		return nil
	}
	return a
}

// width is the bytes of a function.
func (a *transitions) width() int {
	n := 2
	for n < len(a.goes) {
		n *= 2
	}
	return n
}

const lookUp = 16 // bytes that an instruction looks up in

func (a *transitions) made() []*vir.Value { return a.goes }

func (a *transitions) wait() float64 { return 0 }

func (a *transitions) latency(_ *loop, t vir.Type) float64 {
	const look = 3 // with the sum before it, on Zen 4
	return look * float64(t.Lanes) / float64(max(2, lookUp/a.width()))
}

func (a *transitions) combine(w *widener, s *carry) {
	b, last := w.b, w.held[s.slot][0]
	r := &walker{b: b, width: a.width(), q: atLeast(b, last, lookUp)}
	functions := atLeast(b, a.functions(w), lookUp)
	r.used = min(w.lanes, lookUp/r.width)
	for p := range max(1, w.lanes*r.width/lookUp) {
		f := w.piece(functions, p, lookUp)
		switch {
		case r.used > 1:
			r.steps(f)
		case p%2 == 0 && w.lanes > 1:
			r.pair(f, w.piece(functions, p+1, lookUp))
		case w.lanes == 1:
			r.put(b.Permute(f, r.q))
			r.q = r.parts[0]
		}
	}
	w.vec[s.after], w.totals[s] = firstLanes(b, w.concat(r.parts), w.lanes), firstLanes(b, r.q, last.Type.Lanes)
}

// A walker does the functions of a register behind those of the one before.
type walker struct {
	b           *vir.Builder
	width, used int          // bytes of a function, and how many there are in a register
	q           *vir.Value   // the state before, in all lanes
	parts       []*vir.Value // states behind the iterations
	lanes       int          // that there are of them
}

// steps combines the functions of f with those before them, as scans do.
func (r *walker) steps(f *vir.Value) {
	b, t := r.b, f.Type
	first := make([]uint64, lookUp)    // byte of the function that it belongs to
	identity := make([]uint64, lookUp) // the function that changes nothing
	out := make([]uint64, lookUp)      // where the states behind go from
	for k := range lookUp {
		first[k], identity[k] = uint64(k/r.width*r.width), uint64(k%r.width)
		if i := k - r.lanes%lookUp; i >= 0 && i < r.used {
			out[k] = uint64(i * r.width)
		}
	}
	for d := 1; d < r.used; d *= 2 {
		before := b.Shuffle(t, movedUp(lookUp, d*r.width), b.Lanes(t, identity), f)
		f = b.Permute(f, b.Op(vir.OpOr, t, before, b.Lanes(t, first)))
	}
	r.put(b.Permute(f, b.Op(vir.OpAdd, t, r.q, b.Lanes(t, out))))
	last := uint64((r.used - 1) * r.width)
	r.q = b.Permute(f, b.Op(vir.OpAdd, t, r.q, b.Const(t, last)))
}

// pair does two functions that fill a register each.
func (r *walker) pair(f, g *vir.Value) {
	both := r.b.Permute(g, f)
	r.put(r.b.Permute(f, r.q))
	r.q = r.b.Permute(both, r.q)
	r.put(r.q)
}

// put adds states, as many as are used, which lie where they belong.
func (r *walker) put(states *vir.Value) {
	at := r.lanes % lookUp
	r.lanes += r.used
	if at == 0 {
		r.parts = append(r.parts, states)
		return
	}
	lanes := make([]int, lookUp)
	for k := range lanes {
		lanes[k] = k
		if k >= at {
			lanes[k] += lookUp
		}
	}
	p := &r.parts[len(r.parts)-1]
	*p = r.b.Shuffle(states.Type, lanes, *p, states)
}

// atLeast is x as often as it takes for n lanes.
func atLeast(b *vir.Builder, x *vir.Value, n int) *vir.Value {
	for x.Type.Lanes < n {
		x = b.Concat(vir.Vec(x.Type.Elem, 2*x.Type.Lanes), x, x)
	}
	return x
}

// functions are those of all lanes, one behind the other.
func (a *transitions) functions(w *widener) *vir.Value {
	xs := make([]*vir.Value, a.width())
	for k := range xs {
		xs[k] = w.value(a.goes[min(k, len(a.goes)-1)])
	}
	return w.interleaved(xs)
}
