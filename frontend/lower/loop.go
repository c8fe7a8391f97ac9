package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// lowerLoop builds
//
//	entry -> header -> body ... -> latch -> header
//	           \-> exit
//
// as plan.Region describes it.
func (l *lowerer) lowerLoop() {
	l.findLeaving()
	l.classify()
	entry := l.newBlock("entry")
	l.header, l.latch, l.exit = l.newBlock("header"), l.newBlock("latch"), l.newBlock("exit")
	l.out = &vir.Block{Name: "out"}
	l.mark(l.loop)
	l.enter(entry)
	l.b.Jmp(l.header)
	l.enter(l.header)

	body := l.newBlock("body")
	var block *ast.BlockStmt
	var next func()
	switch s := l.loop.(type) {
	case *ast.ForStmt:
		block, next = s.Body, l.forHeader(s, body)
	case *ast.RangeStmt:
		block, next = s.Body, l.rangeHeader(s, body)
	}
	l.targets = append(l.targets, target{label: l.label, next: l.latch})
	l.stmts(block.List[l.decided:])
	l.jump(l.latch)
	l.start(l.latch)
	if l.b.Cur == nil || !slices.ContainsFunc(l.latch.Preds, func(p *vir.Block) bool { return !l.left[p] }) {
		l.refuse(l.loop, "EarlyExit", "no iteration reaches the end of the loop")
	}
	next()
	l.close()
}

// classify decides for every variable that the loop sets whether it is carried
// in a register or lives in memory.
func (l *lowerer) classify() {
	l.assigned = make(map[*types.Var]bool)
	l.memory = make(map[*types.Var]bool)
	l.findMoved(l.loopParts(), l.facts)
	stores := false
	targetsOf(l.loopParts(), l.leaving, func(e ast.Expr) {
		v := rootVar(l.info, e)
		if l.movedField(e) {
			return
		}
		switch {
		case v == nil, isPackageLevel(v):
			stores = stores || !isBlank(e)
		case !l.inBody(v):
			l.assigned[v] = true
			stores = stores || !l.moves(v) && !l.carried(v)
		}
	})
	stores = l.onceAssigned() || stores
	l.inspectStaying(l.loop, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !l.info.Types[call.Fun].IsType() && l.builtinName(call) == "" {
			stores = true // by a body that is inlined
		}
		return true
	})
	l.stores = stores
	l.findAppended()
	stores = l.stores
	for v := range l.facts.addressed {
		l.memory[v] = stores
	}
	for v := range l.assigned {
		if !l.carried(v) && !l.appended[v] && !l.moves(v) {
			l.memory[v] = true
		}
	}
}

// loopParts is the loop without what runs before the first iteration.
func (l *lowerer) loopParts() ast.Node {
	s, ok := l.loop.(*ast.ForStmt)
	if !ok {
		return l.loop
	}
	return &ast.ForStmt{For: s.For, Cond: s.Cond, Post: s.Post, Body: s.Body}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// forHeader builds the header of a three-clause loop and returns what builds
// the latch.
func (l *lowerer) forHeader(s *ast.ForStmt, body *vir.Block) func() {
	l.addStates()
	plain, rest := l.splitCondition(s.Cond)
	if first := l.firstExit(s, plain, rest); first != nil {
		c := l.noneOf(first)
		l.headerIsPlain(first)
		l.decided = 1
		l.noteReads()
		l.learn(c, true)
		l.beginBody(c, body)
	} else if plain == nil {
		l.mark(s)
		l.beginBody(l.bool(true), body)
	} else {
		c := l.condition(plain)
		l.headerIsPlain(plain)
		if _, ok := c.IsConst(); ok {
			l.refuse(plain, "LoopCond", "the loop condition is constant")
		}
		l.learn(c, true)
		l.beginBody(c, body)
	}
	for _, e := range rest {
		l.stops = true
		next := l.newBlock("more")
		l.cond(e, next, l.out)
		l.start(next)
	}
	return func() {
		if s.Post != nil {
			l.stmt(s.Post)
			if l.b.Cur != l.latch {
				l.refuse(s.Post, "LoopPost", "the post statement branches")
			}
		}
	}
}

// countable refuses loops whose iterations nothing counts: a condition in the
// header, or else a subscript that must stay inside of something.
func (l *lowerer) countable() {
	if _, ok := l.header.Term().Args[0].IsConst(); !ok {
		return
	}
	for v := range l.f.Values {
		if v.Op == vir.OpCheckIndex {
			return
		}
	}
	l.refuse(l.loop, "LoopCond", "the loop has no condition, and no subscript that bounds it")
}

// close completes the phis and leaves the loop.
func (l *lowerer) close() {
	l.countable()
	l.mark(l.loop)
	l.closeMoved()
	last := make([]*vir.Value, len(l.states))
	for i, s := range l.states {
		last[i] = l.get(s.key)
	}
	l.b.Jmp(l.header)
	phis := make([]*vir.Value, len(l.states))
	for i, s := range l.states {
		s.phi.Args = []*vir.Value{s.in.v, last[i]}
		phis[i] = s.phi
		l.f.Results = append(l.f.Results, s.phi.Type)
	}
	l.enter(l.exit)
	l.b.Ret(phis...)
	l.keepsSteadies()
}
