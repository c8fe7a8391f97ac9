package frontend

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Options of Load.
type Options struct {
	// Dir is where patterns are resolved and what positions are relative to;
	// empty for the current directory.
	Dir string
	// Every treats functions without directives as if they were annotated, with Clauses.
	Every   Every
	Clauses plan.Clauses
}

// Load loads the packages that match the patterns as they are built for amd64,
// and lowers the loops of their annotated functions. Mistakes in a package are
// in its Errors; the error is about loading as a whole.
//
// It goes over the packages twice: the first time only to find out, from the
// syntax, which twins will exist; the second time to type-check with the old
// generated files blanked and a declaration for every twin.
func Load(opt Options, patterns ...string) (pkgs []*Package, err error) {
	err = Each(opt, func(p *Package) error {
		pkgs = append(pkgs, p)
		return nil
	}, patterns...)
	return pkgs, err
}

// Each is Load that hands over the packages one by one, in the order of their paths: each
// is lowered when the one before is done with. An error of do ends it.
func Each(opt Options, do func(*Package) error, patterns ...string) error {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, p := range patterns {
		if strings.HasSuffix(p, ".go") {
			return fmt.Errorf("%s is a file: name packages", p)
		}
	}
	ld, roots, err := loadTypes(opt, token.NewFileSet(), patterns)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		return fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	ld.indexBodies(roots)
	for _, p := range roots {
		if err := do(ld.finish(p)); err != nil {
			return err
		}
	}
	return nil
}

// loadTypes loads packages, and all that they import, with types. Of packages that are not the
// user's only declarations count, and the bodies of what may be inlined.
func loadTypes(opt Options, fset *token.FileSet, patterns []string) (*loader, []*packages.Package, error) {
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, nil, err
	}
	ld := newLoader(opt, dir, fset)
	if err := ld.scanAll(patterns); err != nil {
		return nil, nil, err
	}
	roots, err := packages.Load(ld.typesConfig(), patterns...)
	return ld, roots, err
}

type loader struct {
	opt     Options
	dir     string
	fset    *token.FileSet
	scans   map[string]*scan // by package path
	overlay map[string][]byte
	foreign map[string]bool // files whose function bodies do not matter
	inlined map[string]bool // packages outside of the module whose bodies do
	bodies  *bodies
	builds  builds
	sources map[string][]byte // what is read instead of files
}

func newLoader(opt Options, dir string, fset *token.FileSet) *loader {
	return &loader{opt: opt, dir: dir, fset: fset, scans: make(map[string]*scan), builds: make(builds)}
}

// read reads a file.
func (ld *loader) read(name string) ([]byte, error) {
	if src, ok := ld.sources[name]; ok {
		return src, nil
	}
	return os.ReadFile(name)
}

// config is that of the first look at packages, for which their syntax does not matter.
func (ld *loader) config() *packages.Config {
	return &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:  ld.dir,
		Env:  append(os.Environ(), "GOARCH=amd64"),
	}
}

// typesConfig is that of the second look at packages.
func (ld *loader) typesConfig() *packages.Config {
	cfg := ld.config()
	cfg.Mode |= packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedTypesSizes
	cfg.Fset, cfg.Overlay, cfg.ParseFile = ld.fset, ld.overlay, ld.parse
	return cfg
}

// inlinable are the packages outside of the module whose functions may become
// part of a kernel, unicode and others beside them that text.go has functions of.
var inlinable = map[string]bool{
	"cmp": true, "math": true, "math/bits": true, "math/cmplx": true,
	"slices": true, "time": true, "image": true, "image/color": true,
}

// Inlinable reports whether functions of a package of the standard library may become part of a kernel.
func Inlinable(path string) bool { return inlinable[path] }

// ours reports whether the bodies of p are the user's.
func ours(p *packages.Package) bool { return p.Module != nil && p.Module.Main }

// scanAll finds the packages and prepares what takes the place of generated
// files.
func (ld *loader) scanAll(patterns []string) error {
	roots, err := packages.Load(ld.config(), patterns...)
	if err != nil {
		return err
	}
	ld.overlay = make(map[string][]byte)
	for _, p := range roots {
		if len(p.Errors) > 0 {
			ld.blankStale(p.Dir)
		}
	}
	if len(ld.overlay) > 0 {
		cfg := ld.config()
		cfg.Overlay = ld.overlay
		if roots, err = packages.Load(cfg, patterns...); err != nil {
			return err
		}
	}
	ld.foreign = make(map[string]bool)
	isRoot := make(map[string]bool)
	for _, p := range roots {
		isRoot[p.PkgPath] = true
	}
	mine := func(p *packages.Package) bool { return ours(p) || isRoot[p.PkgPath] }
	ld.findInlined(roots, mine)
	packages.Visit(roots, nil, func(p *packages.Package) {
		if !mine(p) && !ld.inlined[p.PkgPath] {
			for _, f := range p.GoFiles {
				ld.foreign[f] = true
			}
		}
		if mine(p) && len(p.GoFiles) > 0 {
			s := ld.scan(p)
			ld.scans[p.PkgPath] = s
			for name, text := range s.overlay {
				ld.overlay[name] = text
			}
		}
	})
	return nil
}

// findInlined finds the inlinable packages that the user's import, and those that these do: to
// type-check the others, which are in every program, takes time.
func (ld *loader) findInlined(roots []*packages.Package, mine func(*packages.Package) bool) {
	ld.inlined = make(map[string]bool)
	var imports func(p *packages.Package)
	imports = func(p *packages.Package) {
		for _, q := range p.Imports {
			if inlinable[q.PkgPath] && !ld.inlined[q.PkgPath] {
				ld.inlined[q.PkgPath] = true
				imports(q)
			}
		}
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if mine(p) {
			imports(p)
		}
	})
}

// blankStale blanks generated files that belong to another package than the
// rest of their folder: somebody renamed the package, and it cannot be listed.
func (ld *loader) blankStale(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var stale []string
	pkg := ""
	for _, name := range names {
		src, err := os.ReadFile(name)
		switch {
		case err != nil || dir == "":
		case isGenerated(name, src):
			stale = append(stale, name)
		case !strings.HasSuffix(name, "_test.go"):
			if f, _ := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly); f != nil {
				pkg = f.Name.Name
			}
		}
	}
	for _, name := range stale {
		if pkg != "" {
			ld.overlay[name] = []byte("package " + pkg + "\n")
		}
	}
}

// parse drops the bodies of functions that nobody looks at: type-checking the
// bodies of the standard library would take most of the time.
func (ld *loader) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if !ld.foreign[name] {
		return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	}
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if f == nil {
		return f, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			fn.Body.List = []ast.Stmt{&ast.ForStmt{For: fn.Body.Lbrace, Body: &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Rbrace}}}
		}
	}
	return f, err
}

// pos is a position relative to the directory of the options.
func (ld *loader) pos(p token.Pos) vir.Pos {
	if !p.IsValid() {
		return vir.Pos{}
	}
	at := ld.fset.Position(p)
	return vir.Pos{File: ld.relative(at.Filename), Line: at.Line, Col: at.Column}
}

func (ld *loader) relative(name string) string {
	if rel, err := filepath.Rel(ld.dir, name); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

// finish turns a type-checked package into ours.
func (ld *loader) finish(p *packages.Package) *Package {
	pkg := &Package{Package: p}
	if len(p.GoFiles) > 0 {
		pkg.Dir = filepath.Dir(p.GoFiles[0])
	}
	if s := ld.scans[p.PkgPath]; s != nil {
		pkg.Errors = append(pkg.Errors, s.errors...)
	}
	errs, ofStubs, parsed := ld.checkErrors(p)
	pkg.Errors = append(pkg.Errors, errs...)
	ld.dropOverlay(p)
	if p.Types != nil && p.TypesInfo != nil && parsed {
		pkg.overSlices()
		ld.annotate(pkg)
	}
	for _, e := range ofStubs {
		// The directive itself may have told what is wrong already.
		if !slices.ContainsFunc(pkg.Errors, func(o diag.Error) bool { return o.Pos == e.Pos }) {
			pkg.Errors = append(pkg.Errors, e)
		}
	}
	if len(pkg.Errors) == 0 {
		ld.lowerAll(pkg)
	}
	sortErrors(pkg)
	return pkg
}

// dropOverlay removes what took the place of generated files from the syntax.
func (ld *loader) dropOverlay(p *packages.Package) {
	s := ld.scans[p.PkgPath]
	if s == nil {
		return
	}
	ours := func(name string) bool { return s.overlay[name] != nil }
	p.Syntax = slices.DeleteFunc(p.Syntax, func(f *ast.File) bool { return ours(ld.fset.Position(f.Package).Filename) })
	p.GoFiles = slices.DeleteFunc(p.GoFiles, ours)
	p.CompiledGoFiles = slices.DeleteFunc(p.CompiledGoFiles, ours)
}

func sortErrors(pkg *Package) {
	slices.SortStableFunc(pkg.Errors, func(a, b diag.Error) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Msg, b.Msg))
	})
	pkg.Errors = slices.Compact(pkg.Errors)
}

// checkErrors are the errors of a package and of those of the module that it
// imports, with those in declarations of twins apart, and whether all files of
// the package could be parsed.
func (ld *loader) checkErrors(p *packages.Package) (errs, ofStubs []diag.Error, parsed bool) {
	parsed = true
	packages.Visit([]*packages.Package{p}, nil, func(q *packages.Package) {
		if q != p && !ours(q) && len(q.GoFiles) > 0 {
			return
		}
		for _, e := range q.Errors {
			if strings.Contains(e.Msg, "(invalid package name: \"\")") {
				continue // an import that was not found, which is told better there
			}
			if strings.HasPrefix(e.Msg, "\t") {
				continue // where the other half of the error before is
			}
			parsed = parsed && (q != p || e.Kind != packages.ParseError)
			switch d, inStub := ld.checkError(q, e); {
			case !inStub:
				errs = append(errs, d)
			case !strings.Contains(d.Msg, "imported") || !strings.Contains(d.Msg, "not used"):
				// An import that only bodies need is no mistake.
				ofStubs = append(ofStubs, d)
			}
		}
	})
	return errs, ofStubs, parsed
}

// checkError says where e is; an error in a stub is at its directive.
func (ld *loader) checkError(p *packages.Package, e packages.Error) (d diag.Error, inStub bool) {
	d = diag.Error{Pos: ld.parsePos(e.Pos), Msg: strings.TrimSpace(e.Msg)}
	file, line := splitPos(e.Pos)
	if s := ld.scans[p.PkgPath]; s != nil {
		if stub := s.stubs[file]; stub != nil {
			d.Pos = stub.at(line)
			return d, true
		}
	}
	return d, false
}

// splitPos takes file:line:col or file:line apart.
func splitPos(s string) (file string, line int) {
	file, nums := s, []int{}
	for range 2 {
		i := strings.LastIndexByte(file, ':')
		n, err := strconv.Atoi(file[i+1:])
		if i < 0 || err != nil {
			break
		}
		file, nums = file[:i], append(nums, n)
	}
	if len(nums) > 0 {
		line = nums[len(nums)-1]
	}
	return file, line
}

func (ld *loader) parsePos(s string) vir.Pos {
	file, line := splitPos(s)
	if line == 0 {
		return vir.Pos{}
	}
	col := 1
	if tail := s[len(file):]; strings.Count(tail, ":") == 2 {
		fmt.Sscanf(tail[strings.LastIndexByte(tail, ':')+1:], "%d", &col)
	}
	return vir.Pos{File: ld.relative(file), Line: line, Col: col}
}

// isGenerated reports whether a file of that name and text is our own output.
func isGenerated(name string, src []byte) bool {
	switch filepath.Base(name) {
	case "vec_amd64.go", "vec_generic.go", "vec_test.go":
	default:
		return false
	}
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte("// Code generated by lanewise")) {
			return true
		}
		if bytes.HasPrefix(line, []byte("package ")) {
			return false
		}
	}
	return false
}
