package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Kernels that go on where accesses have met, x[i] -= x[k], as if they were called again: each run of iterations loads what stays
// where it is, and the iteration in which they meet is a run of its own.
//
//	entry:   jmp again
//	again:   %done = phi [0, %after]
//	         %n1 = sub %n, %done              and the counters that far on
//	         ...                              a run, see split.go
//	end:     %after = add %done, %did
//	         br %after < %n, again, out

// A resumed kernel has done so many iterations at the start of each run.
type resumed struct {
	again *vir.Block
	done  *vir.Value
	n     *vir.Value
	steps map[*vir.Value]int64 // of counters, by parameter of the region
}

// resumes reports whether the kernel does: it returns nothing but the iterations done, its calls depend on counters only, and
// its last stage does single iterations.
func (l *loop) resumes() bool {
	switch {
	case len(l.dp.Splits) == 0 || l.partial || l.isNest() || l.copies() > 1 || l.counts() || l.order != nil || l.sought != nil || l.stopsAtExits():
		return false
	case len(l.carries)+len(l.scans)+len(l.series)+len(l.serials)+len(l.members)+len(l.phases())+len(l.heldPhis())+len(l.dp.Updates) > 0:
		return false
	case len(l.demand) > ladderLimit || slices.Contains(l.bounded(), true) || l.u.Peel > 0:
		return false
	}
	for _, s := range l.states {
		if _, ok := l.sc.Affine(s.phi); s.kind != scev.Main && s.kind != scev.Induction || s.red != nil || s.last || s.expr != nil || s.moves || !ok {
			return false
		}
	}
	stays := func(a dep.Access) bool { return a.Store && a.Uniform() }
	return !slices.ContainsFunc(l.dp.Splits, func(s dep.Split) bool { return !s.Resumes }) && !slices.ContainsFunc(l.dp.Accesses, stays)
}

// resume begins the runs.
func (e *emitter) resume() {
	if !e.l.resumes() {
		return
	}
	r := &resumed{again: e.f.NewBlock("again"), n: e.count, steps: make(map[*vir.Value]int64)}
	for _, s := range e.l.states {
		a, _ := e.l.sc.Affine(s.phi)
		r.steps[e.l.initial(s.phi)] = a.Step
	}
	e.setup.Jmp(r.again)
	e.setup.Cur = r.again
	r.done = e.setup.Phi(e.count.Type)
	r.done.Args = []*vir.Value{e.zero}
	e.count = e.setup.Op(vir.OpSub, e.count.Type, r.n, r.done)
	e.resumed = r
}

// now is q, the kernel's parameter for p of the region, as the call would have it that began with this run.
func (e *emitter) now(p, q *vir.Value) *vir.Value {
	if e.resumed == nil || e.resumed.steps[p] == 0 {
		return q
	}
	by := e.setup.Op(vir.OpMul, e.zero.Type, e.resumed.done, e.setup.Int(e.zero.Type, e.resumed.steps[p]))
	if q.Type != by.Type {
		by = e.setup.Op(vir.OpTrunc, q.Type, by)
	}
	return e.setup.Op(vir.OpAdd, q.Type, q, by)
}

// goOn begins another run behind t iterations of this one, if any are left, and gives how many have been done in all.
func (e *emitter) goOn(b *vir.Builder, t *vir.Value) *vir.Value {
	r := e.resumed
	after := b.Op(vir.OpAdd, t.Type, r.done, t)
	r.done.Args = append(r.done.Args, after)
	out := &vir.Block{Name: "out", Func: e.f}
	b.Br(b.Cmp(vir.OpIcmpSlt, after, r.n), r.again, out)
	e.place(b, out)
	return after
}
