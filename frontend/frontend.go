// Package frontend turns annotated Go functions into scalar vir: it loads
// packages, reads directives, finds regions and lowers them, or says why not.
// It knows nothing of vectorization and machines; twins are printed by
// frontend/twin from the structures here and a plan.Kernel.
package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend/lower"
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

	// Refused are loops and functions that no directive could be about, of Options.Every.
	Refused []Refused

	// Iterators are the calls, of slices.All and the like, in range clauses of which the syntax has the slice instead.
	Iterators map[*ast.RangeStmt]*ast.CallExpr

	loops map[ast.Stmt]loopDirective
}

// Inlined is a function whose body became part of a kernel.
type Inlined struct {
	Name string // package path and function name
	Hash string
}

// A Func is a function declaration with at least one //vec:func directive, or one that
// such a function calls.
type Func struct {
	Decl  *ast.FuncDecl
	File  *ast.File
	Obj   *types.Func
	Twins []*Twin
	// OnlyAMD64 says that builds for other architectures do not have the
	// function, so that they need no twin either.
	OnlyAMD64 bool
}

// A Twin is one //vec:func line, or what such a twin calls.
type Twin struct {
	Func    *Func
	Name    string
	Pos     token.Pos
	Clauses plan.Clauses
	// TypeArgs instantiate a generic function, one per type parameter.
	TypeArgs []types.Type
	Regions  []*Region     // outermost syntax order
	Remarks  []diag.Remark // loops that could not be lowered
	// Scalar are the remarks about loops that are no regions.
	Scalar map[ast.Stmt]diag.Remark
	Time   time.Duration // that lowering took
	// Root is the twin that was asked for, of one that exists only to be called by
	// others; nil otherwise.
	Root *Twin
	// Called is where a function of the standard library is called that is copied for that.
	Called token.Pos
	Calls  []Call // in the order of syntax
	// Bound are parameters that are functions, of a twin that is called in one place, with these; Beside are variables there that
	// they use, which it gets behind its other arguments.
	Bound  map[*types.Var]lower.Bound
	Beside []lower.Beside
}

// A Region is a lowered loop together with its syntax.
type Region struct {
	plan.Region
	Loop   ast.Stmt // *ast.ForStmt or *ast.RangeStmt; the latter stands for straight-line code
	Params []Param  // one per parameter of Fn
	Vars   []Var    // one per State
	// Asked says that a //vec:loop stands above the loop: its author wants to
	// know when it stays scalar.
	Asked bool
	// Stops says that the loop condition may end the loop before the trip count
	// of a kernel says so: part of it is tested inside of the body of Fn.
	Stops bool
	// Named is a name for what the loop ranges over, which is evaluated before anything else; nil where that may be evaluated whenever it is needed.
	Named *ast.Ident
	// Compiled says that the bits of a function of package math depend on whether the
	// compiler fuses products and sums there. Kernels have them as it does not.
	Compiled bool

	// Of straight-line code, see package lower:
	Hoisted []*types.Var // variables that it declares and that are used behind it
	Returns bool         // a return statement ends it
	Results []Result     // the operands of that
	Last    bool         // the function ends behind it
}

// The live-ins and state variables of a region are what package lower makes of
// them.
type (
	ParamKind = lower.ParamKind
	Param     = lower.Param
	Var       = lower.Var
	Part      = lower.Part
	Step      = lower.Step
	Result    = lower.Result
)

const (
	ParamValue      = lower.ParamValue      // Expr itself, a numeric or bool value
	ParamSliceData  = lower.ParamSliceData  // unsafe.SliceData(Expr)
	ParamStringData = lower.ParamStringData // unsafe.StringData(Expr)
	ParamPointer    = lower.ParamPointer    // Expr is a pointer, passed as unsafe.Pointer
	ParamAddress    = lower.ParamAddress    // &Expr, of an addressable array or variable
	ParamLen        = lower.ParamLen        // len(Expr) of a slice or string
	ParamCap        = lower.ParamCap        // cap(Expr) of a slice
	ParamCounter    = lower.ParamCounter    // the hidden iteration counter of a range loop; 0 on first entry
	ParamStart      = lower.ParamStart      // where a slice or string that the loop moves starts in itself: 0
	ParamZero       = lower.ParamZero       // 0 or false: a result before straight-line code
	ParamTemp       = lower.ParamTemp       // the address of a result that the caller allocates

	Whole = lower.Whole // a number of its own
	Real  = lower.Real  // halves of a complex number
	Imag  = lower.Imag

	Length = lower.Length // of a slice that the loop appends to, or moves the end of
	Start  = lower.Start  // of a slice that the loop moves
)
