package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
)

// Lanes that lie a step apart which only the program knows, as rows of a matrix do:
//
//	for j := range x { s += m[i*n+j] * x[j] }     lane k: i*n+j + k*n
//
// Integers with such lanes need not be computed in lanes: the first one and the step are two
// scalars. Loads are made lane by lane at addresses of scalars, or, where several places of
// each row are needed, in groups. Checks compare the first lane with the last one. Rows that
// something else chooses, m[id[i]*n+j], are loaded likewise; their subscripts are in lanes, too.

// hasStep reports whether v is, in lane k, what it is in the first lane plus k times a number
// that all lanes share, modulo 2**64.
func (l *loop) hasStep(v *vir.Value) bool {
	if v.Type != vir.Scalar(vir.I64) {
		return false
	}
	if _, ok := l.sl.Stride(v); ok {
		return true
	}
	has, ok := l.nest.steps[v]
	if !ok {
		has = l.findStep(v)
		l.nest.steps[v] = has
	}
	return has
}

func (l *loop) findStep(v *vir.Value) bool {
	switch v.Op {
	case vir.OpAdd, vir.OpSub:
		return l.hasStep(v.Args[0]) && l.hasStep(v.Args[1])
	case vir.OpMul:
		return l.uniform(v.Args[1]) && l.hasStep(v.Args[0]) || l.uniform(v.Args[0]) && l.hasStep(v.Args[1])
	case vir.OpShl:
		return v.Args[1].Op == vir.OpConst && l.hasStep(v.Args[0])
	case vir.OpPhi:
		of, start, _ := l.sc.Inner(v)
		return of != nil && l.hasStep(start)
	}
	return false
}

// hasSmallStep reports the same of v, if that number is small where it is known.
func (l *loop) hasSmallStep(v *vir.Value) bool {
	k, ok := l.sl.Stride(v)
	return l.hasStep(v) && (!ok || -maxLaneStep <= k && k <= maxLaneStep)
}

// endsDecide reports whether check v passes in all lanes if it does in the first one and in the last one, and steps
// are small: subscript and length lie between those of these two lanes.
func (l *loop) endsDecide(v *vir.Value) bool {
	return v.Op == vir.OpCheckIndex && l.hasSmallStep(v.Args[0]) && l.hasSmallStep(v.Args[1])
}

// hasLanes reports whether the lanes of v are scalars that are cheap in a loop with block b: sums of what has a step and of
// numbers from before the loop, which are taken out of their vectors.
func (l *loop) hasLanes(v *vir.Value, b *vir.Block) bool {
	switch {
	case l.hasStep(v):
		return true
	case v.Op == vir.OpAdd:
		return l.hasLanes(v.Args[0], b) && l.hasLanes(v.Args[1], b)
	}
	return v.Type == vir.Scalar(vir.I64) && v.Block != nil && l.depth(v.Block) == 0 && l.depth(b) > 0
}

// needLanes marks what laneOf needs.
func (l *loop) needLanes(v *vir.Value) {
	switch {
	case l.hasStep(v):
		l.needScalar(v)
		l.needStep(v)
	case v.Op == vir.OpAdd && l.inside(v):
		l.needLanes(v.Args[0])
		l.needLanes(v.Args[1])
	default:
		l.need(v)
	}
}

// needStep marks what the step of v is computed from.
func (l *loop) needStep(v *vir.Value) {
	for _, by := range l.stepFactors(v) {
		l.needScalar(by)
	}
}

// stepFactors are the values that the step of v is a sum of products of, each once.
func (l *loop) stepFactors(v *vir.Value) []*vir.Value {
	var all []*vir.Value
	seen := make(map[*vir.Value]bool)
	var walk func(v *vir.Value)
	walk = func(v *vir.Value) {
		if _, ok := l.sl.Stride(v); ok || seen[v] {
			return
		}
		seen[v] = true
		switch v.Op {
		case vir.OpAdd, vir.OpSub:
			walk(v.Args[0])
			walk(v.Args[1])
		case vir.OpMul:
			x, by := l.factors(v)
			walk(x)
			if !slices.Contains(all, by) {
				all = append(all, by)
			}
		case vir.OpShl:
			walk(v.Args[0])
		default:
			_, start, _ := l.sc.Inner(v)
			walk(start)
		}
	}
	walk(v)
	return all
}

// factors are those of product v, the one with a step and the one that lanes share.
func (l *loop) factors(v *vir.Value) (x, by *vir.Value) {
	if l.uniform(v.Args[1]) {
		return v.Args[0], v.Args[1]
	}
	return v.Args[1], v.Args[0]
}

// stepOf is the step of v as a scalar.
func (w *widener) stepOf(v *vir.Value) *vir.Value { return w.e.l.writeStep(w.b, w.scalar, v) }

// writeStep computes the step of v with b from scalars.
func (l *loop) writeStep(b *vir.Builder, scalar func(*vir.Value) *vir.Value, v *vir.Value) *vir.Value {
	w := stepWriter{l, b, scalar, make(map[*vir.Value]*vir.Value)}
	return w.step(v)
}

type stepWriter struct {
	l       *loop
	b       *vir.Builder
	scalar  func(*vir.Value) *vir.Value
	written map[*vir.Value]*vir.Value
}

// step is the step of v, written once.
func (w *stepWriter) step(v *vir.Value) *vir.Value {
	if w.written[v] == nil {
		w.written[v] = w.write(v)
	}
	return w.written[v]
}

func (w *stepWriter) write(v *vir.Value) *vir.Value {
	l, i64 := w.l, vir.Scalar(vir.I64)
	if k, ok := l.sl.Stride(v); ok {
		return w.b.Int(i64, k)
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub:
		x, y := v.Args[0], v.Args[1]
		switch {
		case l.uniform(y):
			return w.step(x)
		case l.uniform(x) && v.Op == vir.OpAdd:
			return w.step(y)
		}
		return w.b.Op(v.Op, i64, w.step(x), w.step(y))
	case vir.OpMul:
		x, by := l.factors(v)
		if k, ok := l.sl.Stride(x); ok && k == 1 {
			return w.scalar(by)
		}
		return w.b.Op(vir.OpMul, i64, w.step(x), w.scalar(by))
	case vir.OpShl:
		return w.b.Op(vir.OpShl, i64, w.step(v.Args[0]), w.b.Int(i64, int64(v.Args[1].Bits[0])))
	}
	_, start, _ := l.sc.Inner(v)
	return w.step(start)
}

// laneOf is v, which has a step or is made of such values and others, in one lane.
func (w *widener) laneOf(v *vir.Value, lane int) *vir.Value {
	key := laneKey{v, lane}
	switch l := w.e.l; {
	case w.rows[key] != nil:
	case l.hasStep(v) && lane == 0:
		return w.scalar(v)
	case !l.hasStep(v) && v.Op == vir.OpAdd && l.inside(v):
		w.rows[key] = w.b.Op(vir.OpAdd, v.Type, w.laneOf(v.Args[0], lane), w.laneOf(v.Args[1], lane))
	case !l.hasStep(v):
		w.rows[key] = w.b.Extract(w.value(v), lane)
	default:
		before := w.laneOf(v, lane-1)
		step := w.rows[laneKey{v, -1}]
		if step == nil {
			step = w.stepOf(v)
			w.rows[laneKey{v, -1}] = step
		}
		w.rows[key] = w.b.Op(vir.OpAdd, v.Type, before, step)
	}
	return w.rows[key]
}

// lanesLieApart reports whether the lanes of access v do. Stores to fields of neighbouring elements are better made otherwise.
func (l *loop) lanesLieApart(v *vir.Value) bool {
	if v.Masked || v.Index() == nil || !l.uniform(v.Base()) && !l.rowOfLane(v.Base()) {
		return false
	}
	if !l.hasStep(v.Index()) {
		return v.Op.IsLoad() && l.hasLanes(v.Index(), v.Block)
	}
	a := l.sl.Address(v)
	near := a.Kind == slev.Strided && max(a.Stride, -a.Stride) < cacheLine
	return v.Op.IsLoad() || !near
}

// cacheLine is the bytes of a line of the cache.
const cacheLine = 64

// rowOfLane reports whether p is a pointer that each lane loads from a place of its own.
func (l *loop) rowOfLane(p *vir.Value) bool {
	return p.Op == vir.OpLoad && !p.Masked && l.uniform(p.Base()) && p.Index() != nil && l.hasStep(p.Index())
}

// knownStep reports whether the lanes of access v lie a constant number of bytes apart, and not many.
func (l *loop) knownStep(v *vir.Value) bool {
	s := l.sl.Address(v)
	return s.Kind == slev.Strided && max(s.Stride, -s.Stride) <= maxLaneStep
}

// apartAddr is where access v, whose lanes lie apart, is in one lane.
func (w *widener) apartAddr(v *vir.Value, lane int) vir.Addr {
	a := v.Addr()
	if p := a.Base; w.e.l.uniform(p) {
		a.Base = w.scalar(p)
	} else {
		key := laneKey{p, lane}
		if w.rows[key] == nil {
			w.rows[key] = w.b.Load(vir.OpLoad, p.Type, w.apartAddr(p, lane), nil)
		}
		a.Base = w.rows[key]
	}
	if w.e.l.knownStep(v) {
		a.Index = w.scalar(a.Index)
		a.Disp += int64(lane) * w.e.l.sl.Address(v).Stride
		return a
	}
	a.Index = w.laneOf(a.Index, lane)
	return a
}

// lastLane is what x, v in the first lane, is in the last one.
func (n *nestWriter) lastLane(x, v *vir.Value) *vir.Value {
	if n.e.l.uniform(v) || n.lanes == 1 {
		return x
	}
	i64, last := vir.Scalar(vir.I64), int64(n.lanes-1)
	if k, ok := n.e.l.sl.Stride(v); ok {
		return n.b.Op(vir.OpAdd, i64, x, n.b.Int(i64, k*last))
	}
	return n.b.Op(vir.OpAdd, i64, x, n.b.Op(vir.OpMul, i64, n.stepOf(v), n.b.Int(i64, last)))
}

// requireSmallSteps hands the block over where a subscript, or the length that it is checked against, moves so
// far from lane to lane that those between the first and the last one, both in range, might be out
// of it.
func (n *nestWriter) requireSmallSteps(check *vir.Value) {
	for _, v := range check.WithoutMask() {
		if _, ok := n.e.l.sl.Stride(v); !ok && n.lanes > 1 {
			n.require(within(n.b, n.stepOf(v), smallStep))
		}
	}
}

// Rows that lie a multiple of aliasing bytes apart share the few lines of a set of the first cache: so many rows
// at most are gone through together then, and twice as many at any rate. Where some are stored to, those of all matrices
// count, since what is pushed out then has to be written, and loads wait for stores to addresses that end alike.
const (
	aliasing     = 4096 // bytes
	aliasingRows = 8
	mostRows     = 16
)

// rowAccesses are the accesses of inner loops whose lanes lie apart.
func (l *loop) rowAccesses() (all []*vir.Value) {
	for _, v := range l.insts {
		if (l.demand[v] || v.Op.IsStore()) && l.innerForm(v) == innerSpread {
			all = append(all, v)
		}
	}
	return all
}

// maxRows is how many lanes a block may have.
func (l *loop) maxRows() int {
	most := maxLanes
	for _, v := range l.rowAccesses() {
		s := l.sl.Address(v)
		if most = min(most, mostRows); s.Kind == slev.Strided && s.Stride%aliasing == 0 || l.isRow(v) {
			return l.rowsTogether() // rows that have been allocated one by one often begin at the start of a page
		}
	}
	return most
}

// rowsTogether is how many rows of each matrix may share a set.
func (l *loop) rowsTogether() int {
	matrices, stores := make(map[*vir.Value]bool), false
	for _, v := range l.rowAccesses() {
		matrices[v.Base()] = true
		stores = stores || v.Op.IsStore()
	}
	if !stores {
		return aliasingRows
	}
	return aliasingRows / len(matrices)
}

// unlessAliasing is ok, and rows do not share a set of the cache, as far as that is known before the loop.
func (e *emitter) unlessAliasing(b *vir.Builder, s stage, ok *vir.Value) *vir.Value {
	if !e.l.isNest() || s.lanes <= e.l.rowsTogether() {
		return ok
	}
	for _, v := range e.l.rowAccesses() {
		if !e.l.hasStep(v.Index()) {
			continue
		}
		factors := e.l.stepFactors(v.Index())
		if len(factors) == 0 || slices.ContainsFunc(factors, e.l.isLocal) {
			continue
		}
		i64 := vir.Scalar(vir.I64)
		step := e.l.writeStep(e.setup, e.value, v.Index())
		far := e.setup.Op(vir.OpAnd, i64, e.setup.Op(vir.OpMul, i64, step, e.setup.Int(i64, v.Scale)), e.setup.Int(i64, aliasing-1))
		ok = b.Op(vir.OpAnd, ok.Type, ok, e.setup.Cmp(vir.OpIcmpNe, far, e.setup.Int(i64, 0)))
	}
	return ok
}
