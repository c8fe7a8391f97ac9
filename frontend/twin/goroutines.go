package twin

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// startsGoroutines reports whether function d, or one that it calls and whose source is known, starts a goroutine: by a
// statement, or by what has the name Go, as the methods of sync.WaitGroup and of errgroup.Group. Functions of other modules may do
// so with a function that they are given: loops over pixels come that way.
func (f *file) startsGoroutines(d *ast.FuncDecl) bool {
	seen := map[*types.Func]bool{}
	var starts func(info *types.Info, body ast.Node) bool
	starts = func(info *types.Info, body ast.Node) (found bool) {
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = true
			case *ast.CallExpr:
				fn := typeutil.StaticCallee(info, n)
				if fn == nil || seen[fn.Origin()] {
					break
				}
				seen[fn.Origin()] = true
				found = found || fn.Name() == "Go"
				if src, ok := f.find(fn); ok && !found {
					found = starts(src.home.info, src.decl.Body)
				} else if !ok {
					found = found || fn.Pkg() != nil && hasDomain(fn.Pkg().Path()) && slices.ContainsFunc(n.Args, func(x ast.Expr) bool { return isFunction(info, x) })
				}
			}
			return !found
		})
		return found
	}
	return starts(f.pkg.TypesInfo, d.Body)
}

// isFunction reports whether x is a function.
func isFunction(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}
