package twin

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/frontend"
)

// startsGoroutines reports whether the function of t, or one that it calls and whose source is known, starts a goroutine: by a
// statement, or by what has the name Go, as the methods of sync.WaitGroup and of errgroup.Group.
func (f *file) startsGoroutines(t *frontend.Twin) bool {
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
				}
			}
			return !found
		})
		return found
	}
	return starts(f.pkg.TypesInfo, t.Func.Decl.Body)
}
