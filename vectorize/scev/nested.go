package scev

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Nested describes an i64 that is linear in the iterations of the region's loop and
// of loops inside of it: Start plus, for each term, the iterations done times Step.
// Iterations of the region's loop count from the current state, those of a loop
// inside from where it is entered. It holds modulo 2^64, as long as the Wrap bounds do.
type Nested struct {
	Start *plan.Expr
	Terms []Term // one for each loop; none has a Step of 0
	Wrap  []plan.Bound
}

// A Term is the part of one loop; Loop is nil for the loop of the region.
type Term struct {
	Loop *loops.Loop
	Step *plan.Expr
}

// Step is what an iteration of l adds, 0 for nothing.
func (n *Nested) Step(l *loops.Loop) *plan.Expr {
	for _, t := range n.Terms {
		if t.Loop == l {
			return t.Step
		}
	}
	return plan.Const(0)
}

// Nested describes v.
func (s *Info) Nested(v *vir.Value) (Nested, bool) {
	if s.loop == nil {
		return Nested{}, false
	}
	n := s.nestedOf(v)
	if n == nil {
		return Nested{}, false
	}
	return *n, true
}

func (s *Info) nestedOf(v *vir.Value) *Nested {
	n, ok := s.nested[v]
	if !ok {
		s.nested[v] = nil // a cycle is not linear
		n = s.findNested(v)
		s.nested[v] = n
	}
	return n
}

func (s *Info) findNested(v *vir.Value) *Nested {
	if v.Type != vir.Scalar(vir.I64) {
		return nil
	}
	if e, ok := s.Evolution(v); ok {
		n := &Nested{Start: e.Start, Wrap: e.Wrap}
		n.add(Term{nil, e.stepExpr()})
		return n
	}
	switch v.Op {
	case vir.OpLeast:
		return &Nested{Start: s.blockwise(v)}
	case vir.OpPhi:
		return s.counterOf(v)
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpNeg, vir.OpShl:
		return s.nestedArithmetic(v)
	}
	return nil
}

// Loops are all loops of the region, its own one included.
func (s *Info) Loops() *loops.Forest {
	if s.forest == nil {
		s.forest = loops.Find(s.region.Fn)
	}
	return s.forest
}

// Inner is the loop that v, a phi of its header, counts, with the value before it and
// the constant that each iteration adds; nil when v does something else.
func (s *Info) Inner(v *vir.Value) (l *loops.Loop, start *vir.Value, step int64) {
	l = s.Loops().Of(v.Block)
	if v.Op != vir.OpPhi || l == nil || l.Header != v.Block || len(v.Args) != 2 || v.Block == s.header || len(l.Latches) != 1 {
		return nil, nil, 0
	}
	k := v.Block.PredIndex(l.Latches[0])
	for x := v.Args[k]; ; {
		switch {
		case x == v:
			return l, v.Args[1-k], step
		case x.Op != vir.OpAdd && x.Op != vir.OpSub:
			return nil, nil, 0
		}
		y, c, ok := ConstantTerm(x)
		if !ok {
			return nil, nil, 0
		}
		x, step = y, step+c
	}
}

func (s *Info) counterOf(v *vir.Value) *Nested {
	l, start, step := s.Inner(v)
	if l == nil {
		return nil
	}
	n := s.nestedOf(start)
	if n == nil {
		return nil
	}
	sum := &Nested{Start: n.Start, Terms: slices.Clone(n.Terms), Wrap: n.Wrap}
	sum.add(Term{l, plan.Const(step)})
	return sum
}

func (s *Info) nestedArithmetic(v *vir.Value) *Nested {
	x, y := s.nestedOf(v.Args[0]), &Nested{Start: plan.Const(0)}
	if len(v.Args) == 2 {
		y = s.nestedOf(v.Args[1])
	}
	if x == nil || y == nil {
		return nil
	}
	sum := &Nested{Start: plan.Const(0), Wrap: append(slices.Clip(x.Wrap), y.Wrap...)}
	switch v.Op {
	case vir.OpAdd:
		sum.plus(x, plan.Const(1))
		sum.plus(y, plan.Const(1))
	case vir.OpSub:
		sum.plus(x, plan.Const(1))
		sum.plus(y, plan.Const(-1))
	case vir.OpNeg:
		sum.plus(x, plan.Const(-1))
	case vir.OpShl:
		c, ok := shiftCount(v)
		if !ok {
			return nil
		}
		sum.plus(x, plan.Const(1<<c))
	case vir.OpMul:
		if len(x.Terms) > 0 {
			x, y = y, x
		}
		if len(x.Terms) > 0 || Blockwise(x.Start) {
			return nil
		}
		sum.plus(y, x.Start)
	}
	return sum
}

// plus adds c*m.
func (n *Nested) plus(m *Nested, c *plan.Expr) {
	n.Start = Simplify(plan.Add(n.Start, plan.Mul(m.Start, c)))
	for _, t := range m.Terms {
		n.add(Term{t.Loop, plan.Mul(t.Step, c)})
	}
}

// add adds t.
func (n *Nested) add(t Term) {
	at := slices.IndexFunc(n.Terms, func(u Term) bool { return u.Loop == t.Loop })
	if at < 0 {
		at = len(n.Terms)
		n.Terms = append(n.Terms, Term{t.Loop, plan.Const(0)})
	}
	step := Simplify(plan.Add(n.Terms[at].Step, t.Step))
	n.Terms[at].Step = step
	if step.Op == plan.ExprConst && step.Const == 0 {
		n.Terms = slices.Delete(n.Terms, at, at+1)
	}
}

// NestedAddress is the address of access v relative to a parameter, in bytes.
func (s *Info) NestedAddress(v *vir.Value) (Nested, bool) {
	sum := &Nested{Start: plan.Const(v.Disp)}
	add := func(x *vir.Value, scale int64) bool {
		n, ok := s.Nested(x)
		if ok {
			sum.Wrap = append(sum.Wrap, n.Wrap...)
			sum.plus(&n, plan.Const(scale))
		}
		return ok
	}
	if x := v.Index(); x != nil && !add(x, v.Scale) {
		return Nested{}, false
	}
	base := v.Base()
	for ; base.Op == vir.OpPtradd; base = base.Args[0] {
		if !add(base.Args[1], 1) {
			return Nested{}, false
		}
	}
	return *sum, base.Op == vir.OpParam
}

// FromFirst is n with iterations of the region's loop counted from where it is first
// entered, and the last of them, nil when it is not known. Unlike those from the
// current state they are numbers that accesses by different steps have in common. It
// fails when the main induction does not count up from a constant.
func (s *Info) FromFirst(n Nested) (from Nested, last *plan.Expr, ok bool) {
	t := s.count
	if t == nil || t.refusal != nil || t.Step != 1 || !s.Natural(Affine{Start: t.Start, Step: 1, Width: 64}) {
		return n, nil, false
	}
	init := s.region.State[slices.Index(s.header.Phis(), t.main)].Init
	from = n
	done := plan.Sub(t.Start, plan.Const(*init))
	from.Start = Simplify(plan.Sub(n.Start, plan.Mul(n.Step(nil), done)))
	if t.Limit.Op == plan.ExprConst { // others may be so large that sums wrap
		last = plan.Const(t.Limit.Const - *init - 1)
	}
	return from, last, true
}

// Depth is the number of loops around v, the region's not counted.
func (s *Info) Depth(v *vir.Value) int { return len(s.Around(v)) }

// Around are the loops around v, outer ones first, without that of the region.
func (s *Info) Around(v *vir.Value) []*loops.Loop {
	var all []*loops.Loop
	for l := s.Loops().Of(v.Block); l != nil && l.Header != s.header; l = l.Parent {
		all = append(all, l)
	}
	slices.Reverse(all)
	return all
}

// Multiple writes x as b*p + c with constants b and c.
func Multiple(x, p *plan.Expr) (b, c int64, ok bool) {
	l, m := linearOf(x), linearOf(p)
	if len(l.terms) == 0 {
		return 0, l.k, true
	}
	if len(m.terms) == 0 || m.terms[0].coef == 0 {
		return 0, 0, false
	}
	for _, t := range l.terms {
		if t.key == m.terms[0].key {
			b = t.coef / m.terms[0].coef
		}
	}
	rest := l.plus(m, -b)
	return b, rest.k, len(rest.terms) == 0
}

// Multiples is Multiple where x may have products of p by other numbers as well: x is b*p + c + n*p for some number n, which
// is exact while all of factors are small. Without such products there are none.
func Multiples(x, p *plan.Expr) (b, c int64, factors []*plan.Expr, ok bool) {
	if b, c, ok := Multiple(x, p); ok {
		return b, c, nil, true
	}
	l, m := linearOf(x), linearOf(p)
	if len(m.terms) != 1 || m.k != 0 {
		return 0, 0, nil, false
	}
	row := m.terms[0]
	for _, t := range l.terms {
		switch n := cofactor(t.atom, row.key); {
		case t.coef%row.coef != 0:
			return 0, 0, nil, false
		case t.key == row.key:
			b = t.coef / row.coef
		case n == nil:
			return 0, 0, nil, false
		default:
			factors = append(factors, n, row.atom)
		}
	}
	return b, l.k, factors, true
}

// cofactor is the other factor of e, a product of two of which one has the text of key; nil for others.
func cofactor(e *plan.Expr, key string) *plan.Expr {
	fs := factors(e)
	if len(fs) != 2 {
		return nil
	}
	for i, f := range fs {
		if f.String() == key {
			return fs[1-i]
		}
	}
	return nil
}
