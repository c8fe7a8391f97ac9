package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Iterations up to the one in which two accesses meet: a[i] = a[k] + b[i].
//
//	entry:   %d = address of a[k] - address of a[i]
//	         %room = sub %d, size
//	         %before = %room / step + 1             iterations before they meet
//	         %n1 = smin %n, (0 <= %room ? %before : %d <= -size ? all : none)
//
// The scalar code does the iterations in which they meet, and calls again, unless the kernel resumes.

// untilMet limits the iterations of the call.
func (e *emitter) untilMet() {
	i64 := vir.Scalar(vir.I64)
	b := e.setup
	for _, s := range e.l.dp.Splits {
		d := b.Op(vir.OpSub, i64, e.startOf(s.Down), e.startOf(s.Up))
		room := b.Op(vir.OpSub, i64, d, b.Int(i64, s.Up.Stream.Size))
		before := b.Op(vir.OpAdd, i64, e.quotient(room, s.Speed), b.Int(i64, 1))
		passed := b.Cmp(vir.OpIcmpSle, d, b.Int(i64, -s.Down.Stream.Size))
		met := e.zero
		if e.resumed != nil {
			met = b.Int(i64, 1)
		}
		behind := b.Op(vir.OpSelect, i64, passed, b.Int(i64, math.MaxInt64), met)
		limit := b.Op(vir.OpSelect, i64, b.Cmp(vir.OpIcmpSle, e.zero, room), before, behind)
		e.count = b.Op(vir.OpSmin, i64, e.count, limit)
	}
}

// startOf is the address of an end in the first iteration.
func (e *emitter) startOf(x dep.End) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	ptr, disp := e.base(x.Stream)
	at := e.setup.Op(vir.OpBitcast, i64, ptr)
	if disp != 0 {
		at = e.setup.Op(vir.OpAdd, i64, at, e.setup.Int(i64, disp))
	}
	if x.Index != nil {
		at = e.setup.Op(vir.OpAdd, i64, at, e.setup.Op(vir.OpMul, i64, e.value(x.Index), e.setup.Int(i64, x.Scale)))
	}
	return at
}

// quotient is x / c of an x that is not negative; of others it does not matter.
func (e *emitter) quotient(x *vir.Value, c int64) *vir.Value {
	for k := range 62 {
		if c == 1<<k {
			return e.setup.Op(vir.OpAshr, x.Type, x, e.setup.Int(x.Type, int64(k)))
		}
	}
	return e.setup.Op(vir.OpSdiv, x.Type, x, e.setup.Int(x.Type, c))
}

// onlyMeets reports whether calls stop early where accesses meet, and for nothing else
// that one iteration would not get them over.
func (l *loop) onlyMeets() bool {
	conditional := func(b plan.Bound) bool { return b.Conditional }
	undoes := func(s state) bool { return s.red != nil && s.red.op == vir.OpSelect }
	lanes := func(v *vir.Value) bool { return v.Op.IsCheck() && l.laneCheck(v) }
	return !slices.ContainsFunc(l.bounds, conditional) && !slices.ContainsFunc(l.states, undoes) && !slices.ContainsFunc(l.insts, lanes)
}
