package jump

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Places in rows, of elements that are counted through all rows:
//
//	row, column := i/w, i%w        row, column = first/w, i - first/w*w
//
// Up to the end of the row it is the same row, and the column counts as i does.

// quotients makes constants of quotients by what stays the same, and counters of remainders. Remainders that are subscripts alone
// are such to all who ask.
func (s *splitter) quotients() {
	uses := s.f.Uses()
	if !slices.ContainsFunc(s.divisions(), func(v *vir.Value) bool { return s.stays(v) != nil && !subscript(v, uses[v]) }) {
		return
	}
	for _, v := range s.divisions() {
		if r := s.stays(v); r != nil {
			s.replace(v, r)
		}
	}
}

// divisions are those in the loop.
func (s *splitter) divisions() (all []*vir.Value) {
	for _, b := range s.f.Blocks[1:] {
		for _, v := range b.Insts {
			if edit.Divides(v.Op) && v.Type == vir.Scalar(vir.I64) {
				all = append(all, v)
			}
		}
	}
	return all
}

// subscript reports whether v is a remainder of which the users make nothing but addresses.
func subscript(v *vir.Value, users []*vir.Value) bool {
	return (v.Op == vir.OpSrem || v.Op == vir.OpUrem) && !slices.ContainsFunc(users, func(u *vir.Value) bool {
		return !(u.Op == vir.OpCheckIndex && u.Args[0] == v) && !((u.Op.IsLoad() || u.Op.IsStore()) && u.Index() == v)
	})
}

// A row is how long the quotient by a number stays.
type row struct {
	number *plan.Expr // the quotient
	begin  *plan.Expr // what is less than the counter by the remainder
	bounds []plan.Bound
}

// stays is the row of v, nil where there is none, or one of few elements.
func (s *splitter) stays(v *vir.Value) *row {
	a, ok := s.sc.Affine(v.Args[0])
	size, ok2 := s.sc.Invariant(v.Args[1])
	if _, shifted := s.sc.Shifted(v); shifted || !ok || !ok2 || a.Width != 64 || a.StepExpr != nil || a.Step < -mostStep || mostStep < a.Step {
		return nil
	}
	number := scev.Simplify(plan.Quo(a.Start, size))
	r := &row{number: number, begin: scev.Simplify(plan.Mul(number, size)), bounds: slices.Clone(a.Wrap)}
	if !s.natural[v.Args[0]] {
		r.bounds = slices.Clone(s.sc.NotNegative(a))
	}
	switch known := size.Op == plan.ExprConst; {
	case known && size.Const/max(a.Step, -a.Step, 1) < fewest:
		return nil
	case a.Step != 0:
		r.bounds = append(r.bounds, plan.Bound{Start: scev.Simplify(plan.Sub(a.Start, r.begin)), Step: a.Step, Lo: plan.Const(0), Hi: size, Recurs: plan.Jumps})
	case !known:
		r.bounds = append(r.bounds, plan.Bound{Start: plan.Const(0), Lo: plan.Const(0), Hi: size})
	}
	return r
}

// replace makes of v what it is in row r.
func (s *splitter) replace(v *vir.Value, r *row) {
	division := *v
	s.Divisions = append(s.Divisions, &division)
	s.Bounds = append(s.Bounds, r.bounds...)
	b := vir.NewBuilder(s.f, nil)
	b.Pos = v.Pos
	edit.Ahead(b, s.f.Entry(), func() {
		if v.Op == vir.OpSrem || v.Op == vir.OpUrem {
			v.Op, v.Args[1] = vir.OpSub, r.begin.EmitOver(b, s.f.Params)
			s.natural[v] = true
			return
		}
		number := r.number.EmitOver(b, s.f.Params)
		s.f.ReplaceUses(v, number)
		v.Remove()
		s.natural[number] = true
	})
}
