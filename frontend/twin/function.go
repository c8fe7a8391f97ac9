package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// A function is a user function being copied into a file, once per twin.
type function struct {
	*file
	source
	info    *types.Info
	args    map[*types.TypeParam]types.Type // of a generic function
	params  []*types.TypeParam              // keys of args in order
	aliased map[*types.TypeParam]bool       // those whose name the copied body uses
	names   map[string]bool                 // names the function uses for anything
	shadows map[string]bool                 // names with a meaning of the user's own in the function
	edits   []edit
	regions []*frontend.Region               // loops that have kernels
	unfused bool                             // the copied body is not what the original says
	first   string                           // what is done before anything else
	spent   map[*ast.BlockStmt]string        // by function: the copied one, and literals in it
	twins   map[*ast.CallExpr]*frontend.Twin // calls that go to other twins
	renamed map[*ast.Ident]bool              // names of called functions that are copied, and package names in front
}

// newFunction prepares copying src; typeArgs instantiate it.
func newFunction(f *file, src source, typeArgs []types.Type) *function {
	c := &function{
		file:    f,
		source:  src,
		info:    src.home.info,
		renamed: map[*ast.Ident]bool{},
		args:    map[*types.TypeParam]types.Type{},
		aliased: map[*types.TypeParam]bool{},
		names:   map[string]bool{},
		shadows: map[string]bool{},
	}
	if obj, ok := c.info.Defs[c.decl.Name].(*types.Func); ok {
		tps := obj.Signature().TypeParams()
		for i := range min(tps.Len(), len(typeArgs)) {
			c.params = append(c.params, tps.At(i))
			c.args[tps.At(i)] = typeArgs[i]
		}
	}
	ast.Inspect(c.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			c.names[id.Name] = c.names[id.Name] || !c.isMember(id)
			c.shadows[id.Name] = c.shadows[id.Name] || c.ownMeaning(id)
		}
		return true
	})
	return c
}

// ownMeaning reports whether an identifier means something that a predeclared
// name of the same spelling would not.
func (c *function) ownMeaning(id *ast.Ident) bool {
	obj := c.info.ObjectOf(id)
	if _, ok := obj.(*types.Label); ok || obj == nil || c.isMember(id) {
		return false
	}
	return obj.Parent() != types.Universe
}

// isMember reports whether an identifier names a field or method, which hides
// nothing.
func (c *function) isMember(id *ast.Ident) bool {
	switch obj := c.info.ObjectOf(id).(type) {
	case *types.Var:
		return obj.IsField()
	case *types.Func:
		return obj.Signature().Recv() != nil
	}
	return false
}

// shadowed reports whether a predeclared name means something else here.
func (c *function) shadowed(name string) bool {
	return c.shadows[name] || c.shadowedInPackage(name)
}

// local is a name that is free in the function, like base.
func (c *function) local(base string) string {
	name := unused(base, func(s string) bool {
		return c.names[s] || c.taken[s] || c.imports.declares(s) || c.imports.reserved(s) || types.Universe.Lookup(s) != nil || token.IsKeyword(s)
	})
	c.names[name] = true
	return name
}

// release gives names back whose block has ended.
func (c *function) release(names ...string) {
	for _, n := range names {
		delete(c.names, n)
	}
}

// text is the copied text from pos to end.
func (c *function) text(pos, end token.Pos, more ...edit) (string, error) {
	return c.texts.cut(pos, end, append(more, c.edits...))
}

// subst replaces a type parameter by its argument.
func (c *function) subst(t types.Type) types.Type {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if a, ok := c.args[tp]; ok {
			return a
		}
	}
	return t
}

// typeOf is the type of an expression after instantiation.
func (c *function) typeOf(x ast.Expr) types.Type { return c.subst(c.info.TypeOf(x)) }

// basic is the underlying basic type of t, nil when there is none.
func basic(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

// typeName is Go text for a type as seen inside the body.
func (c *function) typeName(t types.Type) (string, error) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return c.imports.own(pathUnsafe) + ".Pointer", nil
		}
		return c.predeclared(t.Name(), c.shadows[t.Name()])
	case *types.TypeParam:
		if _, ok := c.args[t]; ok {
			c.aliased[t] = true
		}
		return t.Obj().Name(), nil
	}
	return types.TypeString(t, c.qualifier), nil
}

func (f *file) qualifier(p *types.Package) string {
	if p == f.pkg.Types {
		return ""
	}
	return f.imports.use(p.Path(), p.Name(), p.Name())
}

// resolveImports makes the packages that n names available in the file.
func (c *function) resolveImports(n ast.Node) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			selected[sel.Sel] = true
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := c.info.Uses[id].(type) {
		case *types.PkgName:
			if c.renamed[id] {
				return true
			}
			if name := c.imports.user(obj); name != id.Name {
				c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: name})
			}
		case *types.Func, *types.Var, *types.Const, *types.TypeName:
			p := obj.Pkg()
			switch {
			case p == nil || p == c.pkg.Types || obj.Parent() != p.Scope() || selected[id]:
			case p == c.home.types:
				c.qualify(id, obj)
			default:
				c.imports.dot(p.Path())
			}
		}
		return true
	})
}

// signature are the edits that turn the declaration's head into that of a
// function of another name without type parameters.
func (c *function) signature(name string) error {
	d := c.decl
	c.edits = append(c.edits, edit{pos: d.Name.Pos(), end: d.Name.End(), text: name})
	if d.Type.TypeParams != nil && len(c.args) > 0 {
		c.edits = append(c.edits, edit{pos: d.Type.TypeParams.Pos(), end: d.Type.TypeParams.End()})
	}
	for _, fields := range []*ast.FieldList{d.Recv, d.Type.Params, d.Type.Results} {
		if fields == nil {
			continue
		}
		c.resolveImports(fields)
		if err := c.substIdents(fields); err != nil {
			return err
		}
	}
	return nil
}

// substIdents replaces the names of type parameters under n by their arguments.
func (c *function) substIdents(n ast.Node) (err error) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		tn, ok := c.info.Uses[id].(*types.TypeName)
		if !ok {
			return true
		}
		if tp, ok := tn.Type().(*types.TypeParam); ok && c.args[tp] != nil {
			text, e := c.typeName(c.args[tp])
			if e != nil {
				err = e
			}
			c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: text})
		}
		return true
	})
	return err
}

// copyBody prepares the copied body of a function with kernels: nothing in it is fused.
func (c *function) copyBody() error {
	if err := c.copyText(); err != nil {
		return err
	}
	before := len(c.edits)
	err := c.unfuse(c.decl.Body)
	c.unfused = len(c.edits) > before
	return err
}

// copyText prepares the copied body: imports, comments for tools, and the type parameters
// it names.
func (c *function) copyText() error {
	b := c.decl.Body
	c.renameCalls(b)
	c.resolveImports(b)
	drops, err := c.texts.dropComments(c.syntax, c.decl.Pos(), b.End(), isDirective)
	if err != nil {
		return err
	}
	c.edits = append(c.edits, drops...)
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.RangeStmt); ok {
			c.overSlice(s)
		}
		if id, ok := n.(*ast.Ident); ok {
			if tn, ok := c.info.Uses[id].(*types.TypeName); ok {
				if tp, ok := tn.Type().(*types.TypeParam); ok && c.args[tp] != nil {
					c.aliased[tp] = true
				}
			}
		}
		return true
	})
	return nil
}

// overSlice has the text of s go over a slice where the syntax does, and the text over an iterator.
func (c *function) overSlice(s *ast.RangeStmt) {
	call := c.pkg.Iterators[s]
	if call == nil {
		return
	}
	c.edits = append(c.edits, edit{pos: call.Pos(), end: s.X.Pos()}, edit{pos: s.X.End(), end: call.End()})
	if s.Key != nil && s.Value != nil && s.Key.Pos() == s.Value.Pos() {
		behind := s.For + token.Pos(len("for")) // not a part of what the value is
		c.edits = append(c.edits, edit{pos: behind, end: behind, text: " _,"})
	}
}

// print writes the declaration with all edits, under a comment.
func (c *function) print(doc string) error {
	if c.decl.Body != nil {
		aliases, err := c.typeAliases()
		if err != nil {
			return err
		}
		start := c.decl.Body.Lbrace + 1
		c.edits = append(c.edits, edit{pos: start, end: start, text: aliases + c.first, rank: -1})
		for body, spent := range c.spent {
			text := fmt.Sprintf("\n%s := 0 // iterations done since the last look at the stack\n", spent)
			c.edits = append(c.edits, edit{pos: body.Lbrace + 1, end: body.Lbrace + 1, text: text})
		}
	}
	text, err := c.text(c.decl.Pos(), c.decl.End())
	if err != nil {
		return err
	}
	c.printf("%s%s\n\n", comment(doc), text)
	return nil
}

// comment makes lines of comment out of text.
func comment(text string) string {
	var sb strings.Builder
	for line := range strings.Lines(text) {
		sb.WriteString(strings.TrimRight("// "+line, " \n") + "\n")
	}
	return sb.String()
}

// twinDoc is what the original's comment says, told of the twin, and how the
// twin does it.
func twinDoc(t *frontend.Twin, how string) string {
	original := t.Func.Decl.Name.Name
	doc := t.Func.Decl.Doc.Text()
	if t.Called.IsValid() {
		doc = "" // it is no part of what people read here
	}
	if rest, ok := strings.CutPrefix(doc, original); ok && strings.IndexAny(rest, " :,'") == 0 {
		return t.Name + rest + "\nIt " + how
	}
	if doc != "" {
		doc = "\n\n" + doc
	}
	return t.Name + " " + how + doc
}

// typeAliases declares the type parameters that the body names.
func (c *function) typeAliases() (string, error) {
	var sb strings.Builder
	for _, tp := range c.params {
		if !c.aliased[tp] {
			continue
		}
		arg, err := c.typeName(c.args[tp])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&sb, "\ntype %s = %s\n", tp.Obj().Name(), arg)
	}
	return sb.String(), nil
}

// callOriginal prints a twin that calls the original.
func (f *file) callOriginal(t *frontend.Twin) error {
	return f.forward(t, "this build has no kernels")
}

func (f *file) forward(t *frontend.Twin, why string) error {
	doc := twinDoc(t, fmt.Sprintf("calls %s: %s.", t.Func.Decl.Name.Name, why))
	c := newFunction(f, f.original(t), t.TypeArgs)
	if err := c.signature(t.Name); err != nil {
		return err
	}
	recv := c.nameFields(c.decl.Recv, "r")
	args := c.nameFields(c.decl.Type.Params, "p")
	if c.decl.Recv == nil {
		c.uncover(c.decl.Type.Results, "r")
	}
	callee, err := c.callee(recv)
	if err != nil {
		return err
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(args, ", "))
	if c.decl.Type.Results.NumFields() > 0 {
		call = "return " + call
	}
	head, err := c.text(c.decl.Pos(), c.decl.Type.End())
	if err != nil {
		return err
	}
	c.printf("%s%s { %s }\n\n", comment(doc), head, call)
	return nil
}

// callee is the original as a call names it.
func (c *function) callee(recv []string) (string, error) {
	if len(recv) > 0 {
		return recv[0] + "." + c.decl.Name.Name, nil
	}
	return c.instance(c.decl.Name.Name)
}

// instance is a function's name with the type arguments.
func (c *function) instance(name string) (string, error) {
	var args []string
	for _, tp := range c.params {
		s, err := c.typeName(c.args[tp])
		if err != nil {
			return "", err
		}
		args = append(args, s)
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ", ") + "]"
	}
	return name, nil
}

// uncover gives those results another name that have the one of the function.
func (c *function) uncover(results *ast.FieldList, base string) {
	if results == nil {
		return
	}
	for _, f := range results.List {
		for _, id := range f.Names {
			if id.Name == c.decl.Name.Name {
				c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: c.local(base)})
			}
		}
	}
}

// nameFields gives every parameter a name that a call can use, and lists them
// as arguments.
func (c *function) nameFields(fields *ast.FieldList, base string) []string {
	var args []string
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		dots := ""
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			dots = "..."
		}
		if len(f.Names) == 0 {
			name := c.local(base)
			c.edits = append(c.edits, edit{pos: f.Type.Pos(), end: f.Type.Pos(), text: name + " ", rank: -1})
			args = append(args, name+dots)
		}
		for _, id := range f.Names {
			name := id.Name
			if name == "_" || name == c.decl.Name.Name {
				name = c.local(base)
				c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: name})
			}
			args = append(args, name+dots)
		}
	}
	return args
}
