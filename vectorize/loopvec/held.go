package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A held is one or several state variables of which a kernel keeps more in lanes,
// from block to block, than an accumulator. choice.go, carry.go and bitword.go have the kinds.
type held interface {
	// phis are the variables, in the order of results.
	phis() []*vir.Value
	// need marks what lanes compute.
	need(l *loop)
	// kept is the types of the lanes that a block of the main loop leaves behind.
	kept(l *loop, lanes int) []vir.Type
	// chain is the cycles from the lanes of one block to those of the next.
	chain(l *loop, lanes int) float64
	// limit is the most iterations of a call, 0 for any number.
	limit(lanes int) int64
	// first is what is kept before the first block, for a stage of so many lanes.
	first(e *emitter, lanes int, main bool) []*vir.Value
	// next is what is kept behind the block of w.
	next(w *widener, kept []*vir.Value) []*vir.Value
	// fold brings what is kept to fewer lanes. main tells what the main loop left.
	fold(e *emitter, b *vir.Builder, kept []*vir.Value, to int, main bool) []*vir.Value
	// results are the values of the variables, of one lane.
	results(e *emitter, b *vir.Builder, kept []*vir.Value) []*vir.Value
}

// hold finds the variables of these kinds among those that are no inductions.
func (l *loop) hold() error {
	l.carries, l.scans = make(map[*vir.Value]*carry), make(map[*vir.Value]*carry)
	l.series, l.periodics = make(map[*vir.Value]*series), make(map[*vir.Value]*periodic)
	l.alone = make(map[*vir.Value]bool)
	if l.isNest() {
		l.holdInOrder()
		l.holdAhead()
		return nil
	}
	for _, c := range l.choices() {
		l.addHeld(c)
	}
	for i, phi := range l.header.Phis() {
		if w := l.findBitWord(phi); w != nil && l.holder[phi] == nil && l.region.State[i].Live {
			if !w.round { // the bits of some lanes of a block would be in the word
				l.addBounds(l.notNegative(w.place))
			}
			l.addHeld(w)
		}
	}
	l.holdPeriodic()
	l.holdInOrder()
	for i, phi := range l.header.Phis() {
		if l.holder[phi] != nil || l.onlyCounts(phi) {
			continue
		}
		if s := l.findSeries(phi); s != nil && l.wantsSeries(s, l.region.State[i].Live) {
			l.holdSeries(s)
			continue
		}
		kind, restarts := l.sc.Phi(phi), l.restarts(phi)
		if kind != scev.Recurrence && !(kind == scev.Reduction && restarts && l.region.State[i].Live) {
			continue
		}
		m := newMatcher(l.region, l.sc)
		m.follow(phi)
		if m.bound[l.next(phi)] && l.staysInside(m, phi) && !restarts {
			l.alone[phi] = true
			continue
		}
		s, err := l.findCarry(m, phi)
		if err != nil {
			return err
		}
		if s != nil {
			l.holdCarry(s)
		}
	}
	l.holdTurning()
	return nil
}

func (l *loop) holdSeries(s *series) {
	for _, a := range s.vals {
		l.series[a.v] = s
	}
	l.partial = l.partial || s.unit != 0
	l.addHeld(s)
}

func (l *loop) holdCarry(s *carry) {
	l.carries[s.phi] = s
	if s.made() != nil {
		l.scans[s.after] = s
	}
	l.addHeld(s)
}

// staysInside reports whether the variable of phi, which m follows, has influence on
// nothing but itself and others of its group, masks aside of what lanes do whatever
// the mask: any = any || x[i] < 0.
func (l *loop) staysInside(m *matcher, phi *vir.Value, group ...*vir.Value) bool {
	for _, p := range l.header.Phis() {
		if p != phi && m.bound[p] && !slices.Contains(group, p) {
			return false
		}
	}
	for _, v := range l.insts {
		if !m.bound[v] || v.Op.IsCheck() && (l.isBoundCheck(v) || l.forms[v] == checkUniform) {
			continue
		}
		i := v.Op.Info()
		if i.Reads || i.Term || i.Effect {
			return false
		}
	}
	return true
}

// wantsSeries reports whether s is what its variable is best done as: one that the loop
// reads, or a float that would be a sum in order.
func (l *loop) wantsSeries(s *series, live bool) bool {
	switch l.sc.Phi(s.phi) {
	case scev.Recurrence:
		return true
	case scev.Reduction:
		return live && s.phi.Type.Elem.IsFloat() && !l.region.Clauses.Reassoc
	}
	return false
}

func (l *loop) addHeld(h held) {
	l.held = append(l.held, h)
	for _, phi := range h.phis() {
		l.holder[phi] = h
	}
}

// available reports whether lanes know the variable that phi stands for.
func (l *loop) available(phi *vir.Value) bool {
	return l.ramp(phi) || l.carries[phi] != nil || l.series[phi] != nil || l.periodics[phi] != nil || l.members[phi] != nil
}

// firstHeld is what is kept before the first block of a stage.
func (e *emitter) firstHeld(lanes int, main bool) [][]*vir.Value {
	var all [][]*vir.Value
	for _, h := range e.l.held {
		all = append(all, h.first(e, lanes, main))
	}
	return all
}

// nextHeld is what is kept behind this block.
func (w *widener) nextHeld() [][]*vir.Value {
	var all [][]*vir.Value
	for i, h := range w.e.l.held {
		all = append(all, h.next(w, w.held[i]))
	}
	return all
}

func (e *emitter) foldHeld(b *vir.Builder, in [][]*vir.Value, to int, main bool) [][]*vir.Value {
	var all [][]*vir.Value
	for i, h := range e.l.held {
		all = append(all, h.fold(e, b, in[i], to, main))
	}
	return all
}

// heldResults are the values of the variables behind the kernel.
func (e *emitter) heldResults(b *vir.Builder, in [][]*vir.Value) []*vir.Value {
	var all []*vir.Value
	for i, h := range e.l.held {
		all = append(all, h.results(e, b, in[i])...)
	}
	return all
}

// heldPhis are the variables in the order of heldResults.
func (l *loop) heldPhis() []*vir.Value {
	var all []*vir.Value
	for _, h := range l.held {
		all = append(all, h.phis()...)
	}
	return all
}

// eachHeld makes something of every value that is kept, index by index.
func eachHeld(in [][]*vir.Value, f func(i, k int) *vir.Value) [][]*vir.Value {
	var out [][]*vir.Value
	for i := range in {
		var vs []*vir.Value
		for k := range in[i] {
			vs = append(vs, f(i, k))
		}
		out = append(out, vs)
	}
	return out
}

// heldRegisters is the number of registers of what is kept.
func (l *loop) heldRegisters(lanes int) int {
	n := 0
	for _, h := range l.held {
		for _, t := range h.kept(l, lanes) {
			n += l.target.Parts(t)
		}
	}
	return n
}
