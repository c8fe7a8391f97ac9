package scev

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Info answers questions about one region.
type Info struct {
	region *plan.Region
	loop   *loops.Loop // nil when the function has none
	entry  *vir.Block
	header *vir.Block
	lens   map[int]bool // parameters that are lengths, never negative

	count *trip // nil while it is being found out
	kinds map[*vir.Value]PhiKind

	inv    map[*vir.Value]*plan.Expr // nil entry: no invariant, or being computed
	affine map[*vir.Value]*Affine
	evol   map[*vir.Value]*Affine
	nested map[*vir.Value]*Nested
	incs   map[[2]*vir.Value]increment // of a value and a phi

	forest *loops.Forest // nil until somebody asks for loops inside
	least  []*vir.Value  // see blockwise.go
}

// New analyzes r, whose function must be in normal form.
func New(r *plan.Region) *Info {
	// The trip count comes first, without the help of itself; then values are
	// looked at anew, because the count implies that some do not wrap.
	first := newInfo(r)
	count := first.findTrip()
	s := newInfo(r)
	s.count = count
	s.kinds = s.classifyPhis()
	return s
}

func newInfo(r *plan.Region) *Info {
	s := &Info{
		region: r,
		lens:   make(map[int]bool),
		inv:    make(map[*vir.Value]*plan.Expr),
		affine: make(map[*vir.Value]*Affine),
		evol:   make(map[*vir.Value]*Affine),
		nested: make(map[*vir.Value]*Nested),
		incs:   make(map[[2]*vir.Value]increment),
	}
	for _, p := range r.Fn.Params {
		if l := p.Param.Len; l != nil {
			s.lens[s.paramIndex(l)] = true
		}
	}
	if len(r.Fn.Blocks) == 0 || len(r.Fn.Entry().Succs) != 1 {
		return s
	}
	s.entry = r.Fn.Entry()
	s.header = s.entry.Succs[0]
	s.loop = loops.Find(r.Fn).Of(s.header)
	if s.loop != nil && (s.loop.Header != s.header || len(s.loop.Latches) != 1) {
		s.loop = nil
	}
	return s
}

func (s *Info) paramIndex(v *vir.Value) int {
	for i, p := range s.region.Fn.Params {
		if p == v {
			return i
		}
	}
	return -1
}

// isHeaderPhi reports whether v carries a value around the loop.
func (s *Info) isHeaderPhi(v *vir.Value) bool {
	return v.Op == vir.OpPhi && s.loop != nil && v.Block == s.header
}

func (s *Info) initial(phi *vir.Value) *vir.Value {
	return phi.Args[s.header.PredIndex(s.entry)]
}

func (s *Info) next(phi *vir.Value) *vir.Value {
	return phi.Args[s.header.PredIndex(s.loop.Latches[0])]
}

func (s *Info) inLoop(v *vir.Value) bool { return s.loop != nil && s.loop.Contains(v.Block) }

// Trip is the number of iterations, and bounds on which it rests in addition
// (mostly none): the count is exact or too small while they hold. The error is
// a *Refusal.
func (s *Info) Trip() (plan.Trip, []plan.Bound, error) {
	if s.count.refusal != nil {
		return plan.Trip{}, nil, s.count.refusal
	}
	return s.count.Trip, s.count.wrap, nil
}

// Main is the phi of the main induction, nil when Trip refuses.
func (s *Info) Main() *vir.Value { return s.count.main }

// Phi is the role of a header phi.
func (s *Info) Phi(phi *vir.Value) PhiKind { return s.kinds[phi] }
