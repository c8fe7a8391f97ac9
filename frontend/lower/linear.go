package lower

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A linear is a sum of values times constants, plus a constant, as it is computed: it
// wraps. Terms are in the order in which they were met; none has coefficient 0.
type linear struct {
	terms []linearTerm
	c     int64
}

type linearTerm struct {
	v    *vir.Value
	coef int64
}

// linearOf takes sums, differences and products with constants apart.
func linearOf(v *vir.Value) linear { return linear{}.add(v, 1, 0) }

func (f linear) add(v *vir.Value, coef int64, depth int) linear {
	if k, ok := v.ConstInt(); ok {
		f.c += coef * k
		return f
	}
	if depth < 16 {
		switch v.Op {
		case vir.OpAdd:
			return f.add(v.Args[0], coef, depth+1).add(v.Args[1], coef, depth+1)
		case vir.OpSub:
			return f.add(v.Args[0], coef, depth+1).add(v.Args[1], -coef, depth+1)
		case vir.OpMul:
			for i, a := range v.Args {
				if k, ok := a.ConstInt(); ok {
					return f.add(v.Args[1-i], coef*k, depth+1)
				}
			}
		case vir.OpShl:
			if k, ok := v.Args[1].ConstInt(); ok && 0 <= k && k < 63 {
				return f.add(v.Args[0], coef<<k, depth+1)
			}
		}
	}
	return f.plusTerm(linearTerm{v, coef})
}

func (f linear) plusTerm(t linearTerm) linear {
	terms := slices.Clone(f.terms)
	i := slices.IndexFunc(terms, func(u linearTerm) bool { return u.v == t.v })
	switch {
	case i < 0:
		terms = append(terms, t)
	case terms[i].coef+t.coef == 0:
		terms = slices.Delete(terms, i, i+1)
	default:
		terms[i].coef += t.coef
	}
	return linear{terms, f.c}
}

// plus is f + coef*g.
func (f linear) plus(g linear, coef int64) linear {
	for _, t := range g.terms {
		f = f.plusTerm(linearTerm{t.v, coef * t.coef})
	}
	f.c += coef * g.c
	return f
}

// difference is a - b when that is a constant.
func difference(a, b *vir.Value) (int64, bool) {
	d := linearOf(a).plus(linearOf(b), -1)
	return d.c, len(d.terms) == 0
}
