package lower

import (
	"go/ast"

	"golang.org/x/tools/go/types/typeutil"
)

// Functions that return a part of something:
//
//	func (m *matrix) row(i int) []float32 { return m.data[i*m.cols : (i+1)*m.cols] }

// viewOfCall is the slice or string that a call gives, of a function which returns a part of something in its last statement, and nowhere else.
func (l *lowerer) viewOfCall(e *ast.CallExpr) (v view, ok bool) {
	fn := typeutil.StaticCallee(l.info, e)
	if fn == nil || fn.Signature().Results().Len() != 1 || l.src.Body(fn.Origin()) == nil {
		return view{}, false
	}
	body := l.bodyOf(e, fn)
	list := body.Decl.Body.List
	if countReturns(body.Decl.Body) != 1 || len(list) == 0 {
		return view{}, false
	}
	ret, isReturn := list[len(list)-1].(*ast.ReturnStmt)
	if !isReturn || len(ret.Results) != 1 {
		return view{}, false
	}
	written := l.written
	fr := l.newFrame(e, body, body.Decl)
	l.bindTypeArgs(fr, e, body.Func.Signature())
	l.inFrame(fr, e, nil, func() {
		l.inlineBody(body, func() {
			l.stmts(list[:len(list)-1])
			if v, ok = l.viewOf(ret.Results[0]); !ok {
				l.refuseVarying(ret.Results[0])
				l.refuse(ret, "Slice", "it returns a slice that is no part of another one")
			}
		})
	})
	if l.written != written { // what is asked twice where a part lies must be the same
		l.refuse(e, "Call", "call of %s, which stores something and returns a slice", fn.Name())
	}
	return v, ok
}

// countReturns is the number of return statements in a body, apart from those of function literals.
func countReturns(body *ast.BlockStmt) (n int) {
	ast.Inspect(body, func(x ast.Node) bool {
		switch x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			n++
		}
		return true
	})
	return n
}
