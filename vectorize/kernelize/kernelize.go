// Package kernelize makes a kernel of a region that runs it as it is, iteration by
// iteration. What an iteration may panic at, or leave the loop by, is found out before
// it stores anything:
//
//	header: t, variables                       entry:
//	  br t < n, start, exit                      checks; br ok, body, fail
//	start:                                     body:
//	  checks; br ok, body, exit                  the statements
//	body:                                        ret 1, variables
//	  an iteration; jmp header                 fail:
//	exit:                                        ret 0
//	  ret t, variables
//
//	a loop                                     straight-line code
//
// When a check fails the kernel returns before that iteration, having stored nothing of
// it: the caller does it in the user's code. Checks under a condition are made under it
// if it is known early enough, else in every iteration: failing too often costs time
// only. Those of subscripts that change by a constant are bounds of the call instead. Then
// what no iteration stores may be loaded before the first one: see Loads.
//
// Requires: a region as the frontend makes it; inner loops may run a constant number of
// times. Afterwards the kernel is complete, but for what is assumed of memory: see
// Guard. A body without branches is one block.
//
// Not handled: checks of what is computed from memory that the iteration may have
// changed by then, loops inside whose counts are not constant.
//
// Remarks: slp:LateCheck, slp:InnerLoop, slp:Scalar, and those of trip counts.
package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run makes the kernel of u.
func Run(u *pass.Unit) error {
	m := &maker{u: u, r: u.Region, sc: scev.New(u.Region), f: u.Region.Fn.Clone(), k: &plan.Kernel{}}
	m.k.Fn, m.k.Level = m.f, u.Target.Name
	m.f.InOrder = true
	m.b = vir.NewBuilder(m.f, m.f.Entry())
	m.b.Pos = m.r.Pos
	for _, step := range []func() error{m.shape, m.count, m.trip, m.bounds, m.frame, m.early, m.finish} {
		if err := step(); err != nil {
			return err
		}
	}
	u.Kernel = m.k
	return nil
}

// A maker turns a region's function into a kernel.
type maker struct {
	u  *pass.Unit
	r  *plan.Region // as it was
	sc *scev.Info   // of r
	f  *vir.Func
	k  *plan.Kernel
	b  *vir.Builder

	forest *loops.Forest
	loop   *loops.Loop // of the region
	first  *vir.Block  // of the body
	start  *vir.Block  // where an iteration begins: jumps to first
	fail   *vir.Block  // where iterations go that are handed over
	one    *vir.Value
	times  map[*vir.Block]float64 // how often an iteration runs a block
}

func (m *maker) header() *vir.Block { return m.f.Blocks[1] }
func (m *maker) latch() *vir.Block  { return m.loop.Latches[0] }

// shape refuses what is no scalar region in normal form.
func (m *maker) shape() error {
	m.forest = loops.Find(m.f)
	m.loop = m.forest.Of(m.header())
	l := m.loop
	switch {
	case m.forest.Irreducible || l == nil || l.Header != m.header() || len(l.Latches) != 1:
		return pass.Refuse("slp:Scalar", nil, "the loop has no simple form")
	case slices.ContainsFunc(l.Exits, func(e loops.Edge) bool { return e.From != l.Header }):
		return pass.Refuse("slp:Scalar", nil, "the loop is left from inside")
	}
	for v := range m.f.Values {
		if v.Type.IsVector() || v.Masked {
			return pass.Refuse("slp:Scalar", v, "the code is not scalar any more")
		}
	}
	return nil
}

// trip is how many iterations there are.
func (m *maker) trip() error {
	trip, bounds, err := m.sc.Trip()
	switch {
	case err == nil:
		m.k.Trip, m.k.Bounds = trip, slices.Concat(bounds, m.u.Bounds)
	case m.r.Once:
		m.k.Trip = plan.Trip{Start: plan.Const(0), Limit: plan.Const(1), Step: 1}
	default:
		id := "loopvec:TripCount"
		if r, ok := err.(*scev.Refusal); ok {
			id = r.ID
		}
		return pass.Refuse(id, nil, "%v", err)
	}
	return nil
}

// frame puts what counts iterations around the body.
func (m *maker) frame() error {
	results := m.outs()
	edit.Ahead(m.b, m.f.Entry(), func() { m.one = m.b.Int(vir.Scalar(vir.I64), 1) })
	if m.r.Once {
		m.once(results)
	} else {
		m.iterate(results)
	}
	for _, b := range m.f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, func(v *vir.Value) bool { return v.Op == vir.OpIter })
	}
	return nil
}

// outs says how the variables get their values after a call, and lists the phis of those
// that are results.
func (m *maker) outs() (results []*vir.Value) {
	for i, phi := range m.header().Phis() {
		o := plan.Out{Kind: plan.OutSame}
		original := m.r.Fn.Blocks[1].Phis()[i]
		kind, live := m.sc.Phi(original), m.r.State[i].Live
		a, affine := m.sc.Affine(original)
		switch {
		case kind == scev.Unchanged, !live && (kind == scev.Anew || m.r.Once && !affine):
		case affine:
			o.Kind = plan.OutExpr
			o.Expr = plan.Add(a.Start, plan.Mul(plan.Done(), plan.Const(a.Step)))
		default:
			results = append(results, phi)
			o.Kind, o.Index = plan.OutResult, len(results)
		}
		m.k.Outs = append(m.k.Outs, o)
	}
	m.f.Results = []vir.Type{vir.Scalar(vir.I64)}
	for _, phi := range results {
		m.f.Results = append(m.f.Results, phi.Type)
	}
	return results
}

// once makes straight-line code of the loop: parameters stand for its phis.
func (m *maker) once(results []*vir.Value) {
	h, latch := m.header(), m.latch()
	in, next := h.PredIndex(m.f.Entry()), h.PredIndex(latch)
	m.start, m.first, m.fail = h, h.Succs[0], h.Succs[1]

	done := []*vir.Value{m.one}
	for _, phi := range results {
		done = append(done, phi.Args[next])
	}
	m.cut(latch)
	m.b.Cur = latch
	m.b.Ret(done...)

	m.cut(h)
	m.fail.Insts, m.fail.Preds = nil, nil
	m.b.Cur = m.fail
	none := []*vir.Value{m.b.Int(vir.Scalar(vir.I64), 0)}
	for _, phi := range results {
		none = append(none, m.b.Const(phi.Type, 0))
	}
	m.b.Ret(none...)

	for _, phi := range slices.Clone(h.Phis()) {
		m.f.ReplaceUses(phi, phi.Args[in])
		phi.Remove()
	}
	h.Preds = []*vir.Block{m.f.Entry()}
	m.jump(h, m.first)
}

// cut takes the terminator off b.
func (m *maker) cut(b *vir.Block) {
	b.Insts = b.Insts[:len(b.Insts)-1]
	b.Succs = nil
}

// jump ends h, which lead to first before, with a jump there.
func (m *maker) jump(h, first *vir.Block) {
	first.Preds = slices.DeleteFunc(first.Preds, func(p *vir.Block) bool { return p == m.header() })
	m.b.Cur = h
	m.b.Jmp(first)
}

// iterate counts iterations in the header. What the header computed is computed where an
// iteration starts.
func (m *maker) iterate(results []*vir.Value) {
	f, h, i64 := m.f, m.header(), vir.Scalar(vir.I64)
	m.first, m.fail = h.Succs[0], h.Succs[1]
	n := f.AddParam(f.UnusedName("n"), i64)
	var zero *vir.Value
	edit.Ahead(m.b, f.Entry(), func() { zero = m.b.Int(i64, 0) })

	m.cut(h)
	m.start = edit.InsertBlock(h, "start")
	phis := len(h.Phis())
	for _, v := range h.Insts[phis:] {
		v.Block = m.start
		m.start.Insts = append(m.start.Insts, v)
	}
	h.Insts = h.Insts[:phis:phis]
	m.jump(m.start, m.first)

	m.fail.Insts, m.fail.Preds = nil, nil
	m.b.Cur = h
	t := m.b.Phi(i64)
	t.Args = []*vir.Value{zero, zero}
	m.b.Br(m.b.Cmp(vir.OpIcmpSlt, t, n), m.start, m.fail)
	edit.Ahead(m.b, m.latch(), func() { t.Args[h.PredIndex(m.latch())] = m.b.Op(vir.OpAdd, i64, t, m.one) })
	m.b.Cur = m.fail
	m.b.Ret(append([]*vir.Value{t}, results...)...)
}
