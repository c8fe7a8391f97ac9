// Package plan is what frontend, vectorizer and backend tell each other about
// one region besides its code: where the values of a kernel come from, how many
// iterations it may run, which memory must not overlap, what it hands back.
//
// It is plain data. A twin is printed from the user's syntax and a Kernel; the
// printer never looks into the vir of a kernel.
package plan

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A Region is a loop as the frontend hands it to the vectorizer.
//
// Fn is a scalar function whose parameters are the live-ins (values known when
// the loop starts) and whose blocks are, in this order: an entry that only
// jumps to the header; the header with one phi per state variable and, as its
// terminator, br of the loop condition to the first body block or to the exit;
// body blocks, the first of which starts with iter; a single latch that jumps to the header;
// the exit, which returns the header's phis in order. The entry operand of a
// phi is always the parameter State names, so that Fn describes the loop from
// any iteration on.
//
// Straight-line code has the same form, see Once.
type Region struct {
	Fn    *vir.Func
	Pos   vir.Pos
	Func  string // original function, as remarks name it
	Twin  string // name of the twin
	Label string // base of the kernel's name, a Go identifier unique in the package

	State   []State // one per header phi and per result of Fn
	Clauses Clauses

	// Once says that the region is straight-line code, written as a loop of one iteration:
	// for range 1 { statements }. Its hidden counter goes from 0 to 1 like that of any range
	// loop; the other states are the variables and results that the statements set for what
	// is behind them. A call of its kernel executes all of it and returns 1, or nothing and
	// returns 0, having stored nothing.
	Once bool
	// Uneven says that the scalar code, which goes on where a kernel stops, may do several of the kernel's iterations
	// as one: a call does not find all variables as an iteration of its own would have left them.
	Uneven bool
	// Unrolled is the number of turns of loops that the code has as written, and Fn has as
	// copies of their bodies.
	Unrolled int
	// Span is how far the counter goes at most, nil when the header does not say: j from y-1 to y+1.
	Span *int64
	// Counters are the parameters that loops around count with, so that each entry has another value of them.
	Counters []int
	// Stays are the parameters with memory that the loop around keeps: each entry but the first finds there what the one before
	// has stored.
	Stays []int
	// Usual are numbers, more than 0, that parameters are likely to be.
	Usual map[int]int64
	// Held are parameters with numbers that stand in memory when the region is entered.
	Held []Held
}

// A Held number is parameter Value, read from the bytes behind parameter Base that Load reads.
type Held struct {
	Value, Base int
	Disp        int64
}

// Holds reports whether now is a load of what x, a parameter, holds when the region is entered.
func (r *Region) Holds(x, now *vir.Value) bool {
	return x.Op == vir.OpParam && now.Op == vir.OpLoad && !now.Masked && !now.Indexed && now.Base().Op == vir.OpParam &&
		slices.ContainsFunc(r.Held, func(h Held) bool {
			return r.Fn.Params[h.Value] == x && r.Fn.Params[h.Base] == now.Base() && h.Disp == now.Disp && x.Type == now.Type
		})
}

// Unchanged reports whether check v fails where a number in memory is another one than when the region was entered, and gives
// its load.
func (r *Region) Unchanged(v *vir.Value) (now *vir.Value, ok bool) {
	if v.Op != vir.OpCheckRare || v.Args[0].Op != vir.OpIcmpNe {
		return nil, false
	}
	x, y := v.Args[0].Args[0], v.Args[0].Args[1]
	if r.Holds(x, y) {
		return y, true
	}
	return x, r.Holds(y, x)
}

// Latch is that of a region's function: the exit is behind it.
func Latch(f *vir.Func) *vir.Block { return f.Blocks[len(f.Blocks)-2] }

// State is a variable that the loop carries from iteration to iteration.
type State struct {
	Param int    // parameter of Fn with the value before the first iteration
	Init  *int64 // that value when it is a constant integer on first entry; later entries have others
	Live  bool   // somebody reads the value after the loop, or scalar code that goes on needs it: see FindLive

	// Stored says that the loop as written has the variable in memory, and that every
	// iteration stores it.
	Stored bool
}

// StateOf is the index of the state that begins with parameter p, -1 for none.
func (r *Region) StateOf(p int) int {
	return slices.IndexFunc(r.State, func(s State) bool { return s.Param == p })
}

// IsNumber reports whether parameter p is an int that no iteration changes: no variable of the loop, and no length.
func (r *Region) IsNumber(p int) bool {
	v := r.Fn.Params[p]
	return v.Type == vir.Scalar(vir.I64) && !r.Fn.IsLength(v) && r.StateOf(p) < 0
}

// Init is the constant that parameter p, one of a state, has when the loop is first entered.
func (r *Region) Init(p int) (int64, bool) {
	if i := r.StateOf(p); i >= 0 && r.State[i].Init != nil {
		return *r.State[i].Init, true
	}
	return 0, false
}

// Begin is x, which reads no memory, when the loop is first entered, if that is known.
func (r *Region) Begin(x *Expr) (value int64, known bool) {
	known = true
	value = x.Eval(func(p int) int64 {
		v, ok := r.Init(p)
		known = known && ok
		return v
	}, 0)
	return value, known
}

// Clauses are the clauses of //vec:func and //vec:loop that reach a region.
type Clauses struct {
	Reassoc     bool // float sums and products may be reordered
	Contract    bool // x*y+z may be fused
	Independent bool // no dependence between iterations through memory
	Exclusive   bool // nobody else touches the stored memory during the call
	Approx      bool // functions of package math may be off by one unit in the last place
	Require     bool // staying scalar is an error
	Force       bool // costs are no reason to stay scalar; follows from Require of a function that calls
	Simdlen     int  // lanes of the widest element type; 0 = choose
	Unroll      int  // unroll count; 0 = choose
}

// A Kernel is the vectorizer's answer for a region at one target level.
//
// Fn executes whole iterations from the state its arguments describe. Its first
// result is the number of iterations done, at most the Count argument; the
// other results are named by Outs.
//
// Kernels of several regions may share Fn: then they pass what is their own as Args.
type Kernel struct {
	Fn    *vir.Func
	Level string // target level, e.g. "avx2"
	Args  []Arg  // one per parameter of Fn

	// Wide does the same as Fn with the instructions of AVX-512, for CPUs that have them, from
	// WideMin iterations on; nil for Fn on all.
	Wide    *vir.Func
	WideMin int64

	Trip     Trip
	Bounds   []Bound   // subscripts that hold for a prefix of the iterations
	Overlaps []Overlap // pairs of streams to be tested before a call
	Min      int64     // fewest iterations worth a call (and safe for one)
	// Peel is the number of iterations that the caller's scalar code does first, each
	// time the loop is entered: state variables have their steady values then. Min
	// counts them.
	Peel int64
	// First is the number of iterations that the caller's scalar code had better do first,
	// since the loop is often left in them and a call takes as long as several. Min
	// counts them.
	First int64
	// Again says that calls had better begin with the First iterations once more, so that
	// slices keep their alignment: these change variables only.
	Again bool
	Block int64 // iterations of one vector block
	Strip int64 // most iterations of one call, a multiple of Block: the time limit
	// Partial says that a call may stop before the last full block, because a
	// block holds something only the scalar code does exactly. The caller runs
	// scalar iterations there and calls again.
	Partial bool
	// Pause is the number of scalar iterations that get a Partial kernel over what it
	// stopped at, most likely; 0 for those of a block.
	Pause int64
	// Timed says that a call may stop before any block, because it has taken long
	// enough. Only a call that does nothing leaves iterations to the scalar code.
	Timed bool
	// State is the number of 8-byte words in which a call leaves what it has of a
	// block that it could not finish in time; 0 for none. When the first word is not 0
	// after a call, another call goes on there: with the variables as Outs says, and at
	// least as many iterations to do as are left of those asked for.
	State int
	// Redo, not 0, says that iterations may be done again: where fewer than Redo of them are left behind the calls,
	// the last Redo iterations may be done by one more call, if RedoApart holds. There are at least Min.
	Redo      int64
	RedoApart []Overlap
	// Idles says that the first word may be Idle: the call has stopped before a block
	// because in this one, and others before it, too few lanes had something to do. The
	// caller clears the word, and runs scalar iterations for a while.
	Idles bool
	// Rest says that no iterations are left over, unless the kernel stops early.
	Rest bool
	// Complete says that a call does exactly as many iterations as it is asked
	// for: the kernel's narrow blocks leave none over.
	Complete bool
	// Resumes says that a call may be several runs of iterations, each of which takes what a call does without the tests in front of it.
	Resumes bool
	// Inner, when not nil, counts the iterations of the loop inside of every iteration, or of
	// the first iteration if it is the one with the most.
	// With fewer than InnerMin a call is not worth it, or, where each iteration has InnerGrows more
	// of them than the one before, with fewer than that in the mean.
	Inner      *Trip
	InnerGrows int64
	InnerMin   int64
	// InnerTotal is the fewest iterations of all inner loops together, less InnerEach for each of
	// the loops, that are worth a call.
	InnerTotal, InnerEach int64
	// Adjoining says that a call does the inner loops of many iterations as one, provided
	// that InnerEqual holds, with InnerJoined iterations or more; InnerMin and InnerTotal are for where
	// it does not.
	Adjoining   bool
	InnerEqual  []Equation
	InnerJoined int64
	// Short, not 0, is the number of iterations of the loop inside up to which lanes are iterations of this
	// loop. Where there are more, lanes are iterations of the loop inside: in the kernel, or, with Inner, in
	// kernels of that loop, and a call of this one is not worth it.
	Short int64
	// Few says that loops inside have kernels of their own for calls in which there are too few iterations
	// of this loop for its kernel.
	Few  bool
	Outs []Out // one per State of the region
	// Ring, when not nil, is a table that a loop whose bounds recur goes round in.
	Ring *Ring
}

// A Ring is a table whose elements are read at remainders by its size alone, so that a copy that holds it several times does as
// well, as long as nothing is stored to the table. Or they are read where a variable is that goes round, and is less than the
// size. Table, Size and Len are parameters of the region.
type Ring struct {
	Var   int       // the State that goes round, -1 for remainders
	Table int       // pointer to the elements
	Size  int       // what remainders are by, or, with Mask, one less
	Mask  bool      // the size is a power of two, and remainders are what the mask leaves
	Len   int       // number of elements that there are; may be Size
	Elem  int64     // bytes of an element
	Apart []Overlap // which must hold for a copy
}

// Recurs reports whether bounds of all iterations fail now and then. The caller finds out anew
// behind such iterations what a call needs.
func (k *Kernel) Recurs() bool {
	return slices.ContainsFunc(k.Bounds, func(b Bound) bool { return b.Recurs != Once && !b.Conditional })
}

// Ends reports whether the caller does the last iterations of every loop.
func (k *Kernel) Ends() bool {
	return slices.ContainsFunc(k.Bounds, func(b Bound) bool { return b.Ends })
}

// Before replaces what callers compute before a call of k: the iterations, also of the loop inside, bounds, and streams.
func (k *Kernel) Before(f func(*Expr) *Expr) {
	k.Trip.before(f)
	if k.Inner != nil {
		inner := *k.Inner
		inner.before(f)
		k.Inner = &inner
	}
	k.Bounds, k.InnerEqual = slices.Clone(k.Bounds), slices.Clone(k.InnerEqual)
	for i := range k.Bounds {
		b := &k.Bounds[i]
		b.Start, b.Lo, b.Hi = f(b.Start), f(b.Lo), f(b.Hi)
	}
	for i := range k.InnerEqual {
		e := &k.InnerEqual[i]
		e.X, e.Y = f(e.X), f(e.Y)
	}
	k.Overlaps, k.RedoApart = before(k.Overlaps, f), before(k.RedoApart, f)
}

func (t *Trip) before(f func(*Expr) *Expr) { t.Start, t.Limit = f(t.Start), f(t.Limit) }

func before(overlaps []Overlap, f func(*Expr) *Expr) []Overlap {
	overlaps = slices.Clone(overlaps)
	for i := range overlaps {
		for _, s := range []*Stream{&overlaps[i].A, &overlaps[i].B} {
			s.Off, s.Stride, s.Extent = f(s.Off), f(s.Stride), f(s.Extent)
		}
	}
	return overlaps
}

// Fixed reports whether every iteration touches the same Size bytes.
func (s *Stream) Fixed() bool { return s.Step == 0 && s.Stride == nil && s.Extent == nil }

// Same reports whether two streams are one.
func (s *Stream) Same(t *Stream) bool {
	return s.Param == t.Param && s.Step == t.Step && s.Size == t.Size && s.Off.Same(t.Off) && s.SameWalk(t)
}

// Strided reports whether a step of o is known before the loop only.
func (o *Overlap) Strided() bool { return o.A.Stride != nil || o.B.Stride != nil }

// SameWalk reports whether two streams are alike but for where they begin and what each iteration touches.
func (s *Stream) SameWalk(t *Stream) bool {
	return s.Param == t.Param && s.Step == t.Step && s.Stride.Same(t.Stride) && s.Extent.Same(t.Extent)
}

// An Equation says that two integers are equal before a call.
type Equation struct{ X, Y *Expr }

// Idle is the first word of the state behind a call of which most lanes waited.
const Idle = -1

// ArgKind says where an argument of a kernel comes from.
type ArgKind uint8

const (
	ArgParam ArgKind = iota // live-in Index of the region, at its current value
	ArgCount                // number of iterations to do, at least Min
	// ArgBound is the number of iterations for which Bounds[Index] holds, from the
	// current state; it may be more than the number to do, and negative for none.
	ArgBound
	// ArgState is the address of State words of memory that the caller keeps between
	// calls, zero before the first.
	ArgState
	// ArgConst is a constant that kernels of other regions, which share the function, have
	// another one for: the value of the parameter's type with the bits Bits.
	ArgConst
)

// Arg is one argument of a kernel.
type Arg struct {
	Kind  ArgKind
	Index int
	Bits  uint64
}

// OutKind says how a state variable gets its value after a call.
type OutKind uint8

const (
	OutSame   OutKind = iota // not changed, or dead after the loop and set anew in each iteration
	OutResult                // result Index of the kernel
	OutExpr                  // Expr, in which Done is the number of iterations done
)

// Out is the update of one state variable after a call. Expr is evaluated with
// the state before the call; its value is converted to the variable's type.
type Out struct {
	Kind  OutKind
	Index int
	Expr  *Expr
}

// Cond is the comparison that keeps the loop running: induction Cond limit.
type Cond uint8

const (
	Less Cond = iota
	LessEq
	Greater
	GreaterEq
	NotEq
)

// Trip describes the number of iterations left in the current state: those for
// which Start + t*Step compares as Cond says with Limit. Callers may compute
// fewer but never more: wrap-around of the induction is the scalar loop's.
type Trip struct {
	Cond         Cond
	Unsigned     bool // compare Start and Limit as uint64
	Start, Limit *Expr
	Step         int64 // not 0; its sign fits Cond except for NotEq
	Endless      bool  // the loop has no condition: the iteration behind them panics
}

// Bound describes the iterations t for which Lo <= Start + t*Step < Hi, in
// exact arithmetic. An unconditional bound limits the iterations of a call; a
// conditional one belongs to a subscript that not every iteration evaluates and
// is passed to the kernel as an ArgBound.
//
// A bound that recurs may hold again from a later iteration on.
//
// One that ends the calls fails before the last iterations, which the caller does.
type Bound struct {
	Start       *Expr
	Step        int64
	Lo, Hi      *Expr
	Conditional bool
	Recurs      Recurrence
	Ends        bool
}

// A Recurrence tells how often a bound comes to hold.
type Recurrence uint8

// The kinds of recurrence, the larger one where two bounds are one.
const (
	Once  Recurrence = iota // from the start, if at all
	Edges                   // once, maybe behind the first iterations
	Jumps                   // now and then, as long as before: Start may be lower then
)

// A Stream is the memory an access walks over: iteration t touches Size bytes at
// parameter Param + Off + t*Step.
type Stream struct {
	Param int   // pointer live-in of the region
	Off   *Expr // bytes
	Step  int64 // bytes per iteration
	Size  int64
	// Stride, when not nil, is used instead of Step, which is 0 then: bytes per iteration
	// that are known before the loop only. Streams with Stride occur in Overlaps with
	// Disjoint only.
	Stride *Expr
	// Extent, when not nil, is used instead of Size: a number of bytes that is
	// known before the loop only, not negative. Step is 0 then. Streams with
	// Extent occur in Overlaps with Disjoint only.
	Extent *Expr
}

// An Overlap is a condition on two streams. With Disjoint, no byte of A may be
// a byte of B over all iterations of the call. Otherwise, with d = first
// address of B minus first address of A: d <= Lo or d >= Hi. With Disjoint and
// Follows, d >= 0 is enough: A stays behind B.
type Overlap struct {
	A, B     Stream
	Disjoint bool
	Follows  bool
	Lo, Hi   int64
	// Below and Above say where n iterations of all that the condition is about have no byte in common: d <= -Below - (n-1)*s or
	// d >= Above + (n-1)*s, where both streams have steps of s or -s. Not known if both are 0.
	Below, Above int64
}

// Beyond is an end of the window as n, times that many bytes, plus so many others: the lower end, as what lies below 0, or the upper one. Where
// n is at least most, the window is no wider than it has to be without that. False if the number of iterations does not matter.
func (o *Overlap) Beyond(upper bool) (bytes, rest, most int64, ok bool) {
	step, end, reach := max(o.A.Step, -o.A.Step), -o.Lo, o.Below
	if upper {
		end, reach = o.Hi, o.Above
	}
	if o.Below == 0 && o.Above == 0 || o.A.Step != o.B.Step || step == 0 || o.Lo == math.MinInt64 || o.Hi == math.MaxInt64 || end <= reach {
		return 0, 0, 0, false
	}
	return step, reach - step, (end-reach+step-1)/step + 1, true
}
