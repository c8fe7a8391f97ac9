package dep

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// An equation asks for iterations at which access g is at a byte of access f: for
// numbers n of 0 and above, some with an upper limit, with
//
//	-size of g < c + sum of coef*n < size of f
//
// The constant and the coefficients may have a second part, to be multiplied by the
// row of the test.
type equation struct {
	x      *nestTest
	lo, hi int64 // both excluded
	c, row int64
	vars   []unknown
	ok     bool // everything fits the arithmetic
}

type unknown struct {
	coef, row int64
	last      *plan.Expr // the largest value, nil for none known; may be negative
}

func (x *nestTest) equation(f, g *nested) *equation {
	e := &equation{x: x, lo: -g.Stream.Size, hi: f.Stream.Size}
	ends := [2]*nested{f, g}
	start, known := x.starts[ends]
	if !known {
		var factors []*plan.Expr
		start.row, start.c, factors, start.ok = scev.Multiples(scev.Simplify(plan.Sub(g.form.Start, f.form.Start)), x.rowOrNone())
		start.more = factors != nil
		x.starts[ends] = start
	}
	e.c, e.row, e.ok = start.c, start.row, start.exact()
	if start.more {
		e.vars = append(e.vars, unknown{row: 1}, unknown{row: -1})
	}
	return e
}

// rowOrNone is the row, 0 without any.
func (x *nestTest) rowOrNone() *plan.Expr {
	if x.row == nil {
		return plan.Const(0)
	}
	return x.row
}

// split takes x apart into a constant and a multiple of the row.
func (e *equation) split(x *plan.Expr) (c, row int64) {
	s, known := e.x.splits[x]
	switch {
	case known:
	case x.Op == plan.ExprConst:
		s = parts{c: x.Const, ok: true}
	default:
		s.row, s.c, s.ok = scev.Multiple(x, e.x.rowOrNone())
		e.x.splits[x] = s
	}
	e.ok = e.ok && s.exact()
	return s.c, s.row
}

// parts are a constant and a multiple of the row, and with more another one that is not known; ok says that they are all
// there is.
type parts struct {
	c, row   int64
	more, ok bool
}

// exact reports whether p is all there is, and small.
func (p parts) exact() bool {
	return p.ok && -far < p.c && p.c < far && -far < p.row && p.row < far
}

func (e *equation) add(x *plan.Expr, times int64) {
	c, row := e.split(x)
	e.c += c * times
	e.row += row * times
}

// free adds an iteration of l that nothing else depends on.
func (e *equation) free(step *plan.Expr, l *loops.Loop, times int64) {
	c, row := e.split(step)
	if c == 0 && row == 0 {
		return
	}
	e.vars = append(e.vars, unknown{times * c, times * row, e.x.last(l)})
}

// both adds an iteration of l that f and g are in.
func (e *equation) both(f, g *plan.Expr, l *loops.Loop) {
	cf, rf := e.split(f)
	cg, rg := e.split(g)
	if cf != cg || rf != rg {
		e.vars = append(e.vars, unknown{cg - cf, rg - rf, e.x.last(l)})
	}
}

// shorten takes n off the limits of the unknowns from the given one on.
func (e *equation) shorten(from int, n int64) {
	for i := range e.vars[from:] {
		switch v := &e.vars[from+i]; {
		case v.last == nil:
		case v.last.Op == plan.ExprConst:
			v.last = plan.Const(v.last.Const - n)
		default:
			v.last = scev.Simplify(plan.Add(v.last, plan.Const(-n)))
		}
	}
}

// last is the last iteration of l, nil when it is not known. Iterations of the loop of
// the region are those of the earlier access.
func (x *nestTest) last(l *loops.Loop) *plan.Expr {
	if l == nil {
		return x.r.lastIter
	}
	last, known := x.lasts[l]
	if !known {
		last = x.r.sc.Last(l)
		x.lasts[l] = last
	}
	return last
}

// solvable reports whether there may be a solution. Where there is one unless the row
// is long, it notes how long.
func (e *equation) solvable() bool {
	if !e.ok {
		return true
	}
	bytes, rows := sum{c: e.c}, sum{c: e.row}
	for _, v := range e.vars {
		limit := int64(math.MaxInt64)
		if v.last != nil && v.last.Op == plan.ExprConst {
			if limit = v.last.Const; limit < 0 {
				return false // the loop never runs
			}
		}
		bytes.add(v.coef, limit)
		rows.add(v.row, limit)
	}
	switch {
	case bytes.reaches(e.lo, e.hi) && rows.reaches(-1, 1):
		return true // as many rows forth as back
	case !rows.reaches(math.MinInt64, 0) && !rows.reaches(0, math.MaxInt64):
		return false
	}
	return !e.x.longer(e)
}

// longer asks for a row that is longer than everything else in e can reach. It fails
// when nothing is known of that.
func (x *nestTest) longer(e *equation) bool {
	if x.row == nil {
		return false
	}
	if e.row != 0 && !slices.ContainsFunc(e.vars, func(v unknown) bool { return v.row != 0 }) {
		return x.beyond(e)
	}
	fixed := max(e.c, -e.c) + max(-e.lo, e.hi)
	var up, down reached
	for _, v := range e.vars {
		if !up.add(v.coef, v.last) || !down.add(-v.coef, v.last) {
			return false
		}
	}
	return x.atLeast(1, &up, fixed) && x.atLeast(1, &down, fixed) && x.atLeast(1, &reached{}, 1)
}

// atLeast notes that so many rows must be longer by least bytes than what r reaches. It fails where long rows are not.
func (x *nestTest) atLeast(rows int64, r *reached, least int64) bool {
	bytes := scev.Simplify(plan.Sub(plan.Mul(x.row, plan.Const(rows)), r.sum()))
	least += r.fixed
	switch times, c, ok := scev.Multiple(bytes, x.row); {
	case times < 0:
		return false
	case ok && times == 0:
		return c >= least
	}
	x.require(bytes, least)
	return true
}

// beyond is longer where e has a known number of rows: with more rows forth than back all bytes lie behind those of f.
func (x *nestTest) beyond(e *equation) bool {
	rows, least, sign := e.row, e.hi-e.c, int64(1)
	if rows < 0 {
		rows, least, sign = -e.row, e.c-e.lo, -1
	}
	var back reached
	for _, v := range e.vars {
		if !back.add(-sign*v.coef, v.last) {
			return false
		}
	}
	if times, bytes, ok := scev.Multiple(back.sum(), x.row); ok && rows > times {
		return x.atLeast(1, &reached{}, max(least+back.fixed+bytes, 1)) // more of them are further away
	}
	if rows == 1 {
		return x.atLeast(1, &back, least)
	}
	return x.atLeast(1, &back, max(least, 1-back.fixed)) && x.atLeast(1, &reached{}, 1)
}

// A reached is how many bytes unknowns may reach in one direction: some that are fixed, and times of what is known
// before the loop.
type reached struct {
	fixed int64
	parts []part
}

// A part is times iterations, known before the loop, of so many bytes.
type part struct {
	last  *plan.Expr
	bytes int64
}

// add adds an unknown with a coefficient of coef, of which a negative one reaches nothing. It fails when the unknown may be
// too large.
func (r *reached) add(coef int64, last *plan.Expr) bool {
	switch {
	case coef <= 0:
		return true
	case last == nil:
		return false
	case last.Op == plan.ExprConst:
		r.fixed += coef * last.Const
		return last.Const < far/coef
	}
	for i, p := range r.parts {
		if d, ok := scev.Diff(last, p.last); ok && -far/coef < d && d < far/coef {
			r.parts[i].bytes += coef
			r.fixed += coef * d
			return true
		}
	}
	r.parts = append(r.parts, part{last, coef})
	return true
}

// sum is the bytes that are not fixed.
func (r *reached) sum() *plan.Expr {
	sum := plan.Const(0)
	for _, p := range r.parts {
		sum = plan.Add(sum, plan.Mul(p.last, plan.Const(p.bytes)))
	}
	return sum
}

// A rowTest is a number of bytes in memory of a parameter that has to be at least so many, in blocks where accesses lie so many
// lanes apart.
type rowTest struct {
	param int
	bytes *plan.Expr
	least [nestLanes]int64
}

// require notes that so many bytes must be least or more where accesses lie as far apart as is being asked about.
func (x *nestTest) require(bytes *plan.Expr, least int64) {
	param := x.a.Stream.Param
	for _, t := range x.r.rowTests {
		if d, ok := scev.Diff(bytes, t.bytes); ok && -far < d && d < far && t.param == param {
			t.least[x.apart] = max(t.least[x.apart], least-d)
			return
		}
	}
	t := &rowTest{param: param, bytes: bytes}
	for i := range t.least {
		t.least[i] = math.MinInt64
	}
	t.least[x.apart] = least
	x.r.rowTests = append(x.r.rowTests, t)
}

// A sum is c plus numbers of 0 and above times constants.
type sum struct {
	c     int64
	terms []bounded
}

// bounded is coef times a number from 0 to last, which may be MaxInt64 for any.
type bounded struct{ coef, last int64 }

func (s *sum) add(coef, last int64) {
	if coef != 0 && last != 0 {
		s.terms = append(s.terms, bounded{coef, last})
	}
}

// reaches reports whether s may lie between lo and hi, both excluded.
func (s *sum) reaches(lo, hi int64) bool {
	terms := slices.Clone(s.terms)
	slices.SortFunc(terms, func(a, b bounded) int { return cmp.Compare(size(b.coef), size(a.coef)) })
	return solve(s.c, terms, lo, hi)
}

func size(x int64) int64 { return max(x, -x) }

// mostTries bounds the values of one number that are tried.
const mostTries = 64

// solve is reaches for terms by decreasing coefficients.
func solve(c int64, terms []bounded, lo, hi int64) bool {
	if len(terms) == 0 {
		return lo < c && c < hi
	}
	if !divides(c, terms, lo, hi) {
		return false
	}
	from, to := reach(terms)
	if plusSat(c, to) <= lo || plusSat(c, from) >= hi {
		return false
	}
	// The first number: those for which the others can do the rest.
	t := terms[0]
	from, to = reach(terms[1:])
	if from == math.MinInt64 || to == math.MaxInt64 || lo == math.MinInt64 || hi == math.MaxInt64 {
		return true
	}
	// lo - to < c + coef*n < hi - from
	low, high := plusSat(lo+1-c, -to), plusSat(hi-1-c, -from)
	if t.coef < 0 {
		low, high = -high, -low
	}
	k := size(t.coef)
	first, last := max(0, -number.FloorDiv(-low, k)), min(t.last, number.FloorDiv(high, k))
	if first > last {
		return false
	}
	if last-first >= mostTries {
		return true
	}
	for n := first; n <= last; n++ {
		if solve(c+t.coef*n, terms[1:], lo, hi) {
			return true
		}
	}
	return false
}

// divides reports whether c plus a multiple of what divides all coefficients lies
// between lo and hi.
func divides(c int64, terms []bounded, lo, hi int64) bool {
	if lo == math.MinInt64 || hi == math.MaxInt64 {
		return true
	}
	g := int64(0)
	for _, t := range terms {
		g = number.GCD(g, size(t.coef))
	}
	// The smallest c + k*g above lo.
	return hi-lo > g || c-g*number.FloorDiv(c-lo-1, g) < hi
}

// reach is the least and the largest value of the terms, MinInt64 and MaxInt64 for
// none.
func reach(terms []bounded) (from, to int64) {
	for _, t := range terms {
		x := int64(math.MaxInt64)
		if t.last < far/size(t.coef) {
			x = size(t.coef) * t.last
		}
		if t.coef > 0 {
			to = plusSat(to, x)
		} else {
			from = plusSat(from, -x)
		}
	}
	if from < -far {
		from = math.MinInt64
	}
	if to > far {
		to = math.MaxInt64
	}
	return from, to
}

// plusSat is a + b, or the end of the range that it is behind.
func plusSat(a, b int64) int64 {
	c := a + b
	switch {
	case a > 0 && b > 0 && c < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && c >= 0:
		return math.MinInt64
	}
	return c
}
