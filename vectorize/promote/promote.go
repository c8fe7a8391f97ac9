// Package promote keeps an element in a register that every iteration loads and
// stores, as in *p += x[i] or h.count++, or that the next iteration loads where this one
// stores, as in x[i] += x[i-1], or loads behind the counter by which one stores, as in
// if x[i] != x[k-1] { x[k] = x[i]; k++ }.
//
// Split makes a variable of the loop of it, so that the loop has reductions, running
// sums, last values and the like where it had memory. Restore makes a kernel for the
// loop as it was out of the kernel for the other one: it loads the element when it is
// called, and stores it before it returns, if it has changed. Scalar code before and
// behind a call finds it in memory. What the next iteration loads is stored all the same.
//
// Nothing else in the loop may touch the element, which is tested at run time where
// addresses do not tell. What subscripts of elements that stay the same ask for must
// hold for all iterations, also under a condition: a kernel reads the element without
// knowing whether an iteration would.
//
// Requires: a region as the frontend makes it. Where subscripts or trip counts depend on an
// element, as on a position that is a field, callers read it from memory before each call.
// Not handled: such elements of slices, which may have none.
//
// The package knows vir, plans and dependences. It must not know how loops are
// vectorized.
package promote

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Loop is a region with elements in registers.
type Loop struct {
	Region *plan.Region
	// Bounds must hold for every iteration of a kernel of Region.
	Bounds []plan.Bound
	// Names are those of the memory that the elements are in which stay where they are, Along
	// of those that go along with the iterations.
	Names, Along []string

	original *plan.Region
	slots    []*slot
	overlaps []plan.Overlap
}

// A slot is an element that is kept in a register.
type slot struct {
	at       plan.Stream
	typ      vir.Type
	accesses []*vir.Value
	param    int // of the region, with the value before the loop

	// Of an element that goes along with the iterations, at is where one of them loads it
	// that the one before has stored; accesses are the loads.
	along  bool
	stores []*vir.Value
}

// Split finds elements that are stored by several iterations, and makes variables of
// them; nil when there are none, or when something is in the way.
func Split(r *plan.Region) *Loop {
	c := *r
	c.Fn = r.Fn.Clone()
	c.State = slices.Clone(r.State)
	l := &Loop{Region: &c, original: r}
	sc := scev.New(&c)
	dp := dep.Accesses(&c, sc)
	if dp == nil {
		return nil
	}
	l.find(dp)
	l.findAlong(dp, sc)
	l.findKept(dp, sc)
	if len(l.slots) == 0 || l.asked() || !l.apart(dp) {
		return nil
	}
	l.coalesce()
	l.checks(sc)
	for _, s := range l.slots {
		l.rewrite(s)
		names := &l.Names
		if s.along {
			names = &l.Along
		}
		*names = append(*names, c.Fn.Params[s.at.Param].Name)
	}
	return l
}

// find finds the elements that stay where they are.
func (l *Loop) find(dp *dep.Result) {
	stored := make(map[*slot]bool)
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		if !a.Uniform() || len(a.Wrap) > 0 {
			continue
		}
		s := l.slot(a.Stream, a.Inst.Access())
		s.accesses = append(s.accesses, a.Inst)
		stored[s] = stored[s] || a.Store
	}
	l.slots = slices.DeleteFunc(l.slots, func(s *slot) bool { return !stored[s] })
}

func (l *Loop) slot(at plan.Stream, t vir.Type) *slot {
	s := l.known(at, t)
	if s == nil {
		s = &slot{at: at, typ: t}
		l.slots = append(l.slots, s)
	}
	return s
}

// known is the slot that has been found at a place, nil for none.
func (l *Loop) known(at plan.Stream, t vir.Type) *slot {
	for _, s := range l.slots {
		d, ok := scev.Diff(s.at.Off, at.Off)
		if s.at.Param == at.Param && s.at.Step == at.Step && ok && d == 0 && s.typ == t {
			return s
		}
	}
	return nil
}

// asked reports whether the loop asks for a pointer to an element that some iteration
// may do without.
func (l *Loop) asked() bool {
	for v := range l.Region.Fn.Values {
		base := func(s *slot) bool { return l.Region.Fn.Params[s.at.Param] == v.Args[0] }
		if v.Op == vir.OpCheckNil && slices.ContainsFunc(l.slots, base) {
			return true
		}
	}
	return false
}

// apart makes the tests that nothing else touches the elements.
func (l *Loop) apart(dp *dep.Result) bool {
	for i, s := range l.slots {
		if s.along {
			continue // findAlong has tested it
		}
		for k := range dp.Accesses {
			a := &dp.Accesses[k]
			other := l.of(a.Inst)
			if slices.Index(l.slots, other) >= 0 && slices.Index(l.slots, other) <= i || l.Region.Fn.Params[a.Stream.Param].Param.Immutable {
				continue // is tested by the other one
			}
			b, ok := dp.Around(a)
			if !ok {
				return false
			}
			if fields(s.at, b) {
				continue
			}
			if d, ok := scev.Diff(b.Off, s.at.Off); ok && b.Param == s.at.Param && b.Fixed() && meets(d, b.Size, s.at.Size) {
				return false
			}
			l.test(plan.Overlap{A: s.at, B: b, Disjoint: true})
		}
	}
	return true
}

// fields reports whether two streams of one place each are apart in the same memory.
func fields(a, b plan.Stream) bool {
	d, ok := scev.Diff(b.Off, a.Off)
	return ok && a.Param == b.Param && b.Fixed() && !meets(d, b.Size, a.Size)
}

// meets reports whether size bytes d behind others, of which there are so many, are some of them.
func meets(d, size, others int64) bool { return d < others && d+size > 0 }

func (l *Loop) of(v *vir.Value) *slot {
	for _, s := range l.slots {
		if slices.Contains(s.accesses, v) {
			return s
		}
	}
	return nil
}

func (l *Loop) test(o plan.Overlap) {
	if !slices.ContainsFunc(l.overlaps, func(p plan.Overlap) bool { return p.A.Same(&o.A) && p.B.Same(&o.B) }) {
		l.overlaps = append(l.overlaps, o)
	}
}

// checks makes bounds of all checks that are the same in every iteration, where elements stay where
// they are.
func (l *Loop) checks(sc *scev.Info) {
	if !slices.ContainsFunc(l.slots, func(s *slot) bool { return !s.along }) {
		return
	}
	for v := range l.Region.Fn.Values {
		if v.Op != vir.OpCheckIndex {
			continue
		}
		x, ok := sc.Invariant(v.Args[0])
		n, ok2 := sc.Invariant(v.Args[1])
		if ok && ok2 {
			l.Bounds = append(l.Bounds, plan.Bound{Start: x, Lo: plan.Const(0), Hi: n})
		}
	}
}

// rewrite makes a variable of s.
func (l *Loop) rewrite(s *slot) {
	f := l.Region.Fn
	name := f.UnusedName(f.Params[s.at.Param].Name + "_now")
	s.param = len(f.Params)
	init := f.AddParam(name, s.typ)
	l.Region.State = append(l.Region.State, plan.State{Param: s.param, Live: true, Stored: s.along || s.always(f)})
	w := &writer{f: f, s: s, out: make(map[*vir.Block]*vir.Value), to: make(edit.Replaced)}
	phi := w.run(init)
	exit := f.Blocks[len(f.Blocks)-1].Term()
	exit.Args = append(exit.Args, phi)
	f.Results = append(f.Results, s.typ)
}

// always reports whether every iteration stores the element.
func (s *slot) always(f *vir.Func) bool {
	return everyWay(f, slices.DeleteFunc(slices.Clone(s.accesses), func(v *vir.Value) bool { return !v.Op.IsStore() }))
}

// A writer replaces the accesses of a slot by a variable.
type writer struct {
	f    *vir.Func
	s    *slot
	out  map[*vir.Block]*vir.Value // the variable behind a block
	to   edit.Replaced             // what stands for loads, and for phis that are none
	phis []*vir.Value
}

// run gives the phi of the loop's header.
func (w *writer) run(init *vir.Value) *vir.Value {
	w.out[w.f.Entry()] = init
	for _, b := range loops.RPO(w.f) {
		if b != w.f.Entry() && b != w.f.Blocks[len(w.f.Blocks)-1] {
			w.block(b)
		}
	}
	for _, phi := range w.phis {
		for _, p := range phi.Block.Preds {
			phi.Args = append(phi.Args, w.out[p])
		}
	}
	header := w.phis[0]
	w.to.DropTrivial(w.phis[1:])
	for v := range w.f.Values {
		for i, a := range v.Args {
			v.Args[i] = w.to.Now(a)
		}
	}
	return header
}

func (w *writer) block(b *vir.Block) {
	var cur *vir.Value
	if len(b.Preds) == 1 {
		cur = w.out[b.Preds[0]]
	} else {
		cur = w.f.NewValue(vir.OpPhi, w.s.typ)
		cur.Block, cur.Name = b, w.f.Params[w.s.at.Param].Name
		b.Insts = slices.Insert(b.Insts, len(b.Phis()), cur)
		w.phis = append(w.phis, cur)
	}
	for _, v := range slices.Clone(b.Insts) {
		switch {
		case slices.Contains(w.s.stores, v):
			cur = v.Stored()
			continue
		case !slices.Contains(w.s.accesses, v):
			continue
		case v.Op.IsStore():
			cur = v.Stored()
		case w.s.along:
			w.to[v] = w.phis[0]
		default:
			w.to[v] = cur
		}
		v.Remove()
	}
	w.out[b] = cur
}
