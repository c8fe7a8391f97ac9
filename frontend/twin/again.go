package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A remainder says how the user's loop is printed to go on from the current
// state.
type remainder struct {
	verbatim bool     // comments and labels stay
	most     string   // number of iterations after which to stop, "" for none
	counter  string   // of iterations, for that
	byOne    bool     // or where the loop's own counter is by then: see countsByOne
	declared bool     // the counter is, before the loop
	limit    ast.Expr // with byOne and declared, in a condition of which more stays: what the counter stands for
	exit     string   // label to go to where the user's code breaks out of the loop
}

// goesOn is the condition that there are iterations left to do.
func (r remainder) goesOn() string { return r.counter + " < " + r.most }

// again prints the user's loop with a header that goes on from the current
// state:
//
//	for i := 0; i < n; i += 2 {...}     for ; i < n; i += 2 {...}
//	for i := range n {...}              for ; i < n; i++ {...}
//	for i, v := range x {...}           for ; i < len(x); i++ { v := x[i]; ...}
//
// For the runes of a string see runesAgain.
func (l *loop) again(r remainder) string {
	edits := l.copyEdits(r)
	if l.runes != nil {
		return l.runesAgain(r, edits)
	}
	var head, prefix string
	var body *ast.BlockStmt
	if l.three != nil {
		head, body = l.threeHead(r), l.three.Body
	} else {
		head, prefix = l.rangeHead(r)
		body = l.rng.Body
	}
	switch {
	case r.limit != nil:
	case r.byOne && r.declared:
		i, _, _ := l.countsByOne()
		head = fmt.Sprintf("for ; %s < %s; %[1]s++", i, r.counter)
	case r.byOne:
		i, limit, _ := l.countsByOne()
		head = fmt.Sprintf("for %[1]s := %[2]s; %[3]s < %[1]s; %[3]s++", r.counter, l.least(i+"+"+r.most, limit), i)
	case r.counter != "":
		prefix = r.counter + "++\n" + prefix
		if !r.declared {
			head = fmt.Sprintf("for %s := 0; %s", r.counter, strings.TrimPrefix(strings.TrimPrefix(head, "for "), "; "))
		}
	}
	return l.labelled(r, edits, head+" {\n"+prefix+l.bodyAgain(body, edits)+"}")
}

// countsByOne are the counter of a loop that adds 1 to it, and the limit, which stays the same unless a store changes it: so many
// iterations, or up to there, are one comparison. Where a kernel is for one version of the loop only, others may set the limit.
func (l *loop) countsByOne() (i, limit string, ok bool) {
	switch {
	case l.keepsCount():
		return "", "", false
	case l.rng != nil:
		t := l.typeOf(l.rng.X)
		b := basic(t)
		return l.counter, l.rangeLimit(), b == nil || b.Info()&types.IsInteger == 0 || isInt(t) // others are counted in their own type
	}
	cond, ok := l.three.Cond.(*ast.BinaryExpr)
	post, ok2 := l.three.Post.(*ast.IncDecStmt)
	if !ok || !ok2 || cond.Op != token.LSS || post.Tok != token.INC || l.k.Trip.Step != 1 || !isInt(l.typeOf(cond.X)) {
		return "", "", false
	}
	id, ok := cond.X.(*ast.Ident)
	counter, ok2 := post.X.(*ast.Ident)
	if !ok || !ok2 || l.pkg.TypesInfo.ObjectOf(id) != l.pkg.TypesInfo.ObjectOf(counter) || !l.leavesAlone(cond.Y) {
		return "", "", false
	}
	return id.Name, l.source(cond.Y.Pos(), cond.Y.End()), true
}

// leavesAlone reports whether the loop sets none of the variables in x, nor parts of them; elements of slices are none.
func (l *loop) leavesAlone(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		v, isVar := l.pkg.TypesInfo.Uses[id].(*types.Var)
		if !isVar || v.IsField() {
			return ok
		}
		set := written
		switch v.Type().Underlying().(type) {
		case *types.Slice, *types.Pointer:
			set = assigned
		}
		ok = ok && !set(l.pkg.TypesInfo, l.r.Loop, v)
		return ok
	})
	return ok
}

// bodyAgain is the text of the user's iteration.
func (l *loop) bodyAgain(body *ast.BlockStmt, edits []edit) string {
	return strings.TrimLeft(l.source(body.Lbrace+1, body.Rbrace, edits...), " \t\n")
}

// labelled is a copy of the loop with its label, if something in it speaks of that.
func (l *loop) labelled(r remainder, edits []edit, text string) string {
	if l.label != nil && l.labelUsed(r) {
		text = l.ownLabel(edits) + ":\n" + text
	}
	return text
}

func (l *loop) threeHead(r remainder) string {
	f := l.three
	cond, post := "", ""
	if f.Cond != nil {
		cond = l.source(f.Cond.Pos(), f.Cond.End())
	}
	switch {
	case r.limit != nil:
		cond = l.source(f.Cond.Pos(), f.Cond.End(), edit{pos: r.limit.Pos(), end: r.limit.End(), text: r.counter})
	case r.most != "" && cond == "":
		cond = r.goesOn()
	case r.most != "":
		if b, ok := f.Cond.(*ast.BinaryExpr); ok && b.Op == token.LOR {
			cond = "(" + cond + ")"
		}
		cond = r.goesOn() + " && " + cond
	}
	if f.Post != nil {
		post = l.source(f.Post.Pos(), f.Post.End())
	}
	if post == "" && (r.most == "" || r.limit != nil) {
		return "for " + cond
	}
	return fmt.Sprintf("for ; %s; %s", cond, post)
}

// rangeHead prints the header for the hidden counter, and the assignments of
// key and value that begin each iteration.
func (l *loop) rangeHead(r remainder) (head, prefix string) {
	cond := l.counter + " < " + l.rangeLimit()
	if r.most != "" {
		cond = r.goesOn() + " && " + cond
	}
	head = fmt.Sprintf("for ; %s; %s++", cond, l.counter)
	tok := l.rng.Tok.String()
	if key, ok := l.named(l.rng.Key); ok && key != l.counter {
		prefix += fmt.Sprintf("%s %s %s\n", key, tok, l.counter)
	}
	if value, ok := l.named(l.rng.Value); ok {
		prefix += fmt.Sprintf("%s %s %s[%s]\n", value, tok, l.ranged, l.counter)
	}
	return head, prefix
}

// rangeLimit is the number of iterations of the range loop.
func (l *loop) rangeLimit() string {
	if b := basic(l.typeOf(l.rng.X)); b != nil && b.Info()&types.IsInteger != 0 {
		return l.ranged
	}
	return l.lengthOf(l.ranged, l.typeOf(l.rng.X))
}

// named is the text of a range variable that is there and not blank.
func (l *loop) named(x ast.Expr) (string, bool) {
	if x == nil {
		return "", false
	}
	if id, ok := x.(*ast.Ident); ok && id.Name == "_" {
		return "", false
	}
	return l.source(x.Pos(), x.End()), true
}

// Labels. A label may be declared once in a function: every copy of the loop
// but the user's own gets fresh ones. A goto to the loop's label starts the
// whole statement anew; then both copies of the loop get fresh labels for
// their break and continue.

// copyEdits are the edits of one copy of the loop.
func (l *loop) copyEdits(r remainder) []edit {
	var edits []edit
	if !r.verbatim {
		drops, err := l.texts.dropComments(l.syntax, l.r.Loop.Pos(), l.r.Loop.End(), everyComment)
		l.note("", err)
		edits = append(edits, drops...)
	}
	if r.counter != "" || l.k.Short > 0 || l.k.Few {
		edits = append(edits, l.inner()...)
	}
	if r.exit != "" {
		for _, b := range l.breaks() {
			edits = append(edits, edit{pos: b.Pos(), end: b.End(), text: "goto " + r.exit})
		}
	}
	fresh := map[types.Object]string{}
	if l.label != nil && (!r.verbatim || l.isGotoTarget(l.label.Label)) {
		fresh[l.pkg.TypesInfo.Defs[l.label.Label]] = l.local(l.label.Label.Name)
	}
	if !r.verbatim {
		ast.Inspect(l.r.Loop, func(n ast.Node) bool {
			if s, ok := n.(*ast.LabeledStmt); ok {
				fresh[l.pkg.TypesInfo.Defs[s.Label]] = l.local(s.Label.Name)
			}
			return true
		})
	}
	start := ast.Node(l.r.Loop)
	if l.label != nil {
		start = l.label
	}
	own := types.Object(nil)
	if l.label != nil {
		own = l.pkg.TypesInfo.Defs[l.label.Label]
	}
	ast.Inspect(start, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			if name := fresh[l.pkg.TypesInfo.Defs[n.Label]]; name != "" {
				edits = append(edits, edit{pos: n.Label.Pos(), end: n.Label.End(), text: name})
			}
		case *ast.BranchStmt:
			if n.Label == nil {
				return true
			}
			obj := l.pkg.TypesInfo.Uses[n.Label]
			if name := fresh[obj]; name != "" && (obj != own || n.Tok != token.GOTO) {
				edits = append(edits, edit{pos: n.Label.Pos(), end: n.Label.End(), text: name})
			}
		}
		return true
	})
	return edits
}

// inner are the edits that put vectorized loops inside of this one into their places:
// in the copy that does what the kernel hands over, and in all copies where a kernel is for short loops
// inside, or calls of few iterations are left to these. Loops in the other copies run next to never, or without vectors.
func (l *loop) inner() []edit {
	var edits []edit
	for _, r := range l.regions {
		if !encloses(l.r, r) {
			continue
		}
		in := newLoop(l.function, r, l.kernels[r], nil)
		if !in.canSayNil() {
			continue
		}
		text, err := in.replacement()
		l.note("", err)
		edits = append(edits, edit{pos: r.Loop.Pos(), end: r.Loop.End(), text: text})
	}
	return edits
}

// ownLabel is the loop's label in a copy with the given edits.
func (l *loop) ownLabel(edits []edit) string {
	for _, e := range edits {
		if e.pos == l.label.Label.Pos() {
			return e.text
		}
	}
	return l.label.Label.Name
}

// labelUsed reports whether break or continue name the loop's label in a copy.
func (l *loop) labelUsed(r remainder) bool {
	used := false
	ast.Inspect(l.r.Loop, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && l.isOwnLabel(b.Label) {
			used = used || b.Tok == token.CONTINUE || b.Tok == token.BREAK && r.exit == ""
		}
		return !used
	})
	return used
}

func (l *loop) isOwnLabel(id *ast.Ident) bool {
	return l.label != nil && l.pkg.TypesInfo.Uses[id] == l.pkg.TypesInfo.Defs[l.label.Label]
}

// isGotoTarget reports whether some goto of the function names the label.
func (l *loop) isGotoTarget(label *ast.Ident) bool {
	return l.hasGoto(func(b *ast.BranchStmt) bool {
		return l.pkg.TypesInfo.Uses[b.Label] == l.pkg.TypesInfo.Defs[label]
	})
}

// jumpsAround reports whether the function has any goto, which might jump over
// declarations.
func (l *loop) jumpsAround() bool {
	return l.hasGoto(func(*ast.BranchStmt) bool { return true })
}

func (l *loop) hasGoto(is func(*ast.BranchStmt) bool) bool {
	found := false
	ast.Inspect(l.decl.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found = found || is(b)
		}
		return !found
	})
	return found
}

// leaves reports whether the body breaks out of the loop.
func (l *loop) leaves() bool { return len(l.breaks()) > 0 }

// mayLeave reports whether the body has statements that leave the loop.
func (l *loop) mayLeave() (found bool) {
	ast.Inspect(l.r.Loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO || n.Label != nil
		}
		return !found
	})
	return found || l.leaves()
}

// breaks are the statements that break out of this loop.
func (l *loop) breaks() []*ast.BranchStmt {
	var found []*ast.BranchStmt
	var walk func(n ast.Node, inner bool)
	walk = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n {
					walk(m, true)
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.BREAK && (m.Label == nil && !inner || m.Label != nil && l.isOwnLabel(m.Label)) {
					found = append(found, m)
				}
			}
			return true
		})
	}
	walk(l.r.Loop, false)
	return found
}
