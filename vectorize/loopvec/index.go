package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Accesses whose index may be anything: x[idx[i]]. The indices of a block are
// checked in lanes, and a block with a bad one is handed over, before anything is
// loaded by index or stored. Then a gather; which instructions that takes is the
// target's business. Narrow indices stay narrow: memory is addressed by lanes of 32
// bits where these hold every index that passes the check.

// A checkForm is how a check is made.
type checkForm uint8

const (
	checkBound      checkForm = iota // it limits the iterations of a call
	checkUniform                     // before the loop: all iterations check the same
	checkRange                       // before the loop: the index is known to be small
	checkPeriodic                    // before the loop: iterations of one period check all there is
	checkEnds                        // scalars, in each block: first and last index
	checkShared                      // the same for an index that iterations share
	checkLocal                       // the same for operands that only the body knows
	checkNarrow                      // in lanes, of the narrow value that the index extends
	checkLanes                       // in lanes
	checkCount                       // scalars, in each block: a subscript that counts
	checkTurns                       // in lanes under a mask, of the iterations of one period
	checkNeighbours                  // as checkLocal, in lanes under a mask where that fails
)

// checkForm sorts the checks. Those of divisors and shift counts are made in lanes
// where they differ.
func (l *loop) checkForm(v *vir.Value) checkForm {
	if f, ok := l.forms[v]; ok {
		return f
	}
	f := l.findCheckForm(v)
	l.forms[v] = f
	return f
}

func (l *loop) findCheckForm(v *vir.Value) checkForm {
	switch {
	case l.isBoundCheck(v):
		return checkBound
	case l.isCountedCheck(v):
		return checkCount
	case l.isLocalCheck(v):
		return l.localForm(v)
	case l.uniformCheck(v):
		return checkUniform
	case l.ofKnownRange(v):
		return checkRange
	case l.periodicCheck(v) != nil:
		return checkPeriodic
	case l.turnsPass(v) != nil:
		return checkTurns
	case l.isNest() && !v.Masked && l.endsDecide(v) && !l.uniform(v.Args[1]):
		return checkLocal
	case v.Op != vir.OpCheckIndex || !l.uniform(v.Args[1]):
		return checkLanes
	}
	limit, fixed := v.Args[1].ConstInt()
	if r := l.ranges.Of(v.Args[0]); r.SLo >= 0 && r.SHi < mostCertain(v.Args[0]) && (!fixed || r.SHi < limit) {
		return checkRange
	}
	if e, ok := l.sc.Evolution(v.Args[0]); ok && e.StepExpr != nil {
		return checkEnds
	}
	if _, _, ok := l.sharedIndex(v.Args[0]); ok && !v.Masked {
		return checkShared
	}
	if l.isNarrowCheck(v) {
		return checkNarrow
	}
	return checkLanes
}

// ofKnownRange reports whether v checks an index that repeats, of which the largest is known.
func (l *loop) ofKnownRange(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex || !l.uniform(v.Args[1]) {
		return false
	}
	p, ok := l.sc.Periodic(v.Args[0])
	return ok && p.Modulus <= smallIndex
}

// isNarrowCheck reports whether a narrow value decides about check v of an index.
func (l *loop) isNarrowCheck(v *vir.Value) bool {
	x, _ := l.checkedIndex(v.Args[0])
	return x != nil
}

// smallIndex bounds what masks and remainders may give for a check of the largest
// possible index: x[i&15] is for slices of 16 elements at least, most likely.
const smallIndex = 1 << 16

// smallShifted is the same for what shifts leave over: x[h>>24] is for slices of 256 elements, most
// likely, but x[pos>>16] for a position with 16 bits behind the point.
const smallShifted = 1 << 12

// mostCertain bounds the indices of which a slice is likely to have all up to the largest: as v, an
// index, is computed.
func mostCertain(v *vir.Value) int64 {
	for v.Op == vir.OpZext || v.Op == vir.OpSext {
		v = v.Args[0]
	}
	switch {
	case !chosen(v, 0):
		return 0
	case v.Op == vir.OpLshr:
		return smallShifted
	}
	return smallIndex
}

// deepest is how many operations on the way to an index are looked at.
const deepest = 8

// chosen reports whether the range of v is somebody's choice: by a mask, a remainder, a shift, a conversion. Where data
// decides, as for sums of elements, nobody says that it reaches the end of its type, and what was loaded in the iteration
// before may be anything.
func chosen(v *vir.Value, depth int) bool {
	all := func(args ...*vir.Value) bool {
		return depth < deepest && !slices.ContainsFunc(args, func(a *vir.Value) bool { return !chosen(a, depth+1) })
	}
	switch v.Op {
	case vir.OpPhi:
		return false
	case vir.OpZext, vir.OpSext, vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpShl, vir.OpOr:
		return all(v.Args...)
	case vir.OpSelect:
		return all(v.Args[1:]...)
	case vir.OpXor: // byte(crc) ^ b
		return all(v.Args[0]) || all(v.Args[1])
	}
	return !v.Op.IsLoad()
}

// checkedIndex finds the extension x, to be compared with c added, that decides
// about index v; nil when v is something else. Sums must not wrap around to what
// passes: extended by sign they leave the range at both ends.
func (l *loop) checkedIndex(v *vir.Value) (x *vir.Value, c int64) {
	if v.Op == vir.OpAdd {
		for i, a := range v.Args {
			k, ok := v.Args[1-i].ConstInt()
			if !ok || k < 0 || k > 1<<16 || !isNarrow(a) {
				continue
			}
			if a.Op == vir.OpSext || a.Args[0].Type.Elem.Size() <= 2 {
				return a, k
			}
		}
	}
	if isNarrow(v) {
		return v, 0
	}
	return nil, 0
}

// isNarrow reports whether v extends an integer of at most 32 bits.
func isNarrow(v *vir.Value) bool {
	return (v.Op == vir.OpSext || v.Op == vir.OpZext) && v.Args[0].Type.Elem.IsInt() && v.Args[0].Type.Elem.Size() <= 4
}

// narrowIndex reports whether access a, by an index that extends a narrow value,
// may be done by lanes of 32 bits, which are extended by sign. Unsigned ones of 32
// bits need a check, which lets only the lower half pass.
func (l *loop) narrowIndex(a *dep.Access) bool {
	v := a.Index
	if !isNarrow(v) {
		return false
	}
	if v.Op == vir.OpSext || l.ranges.Of(v).UHi < 1<<31 || l.tableLanes(a) > 0 {
		return true
	}
	for _, c := range l.insts {
		if c.Op == vir.OpCheckIndex && c.Args[0] == v && l.checkForm(c) == checkNarrow && (c.Mask() == nil || c.Mask() == a.Inst.Mask()) {
			return true
		}
	}
	return false
}

// indexOperands are what access a needs in lanes for its address.
func (l *loop) indexOperands(a *dep.Access) []*vir.Value {
	var all []*vir.Value
	if _, ok := l.repeats(a); ok {
		return nil
	}
	switch {
	case a.Kind != dep.Indexed && a.Kind != dep.Periodic, l.isRotated(a):
		return nil
	case l.turns(a):
	case l.narrowIndex(a):
		all = append(all, a.Index.Args[0])
	default:
		all = append(all, a.Index)
	}
	if a.Inst.Masked {
		all = append(all, a.Inst.Mask())
	}
	return all
}

// index is the index of access a in lanes, of 32 or 64 bits.
func (w *widener) index(a *dep.Access) *vir.Value {
	if w.e.l.narrowIndex(a) {
		return w.extended(a.Index, vir.I32)
	}
	return w.value(a.Index)
}

// extended is the narrow value that v extends, in lanes of at least e.
func (w *widener) extended(v *vir.Value, e vir.Elem) *vir.Value {
	x := w.value(v.Args[0])
	if x.Type.Elem.Size() >= e.Size() {
		return x
	}
	key := wideKey{v, e}
	if w.wide[key] == nil {
		w.wide[key] = w.b.Op(v.Op, x.Type.WithElem(e), x)
	}
	return w.wide[key]
}

type wideKey struct {
	v *vir.Value
	e vir.Elem
}

// byIndex is the address of access a by an index in lanes.
func (w *widener) byIndex(a *dep.Access, index *vir.Value) vir.Addr {
	ad := w.e.address(a)
	return vir.Addr{Base: ad.base, Index: index, Scale: a.Scale, Disp: ad.disp}
}

// again is the index of gather a as a load of its own, see loadedIndex.
func (w *widener) again(a *dep.Access) *vir.Value {
	ad := w.loadedIndex(a)
	if ad == nil || w.vec[ad.Inst].Block == w.b.Cur {
		return nil
	}
	x := w.b.Load(vir.OpLoadUnit, vir.Vec(ad.Inst.Type.Elem, w.lanes), w.at(w.e.address(ad)), nil)
	if w.e.l.narrowIndex(a) && x.Type.Elem.Size() < vir.I32.Size() {
		x = w.b.Op(a.Index.Op, x.Type.WithElem(vir.I32), x)
	}
	return x
}

// loadedIndex is the load of the index of load a, where the index that was checked
// has been loaded and no store came in between: targets read such an index from
// memory lane by lane. nil when there is no such load.
func (w *widener) loadedIndex(a *dep.Access) *dep.Access {
	ad := w.e.l.indexLoad(a)
	if ad == nil || w.vec[ad.Inst] == nil {
		return nil
	}
	return ad
}

// indexLoad is what loadedIndex finds, before anything is emitted.
func (l *loop) indexLoad(a *dep.Access) *dep.Access {
	ad := l.indexLoadedBefore(a, a.Inst)
	if ad == nil || ad.Stream.Step != ad.Stream.Size {
		return nil
	}
	return ad
}

// indexLoadedBefore is the load of the index of a, along memory, that comes before the turn of v in the schedule, with no store
// in between; nil when there is none.
func (l *loop) indexLoadedBefore(a *dep.Access, v *vir.Value) *dep.Access {
	x := a.Index
	if l.narrowIndex(a) {
		x = x.Args[0]
	}
	ad := l.dp.Access(x)
	if !x.Op.IsLoad() || x.Masked || ad.Kind != dep.Linear {
		return nil
	}
	loaded, now := slices.Index(l.sched, x), slices.Index(l.sched, v)
	if loaded > now || slices.ContainsFunc(l.sched[loaded:now], func(s *vir.Value) bool { return s.Op.IsStore() }) {
		return nil
	}
	return ad
}

// gather loads by index. Only active lanes may be looked at.
func (w *widener) gather(a *dep.Access) *vir.Value {
	v := a.Inst
	var mask *vir.Value
	if v.Masked {
		mask = w.value(v.Mask())
	}
	index := w.again(a)
	if index == nil || mask != nil {
		index = w.index(a)
	}
	return w.b.Gather(vir.Vec(v.Type.Elem, w.lanes), w.byIndex(a, index), mask)
}

// scatter stores by index, in the order of the lanes.
func (w *widener) scatter(a *dep.Access) {
	v := a.Inst
	var mask *vir.Value
	if v.Masked {
		mask = w.value(v.Mask())
	}
	w.b.Scatter(w.value(v.Stored()), w.byIndex(a, w.index(a)), mask)
}

// flush hands the block over if a check so far has failed.
func (w *widener) flush() {
	ok, leave, bool1 := w.ok, w.leave, vir.Scalar(vir.Bool)
	w.ok, w.leave, w.rests = nil, nil, false
	switch {
	case ok == nil && leave == nil:
	case leave == nil && !ok.Type.IsMask():
		w.fail(ok, true, nil)
	case leave == nil:
		w.fail(w.b.Op(vir.OpAll, bool1, ok), true, nil)
	default:
		if ok != nil {
			leave = w.b.Op(vir.OpOr, ok.Type, w.b.Op(vir.OpNot, ok.Type, ok), leave)
		}
		leave = w.masked(leave)
		lanes := leave
		if w.later {
			lanes = nil // in a lane before the one that leaves here, another check may fail
		}
		w.fail(w.b.Op(vir.OpAny, bool1, leave), false, lanes)
	}
}

// restsOn reports whether loads behind check v may rest on it although their subscripts move by constants:
// its limit is another one in each iteration, or loaded, like the end of a slice.
func (l *loop) restsOn(v *vir.Value) bool {
	if v.Op != vir.OpCheckIndex {
		return false
	}
	_, known := l.sc.Invariant(v.Args[1])
	return !known
}

// check takes note of a check that does not pass in all active lanes. What
// depends on it calls flush.
func (w *widener) check(v *vir.Value) {
	w.rests = w.rests || w.e.l.restsOn(v)
	switch w.e.l.checkForm(v) {
	case checkEnds:
		w.flush()
		w.ok = w.endsPass(v, w.evolvedIndex(v))
		w.flush()
		return
	case checkShared:
		w.flush()
		w.ok = w.endsPass(v, w.sharedLane(v.Args[0]))
		w.flush()
		return
	case checkCount:
		w.flush()
		w.ok = w.countedPass(v)
		w.flush()
		return
	}
	if v.Op == vir.OpExit && !v.Masked {
		x := w.value(v.Args[0])
		if w.leave != nil {
			x = w.b.Op(vir.OpOr, x.Type, w.leave, x)
		}
		w.leave = x
		return
	}
	ok := w.passes(v)
	if v.Masked {
		off := w.b.Op(vir.OpNot, ok.Type, w.value(v.Mask()))
		ok = w.b.Op(vir.OpOr, ok.Type, ok, off)
	}
	if w.ok != nil {
		ok = w.b.Op(vir.OpAnd, ok.Type, w.ok, ok)
	}
	w.ok = ok
}

// passes is the lanes in which check v does not panic.
func (w *widener) passes(v *vir.Value) *vir.Value {
	switch w.e.l.checkForm(v) {
	case checkNarrow:
		return w.narrowPasses(v)
	case checkTurns:
		return w.value(w.e.l.turnsPass(v))
	}
	if v.Op == vir.OpCheckIndex && w.e.l.uniform(v.Args[1]) && !w.e.l.isLocal(v.Args[1]) {
		// As signed numbers with the top bit flipped: lanes have no other comparison.
		x := w.value(v.Args[0])
		x = w.b.Op(vir.OpXor, x.Type, x, w.b.Int(x.Type, math.MinInt64))
		return w.b.Cmp(vir.OpIcmpSlt, x, w.limit(v.Args[1], vir.I64, flipped))
	}
	var x []*vir.Value
	for _, a := range v.WithoutMask() {
		x = append(x, w.value(a))
	}
	return edit.Passes(w.b, v, x)
}

// narrowPasses compares the narrow value that an index extends with the largest
// good index, as unsigned numbers. That index has at most 31 bits; larger ones are
// left to scalar code. Negative ones are large.
func (w *widener) narrowPasses(v *vir.Value) *vir.Value {
	ext, c := w.e.l.checkedIndex(v.Args[0])
	e := ext.Args[0].Type.Elem
	if c != 0 {
		e = vir.I32
	}
	x := w.extended(ext, e)
	if c != 0 {
		x = w.b.Op(vir.OpAdd, x.Type, x, w.b.Int(x.Type, c))
	}
	most := int64(1)<<min(e.Bits(), 31) - 1
	if ext.Op == vir.OpSext && c == 0 {
		most = int64(1)<<(e.Bits()-1) - 1
	}
	return w.b.Cmp(vir.OpIcmpUle, x, w.limit(v.Args[1], e, most))
}

// flipped asks limit for n itself with its top bit flipped.
const flipped = -1

// limit is min(n-1, most) in lanes of e; n, a value of the region, is not 0.
func (w *widener) limit(n *vir.Value, e vir.Elem, most int64) *vir.Value {
	key := limitKey{n, e, most}
	x := w.e.limits[key]
	widest := w.e.stages[0].lanes
	if x == nil {
		b, i64 := w.e.setup, vir.Scalar(vir.I64)
		var s *vir.Value
		switch {
		case most == flipped:
			s = b.Op(vir.OpXor, i64, w.e.value(n), b.Int(i64, math.MinInt64))
		default:
			s = b.Op(vir.OpSub, i64, w.e.value(n), b.Int(i64, 1))
			s = b.Op(vir.OpUmin, i64, s, b.Int(i64, most))
			s = b.Op(vir.OpTrunc, vir.Scalar(e), s)
		}
		x = b.Op(vir.OpBroadcast, vir.Vec(e, widest), s)
		w.e.limits[key] = x
	}
	if w.lanes < widest {
		x = w.b.Subvec(x, 0, w.lanes)
	}
	return x
}

type limitKey struct {
	n    *vir.Value
	e    vir.Elem
	most int64
}

// maxStep bounds steps that are known before the loop only, so that nothing wraps
// within a block.
const maxStep = 1 << 40

// endsPass compares the first and the last index of a block: they change by a step
// that is known before the loop, see steps, or by a few in all.
func (w *widener) endsPass(v *vir.Value, index func(lane int64) *vir.Value) *vir.Value {
	n := w.e.value(v.Args[1])
	ok := w.b.Cmp(vir.OpIcmpUlt, index(0), n)
	if w.lanes == 1 {
		return ok
	}
	return w.b.Op(vir.OpAnd, ok.Type, ok, w.b.Cmp(vir.OpIcmpUlt, index(int64(w.lanes-1)), n))
}

// evolvedIndex is the index of check v, which changes by a step known before the loop, by lane.
func (w *widener) evolvedIndex(v *vir.Value) func(lane int64) *vir.Value {
	a, _ := w.e.l.sc.Evolution(v.Args[0])
	return func(lane int64) *vir.Value { return w.evolved(a, lane) }
}

// evolved is one lane of a value that changes by a step known before the loop.
func (w *widener) evolved(a scev.Affine, lane int64) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	t := w.t
	if lane != 0 {
		t = w.b.Op(vir.OpAdd, i64, t, w.b.Int(i64, lane))
	}
	x := w.b.Op(vir.OpMul, i64, t, w.e.expr(a.StepExpr))
	return w.b.Op(vir.OpAdd, i64, x, w.e.expr(a.Start))
}

// precheck emits what check v asks for before the loop.
func (e *emitter) precheck(v *vir.Value) {
	i64 := vir.Scalar(vir.I64)
	switch e.l.checkForm(v) {
	case checkUniform:
		e.require(edit.Passes(e.setup, v, e.scalars(v.WithoutMask())))
	case checkPeriodic:
		e.checkPeriod(v)
	case checkRange:
		most := e.l.ranges.Of(v.Args[0]).SHi
		if p, ok := e.l.sc.Periodic(v.Args[0]); ok {
			most = p.Modulus - 1
		}
		e.require(e.setup.Cmp(vir.OpIcmpSlt, e.setup.Int(i64, most), e.value(v.Args[1])))
	case checkNarrow:
		e.require(e.setup.Cmp(vir.OpIcmpSlt, e.zero, e.value(v.Args[1])))
	case checkEnds:
		a, _ := e.l.sc.Evolution(v.Args[0])
		e.steps(a.StepExpr)
	}
}

// steps asks for a step of moderate size. Then two indices of a block that are in
// range have all those between them in range.
func (e *emitter) steps(step *plan.Expr) {
	key := step.String()
	if e.asked[key] {
		return
	}
	e.asked[key] = true
	e.require(within(e.setup, e.expr(step), maxStep))
}

// within is whether x lies in [-limit, limit).
func within(b *vir.Builder, x *vir.Value, limit int64) *vir.Value {
	return b.Cmp(vir.OpIcmpUlt, b.Op(vir.OpAdd, x.Type, x, b.Int(x.Type, limit)), b.Int(x.Type, 2*limit))
}
