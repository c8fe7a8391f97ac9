package survey

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/internal/generate"
)

// A Summary is what a survey found out.
type Summary struct {
	Packages, Functions, Loops int
	Loop, Straight             Verdicts
	Slowest                    []Timed // the longest first
	Time                       time.Duration
	AssemblyBytes, GoBytes     int // of generated files
	Errors                     []diag.Error
	Complaints                 []string // what must not be

	loop, straight tally
}

// Verdicts are counts of regions by remark.
type Verdicts struct {
	Vectorized, Ceded, Refused int
	// Kinds are the ways of the vectorized ones, Reasons those of the refused ones; the most
	// frequent first.
	Kinds, Reasons []Count
}

// A Count says how often something occurs.
type Count struct {
	What string
	N    int
}

// A Timed function took that long.
type Timed struct {
	What string
	Took time.Duration
}

type tally struct{ kinds, reasons map[string]int }

func (t *tally) add(m *map[string]int, what string) {
	if *m == nil {
		*m = make(map[string]int)
	}
	(*m)[what]++
}

// keep is the number of slow functions that are told.
const keep = 20

func (s *Summary) slow(what string, took time.Duration) {
	s.Slowest = append(s.Slowest, Timed{what, took})
	if len(s.Slowest) > 50*keep {
		s.slowest()
	}
}

func (s *Summary) slowest() {
	slices.SortStableFunc(s.Slowest, func(a, b Timed) int { return -cmp.Compare(a.Took, b.Took) })
	s.Slowest = s.Slowest[:min(keep, len(s.Slowest))]
}

// count adds the verdicts of a package.
func (s *surveyor) count(o *generate.Outcome) {
	for _, f := range o.Pkg.Funcs {
		for _, t := range f.Twins {
			if t.Root != nil {
				continue
			}
			s.sum.Functions++
			s.refusals(t)
		}
	}
	for _, r := range o.Pkg.Refused {
		if r.Loop != nil {
			s.sum.Loop.refused(&s.sum.loop, r.Remark)
		}
	}
	called := made(o.Pkg)
	for _, r := range o.Regions {
		switch {
		case called[r.Region]:
		case r.Once:
			s.sum.Straight.region(&s.sum.straight, r)
		default:
			s.sum.Loop.region(&s.sum.loop, r)
		}
	}
	for _, f := range o.Files {
		if strings.HasSuffix(f.Path, ".s") {
			s.sum.AssemblyBytes += len(f.Content)
		} else {
			s.sum.GoBytes += len(f.Content)
		}
	}
}

// refusals adds what could not be lowered. Remarks about loops come first.
func (s *surveyor) refusals(t *frontend.Twin) {
	for i, r := range t.Remarks {
		switch {
		case i < len(t.Scalar) && r.Kind == diag.Missed:
			s.sum.Loop.refused(&s.sum.loop, r)
		case i < len(t.Scalar):
			s.sum.Loop.Ceded++
		case r.Kind == diag.Missed && r.ID != "lower:NoLoop":
			s.sum.Straight.refused(&s.sum.straight, r)
		}
	}
}

func (v *Verdicts) refused(t *tally, r diag.Remark) {
	v.Refused++
	t.add(&t.reasons, r.ID)
}

func (v *Verdicts) region(t *tally, r generate.Region) {
	for _, m := range r.Remarks {
		switch m.Kind {
		case diag.Passed:
			v.Vectorized++
			t.add(&t.kinds, kind(m))
			return
		case diag.Missed:
			v.refused(t, m)
			return
		}
	}
	v.Ceded++
}

// kind says in what way a region is vectorized.
func kind(r diag.Remark) string {
	what := r.ID
	for _, arg := range []string{"rows", "partial", "given"} {
		if r.Args[arg] != nil {
			what += " " + arg
		}
	}
	return what
}

func (s *Summary) finish() {
	s.slowest()
	s.Loop.Kinds, s.Loop.Reasons = sorted(s.loop.kinds), sorted(s.loop.reasons)
	s.Straight.Kinds, s.Straight.Reasons = sorted(s.straight.kinds), sorted(s.straight.reasons)
}

func sorted(m map[string]int) (cs []Count) {
	for what, n := range m {
		cs = append(cs, Count{what, n})
	}
	slices.SortFunc(cs, func(a, b Count) int { return cmp.Or(-cmp.Compare(a.N, b.N), strings.Compare(a.What, b.What)) })
	return cs
}

// Print writes the summary for people.
func (s *Summary) Print(w io.Writer) {
	fmt.Fprintf(w, "%d packages, %d functions, %d loops\n", s.Packages, s.Functions, s.Loops)
	s.Loop.print(w, "loops")
	s.Straight.print(w, "pieces of straight-line code")
	fmt.Fprintf(w, "generated: %d KB of Go, %d KB of assembly\n", s.GoBytes>>10, s.AssemblyBytes>>10)
	fmt.Fprintf(w, "slowest:\n")
	for _, t := range s.Slowest {
		fmt.Fprintf(w, "  %8.2f s  %s\n", t.Took.Seconds(), t.What)
	}
	for _, c := range s.Complaints {
		fmt.Fprintf(w, "complaint: %s\n", c)
	}
	fmt.Fprintf(w, "%d complaints, %.0f s\n", len(s.Complaints), s.Time.Seconds())
}

func (v *Verdicts) print(w io.Writer, what string) {
	fmt.Fprintf(w, "%s: %d vectorized, %d refused, %d ceded to others\n", what, v.Vectorized, v.Refused, v.Ceded)
	for _, c := range v.Kinds {
		fmt.Fprintf(w, "  %8d  vectorized %s\n", c.N, c.What)
	}
	for _, c := range v.Reasons {
		fmt.Fprintf(w, "  %8d  refused %s\n", c.N, c.What)
	}
}
