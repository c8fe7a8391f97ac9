package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Split is two accesses of one memory that meet in a few iterations only: one moves
// past the other, as a[i] past a[k], or past a[n-1-i] which comes towards it. Before
// they meet, and again when they have passed, no iteration of one touches what any
// iteration of the other does, so that runs of iterations that end before they meet may
// be done in any order (index-set splitting).
//
// Up and Down are their memory in the current state. Speed, bytes per iteration, by
// which Up moves up relative to Down, is positive. One that Resumes has one side that stays where it is and is only loaded, in front of
// all stores of the other one: the iteration in which they meet may be a run, too, if what stays is loaded in front of each run.
type Split struct {
	Up, Down End
	Speed    int64
	Resumes  bool
}

// An End is where one side of a Split is in the current state: at Stream.Param +
// Stream.Off, plus Index*Scale if there is an Index, which does not change.
type End struct {
	Stream plan.Stream
	Index  *vir.Value
	Scale  int64
}

// split makes a Split of two families, at least one of them storing, if one is enough:
// with steps s and r of different signs, or one of them 0, all that a moves over in a
// run of iterations lies below b if it does at the end of the run.
func (r *Result) split(g, h *family) bool {
	if r.whole && !r.resumes || g.first.Param != h.first.Param || !r.passes(g) || !r.passes(h) {
		return false
	}
	s, t := g.first.Step, h.first.Step
	switch {
	case s == t, s > 0 && t > 0, s < 0 && t < 0, s > far || s < -far || t > far || t < -far:
		return false
	case s < t:
		g, h, s, t = h, g, t, s
	}
	resumes := t == 0 && loadedBefore(h, g) || s == 0 && loadedBefore(g, h)
	if r.whole && !resumes {
		return false
	}
	r.Splits = append(r.Splits, Split{Up: g.end(), Down: h.end(), Speed: s - t, Resumes: resumes})
	return true
}

// loadedBefore reports whether f is only loaded, in each iteration, in front of all stores of g.
func loadedBefore(f, g *family) bool {
	for _, a := range f.members {
		if a.stores || a.Conditional || slices.ContainsFunc(g.members, func(b member) bool { return b.stores && b.Program < a.Program }) {
			return false
		}
	}
	return true
}

// passes reports whether f moves in a straight line, or stays where it is.
func (r *Result) passes(f *family) bool {
	switch f.lead.Kind {
	case Linear:
		return true
	case Indexed:
		return r.sc.IsInvariant(f.lead.Index) && harmless(f.lead.Index)
	}
	return false
}

// harmless reports whether v can be computed before anything is checked.
func harmless(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if !edit.Divides(v.Op) {
			return edit.Computed
		}
		c, ok := v.Args[1].IsConst()
		return edit.KnownIf(ok && c != 0)
	})
}

func (f *family) end() End {
	return End{Stream: f.span(true), Index: f.lead.Index, Scale: f.lead.Scale}
}

// parted reports whether a and b are of two families that a Split keeps apart.
func (r *Result) parted(a, b *Access) bool {
	for _, s := range r.Splits {
		if s.Up.holds(a) && s.Down.holds(b) || s.Up.holds(b) && s.Down.holds(a) {
			return true
		}
	}
	return false
}

// holds reports whether a is one of the accesses of e.
func (e End) holds(a *Access) bool {
	if a.Stream.Param != e.Stream.Param || a.Stream.Step != e.Stream.Step || a.Index != e.Index || a.Step != nil {
		return false
	}
	d, ok := scev.Diff(a.Stream.Off, e.Stream.Off)
	return ok && d >= 0 && d+a.Stream.Size <= e.Stream.Size
}
