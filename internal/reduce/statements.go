package reduce

import (
	"go/ast"
	"go/token"
)

// statements finds edits that remove statements, or what is around them.
func (f *finder) statements() {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.BlockStmt:
			f.chunks(s.List)
		case *ast.CaseClause:
			f.add(f.cut(s.Pos(), s.End()))
			f.chunks(s.Body)
		case *ast.IfStmt:
			f.ifStmt(s)
		case *ast.ForStmt:
			f.forStmt(s)
		case *ast.RangeStmt:
			f.rangeStmt(s)
		case *ast.SwitchStmt:
			for _, c := range s.Body.List {
				if body := c.(*ast.CaseClause).Body; len(body) > 0 {
					f.add(f.put(s, "{\n"+f.between(body[0].Pos(), body[len(body)-1].End())+"\n}"))
				}
			}
		case *ast.LabeledStmt:
			f.add(f.cut(s.Pos(), s.Stmt.Pos()))
		case *ast.BranchStmt:
			if s.Label != nil {
				f.add(f.put(s, s.Tok.String()))
			}
		case *ast.AssignStmt:
			f.assignment(s)
		case *ast.ReturnStmt:
			for i := range s.Results {
				f.add(cutItem(f, s.Results, i))
			}
			if len(s.Results) > 0 {
				f.add(f.put(s, "return"))
			}
		}
		return true
	})
}

// chunks removes statements that follow each other: all, halves, quarters and so on to single ones.
func (f *finder) chunks(list []ast.Stmt) {
	for n := len(list); n > 0; n /= 2 {
		for i := 0; i+n <= len(list); i += n {
			f.add(f.cut(list[i].Pos(), list[i+n-1].End()))
		}
		if len(list)%n != 0 && n > 1 {
			f.add(f.cut(list[len(list)-len(list)%n].Pos(), list[len(list)-1].End()))
		}
	}
	for i, s := range list { // blocks without a purpose
		if b, ok := s.(*ast.BlockStmt); ok {
			f.add(f.put(list[i], f.inside(b)))
		}
	}
}

func (f *finder) inside(b *ast.BlockStmt) string { return f.between(b.Lbrace+1, b.Rbrace) }

func (f *finder) ifStmt(s *ast.IfStmt) {
	init := ""
	if s.Init != nil {
		init = f.source(s.Init) + "\n"
		f.add(f.cut(s.Init.Pos(), s.Cond.Pos()))
	}
	f.add(f.put(s, "{\n"+init+f.inside(s.Body)+"}"))
	f.add(f.put(s, init+f.inside(s.Body)))
	if s.Else == nil {
		return
	}
	f.add(f.cut(s.Body.End(), s.Else.End()))
	f.add(f.put(s, f.source(s.Else)))
	if b, ok := s.Else.(*ast.BlockStmt); ok {
		f.add(f.put(s, init+f.inside(b)))
	}
}

func (f *finder) forStmt(s *ast.ForStmt) {
	init := ""
	if s.Init != nil {
		init = f.source(s.Init) + "\n"
		if d, ok := s.Init.(*ast.AssignStmt); ok && len(d.Lhs) == 1 {
			init += "_ = " + f.source(d.Lhs[0]) + "\n"
			f.asRange(s, d)
		}
	}
	f.add(f.put(s, "{\n"+init+f.inside(s.Body)+"}"))
	f.add(f.put(s, f.inside(s.Body)))
}

// asRange counts from 0 in ones, up to the limit if there is one.
func (f *finder) asRange(s *ast.ForStmt, d *ast.AssignStmt) {
	i := f.source(d.Lhs[0])
	if c, ok := s.Cond.(*ast.BinaryExpr); ok {
		switch c.Op {
		case token.LSS, token.LEQ, token.NEQ:
			limit := f.source(c.Y)
			f.add(change{f.offset(s.Pos()), f.offset(s.Body.Pos()), "for " + i + " := range " + limit + " "})
		}
	}
	limit := f.source(d.Rhs[0]) // of a loop that counts down
	f.add(change{f.offset(s.Pos()), f.offset(s.Body.Pos()), "for " + i + " := range " + limit + " "})
	if s.Cond != nil && s.Post != nil {
		f.add(f.put(d, i+" := 0"))
		f.add(f.put(s.Post, i+"++"))
	}
}

func (f *finder) rangeStmt(s *ast.RangeStmt) {
	init := ""
	if s.Key != nil && f.source(s.Key) != "_" {
		init = f.source(s.Key) + " := 0\n_ = " + f.source(s.Key) + "\n"
	}
	f.add(f.put(s, "{\n"+init+f.inside(s.Body)+"}"))
	f.add(f.put(s, f.inside(s.Body)))
	if s.Value != nil {
		f.add(f.cut(s.Key.End(), s.Value.End()))
	}
}

// assignment makes a plain assignment of another one, and single ones of several.
func (f *finder) assignment(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
	default:
		f.add(change{f.offset(s.TokPos), f.offset(s.TokPos) + len(s.Tok.String()), "="})
	}
	if len(s.Lhs) < 2 {
		return
	}
	if len(s.Rhs) != len(s.Lhs) {
		return
	}
	for i := range s.Lhs {
		f.add(f.put(s, f.source(s.Lhs[i])+" "+s.Tok.String()+" "+f.source(s.Rhs[i])))
		f.add(cutItem(f, s.Lhs, i), cutItem(f, s.Rhs, i))
	}
}
