// Package scev is scalar evolution: how the integers of one region change from
// iteration to iteration, and how many iterations the loop has.
//
// It works on the scalar normal form of plan.Region, before or after
// if-conversion. It knows nothing of memory, lanes or machines.
//
// # Narrow integers
//
// Expressions are 64 bits wide and wrap. A fact about a value v of w bits says
// that the low w bits of the expression are the bits of v. Sums, differences and
// products keep that without conditions; a zero or sign extension needs the
// narrow value not to wrap on its way, which is stated as a bound
// (Affine.Wrap) unless the trip count already implies it.
package scev

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Refusal says why something could not be found, at a source position. It is
// the text of a remark.
type Refusal struct {
	Pos vir.Pos
	ID  string // remark ID, "loopvec:TripCount"
	Msg string
}

func (r *Refusal) Error() string { return r.Msg }

func refuse(pos vir.Pos, id, format string, args ...any) *Refusal {
	return &Refusal{pos, id, fmt.Sprintf(format, args...)}
}

// Affine describes an integer v of Width bits that changes by a constant: in
// iteration t (0 is the first from the current state) the low Width bits of
// Start + t*Step are those of v, for all t up to which the Wrap bounds hold.
// For Width 64 that is equality. Step 0 (without StepExpr) means that v is invariant.
type Affine struct {
	Start *plan.Expr
	Step  int64 // sign-extended from Width bits
	Width int
	Wrap  []plan.Bound

	// StepExpr is the step when it is known before the loop but no constant, as
	// in i*n; Step is 0 then. Only Evolution gives it.
	StepExpr *plan.Expr
}

// PhiKind is the role of a header phi.
type PhiKind uint8

const (
	// Recurrence: an iteration reads what an earlier one computed, in a way
	// that is none of the other kinds.
	Recurrence PhiKind = iota
	// Main is the induction whose comparison ends the loop.
	Main
	// Induction is any other integer that changes by a constant.
	Induction
	// Reduction is a candidate only: the old value reaches nothing but the new
	// one (through arithmetic, comparisons, choices and branches). Whether the
	// operations make a reduction is for the vectorizer to decide.
	Reduction
	// Anew is set in every iteration without its old value being read.
	Anew
	// Unchanged keeps its first value.
	Unchanged
)

var phiKindNames = [...]string{"recurrence", "main", "induction", "reduction", "anew", "unchanged"}

func (k PhiKind) String() string { return phiKindNames[k] }
