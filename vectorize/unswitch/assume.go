package unswitch

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// assume is a copy of r in which c, one of its conditions, has a known outcome.
func assume(r *plan.Region, c *vir.Value, holds bool) *plan.Region {
	out := *r
	out.Fn = r.Fn.Clone()
	a := &assumption{f: out.Fn, cond: c, holds: holds}
	a.substitute()
	a.decide()
	edit.Drop(a.f)
	a.clean()
	return &out
}

// An assumption is at work on the copy f of a function.
type assumption struct {
	f     *vir.Func
	cond  *vir.Value // of the original
	holds bool
}

// body are the blocks between the header and the exit. What the header asks for
// stays: all versions have one trip count.
func (a *assumption) body() []*vir.Block { return a.f.Blocks[2 : len(a.f.Blocks)-1] }

// substitute puts a constant for a live-in that must have its value here.
func (a *assumption) substitute() {
	p, k := equality(a.cond, a.holds)
	if p == nil {
		return
	}
	p = a.find(p)
	b := vir.NewBuilder(a.f, a.body()[0])
	var c *vir.Value
	for _, blk := range a.body() {
		for _, v := range blk.Insts {
			for i, x := range v.Args {
				if x == p {
					if c == nil {
						c = b.Const(p.Type, k)
					}
					v.Args[i] = c
				}
			}
		}
	}
	if c != nil { // to the front, behind iter
		first := a.body()[0]
		first.Insts = slices.Insert(first.Insts[:len(first.Insts)-1], 1, c)
	}
}

// find is the copy of parameter p.
func (a *assumption) find(p *vir.Value) *vir.Value {
	return a.f.Params[slices.IndexFunc(a.f.Params, func(q *vir.Value) bool { return q.ID() == p.ID() })]
}

// equality is the integer or bool live-in that c, with that outcome, says to be a constant.
func equality(c *vir.Value, holds bool) (p *vir.Value, bits uint64) {
	switch {
	case c.Op == vir.OpParam && holds:
		return c, 1
	case c.Op == vir.OpParam:
		return c, 0
	case c.Op == vir.OpNot && c.Type.Elem == vir.Bool:
		return equality(c.Args[0], !holds)
	case c.Op == vir.OpIcmpEq && holds, c.Op == vir.OpIcmpNe && !holds:
		for i, x := range c.Args {
			if bits, ok := c.Args[1-i].IsConst(); ok && x.Op == vir.OpParam && x.Type.Elem.IsInt() {
				return x, bits
			}
		}
	}
	return nil, 0
}

// decide turns branches whose outcome is known into jumps.
func (a *assumption) decide() {
	for _, b := range a.body() {
		t := b.Term()
		if t.Op != vir.OpBr || b.Succs[0] == b.Succs[1] {
			continue
		}
		if holds, ok := a.outcome(t.Args[0]); ok {
			edit.Decide(b, holds)
		}
	}
}

// outcome is what is known of condition c.
func (a *assumption) outcome(c *vir.Value) (holds, ok bool) {
	if equal(c, a.cond) {
		return a.holds, true
	}
	switch c.Op {
	case vir.OpConst:
		return c.Bits[0] != 0, true
	case vir.OpNot:
		holds, ok = a.outcome(c.Args[0])
		return !holds, ok
	case vir.OpIcmpEq, vir.OpIcmpNe:
		x, ok := c.Args[0].ConstInt()
		y, ok2 := c.Args[1].ConstInt()
		return (x == y) == (c.Op == vir.OpIcmpEq), ok && ok2
	case vir.OpIcmpSlt, vir.OpIcmpSle:
		x, ok := c.Args[0].ConstInt()
		y, ok2 := c.Args[1].ConstInt()
		return x < y || x == y && c.Op == vir.OpIcmpSle, ok && ok2
	}
	return false, false
}

// equal reports whether v and w, of two copies of one function, are the same
// expression of live-ins.
func equal(v, w *vir.Value) bool {
	switch {
	case v.Op != w.Op || v.Type != w.Type || len(v.Args) != len(w.Args):
		return false
	case v.Op == vir.OpParam:
		return v.ID() == w.ID()
	case v.Op == vir.OpConst:
		return slices.Equal(v.Bits, w.Bits)
	case !pure(v.Op):
		return false
	}
	return slices.EqualFunc(v.Args, w.Args, equal)
}

// clean takes out phis with one operand and operations that nobody needs, and puts
// blocks together, so that versions that do the same read the same.
func (a *assumption) clean() {
	edit.DropSingles(a.body())
	for again := true; again; {
		again = false
		uses := a.f.Uses()
		for _, b := range a.body() {
			b.Insts = slices.DeleteFunc(b.Insts, func(v *vir.Value) bool {
				dead := len(uses[v]) == 0 && (pure(v.Op) || v.Op == vir.OpConst)
				again = again || dead
				return dead
			})
		}
	}
	body := slices.Clone(a.body())
	latch := body[len(body)-1]
	gone := make(map[*vir.Block]bool)
	for _, b := range body {
		for !gone[b] && b != latch && len(b.Succs) == 1 && b.Succs[0] != latch && len(b.Succs[0].Preds) == 1 {
			gone[b.Succs[0]] = true
			edit.Join(b, b.Succs[0])
		}
	}
}
