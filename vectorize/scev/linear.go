package scev

import (
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir/plan"
)

// A linear is the canonical form of an expression: k plus the sum of coef*atom,
// modulo 2^64. Atoms are live-ins, extensions, quotients and products; terms are sorted by
// the text of their atom and have coefficients other than 0.
type linear struct {
	k     int64
	terms []term
}

type term struct {
	key  string
	atom *plan.Expr
	coef int64
}

func linearOf(e *plan.Expr) linear {
	switch e.Op {
	case plan.ExprConst:
		return linear{k: e.Const}
	case plan.ExprAdd:
		return linearOf(e.X).plus(linearOf(e.Y), 1)
	case plan.ExprSub:
		return linearOf(e.X).plus(linearOf(e.Y), -1)
	case plan.ExprNeg:
		return linear{}.plus(linearOf(e.X), -1)
	case plan.ExprMul:
		return product(linearOf(e.X), linearOf(e.Y))
	case plan.ExprSext, plan.ExprZext:
		return extension(e.Op, lowBits(linearOf(e.X), e.Bits), e.Bits)
	}
	switch e.Op {
	case plan.ExprAnd:
		x, y := Simplify(e.X), Simplify(e.Y)
		if x.String() > y.String() {
			x, y = y, x
		}
		return atomOrConst(plan.And(x, y))
	case plan.ExprRem:
		return atomOrConst(plan.Rem(Simplify(e.X), Simplify(e.Y)))
	case plan.ExprLess:
		return atomOrConst(plan.IsLess(Simplify(e.X), Simplify(e.Y)))
	case plan.ExprQuo:
		e = plan.Quo(linearOf(e.X).expr(), Simplify(e.Y))
		if e.Op != plan.ExprQuo {
			return linearOf(e)
		}
	}
	return atom(e)
}

func atomOrConst(e *plan.Expr) linear {
	if e.Op == plan.ExprConst {
		return linear{k: e.Const}
	}
	return atom(e)
}

func atom(e *plan.Expr) linear {
	return linear{terms: []term{{e.String(), e, 1}}}
}

// plus is l + c*m.
func (l linear) plus(m linear, c int64) linear {
	sum := linear{k: l.k + c*m.k}
	sum.terms = append(sum.terms, l.terms...)
	for _, t := range m.terms {
		t.coef *= c
		sum.terms = append(sum.terms, t)
	}
	sum.merge()
	return sum
}

func (l *linear) merge() {
	slices.SortStableFunc(l.terms, func(a, b term) int { return strings.Compare(a.key, b.key) })
	out := l.terms[:0]
	for _, t := range l.terms {
		if n := len(out); n > 0 && out[n-1].key == t.key {
			out[n-1].coef += t.coef
		} else {
			out = append(out, t)
		}
	}
	l.terms = slices.DeleteFunc(out, func(t term) bool { return t.coef == 0 })
}

// maxProduct is the largest number of terms of a product that is written out, and maxNodes how large these may be: each term of one side is repeated for
// each of the other, and those of products of products again and again.
const (
	maxProduct = 16
	maxNodes   = 400
)

// product is l*m, written out term by term.
func product(l, m linear) linear {
	if len(l.terms) == 0 {
		l, m = m, l
	}
	switch {
	case len(m.terms) == 0:
		return linear{}.plus(l, m.k)
	case (len(l.terms)+1)*(len(m.terms)+1) > maxProduct, l.nodes()*(len(m.terms)+1)+m.nodes()*(len(l.terms)+1) > maxNodes:
		return atom(multiply([]*plan.Expr{l.expr(), m.expr()}))
	}
	p := linear{k: l.k * m.k}
	for _, t := range l.terms {
		p = p.plus(linear{terms: []term{t}}, m.k)
	}
	for _, u := range m.terms {
		p = p.plus(linear{terms: []term{u}}, l.k)
		for _, t := range l.terms {
			p = p.plus(atom(multiply(append(factors(t.atom), factors(u.atom)...))), t.coef*u.coef)
		}
	}
	return p
}

// nodes is the size of the terms.
func (l linear) nodes() (n int) {
	for _, t := range l.terms {
		t.atom.Has(func(*plan.Expr) bool { n++; return n > maxNodes })
	}
	return n
}

// factors are what an atom is the product of.
func factors(e *plan.Expr) []*plan.Expr {
	if e.Op == plan.ExprMul {
		return append(factors(e.X), factors(e.Y)...)
	}
	return []*plan.Expr{e}
}

// multiply is the product of xs, equal for equal xs in any order.
func multiply(xs []*plan.Expr) *plan.Expr {
	slices.SortStableFunc(xs, func(a, b *plan.Expr) int { return strings.Compare(a.String(), b.String()) })
	e := xs[0]
	for _, x := range xs[1:] {
		e = plan.Mul(e, x)
	}
	return e
}

// lowBits brings l, of which only the low bits count, to one form: constants
// sign-extended, extensions of at least those bits as sign extensions.
func lowBits(l linear, bits int) linear {
	low := linear{k: signExtend(l.k, bits)}
	for _, t := range l.terms {
		if t.atom.Op == plan.ExprZext && t.atom.Bits >= bits {
			t.atom = plan.Sext(t.atom.X, t.atom.Bits)
			t.key = t.atom.String()
		}
		t.coef = signExtend(t.coef, bits)
		low.terms = append(low.terms, t)
	}
	low.merge()
	return low
}

// extension extends the low bits of l, already in the form of lowBits.
func extension(op plan.ExprOp, l linear, bits int) linear {
	if len(l.terms) == 0 {
		if op == plan.ExprZext {
			return linear{k: zeroExtend(l.k, bits)}
		}
		return l
	}
	x := l.expr()
	if x.Op == plan.ExprSext && x.Bits == bits {
		x = x.X
	}
	return atom(&plan.Expr{Op: op, X: x, Bits: bits})
}

// expr builds the expression: positive terms first, the constant last.
func (l linear) expr() *plan.Expr {
	var e *plan.Expr
	for _, t := range l.terms {
		switch {
		case t.coef < 0:
		case e == nil:
			e = plan.Mul(t.atom, plan.Const(t.coef))
		default:
			e = plan.Add(e, plan.Mul(t.atom, plan.Const(t.coef)))
		}
	}
	for _, t := range l.terms {
		if t.coef < 0 {
			x := plan.Mul(t.atom, plan.Const(-t.coef))
			if e == nil {
				e = plan.Neg(x)
			} else {
				e = plan.Sub(e, x)
			}
		}
	}
	if e == nil {
		return plan.Const(l.k)
	}
	return plan.Add(e, plan.Const(l.k))
}

// Diff is x - y when that is a constant (modulo 2^64).
func Diff(x, y *plan.Expr) (int64, bool) {
	d := linearOf(x).plus(linearOf(y), -1)
	return d.k, len(d.terms) == 0
}

// Residue is x modulo m, when x is a constant plus multiples of m.
func Residue(x *plan.Expr, m int64) (int64, bool) {
	l := linearOf(x)
	for _, t := range l.terms {
		if t.coef%m != 0 {
			return 0, false
		}
	}
	return (l.k%m + m) % m, true
}

// Simplify brings an expression to its canonical form: equal sums get equal text.
func Simplify(e *plan.Expr) *plan.Expr { return linearOf(e).expr() }

func signExtend(x int64, bits int) int64 {
	sh := 64 - bits
	return x << sh >> sh
}

func zeroExtend(x int64, bits int) int64 {
	sh := 64 - bits
	return int64(uint64(x) << sh >> sh)
}
