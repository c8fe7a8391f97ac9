package twin

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/printer"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// A linear is a sum c + coef*text + ..., exact modulo 1<<64 like the ints that
// are printed for it. It exists to print n-1-i and not ((n + -1) + -i).
type linear struct {
	c     int64
	terms []term
}

// A term is a factor times an int operand. Natural says that the operand is a
// length: not negative and far from the largest int; loose, that it needs
// parentheses as a factor. What is known of it in the source is x, or its length.
type term struct {
	coef    int64
	text    string
	natural bool
	loose   bool
	x       ast.Expr
	length  bool
}

// factor is the operand as a factor.
func (t term) factor() string {
	if t.loose {
		return "(" + t.text + ")"
	}
	return t.text
}

// summand is the operand in a sum, behind its plus or minus: -(a&b) at the start is not -a&b, and neither
// x--a/2 nor x++a/2 is a sum.
func (t term) summand(first bool) string {
	if first && t.coef < 0 || !first && strings.ContainsRune("+-", rune(t.text[0])) {
		return t.factor()
	}
	return t.text
}

func constant64(c int64) linear { return linear{c: c} }

func operand(text string) linear { return linear{terms: []term{{coef: 1, text: text}}} }

func (x linear) plus(y linear, factor int64) linear {
	sum := linear{c: x.c + factor*y.c, terms: slices.Clone(x.terms)}
	for _, t := range y.terms {
		i := slices.IndexFunc(sum.terms, func(s term) bool { return s.text == t.text })
		if i < 0 {
			t.coef *= factor
			sum.terms = append(sum.terms, t)
			continue
		}
		sum.terms[i].coef += factor * t.coef
	}
	sum.terms = slices.DeleteFunc(sum.terms, func(t term) bool { return t.coef == 0 })
	return sum
}

func (x linear) isConst() bool { return len(x.terms) == 0 }

func (x linear) equals(y linear) bool {
	d := x.plus(y, -1)
	return d.isConst() && d.c == 0
}

// natural reports whether x is a length plus a small constant, so that adding
// another small constant cannot overflow.
func (x linear) natural() bool {
	small := -1<<31 < x.c && x.c < 1<<31
	return small && (x.isConst() || len(x.terms) == 1 && x.terms[0].natural && x.terms[0].coef == 1)
}

// String is the sum as Go text; a term with a minus is not first if possible.
func (x linear) String() string {
	if x.isConst() {
		return intLiteral(x.c)
	}
	terms := slices.Clone(x.terms)
	slices.SortStableFunc(terms, func(a, b term) int {
		switch {
		case a.coef > 0 && b.coef < 0:
			return -1
		case a.coef < 0 && b.coef > 0:
			return 1
		}
		return 0
	})
	var sb strings.Builder
	for i, t := range terms {
		switch {
		case t.coef < 0 && t.coef != math.MinInt64:
			sb.WriteString("-")
		case i > 0:
			sb.WriteString("+")
		}
		if t.coef == math.MinInt64 {
			fmt.Fprintf(&sb, "-1<<63*%s", t.factor())
		} else if m := max(t.coef, -t.coef); m != 1 {
			fmt.Fprintf(&sb, "%d*%s", m, t.factor())
		} else {
			sb.WriteString(t.summand(i == 0))
		}
	}
	switch {
	case x.c == math.MinInt64:
		sb.WriteString("+-1<<63") // its negative is no int
	case x.c != 0:
		fmt.Fprintf(&sb, "%+d", x.c)
	}
	return sb.String()
}

// factor is x as an operand of a product.
func (x linear) factor() string {
	if len(x.terms) == 1 && x.c == 0 && x.terms[0].coef == 1 {
		return x.terms[0].factor()
	}
	return "(" + x.String() + ")"
}

// constantOf prints c, of which only as many bits count as b has, as a constant of that type.
func constantOf(c int64, b *types.Basic) string {
	if b == nil || b.Info()&types.IsInteger == 0 {
		return intLiteral(c)
	}
	unused := 64 - bits(b)
	if !isUnsigned(b) {
		return intLiteral(c << unused >> unused)
	}
	if u := uint64(c) << unused >> unused; u != uint64(c) || c < 0 {
		return fmt.Sprintf("%#x", u)
	}
	return intLiteral(c)
}

// intLiteral prints big powers of two as shifts.
func intLiteral(c int64) string {
	for k := 10; k < 63; k++ {
		if c == 1<<k {
			return fmt.Sprintf("1<<%d", k)
		}
	}
	return strconv.FormatInt(c, 10)
}

// linear computes x from the live-ins: those on entry, or the current ones.
func (l *loop) linear(x *plan.Expr) linear {
	switch x.Op {
	case plan.ExprConst:
		return constant64(x.Const)
	case plan.ExprParam:
		return l.intParam(x.Param)
	case plan.ExprDone:
		return operand(l.d)
	case plan.ExprAdd:
		return l.linear(x.X).plus(l.linear(x.Y), 1)
	case plan.ExprSub:
		return l.linear(x.X).plus(l.linear(x.Y), -1)
	case plan.ExprNeg:
		return constant64(0).plus(l.linear(x.X), -1)
	case plan.ExprMul:
		return l.times(l.linear(x.X), l.linear(x.Y))
	case plan.ExprSext, plan.ExprZext:
		return l.extend(x)
	case plan.ExprLoad:
		return operand(l.load(x))
	case plan.ExprAnd, plan.ExprQuo, plan.ExprRem, plan.ExprLess:
		return l.binary(x)
	}
	panic(fmt.Sprintf("twin: unknown operator in %s", x))
}

// load prints an integer in memory: by its name where that is the variable of a pointer live-in.
func (l *loop) load(x *plan.Expr) string {
	p := &l.r.Params[x.Param]
	if t := l.subst(p.Type); p.Kind == frontend.ParamAddress && x.Const == 0 && basic(t) != nil && basic(t).Info()&types.IsInteger != 0 && bits(basic(t)) == x.Bits {
		return l.asInt(l.exprText(p.Expr), t)
	}
	t := l.pre("int")
	if x.Bits < 64 {
		t = l.pre(fmt.Sprintf("int%d", x.Bits))
	}
	ptr := l.pointer(x.Param)
	if x.Const != 0 {
		ptr = fmt.Sprintf("%s.Add(%s, %d)", l.imports.own(pathUnsafe), ptr, x.Const)
	}
	return fmt.Sprintf("*(*%s)(%s)", t, ptr)
}

// binary prints operators whose operands are no sums any more.
func (l *loop) binary(x *plan.Expr) linear {
	a, b := l.linear(x.X), l.linear(x.Y)
	switch {
	case a.isConst() && b.isConst():
		y := plan.Expr{Op: x.Op, X: plan.Const(a.c), Y: plan.Const(b.c)}
		return constant64(y.Eval(nil, 0))
	case x.Op == plan.ExprAnd:
		return linear{terms: []term{{coef: 1, text: fmt.Sprintf("%s&%s", a.factor(), b.factor()), loose: true}}}
	case x.Op == plan.ExprQuo && b.isConst() && b.c > 0:
		return linear{terms: []term{{coef: 1, text: fmt.Sprintf("%s/%d", a.factor(), b.c), loose: true}}}
	case x.Op == plan.ExprQuo:
		return operand(fmt.Sprintf("%s.Quo(%s, %s)", l.guard(), a, b))
	case x.Op == plan.ExprRem && b.isConst() && b.c > 0:
		return linear{terms: []term{{coef: 1, text: fmt.Sprintf("%s%%%d", a.factor(), b.c), loose: true}}}
	case x.Op == plan.ExprRem:
		return operand(fmt.Sprintf("%s.Rem(%s, %s)", l.guard(), a, b))
	}
	return operand(fmt.Sprintf("%s.Less(%s, %s)", l.guard(), a, b))
}

func (l *loop) times(x, y linear) linear {
	switch {
	case x.isConst():
		return constant64(0).plus(y, x.c)
	case y.isConst():
		return constant64(0).plus(x, y.c)
	}
	return linear{terms: []term{{coef: 1, text: x.factor() + "*" + y.factor(), loose: true}}}
}

// extend prints an extension as a conversion through the type of that width.
func (l *loop) extend(x *plan.Expr) linear {
	if x.X.Op == plan.ExprParam {
		if c, ok := l.constParam(x.X.Param); ok {
			return constant64(x.Eval(func(int) int64 { return c }, 0))
		}
		if b := basic(l.goType(x.X.Param)); b != nil && bits(b) == x.Bits && isUnsigned(b) == (x.Op == plan.ExprZext) {
			text := fmt.Sprintf("%s(%s)", l.pre("int"), l.value(x.X.Param))
			return linear{terms: []term{{coef: 1, text: text, x: l.entryExpr(x.X.Param)}}}
		}
	}
	inner := ""
	if x.X.Op == plan.ExprParam {
		inner = l.value(x.X.Param)
	} else {
		in := l.linear(x.X)
		if in.isConst() {
			y := plan.Expr{Op: x.Op, Bits: x.Bits, X: plan.Const(in.c)}
			return constant64(y.Eval(nil, 0))
		}
		inner = in.String()
	}
	kind := "int"
	if x.Op == plan.ExprZext {
		kind = "uint"
	}
	return operand(fmt.Sprintf("%s(%s(%s))", l.pre("int"), l.pre(fmt.Sprintf("%s%d", kind, x.Bits)), inner))
}

func bits(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

func isUnsigned(b *types.Basic) bool { return b.Info()&types.IsUnsigned != 0 }

// intParam is a live-in of 64 bits as an int.
func (l *loop) intParam(i int) linear {
	if n, ok := l.numbers[i]; ok {
		return n
	}
	p := &l.r.Params[i]
	if c, ok := l.constParam(i); ok {
		return constant64(c)
	}
	if p.Kind == frontend.ParamLen {
		return linear{terms: []term{{coef: 1, text: l.length(p.Expr, p.Type), natural: takesMemory(p.Type), x: p.Expr, length: true}}}
	}
	if p.Kind == frontend.ParamCap {
		return linear{terms: []term{{coef: 1, text: l.capacity(p), natural: takesMemory(p.Type)}}}
	}
	if _, ok := l.stateOf[i]; p.Kind == frontend.ParamValue && !(ok && l.inside) {
		return l.intExpr(l.entryExpr(i), l.goType(i))
	}
	return operand(l.asInt(l.value(i), l.goType(i)))
}

// constParam is the value of a live-in that is a constant in the printed
// position: on entry, initial values are.
func (l *loop) constParam(i int) (int64, bool) {
	p := &l.r.Params[i]
	s, isState := l.stateOf[i]
	switch {
	case p.Kind == frontend.ParamStart:
		return 0, true
	case isState && l.inside:
		return 0, false
	case p.Kind == frontend.ParamCounter:
		return 0, true
	case isState && l.r.State[s].Init != nil:
		return *l.r.State[s].Init, true
	case p.Kind == frontend.ParamValue && p.Expr != nil:
		return l.constExpr(l.entryExpr(i))
	}
	return 0, false
}

// constExpr is the value of a constant expression. Constants with a name keep the
// name, unless they are so large that the printed sums and products of them, which
// are constants, too, might not be ints.
func (l *loop) constExpr(x ast.Expr) (int64, bool) {
	v := l.pkg.TypesInfo.Types[x].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	c, ok := constant.Int64Val(v)
	if !ok {
		u, ok := constant.Uint64Val(v)
		return int64(u), ok
	}
	switch ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return c, c < -1<<20 || c > 1<<20
	}
	return c, true
}

// intExpr is a Go expression of a 64-bit integer type t as an int, taken apart
// where it is a sum of ints.
func (l *loop) intExpr(x ast.Expr, t types.Type) linear {
	if c, ok := l.constExpr(x); ok {
		return constant64(c)
	}
	if isInt(t) {
		switch x := x.(type) {
		case *ast.ParenExpr:
			return l.intExpr(x.X, t)
		case *ast.BinaryExpr:
			switch x.Op {
			case token.ADD:
				return l.intExpr(x.X, t).plus(l.intExpr(x.Y, t), 1)
			case token.SUB:
				return l.intExpr(x.X, t).plus(l.intExpr(x.Y, t), -1)
			}
		}
	}
	t1 := term{coef: 1, text: l.asInt(l.exprText(x), t), natural: l.isLength(x), x: x}
	if isInt(t) {
		switch x := x.(type) {
		case *ast.BinaryExpr:
			t1.loose = true
			if x.Op.Precedence() < token.MUL.Precedence() {
				t1.text, t1.loose = "("+t1.text+")", false
			}
		case *ast.UnaryExpr:
			t1.text = "(" + t1.text + ")" // x--y is no difference
		case *ast.StarExpr:
			t1.loose = true
		}
	}
	return linear{terms: []term{t1}}
}

// isInt reports whether values of type t need no conversion to be ints.
func isInt(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.UntypedInt)
}

func (l *loop) isLength(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && l.pkg.TypesInfo.Types[call.Fun].IsBuiltin() && types.ExprString(call.Fun) == "len" &&
		takesMemory(l.pkg.TypesInfo.TypeOf(call.Args[0]))
}

// takesMemory reports whether the elements of t have a size: others may be more
// than fit into memory.
func takesMemory(t types.Type) bool {
	if t == nil {
		return true // put together by the frontend, for accesses
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return true
	}
	_, param := s.Elem().(*types.TypeParam)
	return param || types.SizesFor("gc", "amd64").Sizeof(s.Elem()) > 0
}

// asInt converts text of type t to int.
func (l *loop) asInt(text string, t types.Type) string {
	if isInt(t) {
		return text
	}
	return fmt.Sprintf("%s(%s)", l.pre("int"), text)
}

// exprText is a live-in's expression as Go text. Such expressions may have been
// put together by the frontend; the printer adds the parentheses they need.
func (l *loop) exprText(x ast.Expr) string {
	var sb strings.Builder
	l.note("", printer.Fprint(&sb, token.NewFileSet(), x))
	return sb.String()
}

// length is len of x.
func (l *loop) length(x ast.Expr, t types.Type) string { return l.lengthOf(l.exprText(x), t) }

// capacity is the capacity of a slice, also where cap means something else.
func (l *loop) capacity(p *frontend.Param) string {
	text := l.exprText(p.Expr)
	if l.shadowed("cap") {
		return fmt.Sprintf("%s.Cap(%s)", l.guard(), text)
	}
	return fmt.Sprintf("cap(%s)", text)
}

// lengthOf is the length of a value of type t where len may mean something else.
func (l *loop) lengthOf(text string, t types.Type) string {
	if !l.shadowed("len") {
		return fmt.Sprintf("len(%s)", text)
	}
	if t == nil { // put together by the frontend
		return fmt.Sprintf("%s.Len(%s)", l.guard(), text)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return fmt.Sprintf("%s.LenString(%s)", l.guard(), text)
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return strconv.FormatInt(a.Len(), 10)
		}
	case *types.Array:
		return strconv.FormatInt(u.Len(), 10)
	}
	return fmt.Sprintf("%s.Len(%s)", l.guard(), text)
}

// least is the minimum of ints.
func (l *loop) least(xs ...string) string { return l.extreme("min", "Min", xs) }

// greatest is the largest of xs.
func (l *loop) greatest(xs ...string) string { return l.extreme("max", "Max", xs) }

// extreme calls a predeclared function, or that of package guard where the name means something else.
func (l *loop) extreme(name, function string, xs []string) string {
	if len(xs) == 1 {
		return xs[0]
	}
	if !l.shadowed(name) {
		return fmt.Sprintf("%s(%s)", name, strings.Join(xs, ", "))
	}
	text := xs[0]
	for _, x := range xs[1:] {
		text = fmt.Sprintf("%s.%s(%s, %s)", l.guard(), function, text, x)
	}
	return text
}

// goType is the type of value(i).
func (l *loop) goType(i int) types.Type {
	if _, ok := l.numbers[i]; ok {
		return types.Typ[types.Int]
	}
	if s, ok := l.stateOf[i]; ok && l.inside {
		if v := l.r.Vars[s]; isEnd(v.Part) {
			return types.Typ[types.Int]
		} else if v.Expr != nil || v.Part != frontend.Whole {
			return l.subst(l.r.Params[i].Type)
		} else if v.Obj != nil && !l.isCounter(s) {
			return l.subst(v.Obj.Type())
		}
		return l.counterType
	}
	p := &l.r.Params[i]
	if x := l.entryExpr(i); p.Kind == frontend.ParamValue && x != p.Expr && l.typeOf(x) != nil {
		return types.Default(l.typeOf(x))
	}
	if (p.Kind == frontend.ParamValue || p.Kind == frontend.ParamZero) && p.Type != nil {
		return types.Default(p.Type)
	}
	return types.Typ[types.Int]
}

// isCounter reports whether a state is the counter of a range loop.
func (l *loop) isCounter(s int) bool {
	if l.rng == nil {
		return false
	}
	v := l.r.Vars[s]
	if v.Obj == nil {
		return true
	}
	id, ok := l.rng.Key.(*ast.Ident)
	return ok && v.Local && l.pkg.TypesInfo.Defs[id] == v.Obj
}

// variable is the name of a state's variable, or of the part of it that the
// state is.
func (l *loop) variable(s int) string {
	v := l.r.Vars[s]
	switch {
	case l.isCounter(s):
		return l.counter
	case v.Expr != nil:
		return l.exprText(v.Expr)
	case l.standIn[v.Obj] != "":
		return l.standIn[v.Obj]
	}
	return v.Obj.Name()
}

// stateName is a name like that of a state's variable.
func (l *loop) stateName(s int) string {
	if l.isCounter(s) {
		return l.counter
	}
	return l.r.Vars[s].Obj.Name()
}

// value is the text of a live-in that is a number or a bool.
func (l *loop) value(i int) string {
	p := &l.r.Params[i]
	if n, ok := l.numbers[i]; ok {
		return n.String()
	}
	if s, ok := l.stateOf[i]; ok && l.inside && l.r.Vars[s].Part == frontend.Whole {
		return l.variable(s)
	}
	switch p.Kind {
	case frontend.ParamCounter, frontend.ParamStart:
		return "0"
	case frontend.ParamZero:
		if b := basic(l.subst(p.Type)); b != nil && b.Info()&types.IsBoolean != 0 {
			return "false"
		}
		return "0"
	case frontend.ParamLen:
		return l.length(p.Expr, p.Type)
	case frontend.ParamCap:
		return l.capacity(p)
	}
	return l.exprText(l.entryExpr(i))
}

// pointer is the text of a pointer live-in as an unsafe.Pointer.
func (l *loop) pointer(i int) string {
	if name, ok := l.pointers[i]; ok {
		return name
	}
	p := &l.r.Params[i]
	u := l.imports.own(pathUnsafe)
	text := l.exprText(p.Expr)
	switch p.Kind {
	case frontend.ParamSliceData:
		text = fmt.Sprintf("%s.SliceData(%s)", u, text)
	case frontend.ParamStringData:
		if !types.Identical(p.Type, types.Typ[types.String]) {
			text = fmt.Sprintf("%s(%s)", l.pre("string"), text)
		}
		text = fmt.Sprintf("%s.StringData(%s)", u, text)
	case frontend.ParamAddress, frontend.ParamTemp:
		text = "&" + text
	}
	return fmt.Sprintf("%s.Pointer(%s)", u, text)
}

func isPointer(p *frontend.Param) bool {
	switch p.Kind {
	case frontend.ParamSliceData, frontend.ParamStringData, frontend.ParamPointer, frontend.ParamAddress, frontend.ParamTemp:
		return true
	}
	return false
}
