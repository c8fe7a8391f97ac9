package promote

import (
	"reflect"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Restore makes a kernel of the original region out of one of Region, which is used up;
// nil when the plan of that one depends on what the elements hold, and callers cannot know.
func (l *Loop) Restore(k *plan.Kernel) *plan.Kernel {
	if k.State > 0 || k.Peel > 0 || !l.inMemory(k) {
		return nil
	}
	r := &restorer{Loop: l, k: k, b: vir.NewBuilder(k.Fn, k.Fn.Entry()), loaded: make(map[int]*vir.Value)}
	r.b.Pos = l.Region.Pos
	rets := r.returns()
	for _, s := range slices.Backward(l.slots) {
		r.loaded[s.param] = r.load(s)
	}
	for i, s := range slices.Backward(l.slots) {
		for _, ret := range rets {
			if !s.along {
				r.store(s, r.loaded[s.param], ret)
			}
		}
		r.drop(len(l.original.State) + i)
	}
	k.Overlaps = append(k.Overlaps, l.overlaps...)
	k.Again = false // iterations store
	l.insist(k)
	return k
}

// insist makes the bounds of elements hold for every call, whatever versions k has: a
// kernel loads the elements before it knows which one it needs.
func (l *Loop) insist(k *plan.Kernel) {
	if !slices.ContainsFunc(k.Bounds, func(b plan.Bound) bool { return b.Conditional }) {
		return
	}
	for _, b := range l.Bounds {
		same := func(x plan.Bound) bool { x.Conditional = false; return reflect.DeepEqual(x, b) }
		if i := slices.IndexFunc(k.Bounds, same); i >= 0 {
			k.Bounds[i] = b
		} else { // it is part of another one
			k.Bounds = append(k.Bounds, b)
		}
	}
}

// inMemory has callers look into memory for elements that k's plan depends on. It reports
// whether they can.
func (l *Loop) inMemory(k *plan.Kernel) bool {
	ok := true
	now := func(x *plan.Expr) *plan.Expr {
		if !l.isElement(x) {
			return nil
		}
		y, known := l.read(x)
		ok = ok && known
		return y
	}
	k.Before(func(x *plan.Expr) *plan.Expr { return x.Map(now) })
	// Behind a call memory holds what the call has stored.
	return ok && !slices.ContainsFunc(k.Outs[:len(l.original.State)], func(o plan.Out) bool { return o.Expr.Has(l.isElement) })
}

// isElement reports whether x stands for an element.
func (l *Loop) isElement(x *plan.Expr) bool {
	return x.Op == plan.ExprParam && x.Param >= len(l.original.Fn.Params)
}

// read is element x as memory holds it. It fails for those that callers must not read before they
// know that an iteration does.
func (l *Loop) read(x *plan.Expr) (*plan.Expr, bool) {
	s := l.slots[slices.IndexFunc(l.slots, func(s *slot) bool { return s.param == x.Param })]
	p, off := l.Region.Fn.Params[s.at.Param].Param, s.at.Off
	if s.along || off.Op != plan.ExprConst || p.Len != nil || off.Const < 0 || off.Const+s.at.Size > p.FixedLen*int64(p.ElemSize) {
		return x, false
	}
	return plan.Load(s.at.Param, off.Const, s.typ.Elem.Bits()), true
}

type restorer struct {
	*Loop
	k      *plan.Kernel
	b      *vir.Builder
	loaded map[int]*vir.Value // what elements were when the call began, by the live-ins that stand for them
}

func (r *restorer) returns() (rets []*vir.Value) {
	for v := range r.k.Fn.Values {
		if v.Op == vir.OpRet {
			rets = append(rets, v)
		}
	}
	return rets
}

// arg is live-in p in the kernel.
func (r *restorer) arg(p int) *vir.Value {
	if v := r.loaded[p]; v != nil {
		return v
	}
	for i, a := range r.k.Args {
		if a.Kind == plan.ArgParam && a.Index == p {
			return r.k.Fn.Params[i]
		}
	}
	from := r.Region.Fn.Params[p]
	r.k.Args = append(r.k.Args, plan.Arg{Kind: plan.ArgParam, Index: p})
	return r.k.Fn.AddParam(r.k.Fn.UnusedName(from.Name), from.Type)
}

// expr is an expression over live-ins; done stands for the iterations done.
func (r *restorer) expr(x *plan.Expr, done *vir.Value) *vir.Value {
	switch x.Op {
	case plan.ExprParam:
		return r.arg(x.Param)
	case plan.ExprDone:
		return done
	}
	return x.Emit(r.b, func(y *plan.Expr) *vir.Value { return r.expr(y, done) })
}

// address is where s is, as the builder's block computes it.
func (r *restorer) address(s *slot) vir.Addr {
	a := vir.Addr{Base: r.arg(s.at.Param)}
	if s.at.Off.Op == plan.ExprConst {
		a.Disp = s.at.Off.Const
		return a
	}
	a.Index, a.Scale = r.expr(s.at.Off, nil), 1
	return a
}

// load loads s at the start of the kernel, instead of being passed it.
func (r *restorer) load(s *slot) *vir.Value {
	e := r.k.Fn.Entry()
	rest := e.Insts
	e.Insts = nil
	r.b.Cur = e
	v := r.b.Load(vir.OpLoad, s.typ, r.address(s), nil)
	e.Insts = append(e.Insts, rest...)
	at := slices.IndexFunc(r.k.Args, func(a plan.Arg) bool { return a.Kind == plan.ArgParam && a.Index == s.param })
	if at >= 0 {
		r.k.Fn.ReplaceUses(r.k.Fn.Params[at], v)
		r.k.Fn.Params = slices.Delete(r.k.Fn.Params, at, at+1)
		r.k.Args = slices.Delete(r.k.Args, at, at+1)
	}
	return v
}

// store puts what s is behind the call into memory before a return, if that is not what
// it was.
func (r *restorer) store(s *slot, old, ret *vir.Value) {
	o := r.k.Outs[s.out(r.Loop)]
	if o.Kind == plan.OutSame {
		return
	}
	b := ret.Block
	b.Insts = b.Insts[:len(b.Insts)-1]
	r.b.Cur = b
	var v *vir.Value
	if o.Kind == plan.OutResult {
		v = ret.Args[o.Index]
	} else {
		v = r.element(o.Expr, s, old, ret.Args[0])
	}
	changed, next := r.block(b, "changed"), r.block(b, "over")
	differs := r.b.Cmp(vir.OpIcmpNe, r.bits(v), r.bits(old))
	if o.Kind == plan.OutExpr && !r.k.Complete { // it says what the last iteration assigned, of which there may be none
		done := ret.Args[0]
		differs = r.b.Op(vir.OpAnd, differs.Type, differs, r.b.Cmp(vir.OpIcmpNe, done, r.b.Const(done.Type, 0)))
	}
	r.b.Br(differs, changed, next)
	r.b.Cur = changed
	r.b.Store(vir.OpStore, v, r.address(s), nil)
	r.b.Jmp(next)
	ret.Block = next
	next.Insts = append(next.Insts, ret)
}

// element is a value of s that the plan knows from the one before the call.
func (r *restorer) element(x *plan.Expr, s *slot, old, done *vir.Value) *vir.Value {
	var eval func(x *plan.Expr) *vir.Value
	eval = func(x *plan.Expr) *vir.Value {
		switch {
		case x.Op == plan.ExprParam && x.Param == s.param:
			return old
		case x.Op == plan.ExprParam:
			return r.arg(x.Param)
		case x.Op == plan.ExprDone:
			return done
		}
		return x.Emit(r.b, eval)
	}
	v := eval(x)
	if v.Type != s.typ {
		v = r.b.Op(vir.OpTrunc, s.typ, v)
	}
	return v
}

// bits is v as an integer.
func (r *restorer) bits(v *vir.Value) *vir.Value {
	if v.Type.Elem.IsInt() {
		return v
	}
	return r.b.Op(vir.OpBitcast, vir.Scalar(vir.IntElem(v.Type.Elem.Bits()/8)), v)
}

// block makes a block behind b.
func (r *restorer) block(b *vir.Block, name string) *vir.Block {
	f := r.k.Fn
	for f.Block(name) != nil {
		name += "_"
	}
	n := &vir.Block{Name: name, Func: f}
	f.Blocks = append(f.Blocks, n)
	return n
}

func (s *slot) out(l *Loop) int { return len(l.original.State) + slices.Index(l.slots, s) }

// drop forgets variable i, which callers do not have.
func (r *restorer) drop(i int) {
	o := r.k.Outs[i]
	r.k.Outs = r.k.Outs[:i]
	if o.Kind != plan.OutResult {
		return
	}
	for _, ret := range r.returns() {
		ret.Args = slices.Delete(ret.Args, o.Index, o.Index+1)
	}
	r.k.Fn.Results = slices.Delete(r.k.Fn.Results, o.Index, o.Index+1)
	for j := range r.k.Outs {
		if p := &r.k.Outs[j]; p.Kind == plan.OutResult && p.Index > o.Index {
			p.Index--
		}
	}
}
