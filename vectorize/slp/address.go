package slp

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// An address is root + the sum of coefficients times values + off, in bytes, modulo
// 2^64: what addition, subtraction and multiplication by constants make of it.
type address struct {
	root  *vir.Value
	terms []term // by ID; coefficients are not 0
	off   int64
	size  int64 // bytes accessed

	at *vir.Value // the access
}

type term struct {
	v    *vir.Value
	coef int64
}

// addressOf is where memory operation v reads or writes.
func addressOf(v *vir.Value) *address {
	a := &address{off: v.Disp, size: int64(v.Access().Size()), at: v}
	root := v.Base()
	for root.Op == vir.OpPtradd {
		a.add(root.Args[1], 1)
		root = root.Args[0]
	}
	a.root = root
	if v.Indexed {
		a.add(v.Index(), v.Scale)
	}
	slices.SortFunc(a.terms, func(x, y term) int { return cmp.Compare(x.v.ID(), y.v.ID()) })
	a.terms = slices.DeleteFunc(a.terms, func(t term) bool { return t.coef == 0 })
	return a
}

// add adds coef times v.
func (a *address) add(v *vir.Value, coef int64) {
	if c, ok := v.ConstInt(); ok {
		a.off += c * coef
		return
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub:
		a.add(v.Args[0], coef)
		if v.Op == vir.OpSub {
			coef = -coef
		}
		a.add(v.Args[1], coef)
		return
	case vir.OpMul:
		for i, x := range v.Args {
			if c, ok := x.ConstInt(); ok {
				a.add(v.Args[1-i], coef*c)
				return
			}
		}
	case vir.OpShl:
		if c, ok := v.Args[1].ConstInt(); ok && 0 <= c && c < 64 {
			a.add(v.Args[0], coef<<c)
			return
		}
	}
	for i := range a.terms {
		if a.terms[i].v == v {
			a.terms[i].coef += coef
			return
		}
	}
	a.terms = append(a.terms, term{v, coef})
}

// like reports whether the addresses differ by a constant.
func (a *address) like(b *address) bool {
	return a.root == b.root && slices.Equal(a.terms, b.terms)
}

// A relation says what is known of the bytes of two accesses.
type relation uint8

const (
	apart   relation = iota // none in common
	mayMeet                 // not known, but can be tested
	meet                    // some in common, or nobody can tell
)

// relate compares two accesses, one of which stores.
func (g *Graph) relate(a, b *address) relation {
	switch {
	case a.like(b):
		if a.off+a.size <= b.off || b.off+b.size <= a.off {
			return apart
		}
		return meet
	case a.root.Param.Immutable || b.root.Param.Immutable:
		return apart
	case g.testable(a) && g.testable(b):
		return mayMeet
	}
	return meet
}

// testable reports whether the address is known where tests are made.
func (g *Graph) testable(a *address) bool {
	v := a.at
	return g.opt.Testable(v.Base()) && (!v.Indexed || g.opt.Testable(v.Index()))
}

// A place is what addresses have in common that are tested as one range.
type place struct {
	base, index *vir.Value
	scale       int64
}

func placeOf(v *vir.Value) place {
	p := place{base: v.Base()}
	if v.Indexed {
		p.index, p.scale = v.Index(), v.Scale
	}
	return p
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.base.ID(), q.base.ID()), cmp.Compare(indexID(p), indexID(q)), cmp.Compare(p.scale, q.scale))
}

func indexID(p place) int {
	if p.index == nil {
		return -1
	}
	return p.index.ID()
}

// widen makes r hold the bytes of access v too.
func (r *Range) widen(v *vir.Value) {
	lo, hi := v.Disp, v.Disp+int64(v.Access().Size())
	if r.Base == nil {
		p := placeOf(v)
		*r = Range{p.base, p.index, p.scale, lo, hi}
		return
	}
	r.Lo, r.Hi = min(r.Lo, lo), max(r.Hi, hi)
}
