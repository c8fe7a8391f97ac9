package frontend

import (
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Tables are package-level variables whose memory never changes: not exported,
// set to constants where they are declared, and in all files of the package only
// read. A kernel may hold their content.
//
// The files that the build leaves out count as well, by spelling alone: a test or
// a build with other tags may be where a table is written.

// maxTable is the size in bytes from which on nobody wants to know the content.
const maxTable = 4096

type tables struct {
	pkg     *packages.Package
	written map[*types.Var]bool
	names   map[string]bool // written in files that were not type-checked
	content map[*types.Var]string
}

func newTables(pkg *packages.Package) *tables {
	t := &tables{pkg: pkg, written: make(map[*types.Var]bool), names: make(map[string]bool), content: make(map[*types.Var]string)}
	for _, f := range pkg.Syntax {
		eachUse(f, func(id *ast.Ident, stack []ast.Node) {
			if v, ok := pkg.TypesInfo.Uses[id].(*types.Var); ok && !t.onlyRead(v, stack) {
				t.written[v] = true
			}
		})
	}
	for _, name := range t.otherFiles() {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if f == nil || err != nil && f.Name == nil {
			continue
		}
		eachUse(f, func(id *ast.Ident, stack []ast.Node) {
			if use, last := climb(stack); writes(use, last) || use == ast.Node(id) {
				t.names[id.Name] = true
			}
		})
	}
	for _, f := range pkg.Syntax {
		t.declared(f)
	}
	return t
}

// otherFiles are the files of the folder that the build does not see and no
// earlier run has written.
func (t *tables) otherFiles() (names []string) {
	all, _ := filepath.Glob(filepath.Join(t.pkg.Dir, "*.go"))
	for _, name := range all {
		if slices.Contains(t.pkg.GoFiles, name) {
			continue
		}
		if src, err := os.ReadFile(name); err == nil && !isGenerated(name, src) {
			names = append(names, name)
		}
	}
	return names
}

// eachUse calls yield for every identifier with the nodes around it, outermost
// first and itself last.
func eachUse(f *ast.File, yield func(id *ast.Ident, stack []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok {
			yield(id, stack)
		}
		return true
	})
}

// climb goes from an identifier up through elements, fields and parentheses: it
// returns the largest expression that is a part of the variable, and what stands
// around it.
func climb(stack []ast.Node) (use, around ast.Node) {
	i := len(stack) - 1
	for ; i > 0; i-- {
		switch p := stack[i-1].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.IndexExpr:
			if p.X == stack[i] {
				continue
			}
		case *ast.SelectorExpr:
			if p.X == stack[i] {
				continue
			}
		}
		break
	}
	if i == 0 {
		return stack[0], nil
	}
	return stack[i], stack[i-1]
}

// writes reports whether the statement or expression around use may change it or
// take its address.
func writes(use, around ast.Node) bool {
	switch p := around.(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(p.Lhs, func(e ast.Expr) bool { return e == use })
	case *ast.IncDecStmt, nil:
		return true
	case *ast.SliceExpr:
		return p.X == use
	case *ast.UnaryExpr:
		return p.Op == token.AND
	case *ast.RangeStmt:
		return p.Key == use || p.Value == use
	}
	return false
}

// onlyRead reports whether a use of v neither changes it nor makes another name
// for its memory. A method may do either.
func (t *tables) onlyRead(v *types.Var, stack []ast.Node) bool {
	use, around := climb(stack)
	e, ok := use.(ast.Expr)
	if !ok || writes(use, around) {
		return false
	}
	if sel, ok := use.(*ast.SelectorExpr); ok {
		if s := t.pkg.TypesInfo.Selections[sel]; s != nil && s.Kind() != types.FieldVal {
			return false
		}
	}
	typ := t.pkg.TypesInfo.TypeOf(e)
	if typ == nil {
		return false
	}
	if _, ok := typ.Underlying().(*types.Slice); !ok {
		return true // a copy: tables hold numbers only
	}
	switch p := around.(type) {
	case *ast.RangeStmt:
		return p.X == use
	case *ast.CallExpr:
		id, ok := ast.Unparen(p.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := t.pkg.TypesInfo.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	}
	return false
}

// declared finds the tables that f declares.
func (t *tables) declared(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.ValueSpec)
			for i, id := range s.Names {
				v, ok := t.pkg.TypesInfo.Defs[id].(*types.Var)
				if ok && len(s.Values) == len(s.Names) && !v.Exported() && !t.written[v] && !t.names[v.Name()] {
					t.table(v, s.Values[i])
				}
			}
		}
	}
}

func (t *tables) table(v *types.Var, init ast.Expr) {
	lit, ok := ast.Unparen(init).(*ast.CompositeLit)
	if !ok {
		return
	}
	typ := v.Type()
	if s, ok := typ.Underlying().(*types.Slice); ok {
		typ = types.NewArray(s.Elem(), t.length(lit))
	}
	if _, ok := typ.Underlying().(*types.Array); !ok || !numbersOnly(typ) || sizes.Sizeof(typ) > maxTable {
		return
	}
	b := make([]byte, sizes.Sizeof(typ))
	if t.encode(b, lit, typ) {
		t.content[v] = string(b)
	}
}

// length is the number of elements of a slice literal.
func (t *tables) length(lit *ast.CompositeLit) int64 {
	n, next := int64(0), int64(0)
	for _, e := range lit.Elts {
		next, _ = t.element(e, next)
		n = max(n, next)
	}
	return n
}

// element is the number behind that of e, and its value.
func (t *tables) element(e ast.Expr, next int64) (int64, ast.Expr) {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		if c := t.pkg.TypesInfo.Types[kv.Key].Value; c != nil {
			next, _ = constant.Int64Val(constant.ToInt(c))
		}
		e = kv.Value
	}
	return next + 1, e
}

var sizes = types.SizesFor("gc", "amd64")

// encode writes the value of e, of type typ, as it is in memory. It fails when
// that is not constant or holds other things than numbers.
func (t *tables) encode(b []byte, e ast.Expr, typ types.Type) bool {
	if c := t.pkg.TypesInfo.Types[e].Value; c != nil {
		basic, ok := typ.Underlying().(*types.Basic)
		return ok && encodeConst(b, c, basic)
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	switch u := typ.Underlying().(type) {
	case *types.Array:
		size := sizes.Sizeof(u.Elem())
		next := int64(0)
		for _, e := range lit.Elts {
			next, e = t.element(e, next)
			if next > u.Len() || !t.encode(b[(next-1)*size:next*size], e, u.Elem()) {
				return false
			}
		}
		return true
	case *types.Struct:
		return t.encodeStruct(b, lit, u)
	}
	return false
}

func (t *tables) encodeStruct(b []byte, lit *ast.CompositeLit, s *types.Struct) bool {
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	offsets := sizes.Offsetsof(fields)
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name := kv.Key.(*ast.Ident).Name
			i = slices.IndexFunc(fields, func(f *types.Var) bool { return f.Name() == name })
			e = kv.Value
		}
		typ := fields[i].Type()
		if !t.encode(b[offsets[i]:offsets[i]+sizes.Sizeof(typ)], e, typ) {
			return false
		}
	}
	return true
}

// numbersOnly reports whether t holds numbers and bools, all directly.
func numbersOnly(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsNumeric|types.IsBoolean) != 0
	case *types.Array:
		return numbersOnly(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !numbersOnly(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

func encodeConst(b []byte, c constant.Value, t *types.Basic) bool {
	var bits uint64
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		if constant.BoolVal(c) {
			bits = 1
		}
	case info&types.IsInteger != 0:
		c = constant.ToInt(c)
		if x, ok := constant.Int64Val(c); ok {
			bits = uint64(x)
		} else {
			bits, _ = constant.Uint64Val(c)
		}
	case t.Kind() == types.Float32:
		f, _ := constant.Float32Val(constant.ToFloat(c))
		bits = uint64(math.Float32bits(f))
	case t.Kind() == types.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		bits = math.Float64bits(f)
	default:
		return false
	}
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], bits)
	copy(b, all[:])
	return true
}
