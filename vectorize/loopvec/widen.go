package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// A widener writes one block of iterations at a number of lanes. Memory
// operations and checks come in the order of the schedule, everything else when it
// is needed.
type widener struct {
	e       *emitter
	b       *vir.Builder
	lanes   int
	t       *vir.Value // iteration of lane 0
	down    *vir.Value // -t, when some access goes down
	vec     map[*vir.Value]*vir.Value
	lasts   map[*vir.Value]*vir.Value // scalars of the last lane
	scal    map[*vir.Value]*vir.Value // scalars of the block, in nests
	wide    map[wideKey]*vir.Value    // narrow indices in wider lanes
	rows    map[laneKey]*vir.Value    // indices as scalars
	singles map[laneKey]*vir.Value    // lanes of cycles
	serials []*serial                 // cycles by index that are done together
	words   map[laneKey]*vir.Value    // masks as bits, from a lane on
	old     map[*vir.Value]*vir.Value // lanes of loads before the store that they follow

	now     map[*vir.Value]*vir.Value // counters, and what is computed from them
	hit     map[hitKey]*vir.Value
	numbers map[hitKey]*vir.Value

	held   [][]*vir.Value        // before this block, as loop.held
	main   bool                  // the block is one of the main loop
	phases []*vir.Value          // subscripts that repeat, as the emitter's phases
	totals map[*carry]*vir.Value // last values of scans, as they are kept
	open   map[*vir.Value]bool   // scans that have been begun
	ok     *vir.Value            // what has been checked, a mask or a bool; nil for nothing
	rests  bool                  // loads may rest on it whatever their subscripts are
	leave  *vir.Value            // lanes that leave the loop; nil for none
	rest   *vir.Value            // lanes with an iteration, of a masked block; nil for all
	later  bool                  // checks of the block are still to come

	// fail hands the block over if the bool stop, or its complement, holds. It may be
	// told the lanes that stop.
	fail func(stop *vir.Value, complement bool, lanes *vir.Value)
	// stop ends the call before this block, with so much of the fuel left.
	stop func(left *vir.Value)
	// split makes another block of the stage, not yet placed.
	split func() *vir.Block
}

func newWidener(e *emitter, b *vir.Builder, lanes int, t *vir.Value) *widener {
	return &widener{
		e: e, b: b, lanes: lanes, t: t,
		vec:   make(map[*vir.Value]*vir.Value),
		lasts: make(map[*vir.Value]*vir.Value),
		wide:  make(map[wideKey]*vir.Value),
		rows:  make(map[laneKey]*vir.Value),

		totals:  make(map[*carry]*vir.Value),
		open:    make(map[*vir.Value]bool),
		old:     make(map[*vir.Value]*vir.Value),
		singles: make(map[laneKey]*vir.Value),
		words:   make(map[laneKey]*vir.Value),
		hit:     make(map[hitKey]*vir.Value),
		numbers: make(map[hitKey]*vir.Value),
	}
}

// block writes the body in the order of the schedule.
func (w *widener) block() {
	l := w.e.l
	checks, stored := 0, make(map[*vir.Value]bool)
	for i, v := range l.sched {
		if v.Op.IsCheck() {
			checks = i + 1
		}
	}
	for i, v := range l.sched {
		w.b.Pos, w.later = v.Pos, i < checks
		g := l.groups[v]
		s := l.serials[v]
		switch {
		case s != nil && (s.nodes[0] != v || slices.Contains(w.serials, s)):
		case s != nil && s.byIndex(l):
			w.serialByIndex(l.byIndexFrom(i))
		case s != nil:
			w.serial(s)
		case g != nil && g.place != v:
		case g != nil && v.Op.IsLoad():
			w.beforeLoad()
			w.loadGroup(g)
		case g != nil:
			w.flush()
			w.storeGroup(g)
		case v.Op.IsLoad():
			w.beforeLoad()
			w.load(v)
		case stored[v]:
		case l.storedActive(v):
			w.flush()
			for _, x := range w.storeByIndex(l.storesActive(i)) {
				stored[x] = true
			}
		case v.Op.IsStore():
			w.flush()
			w.store(v)
		default:
			w.check(v)
		}
	}
	w.later = false
	w.flush()
}

// beforeLoad hands the block over in front of a load that rests on a check which has failed.
func (w *widener) beforeLoad() {
	if w.rests {
		w.flush()
	}
}

// load reads all lanes, also those that a mask excludes: see loop.maskedLoad.
// One address for all lanes is read once: under a mask slev does not call such a
// load uniform, since some lanes have no value.
func (w *widener) load(v *vir.Value) {
	op := vir.OpLoadUnit
	a := w.e.l.dp.Access(v)
	if a.Kind == dep.Counted {
		w.vec[v] = w.expand(a)
		return
	}
	ad := w.e.address(a)
	if a.Uniform() {
		x := w.b.Load(vir.OpLoad, v.Type, vir.Addr{Base: ad.base, Disp: ad.disp}, nil)
		w.vec[v] = w.b.Op(vir.OpBroadcast, vir.Vec(v.Type.Elem, w.lanes), x)
		return
	}
	x := w.forwarded(a)
	if x == nil {
		x = w.loadSpread(a)
	}
	if x != nil {
		x.Name = v.Name
		w.vec[v] = x
		return
	}
	if ad.reverse {
		op = vir.OpLoadReverse
	}
	x = w.b.Load(op, vir.Vec(v.Type.Elem, w.lanes), w.at(ad), w.rest)
	x.Name = v.Name
	w.vec[v] = w.orZero(x)
}

func (w *widener) store(v *vir.Value) {
	op := vir.OpStoreUnit
	a := w.e.l.dp.Access(v)
	if a.Kind == dep.Counted {
		w.storePacked(a)
		return
	}
	if u := w.e.l.updateOf(v); u != nil {
		w.update(u)
		return
	}
	ad := w.e.address(a)
	if a.Uniform() {
		w.storeLast(v, ad)
		return
	}
	w.loadOld(a)
	if w.storeSpread(a) {
		return
	}
	if ad.reverse {
		op = vir.OpStoreReverse
	}
	var mask *vir.Value
	if v.Masked {
		mask = w.value(v.Mask())
	}
	x := w.value(v.Stored())
	if w.e.l.blends[v] && w.rest == nil {
		// Nobody else looks: the other lanes get back what they have.
		load := vir.OpLoadUnit
		if ad.reverse {
			load = vir.OpLoadReverse
		}
		old := w.b.Load(load, x.Type, w.at(ad), nil)
		x, mask = w.b.Op(vir.OpBlend, x.Type, mask, x, old), nil
	}
	w.b.Store(op, x, w.at(ad), w.masked(mask))
}

// onlyIf does something under a condition.
func (w *widener) onlyIf(cond *vir.Value, do func()) {
	some, none := w.split(), w.split()
	w.b.Br(cond, some, none)
	w.e.place(w.b, some)
	do()
	w.b.Jmp(none)
	w.e.place(w.b, none)
}

// value is v in lanes.
func (w *widener) value(v *vir.Value) *vir.Value {
	if x := w.vec[v]; x != nil {
		return x
	}
	var x *vir.Value
	switch {
	case w.e.l.members[v] != nil:
		x = w.together(v)
	case w.e.l.periodics[v] != nil:
		x = w.periodic(w.e.l.periodics[v], v)
	case !w.e.l.inLanes(v):
		x = w.splat(v)
	case w.e.l.ramp(v):
		x = w.ramp(v)
	case w.e.l.cuts[v] != nil:
		x = w.cut(w.e.l.cuts[v])
	case w.e.l.series[v] != nil:
		x = w.series(w.e.l.series[v], v)
	case w.e.l.carries[v] != nil:
		x = w.shifted(w.e.l.carries[v])
	case w.e.l.scans[v] != nil:
		s := w.e.l.scans[v]
		if w.open[v] {
			panic(fmt.Sprintf("lanes of %s need themselves", name(v)))
		}
		w.open[v] = true
		s.by.combine(w, s)
		x = w.vec[v]
	default:
		x = w.widened(v)
	}
	w.vec[v] = x
	return x
}

// splat is a uniform value in lanes, made in the entry once for the widest stage.
// Narrower stages take a part of that.
func (w *widener) splat(v *vir.Value) *vir.Value {
	if w.e.l.isNest() {
		return w.e.constant(v, w.lanes)
	}
	if bits, ok := v.IsConst(); ok {
		return w.b.Const(vir.Vec(v.Type.Elem, w.lanes), bits)
	}
	widest := w.e.stages[0].lanes
	x := w.e.broadcast(v, widest)
	if w.lanes < widest {
		x = w.b.Subvec(x, 0, w.lanes)
	}
	return x
}

// constant is v in so many lanes, in the entry: what is made there is at hand in all
// blocks of a nest.
func (e *emitter) constant(v *vir.Value, lanes int) *vir.Value {
	bits, ok := v.IsConst()
	if !ok {
		return e.broadcast(v, lanes)
	}
	key := splatKey{v, lanes}
	if e.splats[key] == nil {
		e.splats[key] = e.setup.Const(vir.Vec(v.Type.Elem, lanes), bits)
	}
	return e.splats[key]
}

// broadcast puts uniform v of the region into lanes, in the entry.
func (e *emitter) broadcast(v *vir.Value, lanes int) *vir.Value {
	key := splatKey{v, lanes}
	if x := e.splats[key]; x != nil {
		return x
	}
	x := e.setup.Op(vir.OpBroadcast, vir.Vec(v.Type.Elem, lanes), e.value(v))
	x.Name = v.Name
	e.splats[key] = x
	return x
}

// ramp is first + t*step in every lane, plus 0, step, 2*step, ...
func (w *widener) ramp(v *vir.Value) *vir.Value {
	a, _ := w.e.l.sc.Affine(v)
	e := v.Type.Elem
	t := vir.Vec(e, w.lanes)
	lanes := make([]uint64, w.lanes)
	for k := range lanes {
		lanes[k] = uint64(int64(k)*a.Step) & e.Ones()
	}
	all := w.b.Op(vir.OpBroadcast, t, w.rampAt(v, 0))
	if w.lanes == 1 {
		return all
	}
	return w.b.Op(vir.OpAdd, t, all, w.b.Lanes(t, lanes))
}

// rampAt is one lane of a ramp as a scalar.
func (w *widener) rampAt(v *vir.Value, lane int64) *vir.Value {
	a, _ := w.e.l.sc.Affine(v)
	i64 := vir.Scalar(vir.I64)
	x := w.t
	if a.Step != 1 {
		x = w.b.Op(vir.OpMul, i64, x, w.b.Int(i64, a.Step))
	}
	x = w.b.Op(vir.OpAdd, i64, x, w.e.expr(a.Start))
	if lane != 0 {
		x = w.b.Op(vir.OpAdd, i64, x, w.b.Int(i64, lane*a.Step))
	}
	if e := v.Type.Elem; e != vir.I64 {
		x = w.b.Op(vir.OpTrunc, vir.Scalar(e), x)
	}
	return x
}

// widened is the operation of v on lanes. A choice by a bool becomes one by a mask.
func (w *widener) widened(v *vir.Value) *vir.Value {
	op := v.Op
	if op == vir.OpSelect {
		op = vir.OpBlend
	}
	args := make([]*vir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.value(a)
	}
	pos := w.b.Pos
	w.b.Pos = v.Pos
	x := w.b.Op(op, vir.Vec(v.Type.Elem, w.lanes), args...)
	w.b.Pos = pos
	x.Name = v.Name
	return x
}

// accumulate is the accumulators of r after this block, nil for none before the first one.
func (w *widener) accumulate(r *reduction, acc *vir.Value) *vir.Value {
	return w.kept(r, w.accumulated(r, acc), acc)
}

// accumulated is the accumulators of r with those items that all lanes have.
func (w *widener) accumulated(r *reduction, acc *vir.Value) *vir.Value {
	x := w.added(r, w.value(r.x))
	if acc == nil {
		return w.started(r, x)
	}
	if r.line != nil {
		acc = w.b.Op(vir.OpMul, acc.Type, acc, w.e.power(r, acc.Type.Lanes))
	}
	switch {
	case r.ext != vir.OpInvalid:
		return r.add(w.b, acc, x)
	case r.op != vir.OpSelect:
		return w.b.Op(r.step, acc.Type, acc, x)
	}
	p, q := acc, x
	if r.swapped {
		p, q = q, p
	}
	return w.b.Op(vir.OpBlend, acc.Type, w.b.Cmp(r.cmp, p, q), x, acc)
}
