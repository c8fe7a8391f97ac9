package twin

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A polynomial is a sum of products of expressions, by the text of these.
type polynomial map[string]monomial

type monomial struct {
	coef    int64
	factors []ast.Expr
}

// polynomialOf writes out the sums and products in x.
func polynomialOf(info *types.Info, x ast.Expr) polynomial {
	if v := info.Types[x].Value; v != nil {
		if c, ok := constant.Int64Val(constant.ToInt(v)); ok {
			return polynomial{"": {coef: c}}
		}
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return polynomialOf(info, x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.ADD, token.SUB:
			return polynomialOf(info, x.X).plus(polynomialOf(info, x.Y), 1-2*less(x.Op == token.SUB))
		case token.MUL:
			return polynomialOf(info, x.X).times(polynomialOf(info, x.Y))
		}
	}
	return polynomial{types.ExprString(x): {1, []ast.Expr{x}}}
}

// plus is p + c*q.
func (p polynomial) plus(q polynomial, c int64) polynomial {
	sum := maps.Clone(p)
	for key, m := range q {
		m.coef = sum[key].coef + c*m.coef
		if sum[key] = m; m.coef == 0 {
			delete(sum, key)
		}
	}
	return sum
}

func (p polynomial) times(q polynomial) polynomial {
	product := polynomial{}
	for _, a := range p {
		for _, b := range q {
			m := monomial{a.coef * b.coef, slices.Concat(a.factors, b.factors)}
			var texts []string
			for _, x := range m.factors {
				texts = append(texts, types.ExprString(x))
			}
			slices.Sort(texts)
			product = product.plus(polynomial{strings.Join(texts, "*"): m}, 1)
		}
	}
	return product
}
