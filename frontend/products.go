package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// IsProduct reports whether n is a product whose rounding the compiler may leave out when it
// becomes part of a sum: of floats or complex numbers.
func IsProduct(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Op == token.MUL && IsRounded(info, n)
	case *ast.AssignStmt:
		return n.Tok == token.MUL_ASSIGN && IsRounded(info, n.Lhs[0])
	}
	return false
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
