package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// Early exits. Where a list of statements leaves the loop on every path, nothing
// of it is lowered: an exit operation stands for it, and the scalar code does it,
// whatever it is.
//
//	for i, v := range x {        body:
//		s += v                     %s1 = add i64 %s, %v
//		if v == c {                %c = icmp.eq bool %v, %c
//			n++           ==>        exit %c
//			return i                 jmp join
//		}                        join:
//		y[i] = v                   store ...
//	}
//
// A point of which is known at the branch to it that it leaves is the block
// lowerer.out, which is never part of the function: branches to it become an exit
// under their condition, see lowerer.branch. Elsewhere the block ends with an exit
// that always holds, and a jump to the latch that is never taken.
//
// Panics that the source asks for, and calls of what never returns, leave too.

// An outcome is where control may go from a statement.
type outcome uint64

const (
	falls   outcome = 1 << iota // to the next statement
	quits                       // out of the loop
	stays                       // to the next iteration, or out of an inlined body
	through                     // to the next clause of a switch
	breaks                      // out of the outermost statement inside of the loop; the others follow
)

// depth limits how deep statements may be nested for their breaks to be told apart.
const maxNesting = 40

// A leaver finds the lists that leave the loop on every path.
type leaver struct {
	l      *lowerer
	inline bool // the body of a called function, out of which only a panic leaves
	stack  []nesting
	found  map[ast.Stmt]bool // those with which such a list begins, and all behind them
}

// A nesting is a statement that break or continue may speak of.
type nesting struct {
	label  *types.Label
	isLoop bool
}

// findLeaving marks what leaves the loop of the annotated function.
func (l *lowerer) findLeaving() {
	a := &leaver{l: l, found: make(map[ast.Stmt]bool), stack: []nesting{{l.label, true}}}
	l.leaving = a.found
	list := loopBody(l.loop).List
	if l.once != nil && l.once.ret != nil {
		list = list[:len(list)-1]
	}
	if out := a.list(list); out&(falls|stays) == 0 {
		l.refuse(l.loop, "EarlyExit", "no iteration reaches the end of the loop")
	}
}

func loopBody(s ast.Stmt) *ast.BlockStmt {
	if f, ok := s.(*ast.ForStmt); ok {
		return f.Body
	}
	return s.(*ast.RangeStmt).Body
}

// findLeavingIn marks what leaves the loop in the body of a called function.
func (l *lowerer) findLeavingIn(body *Body) {
	a := &leaver{l: l, inline: true, found: l.leaving}
	a.list(body.Decl.Body.List)
}

func (a *leaver) list(list []ast.Stmt) outcome {
	out := falls
	for i := len(list) - 1; i >= 0; i-- {
		s := a.stmt(list[i], nil)
		if s&falls != 0 {
			s = s&^falls | out
		}
		if out = s; out == quits {
			a.found[list[i]] = true
		}
	}
	return out
}

func (a *leaver) stmt(s ast.Stmt, label *types.Label) outcome {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return a.list(s.List)
	case *ast.BranchStmt:
		return a.branch(s)
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && a.l.neverReturns(call) {
			return quits
		}
	case *ast.ForStmt:
		out := a.within(nesting{label, true}, func() outcome { return a.list(s.Body.List) &^ falls })
		if s.Cond != nil {
			out |= falls
		}
		return out
	case *ast.IfStmt:
		out := a.list(s.Body.List)
		if s.Else == nil {
			return out | falls
		}
		return out | a.stmt(s.Else, nil)
	case *ast.LabeledStmt:
		l, _ := a.l.info.Defs[s.Label].(*types.Label)
		return a.stmt(s.Stmt, l)
	case *ast.RangeStmt:
		return falls | a.within(nesting{label, true}, func() outcome { return a.list(s.Body.List) })
	case *ast.ReturnStmt:
		if a.inline {
			return stays
		}
		return quits
	case *ast.SelectStmt:
		return a.clauses(s.Body, label)
	case *ast.SwitchStmt:
		return a.clauses(s.Body, label)
	case *ast.TypeSwitchStmt:
		return a.clauses(s.Body, label)
	}
	return falls
}

// within is the outcome of a statement with the given inside; breaks out of it
// fall.
func (a *leaver) within(n nesting, inside func() outcome) outcome {
	if len(a.stack) >= maxNesting {
		return falls | stays
	}
	bit := breaks << len(a.stack)
	a.stack = append(a.stack, n)
	out := inside()
	a.stack = a.stack[:len(a.stack)-1]
	if out&bit != 0 {
		out = out&^bit | falls
	}
	return out
}

func (a *leaver) clauses(body *ast.BlockStmt, label *types.Label) outcome {
	return a.within(nesting{label, false}, func() outcome {
		out, next, complete := outcome(0), outcome(0), false
		for i := len(body.List) - 1; i >= 0; i-- {
			var one outcome
			switch c := body.List[i].(type) {
			case *ast.CaseClause:
				complete = complete || c.List == nil
				one = a.list(c.Body)
			case *ast.CommClause:
				complete = true // a select without default waits
				one = a.list(c.Body)
			}
			if one&through != 0 {
				one = one&^through | next
			}
			next = one
			out |= one
		}
		if !complete {
			out |= falls
		}
		return out
	})
}

func (a *leaver) branch(s *ast.BranchStmt) outcome {
	var label *types.Label
	if s.Label != nil {
		label, _ = a.l.info.Uses[s.Label].(*types.Label)
	}
	switch s.Tok {
	case token.FALLTHROUGH:
		return through
	case token.GOTO:
		if label != nil && (label.Pos() < a.l.loop.Pos() || label.Pos() >= a.l.loop.End()) && !a.inline {
			return quits
		}
		return stays | falls
	}
	for i := len(a.stack) - 1; i >= 0; i-- {
		n := a.stack[i]
		switch {
		case label != nil && label != n.label, s.Tok == token.CONTINUE && !n.isLoop:
			continue
		case s.Tok == token.CONTINUE && (i > 0 || a.inline):
			return 0 // the inner loop goes on
		case s.Tok == token.CONTINUE:
			return stays
		case i == 0 && !a.inline:
			return quits
		}
		return breaks << i
	}
	return quits // an enclosing statement
}

// neverReturns reports whether a call ends in a panic or ends the program.
func (l *lowerer) neverReturns(e *ast.CallExpr) bool {
	if l.builtinName(e) == "panic" {
		return true
	}
	fn := typeutil.StaticCallee(l.info, e)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		return true
	}
	return false
}

// leavesAt reports whether a list leaves the loop whatever happens in it.
func (l *lowerer) leavesAt(list []ast.Stmt) bool { return len(list) > 0 && l.leaving[list[0]] }

// armOf is the block for a list: the way out where it leaves.
func (l *lowerer) armOf(name string, list []ast.Stmt) *vir.Block {
	if l.leavesAt(list) {
		return l.out
	}
	return l.newBlock(name)
}

// exitIf leaves the loop when c holds.
func (l *lowerer) exitIf(c *vir.Value) {
	l.noteReads()
	l.b.Check(vir.OpExit, nil, c)
}

// leave leaves the loop. The jump to the latch is for the shape alone; what the
// variables hold there is poison.
func (l *lowerer) leave() {
	if l.b.Cur == nil {
		return
	}
	l.exitIf(l.bool(true))
	l.left[l.b.Cur] = true
	l.b.Jmp(l.latch)
	l.b.Cur = nil
}

// poisoned is a poison value of type t at the end of block b.
func (l *lowerer) poisoned(b *vir.Block, t vir.Type) *vir.Value {
	n := len(b.Insts) - 1
	v := l.f.NewValue(vir.OpPoison, t)
	v.Block = b
	b.Insts = append(b.Insts[:n:n], v, b.Insts[n])
	return v
}

// stays of a loop: the statements that it may execute without leaving it.
func (l *lowerer) inspectStaying(n ast.Node, f func(ast.Node) bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && l.leaving[s] {
			return false
		}
		return f(n)
	})
}
