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
// What is done behind the loop takes as long as a few blocks, so that few blocks are left to the stages behind.
// Where each block has a better one, as in rising data, finding the largest takes what is
// spared otherwise.

// leastSought is the number of blocks from which on they are sought.
const leastSought = 4

// seeks is the choice whose items the main loop seeks, nil for none: nothing stores, so that
// all that is chosen can be computed again when its iteration is known.
func (l *loop) seeks() *choice {
	if len(l.held) != 1 || l.isNest() || len(l.phases()) > 0 || len(l.serials) > 0 || len(l.lastsOf()) > 0 || l.storesSomething() || l.reductions() > 0 {
		return nil
	}
	c, ok := l.held[0].(*choice)
	if !ok || c.key == nil || c.cond != nil {
		return nil
	}
	switch c.key.cmp {
	case vir.OpFcmpLt, vir.OpIcmpSlt, vir.OpIcmpUlt: // the first one of equal items
	default:
		return nil
	}
	plain := func(v *vir.Value) bool {
		return v.Op == vir.OpLoad && l.groups[v] == nil && l.dp.Access(v).Kind == dep.Linear
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

	e.place(b, body)
	lanes := vir.Vec(c.key.item.Type.Elem, s.lanes)
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
	out := edge{t: t1, held: [][]*vir.Value{e.sought(c, b, s, at1, best1)}}
	b.Jmp(done.block)
	done.add(out)
}

// sought is what is kept of block at, in one lane: the iteration of its best item, that in each bit, in
// which zeros of both signs differ, and what else is chosen there. Without a block all is as it was.
func (e *emitter) sought(c *choice, b *vir.Builder, s stage, at, best *vir.Value) []*vir.Value {
	seek, found := e.merge("seek", s.lanes).block, e.merge("found", s.lanes).block
	b.Br(b.Cmp(vir.OpIcmpSle, e.zero, at), seek, found)

	e.place(b, seek)
	lane := b.Op(vir.OpFirst, at.Type, equalKeys(b, e.blockOf(b, s.lanes, at).value(c.key.item), best))
	lane = b.Op(vir.OpUmin, lane.Type, lane, b.Int(lane.Type, int64(s.lanes-1))) // others may have written
	here := b.Op(vir.OpAdd, at.Type, at, lane)
	one := e.blockOf(b, 1, here)
	before := []*vir.Value{at, e.value(c.firstKey(e))}
	behind := []*vir.Value{here, b.Extract(one.value(c.key.item), 0)}
	for _, p := range c.pays {
		if p.inLanes() {
			before = append(before, e.value(e.l.initial(p.phi)))
			behind = append(behind, b.Extract(one.value(p.value), 0))
		}
	}
	b.Jmp(found)

	e.place(b, found)
	kept := make([]*vir.Value, len(before))
	for i := range kept {
		kept[i] = b.Phi(before[i].Type)
		kept[i].Args = []*vir.Value{before[i], behind[i]}
	}
	if elem := c.iterElem(); elem != vir.I64 {
		kept[0] = b.Op(vir.OpTrunc, vir.Scalar(elem), kept[0])
	}
	for i, x := range kept {
		kept[i] = b.Op(vir.OpBroadcast, vir.Vec(x.Type.Elem, 1), x)
	}
	return kept
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
