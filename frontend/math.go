package frontend

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/frontend/mathlib"
)

// vectorizable are the functions of package math in the form that mathlib has them in, by
// name: those that this version of math has as mathlib knows them, and those of float32s.
func (b *bodies) vectorizable(math *packages.Package) map[string]*lower.Body {
	if b.math != nil {
		return b.math
	}
	all, err := b.checkMathlib(math.Types)
	if err != nil {
		panic(err) // its tests would have failed
	}
	b.decls[mathlib.Path] = all
	b.math = make(map[string]*lower.Body)
	for fn, body := range all {
		if fn.Exported() && mathlib.Known(fn.Name(), b.fset, math.Syntax, math.OtherFiles) {
			b.math[fn.Name()] = body
		}
	}
	return b.math
}

// checkMathlib type-checks the functions of mathlib.
func (b *bodies) checkMathlib(math *types.Package) (map[*types.Func]*lower.Body, error) {
	files, err := mathlib.Parse(b.fset)
	if err != nil {
		return nil, err
	}
	return b.check(mathlib.Path, files, only{math})
}

// check type-checks the functions of a package that comes with this one.
func (b *bodies) check(path string, files []*ast.File, importer types.Importer) (map[*types.Func]*lower.Body, error) {
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Instances: make(map[*ast.Ident]types.Instance), Implicits: make(map[ast.Node]types.Object),
	}
	config := types.Config{Importer: importer}
	pkg, err := config.Check(path, b.fset, files, info)
	if err != nil {
		return nil, err
	}
	all := make(map[*types.Func]*lower.Body)
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				fn := info.Defs[d.Name].(*types.Func)
				all[fn] = &lower.Body{Func: fn, Decl: d, Info: info, Pkg: pkg}
			}
		}
	}
	return all, nil
}

// only imports one package.
type only struct{ pkg *types.Package }

func (o only) Import(path string) (*types.Package, error) {
	if path != o.pkg.Path() {
		return nil, fmt.Errorf("no package %s", path)
	}
	return o.pkg, nil
}

// multiplies reports whether a body has products, of which the compiler may make one operation
// with a sum.
func multiplies(body *lower.Body) (found bool) {
	ast.Inspect(body.Decl, func(n ast.Node) bool {
		found = found || IsProduct(body.Info, n)
		return !found
	})
	return found
}

// approximate is src with functions that are off by a unit in the last place in the place of
// those of math.
func (ld *loader) approximate(src *lower.Source) *lower.Source {
	c := *src
	c.Approx = func(fn *types.Func) *lower.Body {
		if fn.Pkg() == nil || fn.Pkg().Path() != "math" || ld.bodies.pkgs["math"] == nil {
			return nil
		}
		return ld.bodies.vectorizable(ld.bodies.pkgs["math"])[fn.Name()+mathlib.Float32]
	}
	return &c
}
