package twin

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// An importSpec is one line of the import declaration. The name "." is a dot
// import.
type importSpec struct {
	name, path string
	explicit   bool // the name is written
}

// imports hands out local names for packages.
type imports struct {
	f       *file
	specs   []importSpec
	foreign map[string]string // package names in the copied functions and their paths; "" when several
	idents  map[string]bool   // other identifiers there
}

func newImports(f *file) *imports {
	im := &imports{f: f, foreign: map[string]string{}, idents: map[string]bool{}}
	return im
}

// scan sees the identifiers of the copied functions and of those that will be
// copied with them.
func (im *imports) scan() {
	seen := map[*types.Func]bool{}
	for _, fn := range im.f.pkg.Funcs {
		im.scanBody(source{decl: fn.Decl, home: im.f.own}, seen)
	}
}

func (im *imports) scanBody(src source, seen map[*types.Func]bool) {
	info := src.home.info
	ast.Inspect(src.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		im.see(id, info)
		if obj, ok := info.Uses[id].(*types.Func); ok && !seen[obj] && im.f.mustCopy(obj) {
			seen[obj] = true
			callee, _ := im.f.find(obj)
			im.scanBody(callee, seen)
		}
		return true
	})
}

func (im *imports) see(id *ast.Ident, info *types.Info) {
	pn, ok := info.Uses[id].(*types.PkgName)
	if !ok {
		im.idents[id.Name] = true
		return
	}
	path := pn.Imported().Path()
	if old, ok := im.foreign[id.Name]; ok && old != path {
		path = ""
	}
	im.foreign[id.Name] = path
}

// declares reports whether name is the local name of an import.
func (im *imports) declares(name string) bool {
	return slices.ContainsFunc(im.specs, func(s importSpec) bool { return s.name == name })
}

// free reports whether a package may be imported under a name.
func (im *imports) free(name, path string) bool {
	if im.f.taken[name] || im.idents[name] || types.Universe.Lookup(name) != nil {
		return false
	}
	if p, ok := im.foreign[name]; ok && p != path {
		return false
	}
	return !slices.ContainsFunc(im.specs, func(s importSpec) bool { return s.name == name && s.path != path })
}

// reserved reports whether some package may be imported under a name.
func (im *imports) reserved(name string) bool {
	switch name {
	case "unsafe", "cpu", "guard", "testing", "twintest":
		return true
	}
	_, ok := im.foreign[name]
	return ok
}

// use imports a package under a free name, want if possible, and returns it.
// defaultName is the name the package gives itself.
func (im *imports) use(path, defaultName, want string) string {
	for _, s := range im.specs {
		if s.path == path && s.name != "." && (s.name == want || want == defaultName) && !im.idents[s.name] {
			return s.name
		}
	}
	name := unused(want, func(s string) bool { return !im.free(s, path) })
	im.specs = append(im.specs, importSpec{name, path, name != defaultName})
	return name
}

// own imports one of the packages generated code needs.
func (im *imports) own(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return im.use(path, name, name)
}

// user imports a package as a file of the user does. Where copied functions
// come from files that give one name to two packages, the second one gets
// another name.
func (im *imports) user(pn *types.PkgName) string {
	path, name := pn.Imported().Path(), pn.Name()
	for _, s := range im.specs {
		if s.path == path && s.name == name {
			return name
		}
	}
	if im.f.taken[name] || slices.ContainsFunc(im.specs, func(s importSpec) bool { return s.name == name }) {
		return im.use(path, pn.Imported().Name(), name)
	}
	im.specs = append(im.specs, importSpec{name, path, name != pn.Imported().Name()})
	return name
}

// dot imports a package the way a file of the user does.
func (im *imports) dot(path string) {
	s := importSpec{".", path, true}
	if !slices.Contains(im.specs, s) {
		im.specs = append(im.specs, s)
	}
}

// hasDomain reports whether a package has a path with a dot in front, as those of the standard library have not.
func hasDomain(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// String is the import declaration: the standard library, then the rest.
func (im *imports) String() string {
	specs := slices.Clone(im.specs)
	slices.SortFunc(specs, func(a, b importSpec) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.name, b.name))
	})
	var std, rest []string
	for _, s := range specs {
		line := fmt.Sprintf("%q", s.path)
		if s.explicit {
			line = s.name + " " + line
		}
		if hasDomain(s.path) {
			rest = append(rest, line)
		} else {
			std = append(std, line)
		}
	}
	switch {
	case len(specs) == 0:
		return ""
	case len(specs) == 1:
		return "import " + append(std, rest...)[0] + "\n\n"
	case len(std) == 0 || len(rest) == 0:
		return "import (\n" + strings.Join(append(std, rest...), "\n") + "\n)\n\n"
	}
	return "import (\n" + strings.Join(std, "\n") + "\n\n" + strings.Join(rest, "\n") + "\n)\n\n"
}
