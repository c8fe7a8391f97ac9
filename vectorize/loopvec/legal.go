package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/sva"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// memory looks at the accesses: their dependences, their forms, and whether a
// load under a mask may read all lanes.
func (l *loop) memory() error {
	l.blends, l.covered = make(map[*vir.Value]bool), make(map[*vir.Value]bool)
	if l.dp.Refusal != nil {
		return refusal(l.dp.Refusal)
	}
	l.addBounds(l.dp.Wrap)
	for i := range l.dp.Accesses {
		a := &l.dp.Accesses[i]
		if err := l.access(a); err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) access(a *dep.Access) error {
	if x, ok := l.repeats(a); ok {
		l.addBounds(x.Wrap)
	}
	if u := l.updateOf(a.Inst); u != nil {
		return l.updateRules(u)
	}
	switch {
	case a.Kind == dep.Counted:
		return nil // see countedAccesses
	case a.Uniform() && a.Store:
		return l.uniformStore(a.Inst)
	case a.Kind == dep.Symbolic && a.Inst.Masked:
		return pass.Refuse("loopvec:StridedAccess", a.Inst, "an access under a condition moves by a step that is known at run time only")
	case a.Store && a.Inst.Masked && l.isStrided(a) && max(a.Stream.Step, -a.Stream.Step) > 1<<20:
		return pass.Refuse("loopvec:StridedAccess", a.Inst, "a store under a condition moves by %d bytes per iteration", a.Stream.Step)
	case a.Inst.Mask() == nil:
		return nil
	case a.Kind != dep.Linear:
		return nil // only active lanes are looked at
	case a.Store:
		if l.region.Clauses.Exclusive && l.maskedLoad(a) == nil {
			if l.isStrided(a) {
				l.covered[a.Inst] = true
			} else {
				l.blends[a.Inst] = true
			}
		}
		return nil
	}
	return l.maskedLoad(a)
}

// maskedLoad makes it legal to load all lanes of a load that not every iteration
// executes: the whole block must stay inside the memory of the parameter. Slices
// have length, so that a bound does it; where the loop's own condition is that
// bound, nothing need be added.
func (l *loop) maskedLoad(a *dep.Access) error {
	p := l.region.Fn.Params[a.Stream.Param].Param
	bytes, ok := l.bytesOf(p)
	switch {
	case !ok && p.Len == nil && a.Uniform():
		return nil // a variable: its pointer is checked
	case !ok:
		return l.unknownLength(a)
	case p.Len != nil:
		if n, _ := l.sc.Invariant(p.Len); l.tripImplies(a, n, p.ElemSize) {
			return nil
		}
	}
	l.addBound(plan.Bound{
		Start: a.Stream.Off, Step: a.Stream.Step,
		Lo: plan.Const(0), Hi: plan.Sub(bytes, plan.Const(a.Stream.Size-1)),
		Conditional: true,
	})
	l.partial = true
	return nil
}

// bytesOf is the size of the memory of a parameter, if that is known before the loop.
func (l *loop) bytesOf(p vir.ParamFacts) (*plan.Expr, bool) {
	if p.Len != nil {
		n, ok := l.sc.Invariant(p.Len)
		if !ok {
			return nil, false
		}
		return plan.Mul(n, plan.Const(int64(p.ElemSize))), true
	}
	size := p.FixedLen * int64(p.ElemSize)
	return plan.Const(size), size > 0
}

func (l *loop) unknownLength(a *dep.Access) error {
	return pass.Refuse("loopvec:UnknownLength", a.Inst, "a load under a condition goes to memory of unknown length")
}

// tripImplies reports whether the loop runs only while the index of a is below
// the length n of its slice, and never below 0.
func (l *loop) tripImplies(a *dep.Access, n *plan.Expr, elem int) bool {
	t := l.trip
	if t.Cond != plan.Less || t.Step != 1 || a.Stream.Step != int64(elem) || a.Stream.Size != int64(elem) {
		return false
	}
	d, ok := scev.Diff(a.Stream.Off, plan.Mul(t.Start, plan.Const(int64(elem))))
	if !ok || d != 0 {
		return false
	}
	d, ok = scev.Diff(t.Limit, n)
	return ok && d == 0 && (t.Unsigned || l.startsInside())
}

// startsInside reports whether what the condition compares goes up, beside the
// main induction, from a value that was not negative on first entry. It has only
// grown since.
func (l *loop) startsInside() bool { return l.trip.Step > 0 && l.above(l.trip.Start) }

// above reports whether x is the main induction, and something known more, which was not negative on first entry.
func (l *loop) above(x *plan.Expr) bool {
	main := l.sc.Main()
	i := slices.Index(l.header.Phis(), main)
	if i < 0 {
		return false
	}
	init := l.region.State[i].Init
	a, ok := l.sc.Affine(main)
	if init == nil || !ok {
		return false
	}
	d, ok := scev.Diff(x, a.Start)
	return ok && *init >= 0 && *init+d >= 0
}

// notNegative is the bound that x, which goes up, is not negative; none where it is known not to be.
func (l *loop) notNegative(x scev.Affine) []plan.Bound {
	if l.trip.Step > 0 && l.above(x.Start) {
		return nil
	}
	return []plan.Bound{{Start: x.Start, Step: x.Step, Lo: plan.Const(0), Hi: plan.Const(math.MaxInt64)}}
}

// checks sorts the checks of the body: those on subscripts that change by a
// constant become bounds, those on uniform values are tested before the loop,
// others are tested in each block, before its first store.
func (l *loop) checks() error {
	l.partial = l.partial || l.isNest()
	for _, v := range l.insts {
		if (v.Op == vir.OpCheckIndex || v.Op == vir.OpCheckShift) && l.isBoundCheck(v) {
			l.indexBound(v)
		}
	}
	for _, v := range l.insts {
		if !v.Op.IsCheck() || l.isBoundCheck(v) {
			continue
		}
		l.partial = true
		switch l.checkForm(v) {
		case checkEnds:
			e, _ := l.sc.Evolution(v.Args[0])
			l.addBounds(e.Wrap)
		case checkShared:
			x, _, _ := l.sharedIndex(v.Args[0])
			l.addBounds(x.Wrap)
		case checkRange:
			if p, ok := l.sc.Periodic(v.Args[0]); ok {
				l.addBounds(p.Wrap)
			}
		}
	}
	return nil
}

// checked says in Go terms what check v is about.
func checked(v *vir.Value) string {
	switch v.Op {
	case vir.OpCheckDiv:
		return "a divisor may be zero"
	case vir.OpCheckNil:
		return "a pointer may be nil"
	case vir.OpCheckShift:
		return "a shift count may be negative"
	case vir.OpCheckRare:
		return "an argument may be one that lanes do not do"
	case vir.OpExit:
		return "the loop may be left"
	}
	return "an index may be out of range"
}

// uniformCheck reports whether v, leaving its mask aside, checks uniform values.
func (l *loop) uniformCheck(v *vir.Value) bool {
	for _, a := range v.WithoutMask() {
		if !l.uniform(a) {
			return false
		}
	}
	return true
}

// indexBound turns a check of an index, or of a count that rises, into a bound.
func (l *loop) indexBound(v *vir.Value) {
	if x, ok := l.risingCount(v); ok {
		l.addBounds(l.notNegative(x))
		return
	}
	if b, ok := l.quotientBound(v); ok {
		x, _ := l.sc.Shifted(v.Args[0])
		l.addBounds(x.Wrap)
		l.addBound(b)
		l.partial = l.partial || v.Masked
		return
	}
	idx, _ := l.sc.Affine(v.Args[0])
	n, _ := l.sc.Invariant(v.Args[1])
	l.addBounds(idx.Wrap)
	if l.tripKeepsInside(idx, n) {
		return
	}
	sometimes := v.Masked || l.inside(v)
	recurs := plan.Once
	for _, b := range idx.Wrap {
		recurs = max(recurs, b.Recurs)
	}
	l.addBound(plan.Bound{Start: idx.Start, Step: idx.Step, Lo: plan.Const(0), Hi: n, Conditional: sometimes, Recurs: recurs})
	l.partial = l.partial || sometimes
}

// tripKeepsInside reports whether the loop condition already keeps idx in [0, n).
func (l *loop) tripKeepsInside(idx scev.Affine, n *plan.Expr) bool {
	t := l.trip
	if t.Cond != plan.Less || t.Step != 1 || idx.Step != 1 {
		return false
	}
	d, ok := scev.Diff(idx.Start, t.Start)
	d2, ok2 := scev.Diff(t.Limit, n)
	return ok && ok2 && d == 0 && d2 == 0 && !t.Unsigned && l.startsInside()
}

// findDemand marks what the vector program computes lane by lane: what stores,
// their masks, reductions and checks need, up to uniform values and inductions.
func (l *loop) findDemand() error {
	l.findCuts()
	err := l.markDemand()
	if err == nil && len(l.cuts) > 0 && l.widest() > cutWidth {
		l.cuts = nil
		err = l.markDemand()
	}
	if l.order != nil {
		l.order.findActive(l)
	}
	return err
}

func (l *loop) markDemand() error {
	l.demand = make(map[*vir.Value]bool)
	l.spread = make(map[*vir.Value]bool)
	l.wanted = make(map[*vir.Value]bool)
	for _, v := range l.insts {
		switch {
		case v.Op.IsStore():
			l.needStored(v)
			if v.Masked {
				l.need(v.Mask())
			}
		case v.Op.IsCheck():
			l.needCheck(v)
		}
	}
	l.needBranches()
	l.needStores()
	l.needSerials()
	for _, h := range l.held {
		h.need(l)
	}
	for _, s := range l.states {
		if s.red != nil {
			l.need(s.red.x)
		}
		switch {
		case s.count != nil:
			l.need(s.count.needs())
		case s.last:
			l.needLast(s.next)
		}
	}
	return nil
}

// needCheck marks what check v compares.
func (l *loop) needCheck(v *vir.Value) {
	if l.isEarly(v) {
		return // see needStores
	}
	switch l.checkForm(v) {
	case checkUniform, checkPeriodic:
		for _, a := range v.WithoutMask() {
			if l.uniform(a) {
				l.want(a)
			}
		}
	case checkLocal, checkNeighbours:
		for _, a := range v.WithoutMask() {
			l.needScalar(a)
		}
		if v.Op == vir.OpCheckIndex {
			l.needStep(v.Args[0])
			l.needStep(v.Args[1])
		}
	case checkRange, checkEnds, checkShared, checkNarrow, checkCount:
		l.want(v.Args[1])
	}
	for _, a := range l.laneOperands(v) {
		l.need(a)
	}
}

// laneOperands are the operands of value or check v that are needed in lanes.
func (l *loop) laneOperands(v *vir.Value) []*vir.Value {
	switch {
	case l.isEarly(v), l.periodics[v] != nil:
		return nil
	case v.Op.IsCheck():
		switch l.checkForm(v) {
		case checkCount:
			return []*vir.Value{l.countedMask(v)}
		case checkNeighbours:
			return []*vir.Value{v.Mask()}
		case checkTurns:
			return []*vir.Value{l.turnsPass(v), v.Mask()}
		case checkLanes:
			return v.Args
		case checkNarrow:
			x, _ := l.checkedIndex(v.Args[0])
			args := []*vir.Value{x.Args[0]}
			if v.Masked {
				args = append(args, v.Mask())
			}
			return args
		}
		return nil
	case l.innerForm(v) != innerNone:
		return nil
	case l.updateOf(v) != nil:
		return nil
	case v.Op.IsLoad() || v.Op.IsStore():
		if a := l.dp.Access(v); a.Kind == dep.Counted && !a.Store {
			return []*vir.Value{l.counterOf(a.Count.Phi).needs()}
		}
		return l.indexOperands(l.dp.Access(v))
	case l.ramp(v), l.begins(v) != nil, l.cuts[v] != nil:
		return nil
	case l.series[v] != nil:
		return nil
	case l.order.has(v):
		return l.order.terms
	case l.carries[v] != nil:
		return []*vir.Value{l.next(v)}
	case l.scans[v] != nil:
		return l.scans[v].made()
	case l.members[v] != nil && v.Op == vir.OpPhi:
		return []*vir.Value{l.next(v)}
	}
	return v.Args
}

// needStored marks what store v writes.
func (l *loop) needStored(v *vir.Value) {
	if u := l.updateOf(v); u != nil {
		if bits := l.bitsOf(u); bits != nil {
			l.needBits(bits)
		} else {
			l.need(u.By)
		}
		return
	}
	switch {
	case l.nat.Inst(v) == sva.LastScalar:
		l.needLast(v.Stored())
	case l.dp.Access(v).Uniform() && l.uniform(v.Stored()) && l.isLocal(v.Stored()):
		l.needScalar(v.Stored())
	case l.dp.Access(v).Uniform() && l.uniform(v.Stored()):
		l.want(v.Stored())
	default:
		l.need(v.Stored())
	}
	switch f := l.innerForm(v); {
	case f == innerSerial:
		return // see needSerials
	case f.inRow():
		l.needAddress(v)
		return
	case f == innerSpread:
		l.needAddress(v)
		l.needStep(v.Index())
		return
	}
	for _, a := range l.indexOperands(l.dp.Access(v)) {
		l.need(a)
	}
}

// isBoundCheck reports whether check v is one of the bounds: of an index, or of a divisor that another bound says to be
// more than 0.
func (l *loop) isBoundCheck(v *vir.Value) bool {
	if v.Op == vir.OpCheckDiv {
		n, ok := l.sc.Invariant(v.Args[0])
		return ok && slices.ContainsFunc(l.bounds, func(b plan.Bound) bool {
			d, ok := scev.Diff(b.Hi, n)
			return ok && d == 0 && b.Lo.Op == plan.ExprConst && b.Lo.Const >= 0 && !b.Conditional
		})
	}
	if l.holds(v) {
		return true
	}
	if _, ok := l.risingCount(v); ok {
		return true
	}
	if v.Op != vir.OpCheckIndex {
		return false
	}
	if _, ok := l.quotientBound(v); ok {
		return true
	}
	_, ok := l.sc.Affine(v.Args[0])
	_, ok2 := l.sc.Invariant(v.Args[1])
	return ok && ok2
}

// risingCount is the count of a shift that v checks, if it rises: it is not negative in any iteration if it is not in the first one,
// whatever the mask.
func (l *loop) risingCount(v *vir.Value) (scev.Affine, bool) {
	if v.Op != vir.OpCheckShift || l.isNest() || v.Args[0].Type != vir.Scalar(vir.I64) {
		return scev.Affine{}, false
	}
	x, ok := l.sc.Affine(v.Args[0])
	return x, ok && x.Step > 0 && len(x.Wrap) == 0
}

// holds reports whether v cannot fail in a call: it asks whether a number is still what it was when the caller read it, and
// no store of a call comes near that.
func (l *loop) holds(v *vir.Value) bool {
	now, ok := l.region.Unchanged(v)
	if !ok || l.isNest() {
		return false
	}
	a := l.dp.Access(now)
	return a != nil && a.Uniform() && l.uniform(now)
}

// laneCheck reports whether check v is made in each block.
func (l *loop) laneCheck(v *vir.Value) bool { return l.checkForm(v) >= checkEnds }

// used reports whether the vector program needs uniform load v.
func (l *loop) used(v *vir.Value) bool { return l.wanted[v] }

func (l *loop) need(v *vir.Value) {
	if l.periodics[v] != nil {
		l.demand[v] = true
		return
	}
	if !l.inLanes(v) {
		switch {
		case l.isLocal(v) && l.uniform(v):
			l.needScalar(v)
			l.nest.splats[v] = true
			return
		case l.uniform(v) || v.Op == vir.OpConst:
			l.want(v)
			return
		}
		l.spread[v] = true
	}
	if l.demand[v] {
		return
	}
	l.demand[v] = true
	if c := l.cuts[v]; c != nil {
		l.want(c.limit)
	}
	if least := l.begins(v); least != nil {
		l.needScalar(least)
		l.needScalar(v.Args[1])
	}
	if l.innerForm(v).fromFirst() {
		l.needAddress(v)
		if v.Masked {
			l.need(v.Mask())
		}
	}
	if l.innerForm(v) == innerSpread && l.hasStep(v.Index()) {
		l.needStep(v.Index())
	}
	for _, a := range l.laneOperands(v) {
		l.need(a)
	}
}

// want marks the operands of uniform v, for the loads among them.
func (l *loop) want(v *vir.Value) {
	if l.wanted[v] {
		return
	}
	l.wanted[v] = true
	if v.Op == vir.OpPhi && v.Block == l.header {
		l.want(l.initial(v)) // what it stands for before the loop
		return
	}
	for _, a := range v.Args {
		l.want(a)
	}
}

// operations refuses what lanes cannot do at all: values of other iterations,
// vectors of pointers.
func (l *loop) operations() error {
	for _, v := range l.insts {
		if !l.demand[v] {
			continue
		}
		if v.Type.Elem == vir.Ptr {
			return pass.Refuse("loopvec:PointerLanes", v, "different iterations use different pointers")
		}
		if v.Op.IsLoad() && l.dp.Access(v) == nil && !l.isRow(v) {
			return pass.Refuse("loopvec:IndexedAccess", v, "an address that is not linear in the loop variable")
		}
	}
	if err := l.replay(); err != nil {
		return err
	}
	for _, phi := range l.header.Phis() {
		if l.demand[phi] && !l.available(phi) {
			return l.recurrence(state{phi: phi, next: l.next(phi)})
		}
	}
	return l.orderRules()
}

// replay sees to it that a kernel that may undo itself stores nothing: the caller
// would do the stores again, perhaps from what was stored.
func (l *loop) replay() error {
	for _, s := range l.states {
		if s.red == nil || s.red.op != vir.OpSelect {
			continue
		}
		l.partial = true
		for _, a := range l.dp.Accesses {
			if a.Store {
				return pass.Refuse("loopvec:MinMaxAndStore", s.next, "the sign of a zero in %s may have to be found again, and the loop stores", name(s.phi))
			}
		}
	}
	return nil
}
