package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// initial are the accumulators before the first block.
func (e *emitter) initial(lanes int) []*vir.Value {
	var accs []*vir.Value
	for _, r := range e.reds {
		t := vir.Vec(r.lane, lanes)
		if e.l.leads(r) {
			accs = append(accs, e.firstInLane(r, lanes))
			continue
		}
		if !r.start {
			accs = append(accs, e.setup.Const(t, r.unit))
			continue
		}
		acc := e.broadcast(e.first(r), e.stages[0].lanes)
		if lanes < acc.Type.Lanes {
			acc = e.setup.Subvec(acc, 0, lanes)
		}
		accs = append(accs, acc)
	}
	return accs
}

// leads reports whether the first value of r's variable is in one lane of the accumulator
// from the start: that of a line has to be multiplied like the others, and that of floats
// would be one more operation to wait for at the end, which takes as long as several others.
func (l *loop) leads(r *reduction) bool {
	_, turns := l.inTurns(r)
	return r.line != nil || !r.start && !turns && r.lane.IsFloat()
}

// firstInLane is the first value of r's variable in a lane, the last one of a line and
// else the first, and what changes nothing in the others.
func (e *emitter) firstInLane(r *reduction, lanes int) *vir.Value {
	most := e.stages[0].lanes
	at, from := 0, 0
	if r.line != nil {
		at, from = most-1, most-lanes
	}
	key := powerKey{r, 0}
	if e.powers[key] == nil {
		units := e.setup.Const(vir.Vec(r.lane, most), r.unit)
		e.powers[key] = e.setup.Insert(units, e.value(e.first(r)), at)
	}
	if lanes == most {
		return e.powers[key]
	}
	return e.setup.Subvec(e.powers[key], from, lanes)
}

// before are the accumulators that enter the first stage: those that it keeps
// narrow are outside of it wide and of the lanes that come next.
func (e *emitter) before() []*vir.Value {
	accs := e.initial(e.stages[0].lanes)
	after := e.initial(e.after(0))
	for i, r := range e.reds {
		if r.chunked() {
			accs[i] = after[i]
		}
	}
	return accs
}

// first is the value of r's variable when the kernel is called, in the region.
func (e *emitter) first(r *reduction) *vir.Value { return e.l.initial(r.phi) }

// The flag of a minimum or maximum by comparisons is the least of the bits, as signed numbers of
// 32, of all accumulators that have been combined. Where the result is a zero it tells whether -0
// was among them: the bits of that are the least number there is. Which of two zeros of different
// sign the scalar loop keeps depends on an order that the lanes do not know; without -0 there is
// no choice. Lanes of 64 bits count with both halves, which finds more than there is. Behind the
// last fold a flag is a bool: -0 may be among them.

// noFlags are the flags before the first block, for accumulators of that many
// lanes.
func (e *emitter) noFlags(lanes int) []*vir.Value {
	flags := make([]*vir.Value, len(e.reds))
	for i, r := range e.reds {
		switch {
		case r.op != vir.OpSelect:
		case lanes <= e.l.end():
			flags[i] = e.setup.Const(vir.Scalar(vir.Bool), 0)
		default:
			flags[i] = e.setup.Const(halves(vir.Vec(r.lane, lanes)), math.MaxInt32)
		}
	}
	return flags
}

// halves is the type of the bits of values of type t, in lanes of 32.
func halves(t vir.Type) vir.Type { return vir.Vec(vir.I32, t.Size()/4) }

// foldFlag is the flag behind a fold of an accumulator to a smaller number of lanes.
func (e *emitter) foldFlag(b *vir.Builder, flag, acc *vir.Value, to int) *vir.Value {
	if acc.Type.Lanes <= to {
		return flag
	}
	flag = b.Op(vir.OpSmin, flag.Type, flag, b.Op(vir.OpBitcast, flag.Type, acc))
	last := to <= e.l.end()
	small := func() bool {
		if last {
			return e.l.target.Parts(flag.Type) == 1
		}
		return flag.Type == halves(vir.Vec(acc.Type.Elem, to))
	}
	for !small() {
		n := flag.Type.Lanes / 2
		lo, hi := b.Subvec(flag, 0, n), b.Subvec(flag, n, n)
		flag = b.Op(vir.OpSmin, lo.Type, lo, hi)
	}
	if !last {
		return flag
	}
	minus := b.Cmp(vir.OpIcmpEq, flag, e.setup.Const(flag.Type, 1<<31))
	return b.Op(vir.OpAny, vir.Scalar(vir.Bool), minus)
}

// fold brings the accumulators from one number of lanes to a smaller one by
// combining halves. main tells the lanes that the main loop left.
func (e *emitter) fold(b *vir.Builder, in edge, to int, main bool) edge {
	out := edge{t: in.t, lasts: in.lasts, fuel: in.fuel, phases: narrowed(b, in.phases, to), held: e.foldHeld(b, in.held, to, main)}
	for i, r := range e.reds {
		acc, flag := in.accs[i], in.flags[i]
		if flag != nil {
			flag = e.foldFlag(b, flag, acc, to)
		}
		for n := acc.Type.Lanes / 2; n >= to; n /= 2 {
			lo, hi := b.Subvec(acc, 0, n), b.Subvec(acc, n, n)
			if r.line != nil {
				lo = b.Op(vir.OpMul, lo.Type, lo, e.power(r, n))
			}
			acc = r.combine(b, lo, hi)
		}
		out.accs = append(out.accs, acc)
		out.flags = append(out.flags, flag)
	}
	return out
}

// combine is x op y for two accumulators.
func (r *reduction) combine(b *vir.Builder, x, y *vir.Value) *vir.Value {
	if r.op != vir.OpSelect {
		return b.Op(r.op, x.Type, x, y)
	}
	p, q := x, y
	if r.swapped {
		p, q = q, p
	}
	return b.Op(vir.OpBlend, x.Type, b.Cmp(r.cmp, p, q), y, x)
}

// finish returns iterations done and results. A result that is a zero of
// ambiguous sign undoes the whole call, which has stored nothing that the scalar
// code would not store again (see loop.replayable).
func (e *emitter) finish(b *vir.Builder, in edge) {
	results := []*vir.Value{in.t}
	var undo *vir.Value
	accs := e.folded(b, in.accs)
	for i, r := range e.reds {
		x := e.keptOf(b, r, e.result(b, r, accs[i], 0, r.phi), in.t)
		if flag := in.flags[i]; flag != nil {
			wrong := b.Op(vir.OpAnd, flag.Type, flag, e.metZero(b, r, x))
			if undo != nil {
				wrong = b.Op(vir.OpOr, undo.Type, undo, wrong)
			}
			undo = wrong
		}
		results = append(results, x)
	}
	results = append(results, in.lasts...)
	results = append(results, e.heldResults(b, in.held)...)
	results = append(results, e.otherResults(b, accs)...)
	if undo != nil {
		kept := &vir.Block{Name: "kept", Func: e.f}
		b.Br(undo, e.noneDone(), kept)
		e.place(b, kept)
	}
	e.f.Results = []vir.Type{vir.Scalar(vir.I64)}
	for i, phi := range e.resultPhis() {
		x := e.returned(b, phi, results[1+i])
		results[1+i] = x
		e.f.Results = append(e.f.Results, x.Type)
	}
	if e.resumed != nil {
		results[0] = e.goOn(b, in.t)
	}
	b.Ret(results...)
	if e.none != nil {
		e.nothing()
	}
}

// metZero asks whether result x of r is a zero that the loop has met: where equal elements
// change nothing it may be the one that it began with.
func (e *emitter) metZero(b *vir.Builder, r *reduction, x *vir.Value) *vir.Value {
	zero := b.Const(x.Type, 0)
	met := b.Cmp(vir.OpFcmpEq, x, zero)
	if r.cmp != vir.OpFcmpLt {
		return met
	}
	return b.Op(vir.OpAnd, met.Type, met, b.Cmp(vir.OpFcmpNe, e.value(e.first(r)), zero))
}

// nothing writes the block for calls that do nothing.
func (e *emitter) nothing() {
	b := vir.NewBuilder(e.f, nil)
	b.Pos = e.l.region.Pos
	e.place(b, e.none)
	results := []*vir.Value{e.zero}
	if e.resumed != nil {
		results[0] = e.resumed.done
	}
	for _, phi := range e.resultPhis() {
		// The parameter itself: the entry may have been left early.
		results = append(results, e.given(phi, e.l.initial(phi)))
	}
	b.Ret(results...)
}
