package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// The first block of a main loop that accumulates is done in front of it, where that is little code:
// its items are the accumulators, which need no other values to start from. In kernels of few
// blocks that is what all wait for.
//
//	first64: %acc = the items of the block, the first value of the variable in a lane of them
//	         br 64 <= %last, vec64, ran64
//	vec64:   %acc = phi ... goes on from iteration 64
//	out64:   jmp ran64

// peelLimit is the time of a block, in cycles, up to which its code stands there twice.
const peelLimit = 20

// peels reports whether the first block is done in front of the main loop.
func (e *emitter) peels() bool {
	l, s := e.l, e.stages[0]
	if !s.loop || len(e.reds) == 0 || len(l.heldPhis())+len(e.lasts)+len(e.phases)+len(l.serials) > 0 || e.chunk() > 0 {
		return false
	}
	if l.isNest() || l.stopsAtExits() || l.hasLaneChecks() || l.storesSomething() || !l.accessesNeighbours() {
		return false
	}
	if !slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return v.Op.IsLoad() && !l.dp.Access(v).Uniform() }) {
		return false // all items are alike
	}
	cycles := 0.0
	for v := range l.demand {
		cycles += l.target.Cost(v.Op, vir.Vec(v.Type.Elem, s.lanes)).Throughput
	}
	return cycles <= peelLimit && !slices.ContainsFunc(e.reds, func(r *reduction) bool { return !r.startsAsItems() })
}

// startsAsItems reports whether items can be what r accumulates at first. A choice by comparison never
// replaces what it holds by a NaN.
func (r *reduction) startsAsItems() bool {
	return r.op != vir.OpSelect && r.step == r.op && r.line == nil && r.ext == vir.OpInvalid
}

// peel does the first block of stage s in front of its loop. Calls that have no other go to done, as
// the loop does.
func (e *emitter) peel(b *vir.Builder, s stage, first, body *vir.Block, in edge, done *merge, last *vir.Value) {
	one := s
	one.loop = false
	in.accs = make([]*vir.Value, len(e.reds))
	next := e.merge("next", s.lanes)
	e.stage(b, one, first, in, next, next, block{})
	state := e.join(b, next)
	b.Br(b.Cmp(vir.OpIcmpSle, state.t, last), body, done.block)
	done.add(state)

	out := e.merge("out", s.lanes) // which nothing else leads to, as package extremes wants it
	e.stage(b, s, body, state, out, out, block{last: last})
	left := e.join(b, out)
	b.Jmp(done.block)
	done.add(left)
}

// started is the accumulators of r behind the first block, with items x.
func (w *widener) started(r *reduction, x *vir.Value) *vir.Value {
	if !r.start && !w.e.l.leads(r) {
		return x // the first value joins at the end
	}
	n := x.Type.Lanes / w.e.l.target.Parts(x.Type)
	if w.e.l.target.ZMM {
		n = min(2*n, x.Type.Lanes)
	}
	begin := w.e.initial(n)[slices.Index(w.e.reds, r)]
	acc := w.b.Op(r.op, begin.Type, begin, w.b.Subvec(x, 0, n))
	for ; n < x.Type.Lanes; n *= 2 {
		acc = w.b.Concat(vir.Vec(r.lane, 2*n), acc, w.b.Subvec(x, n, n))
	}
	return acc
}
