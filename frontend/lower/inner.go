package lower

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// Loops inside the loop. They are built in their natural form,
//
//	pre -> head -> body ... -> next -> head
//	         \-> done
//
// with one phi in head for every number that such a loop sets and that has a value
// before it. Blocks are still started when all edges into them exist, but for the
// head, whose edge from next comes last: what the loop does not set is looked up
// before it.

// innerFor is a three-clause loop, or one that was unrolled.
func (l *lowerer) innerFor(s *ast.ForStmt, label *types.Label) {
	if l.unroll(s, label) {
		return
	}
	l.insideOnce(s)
	if s.Init != nil {
		l.stmt(s.Init)
	}
	l.innerLoop(s, label, nil, innerParts{
		cond: func(body, done *vir.Block) {
			if s.Cond != nil {
				l.direct = true
				l.asLimit(func() { l.cond(s.Cond, body, done) })
			} else {
				l.jump(body)
			}
		},
		body: func() { l.stmts(s.Body.List) },
		next: func() {
			if s.Post != nil {
				l.stmt(s.Post)
			}
		},
	})
}

// asLimit evaluates what says how often a loop runs.
func (l *lowerer) asLimit(evaluate func()) {
	defer func(before bool) { l.limiting = before }(l.limiting)
	l.limiting = true
	evaluate()
}

// storesWithin reports whether s may store to an array while it ranges over that: what is stored behind it comes after
// the copy has been read. New variables and those of basic types are
// no part of arrays.
func (l *lowerer) storesWithin(s *ast.RangeStmt) bool {
	stores := slices.ContainsFunc(targets(s), l.isMemory)
	l.eachStore(s.Body, func(ast.Node, []ast.Stmt) { stores = true })
	return stores
}

// harmless are builtins that store nothing.
var harmless = []string{"len", "cap", "min", "max", "real", "imag", "complex"}

// mayStore reports whether a call may store to memory.
func (l *lowerer) mayStore(call *ast.CallExpr) bool {
	if l.info.Types[call.Fun].IsType() {
		return false
	}
	return !slices.Contains(harmless, l.builtinName(call)) && !l.onlyCalculates(call, 0)
}

// onlyCalculates reports whether a call, within so many others, is one of a known function that stores nothing: it has no place to store
// to, or returns what it calculates at once.
func (l *lowerer) onlyCalculates(call *ast.CallExpr, depth int) bool {
	fn := typeutil.StaticCallee(l.info, call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "math", "math/bits", "unicode":
		return true
	}
	body := l.src.Body(fn.Origin())
	if body == nil || body.Decl.Body == nil || depth > 4 {
		return false
	}
	ret := onlyReturn(body.Decl.Body.List)
	if ret == nil {
		return false
	}
	caller, ok := l.frame, true
	l.frame = &frame{info: body.Info}
	ast.Inspect(ret, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.CallExpr:
			ok = ok && (l.info.Types[n.Fun].IsType() || slices.Contains(harmless, l.builtinName(n)) || l.onlyCalculates(n, depth+1))
		}
		return ok
	})
	l.frame = caller
	return ok
}

// innerRange is a range loop over an integer, a slice, a string's bytes by index, or
// an array.
func (l *lowerer) innerRange(s *ast.RangeStmt, label *types.Label) {
	if l.unrollRange(s, label) {
		return
	}
	l.insideOnce(s)
	t := l.typeOf(s.X)
	var limit *vir.Value
	var v view
	less := vir.OpIcmpSlt
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 {
			l.refuse(s.X, "RuneRange", "inside of the loop are the runes of a string; range over []byte(s) for bytes")
		}
		if s.Key != nil && !isBlank(s.Key) {
			t = l.typeOf(s.Key)
		}
		l.asLimit(func() { limit = l.scalarAs(s.X, t) })
		if isUnsigned(t) {
			less = vir.OpIcmpUlt
		}
	default:
		var ok bool
		if v, ok = l.viewOf(BytesOf(l.info, s.X)); !ok {
			l.refuseVarying(s.X)
			l.refuse(s.X, "RangeExpr", "the range expression is no variable or field")
		}
		if isArray(t) && s.Value != nil && !isBlank(s.Value) && l.stores && l.storesWithin(s) {
			l.rangeCopy(s.X, v.at.base)
		}
		v = l.closed(v)
		if l.unrollPart(s, label, v) {
			return
		}
		limit = v.len
	}
	vt := limit.Type
	counter := key{types.NewVar(s.Pos(), l.pkg, "counter", types.Typ[types.Int]), 0}
	l.set(counter, l.int(vt, 0))
	l.innerLoop(s, label, []key{counter}, innerParts{
		cond: func(body, done *vir.Block) {
			l.mark(s)
			l.branch(l.b.Cmp(less, l.get(counter), limit), body, done)
		},
		body: func() {
			l.innerVars(s, v, l.get(counter))
			l.stmts(s.Body.List)
		},
		next: func() {
			l.mark(s)
			l.set(counter, l.b.Op(vir.OpAdd, vt, l.get(counter), l.int(vt, 1)))
		},
	})
}

// innerVars sets the variables of the range clause of an inner loop.
func (l *lowerer) innerVars(s *ast.RangeStmt, v view, counter *vir.Value) {
	var dst []ast.Expr
	var vals [][]*vir.Value
	if s.Key != nil && !isBlank(s.Key) {
		dst, vals = append(dst, s.Key), append(vals, []*vir.Value{counter})
	}
	if s.Value != nil && !isBlank(s.Value) {
		l.mark(s.Value)
		if p := l.viewElement(v, counter); !l.bindRow(s, p) {
			dst, vals = append(dst, s.Value), append(vals, l.load(s.Value, p))
		}
	}
	l.rangeAssign(s, dst, vals)
}

// innerParts builds the parts of an inner loop.
type innerParts struct {
	cond       func(body, done *vir.Block)
	body, next func()
}

// innerLoop builds a loop around its parts. hidden are variables without a name that
// it sets.
func (l *lowerer) innerLoop(s ast.Stmt, label *types.Label, hidden []key, parts innerParts) {
	if l.b.Cur == nil {
		return
	}
	head, body, next, done := l.newBlock("head"), l.newBlock("inner"), l.newBlock("next"), l.newBlock("done")
	carried := append(l.setBy(s), hidden...)
	pre := l.b.Cur
	first := make([]*vir.Value, len(carried))
	for i, k := range carried {
		first[i] = l.get(k)
	}
	l.jump(head)
	l.enter(head)
	l.heads[head] = pre
	phis := make([]*vir.Value, len(carried))
	for i, k := range carried {
		phis[i] = l.b.Phi(first[i].Type)
		phis[i].Name = valueName(k.v.Name())
		phis[i].Args = []*vir.Value{first[i]}
		l.set(k, phis[i])
	}
	l.mark(s)
	parts.cond(body, done)
	l.targets = append(l.targets, target{label: label, brk: done, next: next})
	l.start(body)
	if l.b.Cur != nil {
		l.learnFrom(body)
		parts.body()
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.jump(next)
	l.start(next)
	if l.b.Cur != nil {
		parts.next()
		for i, k := range carried {
			phis[i].Args = append(phis[i].Args, l.get(k))
		}
		l.b.Jmp(head)
		l.b.Cur = nil
	}
	l.start(done)
}

// setBy lists the numbers that loop s sets and that have a value before it.
func (l *lowerer) setBy(s ast.Stmt) []key {
	found := make(map[key]bool)
	parts := ast.Node(s)
	if f, ok := s.(*ast.ForStmt); ok {
		parts = &ast.ForStmt{For: f.For, Cond: f.Cond, Post: f.Post, Body: f.Body}
	}
	targetsOf(parts, l.leaving, func(e ast.Expr) {
		v := l.movedVar(e)
		if v != nil {
			if l.isState(v) {
				// Where it starts counts from what it was when the kernel was called.
				l.refuse(e, "Slice", "a loop inside sets %s, too", v.Name())
			}
			for _, leaf := range []int{startLeaf, endLeaf} {
				if k := (key{v, leaf}); l.get(k) != nil {
					found[k] = true
				}
			}
			return
		}
		v = rootVar(l.info, e)
		if v == nil || !l.isLocal(v) {
			return
		}
		ls, ok := leaves(l.substitute(v.Type()))
		if !ok {
			return
		}
		for i := range ls {
			if k := (key{v, i}); l.get(k) != nil {
				found[k] = true
			}
		}
	})
	for _, v := range l.lentBy(s) {
		for i := range l.whole(v).n {
			if k := (key{v, i}); l.get(k) != nil {
				found[k] = true
			}
		}
	}
	keys := slices.Collect(maps.Keys(found))
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.v.Pos(), b.v.Pos()), cmp.Compare(a.leaf, b.leaf))
	})
	return keys
}
