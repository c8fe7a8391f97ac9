// Package reroll undoes loop unrolling by hand: a body that consists of G copies of the
// same work becomes one copy, in a loop that runs G times as often.
//
//	for i := 0; i+4 <= n; i += 4 {          for j := range 4 * trips {
//		y[i] += a * x[i]                        y[i0+j] += a * x[i0+j]
//		y[i+1] += a * x[i+1]             ==>    }
//		y[i+2] += a * x[i+2]
//		y[i+3] += a * x[i+3]
//	}
//
// What were groups of strided accesses are neighbours then. Split makes the region of
// the rolled loop; it is vectorized like any other, and Restore makes a kernel for the
// loop as written out of its kernel, which does whole iterations of that one only.
//
// The copies are found from what an iteration does: its stores, whose addresses have
// to go on from copy to copy as they do from iteration to iteration, and its variables,
// each of which has to be handed on from copy to copy. From there all operands are
// compared, copy by copy (match.go): equal operations, equal values that do not change,
// integers and addresses that go on by a G-th of what they change by in an iteration.
// Statements may stand in any order. Where accesses of different copies change places
// by that, they must lie apart (order.go), which is tested at run time if need be.
//
// Subscripts are taken out of the loop: the kernel does iterations for which all of
// them hold, those under a condition too.
//
// Requires: a region behind if-conversion and simplification, with a straight body.
// Not handled: subscripts that are loaded, ways out.
//
// The package knows vir and plans. It must not know how loops are vectorized.
package reroll

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Loop is a region with its copies rolled up.
type Loop struct {
	Region *plan.Region // one copy per iteration
	Copies int64        // of an iteration of the original
	// Turns are states of Region that stand for a variable of each copy: see pass.Unit.
	Turns []int

	original *plan.Region
	trip     plan.Trip
	bounds   []plan.Bound   // of iterations of the original
	overlaps []plan.Overlap // the same
	outs     []plan.Out     // of the original; those of kind OutResult count states of Region
}

// mostCopies is the largest number of copies that is looked for, mostInsts the longest
// body.
const (
	mostCopies = 64
	mostInsts  = 2000
)

// Split is the rolled loop of r, nil when there is none.
func Split(r *plan.Region) *Loop {
	f := r.Fn
	if len(f.Blocks) != 5 || len(f.Blocks[2].Insts) > mostInsts || r.Once {
		return nil
	}
	l := &lifter{region: r, sc: scev.New(r), header: f.Blocks[1], body: f.Blocks[2]}
	trip, bounds, err := l.sc.Trip()
	if err != nil || !l.look() {
		return nil
	}
	for _, g := range l.factors() {
		if out := l.roll(g); out != nil {
			out.trip = trip
			out.bounds = append(slices.Clone(bounds), l.bounds()...)
			return out
		}
	}
	return nil
}

// Unit is what pass.Unit.Copies is to be for Region, 0 where it cannot be that.
func (l *Loop) Unit() int {
	if l.Copies&(l.Copies-1) != 0 {
		return 0
	}
	return int(l.Copies)
}

// A lifter looks for copies in one region.
type lifter struct {
	region *plan.Region
	sc     *scev.Info
	header *vir.Block
	body   *vir.Block

	stores []*vir.Value
	nils   []*vir.Value // checks that are the same in all iterations, not of subscripts
	spans  []span       // of subscripts
	chains []chain
	at     map[*vir.Value]int // position in the body
}

// look finds what an iteration does; false where there is something that cannot be
// rolled, or nothing that could.
func (l *lifter) look() bool {
	l.at = make(map[*vir.Value]int)
	for i, v := range l.body.Insts {
		l.at[v] = i
		switch {
		case v.Op == vir.OpStore:
			l.stores = append(l.stores, v)
		case v.Op == vir.OpCheckIndex:
			if !l.subscript(v) {
				return false
			}
		case v.Op == vir.OpCheckNil && !v.Masked && l.sc.IsInvariant(v.Args[0]):
			l.nils = append(l.nils, v)
		case v.Op == vir.OpIter || v == l.body.Term():
		case v.Op.Info().Effect || v.Op == vir.OpPhi || v.Type.IsVector():
			return false
		}
	}
	for _, v := range l.header.Insts {
		if v.Op.Info().Effect && v != l.header.Term() {
			return false
		}
	}
	l.findChains()
	return len(l.stores)+len(l.chains) > 0
}

// subscript makes a bound of a check.
func (l *lifter) subscript(v *vir.Value) bool {
	a, ok := l.sc.Affine(v.Args[0])
	n, ok2 := l.sc.Invariant(v.Args[1])
	if !ok || !ok2 || a.Width != 64 {
		return false
	}
	for _, b := range append(slices.Clone(a.Wrap), plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(0), Hi: n}) {
		b.Conditional = false
		l.bound(b)
	}
	return true
}

// bound adds b. Of those that differ by where they start only, the first and the last one
// say what the others say.
func (l *lifter) bound(b plan.Bound) {
	for i := range l.spans {
		s := &l.spans[i]
		lo, ok := scev.Diff(s.first.Lo, b.Lo)
		hi, ok2 := scev.Diff(s.first.Hi, b.Hi)
		d, ok3 := scev.Diff(b.Start, s.first.Start)
		e, ok4 := scev.Diff(b.Start, s.last.Start)
		if s.first.Step != b.Step || !ok || !ok2 || !ok3 || !ok4 || lo != 0 || hi != 0 {
			continue
		}
		if d < 0 {
			s.first = b
		} else if e > 0 {
			s.last = b
		}
		return
	}
	l.spans = append(l.spans, span{b, b})
}

// A span is bounds of subscripts at constant distances.
type span struct{ first, last plan.Bound }

// bounds are those of all subscripts.
func (l *lifter) bounds() (bounds []plan.Bound) {
	for _, s := range l.spans {
		if m, ok := l.sc.Merge(s.first, s.last); ok {
			bounds = append(bounds, m)
			continue
		}
		bounds = append(bounds, s.first, s.last)
	}
	return bounds
}

// factors are numbers of copies that the stores and variables of an iteration allow,
// the largest first.
func (l *lifter) factors() (gs []int) {
	most := len(l.chains)
	for _, c := range l.classes() {
		most = max(most, len(c))
	}
	for _, c := range l.chains {
		most = max(most, len(c.values))
	}
	for g := min(most, mostCopies); g > 1; g-- {
		if l.divides(g) {
			gs = append(gs, g)
		}
	}
	return gs
}

func (l *lifter) divides(g int) bool {
	for _, c := range l.classes() {
		if len(c)%g != 0 {
			return false
		}
	}
	return len(l.single(g))%g == 0
}

// single are the variables that g copies do not hand on to each other.
func (l *lifter) single(g int) (cs []chain) {
	for _, c := range l.chains {
		if len(c.values)%g != 0 {
			cs = append(cs, c)
		}
	}
	return cs
}

// A linear is where an access goes: bytes from a pointer, and per iteration.
type linear struct {
	off  *plan.Expr
	step int64
}

// linear is that of v, if it is known before the loop.
func (l *lifter) linear(v *vir.Value) (linear, bool) {
	if !l.sc.IsInvariant(v.Base()) {
		return linear{}, false
	}
	x := v.Index()
	if x == nil {
		return linear{off: plan.Const(v.Disp)}, true
	}
	a, ok := l.sc.Affine(x)
	if !ok || len(a.Wrap) > 0 || a.Width != 64 {
		return linear{}, false
	}
	off := plan.Add(plan.Mul(a.Start, plan.Const(v.Scale)), plan.Const(v.Disp))
	return linear{off: scev.Simplify(off), step: a.Step * v.Scale}, true
}

// classes are the stores that could be copies of each other, by where they go.
func (l *lifter) classes() (cs [][]*vir.Value) {
	for _, s := range l.stores {
		i := slices.IndexFunc(cs, func(c []*vir.Value) bool { return l.alike(c[0], s) })
		if i < 0 {
			cs, i = append(cs, nil), len(cs)
		}
		cs[i] = append(cs[i], s)
	}
	return cs
}

func (l *lifter) alike(s, v *vir.Value) bool {
	if s.Base() != v.Base() || s.Access() != v.Access() {
		return false
	}
	a, ok := l.linear(s)
	b, ok2 := l.linear(v)
	if !ok || !ok2 || a.step != b.step {
		return false
	}
	_, ok = scev.Diff(a.off, b.off)
	return ok
}

// columns are the stores of class c in g copies each: those of the first copy with what
// they are in the others.
func (l *lifter) columns(c []*vir.Value, g int) (cols [][]*vir.Value) {
	first, ok := l.linear(c[0])
	if !ok || first.step == 0 || first.step%int64(g) != 0 {
		return nil
	}
	offs := make([]int64, len(c))
	for i, s := range c {
		a, _ := l.linear(s)
		offs[i], _ = scev.Diff(a.off, first.off)
	}
	return spread(c, offs, g, first.step/int64(g))
}

// spread puts vs, which are at offs, into columns of g, each at distances of by.
func spread(vs []*vir.Value, offs []int64, g int, by int64) (cols [][]*vir.Value) {
	at := make(map[int64][]*vir.Value)
	var order []int64
	for i, v := range vs {
		d := offs[i]
		if by < 0 {
			d = -d
		}
		at[d], order = append(at[d], v), append(order, d)
	}
	by = max(by, -by)
	slices.Sort(order)
	for _, d := range order {
		if len(at[d]) == 0 {
			continue
		}
		var col []*vir.Value
		for k := range int64(g) {
			v := at[d+k*by]
			if len(v) == 0 {
				return nil
			}
			col, at[d+k*by] = append(col, v[0]), v[1:]
		}
		cols = append(cols, col)
	}
	return cols
}
