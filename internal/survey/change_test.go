package survey

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Changes of Go source along its syntax: what results parses, mostly, and now and then
// type-checks.

// A chooser takes decisions from bytes, 0 when there are no more.
type chooser []byte

func (c *chooser) pick(n int) int {
	k := 0
	for range 2 {
		if len(*c) > 0 {
			k, *c = k<<8|int((*c)[0]), (*c)[1:]
		}
	}
	if n <= 1 {
		return 0
	}
	return k % n
}

func pickOf[T any](c *chooser, list []T) T { return list[c.pick(len(list))] }

// A span is a piece of text.
type span struct{ from, to int }

// spans are the pieces of a source that changes are made with.
type spans struct {
	src                                   string
	exprs, idents, ints, types            []span
	conditions, operators, assigns, stmts []span
	bodies                                []int // where statements may be put
}

func (s *spans) text(x span) string { return s.src[x.from:x.to] }

var basicTypes = []string{
	"int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "uintptr",
	"float32", "float64", "complex64", "complex128", "bool", "string",
}

func isBasicType(name string) bool {
	return strings.Contains(" "+strings.Join(basicTypes, " ")+" byte ", " "+name+" ")
}

// take notes the pieces of the functions in src; nil when it does not parse.
func take(src string) *spans {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "s.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s := &spans{src: src}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	of := func(n ast.Node) span { return span{at(n.Pos()), at(n.End())} }
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && isBasicType(id.Name) {
				s.types = append(s.types, of(id))
			}
			return true
		})
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if isBasicType(n.Name) {
					s.types = append(s.types, of(n))
				} else {
					s.idents = append(s.idents, of(n))
				}
			case *ast.BasicLit:
				s.ints = append(s.ints, of(n))
			case *ast.BinaryExpr:
				s.operators = append(s.operators, span{at(n.OpPos), at(n.OpPos) + len(n.Op.String())})
				switch n.Op {
				case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
					s.conditions = append(s.conditions, of(n))
				}
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					s.assigns = append(s.assigns, span{at(n.TokPos), at(n.TokPos) + len(n.Tok.String())})
				}
			case *ast.BlockStmt:
				s.bodies = append(s.bodies, at(n.Lbrace)+1)
			}
			if x, ok := n.(ast.Expr); ok {
				s.exprs = append(s.exprs, of(x))
			}
			if x, ok := n.(ast.Stmt); ok && n != ast.Node(fn.Body) {
				s.stmts = append(s.stmts, of(x))
			}
			return true
		})
	}
	return s
}

var (
	arithmetic  = []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>"}
	comparisons = []string{"==", "!=", "<", "<=", ">", ">=", "&&", "||"}
	literals    = []string{
		"0", "1", "2", "3", "4", "5", "7", "8", "9", "15", "16", "17", "31", "32", "33", "63", "64", "65", "100", "127", "128", "255", "256",
		"1000", "32767", "32768", "65535", "65536", "1<<31 - 1", "1 << 31", "1<<32 - 1", "1 << 32", "1<<63 - 1", "-1", "-2", "-8", "0.5", "-0.0", "1e300", "2i", "'a'",
	}
	clauses = []string{"reassoc", "contract", "independent", "exclusive", "simdlen(8)", "simdlen(2)", "unroll(2)", "require"}
)

// change makes a change of source that c chooses.
func change(c *chooser, src string) string {
	s := take(src)
	if s == nil || len(s.stmts) == 0 || len(s.exprs) == 0 || len(s.bodies) == 0 {
		return src
	}
	put := func(x span, text string) string { return src[:x.from] + text + src[x.to:] }
	some := func(list []span) span {
		if len(list) == 0 {
			return pickOf(c, s.exprs)
		}
		return pickOf(c, list)
	}
	condition := func() string {
		if len(s.conditions) > 0 && c.pick(2) == 0 {
			return s.text(pickOf(c, s.conditions))
		}
		return s.text(some(s.idents)) + pickOf(c, comparisons[:6]) + s.text(some(s.exprs))
	}
	switch c.pick(18) {
	case 0:
		return put(some(s.exprs), s.text(some(s.exprs)))
	case 1, 2:
		return put(some(s.idents), s.text(some(s.idents)))
	case 3, 4:
		x := some(s.operators)
		for _, set := range [][]string{arithmetic, comparisons} {
			for _, op := range set {
				if op == s.text(x) {
					return put(x, pickOf(c, set))
				}
			}
		}
		return src
	case 5:
		return put(some(s.assigns), pickOf(c, append([]string{""}, arithmetic...))+"=")
	case 6, 7:
		return put(some(s.ints), pickOf(c, literals))
	case 8:
		return put(pickOf(c, s.stmts), "")
	case 9:
		at := pickOf(c, s.bodies)
		return put(span{at, at}, "\n"+s.text(pickOf(c, s.stmts))+"\n")
	case 10:
		x := pickOf(c, s.stmts)
		return put(x, fmt.Sprintf("if %s {\n%s\n}", condition(), s.text(x)))
	case 11:
		x := pickOf(c, s.stmts)
		head := pickOf(c, []string{"for range 3", "for k := range 4", "for range " + s.text(some(s.idents)), "for " + condition(), ""})
		return put(x, fmt.Sprintf("%s {\n%s\n}", head, s.text(x)))
	case 12, 13:
		if len(s.types) == 0 {
			return src
		}
		return replaceType(s, s.text(pickOf(c, s.types)), pickOf(c, basicTypes))
	case 14:
		at := pickOf(c, s.bodies)
		return put(span{at, at}, fmt.Sprintf("\nif %s { %s }\n", condition(), pickOf(c, []string{"break", "continue", "return", "panic(1)"})))
	case 15:
		x := some(s.exprs)
		form := pickOf(c, []string{"-(%s)", "^(%s)", "!(%s)", "min(%s, %[2]s)", "max(%s, %[2]s)", "(%s)+(%[2]s)", "(%s)*(%[2]s)", "%[3]s(%s)", "(%s)&(%[2]s)", "(%s)>>(%[2]s)", "(%s)%%(%[2]s)", "len(%s)"})
		form = strings.Replace(form, "%s", "%[1]s", 1)
		return put(x, fmt.Sprintf(form+"%.0[1]s%.0[2]s%.0[3]s", s.text(x), s.text(some(s.exprs)), pickOf(c, basicTypes[:13])))
	case 16:
		if at := strings.Index(src, "//vec:func "); at >= 0 {
			end := at + strings.IndexByte(src[at:], '\n')
			return src[:end] + " " + pickOf(c, clauses) + src[end:]
		}
		return src
	default:
		x := pickOf(c, s.stmts)
		y := pickOf(c, s.stmts)
		return put(x, s.text(y))
	}
}

// replaceType replaces a type by another one everywhere in the functions.
func replaceType(s *spans, from, to string) string {
	var sb strings.Builder
	at := 0
	for _, x := range s.types {
		if s.text(x) == from && x.from >= at {
			sb.WriteString(s.src[at:x.from] + to)
			at = x.to
		}
	}
	return sb.String() + s.src[at:]
}
