package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A check is one that is made where the iteration starts.
type check struct {
	v     *vir.Value
	under []literal // it need not pass unless all of these hold
}

// A literal is a bool or its complement.
type literal struct {
	v   *vir.Value
	neg bool
}

// under is what is known early of the condition under which b runs: there may be more
// to it.
func (e *early) under(b *vir.Block) (lits []literal) {
	for ; b != nil && b != e.first; b = e.dom.Idom(b) {
		if len(b.Preds) != 1 || len(b.Preds[0].Succs) != 2 || b.Preds[0].Succs[0] == b.Preds[0].Succs[1] {
			continue
		}
		br := b.Preds[0].Term()
		if cond := br.Args[0]; e.late(cond) == "" {
			lits = append(lits, literal{cond, br.Block.Succs[1] == b})
		}
	}
	return lits
}

// flush ends cur with a branch on what is pending, if anything is.
func (e *early) flush() {
	var all *vir.Value
	edit.Ahead(e.b, e.cur, func() {
		for _, c := range e.extremes(e.pending) {
			e.b.Pos = c.v.Pos
			ok := edit.Passes(e.b, c.v, c.v.Args)
			for _, l := range c.under {
				not := l.v
				if !l.neg {
					not = e.b.Op(vir.OpNot, l.v.Type, l.v)
				}
				ok = e.b.Op(vir.OpOr, ok.Type, ok, not)
			}
			if all != nil {
				ok = e.b.Op(vir.OpAnd, ok.Type, all, ok)
			}
			all = ok
		}
	})
	e.pending = nil
	if all != nil {
		e.require(all)
	}
}

// require goes on in a new block where ok holds, which is computed in cur; else the
// iteration is handed over.
func (e *early) require(ok *vir.Value) {
	e.branches++
	next, term := edit.InsertBlock(e.cur, "ok"), e.cur.Term()
	to := e.cur.Succs[0]
	e.cut(e.cur)
	e.b.Cur = e.cur
	e.b.Br(ok, next, e.fail)
	term.Block, next.Insts, next.Succs = next, []*vir.Value{term}, []*vir.Block{to}
	to.Preds[to.PredIndex(e.cur)] = next
	e.cur = next
}

// extremes leaves of checks of subscripts side by side, i, i+1, i+2, those at the ends.
// An index i at most as far from another one j that is below the length, unsigned, does
// not wrap around: lengths leave room for that.
func (m *maker) extremes(cs []check) []check {
	type side struct {
		of, length *vir.Value
		lo, hi     int64
	}
	var sides []*side
	find := func(c check) *side {
		of, d := offset(c.v.Args[0])
		for _, s := range sides {
			if s.of == of && s.length == c.v.Args[1] {
				return s
			}
		}
		s := &side{of, c.v.Args[1], d, d}
		sides = append(sides, s)
		return s
	}
	grouped := func(c check) bool {
		return c.v.Op == vir.OpCheckIndex && len(c.under) == 0 && m.isLength(c.v.Args[1])
	}
	for _, c := range cs {
		if grouped(c) {
			s := find(c)
			_, d := offset(c.v.Args[0])
			s.lo, s.hi = min(s.lo, d), max(s.hi, d)
		}
	}
	var out []check
	for _, c := range cs {
		if !grouped(c) {
			out = append(out, c)
			continue
		}
		s := find(c)
		_, d := offset(c.v.Args[0])
		least := d == s.lo && (s.of != nil || d < 0)
		twice := func(o check) bool {
			of, e := offset(o.v.Args[0])
			return grouped(o) && of == s.of && e == d && o.v.Args[1] == s.length
		}
		if (least || d == s.hi) && !slices.ContainsFunc(out, twice) && !always(c.v) {
			out = append(out, c)
		}
	}
	return out
}

// maxApart bounds the constants of subscripts that are checked together.
const maxApart = 1 << 31

// offset is v as a value, nil for none, plus a constant.
func offset(v *vir.Value) (*vir.Value, int64) {
	if c, ok := v.ConstInt(); ok {
		return nil, c
	}
	if v.Op == vir.OpAdd {
		if c, ok := v.Args[1].ConstInt(); ok && -maxApart < c && c < maxApart {
			return v.Args[0], c
		}
	}
	return v, 0
}

// isLength reports whether v is never negative.
func (m *maker) isLength(v *vir.Value) bool {
	if c, ok := v.ConstInt(); ok {
		return c >= 0
	}
	return m.f.IsLength(v)
}

// always reports whether check v, of constants, passes.
func always(v *vir.Value) bool {
	x, ok := v.Args[0].ConstInt()
	n, ok2 := v.Args[1].ConstInt()
	return ok && ok2 && 0 <= x && x < n
}
