package frontend

import (
	"go/ast"

	"golang.org/x/tools/go/types/typeutil"
)

// overSlices has range clauses over slices.All(x) and slices.Values(x) go over x itself, which does the same.
func (pkg *Package) overSlices() {
	pkg.Iterators = make(map[*ast.RangeStmt]*ast.CallExpr)
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.RangeStmt); ok {
				pkg.overSlice(s)
			}
			return true
		})
	}
}

func (pkg *Package) overSlice(s *ast.RangeStmt) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	fn := typeutil.StaticCallee(pkg.TypesInfo, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "slices" || fn.Name() != "All" && fn.Name() != "Values" {
		return
	}
	if s.Key != nil && fn.Name() == "Values" {
		s.Key, s.Value = &ast.Ident{NamePos: s.Key.Pos(), Name: "_"}, s.Key
	}
	s.X = call.Args[0]
	pkg.Iterators[s] = call
}
