package reduce

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// expressions finds edits that replace expressions by parts of themselves, by what has the
// same type elsewhere, or by constants.
//
// Conditions of loops become neither constants nor one side of a comparison: such loops do not end.
func (f *finder) expressions() {
	limits := make(map[ast.Node]bool)
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if s, ok := n.(*ast.ForStmt); ok && s.Cond != nil {
			limits[s.Cond] = true
		}
		return true
	})
	ast.Inspect(f.ast, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		tv, ok := f.info.Types[x]
		if !ok || !tv.IsValue() {
			return true
		}
		for _, y := range operands(x) {
			f.instead(x, tv.Type, y)
		}
		if lit, ok := x.(*ast.CompositeLit); ok {
			f.elements(lit)
		}
		if tv.Value != nil {
			f.constant(x, tv)
			return tv.Value == nil || !isLiteral(x)
		}
		switch x.(type) {
		case *ast.Ident, *ast.BasicLit:
		default:
			if z := zero(tv.Type); z != "" && !limits[x] {
				f.add(f.put(x, z))
			}
		}
		return true
	})
}

// elements drops elements that have a key, the others of which stay what they are.
func (f *finder) elements(lit *ast.CompositeLit) {
	for k, e := range lit.Elts {
		if _, ok := e.(*ast.KeyValueExpr); ok {
			f.add(cutItem(f, lit.Elts, k))
		}
	}
}

func isLiteral(x ast.Expr) bool {
	_, ok := x.(*ast.BasicLit)
	return ok
}

// operands are the parts of an expression that have a value, those inside of conversions
// and calls included.
func operands(x ast.Expr) (list []ast.Expr) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return append(operands(x.X), x.X)
	case *ast.BinaryExpr:
		return []ast.Expr{x.X, x.Y}
	case *ast.UnaryExpr:
		return []ast.Expr{x.X}
	case *ast.CallExpr:
		for _, a := range x.Args {
			list = append(list, a)
			if c, ok := ast.Unparen(a).(*ast.CallExpr); ok {
				list = append(list, c.Args...)
			}
		}
	case *ast.SliceExpr:
		return []ast.Expr{x.X}
	}
	return list
}

// instead puts y, converted if need be, in the place of x.
func (f *finder) instead(x ast.Expr, t types.Type, y ast.Expr) {
	u := f.info.Types[y].Type
	if u == nil || !f.info.Types[y].IsValue() {
		return
	}
	text := f.source(y)
	if types.Identical(t, u) || f.info.Types[y].Value != nil {
		f.add(f.put(x, text))
		return
	}
	if isNumber(t) && isNumber(u) {
		f.add(f.put(x, types.TypeString(t, func(*types.Package) string { return "" })+"("+text+")"))
	}
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// constant makes constants smaller.
func (f *finder) constant(x ast.Expr, tv types.TypeAndValue) {
	if tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Float {
		return
	}
	n, ok := constant.Int64Val(constant.ToInt(tv.Value))
	if !ok {
		f.add(f.put(x, "2"))
		return
	}
	if l, ok := x.(*ast.BasicLit); !ok || l.Kind != token.INT {
		f.add(f.put(x, strconv.FormatInt(n, 10))) // no conversion, no operation
	}
	for _, c := range []int64{0, 1, 2, n / 2, n - 1} {
		if c >= 0 && c < n {
			f.add(f.put(x, strconv.FormatInt(c, 10)))
		}
	}
}

// zero is a simple value of a type; "" when there is none without a conversion.
func zero(t types.Type) string {
	switch b := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case b.Info()&types.IsBoolean != 0:
			return "true"
		case b.Info()&types.IsNumeric != 0:
			return "1"
		}
	}
	return ""
}
