package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// The order in which a block makes its accesses and checks is that of dep: the order of
// the program where dependences between iterations allow it, but for
//
//   - checks in lanes behind a store: they and the loads they need go before the
//     first store, because a block that is handed over must not have stored;
//   - compress stores, which come last;
//   - loads that tell what is counted: they go before what is done by the counter;
//   - groups: a load group stands at its first member, a store group at its last.
//
// Where accesses change their order, dep says whether that is legal and what must
// be tested.

// schedule puts late checks before the first store, compress stores last, and
// conditions of counters where they are needed.
func (l *loop) schedule() error {
	if err := l.early(); err != nil {
		return err
	}
	l.packLast()
	if err := l.countFirst(); err != nil {
		return err
	}
	return l.keepsOrder()
}

// keepsOrder refuses a schedule in which a load goes before a store that it must see.
func (l *loop) keepsOrder() error {
	at := l.positions()
	for i := range l.dp.Accesses {
		b := &l.dp.Accesses[i]
		for k := range i {
			a := &l.dp.Accesses[k]
			pa, done := at[a.Inst]
			pb, done2 := at[b.Inst]
			if done && done2 && pb < pa && !l.movable(a, b) {
				return pass.Refuse("loopvec:LateCheck", b.Inst, "a load behind a store of the same iteration decides whether the block can be done")
			}
		}
	}
	return nil
}

// early puts late checks before the first store.
func (l *loop) early() error {
	var items []*vir.Value
	for _, v := range l.ordered() {
		if v.Op.IsStore() || v.Op.IsLoad() && l.demand[v] && l.periodics[v] == nil && l.innerForm(v) == innerNone || v.Op.IsCheck() && l.laneCheck(v) {
			items = append(items, v)
		}
	}
	if l.isNest() {
		l.sched = items // a nest is written in the order of the program
		return nil
	}
	items, err := l.loadAhead(items)
	if err != nil {
		return err
	}
	items = l.checksAhead(items)
	first := slices.IndexFunc(items, func(v *vir.Value) bool { return v.Op.IsStore() })
	early := make(map[*vir.Value]bool)
	for i, v := range items {
		if v.Op.IsCheck() && first >= 0 && i > first {
			early[v] = true
			l.loadsOf(v, early, make(map[*vir.Value]bool))
		}
	}
	if len(early) == 0 {
		l.sched = items
		return nil
	}
	if err := l.mayHoist(items, first, early); err != nil {
		return err
	}
	l.sched = slices.Clone(items[:first])
	for _, wanted := range []bool{true, false} {
		for _, v := range items[first:] {
			if early[v] == wanted {
				l.sched = append(l.sched, v)
			}
		}
	}
	return nil
}

// checksAhead puts checks before loads that rest on them, and do not need them: a group of such
// loads stands where its first member does, and all of its checks must come before.
func (l *loop) checksAhead(items []*vir.Value) []*vir.Value {
	varies := slices.ContainsFunc(items, l.restsOn)
	resting := func(v *vir.Value) bool {
		a := l.dp.Access(v)
		return a != nil && !a.Store && (varies || a.Kind == dep.Indexed)
	}
	if n := slices.IndexFunc(items, resting); n < 0 || !slices.ContainsFunc(items[n+1:], resting) {
		return items
	}
	var out []*vir.Value
	for _, v := range items {
		k := len(out)
		if v.Op.IsCheck() {
			needs := make(map[*vir.Value]bool)
			l.loadsOf(v, needs, make(map[*vir.Value]bool))
			for k > 0 && out[k-1].Op.IsLoad() && !needs[out[k-1]] {
				k--
			}
		}
		out = slices.Insert(out, k, v)
	}
	return out
}

// ordered is the accesses and checks in the order of dep, perhaps among other values.
func (l *loop) ordered() []*vir.Value {
	if l.dp.Order != nil && !l.isNest() {
		return l.dp.Order
	}
	return l.insts
}

// loadsOf marks the loads in lanes that v is computed from.
func (l *loop) loadsOf(v *vir.Value, loads, seen map[*vir.Value]bool) {
	for _, a := range l.laneOperands(v) {
		if !l.demand[a] || seen[a] {
			continue
		}
		seen[a] = true
		if a.Op.IsLoad() {
			loads[a] = true
		}
		l.loadsOf(a, loads, seen)
	}
}

// mayHoist decides whether all early items may go before item first.
func (l *loop) mayHoist(items []*vir.Value, first int, early map[*vir.Value]bool) error {
	for i, b := range items {
		if i < first || !early[b] || !b.Op.IsLoad() {
			continue
		}
		for _, a := range items[first:i] {
			if a.Op.IsStore() && !l.movable(l.dp.Access(a), l.dp.Access(b)) {
				for _, c := range slices.Concat(items[i:], items[first:i]) { // of a counter, it may come before the load
					if c.Op.IsCheck() && early[c] {
						return pass.Refuse("loopvec:LateCheck", c, "%s behind a store of the same iteration", checked(c))
					}
				}
			}
		}
	}
	return nil
}

// movable reports whether b may be done before a, which comes before it in the
// order of dep, at any number of lanes.
func (l *loop) movable(a, b *dep.Access) bool {
	pair := [2]*dep.Access{a, b}
	known, done := l.moves[pair]
	if !done {
		_, known = l.dp.Moved(a, b, maxLanes)
		if l.moves == nil {
			l.moves = make(map[[2]*dep.Access]bool)
		}
		l.moves[pair] = known
	}
	return known
}

// place is where in the schedule v is done: groups stand at one place.
func (l *loop) place(v *vir.Value) *vir.Value {
	if g := l.groups[v]; g != nil {
		return g.place
	}
	return v
}

// moveTests are the tests that make the schedule legal for blocks of so many lanes;
// not ok when nothing can.
func (l *loop) moveTests(lanes int) (tests []plan.Overlap, ok bool) {
	at := l.positions()
	for i := range l.dp.Accesses {
		b := &l.dp.Accesses[i]
		for k := range i {
			a := &l.dp.Accesses[k]
			pa, done := at[l.place(a.Inst)]
			pb, done2 := at[l.place(b.Inst)]
			if !done || !done2 || pa <= pb {
				continue
			}
			more, ok := l.dp.Moved(a, b, lanes)
			if !ok {
				return nil, false
			}
			tests = append(tests, more...)
		}
	}
	return tests, true
}

// noteOrder tells which accesses a block makes in another order than the program.
func (l *loop) noteOrder() {
	pairs := l.dp.Inverted()
	if pairs == nil {
		return
	}
	what := func(a *dep.Access) string {
		verb := "load"
		if a.Store {
			verb = "store"
		}
		return fmt.Sprintf("%s of line %d", verb, a.Inst.Pos.Line)
	}
	a, b := pairs[0][0], pairs[0][1]
	l.u.Note("dep:Reordered", a.Inst.Pos, map[string]any{"pairs": len(pairs)},
		"the %s is done before the %s: %s", what(a), what(b), plural(len(pairs), "dependence")+" between iterations")
}

// positions are the places in the schedule.
func (l *loop) positions() map[*vir.Value]int {
	at := make(map[*vir.Value]int)
	for i, v := range l.sched {
		at[v] = i
	}
	return at
}
