package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// An Update is an element that several iterations in a row combine something with,
// as bits[i>>6] |= b or sum[i/16] += x: a load, an operation whose operands may come in
// any order, and a store, none of which has anything else to do. Iterations that
// use one element only combine more with it, so that a block may do so at once. Those that keep only some bits
// may only where each of them has bits of its own, which is for others to see.
type Update struct {
	Load, Store *vir.Value
	Op          vir.Op       // what is done to the element
	Together    vir.Op       // the operation by which several iterations do it at once: for differences a sum
	By          *vir.Value   // what is combined
	Keep        *vir.Value   // the bits of the element that are left before, as in w&^b | c; nil for all of them
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
		if k > 0 && once != v.Op || x == v.Args[1-k] || len(uses[x]) != 1 {
			continue
		}
		x, keep := r.cleared(v.Op, x)
		if l := r.Access(x); l != nil && len(uses[x]) == 1 && r.sameElement(l, s) {
			return Update{Load: x, Store: s.Inst, Op: v.Op, Together: once, By: v.Args[1-k], Keep: keep, At: at}, l, true
		}
	}
	return u, nil, false
}

// cleared takes operand x of op apart into what it was before bits were cleared that op sets, and the bits that are kept.
func (r *Result) cleared(op vir.Op, x *vir.Value) (old, keep *vir.Value) {
	if op != vir.OpOr || x.Op != vir.OpAnd {
		return x, nil
	}
	if r.Access(x.Args[0]) == nil {
		return x.Args[1], x.Args[0]
	}
	return x.Args[0], x.Args[1]
}

// sameElement reports whether load l is of the element that s stores, in all iterations in which s is done.
func (r *Result) sameElement(l, s *Access) bool {
	if !movesWith(l, s) || l.Inst.Type != s.Inst.Access() {
		return false
	}
	d, known := scev.Diff(l.Stream.Off, s.Stream.Off)
	return known && d == 0 && (!l.Inst.Masked || l.Inst.Mask() == s.Inst.Mask())
}

// updates reports whether a and b are one update.
func (a *Access) updates(b *Access) bool { return a.update != 0 && a.update == b.update }
