package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// How the loop is rewritten to the numbers of states of an automaton.

// rewrite puts the number of the state in the place of the first variable.
func (a *automaton) rewrite() {
	f, body, header := a.m.body.Func, a.m.body, a.m.header
	entry := header.PredIndex(f.Entry())
	now, then := a.tables(a.phis), a.tables(a.next)
	b := vir.NewBuilder(f, body)
	b.Pos = a.next[0].Pos
	q := a.m.inForm(a.phis[0], vir.Scalar(vir.I8))
	edit.Ahead(b, f.Entry(), func() { q.Args[entry] = a.encode(b) })

	at := a.place()
	head, rest := body.Insts[1:at:at], body.Insts[at:]
	body.Insts, b.Cur = body.Insts[:1:1], body
	others := slices.DeleteFunc(slices.Clone(header.Phis()), func(p *vir.Value) bool { return slices.Contains(a.phis, p) })
	a.replace(b, q, now, slices.Concat(head, rest, others))
	body.Insts = append(body.Insts, head...)
	a.settle(b)
	to := a.transition(b, q)
	q.Args[1-entry] = to
	a.replace(b, to, then, slices.Concat(rest, others))
	for i, phi := range a.phis[1:] {
		phi.Args[1-entry] = a.decode(b, to, phi.Type, a.column(i+1))
	}
	body.Insts = append(body.Insts, rest...)
	first := func(b *vir.Builder, q, _ *vir.Value) *vir.Value { return a.decode(b, q, a.phis[0].Type, a.column(0)) }
	a.m.handOver(a.u, a.phis[0], q, first, a.unlessOutside)
	if !a.total() {
		b.Cur = &vir.Block{Func: f}
		b.Check(vir.OpCheckRare, nil, a.outside(b))
		begin(body, b.Pos, b.Cur.Insts...)
	}
	edit.Sweep(f)
	a.u.States[q] = len(a.states)
	a.u.Note("enumerate:States", a.next[0].Pos, map[string]any{"states": len(a.states)}, "%s is one of %d states", name(a.phis[0]), len(a.states))
}

// place is where all is known that the next state depends on.
func (a *automaton) place() int {
	at := 1 // behind iter
	for _, c := range a.decisions() {
		at = max(at, a.m.behind(c.v))
	}
	return at
}

// settle puts conditions that have been made at the end of the block.
func (a *automaton) settle(b *vir.Builder) {
	var put func(v *vir.Value)
	put = func(v *vir.Value) {
		if v.Block != nil {
			return
		}
		for _, x := range v.Args {
			put(x)
		}
		v.Block = b.Cur
		b.Cur.Insts = append(b.Cur.Insts, v)
	}
	for _, c := range a.decisions() {
		put(c.v)
	}
}

// column is what variable i is in each state.
func (a *automaton) column(i int) (t table) {
	for _, s := range a.states {
		t = append(t, s[i])
	}
	return t
}

// replace lets users have what tables say in state q, but for those of which tables say all.
func (a *automaton) replace(b *vir.Builder, q *vir.Value, tables map[*vir.Value]table, users []*vir.Value) {
	made := make(map[*vir.Value]*vir.Value)
	for _, u := range users {
		if tables[u] != nil {
			continue
		}
		for i, x := range u.Args {
			t := tables[x]
			if t == nil {
				continue
			}
			if made[x] == nil {
				made[x] = a.decode(b, q, x.Type, t)
			}
			u.Args[i] = made[x]
		}
	}
}

// decode is what t says in state q.
func (a *automaton) decode(b *vir.Builder, q *vir.Value, typ vir.Type, t table) *vir.Value {
	if typ.Elem == vir.Bool {
		return a.member(b, q, t)
	}
	off, counts := t[0], true
	for k, x := range t {
		counts = counts && x == (off+uint64(k))&typ.Elem.Ones()
	}
	if counts {
		x := q
		if typ != q.Type {
			x = b.Op(vir.OpZext, typ, q)
		}
		if off == 0 {
			return x
		}
		return b.Op(vir.OpAdd, typ, x, b.Const(typ, off))
	}
	values := slices.Clone(t)
	slices.Sort(values)
	values = slices.Compact(values)
	x := b.Const(typ, values[0])
	for _, v := range values[1:] {
		var in table
		for _, y := range t {
			in = append(in, truthBits(y == v))
		}
		x = b.Op(vir.OpSelect, typ, a.member(b, q, in), b.Const(typ, v), x)
	}
	return x
}

// member reports whether t has a 1 in state q.
func (a *automaton) member(b *vir.Builder, q *vir.Value, t table) *vir.Value {
	n, ones := len(t), 0
	for _, x := range t {
		ones += int(x & 1)
	}
	number := func(k int) *vir.Value { return b.Int(q.Type, int64(k)) }
	switch first := slices.Index(t, t[n-1]); {
	case ones == 0 || ones == n:
		return b.Const(vir.Scalar(vir.Bool), t[0])
	case !slices.Contains(t[first:], 1-t[n-1]) && t[0] == 0:
		return b.Cmp(vir.OpIcmpUle, number(first), q) // all from first on
	case !slices.Contains(t[first:], 1-t[n-1]):
		return b.Cmp(vir.OpIcmpUlt, q, number(first))
	}
	var hit *vir.Value
	few := truthBits(2*ones <= n)
	for k, x := range t {
		if x != few {
			continue
		}
		is := b.Cmp(vir.OpIcmpEq, q, number(k))
		if hit == nil {
			hit = is
		} else {
			hit = b.Op(vir.OpOr, hit.Type, hit, is)
		}
	}
	if few == 0 {
		hit = b.Op(vir.OpNot, hit.Type, hit)
	}
	return hit
}

// transition is the number of the state behind an iteration.
func (a *automaton) transition(b *vir.Builder, q *vir.Value) *vir.Value {
	made := make(map[*node]*vir.Value)
	var of func(n *node) *vir.Value
	of = func(n *node) *vir.Value {
		if v := made[n]; v != nil {
			return v
		}
		var v *vir.Value
		if n.cond == leaf {
			v = b.Const(q.Type, n.bits)
		} else {
			then, els, c := of(n.then), of(n.els), a.d.values[n.cond]
			if c.not {
				then, els = els, then
			}
			v = b.Op(vir.OpSelect, q.Type, c.v, then, els)
		}
		made[n] = v
		return v
	}
	n := len(a.goes)
	to := of(a.goes[n-1])
	for k := n - 2; k >= 0; k-- {
		to = b.Op(vir.OpSelect, q.Type, b.Cmp(vir.OpIcmpEq, q, b.Int(q.Type, int64(k))), of(a.goes[k]), to)
	}
	return to
}

// encode is the number of the state that it begins in, or any.
func (a *automaton) encode(b *vir.Builder) *vir.Value {
	t := vir.Scalar(vir.I8)
	q := b.Const(t, 0)
	for k := 1; k < len(a.states); k++ {
		q = b.Op(vir.OpSelect, t, a.begins(b, k), b.Int(t, int64(k)), q)
	}
	return q
}

// begins reports whether it begins in state k.
func (a *automaton) begins(b *vir.Builder, k int) *vir.Value {
	var all *vir.Value
	for i, x := range a.first {
		is := b.Cmp(vir.OpIcmpEq, x, b.Const(x.Type, a.states[k][i]))
		if i == 0 {
			all = is
		} else {
			all = b.Op(vir.OpAnd, is.Type, all, is)
		}
	}
	return all
}

// total reports whether there are no states but these: all that bools can be.
func (a *automaton) total() bool {
	return !slices.ContainsFunc(a.phis, func(p *vir.Value) bool { return p.Type.Elem != vir.Bool }) && len(a.states) == 1<<len(a.phis)
}

// outside reports whether it begins in none of the states.
func (a *automaton) outside(b *vir.Builder) *vir.Value {
	any := a.begins(b, 0)
	for k := 1; k < len(a.states); k++ {
		any = b.Op(vir.OpOr, any.Type, any, a.begins(b, k))
	}
	return b.Op(vir.OpNot, any.Type, any)
}

// unlessOutside is x, or what the first variable begins with where that is in none of the states: no iteration is
// done then.
func (a *automaton) unlessOutside(b *vir.Builder, x *vir.Value) *vir.Value {
	if a.total() {
		return x
	}
	return b.Op(vir.OpSelect, x.Type, a.outside(b), a.first[0], x)
}
