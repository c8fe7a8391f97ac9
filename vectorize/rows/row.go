package rows

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// row puts the kernel of the inner loop in its place, behind the tests:
//
//	pre:   n = iterations; br run, tests, over
//	tests: br ok, next, stop ...
//	       the kernel
//	over:  variables of the inner loop
func (j *joiner) row() {
	pre := j.pre
	pre.Insts = pre.Insts[:len(pre.Insts)-1]
	pre.Succs = nil
	j.b.Cur, j.b.Pos = pre, j.Inner.Pos

	over := edit.InsertBlock(pre, "over")
	run, count := j.count()
	tests := edit.InsertBlock(pre, "row")
	j.asked[run] = j.flat == nil
	j.idle = &vir.Block{Name: "idle", Func: j.fn()} // placed out of the way of rows
	j.b.Br(run, tests, j.idle)
	j.b.Cur = j.idle
	j.store()
	j.b.Jmp(over)
	j.b.Cur = tests
	n, rows := count(), j.one
	if j.flat != nil {
		n, rows = j.fork(n)
		j.n = n
	} else {
		j.n = n
		j.tests()
	}
	j.store()
	results := j.inline(over)
	j.b.Jmp(over)
	j.b.Cur = over
	join := func(none, some *vir.Value) *vir.Value {
		phi := j.b.Phi(some.Type)
		phi.Args = []*vir.Value{none, some}
		return phi
	}
	j.n = join(j.zero, n)
	if j.flat != nil {
		j.rows, j.stays = join(j.one, rows), join(j.wide, j.stays)
	}
	at := j.header.PredIndex(pre)
	for i, phi := range j.phis {
		init := phi.Args[at]
		after := init
		if results[i] != nil {
			after = join(init, results[i])
		}
		j.fn().ReplaceUses(phi, after)
	}
	for k, p := range j.behind.Preds {
		if p == j.header {
			j.behind.Preds[k] = over
		}
	}
	over.Succs = []*vir.Block{j.behind}
	jmp := j.fn().NewValue(vir.OpJmp, vir.Type{})
	jmp.Block = over
	over.Insts = append(over.Insts, jmp)
	j.fn().Blocks = slices.DeleteFunc(j.fn().Blocks, j.loop.Contains)
}

// tests are those of a row, of bounds and overlaps.
func (j *joiner) tests() {
	for _, b := range j.k.Bounds {
		j.bound(b)
	}
	for _, o := range j.k.Overlaps {
		j.overlap(o)
	}
}

// sampled is the length of a row, negative where it is the first one of the call and
// short. That stands for the others: callers that find nothing done wait ever longer
// before they call again.
func (j *joiner) sampled(length *vir.Value, step int64) *vir.Value {
	if !j.unknown {
		return length
	}
	h := j.outerHeader()
	least := j.fn().NewValue(vir.OpPhi, length.Type)
	least.Block, least.Args = h, []*vir.Value{j.zero, j.zero}
	least.Args[h.PredIndex(j.fn().Entry())] = j.constant((j.each() + 1) * step)
	h.Insts = slices.Insert(h.Insts, len(h.Phis()), least)
	return j.op(vir.OpSub, length, least)
}

// exact refuses counters whose end cannot be told from the number of iterations:
// a narrow one that steps over its limit goes on from the other end of its type.
func (j *joiner) exact() error {
	t := j.k.Trip
	if t.Step > maxStep || t.Step < -maxStep {
		return pass.Refuse(id, nil, "the inner loop has a large step")
	}
	if t.Cond == plan.NotEq && t.Step != 1 && t.Step != -1 {
		return pass.Refuse(id, nil, "the inner loop ends by a comparison for inequality")
	}
	strict := t.Cond == plan.Less || t.Cond == plan.Greater || t.Cond == plan.NotEq
	unit := t.Step == 1 || t.Step == -1
	for _, v := range j.header.Insts {
		if v.Op.Info().Rule == vir.RuleIntCmp && v.Args[0].Type != vir.Scalar(vir.I64) && !(strict && unit) {
			return pass.Refuse(id, v, "the counter of the inner loop is narrow")
		}
	}
	for _, b := range j.k.Bounds {
		if b.Step > maxStep || b.Step < -maxStep {
			return pass.Refuse(id, nil, "a subscript of the inner loop has a large step")
		}
	}
	for _, o := range j.k.Overlaps {
		for _, s := range []plan.Stream{o.A, o.B} {
			if s.Step > maxStep || s.Step < -maxStep || s.Stride != nil {
				return pass.Refuse(id, nil, "an access of the inner loop has a large step, or one that is known at run time only")
			}
		}
	}
	return nil
}

// maxStep bounds constant steps, so that a step times the iterations of a row does
// not overflow.
const maxStep = 1 << 24

func (j *joiner) op(op vir.Op, x, y *vir.Value) *vir.Value {
	return j.b.Op(op, vir.Scalar(vir.I64), x, y)
}

func (j *joiner) add(x *vir.Value, c int64) *vir.Value {
	if c == 0 {
		return x
	}
	return j.op(vir.OpAdd, x, j.constant(c))
}

func (j *joiner) scaled(x *vir.Value, c int64) *vir.Value {
	if c == 1 {
		return x
	}
	return j.op(vir.OpMul, x, j.constant(c))
}

// count is the condition that the row has iterations and, for where it holds, their
// number. A row that is too long, or whose counter passes its limit by wrapping
// around, is handed over.
func (j *joiner) count() (run *vir.Value, number func() *vir.Value) {
	t := j.k.Trip
	less := vir.OpIcmpSlt
	lessEq := vir.OpIcmpSle
	if t.Unsigned {
		less, lessEq = vir.OpIcmpUlt, vir.OpIcmpUle
	}
	start, limit := j.expr(t.Start), j.expr(t.Limit)
	from, to, step := start, limit, t.Step
	if step < 0 {
		from, to, step = limit, start, -step
	}
	closed := t.Cond == plan.LessEq || t.Cond == plan.GreaterEq
	switch {
	case t.Cond == plan.NotEq:
		run = j.b.Cmp(vir.OpIcmpNe, start, limit)
	case closed:
		run = j.b.Cmp(lessEq, from, to)
	default:
		run = j.b.Cmp(less, from, to)
	}
	return run, func() *vir.Value {
		if t.Cond == plan.NotEq {
			j.require(j.b.Cmp(less, from, to))
		}
		d := j.op(vir.OpSub, to, from)
		j.require(j.b.Cmp(vir.OpIcmpUlt, j.sampled(d, step), j.constant((j.limit()-1)*step)))
		n := d
		if !closed {
			n = j.add(d, step-1)
		}
		switch {
		case step == 1:
		case step&(step-1) == 0:
			n = j.op(vir.OpLshr, n, j.constant(int64(bits.TrailingZeros64(uint64(step)))))
		default:
			n = j.op(vir.OpUdiv, n, j.constant(step))
		}
		if closed {
			n = j.add(n, 1)
		}
		if closed || step != 1 {
			// The first value behind the row must not satisfy the condition.
			end := j.op(vir.OpAdd, start, j.scaled(n, t.Step))
			x, y := limit, end // x < y: ended
			if t.Step < 0 {
				x, y = end, limit
			}
			ended := lessEq
			if closed {
				ended = less
			}
			j.require(j.b.Cmp(ended, x, y))
		}
		return n
	}
}

// bound hands the row over unless b holds in all of its iterations: in the first and
// in the last one. A row is too short for the last value to wrap around beyond the
// first one.
func (j *joiner) bound(b plan.Bound) {
	start, lo, hi := j.expr(b.Start), j.expr(b.Lo), j.expr(b.Hi)
	if b.Step == 0 {
		j.once(lo, start, vir.OpIcmpSle, b.Lo, b.Start)
		j.once(start, hi, vir.OpIcmpSlt, b.Start, b.Hi)
		return
	}
	end := j.op(vir.OpAdd, start, j.scaled(j.add(j.n, -1), b.Step))
	switch {
	case b.Step > 0 && b.Lo.Op == plan.ExprConst && b.Lo.Const >= 0 && j.isLength(b.Hi):
		// An end that wrapped around is no less than any length, unsigned.
		j.once(lo, start, vir.OpIcmpSle, b.Lo, b.Start)
		j.require(j.b.Cmp(vir.OpIcmpUlt, end, hi))
	case b.Step > 0:
		j.once(lo, start, vir.OpIcmpSle, b.Lo, b.Start)
		j.require(j.b.Cmp(vir.OpIcmpSle, start, end))
		j.require(j.b.Cmp(vir.OpIcmpSlt, end, hi))
	default:
		j.require(j.b.Cmp(vir.OpIcmpSle, lo, end))
		j.require(j.b.Cmp(vir.OpIcmpSle, end, start))
		j.once(start, hi, vir.OpIcmpSlt, b.Start, b.Hi)
	}
}

// once requires a comparison, unless the row has made it already.
func (j *joiner) once(x, y *vir.Value, op vir.Op, a, b *plan.Expr) {
	if a.Op == plan.ExprConst && b.Op == plan.ExprConst && (a.Const < b.Const || a.Const == b.Const && op == vir.OpIcmpSle) {
		return
	}
	key := fmt.Sprint(op, a, b)
	if !j.made[key] {
		j.made[key] = true
		j.require(j.b.Cmp(op, x, y))
	}
}

// isLength reports whether x is the length of something in memory.
func (j *joiner) isLength(x *plan.Expr) bool {
	return x.Op == plan.ExprParam && j.Inner.Fn.IsLength(j.Inner.Fn.Params[x.Param])
}

// overlap hands the row over unless o holds.
func (j *joiner) overlap(o plan.Overlap) {
	d := j.distance(o)
	lo, hi := j.window(o, false), j.window(o, true)
	if o.Disjoint {
		alo, ahi := j.extent(o.A)
		blo, bhi := j.extent(o.B)
		lo, hi = j.op(vir.OpSub, alo, bhi), j.op(vir.OpSub, ahi, blo)
	}
	// lo < d < hi, with one comparison: distances below lo wrap around.
	above := j.op(vir.OpSub, d, j.op(vir.OpAdd, lo, j.one))
	width := j.op(vir.OpSub, hi, j.op(vir.OpAdd, lo, j.one))
	j.require(j.b.Cmp(vir.OpIcmpUle, width, above))
}

// distance is how many bytes the second stream of o begins behind the first one. Where both begin as far behind their pointers, or
// by a constant less, it is the same in all rows.
func (j *joiner) distance(o plan.Overlap) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	from, to := j.b.Op(vir.OpBitcast, i64, j.value(o.A.Param)), j.b.Op(vir.OpBitcast, i64, j.value(o.B.Param))
	if c, ok := scev.Diff(o.B.Off, o.A.Off); ok {
		return j.add(j.op(vir.OpSub, to, from), c)
	}
	return j.op(vir.OpSub, j.op(vir.OpAdd, to, j.expr(o.B.Off)), j.op(vir.OpAdd, from, j.expr(o.A.Off)))
}

// extent is the range of bytes of the row's stream, relative to where it starts.
func (j *joiner) extent(s plan.Stream) (lo, hi *vir.Value) {
	if s.Extent != nil {
		return j.zero, j.expr(s.Extent)
	}
	span := j.scaled(j.add(j.n, -1), s.Step)
	if s.Step < 0 {
		return span, j.constant(s.Size)
	}
	return j.zero, j.add(span, s.Size)
}

// window is an end of an overlap's window. Streams of n iterations are apart at their length, which matters for neighbouring short rows.
func (j *joiner) window(o plan.Overlap, upper bool) *vir.Value {
	end := o.Lo
	if upper {
		end = o.Hi
	}
	bytes, rest, most, ok := o.Beyond(upper)
	if !ok {
		return j.constant(end)
	}
	n := j.op(vir.OpSmin, j.n, j.constant(most))
	if !upper {
		bytes, rest = -bytes, -rest
	}
	return j.add(j.scaled(n, bytes), rest)
}
