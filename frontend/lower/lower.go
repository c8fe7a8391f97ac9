// Package lower turns one innermost loop of a type-checked Go function into a
// scalar vir function in the normal form of plan.Region, or says in Go terms
// why it cannot.
//
// Locals become SSA values, everything else becomes memory behind live-in
// pointers. Names are resolved through go/types, never by spelling. The package
// must not know how packages are loaded, what directives say, or anything of
// vectorization: it lowers what the loop means, check by check and store by
// store in program order, and leaves judging to others.
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Source is a function whose loops are lowered.
type Source struct {
	Pkg  *types.Package // that the twin is part of
	Home *types.Package // that Decl is part of
	Info *types.Info
	Decl *ast.FuncDecl
	// Lit is the function literal in Decl whose loops are lowered, nil for those of Decl itself.
	Lit *ast.FuncLit
	// Bound are parameters that are functions, of a function that is called with these alone.
	Bound map[*types.Var]Bound
	// Beside are variables of where it is called that it has further parameters for.
	Beside []Beside
	// TypeArgs replace the type parameters of a generic function.
	TypeArgs []types.Type
	// Body finds the declaration of a function that is called, nil when its
	// source is not known.
	Body func(*types.Func) *Body
	Pos  func(token.Pos) vir.Pos
	// Approx finds another declaration for a function of float64s whose argument was a
	// float32 and whose result becomes one, which need not give the same bits; nil for none.
	Approx func(*types.Func) *Body
	// Content is the memory of a package-level array, or behind such a slice,
	// that nobody ever changes; empty when that is not known.
	Content func(*types.Var) string

	facts *facts
}

// In is the source of the loops of a function literal in it. What the literal captures means what it means outside of it.
func (s *Source) In(lit *ast.FuncLit) *Source {
	in := *s
	in.Lit, in.facts = lit, nil
	return &in
}

// unused is a name like base that nothing in the function has.
func (s *Source) unused(base string) string {
	taken := make(map[string]bool)
	ast.Inspect(s.Decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	name := base
	for i := 2; taken[name]; i++ {
		name = fmt.Sprint(base, i)
	}
	return name
}

// function is the type and the body of the function that the loops are part of.
func (s *Source) function() (*ast.FuncType, *ast.BlockStmt) {
	if s.Lit != nil {
		return s.Lit.Type, s.Lit.Body
	}
	return s.Decl.Type, s.Decl.Body
}

// A Bound function is what a parameter is: a function of some package, or a literal in the declaration of the caller.
type Bound struct {
	Func *types.Func
	Lit  *ast.FuncLit
	In   *ast.FuncDecl
}

// Beside is a variable of the caller and what the function calls it.
type Beside struct {
	Var  *types.Var
	Name *ast.Ident
}

// besideName is what the function calls v, nil for variables that it has no further parameter for.
func (s *Source) besideName(v types.Object) *ast.Ident {
	for _, b := range s.Beside {
		if b.Var == v {
			return b.Name
		}
	}
	return nil
}

// A Body is the declaration of a function that may be inlined.
type Body struct {
	Func *types.Func
	Decl *ast.FuncDecl
	Info *types.Info
	Pkg  *types.Package

	facts *facts
}

// A Region is a lowered loop.
type Region struct {
	Fn      *vir.Func
	State   []plan.State
	Params  []Param // one per parameter of Fn
	Vars    []Var   // one per State
	Inlined []*Body // functions whose bodies became part of Fn, each once
	// Stops says that the condition of the loop may end it inside of the body of
	// Fn, while its header still goes on.
	Stops bool
	// Runes says that the loop goes through the runes of a string: see RunesOf.
	Runes bool
	// Named is a name for what the loop ranges over, which is evaluated before anything else; nil where that may be evaluated whenever it is needed.
	Named *ast.Ident
	// Unrolled is the number of turns of loops inside that became copies of their bodies.
	Unrolled int
	Span     *int64 // how far the counter goes at most, nil when the header does not say
	Counters []int  // parameters that other loops count with
	Stays    []int  // parameters with memory that the loop around has for each entry
	// Usual are numbers that parameters are likely to be, of the few that they are set to.
	Usual map[int]int64
	Held  []plan.Held // numbers in memory that parameters hold when the loop starts

	// Of straight-line code:
	Loop    *ast.RangeStmt // stands for the statements: its body has them, and its position is theirs
	Hoisted []*types.Var   // variables that the statements declare and that are used behind them
	Returns bool           // a return statement ends it
	Results []Result       // its operands
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
	ParamCap                         // cap(Expr) of a slice
	ParamCounter                     // the hidden iteration counter of a range loop; 0 on first entry
	ParamStart                       // where Expr, a slice or string that the loop moves, starts in itself: 0
	ParamZero                        // 0 or false: the value of a result before straight-line code
	ParamTemp                        // the address of a result, Expr, that the caller allocates
)

// A Param is a live-in of a region: a value that holds when the loop starts.
type Param struct {
	Kind ParamKind
	Expr ast.Expr   // nil for ParamCounter
	Type types.Type // of Expr, type parameters substituted
	// NonNil are pointer expressions, in order of evaluation, that must not be
	// nil, NonZero integers that must not be 0, and InRange index expressions that must not panic, for Expr to be
	// evaluated before the loop; otherwise the loop runs scalar. All of NonNil and NonZero
	// can be evaluated before any of InRange.
	NonNil  []ast.Expr
	NonZero []ast.Expr
	InRange []*ast.IndexExpr
}

// A Var is the Go variable behind a State; Obj is nil for the hidden counter of
// a range loop. Structs, arrays and complex numbers have a State for each number
// in them that the loop sets.
type Var struct {
	Obj *types.Var
	// Local says that the variable is declared by the loop statement itself.
	Local bool
	// Expr is the field or element of Obj that the state is, nil for all of Obj.
	Expr ast.Expr
	// Part says that the state is half of a complex number, or the start or the length of a
	// slice, of type Type.
	Part Part
	Type types.Type
	// Step is the last step of a start that is used behind the loop, nil for others.
	Step *Step
}

// A Part is the real or imaginary half of a complex number, the length of a slice
// that the loop appends to, or where a slice or string that the loop moves starts and ends in
// what it was when the kernel was called.
type Part uint8

const (
	Whole Part = iota // no part: the number itself
	Real
	Imag
	Length
	Start
)

// A Refusal says why a loop cannot be lowered.
type Refusal struct {
	Pos vir.Pos
	At  token.Pos // the same, in the annotated function
	ID  string    // "lower:Name"
	Msg string

	whole *types.Var // that would do as memory: see bindCopy; nil for none
	loose string     // key of what need not stay the same, see steady; "" for none
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s [%s]", r.Pos, r.Msg, r.ID) }

// Internal is the ID of a refusal that should not be.
const Internal = "internal:Lowering"

// Limit is the number of vir values from which on a loop is refused: nothing so
// large is worth the time its analyses would take.
const Limit = 20000

// Loop lowers a *ast.ForStmt or *ast.RangeStmt of src that contains no loop.
// The label may be nil; name becomes the name of the function.
func Loop(src *Source, loop ast.Stmt, label *ast.Ident, name string) (r *Region, refusal *Refusal) {
	wanted, loose := make(map[*types.Var]bool), make(map[string]bool)
	for {
		r, refusal = lowered(src, loop, label, name, wanted, loose)
		switch {
		case refusal == nil:
			return r, nil
		case refusal.whole != nil && !wanted[refusal.whole]:
			wanted[refusal.whole] = true
		case refusal.loose != "" && !loose[refusal.loose]:
			loose[refusal.loose] = true
		default:
			return r, refusal
		}
	}
}

// lowered is Loop, where the variables that are wanted in memory stand for what they are copies of if they can, and what is
// loose may change.
func lowered(src *Source, loop ast.Stmt, label *ast.Ident, name string, wanted map[*types.Var]bool, loose map[string]bool) (r *Region, refusal *Refusal) {
	l := newLowerer(src, loop, label, name)
	l.wanted, l.loose = wanted, loose
	defer l.recoverRefusal(&r, &refusal)
	l.lowerLoop()
	l.findLive()
	l.clean()
	l.checkCopies()
	return l.region(), nil
}

// recoverRefusal is deferred: it turns a panic into a refusal.
func (l *lowerer) recoverRefusal(r **Region, refusal **Refusal) {
	switch x := recover().(type) {
	case nil:
	case *Refusal:
		*r, *refusal = nil, x
	default:
		// Our own mistake: the loop stays as it is.
		*r, *refusal = nil, &Refusal{Pos: l.src.Pos(l.loop.Pos()), At: l.loop.Pos(), ID: Internal, Msg: fmt.Sprintf("internal error, please report: %v", x)}
	}
}

// A lowerer is the state of lowering one loop.
type lowerer struct {
	src   *Source
	loop  ast.Stmt
	once  *once        // of straight-line code, nil for loops
	label *types.Label // nil when the loop has none
	f     *vir.Func
	b     *vir.Builder // b.Cur is nil while code cannot be reached

	*frame
	variables
	liveIns
	assigned  map[*types.Var]bool         // variables declared outside the body that the loop sets
	appended  map[*types.Var]bool         // slices among them that it sets by append only
	roomless  map[*types.Var]bool         // those that may start with nothing
	origins   map[*types.Var]*types.Basic // of variables that have been asked for, see origin
	lengths   map[*types.Var]ast.Expr     // likewise, see measured
	embedded  map[*ast.SelectorExpr][]int // fields that methods are promoted from, which nobody wrote
	meanings  map[*types.Var]ast.Expr     // the same, see meaning
	literals  map[*types.Var]*literal     // of those that have been called, see literalIn
	moving    map[*types.Var]ends         // slices and strings that are set to parts of themselves only
	moved     map[*types.Var]*moved
	movedVars []*types.Var // the keys of moved, in order
	fields    movedFields
	movements map[*types.Var][]movement
	sure      []fact                  // what holds at this point
	memory    map[*types.Var]bool     // variables that live in memory as far as this loop is concerned
	wanted    map[*types.Var]bool     // copies of memory that had better be there
	loose     map[string]bool         // keys of structs in memory that need not stay the same
	copied    map[*vir.Value]ast.Node // memory that stands for a copy of it, with what makes that
	stores    bool                    // the loop may store to memory
	through   map[string]bool         // keys of arrays that it goes through, see goesThrough; nil until somebody asks

	header, latch, exit *vir.Block
	out                 *vir.Block          // stands for leaving the loop; no part of the function
	leaving             map[ast.Stmt]bool   // statements from which on the loop is left
	decided             int                 // statements at the start of the body that the header stands for
	stops               bool                // part of the loop condition became an exit
	left                map[*vir.Block]bool // blocks that end by leaving the loop
	runes               bool                // the loop is over the runes of a string
	named               *ast.Ident          // what the loop ranges over, where that gets a name
	leftWith            map[*types.Var]bool // variables, and whether what leaves the loop may read them
	reads               map[*vir.Value]bool // what it reads of what the loop has computed
	limit               *vir.Value          // trip count of a range loop, else nil
	counter             *vir.Value          // its counter

	targets []target // where break and continue go, innermost last
	inlined []*Body
	values  int

	written    int       // stores built so far
	unrolled   int       // turns of loops that became copies of their bodies
	addressing bool      // a subscript is being evaluated
	dividing   bool      // what is spelled may divide by anything
	limiting   bool      // the condition of a loop inside is
	steadies   []*steady // of the loop condition
	direct     bool      // nothing that a call could change is evaluated beside what is lowered next: see inline
}

// A frame is the function whose syntax is being lowered: the annotated one, or
// one that is being inlined.
type frame struct {
	outer *frame        // nil for the annotated function
	body  *Body         // nil for the annotated function
	decl  *ast.FuncDecl // that the code is part of, for a function literal that of the function around it
	info  *types.Info
	pkg   *types.Package
	subst map[*types.TypeParam]types.Type
	facts *facts
	pos   vir.Pos              // of the call in the annotated function
	call  token.Pos            // the same
	paths map[*types.Var]*path // variables that stand for an invariant expression
	refs  map[*types.Var]place // variables that point to a place, or are copies of it
	lent  map[*types.Var]local // parameters that point to a variable
	views map[*types.Var]view  // slices that are made by the loop

	results []*types.Var
	done    *vir.Block
}

func newLowerer(src *Source, loop ast.Stmt, label *ast.Ident, name string) *lowerer {
	if src.facts == nil {
		src.facts = src.findFacts()
	}
	f := vir.NewFunc(name)
	f.Pos = src.Pos(loop.Pos())
	l := &lowerer{src: src, loop: loop, f: f, b: vir.NewBuilder(f, nil)}
	l.frame = &frame{decl: src.Decl, info: src.Info, pkg: src.Pkg, facts: src.facts}
	l.frame.init()
	if sig, ok := src.Info.Defs[src.Decl.Name].Type().(*types.Signature); ok {
		bindTypes(l.frame.subst, sig.TypeParams(), src.TypeArgs)
	}
	if label != nil {
		l.label, _ = src.Info.Defs[label].(*types.Label)
	}
	l.variables.init()
	l.liveIns.init()
	l.left, l.leftWith, l.reads = make(map[*vir.Block]bool), make(map[*types.Var]bool), make(map[*vir.Value]bool)
	l.moving, l.moved = make(map[*types.Var]ends), make(map[*types.Var]*moved)
	l.movements = make(map[*types.Var][]movement)
	l.origins, l.literals = make(map[*types.Var]*types.Basic), make(map[*types.Var]*literal)
	l.lengths = make(map[*types.Var]ast.Expr)
	l.embedded = make(map[*ast.SelectorExpr][]int)
	l.meanings = make(map[*types.Var]ast.Expr)
	return l
}

func (fr *frame) init() {
	fr.subst = make(map[*types.TypeParam]types.Type)
	fr.paths = make(map[*types.Var]*path)
	fr.refs = make(map[*types.Var]place)
	fr.lent = make(map[*types.Var]local)
	fr.views = make(map[*types.Var]view)
}

// refuse gives up: the loop stays as it is because of n.
func (l *lowerer) refuse(n ast.Node, id, format string, args ...any) {
	panic(l.refusal(n, id, format, args...))
}

func (l *lowerer) refusal(n ast.Node, id, format string, args ...any) *Refusal {
	return &Refusal{Pos: l.at(n.Pos()), At: l.here(n.Pos()), ID: "lower:" + id, Msg: fmt.Sprintf(format, args...)}
}

// at is a position in the annotated function: inside an inlined body it is that
// of the call.
func (l *lowerer) at(pos token.Pos) vir.Pos {
	if l.frame.outer != nil {
		return l.frame.pos
	}
	return l.src.Pos(pos)
}

// here is what at is, as a position of syntax.
func (l *lowerer) here(pos token.Pos) token.Pos {
	if l.frame.outer != nil {
		return l.frame.call
	}
	return pos
}

// mark makes n the position of what is built next.
func (l *lowerer) mark(n ast.Node) {
	l.b.Pos = l.at(n.Pos())
	if l.values = l.f.NumIDs(); l.values > Limit {
		l.refuse(l.loop, "TooLarge", "the loop is too large")
	}
}

// typeOf is the type of e with type parameters substituted. The & and * that a
// method call implies are not in the type information.
func (l *lowerer) typeOf(e ast.Expr) types.Type {
	t := l.info.TypeOf(e)
	if t == nil {
		switch e := e.(type) {
		case *ast.StarExpr:
			return pointee(l.typeOf(e.X))
		case *ast.UnaryExpr:
			return types.NewPointer(l.typeOf(e.X))
		case *ast.SelectorExpr:
			t := l.typeOf(e.X)
			for _, i := range l.embedded[e] {
				t = l.substitute(fieldType(t, i))
			}
			return t
		}
	}
	return l.substitute(t)
}

func (l *lowerer) substitute(t types.Type) types.Type { return substitute(t, l.frame.subst) }
