package twin

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// A loop is one vectorized loop being printed:
//
//	if n := <iterations>; n >= <min> && cpu.AVX2 && <conditions> {
//		<state of the loop on entry>
//		<kernel calls>
//		<the user's loop, going on from the current state>
//	} else {
//		<the user's loop>
//	}
//
// The number of iterations is tested before anything else: short loops pay for
// nothing more. Unconditional bounds may be found out inside, since a loop that
// breaks one panics; a failed overlap test leaves the user's loop as it was. Where
// kernels do all iterations, there is no loop behind them.
type loop struct {
	*function
	r *frontend.Region
	k *plan.Kernel

	label   *ast.LabeledStmt // around the loop, or nil
	rng     *ast.RangeStmt
	three   *ast.ForStmt
	hoisted bool                      // the init statement runs before the test
	initial map[types.Object]ast.Expr // what the init statement assigns

	stateOf map[int]int // parameter of the region to its State
	inside  bool        // printing behind the entry into the loop: variables are current
	tested  bool        // printing behind the test: all live-ins can be evaluated

	counter     string     // name of the hidden counter of a range loop
	counterType types.Type // its type
	ranged      string     // text of the range expression in the remainder
	naming      string     // what is ranged over has got a name, which this declares
	runes       ast.Expr   // the string whose runes the range loop goes through, nil for others

	n, d string
	few  bool // n is at most the length of something in memory
	// Bounds that are tested inside: late, and lateCounts as plain counts.
	late         []plan.Bound
	lateCounts   []string
	exact        bool                    // the iterations for the kernel are those of the loop
	lateOverlaps []plan.Overlap          // tested inside, too
	results      []string                // names of the last call's results
	exit         string                  // label behind the vector path, when the body breaks out of the loop
	pointers     map[int]string          // names of bound pointers, by parameter
	numbers      map[int]linear          // numbers that stand for others, by parameter
	around       string                  // behind a call: a variable goes round in a table that kernels have a copy of
	saved        string                  // name of the memory for what a call could not finish
	standIn      map[types.Object]string // names of variables that the source has none for
	err          error                   // first one
}

func newLoop(c *function, r *frontend.Region, k *plan.Kernel, label *ast.LabeledStmt) *loop {
	l := &loop{function: c, r: r, k: k, label: label, stateOf: map[int]int{}, pointers: map[int]string{}}
	l.rng, _ = r.Loop.(*ast.RangeStmt)
	l.three, _ = r.Loop.(*ast.ForStmt)
	if l.rng != nil {
		l.runes = frontend.RunesOf(l.pkg.TypesInfo, l.typeOf(l.rng.X), l.rng)
	}
	for i, s := range r.State {
		l.stateOf[s.Param] = i
	}
	l.readInit()
	l.inside = l.hoisted
	return l
}

// note keeps the first error.
func (l *loop) note(s string, err error) string {
	if err != nil && l.err == nil {
		l.err = err
	}
	return s
}

func (l *loop) typ(t types.Type) string { return l.note(l.typeName(t)) }

// pre is a predeclared type's name here.
func (l *loop) pre(name string) string { return l.note(l.predeclared(name, l.shadows[name])) }

func (l *loop) cpu() string   { return l.imports.own(pathCPU) }
func (l *loop) guard() string { return l.imports.own(pathGuard) }

// readInit notes the values that the init statement gives to variables, and
// decides whether it has to run before anything is asked about the loop: when
// its values may not be computed twice, or when live-ins speak of its variables
// in ways that cannot be told before.
func (l *loop) readInit() {
	l.initial = map[types.Object]ast.Expr{}
	if l.three == nil || l.three.Init == nil {
		return
	}
	objs := map[types.Object]bool{}
	l.hoisted = l.more(l.three.Init)
	changes(l.pkg.TypesInfo, l.three.Init, func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if ok {
			objs[l.pkg.TypesInfo.ObjectOf(id)] = true
		}
		l.hoisted = l.hoisted || !ok
		return false
	})
	if s, ok := l.three.Init.(*ast.AssignStmt); ok && len(s.Lhs) == len(s.Rhs) && (s.Tok == token.DEFINE || s.Tok == token.ASSIGN) {
		for i, x := range s.Lhs {
			if id, ok := ast.Unparen(x).(*ast.Ident); ok && pureCalls(l.pkg.TypesInfo, s.Rhs[i]) {
				l.initial[l.pkg.TypesInfo.ObjectOf(id)] = s.Rhs[i]
			}
		}
	}
	for i := range l.r.Params {
		p := &l.r.Params[i]
		if p.Expr == nil {
			continue
		}
		told := p.Kind == frontend.ParamValue && l.entryExpr(i) != p.Expr || !l.mentions(p.Expr, objs)
		for _, x := range slices.Concat(p.NonNil, p.NonZero) {
			told = told && !l.mentions(x, objs)
		}
		for _, x := range p.InRange {
			told = told && !l.mentions(x, objs)
		}
		l.hoisted = l.hoisted || !told
	}
}

// more reports whether the init statement may do more than to set variables.
func (l *loop) more(init ast.Stmt) bool {
	switch s := init.(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(s.Rhs, func(x ast.Expr) bool { return !pureCalls(l.pkg.TypesInfo, x) })
	case *ast.IncDecStmt:
		return false
	}
	return true
}

// entryExpr is the expression of a live-in where it is printed: before the init
// statement, its variables are known by their initial values.
func (l *loop) entryExpr(i int) ast.Expr {
	x := l.r.Params[i].Expr
	if l.inside || x == nil {
		return x
	}
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		if v := l.initial[l.pkg.TypesInfo.ObjectOf(id)]; v != nil {
			return v
		}
	}
	return x
}

func (l *loop) mentions(x ast.Expr, objs map[types.Object]bool) bool {
	return mentions(l.pkg.TypesInfo, x, objs)
}

func mentions(info *types.Info, x ast.Expr, objs map[types.Object]bool) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && objs[info.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}

// pureCalls reports whether the only calls in x are conversions, len and cap.
func pureCalls(info *types.Info, x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			id, _ := ast.Unparen(n.Fun).(*ast.Ident)
			ok = ok && (tv.IsType() || tv.IsBuiltin() && id != nil && (id.Name == "len" || id.Name == "cap"))
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// replacement is the text that takes the loop's place.
func (l *loop) replacement() (string, error) {
	defer func(edits []edit) { l.edits = edits }(slices.Clip(l.edits))
	l.nameRanged()
	if l.probes() {
		return l.probed()
	}
	l.n = l.oneOf("n", "left")
	var own []string
	before, outer := l.header(&own)
	l.inside, l.tested = true, true
	var sb strings.Builder
	sb.WriteString(before)
	sb.WriteString(" {\n")
	l.bindPointers(&sb, &own)
	l.enter(&sb, &own)
	entry := sb.String()
	sb.Reset()
	l.state(&sb, &own) // no goto may pass it
	sb.WriteString(l.lateLeast())
	repeated := ""
	if l.k.Recurs() {
		repeated = l.repeat(&sb, &own) // nor its variables
	}
	closing := l.peel(&sb, &own)
	switch bounds := l.lateBounds(); {
	case l.k.Recurs():
		sb.WriteString(repeated)
		l.stretches(&sb, &own)
	case bounds != "" && l.k.First > 0 && closing == "":
		fmt.Fprintf(&sb, "if %s > 0 {\n%s}\n", l.n, bounds) // not when the loop has ended
		l.calls(&sb, &own)
	default:
		sb.WriteString(bounds)
		l.calls(&sb, &own)
	}
	if !l.doesAll() {
		sb.WriteString(l.again(remainder{}) + "\n")
	}
	sb.WriteString(closing)
	if l.exit != "" {
		sb.WriteString(l.exit + ":\n")
	}
	entry += l.unread(sb.String())
	sb.WriteString("} else {\n" + l.verbatim() + "\n}")
	l.release(own...)
	return l.wrap(entry+sb.String(), outer), l.err
}

// unread reads the variables that the init statement declares and rest, what follows it, does
// not name, like a limit of which the kernel knows as the number of iterations: Go wants each
// variable to be used.
func (l *loop) unread(rest string) (text string) {
	if l.three == nil || l.hoisted {
		return ""
	}
	s, ok := l.three.Init.(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE {
		return ""
	}
	named := identifiers(rest)
	for _, x := range s.Lhs {
		if id := x.(*ast.Ident); id.Name != "_" && !named[id.Name] {
			text += "_ = " + id.Name + "\n"
		}
	}
	return text
}

// identifiers are those in a piece of Go source.
func identifiers(text string) map[string]bool {
	names := make(map[string]bool)
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return names
		case token.IDENT:
			names[lit] = true
		}
	}
}

// nameRanged gives what a region ranges over that is named its name, by which all that follows calls it.
func (l *loop) nameRanged() {
	if l.r.Named == nil {
		return
	}
	x, name := l.rng.X, l.r.Named.Name
	text := l.source(x.Pos(), x.End())
	l.names[name] = true
	l.naming = fmt.Sprintf("%s := %s\n", name, text)
	l.edits = append(l.edits, edit{pos: x.Pos(), end: x.End(), text: name, rank: math.MinInt})
}

// wrap adds what has to stand around the printed statement.
func (l *loop) wrap(text string, outer bool) string {
	if l.hoisted {
		text = l.source(l.three.Init.Pos(), l.three.Init.End()) + "\n" + text
	}
	text = l.naming + text
	if l.hoisted || l.naming != "" || outer && l.jumpsAround() {
		text = "{\n" + text + "\n}"
	}
	if l.label != nil && l.isGotoTarget(l.label.Label) {
		text = l.label.Label.Name + ":\n" + text
	}
	return text
}

// oneOf is the first of some names that is free, else the last with a number.
func (l *loop) oneOf(names ...string) string {
	for _, n := range names {
		if name := l.local(n); name == n {
			return name
		} else {
			l.release(name)
		}
	}
	return l.local(names[len(names)-1])
}

// source is copied text with the function's edits.
func (l *loop) source(pos, end token.Pos, more ...edit) string {
	return l.note(l.text(pos, end, more...))
}

// verbatim is the user's loop.
func (l *loop) verbatim() string {
	r := remainder{verbatim: true}
	if l.hoisted {
		return l.again(r)
	}
	edits := l.copyEdits(r)
	if l.label == nil || l.isGotoTarget(l.label.Label) && !l.labelUsed(r) {
		return l.source(l.r.Loop.Pos(), l.r.Loop.End(), edits...)
	}
	return l.source(l.label.Pos(), l.label.End(), edits...)
}

// enter declares the state of the loop on entry: the init statement, the
// counter of a range loop, and its range expression evaluated once, for iterations that are
// left over.
func (l *loop) enter(sb *strings.Builder, own *[]string) {
	switch {
	case l.three != nil && l.three.Init != nil && !l.hoisted:
		sb.WriteString(l.source(l.three.Init.Pos(), l.three.Init.End()) + "\n")
	case l.rng != nil:
		l.enterRange(sb, own)
	}
}

func (l *loop) enterRange(sb *strings.Builder, own *[]string) {
	if text, bind := l.rangeText(); bind && !l.doesAll() {
		l.ranged = l.local(baseName(l.rng.X, "r"))
		*own = append(*own, l.ranged)
		fmt.Fprintf(sb, "%s := %s\n", l.ranged, text)
	} else {
		l.ranged = text
	}
	l.counterType = types.Typ[types.Int]
	if b := basic(l.typeOf(l.rng.X)); b != nil && b.Info()&types.IsInteger != 0 {
		l.counterType = types.Default(l.typeOf(l.rng.X))
		if l.rng.Key != nil && l.typeOf(l.rng.Key) != nil {
			l.counterType = l.typeOf(l.rng.Key)
		}
	}
	if key, ok := l.keyAsCounter(); ok {
		l.counter = key
	} else {
		l.counter = l.local("i")
		*own = append(*own, l.counter)
	}
	if types.Identical(l.counterType, types.Typ[types.Int]) {
		fmt.Fprintf(sb, "%s := 0\n", l.counter)
	} else {
		fmt.Fprintf(sb, "var %s %s\n", l.counter, l.typ(l.counterType))
	}
}

// keyAsCounter is the user's key variable if it can count in the remainder:
// declared by the loop, left alone by the body, and hiding nothing that the
// vector path speaks of.
func (l *loop) keyAsCounter() (string, bool) {
	id, ok := l.rng.Key.(*ast.Ident)
	if !ok || id.Name == "_" || l.rng.Tok != token.DEFINE {
		return "", false
	}
	if assigned(l.pkg.TypesInfo, l.rng.Body, l.pkg.TypesInfo.Defs[id]) || names(l.rng.X, id.Name) {
		return "", false
	}
	for i := range l.r.Params {
		if names(l.r.Params[i].Expr, id.Name) {
			return "", false
		}
	}
	return id.Name, true
}

// names reports whether x holds an identifier of the given name.
func names(x ast.Expr, name string) bool {
	found := false
	if x != nil {
		ast.Inspect(x, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
	}
	return found
}

// rangeText is the range expression, and whether it must be bound to a name to
// be evaluated once: unless it is a constant or a variable that stays.
func (l *loop) rangeText() (string, bool) {
	x := frontend.BytesOf(l.pkg.TypesInfo, l.rng.X)
	if l.runes != nil {
		x = l.runes
	}
	x = ast.Unparen(x)
	text := l.source(x.Pos(), x.End())
	if l.pkg.TypesInfo.Types[x].Value != nil {
		return text, false
	}
	id, ok := x.(*ast.Ident)
	if l.r.Named != nil {
		return text, false
	}
	if !ok {
		return text, !l.isArray(x) || l.usesValue()
	}
	obj := l.pkg.TypesInfo.Uses[id]
	if l.isArray(x) {
		return text, l.usesValue() && written(l.pkg.TypesInfo, l.rng.Body, obj)
	}
	return text, assigned(l.pkg.TypesInfo, l.rng.Body, obj) || l.keyHides(id.Name)
}

// keyHides reports whether the loop's own variables have the given name.
func (l *loop) keyHides(name string) bool {
	for _, x := range []ast.Expr{l.rng.Key, l.rng.Value} {
		if id, ok := x.(*ast.Ident); ok && id.Name == name && l.rng.Tok == token.DEFINE {
			return true
		}
	}
	return false
}

func (l *loop) isArray(x ast.Expr) bool {
	_, ok := l.typeOf(x).Underlying().(*types.Array)
	return ok
}

func (l *loop) usesValue() bool {
	id, ok := l.rng.Value.(*ast.Ident)
	return l.rng.Value != nil && (!ok || id.Name != "_")
}

// baseName is a name that reminds of x.
func baseName(x ast.Expr, other string) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.IndexExpr:
		return baseName(x.X, other)
	case *ast.SliceExpr:
		return baseName(x.X, other)
	case *ast.StarExpr:
		return baseName(x.X, other)
	}
	return other
}

// assigned reports whether the statements under n assign to the variable obj
// as a whole or take its address.
func assigned(info *types.Info, n ast.Node, obj types.Object) bool {
	return changes(info, n, func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		return ok && info.ObjectOf(id) == obj
	})
}

// written is assigned for any part of the variable.
func written(info *types.Info, n ast.Node, obj types.Object) bool {
	return changes(info, n, func(x ast.Expr) bool {
		for {
			switch y := ast.Unparen(x).(type) {
			case *ast.Ident:
				return info.ObjectOf(y) == obj
			case *ast.IndexExpr:
				x = y.X
			case *ast.SelectorExpr:
				x = y.X
			case *ast.SliceExpr:
				x = y.X
			default:
				return false
			}
		}
	})
}

func changes(info *types.Info, n ast.Node, is func(ast.Expr) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}
