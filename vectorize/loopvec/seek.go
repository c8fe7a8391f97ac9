package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// A main loop that seeks the best item only asks whether a block has one that is better than all
// before, which is seldom so: the k-th block of items in random order has one with probability 1/k.
//
//	vec32:      %hit = fcmp.lt maskx32 %best, %x
//	            br any %hit, better32, vec32.next
//	better32:   %best1 = the largest of %best and of %x, loaded again; %at1 = %t
//	vec32.next: ...
//	seek32:     the first lane of block %at that is %best, if there is one
//
// Where each block has a better one, as in rising data, finding the largest takes what is
// spared otherwise.

// seeks reports whether the main loop seeks the items of a choice: it chooses nothing else
// but what follows from the iteration, and loads its items plainly.
func (l *loop) seeks() *choice {
	if len(l.held) != 1 || l.isNest() || len(l.phases()) > 0 || len(l.serials) > 0 || len(l.lastsOf()) > 0 || l.storesSomething() || l.reductions() > 0 {
		return nil
	}
	c, ok := l.held[0].(*choice)
	if !ok || c.key == nil || c.key.phi == nil || c.cond != nil || slices.ContainsFunc(c.pays, func(p payload) bool { return p.inLanes() }) {
		return nil
	}
	switch c.key.cmp {
	case vir.OpFcmpLt, vir.OpIcmpSlt, vir.OpIcmpUlt: // the first one of equal items
	default:
		return nil
	}
	plain := func(v *vir.Value) bool {
		return v.Op == vir.OpLoad && !v.Masked && l.groups[v] == nil && l.dp.Access(v).Kind == dep.Linear
	}
	if slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return !plain(v) && !(v.Op.IsCheck() && l.isBoundCheck(v)) }) {
		return nil
	}
	return c
}

// seek writes the main loop of c, and what finds the iteration behind it. One lane of what is
// kept goes to done.
func (e *emitter) seek(c *choice, b *vir.Builder, s stage, body *vir.Block, in edge, done *merge, last *vir.Value) {
	i64 := vir.Scalar(vir.I64)
	named := func(name string) *vir.Block { return e.merge(name, s.lanes).block }
	better, next, behind := named("better"), &vir.Block{Name: body.Name + ".next", Func: e.f}, named("sought")
	none := e.setup.Int(i64, -1)
	first := e.value(c.firstKey(e))

	e.place(b, body)
	lanes := vir.Vec(first.Type.Elem, s.lanes)
	t, at, best := b.Phi(i64), b.Phi(i64), b.Phi(lanes)
	hit := c.key.compare(b, c.key.cmp, best, e.blockOf(b, s.lanes, t).value(c.key.item))
	b.Br(b.Op(vir.OpAny, vir.Scalar(vir.Bool), hit), better, next)

	e.place(b, better)
	e.rare = append(e.rare, better)
	item := e.blockOf(b, s.lanes, t).value(c.key.item) // in no registers of the loop
	largest := b.Op(vir.OpBroadcast, lanes, c.key.best(b, c.key.replaced(b, best, item)))
	b.Jmp(next)

	e.place(b, next)
	at1, best1 := b.Phi(i64), b.Phi(lanes)
	at1.Args, best1.Args = []*vir.Value{at, t}, []*vir.Value{best, largest}
	t1 := e.ahead(b, t, s.lanes)
	b.Br(b.Cmp(vir.OpIcmpSle, t1, last), body, behind)
	t.Args, at.Args, best.Args = []*vir.Value{in.t, t1}, []*vir.Value{none, at1}, []*vir.Value{e.broadcast(c.firstKey(e), s.lanes), best1}

	e.place(b, behind)
	it, key := e.sought(c, b, s, at1, best1)
	out := edge{t: t1, held: [][]*vir.Value{c.one(b, it, key)}}
	b.Jmp(done.block)
	done.add(out)
}

// sought is the iteration of block at with the best item, and that in each bit, in which zeros of
// both signs differ; without a block they stay as they are.
func (e *emitter) sought(c *choice, b *vir.Builder, s stage, at, best *vir.Value) (it, key *vir.Value) {
	m := b.Extract(best, 0)
	seek, found := e.merge("seek", s.lanes).block, e.merge("found", s.lanes).block
	b.Br(b.Cmp(vir.OpIcmpSle, e.zero, at), seek, found)

	e.place(b, seek)
	w := e.blockOf(b, s.lanes, at)
	item := w.value(c.key.item)
	eq := vir.OpIcmpEq
	if m.Type.Elem.IsFloat() {
		eq = vir.OpFcmpEq
	}
	lane := b.Op(vir.OpFirst, at.Type, b.Cmp(eq, item, best))
	lane = b.Op(vir.OpUmin, lane.Type, lane, b.Int(lane.Type, int64(s.lanes-1))) // others may have written
	here := b.Op(vir.OpAdd, at.Type, at, lane)
	exact := b.Extract(e.blockOf(b, 1, here).value(c.key.item), 0)
	b.Jmp(found)

	e.place(b, found)
	it, key = b.Phi(at.Type), b.Phi(m.Type)
	it.Args, key.Args = []*vir.Value{at, here}, []*vir.Value{m, exact}
	return it, key
}

// blockOf has the loads of a block of iterations from t on.
func (e *emitter) blockOf(b *vir.Builder, lanes int, t *vir.Value) *widener {
	w := newWidener(e, b, lanes, t)
	w.start(edge{})
	w.block()
	return w
}

// replaced is items x where they replace those of old, which are no NaNs or stay so.
func (k *choiceKey) replaced(b *vir.Builder, old, x *vir.Value) *vir.Value {
	return b.Op(vir.OpBlend, old.Type, k.compare(b, k.cmp, old, x), x, old)
}

// best is the lane of x, no NaNs, that replaces all others.
func (k *choiceKey) best(b *vir.Builder, x *vir.Value) *vir.Value {
	for n := x.Type.Lanes / 2; n >= 1; n /= 2 {
		x = k.replaced(b, b.Subvec(x, 0, n), b.Subvec(x, n, n))
	}
	return b.Extract(x, 0)
}

// one is what is kept in one lane, of iteration it.
func (c *choice) one(b *vir.Builder, it, key *vir.Value) []*vir.Value {
	if elem := c.iterElem(); elem != vir.I64 {
		it = b.Op(vir.OpTrunc, vir.Scalar(elem), it)
	}
	splat := func(x *vir.Value) *vir.Value { return b.Op(vir.OpBroadcast, vir.Vec(x.Type.Elem, 1), x) }
	return []*vir.Value{splat(it), splat(key)}
}
