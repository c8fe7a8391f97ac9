package rows

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Rows that adjoin are done together, as many as are left and as the fuel of a call
// allows; where a test fails that asks about all of them, one after the other.
//
//	row:    br wide, together, single
//	together: rows = min(left, fuel / m); n = rows * m; tests of all rows, else single
//	single: rows = 1; n = m; tests of the row, else hand over
//	go:     the kernel with n; i += rows * step

// asFlat looks whether rows adjoin, and if so gives the region of the inner loop a limit
// that nobody knows: its kernel is to do more iterations than a row has.
func (n *Nest) asFlat() {
	if f := n.flatten(); f != nil && n.limit() != nil {
		n.hide()
		n.flat = f
	}
}

// limit is the operand of the loop condition, in the region of the inner loop, that is
// known before it; nil when there is none.
func (n *Nest) limit() **vir.Value {
	cond := n.Inner.Fn.Blocks[1].Term().Args[0]
	if cond.Op.Info().Rule != vir.RuleIntCmp {
		return nil
	}
	var limit **vir.Value
	for i, a := range cond.Args {
		if a.Op == vir.OpParam || a.Op == vir.OpConst {
			limit = &cond.Args[i]
		}
	}
	return limit
}

// hide makes a parameter of its own of the limit.
func (n *Nest) hide() {
	at := n.limit()
	old := *at
	v := old
	if p := slices.Index(n.Inner.Fn.Params, old); p >= 0 {
		v = n.live[p]
	} else {
		v = n.fn().NewValue(vir.OpConst, old.Type)
		v.Bits = slices.Clone(old.Bits)
		e := n.fn().Entry()
		v.Block = e
		e.Insts = slices.Insert(e.Insts, len(e.Insts)-1, v)
	}
	*at = n.Inner.Fn.AddParam(n.Inner.Fn.UnusedName("limit"), old.Type)
	n.live = append(n.live, v)
}

// fits reports whether rows may be done together with kernel k: what it asks is the same
// for each row, or asked about all of them.
func (f *flat) fits(k *plan.Kernel) bool {
	for _, b := range k.Bounds {
		if _, rowly := f.rowly(b); !rowly && !f.everyRow(b) && !f.allRows(b, false) {
			return false
		}
	}
	for _, o := range k.Overlaps {
		if !f.stream(o.A) || !f.stream(o.B) {
			return false
		}
	}
	return true
}

func (f *flat) stream(s plan.Stream) bool {
	return s.Stride == nil && (s.Extent == nil || f.same(s.Extent)) && f.adjoins(s.Off, s.Step, false)
}

// trip describes the number of iterations of every row.
func (f *flat) trip() plan.Trip {
	return plan.Trip{Cond: plan.Less, Start: plan.Const(0), Limit: f.count, Step: 1}
}

// equations are what has to hold for rows to adjoin.
func (f *flat) equations() (es []plan.Equation) {
	for _, e := range f.equal {
		es = append(es, plan.Equation{X: scev.Simplify(e.x), Y: scev.Simplify(e.y)})
	}
	return es
}

// fork decides between all rows and one, of m iterations, makes the tests of either, and
// leaves the numbers of iterations and of rows.
func (j *joiner) fork(m *vir.Value) (n, rows *vir.Value) {
	together := edit.InsertBlock(j.b.Cur, "together")
	single := edit.InsertBlock(together, "single")
	kernel := edit.InsertBlock(single, "go")
	wide := j.b.Cmp(vir.OpIcmpNe, j.wide, j.zero)
	j.b.Br(wide, together, single)

	j.b.Cur, j.fail = together, single
	left := j.op(vir.OpSub, j.todo, j.t)
	most := j.op(vir.OpUdiv, j.constant(j.limit()-1), m)
	if j.Brief {
		most = j.op(vir.OpSmin, most, j.constant(2))
	}
	rows = j.op(vir.OpSmin, left, most)
	n = j.op(vir.OpMul, rows, m)
	j.together(m, n, rows)
	j.b.Jmp(kernel)

	j.b.Cur, j.fail, j.n = single, j.exit(), m
	j.made = make(map[string]bool)
	if least := j.least(); least > 1 {
		j.require(j.b.Cmp(vir.OpIcmpSle, j.constant(least), m))
	}
	j.tests()
	j.b.Jmp(kernel)

	j.b.Cur = kernel
	join := func(a, b *vir.Value) *vir.Value {
		phi := j.b.Phi(vir.Scalar(vir.I64))
		phi.Args = []*vir.Value{a, b}
		return phi
	}
	n, rows = join(n, m), join(rows, j.one)
	j.stays = join(j.one, j.zero)
	return n, rows
}

// least is the number of iterations from which on a row by itself is worth its tests.
func (j *joiner) least() int64 {
	if j.flat != nil {
		return (3*j.k.Min + 3) / 4
	}
	return j.each()
}

// each is the number of iterations from which on a row is worth those that all rows have: on Zen 4 a row of few elements took
// 6 cycles, which the loop as written needs for two or three of them.
func (j *joiner) each() int64 { return max(3, (j.k.Min+2)/3) }

// together tests that rows of m iterations each adjoin, and what they ask, n iterations
// altogether.
func (j *joiner) together(m, n, rows *vir.Value) {
	f := j.flat
	j.made = make(map[string]bool)
	for _, e := range f.equal {
		j.require(j.b.Cmp(vir.OpIcmpEq, j.outerExpr(e.x), j.outerExpr(e.y)))
	}
	more := j.op(vir.OpSub, rows, j.one)
	for _, c := range f.late {
		j.lastRow(c, more)
	}
	done := make(map[string]bool)
	for _, b := range slices.Concat(j.k.Bounds, f.bounds) {
		key := fmt.Sprint(b.Start, b.Step, b.Lo, b.Hi)
		if done[key] {
			continue
		}
		done[key] = true
		j.n = n
		if f.everyRow(b) {
			j.n = m
		}
		j.bound(b)
		if steps, ok := f.rowly(b); ok {
			j.lastRow(check{j.expr(b.Start), j.expr(b.Hi), steps[0], steps[1]}, more)
		}
	}
	j.n = n
	for _, o := range j.k.Overlaps {
		j.overlap(o)
	}
}

// far bounds what rows add to an index, so that sums over a call's rows do not wrap.
const far = 1 << 40

// lastRow requires of the last row what a check has found out about the first one: what
// changes by a constant holds between them, too.
func (j *joiner) lastRow(c check, more *vir.Value) {
	if c.indexStep.IsConst(0) && c.lengthStep.IsConst(0) {
		return
	}
	j.require(j.b.Cmp(vir.OpIcmpSle, j.zero, c.length))
	at := func(first *vir.Value, step *plan.Expr) *vir.Value {
		if step.IsConst(0) {
			return first
		}
		by := j.outerExpr(step)
		if step.Op != plan.ExprConst || step.Const >= far || step.Const < -far {
			j.require(j.b.Cmp(vir.OpIcmpUlt, j.op(vir.OpAdd, by, j.constant(far)), j.constant(2*far)))
		}
		return j.op(vir.OpAdd, first, j.op(vir.OpMul, more, by))
	}
	index, length := at(c.index, c.indexStep), at(c.length, c.lengthStep)
	j.require(j.b.Cmp(vir.OpIcmpSle, j.zero, length))
	j.require(j.b.Cmp(vir.OpIcmpUlt, index, length))
}

// advance makes the variables of the outer loop, those that count, go on by as many rows
// as were done.
func (j *joiner) advance(rows *vir.Value) {
	h := j.outerHeader()
	back := h.PredIndex(j.latch())
	for _, phi := range h.Phis() {
		step := j.flat.steps[phi]
		switch {
		case step == nil || step.IsConst(0):
		case step.IsConst(1):
			phi.Args[back] = j.op(vir.OpAdd, phi, rows)
		default:
			phi.Args[back] = j.op(vir.OpAdd, phi, j.op(vir.OpMul, rows, j.outerExpr(step)))
		}
	}
}
