package optvls

import "slices"

// code spells out what was found, in an order that keeps few vectors alive: of the
// shuffles whose sources are there, the one comes next that leaves the fewest. Loads
// and values stand in front as long as there are few, else before their first use.
// Stores follow what they store, in ascending order of their addresses.
func (s *search) code(f *found) *Code {
	e := &emitter{found: f, search: s, live: f.live(f.results), code: &Code{Cost: f.cost}}
	e.at = make([]int, len(f.vecs))
	e.uses = make([]int, len(f.vecs))
	e.order = counted(len(f.pieces))
	slices.SortStableFunc(e.order, func(i, j int) int { return byAddress(f.pieces[i], f.pieces[j]) })
	for v := range f.vecs {
		e.at[v] = -1
		for _, a := range f.vecs[v].args {
			if e.live[v] {
				e.uses[a]++
			}
		}
	}
	for _, r := range f.results {
		e.uses[r]++
	}
	e.run()
	return e.code
}

// inFront is how many loads or values are put before all shuffles at most.
const inFront = 8

type emitter struct {
	*found
	*search
	live  []bool
	at    []int // where each vector is in the code, or -1
	uses  []int // how often a vector is still needed
	order []int // of the pieces to store
	code  *Code
}

func (e *emitter) run() {
	var sources, rest []int
	for v := range e.vecs {
		switch {
		case !e.live[v]:
		case len(e.vecs[v].args) == 0:
			sources = append(sources, v)
		default:
			rest = append(rest, v)
		}
	}
	if len(sources) <= inFront {
		for _, v := range sources {
			e.place(v)
		}
	}
	e.stores()
	for len(rest) > 0 {
		i := e.next(rest)
		e.place(rest[i])
		rest = slices.Delete(rest, i, i+1)
		e.stores()
	}
	for _, v := range sources {
		e.place(v) // results that need no shuffle
	}
	e.stores()
	if !e.g.Access.Store {
		for _, r := range e.results {
			e.code.Results = append(e.code.Results, e.at[r])
		}
	}
}

// next picks from shuffles the one that leaves the fewest vectors alive; of those
// the one with the earliest sources and the lowest lanes.
func (e *emitter) next(rest []int) int {
	best, least := -1, 0
	for i, v := range rest {
		d, ok := e.delta(v)
		if ok && (best < 0 || d < least || d == least && e.before(v, rest[best])) {
			best, least = i, d
		}
	}
	return best
}

// delta is by how many vectors more would be alive after v; false when v's sources
// are not there.
func (e *emitter) delta(v int) (int, bool) {
	d := 1
	for _, a := range e.vecs[v].args {
		if e.at[a] < 0 {
			if len(e.vecs[a].args) > 0 {
				return 0, false
			}
			d++
		}
		if e.uses[a] == 1 {
			d--
		}
	}
	return d, true
}

func (e *emitter) before(v, w int) bool {
	x, y := &e.vecs[v], &e.vecs[w]
	if c := slices.Compare(e.places(x.args), e.places(y.args)); c != 0 {
		return c < 0
	}
	return slices.Compare(x.lanes, y.lanes) < 0
}

// places are where vectors are in the code; those that are not yet there come last,
// in the order of the sources.
func (e *emitter) places(args []int) []int {
	var p []int
	for _, a := range args {
		if e.at[a] < 0 {
			a += len(e.code.Insts)
		} else {
			a = e.at[a]
		}
		p = append(p, a)
	}
	return p
}

// place appends a vector, after its sources, if it is not there.
func (e *emitter) place(v int) {
	if e.at[v] >= 0 {
		return
	}
	x := &e.vecs[v]
	t := Type{e.unit * 8, len(x.tags)}
	in := Inst{Op: Value, Type: t, Member: v}
	switch {
	case len(x.args) > 0:
		in = Inst{Op: Shuffle, Type: t, Lanes: x.lanes}
		for _, a := range x.args {
			e.place(a)
			e.uses[a]--
			in.Args = append(in.Args, e.at[a])
		}
	case !e.g.Access.Store:
		in = *e.pieces[v].inst(e.layout)
	}
	e.at[v] = len(e.code.Insts)
	e.code.Insts = append(e.code.Insts, in)
}

// stores appends the next stores as far as their vectors are there.
func (e *emitter) stores() {
	for e.g.Access.Store && len(e.order) > 0 {
		i := e.order[0]
		r := e.results[i]
		if e.at[r] < 0 {
			return
		}
		in := *e.pieces[i].inst(e.layout)
		in.Args = []int{e.at[r]}
		e.code.Insts = append(e.code.Insts, in)
		e.uses[r]--
		e.order = e.order[1:]
	}
}
