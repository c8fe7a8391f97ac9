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
	if tv.Value != nil || tv.Type == nil {
		return false
	}
	if _, ok := types.Unalias(tv.Type).(*types.TypeParam); ok {
		return true
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
