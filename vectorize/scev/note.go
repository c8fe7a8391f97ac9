package scev

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Note is the annotation of v for vir.PrintOptions: the kind of a header phi,
// the evolution of an integer with the bounds it rests on, the trip count at the
// branch of the header. Live-ins are $0, $1, ...
func (s *Info) Note(v *vir.Value) string {
	var notes []string
	if s.isHeaderPhi(v) {
		notes = append(notes, s.Phi(v).String())
	}
	if a, ok := s.Evolution(v); ok && v.Op != vir.OpConst {
		notes = append(notes, a.text())
		for _, b := range a.Wrap {
			notes = append(notes, "if "+boundText(b))
		}
	}
	if p, ok := s.Periodic(v); ok && len(notes) == 0 {
		notes = append(notes, fmt.Sprintf("below %d, repeats after %d", p.Modulus, p.Period))
		for _, b := range p.Wrap {
			notes = append(notes, "if "+boundText(b))
		}
	}
	if s.loop != nil && v.Op == vir.OpBr && v.Block == s.header {
		notes = append(notes, s.tripText())
	}
	return strings.Join(notes, ", ")
}

func (a Affine) text() string {
	if a.StepExpr != nil {
		return fmt.Sprintf("%s + t*%s", a.Start, a.StepExpr)
	}
	return evolution(a.Start, a.Step)
}

func evolution(start *plan.Expr, step int64) string {
	switch {
	case step == 0:
		return start.String()
	case step < 0:
		return fmt.Sprintf("%s - t*%d", start, -step)
	}
	return fmt.Sprintf("%s + t*%d", start, step)
}

func boundText(b plan.Bound) string {
	return fmt.Sprintf("%s <= %s < %s", b.Lo, evolution(b.Start, b.Step), b.Hi)
}

var condTexts = [...]string{
	plan.Less: "<", plan.LessEq: "<=", plan.Greater: ">", plan.GreaterEq: ">=", plan.NotEq: "!=",
}

func (s *Info) tripText() string {
	t, wrap, err := s.Trip()
	if err != nil {
		return "no trip count: " + err.Error()
	}
	text := fmt.Sprintf("while %s %s %s", evolution(t.Start, t.Step), condTexts[t.Cond], t.Limit)
	if t.Unsigned {
		text += " unsigned"
	}
	for _, b := range wrap {
		text += ", if " + boundText(b)
	}
	return text
}
