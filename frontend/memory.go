package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// A Memory loads packages of one file that are nowhere on disk: for tests that have very many
// of them.
type Memory struct {
	imports map[string]*packages.Package
	bodies  *bodies
	fset    *token.FileSet
}

// NewMemory prepares loading of files that import nothing but the packages of paths, which are
// found from dir.
func NewMemory(dir string, paths ...string) (*Memory, error) {
	m := &Memory{imports: make(map[string]*packages.Package), fset: token.NewFileSet()}
	ld, roots, err := loadTypes(Options{Dir: dir}, m.fset, paths)
	if err != nil {
		return nil, err
	}
	ld.indexBodies(roots)
	m.bodies = ld.bodies
	for _, p := range roots {
		m.imports[p.PkgPath] = p
	}
	for _, path := range paths {
		if p := m.imports[path]; p == nil || p.Types == nil {
			return nil, fmt.Errorf("package %s cannot be loaded", path)
		}
	}
	return m, nil
}

// File is the name of the file of every package.
const File = "/memory/source.go"

// Load is Load for the package of one file with the given text, and lines of the imports that it may
// have.
func (m *Memory) Load(opt Options, src []byte) *Package {
	p := &packages.Package{
		ID: "memory", PkgPath: "memory", GoFiles: []string{File}, CompiledGoFiles: []string{File}, Fset: m.fset,
		Imports: maps.Clone(m.imports), TypesSizes: types.SizesFor("gc", "amd64"),
	}
	ld := newLoader(opt, filepath.Dir(File), m.fset)
	ld.sources = map[string][]byte{File: src}
	ld.bodies = &bodies{fset: m.fset, pkgs: maps.Clone(m.bodies.pkgs), decls: maps.Clone(m.bodies.decls)}
	ld.bodies.pkgs[p.PkgPath] = p
	tree, err := ld.parse(p.Fset, File, src)
	if err != nil || tree == nil {
		p.Errors = append(p.Errors, packages.Error{Pos: File + ":1:1", Msg: fmt.Sprint(err), Kind: packages.ParseError})
	}
	if tree == nil {
		return ld.finish(p)
	}
	p.Name = tree.Name.Name
	s := ld.scan(p)
	ld.scans[p.PkgPath] = s
	p.Syntax = []*ast.File{tree}
	for _, name := range slices.Sorted(maps.Keys(s.overlay)) {
		stub, err := ld.parse(p.Fset, name, s.overlay[name])
		if err == nil {
			p.Syntax = append(p.Syntax, stub)
		}
	}
	m.check(p)
	return ld.finish(p)
}

// check type-checks the files of p.
func (m *Memory) check(p *packages.Package) {
	p.TypesInfo = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{
		Importer: m, Sizes: p.TypesSizes,
		Error: func(err error) {
			e := err.(types.Error)
			at := p.Fset.Position(e.Pos)
			p.Errors = append(p.Errors, packages.Error{
				Pos: at.Filename + ":" + strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Column), Msg: e.Msg, Kind: packages.TypeError,
			})
		},
	}
	p.Types, _ = conf.Check(p.PkgPath, p.Fset, p.Syntax, p.TypesInfo) // errors went to Error
}

// Import is types.Importer.
func (m *Memory) Import(path string) (*types.Package, error) {
	if p := m.Known(path); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not to be imported here", path)
}

// Known is the package of a path that files may import, nil if it is not one of them.
func (m *Memory) Known(path string) *types.Package {
	if p := m.imports[path]; p != nil {
		return p.Types
	}
	return nil
}
