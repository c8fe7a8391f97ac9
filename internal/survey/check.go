package survey

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/asmdecl"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/generate"
)

// supporting are the packages that generated files import.
var supporting = []string{
	"github.com/lanewise/lanewise/runtime/cpu",
	"github.com/lanewise/lanewise/runtime/guard",
	"github.com/lanewise/lanewise/runtime/twintest",
	"testing", "unsafe",
}

// checkGo type-checks the generated Go files together with the package.
func (s *surveyor) checkGo(o *generate.Outcome) {
	if amd64 := fileOf(o, "vec_amd64.go"); amd64 != nil {
		s.check(o.Pkg, amd64, fileOf(o, "vec_test.go"))
	}
	if generic := fileOf(o, "vec_generic.go"); generic != nil {
		s.check(o.Pkg, generic)
	}
}

// fileOf is the generated file of that name, nil without one.
func fileOf(o *generate.Outcome, name string) *generate.File {
	i := slices.IndexFunc(o.Files, func(f generate.File) bool { return filepath.Base(f.Path) == name })
	if i < 0 {
		return nil
	}
	return &o.Files[i]
}

// check type-checks generated files and complains of what is wrong in them. The bodies of
// the package have been checked before.
func (s *surveyor) check(p *frontend.Package, files ...*generate.File) (made []*ast.File, pkg *types.Package, info *types.Info) {
	all := make([]*ast.File, 0, len(p.Syntax)+len(files))
	for _, f := range p.Syntax {
		all = append(all, withoutBodies(f))
	}
	ours := make(map[string]bool)
	for _, f := range files {
		if f == nil {
			continue
		}
		tree, err := parser.ParseFile(p.Fset, f.Path, f.Content, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			s.complain("generated file does not parse: %v", err)
			return nil, nil, nil
		}
		ours[f.Path] = true
		made, all = append(made, tree), append(all, tree)
	}
	conf := types.Config{
		Importer: importer{p, s.support}, Sizes: p.TypesSizes,
		Error: func(err error) {
			if e, ok := errors.AsType[types.Error](err); ok && ours[p.Fset.Position(e.Pos).Filename] {
				s.complain("generated file: %v", err)
			}
		},
	}
	conf.GoVersion = p.Types.GoVersion()
	info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	pkg, _ = conf.Check(p.PkgPath, p.Fset, all, info) // errors went to Error
	return made, pkg, info
}

// withoutBodies is a file without the bodies of functions.
func withoutBodies(f *ast.File) *ast.File {
	c := *f
	c.Decls = make([]ast.Decl, len(f.Decls))
	for i, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			head := *fn
			head.Body = nil
			d = &head
		}
		c.Decls[i] = d
	}
	return &c
}

// An importer finds packages among those that a package imports, and those that generated
// files do.
type importer struct {
	from    *frontend.Package
	support map[string]*types.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i.from.Below(path); p != nil {
		return p, nil
	}
	if p := i.support[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not among those imported", path)
}

// checkAssembly assembles what was made and compares it with the declarations.
func (s *surveyor) checkAssembly(o *generate.Outcome) error {
	code := fileOf(o, "vec_amd64.s")
	if code == nil {
		return nil
	}
	dir, err := os.MkdirTemp("", "lanewise")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "vec_amd64.s")
	if err := os.WriteFile(name, code.Content, 0o600); err != nil {
		return err
	}
	s.assemble(dir, name, o.Pkg.PkgPath)
	s.declared(o.Pkg, fileOf(o, "vec_amd64.go"), name)
	return nil
}

func (s *surveyor) assemble(dir, name, path string) {
	cmd := exec.Command("go", "tool", "asm", "-p", path, "-I", filepath.Join(runtime.GOROOT(), "pkg", "include"), "-o", filepath.Join(dir, "vec.o"), name)
	cmd.Env = append(os.Environ(), "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.complain("go tool asm: %v\n%.2000s", err, out)
	}
}

// declared runs vet's comparison of assembly with declarations.
func (s *surveyor) declared(p *frontend.Package, decls *generate.File, asm string) {
	made, pkg, info := s.check(p, decls)
	if pkg == nil {
		return
	}
	pass := &analysis.Pass{
		Analyzer: asmdecl.Analyzer, Fset: p.Fset, Files: made, OtherFiles: []string{asm}, Pkg: pkg, TypesInfo: info,
		TypesSizes: types.SizesFor("gc", "amd64"), ReadFile: os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			s.complain("go vet: %s: %s", position(p.Fset, d.Pos), d.Message)
		},
	}
	if _, err := asmdecl.Analyzer.Run(pass); err != nil {
		s.complain("go vet: %v", err)
	}
}

func position(fset *token.FileSet, pos token.Pos) string {
	at := fset.Position(pos)
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(filepath.Base(at.Filename), "./"), at.Line)
}
