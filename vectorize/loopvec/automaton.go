package loopvec

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Finite automata: variables that take few values, whatever the iterations do with them.
//
//	switch state {
//	case text:
//		if c == '/' { state = slash }
//	case slash:
//		if c == '*' { state = comment } else { state = text }
//	...
//
// Several that depend on each other make one automaton (in quotes, behind a backslash). Its states are numbered, and an
// iteration is a function from numbers to numbers, which its conditions choose:
//
//	q' = q == 0 ? (c == '/' ? 1 : 0) : q == 1 ? (c == '*' ? 2 : 0) : ...
//
// What the loop does with the variables are comparisons of q. statelanes.go does these functions in lanes.

// mostStates is as many as an instruction looks up.
const mostStates = 16

// Enumerate makes automata where the unit asks for that, and tells whether there are variables that may be some.
//
// Requires the straight body of if-conversion.
func Enumerate(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) != 5 {
		return nil
	}
	edit.Sweep(f) // what other passes have left seems to read variables
	m := newMatcher(u.Region, scev.New(u.Region))
	for _, group := range m.groups() {
		a := automatonOf(u, m, group)
		if a == nil {
			continue
		}
		u.Enumerable = true
		if u.Enumerate && u.Count() {
			if u.Written == nil {
				u.Written = a.written()
			}
			a.rewrite()
			m.uses = nil // the loop has changed
		}
	}
	return nil
}

// groups are variables that depend on each other, each with the others, and are no reductions.
func (m *matcher) groups() (all [][]*vir.Value) {
	reached := make(map[*vir.Value]map[*vir.Value]bool)
	var phis []*vir.Value
	for _, phi := range m.header.Phis() {
		if !m.recurs(phi) || !phi.Type.Elem.IsInt() && phi.Type.Elem != vir.Bool {
			continue
		}
		m.follow(phi)
		reached[phi] = m.bound
		phis = append(phis, phi)
	}
	grouped := make(map[*vir.Value]bool)
	for _, phi := range phis {
		if grouped[phi] {
			continue
		}
		var group []*vir.Value
		for _, p := range phis {
			if p == phi || reached[phi][p] && reached[p][phi] {
				group = append(group, p)
				grouped[p] = true
			}
		}
		all = append(all, group)
	}
	return all
}

// An automaton is a group of variables of which the values of all are few.
type automaton struct {
	u      *pass.Unit
	m      *matcher
	d      *diagrams
	phis   []*vir.Value
	first  []*vir.Value // what they begin with
	next   []*vir.Value
	states [][]uint64 // of the variables, in their order
	goes   []*node    // what each state goes to: numbers of states
}

// automatonOf is nil for variables that take too many values, or none that are known.
func automatonOf(u *pass.Unit, m *matcher, phis []*vir.Value) *automaton {
	entry := m.header.PredIndex(u.Region.Fn.Entry())
	a := &automaton{u: u, m: m, phis: phis}
	m.follow(phis[0])
	for _, phi := range phis {
		a.first = append(a.first, phi.Args[entry])
		a.next = append(a.next, phi.Args[1-entry])
	}
	if len(phis) == 1 && (phis[0].Type.Elem == vir.Bool || m.free(a.next[0])) {
		return nil // a latch, or what was set in the iteration before
	}
	a.d = newDiagrams(m)
	if !a.begin() || !a.close() || a.circular() {
		return nil
	}
	a.sort()
	return a
}

// circular reports whether something that the next state depends on is loaded under a condition on the state: lanes need
// to know it before. Where the subscript goes along with the iterations they load it whatever the condition says.
func (a *automaton) circular() bool {
	seen := make(map[*vir.Value]bool)
	sc := scev.New(a.u.Region)
	steady := func(v *vir.Value) bool {
		if !v.Op.IsLoad() || v.Index() == nil {
			return false
		}
		_, ok := sc.Affine(v.Index())
		return ok
	}
	var asks func(v *vir.Value) bool
	asks = func(v *vir.Value) bool {
		if slices.Contains(a.phis, v) {
			return true
		}
		if seen[v] || v.Op == vir.OpPhi {
			return false
		}
		seen[v] = true
		return !steady(v) && slices.ContainsFunc(v.Args, asks)
	}
	return slices.ContainsFunc(a.decisions(), func(c condition) bool { return asks(c.v) })
}

// begin finds the states that it may begin in.
func (a *automaton) begin() bool {
	a.states = [][]uint64{nil}
	for _, phi := range a.phis {
		var longer [][]uint64
		values := a.mayBegin(phi)
		if len(a.states)*len(values) > mostStates {
			return false
		}
		for _, s := range a.states {
			for _, x := range values {
				longer = append(longer, append(slices.Clone(s), x))
			}
		}
		a.states = longer
	}
	return len(a.states) > 0
}

// mayBegin are the values that phi begins with: one that is known, both of a bool, or else 0 and those that it
// is set to.
func (a *automaton) mayBegin(phi *vir.Value) (all []uint64) {
	e := phi.Type.Elem
	i := slices.Index(a.m.header.Phis(), phi)
	switch {
	case i < len(a.u.Region.State) && a.u.Region.State[i].Init != nil:
		return []uint64{uint64(*a.u.Region.State[i].Init) & e.Ones()}
	case e == vir.Bool:
		return []uint64{0, 1}
	}
	all = []uint64{0}
	for _, v := range a.m.body.Insts {
		if v.Op != vir.OpSelect || v.Type != phi.Type || !a.m.bound[v] {
			continue
		}
		for _, x := range v.Args[1:] {
			if bits, ok := x.IsConst(); ok {
				all = append(all, bits)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// close follows what iterations do to the states, until there are no others.
func (a *automaton) close() bool {
	for k := 0; k < len(a.states); k++ {
		a.d.under(a.phis, a.states[k])
		var next []*node
		for _, v := range a.next {
			n := a.d.of(v)
			if n == nil {
				return false
			}
			next = append(next, n)
		}
		to := a.d.apply(next, func(bits []uint64) (uint64, bool) {
			at := a.number(bits)
			if at < 0 {
				at = len(a.states)
				a.states = append(a.states, slices.Clone(bits))
			}
			return uint64(at), at < mostStates
		})
		if to == nil {
			return false
		}
		a.goes = append(a.goes, to)
	}
	return len(a.states) > 1
}

// number is that of the state in which the variables have such values, -1 for none.
func (a *automaton) number(values []uint64) int {
	return slices.IndexFunc(a.states, func(s []uint64) bool { return slices.Equal(s, values) })
}

// sort numbers the states by the values of the variables.
func (a *automaton) sort() {
	was := slices.Clone(a.states)
	slices.SortFunc(a.states, func(x, y []uint64) int {
		for i, phi := range a.phis {
			if c := cmp.Compare(signedBits(phi.Type.Elem, x[i]), signedBits(phi.Type.Elem, y[i])); c != 0 {
				return c
			}
		}
		return 0
	})
	number := make([]uint64, len(was))
	goes := make([]*node, len(was))
	for k, s := range was {
		number[k] = uint64(a.number(s))
	}
	for k, n := range a.goes {
		a.d.work = 0 // no more than it took to find n
		goes[number[k]] = a.d.apply([]*node{n}, func(bits []uint64) (uint64, bool) { return number[bits[0]], true })
	}
	a.goes = goes
}

func signedBits(e vir.Elem, bits uint64) int64 {
	if e == vir.Bool {
		return int64(bits)
	}
	sh := 64 - e.Bits()
	return int64(bits<<sh) >> sh
}

// armShare is the part of an automaton that an iteration goes through, and decisionCycles what a branch in it takes
// beside: text and signals have runs. From eleven automata on Zen 4.
const (
	armShare       = 0.5
	decisionCycles = 1.0
)

// written is the estimate of the loop as it is, which branches on what the state depends on.
func (a *automaton) written() *pass.Written {
	total, n := newLoop(a.u, a.m.sc).scalarWork()
	total, n = armShare*total, armShare*n
	return &pass.Written{Long: writtenLong(total, n) + decisionCycles*a.branches(), Short: writtenShort(total, n)}
}

// branches is how many comparisons of the loop the next state depends on.
func (a *automaton) branches() float64 {
	seen := make(map[vir.Pos]bool)
	n := 0
	for _, c := range a.decisions() {
		if c.v.Block == nil && c.v.Pos.IsValid() { // one for each state
			seen[c.v.Pos] = true
		} else {
			n++
		}
	}
	return float64(n + len(seen))
}

// decisions are the conditions that the next state depends on.
func (a *automaton) decisions() (all []condition) {
	seen := make(map[*node]bool)
	var visit func(n *node)
	visit = func(n *node) {
		if n.cond == leaf || seen[n] {
			return
		}
		seen[n] = true
		if c := a.d.values[n.cond]; !slices.Contains(all, c) {
			all = append(all, c)
		}
		visit(n.then)
		visit(n.els)
	}
	for _, n := range a.goes {
		visit(n)
	}
	return all
}

// A table is what a value is in each state; nil for values that depend on more.
type table []uint64

// tables are those of the values of the body for variables that are what the states say.
func (a *automaton) tables(vars []*vir.Value) map[*vir.Value]table {
	bound := slices.DeleteFunc(slices.Clone(a.m.body.Insts), func(v *vir.Value) bool { return a.m.free(v) || slices.Contains(vars, v) })
	bound = append(bound, vars...)
	all := make(map[*vir.Value]table)
	for _, s := range a.states {
		a.d.under(vars, s)
		bound = slices.DeleteFunc(bound, func(v *vir.Value) bool {
			n := a.d.of(v)
			if n == nil || n.cond != leaf {
				delete(all, v)
				return true
			}
			all[v] = append(all[v], n.bits)
			return false
		})
	}
	return all
}
