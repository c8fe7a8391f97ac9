package reduce

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// declarations finds edits of what stands outside of functions, and of their heads.
func (f *finder) declarations() {
	for _, d := range f.ast.Decls {
		from := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
				f.directive(d.Doc)
			}
			f.fields(d.Type.Params)
			f.fields(d.Type.Results)
			f.parameters(d)
		case *ast.GenDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					f.typeSpec(t)
				}
			}
		}
		f.add(f.cut(from, d.End()))
	}
}

// directive drops the clauses of directives.
func (f *finder) directive(doc *ast.CommentGroup) {
	for _, c := range doc.List {
		words := strings.Fields(c.Text)
		for i := 2; i < len(words) && strings.HasPrefix(c.Text, "//vec:func"); i++ {
			f.add(f.put(c, strings.Join(slices.Delete(slices.Clone(words), i, i+1), " ")))
		}
	}
}

// fields drops fields, parameters or results.
func (f *finder) fields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for i, field := range list.List {
		if len(list.List) == 1 && len(field.Names) <= 1 {
			f.add(f.cut(list.Opening+1, list.Closing))
			continue
		}
		f.add(cutItem(f, list.List, i))
		for k := range field.Names {
			if len(field.Names) > 1 {
				f.add(cutItem(f, field.Names, k))
			}
		}
	}
}

func (f *finder) typeSpec(t *ast.TypeSpec) {
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range s.Fields.List {
		f.add(f.cut(field.Pos(), field.End()))
	}
}

// parameters drops parameters of functions that are called in the file, with the arguments.
func (f *finder) parameters(d *ast.FuncDecl) {
	obj := f.info.Defs[d.Name]
	var calls []*ast.CallExpr
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && f.info.Uses[id] == obj {
				calls = append(calls, c)
			}
		}
		return true
	})
	if len(calls) == 0 {
		return
	}
	at := 0
	for i, field := range d.Type.Params.List {
		n := len(field.Names)
		if n == 1 {
			e := edit{cutItem(f, d.Type.Params.List, i)}
			for _, c := range calls {
				if at < len(c.Args) {
					e = append(e, cutItem(f, c.Args, at))
				}
			}
			f.list = append(f.list, e)
		}
		at += n
	}
}

// types finds edits that replace one basic type by another everywhere, slices of structs by
// slices of numbers, and sizes of arrays by smaller ones.
func (f *finder) types() {
	uses := make(map[string][]*ast.Ident)
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if t, ok := f.info.Uses[id].(*types.TypeName); ok && t.Pkg() == nil {
				uses[id.Name] = append(uses[id.Name], id)
			}
		}
		return true
	})
	for _, from := range basicTypes {
		for _, to := range basicTypes {
			if to == from {
				break // only to simpler ones
			}
			var e edit
			for _, id := range uses[from] {
				e = append(e, f.put(id, to))
			}
			if e != nil {
				f.list = append(f.list, e)
			}
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		a, ok := n.(*ast.ArrayType)
		if ok && a.Len != nil {
			f.add(f.cut(a.Lbrack+1, a.Len.End())) // a slice
		}
		if s, ok := n.(*ast.StarExpr); ok {
			if a, ok := s.X.(*ast.ArrayType); ok && a.Len != nil {
				f.add(f.put(s, "[]"+f.source(a.Elt)))
			}
		}
		return true
	})
}

// basicTypes from simple to special.
var basicTypes = []string{
	"int", "int32", "float32", "float64", "int64", "uint8", "uint32", "uint64", "uint", "int16", "uint16", "int8", "uintptr",
	"complex64", "complex128",
}

// variables finds edits that remove a local variable: its definition, assignments to it and
// blank uses go; what is left of it becomes what it was defined as, or a constant.
func (f *finder) variables() {
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			f.variablesOf(fn)
		}
	}
}

func (f *finder) variablesOf(fn *ast.FuncDecl) {
	var objs []types.Object
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.info.Defs[id].(*types.Var); ok && !v.IsField() && v.Name() != "_" {
				objs = append(objs, v)
			}
		}
		return true
	})
	for _, v := range objs {
		f.variable(fn, v)
	}
}

func (f *finder) variable(fn *ast.FuncDecl, v types.Object) {
	values := []string{zero(v.Type())}
	var e edit
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			if len(s.Lhs) != 1 {
				return true
			}
			if f.isVariable(s.Lhs[0], v) {
				e = append(e, f.put(s, ""))
				if s.Tok == token.DEFINE && len(s.Rhs) == 1 {
					values = append(values, "("+f.source(s.Rhs[0])+")")
				}
				return false
			}
			if id, ok := s.Lhs[0].(*ast.Ident); ok && id.Name == "_" && f.isVariable(s.Rhs[0], v) {
				e = append(e, f.put(s, ""))
				return false
			}
		case *ast.IncDecStmt:
			if f.isVariable(s.X, v) {
				e = append(e, f.put(s, ""))
				return false
			}
		}
		return true
	})
	for _, value := range values {
		all := slices.Clone(e)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == v && value != "" && !slices.ContainsFunc(e, f.covers(id)) {
				all = append(all, f.put(id, value))
			}
			return true
		})
		all = append(all, f.definition(fn, v)...)
		if len(all) > 0 {
			f.list = append(f.list, all)
		}
	}
}

// definition removes a parameter, a result or a value of a range clause.
func (f *finder) definition(fn *ast.FuncDecl, v types.Object) (e edit) {
	for _, list := range []*ast.FieldList{fn.Type.Params, fn.Type.Results} {
		if list == nil {
			continue
		}
		for i, field := range list.List {
			if len(field.Names) == 1 && f.info.Defs[field.Names[0]] == v {
				if len(list.List) == 1 {
					return edit{f.cut(list.Opening+1, list.Closing)}
				}
				return edit{cutItem(f, list.List, i)}
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		switch {
		case !ok || r.Key == nil:
		case r.Value != nil && f.isVariable(r.Value, v) && r.Tok == token.DEFINE:
			e = edit{f.cut(r.Key.End(), r.Value.End())}
		case r.Value == nil && f.isVariable(r.Key, v) && r.Tok == token.DEFINE:
			e = edit{f.cut(r.Key.Pos(), r.Range)}
		}
		return true
	})
	return e
}

func (f *finder) isVariable(x ast.Expr, v types.Object) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && (f.info.Uses[id] == v || f.info.Defs[id] == v)
}

func (f *finder) covers(n ast.Node) func(change) bool {
	return func(c change) bool { return c.from <= f.offset(n.Pos()) && f.offset(n.End()) <= c.to }
}
