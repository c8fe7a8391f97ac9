package frontend

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// IsProduct reports whether n is a product whose rounding the compiler may leave out when it
// becomes part of a sum: of floats or complex numbers. Quotients by powers of two are products for the compiler.
func IsProduct(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return (n.Op == token.MUL || n.Op == token.QUO && MayMultiply(info, n.Y)) && IsRounded(info, n)
	case *ast.AssignStmt:
		return (n.Tok == token.MUL_ASSIGN || n.Tok == token.QUO_ASSIGN && MayMultiply(info, n.Rhs[0])) && IsRounded(info, n.Lhs[0])
	}
	return false
}

// MayMultiply reports whether the compiler may turn a quotient by x into a product: x is a power of two, or made of variables
// that it may find out to be constant.
func MayMultiply(info *types.Info, x ast.Expr) bool {
	tv := info.Types[x]
	if tv.Type == nil || isComplex(tv.Type) {
		return false
	}
	if tv.Value != nil {
		f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		frac, _ := math.Frexp(f)
		return math.Abs(frac) == 0.5
	}
	return mayBeConstant(info, x)
}

func mayBeConstant(info *types.Info, x ast.Expr) bool {
	if info.Types[x].Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := info.Uses[x].(*types.Var)
		return ok && v.Kind() != types.PackageVar
	case *ast.SelectorExpr:
		s := info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && !s.Indirect() && mayBeConstant(info, x.X)
	case *ast.CallExpr:
		return info.Types[x.Fun].IsType() && len(x.Args) == 1 && mayBeConstant(info, x.Args[0])
	case *ast.UnaryExpr:
		return x.Op == token.SUB && mayBeConstant(info, x.X)
	case *ast.BinaryExpr:
		return mayBeConstant(info, x.X) && mayBeConstant(info, x.Y)
	}
	return false
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// IsRounded reports whether x is a float or complex value computed at run time, or one of a
// type parameter, which may be such.
func IsRounded(info *types.Info, x ast.Expr) bool {
	tv := info.Types[x]
	return tv.Value == nil && tv.Type != nil && Rounds(tv.Type)
}

// Rounds reports whether arithmetic in t rounds, or may where t is a type parameter.
func Rounds(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
