package twin

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// mayEndProcess reports whether the function fn that d declares, or one that it calls, may take all memory or call itself
// without end, for all that can be seen: it makes memory of a size that is no length, appends in a loop that
// goes over no slice, calls what calls it, or what returns memory and cannot be looked into.
func (f *file) mayEndProcess(fn *types.Func, d *ast.FuncDecl) bool {
	calling := map[*types.Func]bool{}
	done := map[*types.Func]bool{}
	var may func(info *types.Info, fn *types.Func, body ast.Node) bool
	may = func(info *types.Info, fn *types.Func, body ast.Node) (found bool) {
		calling[fn] = true
		defer func() { delete(calling, fn); done[fn] = true }()
		counted := map[ast.Node]bool{} // inside of loops over something else than slices
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				ast.Inspect(n, func(n ast.Node) bool { counted[n] = true; return true })
			case *ast.RangeStmt:
				if !hasLength(info.TypeOf(n.X)) {
					ast.Inspect(n, func(n ast.Node) bool { counted[n] = true; return true })
				}
			case *ast.CallExpr:
				switch builtinName(info, n) {
				case "make":
					for _, size := range n.Args[1:] {
						found = found || !isLengthOrConstant(info, size)
					}
				case "append":
					found = found || counted[n]
				}
				callee := typeutil.StaticCallee(info, n)
				if callee == nil {
					break
				}
				callee = callee.Origin()
				if calling[callee] {
					found = true
				} else if src, ok := f.find(callee); !ok {
					found = found || returnsMemory(callee)
				} else if !found && !done[callee] {
					found = may(src.home.info, callee, src.decl.Body)
				}
			}
			return !found
		})
		return found
	}
	return may(f.pkg.TypesInfo, fn.Origin(), d.Body)
}

// hasLength reports whether values of t have as many elements as they have memory.
func hasLength(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return true
	case *types.Pointer:
		_, ok := u.Elem().Underlying().(*types.Array)
		return ok
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

func returnsMemory(fn *types.Func) bool {
	for v := range fn.Signature().Results().Variables() {
		switch u := v.Type().Underlying().(type) {
		case *types.Slice, *types.Pointer, *types.Map:
			return true
		case *types.Basic:
			if u.Info()&types.IsString != 0 {
				return true
			}
		}
	}
	return false
}

func isLengthOrConstant(info *types.Info, x ast.Expr) bool {
	if info.Types[x].Value != nil {
		return true
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	name := builtinName(info, call)
	return name == "len" || name == "cap"
}

// builtinName is the name of the builtin function that is called, "" if it is another one.
func builtinName(info *types.Info, call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}
