package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Subscripts that repeat, x[i%c], with any period. The lanes of the subscript are
// computed once per call, with a division, and go from block to block by an
// addition and a subtraction of c where they have reached it:
//
//	vec32:  %p = phi i32x32 [...]           subscripts of the block, below c
//	        ... permute %table, %p          or a gather, when c elements are too many
//	        %q = umin %p+s, %p+s-c          s is 32 times the step, modulo c
//
// s and c are small against the lanes, so that a difference below 0 is a large
// unsigned number. A stage begins where one of more lanes ended, with the lowest
// ones of its lanes.

// A phase is a subscript in lanes of one size.
type phase struct {
	index   *vir.Value
	elem    vir.Elem
	modulus int64
	step    int64 // per iteration, in [0, modulus)
	start   *plan.Expr
	low     bool // what counts is low bits, else the remainder of a natural number
}

type phaseKey struct {
	index *vir.Value
	elem  vir.Elem
}

// maxModulus bounds subscripts that are kept in lanes.
const maxModulus = 1 << 24

// turns reports whether load a has a subscript that is carried as a phase. Scalar
// code has low bits for nothing: gathers by them do not pay.
func (l *loop) turns(a *dep.Access) bool {
	if l.isNest() || l.periodics[a.Inst] != nil || a.Store || a.Kind != dep.Periodic || l.isRotated(a) || a.Modulus < 2 || a.Modulus > maxModulus {
		return false
	}
	return l.ringLanes(a) > 0 || !ofLowBits(a.Index)
}

// ofLowBits reports whether subscript v is low bits of an integer, not a remainder.
func ofLowBits(v *vir.Value) bool {
	for v.Op == vir.OpZext {
		v = v.Args[0]
	}
	return v.Op == vir.OpAnd
}

// phaseOf describes the subscript of load a.
func (l *loop) phaseOf(a *dep.Access) phase {
	p := phase{index: a.Index, elem: vir.I32, modulus: a.Modulus}
	if l.ringLanes(a) > 0 {
		p.elem = vir.IntElem(int(a.Stream.Size))
	}
	x := turn(a)
	aff, _ := l.sc.Affine(x)
	p.step, p.start, p.low = mod(aff.Step, a.Modulus), aff.Start, ofLowBits(a.Index)
	return p
}

// phases are those of the loads in lanes, each once.
func (l *loop) phases() []phase {
	var all []phase
	seen := make(map[phaseKey]bool)
	for i := range l.dp.Accesses {
		a := &l.dp.Accesses[i]
		if !l.demand[a.Inst] || !l.turns(a) {
			continue
		}
		p := l.phaseOf(a)
		if key := (phaseKey{p.index, p.elem}); !seen[key] {
			seen[key] = true
			all = append(all, p)
		}
	}
	return all
}

// ringLanes is the number of lanes of a table of the elements that load a goes
// round; 0 when they are too many, or not known to be there.
func (l *loop) ringLanes(a *dep.Access) int {
	size := a.Stream.Size
	if !l.holdsKey(a) || a.Scale != size || size < 8 && 2*a.Modulus > 1<<(8*size) {
		return 0
	}
	n := max(16/int(size), 1)
	for int64(n) < a.Modulus {
		n *= 2
	}
	t := vir.Vec(a.Inst.Type.Elem, 32/int(size))
	if n*int(size) > 256 || l.target.PermuteCost(t, n).Throughput > l.target.GatherCost(t, vir.I32, a.Inst.Masked).Throughput {
		return 0
	}
	return n
}

// wrapped is x, below twice the modulus, modulo the modulus.
func (p *phase) wrapped(b *vir.Builder, x *vir.Value) *vir.Value {
	return p.after(b, x, 0)
}

// after is x + s modulo the modulus, of x + s below twice the modulus.
func (p *phase) after(b *vir.Builder, x *vir.Value, s int64) *vir.Value {
	y := x
	if s != 0 {
		y = b.Op(vir.OpAdd, x.Type, x, b.Int(x.Type, s))
	}
	z := b.Op(vir.OpAdd, x.Type, x, b.Int(x.Type, s-p.modulus))
	if x.Type.Elem == vir.I64 {
		return b.Op(vir.OpBlend, x.Type, b.Cmp(vir.OpIcmpSlt, z, b.Int(x.Type, 0)), y, z)
	}
	return b.Op(vir.OpUmin, x.Type, y, z)
}

// next is the lanes of p, x, after so many iterations.
func (p *phase) next(b *vir.Builder, x *vir.Value, iterations int) *vir.Value {
	s := int64(iterations) % p.modulus * p.step % p.modulus
	if s == 0 {
		return x
	}
	return p.after(b, x, s)
}

// firstPhases are the lanes of the subscripts in the first block.
func (e *emitter) firstPhases() []*vir.Value {
	var all []*vir.Value
	i64 := vir.Scalar(vir.I64)
	lanes := e.stages[0].lanes
	b := e.setup
	for i := range e.phases {
		p := &e.phases[i]
		x := e.expr(p.start)
		if p.low {
			x = b.Op(vir.OpAnd, i64, x, b.Int(i64, p.modulus-1))
		} else {
			x = b.Op(vir.OpUrem, i64, x, b.Int(i64, p.modulus))
		}
		if p.elem != vir.I64 {
			x = b.Op(vir.OpTrunc, vir.Scalar(p.elem), x)
		}
		t := vir.Vec(p.elem, lanes)
		steps := make([]uint64, lanes)
		for k := range steps {
			steps[k] = uint64(int64(k) % p.modulus * p.step % p.modulus)
		}
		v := b.Op(vir.OpBroadcast, t, x)
		v = b.Op(vir.OpAdd, t, v, b.Lanes(t, steps))
		all = append(all, p.wrapped(b, v))
	}
	return all
}

// narrowed is the lowest lanes of phases.
func narrowed(b *vir.Builder, phases []*vir.Value, lanes int) []*vir.Value {
	var out []*vir.Value
	for _, x := range phases {
		if x.Type.Lanes > lanes {
			x = b.Subvec(x, 0, lanes)
		}
		out = append(out, x)
	}
	return out
}

// nextPhases are the subscripts behind this block.
func (w *widener) nextPhases() []*vir.Value {
	var out []*vir.Value
	for i, x := range w.phases {
		out = append(out, w.e.phases[i].next(w.b, x, w.lanes))
	}
	return out
}

// phase is the subscript of load a in lanes.
func (w *widener) phase(a *dep.Access) *vir.Value {
	want := w.e.l.phaseOf(a)
	for i, p := range w.e.phases {
		if p.index == want.index && p.elem == want.elem {
			return w.phases[i]
		}
	}
	panic("a subscript that repeats is not carried")
}

// turned is the lanes of load a, whose subscript is a phase.
func (w *widener) turned(a *dep.Access) *vir.Value {
	if w.e.l.ringLanes(a) > 0 {
		return w.b.Permute(w.e.ring(a), w.phase(a))
	}
	w.flush()
	var mask *vir.Value
	if a.Inst.Masked {
		mask = w.value(a.Inst.Mask())
	}
	return w.b.Gather(vir.Vec(a.Inst.Type.Elem, w.lanes), w.byIndex(a, w.phase(a)), mask)
}

type ringKey struct {
	param   int
	modulus int64
}

// ring is the table of the elements that load a goes round.
func (e *emitter) ring(a *dep.Access) *vir.Value {
	key := ringKey{a.Stream.Param, a.Modulus}
	if e.rings[key] == nil {
		x := e.loadRing(a)
		x.Name = e.l.region.Fn.Params[a.Stream.Param].Name
		e.rings[key] = x
	}
	return e.rings[key]
}

// loadRing loads a ring: whole registers, and what is left from its end.
func (e *emitter) loadRing(a *dep.Access) *vir.Value {
	p := e.l.region.Fn.Params[a.Stream.Param]
	n, count, size := e.l.ringLanes(a), int(a.Modulus), int(a.Stream.Size)
	elem := a.Inst.Type.Elem
	if p.Param.Content != "" {
		lanes := make([]uint64, n)
		for k := range count {
			lanes[k], _ = p.Param.Known(int64(k*size), size)
		}
		return e.setup.Lanes(vir.Vec(elem, n), lanes)
	}
	per := min(n, registerBytes/size)
	var parts []*vir.Value
	for o := 0; o < n; o += per {
		switch {
		case o+per <= count:
			parts = append(parts, e.elements(a, o, per))
		case o < count && count >= per:
			lanes := make([]int, per)
			for k := range lanes {
				if lanes[k] = k + o + per - count; lanes[k] >= per {
					lanes[k] = -1
				}
			}
			parts = append(parts, e.setup.Shuffle(vir.Vec(elem, per), lanes, e.elements(a, count-per, per), nil))
		case o < count:
			parts = append(parts, e.fewElements(a, count, per))
		default:
			parts = append(parts, e.setup.Const(vir.Vec(elem, per), 0))
		}
	}
	w := &widener{e: e, b: e.setup}
	return w.concat(parts)
}

// elements loads n neighbours from element first on.
func (e *emitter) elements(a *dep.Access, first, n int) *vir.Value {
	base := e.live(e.l.region.Fn.Params[a.Stream.Param])
	return e.setup.Load(vir.OpLoadUnit, vir.Vec(a.Inst.Type.Elem, n), vir.Addr{Base: base, Disp: int64(first) * a.Scale}, nil)
}

// fewElements loads count elements, fewer than a register has, in two loads that
// overlap.
func (e *emitter) fewElements(a *dep.Access, count, lanes int) *vir.Value {
	h := floorPow2(count)
	at := make([]int, lanes)
	for k := range at {
		switch {
		case k < h:
			at[k] = k
		case k < count:
			at[k] = k - (count - h) + h
		default:
			at[k] = -1
		}
	}
	t := vir.Vec(a.Inst.Type.Elem, lanes)
	x := e.elements(a, 0, h)
	if h == count {
		return e.setup.Shuffle(t, at, x, nil)
	}
	return e.setup.Shuffle(t, at, x, e.elements(a, count-h, h))
}
