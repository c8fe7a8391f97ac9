package loopvec

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Extremes that begin with nothing:
//
//	u := -1
//	for i, v := range x {
//		if ok[i] && (u < 0 || v < x[u]) { u = i }
//	}
//
// Once u is an index it stays one: the first condition is false from then on, and what is left is the
// smallest item and where it is. A call that begins with nothing does the iterations that change nothing, and
// leaves the first one that does to scalar code.
//
//	check.rare u0 < 0 && ok[i]      u0 is what the call begins with
//	u' = ok[i] && v < x[u] ? i : u
//
// The same with a truth value that is set or cleared and stays so, any := false; if !any || v < best { best, any = v, true },
// and with the number of those so far, if n == 0 || v < best { best = v }; n++, under a condition or in every iteration.

// Settle is a pass that makes the conditions on such variables constants, and separates extremes that are in order.
//
// Requires the straight body of if-conversion. Afterwards checks stop where a call begins with what is not so.
func Settle(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) != 5 {
		return nil // a nest
	}
	separate(u)
	runnersUp(u)
	s := &settler{region: u.Region, header: f.Blocks[1], body: f.Blocks[2]}
	s.back = 1 - s.header.PredIndex(f.Entry())
	if !slices.ContainsFunc(s.header.Phis(), s.maySettle) {
		return nil
	}
	s.sc, s.ranges, s.uses = scev.New(u.Region), ranges.New(), f.Uses()
	for _, phi := range s.header.Phis() {
		if !s.settles(phi) {
			continue
		}
		known := s.known(phi)
		if active, ok := s.active(phi, known); ok && !s.storesBefore(active) && s.absorbed(phi, known, active) && u.Count() {
			s.settle(phi, known, active)
			s.uses = f.Uses()
		}
	}
	return nil
}

type settler struct {
	region       *plan.Region
	header, body *vir.Block
	back         int
	sc           *scev.Info
	ranges       *ranges.Info
	uses         map[*vir.Value][]*vir.Value
}

// maySettle reports whether phi is an integer that is set under a condition, or a truth value that is set or cleared.
func (s *settler) maySettle(phi *vir.Value) bool {
	next := phi.Args[s.back]
	if phi.Type.Elem == vir.Bool {
		return (next.Op == vir.OpOr || next.Op == vir.OpAnd) && slices.Contains(next.Args, phi)
	}
	return phi.Type.Elem.IsInt() && (next.Op == vir.OpSelect && slices.Contains(next.Args[1:], phi) || s.countsAll(phi))
}

// countsAll reports whether phi is a number of iterations that began before the loop. One that begins with it is known where
// iterations are: the first of them is done apart.
func (s *settler) countsAll(phi *vir.Value) bool {
	state := s.region.State[slices.Index(s.header.Phis(), phi)]
	return phi.Args[s.back].Op == vir.OpAdd && state.Init == nil && s.counts(phi)
}

// settles reports whether phi stays what it is once it is not negative, or set, or counts something.
func (s *settler) settles(phi *vir.Value) bool {
	switch {
	case !s.maySettle(phi):
		return false
	case phi.Type.Elem == vir.Bool || s.counts(phi):
		return true
	}
	a, ok := s.sc.Affine(s.valueOf(phi))
	return ok && s.sc.Natural(a) || s.ranges.Of(s.valueOf(phi)).SLo >= 0
}

// valueOf is what integer phi is set to.
func (s *settler) valueOf(phi *vir.Value) *vir.Value {
	next := phi.Args[s.back]
	switch {
	case next.Op == vir.OpAdd:
		return next
	case next.Args[1] == phi:
		return next.Args[2]
	}
	return next.Args[1]
}

// counts reports whether phi is a number of iterations, which does not wrap as far as 0.
func (s *settler) counts(phi *vir.Value) bool {
	v := s.valueOf(phi)
	return v.Op == vir.OpAdd && v.Args[0] == phi && isInt(v.Args[1], 1) && phi.Type == vir.Scalar(vir.I64)
}

// known are the conditions on phi, and what they are once it is settled.
func (s *settler) known(phi *vir.Value) map[*vir.Value]bool {
	known := make(map[*vir.Value]bool)
	if phi.Type.Elem == vir.Bool {
		set := phi.Args[s.back].Op == vir.OpOr
		known[phi] = set
		for _, v := range s.uses[phi] {
			if v.Op == vir.OpNot {
				known[v] = !set
			}
		}
		return known
	}
	for _, v := range s.body.Insts {
		if s.counts(phi) {
			if (v.Op == vir.OpIcmpEq || v.Op == vir.OpIcmpNe) && v.Args[0] == phi && isZero(v.Args[1]) {
				known[v] = v.Op == vir.OpIcmpNe
			}
		} else if holds, ok := settled(v, phi); ok {
			known[v] = holds
		}
	}
	return known
}

// settled is what v, a comparison of phi with a constant, is where phi is settled.
func settled(v, phi *vir.Value) (holds, ok bool) {
	switch v.Op {
	case vir.OpIcmpEq, vir.OpIcmpNe:
		c, isConst := v.Args[1].ConstInt()
		return v.Op == vir.OpIcmpNe, v.Args[0] == phi && isConst && c < 0
	case vir.OpIcmpSlt, vir.OpIcmpSle:
		most := int64(0) // phi < 0, phi <= -1, -1 < phi, 0 <= phi
		if v.Args[0] == phi == (v.Op == vir.OpIcmpSle) {
			most = -1
		}
		k := slices.Index(v.Args, phi)
		if k < 0 {
			return false, false
		}
		c, isConst := v.Args[1-k].ConstInt()
		return k == 1, isConst && c <= most
	}
	return false, false
}

// active finds the conditions under which phi is set before it is settled, and the comparison that decides from then on,
// of phi itself or of another variable that is set with it.
func (s *settler) active(phi *vir.Value, known map[*vir.Value]bool) (active []literal, ok bool) {
	if active, ok := s.begins(phi, phi, known); ok {
		return active, true
	}
	when := s.setWhen(phi)
	for _, best := range s.header.Phis() {
		if active, ok := s.begins(best, phi, known); ok && asksFor(when, active) && asksFor(active, when) {
			return active, true
		}
	}
	return nil, false
}

// begins is when v is set before phi is settled, if a comparison decides from then on.
func (s *settler) begins(v, phi *vir.Value, known map[*vir.Value]bool) (active []literal, ok bool) {
	next := v.Args[s.back]
	if next.Op != vir.OpSelect && !s.maySettle(v) {
		return nil, false
	}
	when := s.setWhen(v)
	k := slices.IndexFunc(when, func(c literal) bool { return s.isBeginning(c, phi, known) })
	if k >= 0 {
		return slices.Delete(slices.Clone(when), k, k+1), true
	}
	return when, next.Op == vir.OpSelect && s.beginsWith(next, v, known)
}

// beginsWith reports whether v becomes, in next, an item where nothing is known yet, and the best one otherwise.
func (s *settler) beginsWith(next, v *vir.Value, known map[*vir.Value]bool) bool {
	return slices.Contains(next.Args[1:], v) && slices.ContainsFunc(next.Args[1:], func(x *vir.Value) bool {
		if x.Op != vir.OpSelect {
			return false
		}
		_, ok := known[x.Args[0]]
		return ok
	})
}

// setWhen is when v is set.
func (s *settler) setWhen(v *vir.Value) []literal {
	next := v.Args[s.back]
	switch next.Op {
	case vir.OpSelect:
		return conjuncts(literal{next.Args[0], next.Args[1] == v}, nil)
	case vir.OpAdd:
		return nil
	}
	x := next.Args[0]
	if x == v {
		x = next.Args[1]
	}
	return conjuncts(literal{x, next.Op == vir.OpAnd}, nil)
}

// isBeginning reports whether c is one of known, or the comparison that decides from then on.
func (s *settler) isBeginning(c literal, phi *vir.Value, known map[*vir.Value]bool) bool {
	if c.v.Op != vir.OpOr && c.v.Op != vir.OpAnd || c.not != (c.v.Op == vir.OpAnd) {
		return false
	}
	for k, x := range c.v.Args {
		if holds, ok := known[x]; ok && holds == c.not && s.decides(c.v.Args[1-k], phi) {
			return true
		}
	}
	return false
}

// decides reports whether c compares the best item so far: a variable that is set under a condition, or what
// is read by index phi.
func (s *settler) decides(c, phi *vir.Value) bool {
	if c.Op == vir.OpNot {
		c = c.Args[0]
	}
	switch c.Op {
	case vir.OpFcmpLt, vir.OpFcmpLe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		return slices.ContainsFunc(c.Args, func(x *vir.Value) bool {
			return x != phi && x.Op == vir.OpPhi && x.Block == s.header && x.Args[s.back].Op == vir.OpSelect || x.Op.IsLoad() && x.Addr().Index == phi
		})
	}
	return false
}

// absorbed reports whether it makes no difference what known says in iterations that are not active: whoever asks
// asks for that, too.
func (s *settler) absorbed(phi *vir.Value, known map[*vir.Value]bool, active []literal) bool {
	if len(active) == 0 {
		return true // the first iteration sets the variable
	}
	work, seen := slices.Collect(maps.Keys(known)), map[*vir.Value]bool{phi.Args[s.back]: true}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range s.uses[v] {
			switch {
			case seen[w] || v == phi && w.Block != s.body || implied(w, active) || chosenUnder(w, v, active):
			case w.Op == vir.OpAnd || w.Op == vir.OpOr || w.Op == vir.OpNot || w.Op == vir.OpSelect:
				seen[w] = true
				work = append(work, w)
			default:
				return false
			}
		}
	}
	return true
}

// implied reports whether w, or its contrary, is one value wherever active does not hold.
func implied(w *vir.Value, active []literal) bool {
	if w.Op != vir.OpAnd && w.Op != vir.OpOr {
		return false
	}
	return asksFor(conjuncts(literal{w, w.Op == vir.OpOr}, nil), active)
}

// chosenUnder reports whether w is a choice that takes v only where active holds.
func chosenUnder(w, v *vir.Value, active []literal) bool {
	if w.Op != vir.OpSelect || w.Args[0] == v || w.Args[1] == w.Args[2] {
		return false
	}
	return asksFor(conjuncts(literal{w.Args[0], w.Args[2] == v}, nil), active)
}

// settle replaces what is known by constants, and stops at the first iteration that is active while phi is not
// settled.
func (s *settler) settle(phi *vir.Value, known map[*vir.Value]bool, active []literal) {
	f, next := s.body.Func, phi.Args[s.back]
	var bits [2]*vir.Value
	for k := range bits {
		bits[k] = f.NewValue(vir.OpConst, vir.Scalar(vir.Bool))
		bits[k].Bits = []uint64{uint64(k)}
	}
	for _, v := range s.body.Insts {
		for i, a := range v.Args {
			holds, ok := known[a]
			switch {
			case !ok || v == next:
			case holds:
				v.Args[i] = bits[1]
			default:
				v.Args[i] = bits[0]
			}
		}
		if v.Masked && v.Mask() == bits[1] {
			v.DropMask()
		}
	}
	if phi.Type.Elem != vir.Bool && !s.counts(phi) {
		s.floor(phi, active)
	}
	stop := s.stop(phi, active)
	at := s.behind(active)
	for _, v := range stop {
		v.Pos, v.Block = next.Pos, s.body
	}
	s.body.Insts = slices.Insert(s.body.Insts, at, stop...)
	begin(s.body, next.Pos, bits[:]...)
}

// floor makes the index that active iterations load by one of memory that there is, while it is none: a call then begins
// with the first item, which is better than nothing and counts as little.
func (s *settler) floor(phi *vir.Value, active []literal) {
	f := s.body.Func
	zero := f.NewValue(vir.OpConst, phi.Type)
	zero.Bits = []uint64{0}
	floor := f.NewValue(vir.OpSmax, phi.Type, phi, zero)
	for _, v := range s.body.Insts {
		if v.Op != vir.OpCheckIndex && !v.Op.IsLoad() {
			continue
		}
		var under []literal
		if v.Masked {
			under = conjuncts(literal{v.Mask(), false}, nil)
		}
		for i, a := range v.Args {
			if a == phi && asksFor(under, active) {
				v.Args[i] = floor
			}
		}
	}
	begin(s.body, phi.Args[s.back].Pos, zero, floor)
}

// floorOf is what x is the larger one of, and zero.
func floorOf(x *vir.Value) *vir.Value {
	if x != nil && x.Op == vir.OpSmax && isZero(x.Args[1]) {
		return x.Args[0]
	}
	return x
}

// asksFor reports whether all of conditions are among parts.
func asksFor(parts, conditions []literal) bool {
	return !slices.ContainsFunc(conditions, func(c literal) bool { return !slices.ContainsFunc(parts, c.is) })
}

// is reports whether c and d hold alike.
func (c literal) is(d literal) bool {
	return c == d || c.not != d.not && boolean.Complements(c.v, d.v)
}

// stop is the check for an iteration that is active while phi is not settled.
func (s *settler) stop(phi *vir.Value, active []literal) []*vir.Value {
	f, truth, first := s.body.Func, vir.Scalar(vir.Bool), phi.Args[1-s.back]
	var made []*vir.Value
	add := func(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
		v := f.NewValue(op, t, args...)
		made = append(made, v)
		return v
	}
	cond := first
	switch {
	case phi.Type.Elem != vir.Bool:
		least := add(vir.OpConst, phi.Type)
		least.Bits = []uint64{0}
		if s.counts(phi) {
			least.Bits[0] = 1
		}
		cond = add(vir.OpIcmpSlt, truth, first, least)
	case phi.Args[s.back].Op == vir.OpOr:
		cond = add(vir.OpNot, truth, first)
	}
	cond = conjunction(cond, active, add)
	add(vir.OpCheckRare, vir.Type{}, cond)
	return made
}

// behind is the place behind the last one of conditions.
func (s *settler) behind(conditions []literal) int {
	at := 1 // behind iter
	for _, c := range conditions {
		at = max(at, slices.Index(s.body.Insts, c.v)+1)
	}
	return at
}

// storesBefore reports whether something is stored before the conditions are known.
func (s *settler) storesBefore(conditions []literal) bool {
	return slices.ContainsFunc(s.body.Insts[:s.behind(conditions)], func(v *vir.Value) bool { return v.Op.IsStore() })
}

// waitsForFirst reports whether v stops at the first change of a variable.
func (l *loop) waitsForFirst(v *vir.Value) bool {
	if v.Op != vir.OpCheckRare || v.Masked {
		return false
	}
	for _, c := range conjuncts(literal{v.Args[0], false}, nil) {
		for _, phi := range l.header.Phis() {
			first := l.initial(phi)
			if c.v == first || c.v.Op == vir.OpIcmpSlt && c.v.Args[0] == first && (isZero(c.v.Args[1]) || isInt(c.v.Args[1], 1)) {
				return true
			}
		}
	}
	return false
}
