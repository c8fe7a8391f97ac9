// Package frontend turns annotated Go functions into scalar vir: it loads
// packages, reads directives, finds regions and lowers them, or says why not.
// It knows nothing of vectorization and machines; twins are printed by
// frontend/twin from the structures here and a plan.Kernel.
package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Package is a loaded package with its annotated functions in file order.
type Package struct {
	*packages.Package
	Dir    string // absolute
	Funcs  []*Func
	Errors []diag.Error // with any, nothing is generated for the package

	// Inlined lists the functions of other packages whose bodies were lowered
	// into regions, with a hash of their source, sorted by name.
	Inlined []Inlined
}

// Inlined is a function whose body became part of a kernel.
type Inlined struct {
	Name string // package path and function name
	Hash string
}

// A Func is a function declaration with at least one //vec:func directive.
type Func struct {
	Decl  *ast.FuncDecl
	File  *ast.File
	Obj   *types.Func
	Twins []*Twin
}

// A Twin is one //vec:func line.
type Twin struct {
	Func    *Func
	Name    string
	Pos     token.Pos
	Clauses plan.Clauses
	// TypeArgs instantiate a generic function, one per type parameter.
	TypeArgs []types.Type
	Regions  []*Region     // outermost syntax order
	Remarks  []diag.Remark // loops that could not be lowered
}

// A Region is a lowered loop together with its syntax.
type Region struct {
	plan.Region
	Loop   ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	Params []Param  // one per parameter of Fn
	Vars   []Var    // one per State
}

// ParamKind says how the twin forms a live-in from its expression.
type ParamKind uint8

const (
	ParamValue      ParamKind = iota // Expr itself, a numeric or bool value
	ParamSliceData                   // unsafe.SliceData(Expr)
	ParamStringData                  // unsafe.StringData(Expr)
	ParamPointer                     // Expr is a pointer, passed as unsafe.Pointer
	ParamAddress                     // &Expr, of an addressable array or variable
	ParamLen                         // len(Expr) of a slice or string
	ParamCounter                     // the hidden iteration counter of a range loop; 0 on first entry
)

// A Param is a live-in of a region: a value that holds when the loop starts.
type Param struct {
	Kind ParamKind
	Expr ast.Expr   // nil for ParamCounter
	Type types.Type // of Expr, type parameters substituted
	// NonNil are pointer expressions, in order of evaluation, that must not be
	// nil, and InRange index expressions that must not panic, for Expr to be
	// evaluated before the loop; otherwise the loop runs scalar.
	NonNil  []ast.Expr
	InRange []*ast.IndexExpr
}

// A Var is the Go variable behind a State; Obj is nil for the hidden counter of
// a range loop.
type Var struct {
	Obj *types.Var
	// Local says that the variable is declared by the loop statement itself.
	Local bool
}
