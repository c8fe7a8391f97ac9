package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// An Update is an element that several iterations in a row combine something with,
// as bits[i>>6] |= b or sum[i/16] += x: a load, an operation whose operands may come in
// any order, and a store, none of which has anything else to do. Iterations that
// use one element only combine more with it, so that a block may do so at once.
type Update struct {
	Load, Store *vir.Value
	Op          vir.Op       // what is done to the element
	Together    vir.Op       // the operation by which several iterations do it at once: for differences a sum
	By          *vir.Value   // what is combined
	At          scev.Shifted // the subscript
}

// minShared is the fewest iterations that share an element of an Update: for fewer there
// would be more stores than a block is worth.
const minShared = 8

// findUpdates finds the updates of a region without loops inside. Other accesses to their memory are in conflict with
// them as with any others.
func (r *Result) findUpdates() {
	if len(r.sc.Loops().All) != 1 {
		return
	}
	uses := r.region.Fn.Uses()
	for i := range r.Accesses {
		s := &r.Accesses[i]
		if u, l, ok := r.update(s, uses); ok {
			r.Updates = append(r.Updates, u)
			l.update, s.update = len(r.Updates), len(r.Updates)
		}
	}
}

// update is the update that store s ends, and its load.
func (r *Result) update(s *Access, uses map[*vir.Value][]*vir.Value) (u Update, load *Access, ok bool) {
	if !s.Store || s.Kind != Indexed || s.Scale != s.Stream.Size {
		return u, nil, false
	}
	at, ok := r.sc.Shifted(s.Index)
	v := s.Inst.Stored()
	once := fold.Together(v.Op, r.region.Clauses.Reassoc)
	if !ok || at.Divisor < minShared || len(uses[v]) != 1 || once == vir.OpInvalid {
		return u, nil, false
	}
	for k, x := range v.Args {
		l := r.Access(x)
		if l == nil || k > 0 && once != v.Op || !movesWith(l, s) || len(uses[x]) != 1 || x.Type != s.Inst.Access() || x == v.Args[1-k] {
			continue
		}
		if d, known := scev.Diff(l.Stream.Off, s.Stream.Off); known && d == 0 && (!x.Masked || x.Mask() == s.Inst.Mask()) {
			return Update{Load: x, Store: s.Inst, Op: v.Op, Together: once, By: v.Args[1-k], At: at}, l, true
		}
	}
	return u, nil, false
}

// updates reports whether a and b are one update.
func (a *Access) updates(b *Access) bool { return a.update != 0 && a.update == b.update }
