package narrow_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// A kind is an integer type of Go that expressions compute in.
type kind struct {
	name   string
	vir    string
	bits   int
	signed bool
}

var kinds = map[string]kind{
	"int":    {"int", "i64", 64, true},
	"int32":  {"int32", "i32", 32, true},
	"uint32": {"uint32", "i32", 32, false},
	"uint16": {"uint16", "i16", 16, false},
	"int16":  {"int16", "i16", 16, true},
	"uint8":  {"uint8", "i8", 8, false},
	"int8":   {"int8", "i8", 8, true},
}

// wrap is what a variable of the kind holds of x.
func (k kind) wrap(x int64) int64 {
	sh := 64 - k.bits
	if k.signed {
		return x << sh >> sh
	}
	return int64(uint64(x) << sh >> sh)
}

// An expr is a Go expression of one kind over variables. It stands for itself twice:
// as vir text, and as its value by the rules of Go.
type expr struct {
	kind
	root ast.Expr
	text strings.Builder
	n    int
}

func parseExpr(t *testing.T, k kind, text string) *expr {
	t.Helper()
	root, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return &expr{kind: k, root: root}
}

var binaryOps = map[token.Token][2]string{ // signed, unsigned
	token.ADD: {"add", "add"}, token.SUB: {"sub", "sub"}, token.MUL: {"mul", "mul"},
	token.AND: {"and", "and"}, token.OR: {"or", "or"}, token.XOR: {"xor", "xor"},
	token.SHL: {"shl", "shl"}, token.SHR: {"ashr", "lshr"},
	token.QUO: {"sdiv", "udiv"}, token.REM: {"srem", "urem"},
	token.LSS: {"icmp.slt", "icmp.ult"}, token.LEQ: {"icmp.sle", "icmp.ule"}, token.EQL: {"icmp.eq", "icmp.eq"},
}

var calls = map[string][2]string{"min": {"smin", "umin"}, "max": {"smax", "umax"}, "sel": {"select", "select"}}

// lower writes x as vir and returns the name of its value.
func (e *expr) lower(x ast.Expr) string {
	pick := func(ops [2]string) string {
		if e.signed {
			return ops[0]
		}
		return ops[1]
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.lower(x.X)
	case *ast.Ident:
		return "%" + x.Name
	case *ast.BasicLit:
		return e.line("const %s %s", e.vir, x.Value)
	case *ast.UnaryExpr:
		return e.line("neg %s %s", e.vir, e.lower(x.X))
	case *ast.BinaryExpr:
		op, typ := pick(binaryOps[x.Op]), e.vir
		if strings.HasPrefix(op, "icmp") {
			typ = "bool"
		}
		l := e.lower(x.X)
		return e.line("%s %s %s, %s", op, typ, l, e.lower(x.Y))
	case *ast.CallExpr:
		var args []string
		for _, a := range x.Args {
			args = append(args, e.lower(a))
		}
		return e.line("%s %s %s", pick(calls[x.Fun.(*ast.Ident).Name]), e.vir, strings.Join(args, ", "))
	}
	panic(fmt.Sprintf("%T", x))
}

func (e *expr) line(format string, args ...any) string {
	e.n++
	name := fmt.Sprintf("%%e%d", e.n)
	fmt.Fprintf(&e.text, "\t%s = "+format+"\n", append([]any{name}, args...)...)
	return name
}

// eval is the value of x, wrapped after each operation.
func (e *expr) eval(x ast.Expr, vars map[string]int64) int64 {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.eval(x.X, vars)
	case *ast.Ident:
		return vars[x.Name]
	case *ast.BasicLit:
		n, err := strconv.ParseInt(x.Value, 0, 64)
		if err != nil {
			panic(err)
		}
		return n
	case *ast.UnaryExpr:
		return e.wrap(-e.eval(x.X, vars))
	case *ast.BinaryExpr:
		return e.wrap(binary(x.Op, e.eval(x.X, vars), e.eval(x.Y, vars)))
	case *ast.CallExpr:
		a := make([]int64, len(x.Args))
		for i := range a {
			a[i] = e.eval(x.Args[i], vars)
		}
		switch x.Fun.(*ast.Ident).Name {
		case "min":
			return min(a[0], a[1])
		case "max":
			return max(a[0], a[1])
		}
		if a[0] != 0 {
			return a[1]
		}
		return a[2]
	}
	panic(fmt.Sprintf("%T", x))
}

func binary(op token.Token, x, y int64) int64 {
	truth := map[bool]int64{true: 1}
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.AND:
		return x & y
	case token.OR:
		return x | y
	case token.XOR:
		return x ^ y
	case token.SHL:
		return x << uint(y)
	case token.SHR:
		return x >> uint(y)
	case token.QUO:
		return x / y
	case token.REM:
		return x % y
	case token.LSS:
		return truth[x < y]
	case token.LEQ:
		return truth[x <= y]
	case token.EQL:
		return truth[x == y]
	}
	panic(op)
}
