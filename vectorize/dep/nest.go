package dep

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loops inside of the region's that store. A block of iterations of the outer loop
// runs them in step: all lanes do iteration u of an inner loop, op by op, and then all
// of them iteration u+1.
//
//	scalar order: (t, u, op)        vector order inside of a block: (u, op, t)
//
// with t the iteration of the outer loop. So access X of iteration t and Y of a later
// iteration t+d of the same block change their order if Y comes before X in (u, op):
// in the language of direction vectors, dependences (<, >) and those (<, =) that lead
// up in the program, for distances d below the number of lanes. That must not happen
// where they touch a common byte.
//
// Addresses are linear in the iterations of all loops around (scev.Nested), with a
// parameter as base. Where all steps are constants the question is decided for every d:
// does an equation in iterations have a solution? (equation.go). Where steps are
// multiples of one that is known at run time only, as the length of a row, a test asks
// for it to be longer than all the rest of the equation can reach.
//
// Memory of different parameters must be disjoint as a whole.

// A nested is an access as a member of a nest.
type nested struct {
	*Access
	index int
	form  scev.Nested // bytes from the parameter
	known bool        // there is a form
	at    [2]int      // place in the program: block, instruction
	loops []*loops.Loop
}

// storesInside reports whether a loop inside of the region's stores.
func (r *Result) storesInside() bool {
	return slices.ContainsFunc(r.Accesses, func(a Access) bool { return a.Store && r.sc.Depth(a.Inst) > 0 })
}

// analyzeNest finds the dependences of a nest with stores in inner loops.
func (r *Result) analyzeNest() {
	r.Nest = true
	r.whole, r.resumes = true, false // accesses in inner loops are more than one per iteration
	var all []nested
	var outside []Access
	for i := range r.Accesses {
		a := &r.Accesses[i]
		all = append(all, r.nested(a, i))
		if r.sc.Depth(a.Inst) == 0 {
			outside = append(outside, *a)
		}
	}
	for i := range outside {
		r.checkSelf(&outside[i])
	}
	families := familiesOf(outside)
	for _, f := range families {
		r.checkKnown(f)
	}
	r.checkPairs(families)
	for j := range all {
		for i := range j + 1 {
			r.nestPair(&all[i], &all[j])
		}
	}
	r.nestSerials(all)
	r.Wrap = distinct(r.Accesses)
}

func (r *Result) nested(a *Access, index int) nested {
	n := nested{Access: a, index: index}
	n.at[0] = slices.Index(r.region.Fn.Blocks, a.Inst.Block)
	n.at[1] = slices.Index(a.Inst.Block.Insts, a.Inst)
	n.loops = r.sc.Around(a.Inst)
	n.form, n.known = r.sc.NestedAddress(a.Inst)
	a.Wrap = append(a.Wrap, n.form.Wrap...)
	if !n.known {
		return n
	}
	if from, last, ok := r.sc.FromFirst(n.form); ok {
		n.form, r.lastIter = from, last
	}
	return n
}

// nestPair looks at two accesses, at least one of them in an inner loop.
func (r *Result) nestPair(a, b *nested) {
	params := r.region.Fn.Params
	p, q := params[a.Stream.Param], params[b.Stream.Param]
	switch {
	case !a.Store && !b.Store, len(a.loops)+len(b.loops) == 0, !mayOverlap(p, q):
		return
	case p != q:
		r.disjoint(alone(a), alone(b))
		return
	case a != b && r.apart(a.Access, b.Access):
		return
	case !a.known || !b.known:
		r.limit(a.Access, b.Access, 1)
		return
	}
	x := newNestTest(r, a, b)
	if !x.steps() {
		r.limit(a.Access, b.Access, 1)
		return
	}
	if d := x.decide(); d < nestLanes {
		r.limitNest(a, b, d)
	}
	for _, f := range x.factors {
		a.Wrap = append(a.Wrap, plan.Bound{Start: f, Lo: plan.Const(-smallFactor), Hi: plan.Const(smallFactor)})
	}
	if x.crossed {
		r.crossed = append(r.crossed, [2]*nested{a, b})
	}
}

// smallFactor bounds numbers of which products are exact.
const smallFactor = 1 << 31

// alone is a family of one access.
func alone(n *nested) *family {
	m := member{Access: n.Access, index: n.index, size: n.Stream.Size, stores: n.Store}
	return &family{first: n.Stream, lead: n.Access, members: []member{m}}
}

// nestLanes is more than the lanes of any block.
const nestLanes = 256

func (r *Result) limitNest(a, b *nested, d int64) {
	if r.MaxLanes != 0 && int64(r.MaxLanes) <= d {
		return
	}
	when := "the next iteration"
	if d > 1 {
		when = fmt.Sprintf("the iteration %d later", d)
	}
	why := fmt.Sprintf("%s uses what a later one of the loop inside stores to %s", when, r.name(a.Inst))
	if a.Inst == b.Inst {
		why = fmt.Sprintf("%s stores to the same element of %s as this one", when, r.name(a.Inst))
	} else if len(a.loops) == 0 || len(b.loops) == 0 || a.loops[0] != b.loops[0] {
		why = fmt.Sprintf("%s uses what this one stores to %s, or the other way round, in another part of the body", when, r.name(a.Inst))
	}
	r.MaxLanes = int(d)
	r.Limit = &scev.Refusal{Pos: r.pos(b.Inst), ID: "dep:Order", Msg: why}
	if d == 1 && r.Refusal == nil {
		r.Refusal = r.Limit
	}
}

// A nestTest asks whether two accesses of one parameter change their order.
type nestTest struct {
	r    *Result
	a, b *nested
	row  *plan.Expr // the step that is known at run time only; nil without any
	// factors are what has to be small for the distance of the starts to be exact, if it is such a multiple.
	factors []*plan.Expr
	apart   int64 // how many lanes apart accesses lie that are being asked about now

	// crossed says that lanes one after the other would keep the order: see nestserial.go.
	crossed bool

	// What is known of expressions that many distances ask about.
	splits map[*plan.Expr]parts
	starts map[[2]*nested]parts
	lasts  map[*loops.Loop]*plan.Expr
}

func newNestTest(r *Result, a, b *nested) *nestTest {
	return &nestTest{
		r: r, a: a, b: b,
		splits: make(map[*plan.Expr]parts), starts: make(map[[2]*nested]parts), lasts: make(map[*loops.Loop]*plan.Expr),
	}
}

// steps finds the step that all steps that are no constants are multiples of, and the distance of the starts is,
// perhaps by numbers that are known at run time only.
func (x *nestTest) steps() bool {
	var all []*plan.Expr
	for _, n := range []*nested{x.a, x.b} {
		for _, t := range n.form.Terms {
			all = append(all, t.Step)
		}
	}
	start := scev.Simplify(plan.Sub(x.b.form.Start, x.a.form.Start))
	if slices.ContainsFunc(append(all, start), scev.Blockwise) {
		return false // lanes begin at numbers that nobody knows beforehand
	}
	fits := func(row *plan.Expr) (ok bool) {
		if slices.ContainsFunc(all, func(e *plan.Expr) bool {
			_, _, ok := scev.Multiple(e, row)
			return !ok
		}) {
			return false
		}
		_, _, x.factors, ok = scev.Multiples(start, row)
		return ok
	}
	if fits(plan.Const(0)) {
		return true
	}
	ends := start // the rows that lie between them
	for i, e := range all {
		if all[i] = upwards(e); e.Op != plan.ExprConst {
			ends = upwards(start)
		}
	}
	for _, e := range append(all, ends) {
		if e.Op != plan.ExprConst && fits(e) {
			x.row = e
			return true
		}
	}
	return false
}

// upwards is e, or -e where that is likely to be the one above 0: loops go down rows as well as up.
func upwards(e *plan.Expr) *plan.Expr {
	if e.Loads() || e.Eval(func(int) int64 { return likely }, 0) >= 0 {
		return e
	}
	return scev.Simplify(plan.Neg(e))
}

// likely is a number that those which are not known are like: not negative.
const likely = 1 << 10

// decide returns the smallest distance d at which the accesses may change their
// order, nestLanes for none.
func (x *nestTest) decide() int64 {
	for d := int64(1); d < nestLanes; d++ {
		x.apart = d
		if x.meet(x.a, x.b, d) || x.a.Inst != x.b.Inst && x.meet(x.b, x.a, d) {
			return d
		}
	}
	if !x.whole(x.a) && !x.whole(x.b) {
		return nestLanes
	}
	x.apart = 0
	return x.anywhere()
}

// whole reports whether a load is done once before all iterations.
func (x *nestTest) whole(n *nested) bool { return len(n.loops) == 0 && n.Uniform() }

// anywhere is 1 if the accesses may meet in any iterations at all.
func (x *nestTest) anywhere() int64 {
	e := x.equation(x.a, x.b)
	e.free(x.a.form.Step(nil), nil, -1)
	e.free(x.b.form.Step(nil), nil, 1)
	for _, l := range x.a.loops {
		e.free(x.a.form.Step(l), l, -1)
	}
	for _, l := range x.b.loops {
		e.free(x.b.form.Step(l), l, 1)
	}
	if e.solvable() {
		return 1
	}
	return nestLanes
}

// meet reports whether f in some iteration and g, d iterations later, touch a common
// byte although the block does g first.
func (x *nestTest) meet(f, g *nested, d int64) bool {
	common := 0
	for common < len(f.loops) && common < len(g.loops) && f.loops[common] == g.loops[common] {
		common++
	}
	if g.before(f) && x.together(f, g, d, common, -1) {
		if !x.laneByLane() {
			return true
		}
		x.crossed = true
	}
	for k := range common {
		if x.together(f, g, d, common, k) {
			return true
		}
	}
	return false
}

func (n *nested) before(m *nested) bool { return slices.Compare(n.at[:], m.at[:]) < 0 }

// together is meet for iterations that are equal in the common loops before loop k,
// while g is in an earlier iteration of that one; equal in all of them for k < 0.
func (x *nestTest) together(f, g *nested, d int64, common, k int) bool {
	e := x.equation(f, g)
	e.add(g.form.Step(nil), d)
	e.both(f.form.Step(nil), g.form.Step(nil), nil)
	e.shorten(0, d)
	for i := range common {
		l := f.loops[i]
		sf, sg := f.form.Step(l), g.form.Step(l)
		switch {
		case k < 0 || i < k:
			e.both(sf, sg, l)
		case i == k:
			// f is in iteration v+1+w, g in v.
			from := len(e.vars)
			e.add(sf, -1)
			if c, row := e.split(sg); c != 0 || row != 0 { // or v and w together are no more than either
				e.both(sf, sg, l)
			}
			e.free(sf, l, -1)
			e.shorten(from, 1) // there is an iteration more than v, and than w
		default:
			e.free(sf, l, -1)
			e.free(sg, l, 1)
		}
	}
	for _, l := range f.loops[common:] {
		e.free(f.form.Step(l), l, -1)
	}
	for _, l := range g.loops[common:] {
		e.free(g.form.Step(l), l, 1)
	}
	return e.solvable()
}

// A RowTest says how many bytes there have to be of something that is known at run time only, the length of a row say.
type RowTest struct {
	Bytes *plan.Expr
	Least int64
}

// RowTests are the tests of rows that a block of so many lanes needs, in an order that is the same for any number.
func (r *Result) RowTests(lanes int) (tests []RowTest) {
	for _, t := range r.rowTests {
		tests = append(tests, RowTest{t.bytes, slices.Max(t.least[:min(lanes, nestLanes)])})
	}
	return tests
}

// rowOverlaps are RowTests as tests of pointers.
func (r *Result) rowOverlaps(lanes int) (tests []plan.Overlap) {
	for i, t := range r.RowTests(lanes) {
		if t.Least == math.MinInt64 {
			continue
		}
		from := plan.Stream{Param: r.rowTests[i].param, Off: plan.Const(0), Size: 1}
		to := from
		to.Off = t.Bytes
		tests = append(tests, plan.Overlap{A: from, B: to, Lo: math.MinInt64, Hi: t.Least})
	}
	return tests
}
