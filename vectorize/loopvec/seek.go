package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// A main loop that seeks the best item only looks for it in groups of blocks, and asks behind each whether it
// has one that is better than all before, which is seldom so: the k-th group of items in random
// order has one with probability 1/k.
//
//	group32:  %stop = the last start of a block in this group
//	vec32:    %top = the largest items, lane by lane, from %best on, which is in all lanes
//	over32:   br any (%best < %top), better32, next32
//	better32: %best1 = the largest lane of %top, in all lanes; %at1 = %t
//	next32:   ...
//	sought32: the first iteration of group %at whose item is %best, if there is one
//
// What is done behind the loop takes as long as a few blocks, so that few blocks are left to a stage of one register.

// leastSought is the number of blocks from which on the main loop seeks, groupBlocks how many make a group, leastLanes
// how many lanes are worth a stage that seeks.
const (
	leastSought = 2
	groupBlocks = 8
	leastLanes  = 8
)

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

// seekStage writes stage i, which does all iterations of calls that have enough, and starts the way of the others. term
// decides between the two.
func (e *emitter) seekStage(b *vir.Builder, i int, in edge, final *merge) (term *vir.Value, out edge) {
	s, next := e.stages[i], e.after(i)
	group, ran, few := e.merge("group", s.lanes).block, e.merge("ran", s.lanes), e.merge("tail", next)
	last := b.Op(vir.OpSub, e.count.Type, e.count, b.Int(e.count.Type, int64(s.lanes)))
	term = b.Br(e.unlessAliasing(b, s, e.fits(b, i, in.t, nil)), group, few.block)
	e.seek(e.l.sought, b, s, group, in, ran, last)
	e.leave(b, e.join(b, ran), true, final)
	in.held = e.firstHeld(next, false)
	few.add(in)
	return term, e.join(b, few)
}

// seek writes the loop of stage s for c, and what finds the iteration behind it. One lane of what is
// kept goes to done.
func (e *emitter) seek(c *choice, b *vir.Builder, s stage, group *vir.Block, in edge, done *merge, last *vir.Value) {
	i64 := vir.Scalar(vir.I64)
	named := func(name string) *vir.Block { return e.merge(name, s.lanes).block }
	body, over, better, next, behind := named("vec"), named("over"), named("better"), named("next"), named("sought")
	lanes := vir.Vec(c.key.item.Type.Elem, s.lanes)
	few := vir.Vec(lanes.Elem, s.lanes/e.l.target.Parts(lanes))

	e.place(b, group)
	from, at, best := b.Phi(i64), b.Phi(i64), b.Phi(few)
	in1 := atLeast(b, best, s.lanes)
	stop := b.Op(vir.OpSmin, i64, e.ahead(b, from, (groupBlocks-1)*s.lanes), last)
	b.Jmp(body)

	e.place(b, body)
	t, top := b.Phi(i64), b.Phi(lanes)
	top1 := c.key.replaced(b, top, e.blockOf(b, s.lanes, t).value(c.key.item))
	t1 := e.ahead(b, t, s.lanes)
	b.Br(b.Cmp(vir.OpIcmpSle, t1, stop), body, over)
	t.Args, top.Args = []*vir.Value{from, t1}, []*vir.Value{in1, top1}

	e.place(b, over)
	top1 = c.key.best(b, top1, few.Lanes)
	b.Br(b.Op(vir.OpAny, vir.Scalar(vir.Bool), c.key.compare(b, c.key.cmp, best, top1)), better, next)

	e.place(b, better)
	e.rare = append(e.rare, better)
	largest := b.Op(vir.OpBroadcast, few, b.Extract(c.key.best(b, top1, 1), 0))
	b.Jmp(next)

	e.place(b, next)
	at1, best1 := b.Phi(i64), b.Phi(few)
	at1.Args, best1.Args = []*vir.Value{at, from}, []*vir.Value{best, largest}
	start := b.Op(vir.OpSmin, i64, t1, last) // items that are looked at again are not better than themselves
	b.Br(b.Cmp(vir.OpIcmpSlt, t1, e.count), group, behind)
	from.Args, at.Args = []*vir.Value{in.t, start}, []*vir.Value{e.setup.Int(i64, -1), at1}
	best.Args = []*vir.Value{e.setup.Subvec(e.broadcast(c.firstKey(e), e.stages[0].lanes), 0, few.Lanes), best1}

	e.place(b, behind)
	out := edge{t: e.count, held: [][]*vir.Value{e.sought(c, b, s, at1, best1, last)}}
	b.Jmp(done.block)
	done.add(out)
}

// soughtBlocks are those that stage s has behind its loop.
func (c *candidate) soughtBlocks(s stage) (out []*vir.Block) {
	for _, name := range []string{"over", "better", "sought", "seek", "hit", "found"} {
		name = fmt.Sprintf("%s%d", name, s.lanes)
		k := slices.IndexFunc(c.kernel.Fn.Blocks, func(b *vir.Block) bool { return b.Name == name })
		out = append(out, c.kernel.Fn.Blocks[k])
	}
	return out
}

// sought is what is kept of the group from at on, in one lane: the iteration of its best item, that in each bit, in
// which zeros of both signs differ, and what else is chosen there. Without such a group all is as it was.
func (e *emitter) sought(c *choice, b *vir.Builder, s stage, at, best, last *vir.Value) []*vir.Value {
	named := func(name string) *vir.Block { return e.merge(name, s.lanes).block }
	seek, on, hit, found := named("seek"), named("on"), named("hit"), named("found")
	far := b.Op(vir.OpSmin, at.Type, e.ahead(b, at, (groupBlocks-1)*s.lanes), last)
	all := atLeast(b, best, s.lanes)
	b.Br(b.Cmp(vir.OpIcmpSle, e.zero, at), seek, found)

	e.place(b, seek)
	t := b.Phi(at.Type)
	equal := equalKeys(b, e.blockOf(b, s.lanes, t).value(c.key.item), all)
	b.Br(b.Op(vir.OpAny, vir.Scalar(vir.Bool), equal), hit, on)

	e.place(b, on)
	t.Args = []*vir.Value{at, e.ahead(b, t, s.lanes)}
	b.Br(b.Cmp(vir.OpIcmpSle, t.Args[1], far), seek, hit) // hit: others may have written

	e.place(b, hit)
	from := b.Phi(at.Type)
	from.Args = []*vir.Value{t, at}
	lane := b.Op(vir.OpFirst, at.Type, equal)
	lane = b.Op(vir.OpUmin, lane.Type, lane, b.Int(lane.Type, int64(s.lanes-1)))
	here := b.Op(vir.OpAdd, at.Type, from, lane)
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

// best is n lanes that replace all others of x, which are no NaNs.
func (k *choiceKey) best(b *vir.Builder, x *vir.Value, n int) *vir.Value {
	for x.Type.Lanes > n {
		half := x.Type.Lanes / 2
		x = k.replaced(b, b.Subvec(x, 0, half), b.Subvec(x, half, half))
	}
	return x
}
