package frontend

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// Support are the packages of paths with all that they import, by path, as they are found from
// dir: for type-checking generated files, which import some that the sources do not.
func Support(dir string, paths ...string) (map[string]*types.Package, error) {
	_, roots, err := loadTypes(Options{Dir: dir}, token.NewFileSet(), paths)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*types.Package)
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Types != nil && (p.Types == types.Unsafe || p.Types.Scope().Len() > 0) {
			found[p.PkgPath] = p.Types
		}
	})
	for _, path := range paths {
		if found[path] == nil {
			return found, fmt.Errorf("package %s cannot be loaded from %s", path, dir)
		}
	}
	return found, nil
}

// loadTypes loads packages of which only declarations matter, and the bodies of those that may be
// inlined.
func loadTypes(opt Options, fset *token.FileSet, paths []string) (*loader, []*packages.Package, error) {
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, nil, err
	}
	ld := &loader{opt: opt, dir: dir, fset: fset, scans: make(map[string]*scan)}
	if err := ld.scanAll(paths); err != nil {
		return nil, nil, err
	}
	roots, err := packages.Load(ld.typesConfig(), paths...)
	return ld, roots, err
}

// typesConfig is that of the second look at packages.
func (ld *loader) typesConfig() *packages.Config {
	cfg := ld.config()
	cfg.Mode |= packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedTypesSizes
	cfg.Fset, cfg.Overlay, cfg.ParseFile = ld.fset, ld.overlay, ld.parse
	return cfg
}

// Below is the package of a path among those that p imports, or those import; nil if it is not.
func (p *Package) Below(path string) (found *types.Package) {
	if q := p.Imports[path]; q != nil {
		return q.Types
	}
	packages.Visit([]*packages.Package{p.Package}, nil, func(q *packages.Package) {
		if q.PkgPath == path {
			found = q.Types
		}
	})
	return found
}
