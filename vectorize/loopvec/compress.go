package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Stores that go up when a condition holds: if c { dst[k] = v; k++ }.
//
//	vec32:   %m = ...                                     32 lanes
//	         %c = count i64 %m
//	         %e = add i64 %k, %c
//	         br 0 <= %k and %e <= len, ok, done32         no subscript is out of range
//	ok:      store.compress f32x32 %v, [%dst + %k*4] mask %m
//	         %k1 = %e
//
// A block in which a subscript is out of range is handed over as a whole. Only what
// the loop stores is written: the end of what is kept lies anywhere in a block.
//
// Where the store comes in every iteration and only the counter depends on the
// condition,
//
//	dst[k] = v; if c { k++ }
//
// each element that is not kept is overwritten by the next one. What remains of it
// is the one of the last lane, so that lane is stored too, and one index more is
// checked if it is not kept.
//
// A counter is returned like the last value of a variable that is set anew. Its
// value is needed for subscripts only; a loop that uses it in lanes is a scan.
//
// Not handled: counters that go up in other ways.

// counter is what becomes of a state variable that counts.
type counter struct {
	scev.Counter
	mask *vir.Value // the same as Cond, or its complement for Neg; nil for a complement that nobody else needs
}

// counted makes s a counter, if it is one.
func (l *loop) counted(s *state) bool {
	c, ok := l.sc.Counter(s.phi)
	if !ok || !l.onlyCounts(s.phi) {
		return false
	}
	s.count, s.last = &counter{Counter: c}, true
	for _, v := range l.insts {
		if m := v.Mask(); s.count.counts(m) {
			s.count.mask = m
			return true
		}
	}
	if !c.Neg {
		s.count.mask = c.Cond
	}
	return true
}

// onlyCounts reports whether phi is a counter that is used for subscripts only.
func (l *loop) onlyCounts(phi *vir.Value) bool {
	if _, ok := l.sc.Counter(phi); !ok {
		return false
	}
	next := l.next(phi)
	counts := map[*vir.Value]bool{phi: true}
	for _, v := range l.insts {
		for i, a := range v.Args {
			if v == next {
				counts[v] = true
			}
			if !counts[a] || v == next {
				continue
			}
			acc := l.dp.Access(v)
			switch {
			case v.Op == vir.OpAdd, v.Op == vir.OpSub, v.Op == vir.OpSext, v.Op == vir.OpZext:
				counts[v] = true
			case acc != nil && acc.Kind == dep.Counted && a == v.Index() && (!acc.Store || i > 0):
			case v.Op == vir.OpCheckIndex && i == 0:
			default:
				return false
			}
		}
	}
	return !slices.ContainsFunc(l.header.Phis(), func(p *vir.Value) bool { return p != phi && counts[l.next(p)] })
}

// counterOf is the counter with the given phi; nil for other variables.
func (l *loop) counterOf(phi *vir.Value) *counter {
	for i := range l.states {
		if l.states[i].phi == phi {
			return l.states[i].count
		}
	}
	return nil
}

// counts reports whether the loop has a counter.
func (l *loop) counts() bool {
	for i := range l.states {
		if l.states[i].count != nil {
			return true
		}
	}
	return false
}

// counts reports whether mask, nil for none, tells what c counts.
func (c *counter) counts(mask *vir.Value) bool {
	switch {
	case mask == nil || mask == c.mask:
		return mask != nil
	case c.Neg:
		return boolean.Complements(mask, c.Cond)
	}
	return boolean.Equal(mask, c.Cond)
}

// countedAccesses decides about accesses by a subscript that counts.
func (l *loop) countedAccesses() error {
	for i := range l.dp.Accesses {
		if a := &l.dp.Accesses[i]; a.Kind == dep.Counted {
			if err := l.countedAccess(a); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loop) countedAccess(a *dep.Access) error {
	c := l.counterOf(a.Count.Phi)
	switch {
	case c == nil:
		return l.recurrence(state{phi: a.Count.Phi, next: l.next(a.Count.Phi)})
	case c.Both:
		return l.storedTwice(a, c)
	case !a.Store:
		return l.expandable(a, c)
	case a.Inst.Masked && !c.counts(a.Inst.Mask()):
		return pass.Refuse("loopvec:Compress", a.Inst, "a store by the counter %s under a condition of its own", name(a.Count.Phi))
	}
	return nil
}

// isCountedCheck reports whether v checks a subscript that counts.
func (l *loop) isCountedCheck(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex || !l.uniform(v.Args[1]) {
		return false
	}
	x, ok := l.sc.Counted(v.Args[0])
	if !ok {
		return false
	}
	c := l.counterOf(x.Phi)
	return c != nil && (!v.Masked || c.counts(v.Mask()))
}

// countedMask is what a check of a subscript that counts needs in lanes.
func (l *loop) countedMask(v *vir.Value) *vir.Value {
	x, _ := l.sc.Counted(v.Args[0])
	return l.counterOf(x.Phi).needs()
}

// needs is the condition of c that is needed in lanes.
func (c *counter) needs() *vir.Value {
	if c.mask != nil {
		return c.mask
	}
	return c.Cond
}

// packLast puts compress stores at the end of the schedule: dep has made sure that
// they have nothing to do with the accesses behind them.
func (l *loop) packLast() {
	var first, last []*vir.Value
	for _, v := range l.sched {
		if a := l.dp.Access(v); a != nil && a.Kind == dep.Counted && a.Store {
			last = append(last, v)
		} else {
			first = append(first, v)
		}
	}
	l.sched = append(first, last...)
}

// start gives the counters of the block their values.
func (w *widener) start(cur edge) {
	w.now = make(map[*vir.Value]*vir.Value)
	for i, s := range w.e.lasts {
		if s.count != nil {
			w.now[s.phi] = cur.lasts[i]
		}
	}
}

// A hitKey names lanes that are stored: those that a counter counts, and the last
// one where all are stored and most of them overwritten.
type hitKey struct {
	phi  *vir.Value
	last bool
}

// hits are lanes that are stored.
func (w *widener) hits(k hitKey) *vir.Value {
	if m := w.hit[k]; m != nil {
		return m
	}
	c := w.e.l.counterOf(k.phi)
	var m *vir.Value
	switch {
	case k.last:
		lanes := make([]uint64, w.lanes)
		lanes[w.lanes-1] = 1
		m = w.hits(hitKey{phi: k.phi})
		m = w.b.Op(vir.OpOr, m.Type, m, w.b.Lanes(m.Type, lanes))
	case c.mask != nil:
		m = w.value(c.mask)
	default:
		m = w.value(c.Cond)
		m = w.b.Op(vir.OpNot, m.Type, m)
	}
	w.hit[k] = m
	return m
}

// number is how many of them there are.
func (w *widener) number(k hitKey) *vir.Value {
	if w.numbers[k] == nil {
		w.numbers[k] = w.b.Op(vir.OpCount, vir.Scalar(vir.I64), w.hits(k))
	}
	return w.numbers[k]
}

// counted is scalar v, computed from a counter, for the first lane of the block.
func (w *widener) counted(v *vir.Value) *vir.Value {
	if x := w.now[v]; x != nil {
		return x
	}
	if w.e.l.uniform(v) || v.Op == vir.OpConst {
		return w.e.value(v)
	}
	x := *v
	x.Args = nil
	for _, a := range v.Args {
		x.Args = append(x.Args, w.counted(a))
	}
	x.Block = nil
	w.now[v] = w.b.Append(&x)
	return w.now[v]
}

// countedPass compares the subscript of the first lane and the one behind the last
// element with the length. Neither of them overflows: a narrow counter is compared
// with what fits it, too.
func (w *widener) countedPass(v *vir.Value) *vir.Value {
	x, _ := w.e.l.sc.Counted(v.Args[0])
	k := w.counted(v.Args[0])
	i64 := k.Type
	room := w.e.value(v.Args[1])
	if x.Limit != 0 {
		room = w.e.capped(v.Args[1], x.Limit)
	}
	var end *vir.Value
	if c := w.e.l.counterOf(x.Phi); c.Both {
		end = w.bothEnd(k, c, v.Masked)
	} else {
		end = w.b.Op(vir.OpAdd, i64, k, w.number(hitKey{x.Phi, !v.Masked}))
	}
	// A sum that wraps around is large without a sign.
	ok := w.b.Cmp(vir.OpIcmpSle, w.e.zero, k)
	return w.b.Op(vir.OpAnd, ok.Type, ok, w.b.Cmp(vir.OpIcmpUle, end, room))
}

// capped is the smaller one of length n and a limit, in the entry.
func (e *emitter) capped(n *vir.Value, limit int64) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	return e.setup.Op(vir.OpSmin, i64, e.value(n), e.setup.Int(i64, limit))
}

// storePacked stores side by side what a counted store keeps.
func (w *widener) storePacked(a *dep.Access) {
	if a.Count.Both {
		w.storeBoth(a)
		return
	}
	v := a.Inst
	to := v.Addr()
	to.Base, to.Index = w.e.value(to.Base), w.counted(to.Index)
	w.b.Store(vir.OpStoreCompress, w.value(v.Stored()), to, w.hits(hitKey{a.Count.Phi, !v.Masked}))
}

// countedValue is what counter s is after this block.
func (w *widener) countedValue(s *state) *vir.Value {
	now := w.now[s.phi]
	n := w.number(hitKey{phi: s.phi})
	if s.count.Both {
		n = w.b.Op(vir.OpAdd, n.Type, n, w.b.Int(n.Type, int64(w.lanes)))
	}
	if now.Type != n.Type {
		n = w.b.Op(vir.OpTrunc, now.Type, n)
	}
	return w.b.Op(vir.OpAdd, now.Type, now, n)
}
