package frontend

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir"
)

// A scan is what the syntax of a package tells before it can be type-checked:
// the twins that will exist, names that are taken, files in which directives
// mean nothing.
type scan struct {
	ld      *loader
	pkg     *packages.Package
	errors  []diag.Error
	overlay map[string][]byte
	stubs   map[string]*stubFile // by name

	files []*scanned
	names map[string]vir.Pos // package-level names and Type.Method
}

type scanned struct {
	name string
	src  []byte
	file *ast.File
}

func (ld *loader) scan(p *packages.Package) *scan {
	s := &scan{ld: ld, pkg: p, overlay: make(map[string][]byte), stubs: make(map[string]*stubFile), names: make(map[string]vir.Pos)}
	annotated := false
	for _, name := range p.GoFiles {
		src, err := ld.read(name)
		if err != nil {
			continue // reported by the type-checker
		}
		if isGenerated(name, src) {
			s.blank(name)
			continue
		}
		annotated = annotated || bytes.Contains(src, []byte(directive.Prefix))
		s.files = append(s.files, &scanned{name: name, src: src})
	}
	s.misplaced()
	if !annotated {
		return s
	}
	for _, f := range s.files {
		f.file, _ = parser.ParseFile(ld.fset, f.name, f.src, parser.ParseComments|parser.SkipObjectResolution)
		if f.file != nil {
			s.checkFile(f)
			s.declared(f.file)
		}
	}
	for _, f := range s.files {
		if f.file != nil && bytes.Contains(f.src, []byte(directive.Prefix)) {
			s.stubFile(f)
		}
	}
	return s
}

func (s *scan) errorf(pos vir.Pos, format string, args ...any) {
	s.errors = append(s.errors, diag.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// blank replaces a generated file by one without declarations.
func (s *scan) blank(name string) {
	s.overlay[name] = []byte("package " + s.pkg.Name + "\n")
}

// checkFile refuses files in which directives cannot be honoured.
func (s *scan) checkFile(f *scanned) {
	for _, imp := range f.file.Imports {
		if imp.Path.Value == `"C"` {
			s.errorf(s.ld.pos(imp.Pos()), "package %s uses cgo: Go assembly cannot be part of a cgo package", s.pkg.Name)
		}
	}
	if d := firstDirective(f.file); d != nil && !impliedByAMD64(f.name, f.file) {
		s.errorf(s.ld.pos(d.Pos()), "the build constraint of %s is not implied by amd64: a twin would exist in builds without the function", filepath.Base(f.name))
	}
}

func firstDirective(f *ast.File) *ast.Comment {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if directive.Is(c.Text) {
				return c
			}
		}
	}
	return nil
}

// misplaced reports directives in test files and in files that amd64 builds do
// not have, and notes the names that those declare.
func (s *scan) misplaced() {
	dir := filepath.Dir(s.pkg.GoFiles[0])
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	others := append(tests, s.pkg.IgnoredFiles...)
	sort.Strings(others)
	for _, name := range slices.Compact(others) {
		src, err := os.ReadFile(name)
		if err != nil || !strings.HasSuffix(name, ".go") || isGenerated(name, src) {
			continue
		}
		f, _ := parser.ParseFile(s.ld.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if f == nil || f.Name.Name != s.pkg.Name {
			continue
		}
		if !hasConstraintTag(f, "ignore") {
			s.declared(f)
		}
		if d := firstDirective(f); d != nil {
			if strings.HasSuffix(name, "_test.go") {
				s.errorf(s.ld.pos(d.Pos()), "directive in a test file: twins are part of the package, not of its tests")
			} else {
				s.errorf(s.ld.pos(d.Pos()), "the build constraint of %s excludes it from this amd64 build", filepath.Base(name))
			}
		}
	}
}

// declared notes the package-level names of f.
func (s *scan) declared(f *ast.File) {
	note := func(name string, pos token.Pos) {
		if _, ok := s.names[name]; !ok && name != "_" && name != "init" {
			s.names[name] = s.ld.pos(pos)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			note(qualifiedName(d, d.Name.Name), d.Name.Pos())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					note(spec.Name.Name, spec.Name.Pos())
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						note(id.Name, id.Pos())
					}
				}
			}
		}
	}
}

// qualifiedName is name as a function, or as a method of the receiver of d.
func qualifiedName(d *ast.FuncDecl, name string) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		}
		return types.ExprString(t) + "." + name
	}
}

// A stubFile holds declarations of the twins of one file.
type stubFile struct {
	text  bytes.Buffer
	lines []int     // first line of each stub
	pos   []vir.Pos // of its directive
}

// at is the directive behind a line of the file.
func (f *stubFile) at(line int) vir.Pos {
	i, found := slices.BinarySearch(f.lines, line)
	if !found {
		i--
	}
	if i < 0 {
		return f.pos[0]
	}
	return f.pos[i]
}

// stubFile declares the twins of f. Their bodies never run.
func (s *scan) stubFile(f *scanned) {
	out := &stubFile{}
	fmt.Fprintf(&out.text, "package %s\n", s.pkg.Name)
	for _, imp := range f.file.Imports {
		if imp.Path.Value != `"C"` {
			fmt.Fprintf(&out.text, "import %s\n", f.slice(s.ld.fset, imp))
		}
	}
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		for _, c := range fn.Doc.List {
			if directive.Is(c.Text) {
				s.stub(out, f, fn, c)
			}
		}
	}
	if len(out.pos) == 0 {
		return
	}
	name := filepath.Join(filepath.Dir(f.name), fmt.Sprintf("lanewise_stubs_%d.go", len(s.stubs)))
	s.stubs[name] = out
	s.overlay[name] = out.text.Bytes()
}

// slice is the source text of a node.
func (f *scanned) slice(fset *token.FileSet, n ast.Node) []byte {
	file := fset.File(n.Pos())
	return f.src[file.Offset(n.Pos()):file.Offset(n.End())]
}

// stub adds the declaration that directive c will define, unless it is wrong;
// mistakes in it are reported when it is attached.
func (s *scan) stub(out *stubFile, f *scanned, fn *ast.FuncDecl, c *ast.Comment) {
	d, err := directive.Parse(c.Text)
	if err != nil || d.Kind != directive.Func || fn.Body == nil {
		return
	}
	name := qualifiedName(fn, d.Name)
	pos := s.ld.pos(c.Pos())
	if other, taken := s.names[name]; taken {
		s.errorf(pos, "the name %s of the twin is taken: %s", name, other)
		return
	}
	s.names[name] = pos
	args := make(map[string]string)
	if tps := fn.Type.TypeParams; tps != nil {
		i := 0
		for _, field := range tps.List {
			for _, id := range field.Names {
				if i < len(d.TypeArgs) {
					args[id.Name] = typeText(d.TypeArgs[i])
				}
				i++
			}
		}
		if i != len(d.TypeArgs) {
			return
		}
	} else if d.TypeArgs != nil {
		return
	}
	out.lines = append(out.lines, 1+bytes.Count(out.text.Bytes(), []byte("\n")))
	out.pos = append(out.pos, pos)
	out.text.WriteString("func ")
	if fn.Recv != nil {
		out.text.Write(f.slice(s.ld.fset, fn.Recv))
		out.text.WriteByte(' ')
	}
	out.text.WriteString(d.Name)
	out.text.WriteString(f.withTypes(s.ld.fset, fn.Type.Params, args))
	if fn.Type.Results != nil {
		out.text.WriteString(" " + f.withTypes(s.ld.fset, fn.Type.Results, args))
	}
	out.text.WriteString(" { for {} }\n")
}

// typeText is the text of a type that may stand anywhere.
func typeText(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return types.ExprString(e)
	}
	return "(" + types.ExprString(e) + ")"
}

// withTypes is the text of a parameter list with type parameters replaced.
func (f *scanned) withTypes(fset *token.FileSet, list *ast.FieldList, args map[string]string) string {
	var at []*ast.Ident
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if args[n.Name] != "" {
				at = append(at, n)
			}
		case *ast.SelectorExpr:
			return false
		case *ast.Field:
			ast.Inspect(n.Type, visit)
			return false
		}
		return true
	}
	for _, field := range list.List {
		ast.Inspect(field.Type, visit)
	}
	file := fset.File(list.Pos())
	pos := file.Offset(list.Pos())
	var sb strings.Builder
	for _, id := range at {
		off := file.Offset(id.Pos())
		sb.Write(f.src[pos:off])
		sb.WriteString(args[id.Name])
		pos = off + len(id.Name)
	}
	sb.Write(f.src[pos:file.Offset(list.End())])
	return sb.String()
}
