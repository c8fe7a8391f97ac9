package frontend

import (
	"fmt"
	"go/token"
	"go/types"

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
