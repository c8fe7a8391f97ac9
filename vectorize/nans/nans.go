// Package nans keeps NaNs of reductions by Go's min and max apart from the numbers, where
// that takes fewer instructions: a loop that carries the largest element carries another
// vector for a NaN that has come by, and its own operation need not know NaNs.
//
//	m  = phi m0, m1              m  = phi m0, m1
//	                             n  = phi m0, n1
//	m1 = fmax m, x          ->   m1 = fmax.nnan m, x
//	                             n1 = x where that is NaN, else n
//	... m1                       ... n1 where that is NaN, else m1
//
// From the first NaN on n is NaN, and m poison, which nobody looks at.
//
// It knows vir, loops and pass.
package nans

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the kernel.
func Run(u *pass.Unit) error {
	if !u.Target.EVEX {
		return nil // the choice of NaNs is no instruction
	}
	f := u.Kernel.Fn
	for _, l := range loops.Find(f).All {
		if !leftOnce(l) {
			continue
		}
		for _, m := range l.Header.Phis() {
			if c := find(f.Uses(), l, m); c != nil && u.Count() {
				c.split(f)
			}
		}
	}
	return nil
}

// leftOnce reports whether l has one way in, one way back and one way out, to a block that
// nobody else gets to.
func leftOnce(l *loops.Loop) bool {
	return len(l.Header.Preds) == 2 && len(l.Latches) == 1 && len(l.Exits) == 1 && len(l.Exits[0].To.Preds) == 1
}

// A chain is a variable with the operations of an iteration that make its next value.
type chain struct {
	loop *loops.Loop
	phi  *vir.Value
	ops  []*vir.Value // in order
	with []*vir.Value // the other operand of each
}

// numbers are the operations on numbers alone.
var numbers = map[vir.Op]vir.Op{vir.OpFmin: vir.OpFminNnan, vir.OpFmax: vir.OpFmaxNnan}

// find follows m through its operations, nil if there is anything else in its chain.
func find(uses map[*vir.Value][]*vir.Value, l *loops.Loop, m *vir.Value) *chain {
	c := &chain{loop: l, phi: m}
	latch := l.Header.PredIndex(l.Latches[0])
	for v := m; ; {
		next := inside(uses[v], l)
		if len(next) != 1 {
			return nil
		}
		op := next[0]
		if op == m && m.Args[latch] == v && len(c.ops) > 0 {
			return c
		}
		if numbers[op.Op] == vir.OpInvalid || !op.Type.IsVector() || op.Args[0] == op.Args[1] || len(c.ops) > 0 && op.Op != c.ops[0].Op {
			return nil
		}
		other := 1 - slices.Index(op.Args, v)
		c.ops, c.with = append(c.ops, op), append(c.with, op.Args[other])
		v = op
	}
}

// inside are the uses in l.
func inside(uses []*vir.Value, l *loops.Loop) (in []*vir.Value) {
	for _, u := range uses {
		if l.Contains(u.Block) {
			in = append(in, u)
		}
	}
	return in
}

// split gives c a variable for NaNs.
func (c *chain) split(f *vir.Func) {
	b := vir.NewBuilder(f, c.loop.Header)
	n := b.Phi(c.phi.Type)
	n.Args = slices.Clone(c.phi.Args)
	p := &pairs{f: f, loop: c.loop, op: c.ops[0].Op, nans: map[*vir.Value]*vir.Value{c.phi: n}, joined: make(map[*vir.Value]*vir.Value)}
	last := n
	for k, op := range c.ops {
		op.Op = numbers[op.Op]
		last = choose(f, c.with[k], last, op)
		p.nans[op] = last
	}
	n.Args[c.loop.Header.PredIndex(c.loop.Latches[0])] = last
	p.follow()
}

// Pairs are values that are right where no NaN has come by, with those that are NaN where one
// has, which are computed in front of them. Behind the loop they go on as pairs through parts of
// vectors and the operation itself, and are joined for everybody else.
type pairs struct {
	f      *vir.Func
	loop   *loops.Loop
	op     vir.Op
	nans   map[*vir.Value]*vir.Value
	joined map[*vir.Value]*vir.Value
}

// follow has all behind the loop read what is right.
func (p *pairs) follow() {
	var phis []*vir.Value
	for _, b := range loops.RPO(p.f) {
		if p.loop.Contains(b) {
			continue
		}
		phis = append(phis, b.Phis()...)
		for _, u := range slices.Clone(b.Insts[len(b.Phis()):]) {
			p.read(u)
		}
	}
	for _, u := range phis { // of which some are read before what they read
		p.read(u)
	}
}

// read makes u a pair or has it read what is right.
func (p *pairs) read(u *vir.Value) {
	in := func(v *vir.Value) bool { return p.nans[v] != nil }
	switch {
	case !slices.ContainsFunc(u.Args, in):
	case u.Op == vir.OpSubvec:
		part := p.f.CopyValue(u)
		part.Args[0] = p.nan(u.Args[0])
		edit.Before(part, u)
		p.nans[u] = part
	case u.Op == p.op:
		u.Op = numbers[u.Op]
		p.nans[u] = choose(p.f, p.nan(u.Args[1]), p.nan(u.Args[0]), u)
	default:
		for k, a := range u.Args {
			if in(a) {
				u.Args[k] = p.join(a)
			}
		}
	}
}

// nan is where NaNs of v are: a value that is no pair is one with itself.
func (p *pairs) nan(v *vir.Value) *vir.Value {
	if n := p.nans[v]; n != nil {
		return n
	}
	return v
}

// join makes one value of the pair of v, behind v, or behind the loop.
func (p *pairs) join(v *vir.Value) *vir.Value {
	if p.joined[v] == nil {
		b, k := v.Block, slices.Index(v.Block.Insts, v)+1
		if p.loop.Contains(b) {
			b = p.loop.Exits[0].To
			k = len(b.Phis())
		}
		p.joined[v] = choose(p.f, p.nans[v], v, b.Insts[k])
	}
	return p.joined[v]
}

// choose makes x where that is NaN, else y, in front of another instruction.
func choose(f *vir.Func, x, y, at *vir.Value) *vir.Value {
	nan := f.NewValue(vir.OpFcmpNe, x.Type.WithElem(vir.Bool), x, x)
	chosen := f.NewValue(vir.OpBlend, x.Type, nan, x, y)
	nan.Pos, chosen.Pos = at.Pos, at.Pos
	edit.Before(nan, at)
	edit.Before(chosen, at)
	return chosen
}
