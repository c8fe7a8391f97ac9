package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A merge is a block under construction with what comes in on its edges, in the
// order of its predecessors.
type merge struct {
	block *vir.Block
	edges []edge
}

func (e *emitter) merge(name string, lanes int) *merge {
	return &merge{block: &vir.Block{Name: fmt.Sprintf("%s%d", name, lanes), Func: e.f}}
}

func (m *merge) add(x edge) { m.edges = append(m.edges, x) }

// join places the block and goes on in it, with phis where its edges differ.
func (e *emitter) join(b *vir.Builder, m *merge) edge {
	e.place(b, m.block)
	if len(m.edges) == 1 {
		return m.edges[0]
	}
	pick := func(of func(edge) *vir.Value) *vir.Value {
		first, same := of(m.edges[0]), true
		for _, x := range m.edges {
			same = same && of(x) == first
		}
		if same {
			return first
		}
		phi := b.Phi(first.Type)
		for _, x := range m.edges {
			phi.Args = append(phi.Args, of(x))
		}
		return phi
	}
	out := edge{t: pick(func(x edge) *vir.Value { return x.t })}
	out.held = eachHeld(m.edges[0].held, func(i, k int) *vir.Value {
		return pick(func(x edge) *vir.Value { return x.held[i][k] })
	})
	if m.edges[0].fuel != nil {
		out.fuel = pick(func(x edge) *vir.Value { return x.fuel })
	}
	for i := range e.reds {
		out.accs = append(out.accs, pick(func(x edge) *vir.Value { return x.accs[i] }))
		out.flags = append(out.flags, pick(func(x edge) *vir.Value { return x.flags[i] }))
	}
	for i := range e.lasts {
		out.lasts = append(out.lasts, pick(func(x edge) *vir.Value { return x.lasts[i] }))
	}
	for i := range e.phases {
		out.phases = append(out.phases, pick(func(x edge) *vir.Value { return x.phases[i] }))
	}
	return out
}

// fuel is what a call of a nest may use up, nil for other loops.
func (e *emitter) fuel() *vir.Value {
	if !e.l.isNest() {
		return nil
	}
	if e.l.u.Brief && e.saved != nil {
		return e.setup.Int(vir.Scalar(vir.I64), e.lookFuel())
	}
	return e.fuelled(e.setup, 1)
}

// goesOn asks whether a call has fuel for another block.
func (e *emitter) goesOn(b *vir.Builder, fuel *vir.Value) *vir.Value {
	least := 0.5
	if e.l.u.Brief {
		least = 2 // never
	}
	return b.Cmp(vir.OpIcmpSlt, e.fuelled(b, least), fuel)
}

// unlessSpent is ok, unless stages in front have done blocks and left no fuel for another one: the next call begins with them again, if there are
// enough iterations left for it. Where blocks can be left in the middle, or are short, it is not worth the question.
func (e *emitter) unlessSpent(b *vir.Builder, i int, state edge, ok *vir.Value) *vir.Value {
	if i == 0 || e.need == nil || state.t == e.zero {
		return ok
	}
	more := b.Op(vir.OpOr, ok.Type, b.Cmp(vir.OpIcmpEq, state.t, e.zero), e.goesOn(b, state.fuel))
	more = b.Op(vir.OpOr, ok.Type, more, b.Cmp(vir.OpIcmpSlt, e.count, e.ahead(b, state.t, fewestNest)))
	return b.Op(vir.OpAnd, ok.Type, ok, more)
}

// place appends a block to the function and goes on in it.
func (e *emitter) place(b *vir.Builder, to *vir.Block) {
	e.f.Blocks = append(e.f.Blocks, to)
	b.Cur = to
}

// run writes all stages and the end.
func (e *emitter) run() {
	b := vir.NewBuilder(e.f, e.setup.Cur)
	b.Pos = e.l.region.Pos
	lasts := e.firstLasts()
	state := edge{t: e.zero, accs: e.before(), lasts: lasts, flags: e.noFlags(e.stages[0].lanes), fuel: e.fuel(), phases: e.firstPhases(), held: e.firstHeld(e.stages[0].lanes, true)}
	final := e.merge("end", 1)
	var entry *vir.Value // terminator of the entry, to which later stages still add
	few, first := e.shortcuts(), e.shortRow()
	if first != nil {
		entry = first.emitFirst(e, b, state)
		entry.Remove()
	}
	for i, s := range e.stages {
		if s.seeks > 0 {
			var term *vir.Value
			if term, state = e.seekStage(b, i, state, final); i == 0 {
				entry = term
				term.Remove()
			}
			continue
		}
		next := e.after(i)
		short := few.at(i)
		if first != nil && first.stage == i {
			short = first
		}
		if short != nil {
			b.Jmp(short.to.block)
			short.to.add(state)
			state = e.join(b, short.to)
		}
		done := e.merge(s.behind(), s.lanes)
		ran := done // where the stage leads to
		if e.mayBeAll(i) {
			ran = e.merge("ran", s.lanes)
		}
		skip, with := done, state
		if i == 0 && len(e.reds)+len(e.l.held) > 0 {
			// Few iterations: narrow accumulators from the start.
			skip = e.merge("tail", next)
			with = edge{t: e.zero, accs: e.initial(next), lasts: lasts, flags: e.noFlags(next), fuel: state.fuel, phases: narrowed(e.setup, state.phases, next), held: e.firstHeld(next, false)}
		}
		body := &vir.Block{Name: s.name(), Func: e.f}
		var last *vir.Value // at which a full block may start
		if s.loop {
			last = b.Op(vir.OpSub, e.count.Type, e.count, b.Int(e.count.Type, int64(s.lanes)))
		}
		var rest *vir.Value
		if s.rest {
			rest = e.remaining(b, i, state.t)
		}
		past, enter := skip.block, body
		if i == 0 && len(few) > 0 {
			past = few[0].from
		}
		if i == 0 && e.peels() {
			enter = e.merge("first", s.lanes).block
		}
		term := b.Br(e.unlessAliasing(b, s, e.mayStart(b, i, state, e.fits(b, i, state.t, rest))), enter, past)
		if i == 0 && first == nil {
			entry = term
			term.Remove()
			few.emit(e, b, skip.block, with)
		}
		skip.add(with)
		var stop *merge
		switch {
		case enter != body:
			e.peel(b, s, enter, body, state, ran, last)
		case i == 0 && e.chunk() > 0:
			e.chunks(b, s, body, state, ran, last)
		case e.l.stopsAtExits() && e.lastLoop(i):
			stop = e.merge("stop", s.lanes)
			e.stage(b, s, body, state, ran, stop, block{last: last})
		default:
			e.stage(b, s, body, state, ran, ran, block{last: last, rest: rest})
		}
		if ran != done {
			e.unlessAll(b, s.lanes, ran, done, final)
		}
		if stop != nil && len(stop.edges) > 0 {
			e.leave(b, e.join(b, stop), i == 0, final)
		}
		state = e.fold(b, e.join(b, done), next, i == 0)
		if skip != done {
			b.Jmp(skip.block)
			skip.add(state)
			state = e.join(b, skip)
		}
	}
	if len(final.edges) > 0 {
		b.Jmp(final.block)
		final.add(state)
		state = e.join(b, final)
	}
	e.finish(b, state)
	e.setup.Append(entry)
}

// behind starts the name of the block behind the stage.
func (s stage) behind() string {
	if s.rest {
		return "rested"
	}
	return "done"
}

// fits asks whether stage i has a block of iterations from t on, or is left a rest. Behind blocks of twice as
// many, whose loop has left less than one, a bit of the count says it.
func (e *emitter) fits(b *vir.Builder, i int, t, rest *vir.Value) *vir.Value {
	lanes := max(e.stages[i].lanes, e.stages[i].seeks)
	if rest != nil {
		return b.Cmp(vir.OpIcmpNe, lowBits(b, rest, lanes), b.Int(rest.Type, 0))
	}
	if !e.halves(i) {
		return b.Cmp(vir.OpIcmpSle, e.ahead(b, t, lanes), e.count)
	}
	bit := b.Op(vir.OpAnd, e.count.Type, e.count, b.Int(e.count.Type, int64(lanes)))
	return b.Cmp(vir.OpIcmpNe, bit, b.Int(e.count.Type, 0))
}

// halves reports whether stages up to i are a loop and then half of the block before each. A
// block that could not be done leaves more iterations, never less. The count is that of the
// caller, since others may be negative.
func (e *emitter) halves(i int) bool {
	if i == 0 || e.count.Op != vir.OpParam || e.l.isNest() || !e.stages[0].loop || e.stages[0].lanes&(e.stages[0].lanes-1) != 0 {
		return false
	}
	for k, s := range e.stages[1 : i+1] {
		if s.loop || 2*s.lanes != e.stages[k].lanes {
			return false
		}
	}
	return true
}

// mayBeAll holds for the first stage if others follow and it may leave nothing for them. It holds for others as well where rows
// are short: their lengths are multiples of powers of two more often than not.
func (e *emitter) mayBeAll(i int) bool {
	if i > 0 {
		return e.hasShortRows() && !e.stages[i].loop && 2*e.stages[i].lanes >= fewInRow && len(e.stages) > i+2
	}
	return e.stages[0].loop && len(e.stages) > 2 && !e.l.isNest()
}

// unlessAll goes on behind a stage, or to the end if all iterations are done: the stages that
// follow are many branches to be jumped over.
func (e *emitter) unlessAll(b *vir.Builder, lanes int, ran, done, final *merge) {
	state := e.join(b, ran)
	all := e.merge("all", lanes).block
	b.Br(b.Cmp(vir.OpIcmpEq, state.t, e.count), all, done.block)
	done.add(state)
	e.place(b, all)
	e.leave(b, state, lanes == e.stages[0].lanes, final)
}

// leave goes to the end of the kernel, behind the first stage or a later one.
func (e *emitter) leave(b *vir.Builder, state edge, first bool, final *merge) {
	state = e.fold(b, state, e.l.end(), first)
	b.Jmp(final.block)
	final.add(state)
}

// lastLoop reports whether stage i is the last that repeats.
func (e *emitter) lastLoop(i int) bool {
	return e.stages[i].loop && (i+1 == len(e.stages) || !e.stages[i+1].loop)
}

// mayBeLeft reports whether something in an iteration may end the loop.
func (l *loop) mayBeLeft() bool {
	return slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return v.Op == vir.OpExit })
}

// stopsAtExits reports whether a block that somebody leaves from ends the kernel where
// the last loop of blocks meets it: the scalar code does less than one block then.
func (l *loop) stopsAtExits() bool {
	return !l.isNest() && !l.searches() && l.mayBeLeft()
}

// after is the number of lanes that accumulators have behind stage i.
func (e *emitter) after(i int) int {
	if i+1 < len(e.stages) {
		return e.stages[i+1].lanes
	}
	return e.l.end()
}

// ahead is t + lanes. It does not overflow: t is at most the count, which is at
// most the strip.
func (e *emitter) ahead(b *vir.Builder, t *vir.Value, lanes int) *vir.Value {
	n := b.Int(t.Type, int64(lanes))
	if t == e.zero {
		return n
	}
	return b.Op(vir.OpAdd, t.Type, t, n)
}

// A block is what a stage knows of the iterations it may do.
type block struct {
	last *vir.Value // at which a block may start, of a loop
	rest *vir.Value // how many there are in its low bits, of a rest
}

// stage writes one stage into body. What it leaves behind goes to done, a block that it
// cannot do to stop.
func (e *emitter) stage(b *vir.Builder, s stage, body *vir.Block, in edge, done, stop *merge, of block) {
	e.place(b, body)
	cur := in
	if s.loop {
		cur = e.carried(b, in)
	}
	w := newWidener(e, b, s.lanes, cur.t)
	w.phases, w.held, w.main = cur.phases, cur.held, s == e.stages[0]
	if s.rest {
		w.rest = b.Op(vir.OpPrefix, vir.Mask(s.lanes), lowBits(b, of.rest, s.lanes))
	}
	w.start(cur)
	w.split = func() *vir.Block {
		e.splits++
		return e.merge(fmt.Sprintf("%s.", body.Name), e.splits).block
	}
	w.stop = func(left *vir.Value) {
		late := cur
		late.fuel = left
		b.Jmp(done.block)
		done.add(late)
	}
	w.fail = func(cond *vir.Value, complement bool, lanes *vir.Value) {
		rest := w.split()
		switch {
		case lanes != nil && e.l.searches():
			e.found(b, cond, lanes, cur.t, rest)
		case complement:
			b.Br(cond, rest, stop.block)
			stop.add(cur)
		default:
			b.Br(cond, stop.block, rest)
			stop.add(cur)
		}
		e.place(b, rest)
	}
	out := edge{flags: cur.flags}
	if e.l.isNest() {
		out.fuel = w.nest(cur.fuel)
	} else {
		w.block()
	}
	out.phases, out.held = w.nextPhases(), w.nextHeld()
	for i, r := range e.reds {
		out.accs = append(out.accs, w.accumulate(r, cur.accs[i]))
	}
	for _, last := range e.lasts {
		if l := e.l; last.count == nil && l.inLanes(last.next) && (!l.isLast(last.next) || l.isLocal(last.next)) {
			w.value(last.next)
		}
	}
	if !s.loop {
		out.t, out.lasts = e.ahead(b, in.t, s.lanes), w.lastValues()
		if s.rest {
			out.t = e.count
		}
		b.Jmp(done.block)
		done.add(out)
		return
	}
	out.t = e.ahead(b, cur.t, s.lanes)
	again := b.Cmp(vir.OpIcmpSle, out.t, of.last)
	if out.fuel != nil {
		again = b.Op(vir.OpAnd, again.Type, again, e.goesOn(b, out.fuel))
	}
	if len(e.lasts) == 0 || e.l.hasLaneChecks() {
		out.lasts = w.lastValues()
		e.back(cur, out)
		b.Br(again, body, done.block)
		done.add(out)
		return
	}
	// Nobody asks for last values before the loop ends.
	e.back(cur, out)
	end1 := e.merge("last", s.lanes).block
	b.Br(again, body, end1)
	e.place(b, end1)
	out.lasts = w.lastValues()
	b.Jmp(done.block)
	done.add(out)
}

// searches reports whether a block does nothing but to look: it stores nothing and
// carries nothing that its lanes add to. Then the iterations before the one that
// stops are done as soon as that one is known.
func (l *loop) searches() bool {
	if l.isNest() || l.reductions() > 0 || len(l.lastsOf()) > 0 || len(l.heldPhis()) > 0 {
		return false
	}
	return !slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return v.Op.IsStore() })
}

// found ends the kernel before the first of the lanes that stop, if any does.
//
//	vec128:   %m = ...
//	          %stop = any bool %m
//	          br %stop, found128, rest
//	found128: %k = first i64 %m
//	          ret %t + %k
func (e *emitter) found(b *vir.Builder, stop, lanes, t *vir.Value, rest *vir.Block) {
	e.splits++
	at := e.merge(fmt.Sprintf("found%d.", e.splits), lanes.Type.Lanes).block
	b.Br(stop, at, rest)
	e.place(b, at)
	k := b.Op(vir.OpFirst, vir.Scalar(vir.I64), lanes)
	if t != e.zero {
		k = b.Op(vir.OpAdd, k.Type, t, k)
	}
	b.Ret(k)
}

// back gives the phis of cur, made by carried, their values after a block.
func (e *emitter) back(cur, out edge) {
	cur.t.Args = append(cur.t.Args, out.t)
	if cur.fuel != nil {
		cur.fuel.Args = append(cur.fuel.Args, out.fuel)
	}
	for i, phi := range cur.phases {
		phi.Args = append(phi.Args, out.phases[i])
	}
	eachHeld(cur.held, func(i, k int) *vir.Value {
		phi := cur.held[i][k]
		phi.Args = append(phi.Args, out.held[i][k])
		return phi
	})
	for i, phi := range cur.accs {
		phi.Args = append(phi.Args, out.accs[i])
	}
	if e.l.hasLaneChecks() {
		for i, phi := range cur.lasts {
			phi.Args = append(phi.Args, out.lasts[i])
		}
	}
}

// carried makes phis for what a loop carries; their second operands follow.
func (e *emitter) carried(b *vir.Builder, in edge) edge {
	phi := func(v *vir.Value, name string) *vir.Value {
		p := b.Phi(v.Type)
		p.Name = name
		p.Args = []*vir.Value{v}
		return p
	}
	out := edge{t: phi(in.t, "t"), flags: in.flags, lasts: in.lasts}
	if in.fuel != nil {
		out.fuel = phi(in.fuel, "fuel")
	}
	for i, acc := range in.accs {
		out.accs = append(out.accs, phi(acc, e.reds[i].phi.Name))
	}
	for i, x := range in.phases {
		out.phases = append(out.phases, phi(x, e.phases[i].index.Name))
	}
	out.held = eachHeld(in.held, func(i, k int) *vir.Value { return phi(in.held[i][k], "") })
	if e.l.hasLaneChecks() { // blocks may be handed over
		out.lasts = nil
		for i, x := range in.lasts {
			out.lasts = append(out.lasts, phi(x, e.lasts[i].phi.Name))
		}
	}
	return out
}

// chunks writes the main loop in chunks of blocks, between which narrow
// accumulators are added up:
//
//	chunk128:  %stop = the last start of a block in this chunk
//	vec128:    narrow accumulators from 0
//	flush128:  wide accumulators += narrow ones; another chunk, or done
func (e *emitter) chunks(b *vir.Builder, s stage, chunk *vir.Block, in edge, done *merge, last *vir.Value) {
	i64 := vir.Scalar(vir.I64)
	chunk.Name = fmt.Sprintf("chunk%d", s.lanes)
	e.place(b, chunk)
	cur := e.carried(b, in)
	far := e.ahead(b, cur.t, int(e.chunk()-1)*s.lanes)
	stop := b.Op(vir.OpSmin, i64, far, last)
	inner := edge{t: cur.t, flags: cur.flags, lasts: cur.lasts, phases: cur.phases, held: cur.held, fuel: cur.fuel}
	for i, r := range e.reds {
		acc := cur.accs[i]
		if r.chunked() {
			acc = b.Const(vir.Vec(r.main, s.lanes), 0)
		}
		inner.accs = append(inner.accs, acc)
	}
	body, flush := e.merge("vec", s.lanes).block, e.merge("flush", s.lanes)
	b.Jmp(body)
	e.stage(b, s, body, inner, flush, flush, block{last: stop})
	out := e.join(b, flush)
	for i, r := range e.reds {
		if r.chunked() {
			sum := r.widened(b, out.accs[i], cur.accs[i].Type.Lanes, e.chunk())
			out.accs[i] = b.Op(vir.OpAdd, sum.Type, cur.accs[i], sum)
		}
	}
	again := b.Cmp(vir.OpIcmpSle, out.t, last)
	if len(flush.edges) > 1 { // a check failed: that block will not get better
		again = b.Op(vir.OpAnd, again.Type, again, b.Cmp(vir.OpIcmpSlt, stop, out.t))
	}
	if out.fuel != nil {
		again = b.Op(vir.OpAnd, again.Type, again, e.goesOn(b, out.fuel))
	}
	e.back(cur, out)
	b.Br(again, chunk, done.block)
	done.add(out)
}
