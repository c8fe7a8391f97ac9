package twin

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// bindPointers gives names to the pointers that the calls pass and that have
// none yet.
func (l *loop) bindPointers(sb *strings.Builder, own *[]string) {
	var ps []int
	for _, a := range l.k.Args {
		if a.Kind == plan.ArgParam {
			ps = append(ps, a.Index)
		}
	}
	*own = append(*own, l.bind(sb, ps)...)
}

// calls prints the loop of kernel calls. A kernel that is neither Partial nor
// Complete does all whole blocks of a call:
//
//	for n >= min {
//		d := kernel(..., min(n, strip))
//		if d == 0 {
//			break // a rest that is worth a call but not a block
//		}
//		i += d
//		n -= d
//		if n >= min {
//			guard.Yield()
//		}
//	}
func (l *loop) calls(sb *strings.Builder, own *[]string) {
	l.d = l.oneOf("d", "did")
	*own = append(*own, l.d)
	switch {
	case l.k.Partial:
		l.partialCalls(sb, own)
		return
	case l.k.Complete:
		l.completeCalls(sb)
		return
	}
	fmt.Fprintf(sb, "for %s >= %d {\n", l.n, l.worthCall())
	l.call(sb, own, l.upTo(l.n))
	fmt.Fprintf(sb, "if %s == 0 {\nbreak\n}\n", l.d)
	l.updates(sb)
	fmt.Fprintf(sb, "%s -= %s\n%s}\n", l.n, l.d, l.yield(fmt.Sprintf("%s >= %d", l.n, l.worthCall())))
}

// state declares what a kernel that leaves blocks unfinished keeps between its calls.
func (l *loop) state(sb *strings.Builder, own *[]string) {
	if l.k.State == 0 {
		return
	}
	l.saved = l.local("state")
	*own = append(*own, l.saved)
	fmt.Fprintf(sb, "var %s [%d]%s\n", l.saved, l.k.State, l.pre("uint64"))
}

// peel prints the iterations that come before the first call:
//
//	for k := 0; k < 2 && <condition>; <post> {
//		k++
//		<body>
//	}
//	n -= 2
//
// or, where the kernel begins with them again,
//
//	i = 0
//
// Where the condition may have ended the loop, which it would again, all that follows is for
// loops that go on: what it prints last, close, stands behind that.
//
//	if k == 2 {
//		i = 0
//		...
//	}
func (l *loop) peel(sb *strings.Builder, own *[]string) (close string) {
	first := max(l.k.Peel, l.k.First)
	if first == 0 {
		return ""
	}
	goBack := l.goBack(sb, own)
	k := l.oneOf("k", "peeled")
	defer l.release(k)
	if l.leaves() {
		l.exit = l.local("done")
	}
	if l.keepsCount() {
		fmt.Fprintf(sb, "%s := 0\n", k)
	}
	sb.WriteString(l.again(remainder{most: fmt.Sprint(first), counter: k, declared: l.keepsCount(), exit: l.exit}) + "\n")
	switch {
	case l.runes != nil && goBack != "": // where all were single bytes
		fmt.Fprintf(sb, "if %s == %d {\n%s} else {\n%s -= %[1]s\n}\n", k, first, goBack, l.n)
	case l.r.Stops && goBack != "":
		fmt.Fprintf(sb, "if %s == %d {\n%s", k, first, goBack)
		return "}\n"
	case l.r.Stops:
		fmt.Fprintf(sb, "if %s == %d {\n%s -= %[2]d\n", k, first, l.n)
		return "}\n"
	case goBack != "":
		sb.WriteString(goBack)
	default:
		fmt.Fprintf(sb, "%s -= %s\n", l.n, l.took(k, fmt.Sprint(first)))
	}
	return ""
}

// goBack keeps the variables of the loop as they are, and gives what makes them so again;
// nothing where calls go on behind the first iterations. Fields are not set to what they
// are: others may look at them.
func (l *loop) goBack(sb *strings.Builder, own *[]string) (text string) {
	if !l.k.Again || slices.ContainsFunc(l.r.Vars, func(v frontend.Var) bool { return v.Expr != nil }) {
		return ""
	}
	kept := make(map[string]bool)
	for s := range l.r.Vars {
		v := l.variable(s)
		if kept[v] { // of which there are several parts
			continue
		}
		kept[v] = true
		first := "0"
		if !l.isCounter(s) {
			first = l.local("first")
			*own = append(*own, first)
			fmt.Fprintf(sb, "%s := %s\n", first, v)
		}
		text += fmt.Sprintf("%s = %s\n", v, first)
	}
	return text
}

// completeCalls prints the calls of a kernel that does all it is asked for. What
// it says it has done is not looked at: waiting for it costs more than to count.
// Nearly all loops are short enough for one call, which has a branch of its own:
// it needs no variable to be kept for another call, and starts at a constant.
//
//	if n <= strip {
//		kernel(..., n)
//		i += n
//	} else {
//		for n > strip {
//			d := strip
//			kernel(..., d)
//			i += d
//			n -= d
//			guard.Yield()
//		}
//		kernel(..., n)
//		i += n
//	}
func (l *loop) completeCalls(sb *strings.Builder) {
	perhaps := l.perhapsNone()
	if perhaps {
		fmt.Fprintf(sb, "if %s > 0 {\n", l.n)
	}
	if d := l.d; l.k.Strip > 0 {
		fmt.Fprintf(sb, "if %s <= %s {\n", l.n, intLiteral(l.k.Strip))
		l.callFor(sb, l.n)
		sb.WriteString("} else {\n")
		l.longCalls(sb, d)
		l.callFor(sb, l.n)
		sb.WriteString("}\n")
	} else {
		l.callFor(sb, l.n)
	}
	if l.insideLoop() {
		sb.WriteString(l.yield(""))
	}
	if perhaps {
		sb.WriteString("}\n")
	}
}

// callFor prints a call that does d iterations, and what follows from it.
func (l *loop) callFor(sb *strings.Builder, d string) {
	var own []string
	l.d = d
	l.call(sb, &own, d)
	l.updates(sb)
	l.release(own...)
}

// longCalls prints calls with as many iterations, d, as a goroutine may take without being
// stopped, while more are left.
func (l *loop) longCalls(sb *strings.Builder, d string) {
	strip := intLiteral(l.k.Strip)
	fmt.Fprintf(sb, "for %s > %s {\n%s := %[2]s\n", l.n, strip, d)
	l.callFor(sb, d)
	fmt.Fprintf(sb, "%s -= %s\n%s.Yield()\n}\n", l.n, d, l.guard())
}

// perhapsNone reports whether no iterations may be left when the calls begin.
func (l *loop) perhapsNone() bool {
	return !l.k.Recurs() && (l.k.Min < 1 || l.k.Peel > 0 || l.testsInside())
}

// testsInside reports whether what a call needs is tested inside of the vector path, where it may leave nothing to do.
func (l *loop) testsInside() bool {
	return len(l.late)+len(l.lateCounts)+len(l.lateOverlaps) > 0
}

// yield lets the goroutine be stopped behind a call when another one follows, which is
// so if more holds. Of a loop inside of another one the next iteration of that makes
// the next call: what the calls take is added up.
func (l *loop) yield(more string) string {
	switch {
	case l.k.Strip <= 0:
		return ""
	case !l.insideLoop():
		return fmt.Sprintf("if %s {\n%s.Yield()\n}\n", more, l.guard())
	}
	return fmt.Sprintf("if %s += %s; %[1]s >= %[3]s {\n%[1]s = 0\n%[4]s.Yield()\n}\n", l.spentIn(l.home()), l.d, intLiteral(l.k.Strip), l.guard())
}

// asksAgain reports whether the loop's conditions are asked again and again, in another loop. They compare with numbers
// then and take no minima of them: for those the compiler has numbers in registers, which it keeps through the scalar loop
// and makes anew in each iteration where it needs them for something else.
func (l *loop) asksAgain() bool { return l.insideLoop() }

// insideLoop reports whether the loop is part of another one of the same function.
func (l *loop) insideLoop() bool { return len(l.enclosing()) > 0 }

// upTo is the number of iterations of one call.
func (l *loop) upTo(n string) string {
	if l.k.Strip <= 0 {
		return n
	}
	return l.least(n, intLiteral(l.k.Strip))
}

// worthCall is the fewest iterations that are left for a call.
func (l *loop) worthCall() int64 { return max(l.k.Min-max(l.k.First-l.k.Peel, 0), 1) }

// partialCalls prints the calls of a kernel that stops before a block that
// holds something only the scalar code does exactly. The user's body does that
// block, then the kernel is called again; where it cannot even begin, twice as
// many iterations as the last time, or eight times where loops inside are too short, so that a loop full of
// such blocks costs little more than the scalar one:
//
//	for pause := block; n >= min; {
//		todo := min(n, strip)
//		d := kernel(..., todo)
//		i += d
//		n -= d
//		if d == todo {
//			if n >= min {
//				guard.Yield()
//			}
//			continue
//		}
//		if d > 0 {
//			pause = block
//		}
//		for k := 0; k < pause && <condition>; <post> {
//			k++
//			<body>
//		}
//		n -= pause
//		pause *= 2
//	}
//
// Where the loop counts by 1, the user's part is
//
//	for end := min(i+pause, <limit>); i < end; i++ {
//		<body>
//	}
func (l *loop) partialCalls(sb *strings.Builder, own *[]string) {
	pause, todo := l.local("pause"), l.local("todo")
	names, byOne := []string{"k", "paused"}, false
	if _, _, ok := l.countsByOne(); ok {
		names, byOne = []string{"end", "until"}, true
	}
	k := l.oneOf(names...)
	*own = append(*own, pause, todo, k)
	block := l.k.Pause
	if block == 0 {
		block = max(l.k.Block, 1)
	}
	if l.perhapsFew() {
		fmt.Fprintf(sb, "if %s >= %d {\n", l.n, max(l.worthCall(), l.k.Redo))
		defer sb.WriteString("}\n")
	}
	fmt.Fprintf(sb, "for %s := %d; %s >= %d; {\n", pause, block, l.n, l.worthCall())
	fmt.Fprintf(sb, "%s := %s\n", todo, l.upTo(l.n))
	l.call(sb, own, todo)
	if l.updatesNeedProgress() {
		fmt.Fprintf(sb, "if %s > 0 {\n", l.d)
		l.updates(sb)
		sb.WriteString("}\n")
	} else {
		l.updates(sb)
	}
	fmt.Fprintf(sb, "%s -= %s\n", l.n, l.d)
	if l.k.Timed {
		l.goesOn(sb, pause, block)
	} else {
		yield := l.yield(fmt.Sprintf("%s >= %d", l.n, l.worthCall()))
		if l.insideLoop() {
			sb.WriteString(yield)
			yield = ""
		}
		fmt.Fprintf(sb, "if %s == %s {\n%scontinue\n}\n", l.d, todo, yield)
		fmt.Fprintf(sb, "if %s > 0 {\n%s = %d\n}\n", l.d, pause, block)
	}
	if l.leaves() && l.exit == "" {
		l.exit = l.local("done")
	}
	if l.keepsCount() {
		fmt.Fprintf(sb, "%s := 0\n", k)
	}
	sb.WriteString(l.again(remainder{most: pause, counter: k, byOne: byOne, declared: l.keepsCount(), exit: l.exit}))
	if l.r.Stops { // the condition ended the loop, which it would again
		fmt.Fprintf(sb, "\nif %s < %s {\nbreak\n}", k, pause)
	}
	longer := 2
	if l.k.Few {
		longer = 8 // loops inside are as short as the first one
	}
	fmt.Fprintf(sb, "\n%s -= %s\n%s *= %d\n}\n", l.n, l.took(k, pause), pause, longer)
	l.redo(sb, own)
}

// goesOn calls the kernel again when it has done something, or left a block unfinished,
// unless most of its lanes were idle. In between the goroutine may be stopped; the user's
// iterations let that happen anyway.
func (l *loop) goesOn(sb *strings.Builder, pause string, block int64) {
	next := l.guard() + ".Yield()\ncontinue\n}"
	again := next
	if !l.insideLoop() { // most calls do all that there is
		again = fmt.Sprintf("if %s >= %d {\n%s.Yield()\n}\ncontinue\n}", l.n, l.worthCall(), l.guard())
	}
	more := fmt.Sprintf("if %s > 0 {\n%s = %d\n%s\n", l.d, pause, block, again)
	switch {
	case l.k.State == 0:
		sb.WriteString(more)
	case !l.k.Idles:
		fmt.Fprintf(sb, "if %s[0] != 0 {\n%s\n%s", l.saved, next, more)
	default:
		fmt.Fprintf(sb, "if %s[0] == %s.Idle {\n%s[0] = 0\n", l.saved, l.guard(), l.saved)
		fmt.Fprintf(sb, "} else if %s[0] != 0 {\n%s else %s", l.saved, next, more)
	}
}

// call prints one call and declares its results. The number of iterations done
// becomes d, unless that is known.
func (l *loop) call(sb *strings.Builder, own *[]string, todo string) {
	var args []string
	for i, a := range l.k.Args {
		switch a.Kind {
		case plan.ArgParam:
			args = append(args, l.argument(i, a.Index))
		case plan.ArgCount:
			args = append(args, todo)
		case plan.ArgState:
			args = append(args, fmt.Sprintf("%s.Pointer(&%s)", l.imports.own(pathUnsafe), l.saved))
		case plan.ArgConst:
			args = append(args, l.constant(a.Bits, l.paramType(l.k, i)))
		case plan.ArgBound:
			args = append(args, l.leading(todo, l.k.Bounds[a.Index]))
		}
	}
	results := []string{l.d}
	if l.k.Complete {
		results[0] = "_"
	}
	for i := 1; i < len(l.k.Fn.Results); i++ {
		name := "_"
		if s := slices.IndexFunc(l.k.Outs, func(o plan.Out) bool { return o.Kind == plan.OutResult && o.Index == i }); s >= 0 {
			name = l.local(fmt.Sprintf("%s%d", strings.TrimRight(l.stateName(s), "0123456789"), i))
			*own = append(*own, name)
		}
		results = append(results, name)
	}
	l.results = slices.Concat([]string{l.d}, results[1:])
	line := strings.Join(args, ", ")
	if len(line) > 100 {
		line = "\n" + fill(args, ",", 90) + ",\n"
	}
	if slices.ContainsFunc(results, func(r string) bool { return r != "_" }) {
		fmt.Fprintf(sb, "%s := ", strings.Join(results, ", "))
	}
	fmt.Fprintf(sb, "%s(%s)\n", l.k.Fn.Name, line)
}

// argument is live-in p as kernel argument i.
func (l *loop) argument(i, p int) string {
	if isPointer(&l.r.Params[p]) {
		return l.pointer(p)
	}
	text, from, t := l.value(p), l.goType(p), l.paramType(l.k, i)
	if own, ok := from.Underlying().(*types.Basic); ok && own.Info()&types.IsUntyped == 0 && own.Info()&types.IsFloat != t.Info()&types.IsFloat {
		panic(fmt.Sprintf("%s gets %s %s as %s", l.k.Fn.Name, own, text, t)) // a conversion would change its bits
	}
	if t.Kind() != ownParamType(l.r, l.k, i).Kind() && l.isConstant(p) {
		return l.wrapped(text, from, t)
	}
	return l.convert(text, from, t)
}

// convert converts text from one type to another where they differ.
func (l *loop) convert(text string, from, to types.Type) string {
	if b, ok := types.Unalias(from).(*types.Basic); ok && b.Info()&types.IsUntyped != 0 || types.Identical(from, to) {
		return text
	}
	return fmt.Sprintf("%s(%s)", l.typ(to), text)
}

// updates assigns the state after a call.
func (l *loop) updates(sb *strings.Builder) {
	defer sb.WriteString(l.around)
	l.updateHalves(sb)
	ends := l.newEnds()
	if l.updatesMeet() {
		names, values := l.newNumbers()
		rest := ends[:0:0]
		for _, e := range ends {
			if e.moved != "" {
				rest = append(rest, e)
				continue
			}
			names, values = append(names, e.name), append(values, e.value)
		}
		assignAll(sb, names, values)
		l.updateEnds(sb, rest)
		return
	}
	defer l.updateEnds(sb, ends)
	for s, o := range l.k.Outs {
		if o.Kind == plan.OutSame || l.r.Vars[s].Part != frontend.Whole {
			continue
		}
		if step, ok := l.progress(s, o); ok {
			sb.WriteString(step)
			continue
		}
		fmt.Fprintf(sb, "%s = %s\n", l.variable(s), l.newValue(s, o))
	}
}

// newNumbers are the numbers among the variables, and what they are after a call.
func (l *loop) newNumbers() (names, values []string) {
	for s, o := range l.k.Outs {
		if o.Kind != plan.OutSame && l.r.Vars[s].Part == frontend.Whole {
			names, values = append(names, l.variable(s)), append(values, l.newValue(s, o))
		}
	}
	return names, values
}

// updateHalves assigns the parts of complex variables, one by one: they are
// results of the call, so that the order does not matter. The frontend has made
// sure that complex, real and imag mean what they should.
func (l *loop) updateHalves(sb *strings.Builder) {
	for s, o := range l.k.Outs {
		v := l.r.Vars[s]
		if o.Kind == plan.OutSame || v.Part == frontend.Whole || isEnd(v.Part) {
			continue
		}
		name, to := l.variable(s), l.goType(l.r.State[s].Param)
		re, im := l.newValue(s, o), fmt.Sprintf("imag(%s)", name)
		if v.Part == frontend.Imag {
			re, im = fmt.Sprintf("real(%s)", name), re
		}
		value := fmt.Sprintf("complex(%s, %s)", re, im)
		from := types.Typ[types.Complex128]
		if types.Identical(to, types.Typ[types.Float32]) {
			from = types.Typ[types.Complex64]
		}
		fmt.Fprintf(sb, "%s = %s\n", name, l.convert(value, from, l.subst(v.Type)))
	}
}

// newValue is the value of a state variable after a call.
func (l *loop) newValue(s int, o plan.Out) string {
	to := l.goType(l.r.State[s].Param)
	if o.Kind == plan.OutResult {
		from := types.Type(types.Typ[types.Int])
		if o.Index > 0 {
			from = l.resultTypes(l.r, l.k)[o.Index]
		}
		return l.convert(l.results[o.Index], from, to)
	}
	x := l.linear(o.Expr)
	if x.isConst() {
		return constantOf(x.c, basic(to))
	}
	return l.convert(x.String(), types.Typ[types.Int], to)
}

// increment prints an update that adds a multiple of the iterations done to the
// variable itself. Additions wrap alike in every width, so that extensions of
// the old value make no difference.
func (l *loop) increment(s int, o plan.Out) (string, bool) {
	if o.Kind != plan.OutExpr {
		return "", false
	}
	x := o.Expr
	for x.Op == plan.ExprSext || x.Op == plan.ExprZext {
		x = x.X
	}
	p := l.r.State[s].Param
	add := l.linear(x).plus(l.intParam(p), -1)
	for _, ext := range []*plan.Expr{plan.Sext(plan.Param(p), 32), plan.Zext(plan.Param(p), 32),
		plan.Sext(plan.Param(p), 16), plan.Zext(plan.Param(p), 16), plan.Sext(plan.Param(p), 8), plan.Zext(plan.Param(p), 8)} {
		if len(add.terms) == 1 || basic(l.goType(p)) == nil || bits(basic(l.goType(p))) != ext.Bits {
			break
		}
		if try := l.linear(x).plus(l.linear(ext), -1); len(try.terms) == 1 {
			add = try
		}
	}
	if len(add.terms) != 1 || add.c != 0 || add.terms[0].text != l.d {
		return "", false
	}
	op := "+="
	if add.terms[0].coef < 0 {
		op, add = "-=", constant64(0).plus(add, -1)
	}
	return fmt.Sprintf("%s %s %s\n", l.variable(s), op, l.convert(add.String(), types.Typ[types.Int], l.goType(p))), true
}

// progress prints an increment, also one by a multiple that is known before the loop only.
func (l *loop) progress(s int, o plan.Out) (string, bool) {
	if text, ok := l.increment(s, o); ok {
		return text, true
	}
	p := l.r.State[s].Param
	if o.Kind != plan.OutExpr || o.Expr.Op != plan.ExprAdd || !o.Expr.X.Same(plan.Param(p)) || !l.timesDone(o.Expr.Y) {
		return "", false
	}
	add := l.linear(o.Expr.Y)
	return fmt.Sprintf("%s += %s\n", l.variable(s), l.convert(add.String(), types.Typ[types.Int], l.goType(p))), true
}

// timesDone reports whether x is what stays the same times the iterations done.
func (l *loop) timesDone(x *plan.Expr) bool {
	if x.Op != plan.ExprMul {
		return false
	}
	by := x.X
	if by.Same(plan.Done()) {
		by = x.Y
	} else if !x.Y.Same(plan.Done()) {
		return false
	}
	return !by.Has(func(y *plan.Expr) bool {
		_, changes := l.stateOf[y.Param]
		return y.Op == plan.ExprDone || y.Op == plan.ExprLoad || y.Op == plan.ExprParam && changes
	})
}

// updatesMeet reports whether the new value of one variable is computed from
// the old one of another that changes too.
func (l *loop) updatesMeet() bool {
	for s, o := range l.k.Outs {
		if o.Kind != plan.OutExpr {
			continue
		}
		for _, p := range params(o.Expr) {
			if t, ok := l.stateOf[p]; ok && t != s && l.k.Outs[t].Kind != plan.OutSame {
				return true
			}
		}
	}
	return false
}

// updatesNeedProgress reports whether the updates of a call that did nothing
// would change something: those that say what the last iteration assigned.
func (l *loop) updatesNeedProgress() bool {
	if l.takesLastStep() {
		return true
	}
	for s, o := range l.k.Outs {
		if o.Kind != plan.OutExpr {
			continue
		}
		if _, ok := l.progress(s, o); !ok {
			return true
		}
	}
	return false
}
