package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Iterations that store while a loop inside them is still to run: in that loop, or before
// it. What is stored is stored: a block can neither be handed over nor be left for want of
// time once it has begun. So at its start
//
//   - all checks that come behind a store, in the order of the program or in a later
//     iteration of a loop, are made for all iterations of the block at once;
//   - the iterations of all inner loops are counted and taken off the fuel. A block
//     that takes more than a call may is handed over.
//
// Both ask for loops that count. Subscripts are linear in the iterations of the loops
// around them, hence extreme at the corners of what a block runs through: in the first
// and the last lane, in the first and the last iteration of each loop. Where loops run
// differently long in different lanes, the first and the last lane have a corner each.
// A loop that runs not at all has its corner at the first iteration, which asks for
// more than needed and is right for the lanes between.
//
//	for i := range n {                  block: j = 1, rows-1;  i = first, last lane
//		for j := 1; j < rows; j++ {     check (j-1)*n + i and j*n + i at these four
//			a[j*n+i] += a[(j-1)*n+i]
//
// What does not depend on the lanes is done once, before the first block.
type stores struct {
	early  []*vir.Value // checks at the start of a block
	is     map[*vir.Value]bool
	loops  []*loops.Loop // all inner loops, outer ones first
	counts map[*loops.Loop]scev.InnerCount
	atoms  []*vir.Value           // what is given before the region's loop, as part of subscripts and limits
	bits   int                    // all atoms have fewer than so many, and nothing wraps
	sizes  map[*vir.Value]float64 // what magnitude found out
}

// midway begins the refusals of nests that stores are in the way of.
const midway = "an iteration stores before the loops in it have ended, "

// findStores looks at a nest that stores midway.
func (l *loop) findStores() error {
	s := &stores{is: make(map[*vir.Value]bool), counts: make(map[*loops.Loop]scev.InnerCount)}
	l.nest.stores = s
	for _, f := range l.nest.forest.All {
		if f.Depth == 1 {
			continue
		}
		c, ok := l.sc.InnerCount(f)
		if !ok {
			return pass.Refuse("loopvec:InnerStore", f.Header.Term(), midway+"and nothing tells beforehand how long this one runs")
		}
		if f.Depth > maxInnerDepth+1 {
			return pass.Refuse("loopvec:InnerStore", f.Header.Term(), midway+"and this one lies too deep inside of others")
		}
		if v := l.leavesEarly(f); v != nil {
			return pass.Refuse("loopvec:InnerStore", v, midway+"and some iterations may leave this one long before others do")
		}
		s.loops = append(s.loops, f)
		s.counts[f] = c
	}
	for _, v := range l.insts {
		if !v.Op.IsCheck() || !l.laneCheck(v) || !l.behindStore(v) {
			continue
		}
		if v.Op != vir.OpCheckIndex || !l.isLinear(v.Args[0]) || l.isLocal(v.Args[1]) || !l.uniform(v.Args[1]) {
			return pass.Refuse("loopvec:LateCheck", v, "%s behind a store of the same iteration", checked(v))
		}
		if l.missesCorners(v) {
			return pass.Refuse("loopvec:LateCheck", v, "%s in lanes that have not begun", checked(v))
		}
		s.early, s.is[v] = append(s.early, v), true
	}
	return l.boundStores()
}

// leavesEarly finds what makes lanes leave loop f one after the other beside its
// counter, nil for nothing: what they wait for each other is not known beforehand, and
// nothing can be done about it then.
func (l *loop) leavesEarly(f *loops.Loop) *vir.Value {
	in := f.Header.Term().Args[0]
	for _, phi := range f.Header.Phis() {
		if phi.Type.Elem != vir.Bool || l.uniform(phi) {
			continue
		}
		if in.Op != vir.OpAnd || !slices.Contains(in.Args, phi) || phi.Args[f.Header.PredIndex(f.Latches[0])] != in {
			return phi
		}
		for _, x := range in.Args {
			if x != phi && !l.comparesCounters(x) {
				return x
			}
		}
	}
	return nil
}

// comparesCounters reports whether v is a comparison of linear values.
func (l *loop) comparesCounters(v *vir.Value) bool {
	if v.Op != vir.OpIcmpSlt && v.Op != vir.OpIcmpSle {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !l.isAtom(a) && !l.isLinear(a) })
}

// maxInnerDepth bounds the loops inside each other, for counts that do not overflow.
const maxInnerDepth = 3

// behindStore reports whether a store may come before check v in an iteration of the
// region: earlier in the program, or in an earlier iteration of a loop around it.
func (l *loop) behindStore(v *vir.Value) bool {
	around := l.sc.Around(v)
	for _, x := range l.insts {
		if x == v && len(around) == 0 {
			return false
		}
		if x.Op.IsStore() && (len(around) == 0 || l.isBefore(x, v) || around[0].Contains(x.Block)) {
			return true
		}
	}
	return false
}

// isBefore reports whether x stands before v in the program.
func (l *loop) isBefore(x, v *vir.Value) bool {
	return slices.Index(l.insts, x) < slices.Index(l.insts, v)
}

// isLinear reports whether v is a sum of counters with factors, of type i64, all the
// way down.
func (l *loop) isLinear(v *vir.Value) bool {
	if _, ok := l.sc.Nested(v); !ok {
		return false
	}
	return l.walkLinear(v, func(*vir.Value) {}) == nil
}

// walkLinear calls f for the atoms of v; it returns what is neither an atom nor made
// of some.
func (l *loop) walkLinear(v *vir.Value, f func(*vir.Value)) (bad *vir.Value) {
	edit.Known(v, func(v *vir.Value) edit.Verdict {
		if l.isAtom(v) || l.ramp(v) {
			f(v)
			return edit.Given
		}
		switch v.Op {
		case vir.OpPhi:
			inner, start, _ := l.sc.Inner(v)
			if inner == nil {
				break
			}
			c, ok := l.sc.InnerCount(inner)
			if !ok || c.Phi != v {
				break
			}
			for _, end := range []*vir.Value{start, c.Limit} {
				if end != nil && bad == nil {
					bad = l.walkLinear(end, f)
				}
			}
			return edit.Given
		case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpNeg, vir.OpLeast:
			return edit.Computed
		case vir.OpShl:
			if _, ok := v.Args[1].IsConst(); ok {
				return edit.Computed
			}
		}
		bad = v
		return edit.Unknown
	})
	return bad
}

// isAtom reports whether v is given before the region's loop.
func (l *loop) isAtom(v *vir.Value) bool {
	return v.Op == vir.OpConst || l.uniform(v) && !l.isLocal(v) && v.Type == vir.Scalar(vir.I64)
}

// atomBits are how many bits numbers may have, as many as leave what is made of them below 1<<62: sizes of matrices, those beside
// counters that begin and end at sums, and those of three dimensions.
var atomBits = []int{40, 30, 28, 20}

// boundStores finds numbers that are small enough for nothing to wrap.
func (l *loop) boundStores() error {
	s := l.nest.stores
	var all []*vir.Value
	for _, f := range s.loops {
		all = append(all, s.counts[f].Start, s.counts[f].Limit)
	}
	for _, v := range s.early {
		all = append(all, v.Args[0])
	}
	for i := range l.dp.Accesses {
		if v := l.dp.Accesses[i].Inst; l.inside(v) && v.Index() != nil && l.isLocal(v.Index()) && l.isLinear(v.Index()) {
			all = append(all, v.Index())
		}
	}
	for _, v := range all {
		bad := l.walkLinear(v, func(x *vir.Value) {
			if x.Op != vir.OpConst && !l.ramp(x) && !slices.Contains(s.atoms, x) {
				s.atoms = append(s.atoms, x)
			}
		})
		if bad != nil {
			return pass.Refuse("loopvec:InnerStore", bad, midway+"and a subscript or limit is no sum of their counters")
		}
	}
	written := make(map[*vir.Value]int)
	if slices.ContainsFunc(all, func(v *vir.Value) bool { return l.written(v, written) > mostWritten }) {
		return pass.Refuse("loopvec:InnerStore", all[0], midway+"and a subscript or limit is made of too many numbers")
	}
	for _, s.bits = range atomBits {
		s.sizes = make(map[*vir.Value]float64)
		if !slices.ContainsFunc(all, func(v *vir.Value) bool { return l.magnitude(v) > 1<<62 }) {
			return nil
		}
	}
	return pass.Refuse("loopvec:InnerStore", all[0], midway+"and subscripts or limits may be too large numbers")
}

// mostWritten is of how many operations a subscript or limit may be made, written out: corners are.
const mostWritten = 256

// written is the number of operations that linear v is made of, written out, at most one more than mostWritten.
func (l *loop) written(v *vir.Value, known map[*vir.Value]int) int {
	n, ok := known[v]
	if ok {
		return n
	}
	switch {
	case l.isAtom(v) || l.ramp(v):
		n = 1
	case v.Op == vir.OpPhi:
		inner, start, _ := l.sc.Inner(v)
		n = 1 + l.written(start, known)
		if c := l.nest.stores.counts[inner]; c.Limit != nil {
			n += l.written(c.Limit, known)
		}
	default:
		n = 1
		for _, a := range v.Args {
			n += l.written(a, known)
		}
	}
	n = min(n, mostWritten+1)
	known[v] = n
	return n
}

// magnitude bounds the absolute value of linear v, and of all that it is made of.
func (l *loop) magnitude(v *vir.Value) float64 {
	m, ok := l.nest.stores.sizes[v]
	if !ok {
		m = l.findMagnitude(v)
		l.nest.stores.sizes[v] = m
	}
	return m
}

func (l *loop) findMagnitude(v *vir.Value) float64 {
	atom := math.Ldexp(1, l.nest.stores.bits)
	if c, ok := v.ConstInt(); ok {
		return math.Abs(float64(c))
	}
	if l.ramp(v) {
		a, _ := l.sc.Affine(v)
		return atom + maxStrip*math.Abs(float64(a.Step))
	}
	if l.isAtom(v) {
		return atom
	}
	switch v.Op {
	case vir.OpPhi:
		_, start, step := l.sc.Inner(v)
		c := l.nest.stores.counts[l.nest.forest.Of(v.Block)]
		return 2*l.magnitude(start) + l.magnitude(c.Limit) + math.Abs(float64(step)) + 1
	case vir.OpMul:
		return l.magnitude(v.Args[0]) * l.magnitude(v.Args[1])
	case vir.OpShl:
		c, _ := v.Args[1].IsConst()
		return math.Ldexp(l.magnitude(v.Args[0]), int(min(c, 64)))
	case vir.OpNeg, vir.OpLeast:
		return l.magnitude(v.Args[0])
	}
	return l.magnitude(v.Args[0]) + l.magnitude(v.Args[1])
}

// isEarly reports whether check v is made at the start of a block.
func (l *loop) isEarly(v *vir.Value) bool {
	return l.nest != nil && l.nest.stores != nil && l.nest.stores.is[v]
}

// storesMidway reports whether iterations store before all loops in them have ended what may
// be stored once only.
func (l *loop) storesMidway() bool { return l.nest != nil && l.nest.stores != nil }

// needStores marks what the corners are computed from.
func (l *loop) needStores() {
	if !l.storesMidway() {
		return
	}
	s := l.nest.stores
	for _, v := range s.atoms {
		l.want(v)
	}
	for _, v := range s.early {
		l.want(v.Args[1])
	}
}

// prestores tests, before the first block, what all blocks of a nest that stores midway
// ask for.
func (e *emitter) prestores() {
	if !e.l.storesMidway() {
		return
	}
	s, i64 := e.l.nest.stores, vir.Scalar(vir.I64)
	limit := int64(1) << s.bits
	small := func(x *vir.Value) {
		if _, ok := x.ConstInt(); ok {
			return
		}
		x = e.setup.Op(vir.OpAdd, i64, x, e.setup.Int(i64, limit))
		e.require(e.setup.Cmp(vir.OpIcmpUlt, x, e.setup.Int(i64, 2*limit)))
	}
	for _, v := range s.atoms {
		small(e.value(v))
	}
	for _, phi := range e.l.header.Phis() {
		if e.l.ramp(phi) && phi.Type == i64 {
			a, _ := e.l.sc.Affine(phi)
			small(e.expr(a.Start))
		}
	}
	w := &cornerWriter{e: e, b: e.setup}
	for _, v := range s.early {
		if !e.l.lanesDecide(v) {
			e.require(w.passes(v))
		}
	}
	for _, f := range s.loops {
		if !e.l.turnsDiffer(f) && e.l.asksForTurns(f) {
			e.require(w.longEnough(f))
		}
	}
	if e.need = w.iterations(false); e.need != nil {
		e.require(e.enoughFuel(e.setup, narrowest(e.stages), e.need))
	}
}

// beginStores tests what this block asks for and takes its iterations off the fuel.
func (n *nestWriter) beginStores() {
	l := n.e.l
	if !l.storesMidway() {
		return
	}
	w := &cornerWriter{e: n.e, w: n.widener, b: n.b, last: int64(n.lanes - 1)}
	var ok *vir.Value
	for _, v := range l.nest.stores.early {
		if l.lanesDecide(v) {
			ok = w.and(ok, w.passes(v))
		}
	}
	need := w.iterations(true)
	for _, f := range l.nest.stores.loops {
		if l.countsDiffer(f) && n.lanes > 1 {
			ok = w.and(ok, w.worthwhile(f))
		}
		if l.turnsDiffer(f) && l.asksForTurns(f) {
			ok = w.and(ok, w.longEnough(f))
		}
	}
	if need != nil {
		if n.e.need != nil {
			need = n.b.Op(vir.OpAdd, need.Type, need, n.e.need)
		}
		ok = w.and(ok, n.e.enoughFuel(n.b, n.lanes, need))
	} else {
		need = n.e.need
	}
	if ok != nil {
		n.fail(ok, true, nil)
	}
	n.fuel = n.b.Op(vir.OpSub, n.fuel.Type, n.fuel, need)
}
