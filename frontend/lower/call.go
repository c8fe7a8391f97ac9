package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// callValue evaluates a call that gives one value.
func (l *lowerer) callValue(e *ast.CallExpr) []*vir.Value {
	results := l.call(e)
	if l.b.Cur == nil {
		// What follows cannot be reached; any value will do, but there is no
		// block for one.
		l.refuse(e, "Call", "the call does not return")
	}
	if len(results) != 1 {
		l.refuse(e, "Call", "the call gives %d values", len(results))
	}
	return results[0]
}

// call lowers conversions, builtins, known functions, and bodies.
func (l *lowerer) call(e *ast.CallExpr) [][]*vir.Value {
	defer func() { l.direct = false }()
	if l.info.Types[e.Fun].IsType() {
		return [][]*vir.Value{l.conversion(e)}
	}
	if name := l.builtinName(e); name != "" {
		if name == "copy" && !l.direct {
			l.refuse(e, "Call", "call of copy inside of an expression")
		}
		l.direct = l.direct && (name == "min" || name == "max")
		if name == "complex" {
			return [][]*vir.Value{l.complexBuiltin(e)}
		}
		return [][]*vir.Value{{l.builtin(e, name)}}
	}
	fn := typeutil.StaticCallee(l.info, e)
	if fn == nil {
		fn = l.boundTo(e)
	}
	if fn == nil {
		if lit := l.literalOf(e); lit != nil {
			return l.inlineLiteral(e, lit)
		}
		l.refuse(e, "Call", "call of a function value or interface method")
	}
	if f := intrinsics[intrinsicName(fn)]; f != nil {
		l.direct = false
		return l.intrinsic(e, fn, f)
	}
	if isProduct(fn) {
		l.direct = false
		return l.product(e, fn)
	}
	if isRare(fn) {
		l.b.Check(vir.OpCheckRare, nil, l.scalar(e.Args[0]))
		return nil
	}
	if isConstant(fn) {
		if _, ok := l.knownText(e.Args[0]); !ok {
			l.refuse(e, "Call", "the text is not constant")
		}
		return nil
	}
	if size, big, put, ok := byteOrder(fn); ok {
		l.direct = false
		return l.byteOrderCall(e, size, big, put)
	}
	return l.inline(e, fn)
}

func (l *lowerer) conversion(e *ast.CallExpr) []*vir.Value {
	to, from := l.typeOf(e), l.typeOf(e.Args[0])
	if call, fn := l.approximation(e); fn != nil {
		return l.inline(call, fn)[0]
	}
	if isComplex(to) && isComplex(from) {
		if c := l.constOf(e.Args[0]); c != nil { // to a type parameter
			return l.constLeaves(e, c, to)
		}
		return l.complexConversion(e, from, to)
	}
	if basic(to) == nil {
		if types.Identical(to.Underlying(), from.Underlying()) {
			return l.value(e.Args[0]) // between named structs
		}
		l.refuse(e, typeID(to), "conversion to %s", describe(to))
	}
	if c := l.constOf(e.Args[0]); c != nil && basic(from) != nil && isBool(from) == isBool(to) && (isFloat(to) || isInteger(from)) {
		// A conversion to a type parameter is no constant; gc gives its operand
		// the default type first, and so rounds float32 constants twice.
		if isFloat(from) {
			f, _ := constant.Float64Val(c)
			c = constant.MakeFloat64(f)
		}
		return []*vir.Value{l.constValue(e, c, to)}
	}
	if basic(from) == nil {
		l.refuse(e, typeID(from), "conversion of %s", describe(from))
	}
	x := l.scalar(e.Args[0])
	l.mark(e)
	return []*vir.Value{l.convert(e, x, from, to)}
}

// approximation is the call of a function of float32s that may take the place of a conversion
// such as float32(math.Exp(float64(x))), if there is one.
func (l *lowerer) approximation(e *ast.CallExpr) (*ast.CallExpr, *types.Func) {
	if l.src.Approx == nil || !l.isFloat32(e) {
		return nil, nil
	}
	call, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, nil
	}
	fn := typeutil.StaticCallee(l.info, call)
	widened, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok || fn == nil || !l.info.Types[widened.Fun].IsType() || !l.isFloat32(widened.Args[0]) {
		return nil, nil
	}
	body := l.src.Approx(fn)
	if body == nil {
		return nil, nil
	}
	c := *call
	c.Args = widened.Args
	return &c, body.Func
}

func (l *lowerer) isFloat32(x ast.Expr) bool {
	b := basic(l.typeOf(x))
	return b != nil && b.Kind() == types.Float32 && l.constOf(x) == nil
}

// inline lowers the body of fn in place of the call.
//
// The order of calls and other operands in an expression is left open by the
// language; gc runs calls first. A body that stores is therefore only taken
// where nothing else is evaluated with it.
func (l *lowerer) inline(e *ast.CallExpr, fn *types.Func) [][]*vir.Value {
	body := l.bodyOf(e, fn)
	fr := l.newFrame(e, body, body.Decl)
	l.bindTypeArgs(fr, e, body.Func.Signature())
	return l.inlineIn(fr, e, nil)
}

func (l *lowerer) newFrame(e *ast.CallExpr, body *Body, decl *ast.FuncDecl) *frame {
	fr := &frame{outer: l.frame, body: body, decl: decl, info: body.Info, pkg: body.Pkg, facts: body.facts, pos: l.at(e.Pos()), call: l.here(e.Pos())}
	fr.init()
	return fr
}

// inlineIn lowers the body of fr, which uses captured variables of the function around it.
func (l *lowerer) inlineIn(fr *frame, e *ast.CallExpr, captured []*ast.Ident) (results [][]*vir.Value) {
	l.inFrame(fr, e, captured, func() {
		l.declareResults(fr.body.Func.Signature())
		results = make([][]*vir.Value, len(fr.results))
		l.inlineBody(fr.body, func() { l.runBody(fr, results) })
	})
	return results
}

// inFrame binds the parameters of fr, and does what run does inside of it.
func (l *lowerer) inFrame(fr *frame, e *ast.CallExpr, captured []*ast.Ident, run func()) {
	direct, written := l.direct, l.written
	sig := fr.body.Func.Signature()
	l.findMovedIn(fr)
	l.bindParams(fr, e, sig, captured)

	caller, targets := l.frame, l.targets
	l.frame, l.targets = fr, nil
	l.findLeavingIn(fr.body)
	run()
	l.frame, l.targets = caller, targets
	if !direct && l.written != written {
		l.refuse(e, "Call", "call of %s inside of an expression, before or behind which it stores", fr.body.Func.Name())
	}
	l.b.Pos = l.at(e.Pos())
}

// runBody lowers the body of fr, and finds its results. That of a single return statement makes no block, so that a loop condition
// may call it.
func (l *lowerer) runBody(fr *frame, results [][]*vir.Value) {
	list := fr.body.Decl.Body.List
	if ret := onlyReturn(list); ret != nil && len(ret.Results) == len(results) {
		vals := l.returnedBy(ret)
		if l.b.Cur != nil {
			copy(results, vals)
		}
		return
	}
	fr.done = l.newBlock("done")
	l.stmts(list)
	l.jumpDone()
	l.start(fr.done)
	for i, v := range fr.results {
		if l.b.Cur != nil {
			results[i] = l.getLocal(fr.body.Decl.Name, l.whole(v))
		}
	}
}

// onlyReturn is the statement of a body that returns at once, nil for other bodies.
func onlyReturn(list []ast.Stmt) *ast.ReturnStmt {
	if len(list) != 1 {
		return nil
	}
	ret, _ := list[0].(*ast.ReturnStmt)
	return ret
}

func (l *lowerer) jumpDone() { l.jump(l.frame.done) }

// inlineBody turns a refusal inside of the body, which run lowers, into one of the call.
func (l *lowerer) inlineBody(body *Body, run func()) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Refusal:
			if x.ID != "lower:TooLarge" {
				x.ID = "lower:Call"
				x.Msg = "call of " + body.Func.Name() + " cannot be inlined: " + x.Msg
			}
			panic(x)
		default:
			panic(x)
		}
	}()
	run()
}

// bodyOf is the declaration of fn, if it can be inlined at all.
func (l *lowerer) bodyOf(e *ast.CallExpr, fn *types.Func) *Body {
	fn = fn.Origin()
	for fr := l.frame; fr != nil; fr = fr.outer {
		if fr.body != nil && fr.body.Func == fn || fr.body == nil && l.src.Info.Defs[l.src.Decl.Name] == fn {
			l.refuse(e, "Call", "recursive call of %s", fn.Name())
		}
	}
	body := l.src.Body(fn)
	switch {
	case body == nil && fn.Pkg() == l.src.Pkg:
		l.refuse(e, "Call", "call of the twin %s", fn.Name())
	case body == nil:
		l.refuse(e, "Call", "call of %s, whose source is outside of the module", fullName(fn))
	case body.Decl.Body == nil:
		l.refuse(e, "Call", "call of %s, which is written in assembly", fullName(fn))
	}
	if body.facts == nil {
		body.facts = findFacts(body.Info, body.Decl)
	}
	if body.facts.defers {
		l.refuse(e, "Call", "call of %s cannot be inlined: it defers calls", fn.Name())
	}
	known := false
	for _, b := range l.inlined {
		known = known || b == body
	}
	if !known {
		l.inlined = append(l.inlined, body)
	}
	return body
}

func fullName(fn *types.Func) string {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// bindTypeArgs binds the type parameters of the function or its receiver.
func (l *lowerer) bindTypeArgs(fr *frame, e *ast.CallExpr, sig *types.Signature) {
	if sig.RecvTypeParams().Len() > 0 {
		sel, _ := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		s := l.info.Selections[sel]
		if s == nil {
			l.refuse(e, "Call", "the receiver is not said in the usual way")
		}
		// The method may be that of an embedded field.
		recv := s.Obj().(*types.Func).Signature().Recv().Type()
		if p := pointee(recv); p != nil {
			recv = p
		}
		if named, ok := types.Unalias(recv).(*types.Named); ok {
			for i := range min(sig.RecvTypeParams().Len(), named.TypeArgs().Len()) {
				fr.subst[sig.RecvTypeParams().At(i)] = l.substitute(named.TypeArgs().At(i))
			}
		}
		return
	}
	id := calleeIdent(e.Fun)
	if id == nil {
		return
	}
	args := l.info.Instances[id].TypeArgs
	for i := range sig.TypeParams().Len() {
		fr.subst[sig.TypeParams().At(i)] = l.substitute(args.At(i))
	}
}

func calleeIdent(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return calleeIdent(e.X)
	case *ast.IndexListExpr:
		return calleeIdent(e.X)
	}
	return nil
}

// bindParams evaluates receiver and arguments and makes them the values of the
// parameters. Slices, strings and pointers must be the same in every iteration,
// or point into something that is. What a function literal captures is an argument like others.
func (l *lowerer) bindParams(fr *frame, e *ast.CallExpr, sig *types.Signature, captured []*ast.Ident) {
	if sig.Variadic() {
		l.refuse(e, "Call", "call of a variadic function")
	}
	var vars []*types.Var
	var args []ast.Expr
	if recv := sig.Recv(); recv != nil {
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok || l.info.Selections[sel] == nil || l.info.Selections[sel].Kind() != types.MethodVal {
			l.refuse(e, "Call", "call of a method expression")
		}
		vars, args = append(vars, recv), append(args, l.receiver(sel, recv))
	}
	several := len(e.Args) != sig.Params().Len() // results of one call
	for i := range sig.Params().Len() {
		vars = append(vars, sig.Params().At(i))
		if !several {
			args = append(args, e.Args[i])
		}
	}
	if several && len(captured) > 0 {
		l.refuse(e, "Call", "the arguments are a call with several results")
	}
	var results [][]*vir.Value
	for _, id := range captured {
		vars, args = append(vars, l.info.Uses[id].(*types.Var)), append(args, id)
	}
	type binding struct {
		path *path
		ref  *place
		view *view
		vals []*vir.Value
		lent *local
	}
	bound := make([]binding, len(vars))
	beside := l.beside(args)
	for i, v := range vars {
		t := substitute(v.Type(), fr.subst)
		if i >= len(args) {
			k := i - len(args)
			if r := l.typeOf(e.Args[0]).(*types.Tuple).At(k).Type(); !types.Identical(t, l.substitute(r)) || isSlice(t) || isString(t) || isPointer(t) {
				l.refuse(e, "Call", "the arguments are a call with several results")
			}
			if results == nil {
				results = l.call(ast.Unparen(e.Args[0]).(*ast.CallExpr))
			}
			bound[i].vals = results[k]
			continue
		}
		loc, isLent := l.lentTo(args[i])
		switch {
		case isLent:
			bound[i] = binding{lent: &loc}
		case isSlice(t) || isString(t) || isPointer(t):
			p, r, w := l.reference(args[i], t)
			bound[i] = binding{path: p, ref: r, view: w}
		default:
			l.direct = beside[i]
			if bound[i].path, bound[i].ref = l.standsFor(fr, v, args[i]); bound[i].path == nil && bound[i].ref == nil {
				bound[i].vals = l.valueAs(args[i], t)
			}
		}
	}
	for i, v := range vars {
		switch b := bound[i]; {
		case b.lent != nil:
			fr.lent[v] = *b.lent
		case l.moves(v) && b.path != nil:
			l.bindMoved(v, l.viewOfPath(b.path))
		case l.moves(v) && b.view != nil:
			l.bindMoved(v, *b.view)
		case b.path != nil:
			fr.paths[v] = b.path
		case b.ref != nil:
			fr.refs[v] = *b.ref
		case b.view != nil:
			fr.views[v] = *b.view
		default:
			l.setVar(v, b.vals)
		}
	}
}

// receiver is the receiver argument with the implicit & or *, or the embedded field that the method is promoted from.
func (l *lowerer) receiver(sel *ast.SelectorExpr, recv *types.Var) ast.Expr {
	x := sel.X
	if index := l.info.Selections[sel].Index(); len(index) > 1 {
		part := &ast.SelectorExpr{X: x, Sel: ast.NewIdent(sel.Sel.Name)}
		l.embedded[part] = index[:len(index)-1]
		x = part
	}
	have, want := isPointer(l.typeOf(x)), isPointer(recv.Type())
	switch {
	case have && !want:
		return &ast.StarExpr{Star: x.Pos(), X: x}
	case !have && want:
		return &ast.UnaryExpr{Op: token.AND, X: x, OpPos: x.Pos()}
	}
	return x
}

// fieldIndex is which field e selects, by way of embedded ones; false where it selects something else.
func (l *lowerer) fieldIndex(e *ast.SelectorExpr) ([]int, bool) {
	if index := l.embedded[e]; index != nil {
		return index, true
	}
	s := l.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return nil, false
	}
	return s.Index(), true
}

// fieldType is the type of field i of t, or of what it points to.
func fieldType(t types.Type, i int) types.Type {
	if isPointer(t) {
		t = pointee(t)
	}
	return t.Underlying().(*types.Struct).Field(i).Type()
}

// indirect reports whether fields of t, one of the other, are got at through a pointer.
func (l *lowerer) indirect(t types.Type, index []int) bool {
	for _, i := range index {
		if isPointer(t) {
			return true
		}
		t = l.substitute(fieldType(t, i))
	}
	return false
}

// reference is what a slice, string or pointer argument stands for.
func (l *lowerer) reference(e ast.Expr, t types.Type) (*path, *place, *view) {
	if p := l.pathOf(e); p != nil {
		return p, nil, nil
	}
	if !isPointer(t) {
		if w, ok := l.viewOf(e); ok {
			return nil, nil, &w
		}
	} else if r, ok := l.refOf(e); ok {
		l.check(&r)
		return nil, &r, nil
	}
	l.refuseVarying(e)
	l.refuse(e, typeID(t), "%s argument is not the same in every iteration", describe(t))
	panic("unreachable")
}

// declareResults gives every result a variable with its zero value.
func (l *lowerer) declareResults(sig *types.Signature) {
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		if v.Name() == "" || v.Name() == "_" {
			v = types.NewVar(v.Pos(), v.Pkg(), "", v.Type())
		}
		l.results = append(l.results, v)
		for k, x := range l.zero(l.frame.body.Decl.Name, l.substitute(v.Type())) {
			l.set(key{v, k}, x)
		}
	}
}

func (l *lowerer) whole(v *types.Var) local {
	t := l.substitute(v.Type())
	ls, _ := leaves(t)
	return local{v, 0, len(ls), t}
}

func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	if l.frame.outer == nil {
		l.refuse(s, "EarlyExit", "the loop can be left early")
	}
	vals := l.returnedBy(s)
	if l.b.Cur == nil {
		return
	}
	for i, xs := range vals {
		for k, x := range xs {
			l.set(key{l.results[i], k}, x)
		}
	}
	l.jumpDone()
}

// returnedBy is the operands of s, a return statement of a function that is inlined.
func (l *lowerer) returnedBy(s *ast.ReturnStmt) (vals [][]*vir.Value) {
	if len(s.Results) == 1 && len(l.results) > 1 {
		call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr)
		if !ok {
			l.refuse(s, "Expr", "this return is not supported")
		}
		l.direct = true
		vals = l.call(call)
	} else {
		for i, e := range s.Results {
			l.direct = len(s.Results) == 1
			vals = append(vals, l.valueAs(e, l.substitute(l.results[i].Type())))
		}
	}
	return vals
}
