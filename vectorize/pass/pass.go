// Package pass is how the vectorizer runs its transformations: what a pass is,
// what it works on, how it declines, and the runner that prints and verifies
// around each of them. It must not know any transformation.
package pass

import (
	"fmt"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Pass is one step of the pipeline.
type Pass struct {
	Name     string
	Doc      string // one line
	Required bool   // without it the stages behind it do not work; Options cannot switch it off
	Run      func(*Unit) error
}

// A Unit is a region on its way through the passes. The passes may change
// Region.Fn, which is a copy of what the frontend made.
type Unit struct {
	Region *plan.Region
	Target *target.Target
	Kernel *plan.Kernel // once there is one, the passes work on it
	// Bounds limit the iterations of the kernel beyond what its subscripts do: passes
	// rely on them.
	Bounds []plan.Bound
	Peel   int64 // iterations that scalar code must have done before the kernel is right
	Whole  bool  // a kernel that stops early is of no use
	// Generous is for groups that do not pay as well, to test them.
	Generous bool
	// Brief is for calls that end as soon as they may, to test how the next ones go on.
	Brief bool
	// Copies, a power of two, divides the numbers of iterations that a kernel is asked for
	// and does; 0 for any.
	Copies int
	// Turns are states that stand for Copies variables each, those behind them being the
	// others: iteration t goes on with variable t modulo Copies.
	Turns []int
	// Kept are accesses whose values are used behind stores that must not touch their bytes in the
	// same iteration, which is to be tested.
	Kept map[*vir.Value][]*vir.Value
	// Apart is what passes take for granted of memory that an iteration of the kernel
	// accesses, and that is still to be tested.
	Apart []alias.Apart
	// Tested is where distances in memory do not lie in an iteration of the kernel, since
	// that is tested before.
	Tested []alias.Distance
	// Transpose asks for inner loops in two parts, one that does several turns at a time and what it leaves,
	// and Transposable tells that there are some which that may be good for: see package transpose. Strips are
	// the headers of the first parts, Rests those of the others, with the number of turns.
	Transpose, Transposable bool
	Strips, Rests           map[*vir.Block]int
	// Speculate asks for numbers in recurrences of minima and maxima to be small, which is checked, and
	// Speculative tells that there are some which that may be good for. Small are the variables of which
	// that is known, with the cycles that code as written takes from one value to the next.
	Speculate, Speculative bool
	Small                  map[*vir.Value]float64
	// Enumerate asks for variables that take few values to be numbers of states, and Enumerable tells that there
	// are some which that may be good for. States are those numbers, with how many there are.
	Enumerate, Enumerable bool
	States                map[*vir.Value]int
	// Written is what a loop takes as it is written, where passes have rewritten it to something longer; else nil.
	Written *Written
	// Divisions are those that the loop as it is written does in each iteration beside what Region does.
	Divisions []*vir.Value
	// Narrowed are the variables that are computed in fewer bits, or in another form, by number, with what callers
	// want of value x where the variable began with first.
	Narrowed map[int]func(b *vir.Builder, x, first *vir.Value) *vir.Value
	// Restore makes a kernel of the region as it was of one of Region, which has elements of
	// memory as variables; nil when it has none.
	Restore func(*plan.Kernel) *plan.Kernel
	Slots   int // the number of these elements
	// Summary is what the remark about a kernel says: vf, uf, memory, min.
	Summary map[string]any

	remarks []diag.Remark
	limit   Limit
	counts  map[string]int
	current string
}

// Written is cycles per iteration of a loop as it is written, in long and in short runs.
type Written struct{ Long, Short float64 }

// NewUnit returns a unit that works on a copy of r.
func NewUnit(r *plan.Region, t *target.Target, limit Limit) *Unit {
	c := *r
	c.Fn = r.Fn.Clone()
	return &Unit{Region: &c, Target: t, limit: limit, counts: make(map[string]int), Strips: make(map[*vir.Block]int), Rests: make(map[*vir.Block]int), Small: make(map[*vir.Value]float64), States: make(map[*vir.Value]int), Narrowed: make(map[int]func(b *vir.Builder, x, first *vir.Value) *vir.Value)}
}

// Func is the function that the next pass works on: the kernel once there is one.
func (u *Unit) Func() *vir.Func {
	if u.Kernel != nil {
		return u.Kernel.Fn
	}
	return u.Region.Fn
}

// A Limit stops a pass after N transformations, to find the guilty one by
// halving. The zero Limit stops nothing.
type Limit struct {
	Pass string
	N    int
}

// Count is asked before each transformation of the running pass; false means
// leave it.
func (u *Unit) Count() bool {
	u.counts[u.current]++
	return u.limit.Pass != u.current || u.counts[u.current] <= u.limit.N
}

// Counts is the number of transformations so far by pass.
func (u *Unit) Counts() map[string]int { return u.counts }

// Note adds an analysis remark. Its position is the region's when pos is unknown.
func (u *Unit) Note(id string, pos vir.Pos, args map[string]any, format string, a ...any) {
	u.remarks = append(u.remarks, u.Remark(diag.Analysis, id, pos, args, fmt.Sprintf(format, a...)))
}

// Remark makes a remark about the region.
func (u *Unit) Remark(kind diag.Kind, id string, pos vir.Pos, args map[string]any, msg string) diag.Remark {
	if !pos.IsValid() {
		pos = u.Region.Pos
	}
	return diag.Remark{Kind: kind, ID: id, Pos: pos, Func: u.Region.Func, Twin: u.Region.Twin, Msg: msg, Args: args}
}

// Remarks are the analysis remarks so far.
func (u *Unit) Remarks() []diag.Remark { return u.remarks }

// A Refusal is the decision to leave a region scalar. It is a result, not a
// mistake; passes return it as their error.
type Refusal struct {
	ID   string  // area:Name
	Pos  vir.Pos // the instruction that decided; may be unknown
	Msg  string  // in terms of Go
	Args map[string]any
}

func (r *Refusal) Error() string { return r.Msg + " [" + r.ID + "]" }

// Refuse makes a refusal because of v, which may be nil.
func Refuse(id string, v *vir.Value, format string, a ...any) *Refusal {
	r := &Refusal{ID: id, Msg: fmt.Sprintf(format, a...)}
	if v != nil {
		r.Pos = v.Pos
	}
	return r
}
