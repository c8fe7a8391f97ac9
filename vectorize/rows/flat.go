package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A flat nest is one whose rows adjoin: what a row does is the continuation of what the
// row before does, so that many rows are one long row.
//
//	for i := range n {
//		for j := range m {
//			a[i*m+j] = b[i*m+j] * c     iteration i*m+j of a loop of n*m
//		}
//	}
//
// All rows have the same number m of iterations, and everything that the inner loop
// computes, asks and stores is good: the same in all rows, or linear in the iterations of
// the inner loop with steps s and in those of the outer one with steps s*m, or computed
// from good values, or a variable that the rows hand on to each other. The counter of the
// inner loop by itself is not good; it may be used in good sums, and in checks that are
// the same in all rows. Where steps are not known, such as in a[i*lda+j], equal says what
// has to be.
type flat struct {
	n     *Nest
	outer *scev.Info // of the nest
	inner *scev.Info // of the region of the inner loop

	count  *plan.Expr                // iterations of a row, of live-ins of the nest
	handed map[*vir.Value]bool       // phis of the inner region that rows hand on
	begins map[int]*plan.Expr        // what a row adds to live-in states of the inner region that are handed on
	steps  map[*vir.Value]*plan.Expr // what an iteration adds to the other phis of the outer header
	equal  []sides                   // what must be for rows to adjoin
	bounds []plan.Bound              // subscripts, in all iterations of all rows
	late   []check                   // checks beside the inner loop
	good   map[*vir.Value]bool
}

// sides of an equation, in live-ins of the nest.
type sides struct{ x, y *plan.Expr }

// A check is one of the outer loop's: its index and its length, and how they change.
type check struct {
	index, length         *vir.Value
	indexStep, lengthStep *plan.Expr
}

// A line is an integer that changes by step from row to row, from start, which is nil
// where it is not known.
type line struct{ start, step *plan.Expr }

// flatten looks whether the rows adjoin; nil when not.
func (n *Nest) flatten() *flat {
	f := &flat{
		n: n, outer: scev.New(n.region), inner: scev.New(n.Inner),
		handed: make(map[*vir.Value]bool), begins: make(map[int]*plan.Expr), steps: make(map[*vir.Value]*plan.Expr),
		good: make(map[*vir.Value]bool),
	}
	for _, step := range []func() bool{f.states, f.rowLength, f.handOn, f.counters, f.around, f.body} {
		if !step() {
			return nil
		}
	}
	return f
}

// states finds the variables that rows hand on: their values behind a row are those
// before the next one. Others must not be used behind the row.
func (f *flat) states() bool {
	n := f.n
	h := n.outerHeader()
	back := h.PredIndex(n.latch())
	before := n.header.PredIndex(n.pre)
	for i, phi := range n.phis {
		init := phi.Args[before]
		if init.Op == vir.OpPhi && init.Block == h && init.Args[back] == phi {
			f.handed[f.innerPhis()[i]] = true
			continue
		}
		if n.usedBehind(phi) || phi.Type.Elem.IsInt() && phi.Type != vir.Scalar(vir.I64) {
			return false
		}
	}
	return true
}

func (f *flat) innerPhis() []*vir.Value { return f.n.Inner.Fn.Blocks[1].Phis() }

// rowLength finds how many iterations rows have.
func (f *flat) rowLength() bool {
	t, wrap, err := f.inner.Trip()
	if err != nil || len(wrap) > 0 || t.Unsigned {
		return false
	}
	from, to := t.Start, t.Limit
	if t.Step < 0 {
		from, to = to, from
	}
	x := plan.Sub(to, from)
	if t.Cond == plan.LessEq || t.Cond == plan.GreaterEq {
		x = plan.Add(x, plan.Const(1))
	}
	d, ok := f.line(x)
	if !ok || !d.step.IsConst(0) || d.start == nil || t.Step != 1 && t.Step != -1 {
		return false
	}
	f.count = d.start
	return true
}

// handOn finds what a row adds to the counters among the variables that are handed on.
func (f *flat) handOn() bool {
	for i, phi := range f.innerPhis() {
		if !f.handed[phi] {
			continue
		}
		f.good[phi] = true
		if a, ok := f.inner.Affine(phi); ok && len(a.Wrap) == 0 && a.Width == 64 {
			f.begins[f.n.Inner.State[i].Param] = scev.Simplify(plan.Mul(plan.Const(a.Step), f.count))
		}
	}
	return true
}

// counters finds what iterations add to the variables of the outer loop.
func (f *flat) counters() bool {
	n := f.n
	h := n.outerHeader()
	before := n.header.PredIndex(n.pre)
	for _, phi := range h.Phis() {
		handed := func(p *vir.Value) bool {
			return p.Args[before] == phi && f.handed[f.innerPhis()[slices.Index(n.phis, p)]]
		}
		if slices.ContainsFunc(n.phis, handed) {
			continue
		}
		if phi.Type != vir.Scalar(vir.I64) {
			return false
		}
		x, ok := f.outer.Nested(phi)
		if !ok || len(x.Wrap) > 0 {
			return false
		}
		f.steps[phi] = x.Step(nil)
	}
	return true
}

// around allows nothing beside the inner loop but arithmetic, and checks in front of it.
func (f *flat) around() bool {
	n := f.n
	dom := loops.DomTree(n.fn())
	for _, b := range n.fn().Blocks {
		if n.loop.Contains(b) || b == n.outerHeader() || b == n.exit() {
			continue
		}
		if b.Term().Op != vir.OpJmp {
			return false
		}
		for _, v := range b.Insts {
			switch {
			case v.Op == vir.OpCheckIndex && len(v.Args) == 2 && dom.Dominates(b, n.pre):
				if !f.checkAround(v) {
					return false
				}
			case v.Op == vir.OpIter || v == b.Term():
			case v.Op.Info().Effect || v.Op.Info().Reads:
				return false
			}
		}
	}
	return true
}

func (f *flat) checkAround(v *vir.Value) bool {
	x, ok := f.outer.Nested(v.Args[0])
	y, ok2 := f.outer.Nested(v.Args[1])
	if !ok || !ok2 || len(x.Wrap)+len(y.Wrap) > 0 {
		return false
	}
	f.late = append(f.late, check{v.Args[0], v.Args[1], x.Step(nil), y.Step(nil)})
	return true
}

// body looks at everything that an iteration of the inner loop does.
func (f *flat) body() bool {
	fn := f.n.Inner.Fn
	header := fn.Blocks[1]
	for _, b := range fn.Blocks[2 : len(fn.Blocks)-1] {
		for _, v := range b.Insts {
			if !f.instruction(v) {
				return false
			}
		}
	}
	back := header.PredIndex(fn.Blocks[len(fn.Blocks)-2])
	for _, phi := range header.Phis() {
		if f.handed[phi] && !f.isGood(phi.Args[back]) {
			return false
		}
	}
	return true
}

func (f *flat) instruction(v *vir.Value) bool {
	switch i := v.Op.Info(); {
	case v.Op == vir.OpCheckIndex:
		return f.check(v)
	case v.Op == vir.OpIter:
		return true
	case i.Rule == vir.RuleMemory:
		return f.address(v) && f.allGood(v.Args)
	case i.Effect || i.Term:
		return f.allGood(v.Args)
	}
	return true
}

func (f *flat) allGood(vs []*vir.Value) bool {
	return !slices.ContainsFunc(vs, func(v *vir.Value) bool { return !f.isGood(v) })
}

// check notes the bound of a check in all rows.
func (f *flat) check(v *vir.Value) bool {
	length, ok := f.inner.Invariant(v.Args[1])
	a, ok2 := f.inner.Affine(v.Args[0])
	if !ok || !ok2 || len(a.Wrap) > 0 || a.Width != 64 {
		return false
	}
	b := plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(0), Hi: length}
	if f.everyRow(b) {
		return true
	}
	f.bounds = append(f.bounds, b)
	_, rowly := f.rowly(b)
	return rowly || f.allRows(b, true)
}

// rowly is what rows add to both sides of a bound that is the same in all iterations of
// a row, such as that of the row's number.
func (f *flat) rowly(b plan.Bound) (steps [2]*plan.Expr, ok bool) {
	x, ok := f.line(b.Start)
	y, ok2 := f.line(b.Hi)
	if !ok || !ok2 || b.Step != 0 || !b.Lo.IsConst(0) {
		return steps, false
	}
	return [2]*plan.Expr{x.step, y.step}, true
}

// everyRow reports whether b says the same about all rows.
func (f *flat) everyRow(b plan.Bound) bool { return f.same(b.Start) && f.same(b.Lo) && f.same(b.Hi) }

// allRows reports whether b says about iterations of all rows, one after the other, what
// it says about those of one; perhaps as for adjoins.
func (f *flat) allRows(b plan.Bound, perhaps bool) bool {
	return f.same(b.Lo) && f.same(b.Hi) && f.adjoins(b.Start, b.Step, perhaps)
}

// same reports whether x, of the inner region, is the same for all rows.
func (f *flat) same(x *plan.Expr) bool {
	l, ok := f.line(x)
	return ok && l.step.IsConst(0)
}

// address reports whether an access goes on where the row before has ended.
func (f *flat) address(v *vir.Value) bool {
	base := v.Base()
	p := slices.Index(f.n.Inner.Fn.Params, base)
	if p < 0 || !f.outer.IsInvariant(f.n.live[p]) {
		return false
	}
	f.good[base] = true
	x := v.Index()
	if x == nil || f.isGood(x) {
		return true
	}
	a, ok := f.inner.Affine(x)
	if !ok || len(a.Wrap) > 0 || a.Width != 64 || !f.adjoins(a.Start, a.Step, true) {
		return false
	}
	f.good[x] = true
	return true
}

// isGood reports whether v goes on from row to row.
func (f *flat) isGood(v *vir.Value) bool {
	if g, ok := f.good[v]; ok {
		return g
	}
	f.good[v] = false // a cycle
	g := f.findGood(v)
	f.good[v] = g
	return g
}

func (f *flat) findGood(v *vir.Value) bool {
	if p := slices.Index(f.n.Inner.Fn.Params, v); p >= 0 {
		return f.outer.IsInvariant(f.n.live[p]) || v.Type == vir.Scalar(vir.I64) && f.same(plan.Param(p))
	}
	if a, ok := f.inner.Affine(v); ok && len(a.Wrap) == 0 && a.Width == 64 && f.adjoins(a.Start, a.Step, false) {
		return true
	}
	if v.Op == vir.OpPhi && v.Block == f.n.Inner.Fn.Blocks[1] {
		return false // not handed on
	}
	return f.allGood(v.Args)
}

// adjoins reports whether integers that begin at start in each row, of the inner region,
// and change by step there, go on from row to row. Perhaps: if an equation holds.
func (f *flat) adjoins(start *plan.Expr, step int64, perhaps bool) bool {
	l, ok := f.line(start)
	if !ok {
		return false
	}
	row := scev.Simplify(plan.Mul(plan.Const(step), f.count))
	if d, ok := scev.Diff(l.step, row); ok {
		return d == 0
	}
	if f.assumed(l.step, row) {
		return true
	}
	_, rest, multiple := scev.Multiple(l.step, row)
	if !perhaps || l.step.Op == plan.ExprConst || multiple && rest == 0 {
		return false
	}
	f.equal = append(f.equal, sides{l.step, row})
	return true
}

// assumed reports whether an equation follows from one of those to be tested, of which
// it is a multiple.
func (f *flat) assumed(x, y *plan.Expr) bool {
	return slices.ContainsFunc(f.equal, func(e sides) bool {
		b, c, ok := scev.Multiple(x, e.x)
		b2, c2, ok2 := scev.Multiple(y, e.y)
		return ok && ok2 && c == 0 && c2 == 0 && b == b2
	})
}

// line is an expression of the inner region from row to row.
func (f *flat) line(x *plan.Expr) (line, bool) {
	switch x.Op {
	case plan.ExprConst:
		return line{x, plan.Const(0)}, true
	case plan.ExprParam:
		return f.param(x.Param)
	case plan.ExprNeg:
		return f.sum(plan.Const(0), x.X, -1)
	case plan.ExprAdd:
		return f.sum(x.X, x.Y, 1)
	case plan.ExprSub:
		return f.sum(x.X, x.Y, -1)
	case plan.ExprMul:
		return f.product(x.X, x.Y)
	case plan.ExprSext, plan.ExprZext:
		return f.extension(x)
	}
	return line{}, false
}

func (f *flat) param(p int) (line, bool) {
	if d := f.begins[p]; d != nil {
		return line{nil, d}, true
	}
	v := f.n.live[p]
	if x, ok := f.outer.Invariant(v); ok {
		return line{x, plan.Const(0)}, true
	}
	x, ok := f.outer.Nested(v)
	if !ok || len(x.Wrap) > 0 || len(x.Terms) > 1 || len(x.Terms) == 1 && x.Terms[0].Loop != nil {
		return line{}, false
	}
	return line{x.Start, x.Step(nil)}, true
}

// sum is x + c*y.
func (f *flat) sum(x, y *plan.Expr, c int64) (line, bool) {
	a, ok := f.line(x)
	b, ok2 := f.line(y)
	if !ok || !ok2 {
		return line{}, false
	}
	plus := func(x, y *plan.Expr) *plan.Expr { return scev.Simplify(plan.Add(x, plan.Mul(plan.Const(c), y))) }
	s := line{step: plus(a.step, b.step)}
	if a.start != nil && b.start != nil {
		s.start = plus(a.start, b.start)
	}
	return s, true
}

func (f *flat) product(x, y *plan.Expr) (line, bool) {
	a, ok := f.line(x)
	b, ok2 := f.line(y)
	if !ok || !ok2 {
		return line{}, false
	}
	if !a.step.IsConst(0) {
		a, b = b, a
	}
	if !a.step.IsConst(0) || a.start == nil {
		return line{}, false
	}
	p := line{step: scev.Simplify(plan.Mul(a.start, b.step))}
	if b.start != nil {
		p.start = scev.Simplify(plan.Mul(a.start, b.start))
	}
	return p, true
}

// extension is that of a narrow integer that is the same for all rows.
func (f *flat) extension(x *plan.Expr) (line, bool) {
	l, ok := f.line(x.X)
	if !ok || !l.step.IsConst(0) || l.start == nil {
		return line{}, false
	}
	y := *x
	y.X = l.start
	return line{scev.Simplify(&y), plan.Const(0)}, true
}
