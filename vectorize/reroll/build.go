package reroll

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

var i64 = vir.Scalar(vir.I64)

// A maker writes the rolled loop.
type maker struct {
	*matcher
	f     *vir.Func
	b     *vir.Builder
	count *vir.Value                // iterations done
	known map[*vir.Value]*vir.Value // what does not change
}

// build makes the loop out of what has been matched.
func (m *matcher) build() *Loop {
	c := *m.region
	c.Fn, c.State = m.region.Fn.Clone(), nil
	f := c.Fn
	k := &maker{matcher: m, f: f, b: vir.NewBuilder(f, f.Blocks[1]), known: make(map[*vir.Value]*vir.Value)}
	for i, p := range m.region.Fn.Params {
		k.known[p] = f.Params[i]
	}
	from := f.AddParam(f.UnusedName("from"), i64)
	limit := f.AddParam(f.UnusedName("limit"), i64)
	terms := k.clear()
	l := &Loop{Region: &c, Copies: int64(m.g), original: m.region}

	c.State = append(c.State, plan.State{Param: len(f.Params) - 2})
	k.count = k.phi(i64, from)
	k.count.Name = f.UnusedName("copy")
	results := []*vir.Value{k.count}
	f.Results = []vir.Type{i64}
	var vars []*carriedVar
	at := make(map[*vir.Value]int) // states of the rolled loop
	add := func(v *carriedVar, phi *vir.Value) *vir.Value {
		old := m.region.State[slices.Index(m.header.Phis(), phi)]
		p := k.phi(phi.Type, k.known[phi.Args[m.header.PredIndex(m.region.Fn.Entry())]])
		p.Name, p.Pos = phi.Name, phi.Pos
		at[phi] = len(c.State)
		c.State = append(c.State, plan.State{Param: old.Param, Live: old.Live || v.team != nil, Stored: old.Stored})
		results, f.Results = append(results, p), append(f.Results, phi.Type)
		return p
	}
	for _, phi := range m.header.Phis() {
		v := m.vars[phi]
		if v == nil || v.made != nil {
			continue
		}
		if v.team != nil {
			l.Turns = append(l.Turns, len(c.State))
		}
		v.made = add(v, v.phi)
		vars = append(vars, v)
		for i, other := range v.team {
			if i > 0 {
				p := add(v, other)
				p.Args[1-m.header.PredIndex(m.region.Fn.Entry())] = p
			}
		}
	}
	for i, phi := range m.header.Phis() {
		o := m.out(i, phi)
		if m.vars[phi] != nil {
			o = plan.Out{Kind: plan.OutResult, Index: at[phi]}
		}
		l.outs = append(l.outs, o)
	}
	k.body(terms, limit, vars)
	terms[4].Args = results
	return l
}

// clear takes everything out of the blocks but the terminators.
func (k *maker) clear() (terms []*vir.Value) {
	for _, b := range k.f.Blocks {
		t := b.Term()
		terms = append(terms, t)
		b.Insts = []*vir.Value{t}
	}
	k.f.Blocks[1].Insts = nil
	k.f.Blocks[2].Insts = nil
	return terms
}

// phi is a variable of the loop; what it becomes is not known yet.
func (k *maker) phi(t vir.Type, init *vir.Value) *vir.Value {
	v := k.b.Phi(t)
	v.Args = []*vir.Value{init, init}
	return v
}

// body writes the header's condition and an iteration.
func (k *maker) body(terms []*vir.Value, limit *vir.Value, vars []*carriedVar) {
	header, body := k.f.Blocks[1], k.f.Blocks[2]
	k.b.Cur = header
	terms[1].Args[0] = k.b.Cmp(vir.OpIcmpSlt, k.count, limit)
	header.Insts = append(header.Insts, terms[1])
	k.b.Cur = body
	k.b.Append(&vir.Value{Op: vir.OpIter})
	for _, v := range k.nils {
		c := k.copied(v)
		c.Block = body
	}
	for _, n := range k.all {
		k.make(n)
	}
	back := 1 - header.PredIndex(k.f.Entry())
	for _, v := range vars {
		v.made.Args[back] = k.make(v.after)
	}
	k.count.Args[back] = k.b.Op(vir.OpAdd, i64, k.count, k.b.Int(i64, 1))
	body.Insts = append(body.Insts, terms[2])
}

// make is n in the rolled loop.
func (k *maker) make(n *node) *vir.Value {
	if n.made == nil {
		k.b.Pos = n.lanes[0].Pos
		n.made = k.write(n)
	}
	return n.made
}

func (k *maker) write(n *node) *vir.Value {
	first := n.lanes[0]
	switch n.kind {
	case invariant:
		return k.invariant(first)
	case counted:
		return k.line(n.start, n.step, first.Type)
	case variable:
		return k.vars[first].made
	case access:
		return k.access(n)
	}
	c := *first
	c.Args, c.Name = nil, ""
	for _, a := range n.args {
		c.Args = append(c.Args, k.make(a))
	}
	k.b.Pos = first.Pos
	return k.b.Append(&c)
}

// invariant is a value that does not change.
func (k *maker) invariant(v *vir.Value) *vir.Value {
	if x := k.known[v]; x != nil {
		return x
	}
	var x *vir.Value
	if v.Op == vir.OpPhi {
		init := v.Args[0]
		if v.Block == k.header {
			init = v.Args[k.header.PredIndex(k.region.Fn.Entry())]
		}
		x = k.invariant(init)
	} else {
		x = k.copied(v)
	}
	k.known[v] = x
	return x
}

// copied is v with operands that do not change.
func (k *maker) copied(v *vir.Value) *vir.Value {
	c := *v
	c.Args, c.Name = nil, ""
	for _, a := range v.Args {
		c.Args = append(c.Args, k.invariant(a))
	}
	k.b.Pos = v.Pos
	return k.b.Append(&c)
}

// line is start + count*step.
func (k *maker) line(start *plan.Expr, step int64, t vir.Type) *vir.Value {
	v := k.count
	if step != 1 {
		v = k.b.Op(vir.OpMul, i64, v, k.b.Int(i64, step))
	}
	if !start.IsConst(0) {
		v = k.b.Op(vir.OpAdd, i64, k.expr(start), v)
	}
	if t != i64 {
		v = k.b.Op(vir.OpTrunc, t, v)
	}
	return v
}

func (k *maker) expr(x *plan.Expr) *vir.Value {
	if x.Op == plan.ExprParam {
		return k.f.Params[x.Param]
	}
	return x.Emit(k.b, k.expr)
}

// access is a load or store of one copy.
func (k *maker) access(n *node) *vir.Value {
	first := n.lanes[0]
	args := n.args
	var stored, mask *vir.Value
	if first.Op.IsStore() {
		stored, args = k.make(args[0]), args[1:]
	}
	if first.Masked {
		mask = k.make(args[0])
	}
	a := vir.Addr{Base: k.invariant(first.Base()), Disp: first.Disp}
	if n.start != nil {
		a.Index, a.Scale = k.line(n.start, n.step, i64), n.scale
	}
	k.b.Pos = first.Pos
	if stored != nil {
		return k.b.Store(first.Op, stored, a, mask)
	}
	return k.b.Load(first.Op, first.Type, a, mask)
}

// Restore makes a kernel of the original region out of k, one of Region, which is used
// up; nil where that one may stop between copies.
//
// Kernels whose Copies are l.Unit may stop at any block.
func (l *Loop) Restore(k *plan.Kernel) *plan.Kernel {
	if k.Partial && !l.inStep(k) || k.Timed || k.State > 0 || k.Peel > 0 || k.Inner != nil || slices.ContainsFunc(k.Overlaps, func(o plan.Overlap) bool { return o.Strided() }) {
		return nil
	}
	r := &restorer{Loop: l, k: k, even: l.inStep(k), b: vir.NewBuilder(k.Fn, k.Fn.Entry())}
	if !r.params() {
		return nil
	}
	r.counts()
	k.Trip, k.Bounds, k.Overlaps = l.trip, append(r.boundsOf(k.Bounds), l.bounds...), append(r.overlapsOf(k.Overlaps), l.overlaps...)
	outs := k.Outs
	k.Outs = nil
	for _, o := range l.outs {
		if o.Kind == plan.OutResult {
			o = outs[o.Index]
			o.Expr = r.expr(o.Expr)
		}
		k.Outs = append(k.Outs, o)
	}
	unit := k.Block * l.Copies / number.GCD(k.Block, l.Copies) // in copies
	k.Min = (k.Min + l.Copies - 1) / l.Copies
	if !k.Complete && !r.even {
		k.Min = max(k.Min, unit/l.Copies)
	}
	k.Block = unit / l.Copies
	k.Pause = (k.Pause + l.Copies - 1) / l.Copies
	k.First = (k.First + l.Copies - 1) / l.Copies
	k.Strip = max(k.Strip/unit, 1) * k.Block
	return k
}

type restorer struct {
	*Loop
	k    *plan.Kernel
	b    *vir.Builder
	even bool // every block of k is of whole iterations
}

// inStep reports whether every block of k is of whole iterations of the original.
func (l *Loop) inStep(k *plan.Kernel) bool { return l.Unit() > 0 && k.Block%l.Copies == 0 }

// params takes the parameters away that callers do not have.
func (r *restorer) params() bool {
	from := len(r.original.Fn.Params)
	uses := r.k.Fn.Uses()
	for i := len(r.k.Args) - 1; i >= 0; i-- {
		a, p := r.k.Args[i], r.k.Fn.Params[i]
		switch {
		case a.Kind == plan.ArgBound || a.Kind == plan.ArgState:
			return false
		case a.Kind != plan.ArgParam || a.Index < from:
			continue
		case a.Index > from && len(uses[p]) > 0:
			return false
		}
		r.k.Fn.ReplaceUses(p, r.first(func() *vir.Value { return r.b.Int(i64, 0) }))
		r.k.Fn.Params = slices.Delete(r.k.Fn.Params, i, i+1)
		r.k.Args = slices.Delete(r.k.Args, i, i+1)
	}
	return true
}

// first puts what is made at the front of the kernel.
func (r *restorer) first(make func() *vir.Value) *vir.Value {
	e := r.k.Fn.Entry()
	rest := e.Insts
	e.Insts, r.b.Cur = nil, e
	v := make()
	e.Insts = append(e.Insts, rest...)
	return v
}

// counts makes iterations of the original out of those of the kernel. A kernel that may
// leave parts of iterations over does as many as are a multiple of its main blocks, too.
func (r *restorer) counts() {
	i := slices.IndexFunc(r.k.Args, func(a plan.Arg) bool { return a.Kind == plan.ArgCount })
	n := r.k.Fn.Params[i]
	copies := r.first(func() *vir.Value {
		v := n
		if !r.k.Complete && !r.even {
			unit := r.k.Block / number.GCD(r.k.Block, r.Copies) // iterations
			q := r.b.Op(vir.OpUdiv, i64, n, r.b.Int(i64, unit))
			v = r.b.Op(vir.OpMul, i64, q, r.b.Int(i64, unit))
		}
		return r.b.Op(vir.OpMul, i64, v, r.b.Int(i64, r.Copies))
	})
	for v := range r.k.Fn.Values {
		for j, a := range v.Args {
			if a == n && !r.making(v, copies) {
				v.Args[j] = copies
			}
		}
	}
	for _, b := range r.k.Fn.Blocks {
		ret := b.Term()
		if ret == nil || ret.Op != vir.OpRet {
			continue
		}
		r.b.Cur, b.Insts = b, b.Insts[:len(b.Insts)-1]
		ret.Args[0] = r.b.Op(vir.OpUdiv, i64, ret.Args[0], r.b.Int(i64, r.Copies))
		b.Insts = append(b.Insts, ret)
	}
}

// making reports whether v is part of what computes copies, at the front.
func (r *restorer) making(v, copies *vir.Value) bool {
	e := r.k.Fn.Entry()
	at := slices.Index(e.Insts, v)
	return v.Block == e && at >= 0 && at <= slices.Index(e.Insts, copies)
}

// expr is an expression of the rolled loop's live-ins and iterations.
func (r *restorer) expr(x *plan.Expr) *plan.Expr {
	if x == nil {
		return nil
	}
	switch {
	case x.Op == plan.ExprDone:
		return plan.Mul(plan.Done(), plan.Const(r.Copies))
	case x.Op == plan.ExprParam && x.Param >= len(r.Loop.original.Fn.Params):
		return plan.Const(0)
	}
	y := *x
	y.X, y.Y = r.expr(x.X), r.expr(x.Y)
	return scev.Simplify(&y)
}

// boundsOf are bounds of the rolled loop for the first and the last copy.
func (r *restorer) boundsOf(bounds []plan.Bound) (out []plan.Bound) {
	for _, b := range bounds {
		b.Start, b.Lo, b.Hi = r.expr(b.Start), r.expr(b.Lo), r.expr(b.Hi)
		last := b
		last.Start = scev.Simplify(plan.Add(b.Start, plan.Const((r.Copies-1)*b.Step)))
		b.Step *= r.Copies
		last.Step = b.Step
		out = append(out, b)
		if b.Step != 0 {
			out = append(out, last)
		}
	}
	return out
}

// overlapsOf are overlaps of the rolled loop: streams of all copies of an iteration.
func (r *restorer) overlapsOf(overlaps []plan.Overlap) []plan.Overlap {
	for i := range overlaps {
		o := &overlaps[i]
		more := (r.Copies - 1) * max(o.A.Step, -o.A.Step)
		moved := r.stream(&o.B) - r.stream(&o.A)
		if !o.Disjoint {
			o.Lo, o.Hi = o.Lo+moved, o.Hi+moved
			if o.Below != 0 || o.Above != 0 {
				o.Below, o.Above = o.Below+more-moved, o.Above+more+moved
			}
		} else if moved != 0 {
			o.Follows = false
		}
	}
	return overlaps
}

// stream makes s cover the copies of an iteration, and gives by how much it begins
// elsewhere.
func (r *restorer) stream(s *plan.Stream) (moved int64) {
	s.Off, s.Extent = r.expr(s.Off), r.expr(s.Extent)
	if s.Extent != nil {
		return 0
	}
	more := (r.Copies - 1) * s.Step
	if s.Step < 0 {
		moved, more = more, -more
		s.Off = scev.Simplify(plan.Add(s.Off, plan.Const(moved)))
	}
	s.Size += more
	s.Step *= r.Copies
	return moved
}
