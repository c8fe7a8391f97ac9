package scev

import (
	"errors"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Info answers questions about one region.
type Info struct {
	region *plan.Region
}

// New analyzes r, whose function must be in normal form.
func New(r *plan.Region) *Info { return &Info{region: r} }

// Invariant is the expression of an integer that is the same in all iterations
// and can be computed before the loop. Its low bits, as many as v has, are v's.
func (s *Info) Invariant(v *vir.Value) (*plan.Expr, bool) { return nil, false }

// IsInvariant reports whether v, of any type, is the same in all iterations and
// has neither memory access nor effect in its computation.
func (s *Info) IsInvariant(v *vir.Value) bool { return false }

// Affine describes v when it changes by a constant from iteration to iteration.
func (s *Info) Affine(v *vir.Value) (Affine, bool) { return Affine{}, false }

// Trip is the number of iterations, and bounds on which it rests in addition
// (mostly none): the count is exact or too small while they hold. The error is
// a *Refusal.
func (s *Info) Trip() (plan.Trip, []plan.Bound, error) {
	return plan.Trip{}, nil, errors.New("not yet")
}

// Phi is the role of a header phi.
func (s *Info) Phi(phi *vir.Value) PhiKind { return Recurrence }

// Main is the phi of the main induction, nil when Trip refuses.
func (s *Info) Main() *vir.Value { return nil }

// Diff is x - y when that is a constant (modulo 2^64).
func Diff(x, y *plan.Expr) (int64, bool) { return 0, false }
