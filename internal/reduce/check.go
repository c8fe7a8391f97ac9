package reduce

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
)

// A file is parsed and type-checked source.
type file struct {
	text string
	fset *token.FileSet
	ast  *ast.File
	info *types.Info
	pkg  *types.Package
}

// A checker type-checks files; it reads the packages that they import once.
type checker struct {
	imports types.Importer
	base    string // the file that edits were made for
}

func newChecker() *checker {
	return &checker{imports: importer.ForCompiler(token.NewFileSet(), "source", nil)}
}

// clean formats a file and drops imports that are not used. It reports whether the file type-checks.
func (c *checker) clean(text string) (string, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", text, parser.ParseComments)
	if err != nil {
		return "", false
	}
	var drop edit
	used := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		left := 0
		for _, s := range g.Specs {
			spec := s.(*ast.ImportSpec)
			if used[importName(spec)] {
				left++
				continue
			}
			drop = append(drop, change{fset.Position(spec.Pos()).Offset, fset.Position(spec.End()).Offset, ""})
		}
		if left == 0 {
			drop = append(drop, change{fset.Position(g.Pos()).Offset, fset.Position(g.End()).Offset, ""})
		}
	}
	out, err := format.Source([]byte(drop.apply(text)))
	if err != nil {
		return "", false
	}
	out = blankLine.ReplaceAll(out, []byte("\n$1"))
	if _, ok := c.check(string(out)); !ok {
		return "", false
	}
	return string(out), true
}

// blankLine is one inside of a declaration.
var blankLine = regexp.MustCompile(`\n\n+(\t|\}|\))`)

func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, _ := strconv.Unquote(s.Path.Value)
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

func (c *checker) check(text string) (file, bool) {
	f := file{text: text, fset: token.NewFileSet(), info: &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
	}}
	var err error
	if f.ast, err = parser.ParseFile(f.fset, "x.go", text, parser.ParseComments); err != nil {
		return f, false
	}
	conf := types.Config{Importer: c.imports, Error: func(error) {}, GoVersion: "go1.26"}
	f.pkg, err = conf.Check("x", f.fset, []*ast.File{f.ast}, f.info)
	return f, err == nil
}

// edits lists all changes that may make a file simpler.
func (c *checker) edits(text string) []edit {
	c.base = text
	parsed, ok := c.check(text)
	if !ok {
		return nil
	}
	f := &finder{file: parsed}
	f.declarations()
	f.statements()
	f.expressions()
	f.variables()
	f.types()
	return f.list
}
