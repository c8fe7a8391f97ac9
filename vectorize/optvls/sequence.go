package optvls

import "slices"

// Sequence finds instructions that do the accesses of the group with loads or
// stores of successive lanes, and shuffles; false when there are none. Of all that
// it tries it returns what costs least, and of those the first.
func Sequence(g *Group, c Client) (*Code, bool) {
	if g.Access.Store && g.overlaps() {
		return nil, false
	}
	s := &search{layout: newLayout(g), client: c}
	for _, p := range s.plans() {
		for _, try := range strategies {
			s.try(p, try)
		}
	}
	return s.best, s.best != nil
}

// A search keeps the best code so far.
type search struct {
	*layout
	client Client
	best   *Code
}

// plans are the ways to load or store: in one go, lane by lane of the memrefs, and,
// where a member is contiguous itself, that too; each with and without masks.
func (s *search) plans() [][]piece {
	var plans [][]piece
	add := func(p []piece) {
		if !slices.ContainsFunc(plans, func(q []piece) bool { return samePieces(p, q) }) {
			plans = append(plans, p)
		}
	}
	for _, masks := range []bool{false, true} {
		c := &cover{layout: s.layout, client: s.client, masks: masks, widest: s.full}
		flat := c.areas(s.areas)
		add(flat)
		if direct := s.direct(c); direct != nil {
			add(slices.Concat(flat, direct))
		}
		add(c.areas(s.rows))
	}
	return plans
}

func samePieces(p, q []piece) bool {
	return slices.EqualFunc(p, q, func(x, y piece) bool {
		return x.row == y.row && x.off == y.off && len(x.tags) == len(y.tags) && x.masked == y.masked
	})
}

// direct loads the members that are contiguous.
func (s *search) direct(c *cover) []piece {
	if s.g.Access.Store || s.g.Access.Indexed {
		return nil
	}
	var all []piece
	for i, m := range s.g.Members {
		if s.g.Stride != int64(m.Type.Bits/8) {
			continue
		}
		p := c.piece(&s.areas[0], m.Offset/int64(s.unit), m.Type.Lanes*m.Type.Bits/8/s.unit)
		for k := range p.rows {
			p.rows[k] = k * s.unit * 8 / m.Type.Bits
		}
		p.tags, p.masked = s.members[i], s.g.Access.Masked
		if p.price(c) {
			all = append(all, p)
		}
	}
	return all
}

// try runs one strategy on one plan and keeps its code if it costs less than the
// best.
func (s *search) try(pieces []piece, run strategy) {
	sources, want := s.members, tagsOf(pieces)
	if !s.g.Access.Store {
		sources, want = want, sources
	}
	n := newNet(s.unit*8, s.tags, s.client, sources)
	from := make([]int, len(sources))
	for i := range from {
		from[i] = i
	}
	results := run(n, s.full, from, want)
	if results == nil || !n.delivers(results, want) {
		return
	}
	cost := n.cost(results)
	live := n.live(results)
	for i, p := range pieces {
		if s.g.Access.Store || live[i] {
			cost += p.cost
		}
	}
	if s.best == nil || cost < s.best.Cost {
		s.best = s.code(n, pieces, results)
		s.best.Cost = cost
	}
}

func tagsOf(pieces []piece) [][]tag {
	var tags [][]tag
	for _, p := range pieces {
		tags = append(tags, p.tags)
	}
	return tags
}

// delivers recomputes all lanes from the sources on and says whether the results
// are what is wanted.
func (n *net) delivers(results []int, want [][]tag) bool {
	vals := make([][]tag, len(n.vecs))
	for v := range n.vecs {
		x := &n.vecs[v]
		vals[v] = x.tags
		if len(x.args) == 0 {
			continue
		}
		vals[v] = make([]tag, len(x.lanes))
		w := len(vals[x.args[0]])
		for k, l := range x.lanes {
			vals[v][k] = none
			if l >= 0 {
				vals[v][k] = vals[x.args[l/w]][l%w]
			}
		}
	}
	for i, w := range want {
		got := vals[results[i]]
		if len(got) != len(w) {
			return false
		}
		for k, t := range w {
			if t != none && got[k] != t {
				return false
			}
		}
	}
	return true
}

// code spells the live part of the net out.
func (s *search) code(n *net, pieces []piece, results []int) *Code {
	code := &Code{}
	live := n.live(results)
	at := make([]int, len(n.vecs))
	for v := range n.vecs {
		if !live[v] {
			continue
		}
		at[v] = len(code.Insts)
		code.Insts = append(code.Insts, s.inst(n, v, pieces, at))
	}
	if !s.g.Access.Store {
		for _, r := range results {
			code.Results = append(code.Results, at[r])
		}
		return code
	}
	for i, p := range pieces {
		in := *p.inst(s.layout)
		in.Args = []int{at[results[i]]}
		code.Insts = append(code.Insts, in)
	}
	return code
}

func (s *search) inst(n *net, v int, pieces []piece, at []int) Inst {
	x := &n.vecs[v]
	t := Type{s.unit * 8, len(x.tags)}
	switch {
	case len(x.args) > 0:
		in := Inst{Op: Shuffle, Type: t, Lanes: x.lanes}
		for _, a := range x.args {
			in.Args = append(in.Args, at[a])
		}
		return in
	case s.g.Access.Store:
		return Inst{Op: Value, Type: t, Member: v}
	}
	return *pieces[v].inst(s.layout)
}
