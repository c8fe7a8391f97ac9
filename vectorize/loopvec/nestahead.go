package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Checks of an inner loop that counts are made in front of it, for all its turns at once:
//
//	for j := start; j < limit; j++ {      first: s + start    last: s + limit-1
//		sum += x[s+j]
//	}
//
// A subscript is linear in the counter, so that it is extreme in the first and the last turn,
// and in the first and the last lane. Where it would fail in some turn the block is handed
// over, as it would be from within the loop: nothing has been stored. A loop without turns
// passes. Numbers are tested to be so small that nothing wraps on the way: the last counter is
// less than 2**31 behind the first one, and the subscript moves by less than that from turn
// to turn.

// A checkedLoop is an inner loop with the checks that are made in front of it.
type checkedLoop struct {
	count  scev.InnerCount
	checks []*vir.Value
}

// checkedAhead are the loops of a nest with such checks.
func (l *loop) checkedAhead() map[*loops.Loop]*checkedLoop {
	all := make(map[*loops.Loop]*checkedLoop)
	if l.storesMidway() {
		return all // they are made before the block
	}
	for _, f := range l.nest.forest.All {
		if f.Depth == 1 || !l.runsThrough(f) {
			continue
		}
		c := &checkedLoop{}
		var ok bool
		if c.count, ok = l.sc.FixedCount(f); !ok || !l.uniform(c.count.Phi) || !l.nest.scalars[c.count.Phi] || !l.linearIn(c.count.Limit, f, nil) {
			continue
		}
		for _, v := range l.insts {
			if v.Block != f.Header && f.Contains(v.Block) && l.goesAhead(v, f, c.count.Phi) {
				c.checks = append(c.checks, v)
			}
		}
		if len(c.checks) > 0 {
			all[f] = c
		}
	}
	return all
}

// runsThrough reports whether all lanes do f until its condition fails, and all of it in each turn.
func (l *loop) runsThrough(f *loops.Loop) bool {
	for _, b := range l.blocks {
		if !f.Contains(b) {
			continue
		}
		if l.nest.forest.Of(b) != f || b != f.Header && len(b.Succs) != 1 || slices.ContainsFunc(b.Insts, func(v *vir.Value) bool { return v.Op == vir.OpExit }) {
			return false
		}
	}
	return l.uniform(f.Header.Term().Args[0])
}

// goesAhead reports whether check v of f is one of a subscript that moves with the counter alone.
func (l *loop) goesAhead(v *vir.Value, f *loops.Loop, counter *vir.Value) bool {
	if v.Op != vir.OpCheckIndex || v.Masked || l.checkForm(v) != checkLocal && !l.ownLengths(v) || l.movesIn(v.Args[1], f) {
		return false
	}
	moves := func(by *vir.Value) bool { return l.movesIn(by, f) }
	if l.ownLengths(v) {
		return l.linearIn(v.Args[0], f, counter)
	}
	return l.linearIn(v.Args[0], f, counter) && !slices.ContainsFunc(append(l.stepFactors(v.Args[0]), l.stepFactors(v.Args[1])...), moves)
}

// ownLengths reports whether check v is of a subscript that all lanes have in common, against a length of each lane's own.
func (l *loop) ownLengths(v *vir.Value) bool {
	return v.Op == vir.OpCheckIndex && l.checkForm(v) == checkLanes && l.uniform(v.Args[0]) && v.Args[1].Type == vir.Scalar(vir.I64)
}

// movesIn reports whether v is made in f, and not known before.
func (l *loop) movesIn(v *vir.Value, f *loops.Loop) bool {
	known := v.Block == nil || v.Op == vir.OpConst || l.uniform(v) && !l.isLocal(v) || l.ramp(v)
	return !known && f.Contains(v.Block)
}

// linearIn reports whether v is a sum of multiples of the counter and of what f does not change.
func (l *loop) linearIn(v *vir.Value, f *loops.Loop, counter *vir.Value) bool {
	linear := func(a *vir.Value) bool { return l.linearIn(a, f, counter) }
	switch {
	case v.Type != vir.Scalar(vir.I64):
		return false
	case v == counter || !l.movesIn(v, f):
		return true
	case v.Op == vir.OpAdd || v.Op == vir.OpSub || v.Op == vir.OpNeg:
		return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !linear(a) })
	case v.Op == vir.OpMul:
		return linear(v.Args[0]) && !l.movesIn(v.Args[1], f) || linear(v.Args[1]) && !l.movesIn(v.Args[0], f)
	case v.Op == vir.OpShl:
		return v.Args[1].Op == vir.OpConst && linear(v.Args[0])
	}
	return false
}

// smallStep is the limit of what subscripts and counters move by.
const smallStep = int64(1) << 31

// checkAhead makes, at the end of b, the checks of the loop that it leads to.
func (n *nestWriter) checkAhead(b *vir.Block) {
	for _, s := range b.Succs {
		f := n.e.l.nest.forest.Of(s)
		if f == nil || f.Header != s || f.Contains(b) || n.ahead[f] == nil {
			continue
		}
		n.flush()
		n.passAhead(f, n.ahead[f])
	}
}

// isAhead reports whether check v is made in front of its loop.
func (n *nestWriter) isAhead(v *vir.Value) bool {
	c := n.ahead[n.e.l.nest.forest.Of(v.Block)]
	return c != nil && slices.Contains(c.checks, v)
}

// passAhead makes the checks of f for all its turns, if it has any.
func (n *nestWriter) passAhead(f *loops.Loop, c *checkedLoop) {
	b, i64 := n.b, vir.Scalar(vir.I64)
	at := newTurnWriter(n, f, c.count.Phi)
	start, last := at.value(c.count.Start, nil), at.value(c.count.Limit, nil)
	switch c.count.Cond {
	case plan.Less:
		last = b.Op(vir.OpSub, i64, last, b.Int(i64, 1))
	case plan.Greater:
		last = b.Op(vir.OpAdd, i64, last, b.Int(i64, 1))
	}
	low, high := start, last
	if c.count.Step < 0 {
		low, high = last, start
	}
	some, on := n.split(), n.split()
	b.Br(b.Cmp(vir.OpIcmpSlt, high, low), on, some)
	n.e.place(b, some)
	turns := b.Op(vir.OpSub, i64, high, low)
	n.require(b.Cmp(vir.OpIcmpUlt, turns, b.Int(i64, smallStep)))
	switch k := c.count.Step; {
	case k > 1 && k&(k-1) == 0:
		last = b.Op(vir.OpAdd, i64, start, b.Op(vir.OpAnd, i64, turns, b.Int(i64, -k)))
	case k < -1 && k&-k == -k:
		last = b.Op(vir.OpSub, i64, start, b.Op(vir.OpAnd, i64, turns, b.Int(i64, k)))
	}
	for _, v := range c.checks {
		if n.e.l.ownLengths(v) {
			n.passLengths(at.value(v.Args[0], start), at.value(v.Args[0], last), n.value(v.Args[1]))
			continue
		}
		length, index := at.value(v.Args[1], nil), v.Args[0]
		if !at.constantStep(index).ok {
			step := b.Op(vir.OpSub, i64, at.value(index, b.Op(vir.OpAdd, i64, start, b.Int(i64, 1))), at.value(index, start))
			n.require(within(b, step, smallStep))
		}
		n.requireSmallSteps(v)
		for _, turn := range []*vir.Value{start, last} {
			x := at.value(index, turn)
			n.require(b.Cmp(vir.OpIcmpUlt, x, length))
			if !n.e.l.uniformCheck(v) && n.lanes > 1 {
				n.require(b.Cmp(vir.OpIcmpUlt, n.lastLane(x, index), n.lastLane(length, v.Args[1])))
			}
		}
	}
	b.Jmp(on)
	n.e.place(b, on)
}

// passLengths makes checks of two subscripts against lengths in lanes, which are not negative.
func (n *nestWriter) passLengths(x, y, lengths *vir.Value) {
	b, i64 := n.b, vir.Scalar(vir.I64)
	n.require(b.Cmp(vir.OpIcmpSle, b.Int(i64, 0), b.Op(vir.OpSmin, i64, x, y)))
	n.require(b.Cmp(vir.OpIcmpSlt, b.Op(vir.OpBroadcast, lengths.Type, b.Op(vir.OpSmax, i64, x, y)), lengths))
}

// require hands the block over unless ok.
func (n *nestWriter) require(ok *vir.Value) {
	n.ok = ok
	n.flush()
}

// A turnWriter computes what is linear in a counter for a turn of its loop.
type turnWriter struct {
	n       *nestWriter
	f       *loops.Loop
	counter *vir.Value
	written map[[2]*vir.Value]*vir.Value // by value and counter
	steps   map[*vir.Value]turnStep
}

// A turnStep is by what a value moves in a turn, if that is known.
type turnStep struct {
	by int64
	ok bool
}

func newTurnWriter(n *nestWriter, f *loops.Loop, counter *vir.Value) turnWriter {
	return turnWriter{n, f, counter, make(map[[2]*vir.Value]*vir.Value), make(map[*vir.Value]turnStep)}
}

// value is v, in the first lane, when the counter is x.
func (t turnWriter) value(v, x *vir.Value) *vir.Value {
	switch {
	case v == t.counter:
		return x
	case !t.n.e.l.movesIn(v, t.f):
		if l := t.n.e.l; t.n.scal[v] == nil && (l.isLocal(v) || !l.uniform(v)) && v.Op != vir.OpConst {
			panic(fmt.Sprintf("%s in front of a loop is not written yet", v.Inst()))
		}
		return t.n.first(v)
	}
	key := [2]*vir.Value{v, x}
	if t.written[key] == nil {
		w := &vir.Value{Op: v.Op, Type: v.Type, Pos: t.n.b.Pos}
		for _, a := range v.Args {
			w.Args = append(w.Args, t.value(a, x))
		}
		t.written[key] = t.n.b.Append(w)
	}
	return t.written[key]
}

// constantStep is by what v moves when the counter does by one; not ok where only the program knows,
// or where it is not small.
func (t turnWriter) constantStep(v *vir.Value) turnStep {
	s, ok := t.steps[v]
	if !ok {
		s = t.findStep(v)
		t.steps[v] = s
	}
	return s
}

func (t turnWriter) findStep(v *vir.Value) turnStep {
	switch {
	case v == t.counter:
		return turnStep{1, true}
	case !t.n.e.l.movesIn(v, t.f):
		return turnStep{0, true}
	}
	signs := map[vir.Op][]int64{vir.OpAdd: {1, 1}, vir.OpSub: {1, -1}, vir.OpNeg: {-1}}[v.Op]
	var step int64
	for k, sign := range signs {
		x := t.constantStep(v.Args[k])
		if !x.ok {
			return turnStep{}
		}
		step += sign * x.by
	}
	return turnStep{step, len(signs) > 0 && -smallStep < step && step < smallStep}
}
