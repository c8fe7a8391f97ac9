package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// The lanes of periodic values, and what is asked and computed for them in the entry.

func (p *periodic) phis() []*vir.Value { return p.vars }

func (p *periodic) need(l *loop) {
	for _, v := range p.vals {
		if v.Op == vir.OpPhi {
			continue
		}
		for _, a := range v.Args {
			if l.uniform(a) {
				l.want(a)
			}
		}
	}
}

// lanesOf are the values that are kept: the variables, for what they are behind the loop, and
// others that lanes need.
func (p *periodic) lanesOf(l *loop) []*vir.Value {
	all := slices.Clone(p.vars)
	for _, v := range p.vals {
		if l.demand[v] && !slices.Contains(p.vars, v) {
			all = append(all, v)
		}
	}
	return all
}

// lanes is the number of lanes in which v is kept, at least a period.
func (p *periodic) lanes(l *loop, v *vir.Value, lanes int) int {
	e := v.Type.Elem
	if e == vir.Bool {
		e = vir.IntElem(l.widest()) // as wide as what the mask is for
	}
	n := min(lanes, l.target.Lanes(e))
	for n < p.period {
		n *= 2
	}
	return n
}

func (p *periodic) kept(l *loop, lanes int) []vir.Type {
	var all []vir.Type
	for _, v := range p.lanesOf(l) {
		all = append(all, vir.Vec(v.Type.Elem, p.lanes(l, v, lanes)))
	}
	return all
}

func (p *periodic) chain(l *loop, lanes int) float64 { return 1 }

func (p *periodic) limit(int) int64 { return 0 }

func (p *periodic) first(e *emitter, lanes int, _ bool) []*vir.Value {
	var all []*vir.Value
	for _, v := range p.lanesOf(e.l) {
		x := e.turnsOf(p, v, p.lanes(e.l, v, e.stages[0].lanes))
		all = append(all, firstLanes(e.setup, x, p.lanes(e.l, v, lanes)))
	}
	return all
}

// period computes what lanes need of the first iterations, and asks whether the variables are
// then what they were.
func (e *emitter) period(p *periodic) {
	for _, v := range p.lanesOf(e.l) {
		for k := range p.period {
			e.periodic(p, v, k)
		}
	}
	if p.always {
		return
	}
	for _, v := range p.vars {
		x, y := e.periodic(p, v, 0), e.periodic(p, e.l.next(v), p.period-1)
		if v.Type.Elem.IsFloat() {
			t := vir.Scalar(vir.IntElem(v.Type.Elem.Size()))
			x, y = e.setup.Op(vir.OpBitcast, t, x), e.setup.Op(vir.OpBitcast, t, y)
		}
		e.require(e.setup.Cmp(vir.OpIcmpEq, x, y))
	}
}

// A turn is a periodic value of the iteration k.
type turnKey struct {
	v *vir.Value
	k int
}

// periodic is v, a value of p or known before the loop, as a scalar of iteration k.
func (e *emitter) periodic(p *periodic, v *vir.Value, k int) *vir.Value {
	if !slices.Contains(p.vals, v) {
		return e.value(v)
	}
	key := turnKey{v, k}
	if x := e.turns[key]; x != nil {
		return x
	}
	var x *vir.Value
	switch {
	case v.Op.IsLoad():
		e.requireIteration()
		a := v.Addr()
		a.Base, a.Index = e.value(a.Base), e.periodic(p, a.Index, k)
		if c := p.checkOf(e.l, v); v.Masked {
			// Where the check does not pass no lane may need the element; there is a first one.
			n := e.value(c.Args[1])
			e.require(e.setup.Cmp(vir.OpIcmpSlt, e.setup.Int(n.Type, 0), n))
			a.Index = e.setup.Op(vir.OpSelect, a.Index.Type, e.periodic(p, p.passes[c], k), a.Index, e.setup.Int(a.Index.Type, 0))
		}
		x = e.setup.Load(vir.OpLoad, v.Type, a, nil)
	case slices.Contains(p.turns, v):
		x = e.turn(v, k)
	case v.Op != vir.OpPhi:
		x = e.copyOf(v, e.periodics(p, v.Args, k))
	case k == 0:
		x = e.value(v)
	default:
		x = e.periodic(p, e.l.next(v), k-1)
	}
	e.turns[key] = x
	return x
}

// turn is v, which repeats with the number of the iteration, in iteration k. There may be no such
// iteration: it is below the modulus in any case, also where the counter would wrap around.
func (e *emitter) turn(v *vir.Value, k int) *vir.Value {
	x := v.Args[0]
	if _, ok := x.IsConst(); ok {
		x = v.Args[1]
	}
	line, _ := e.l.sc.Affine(x)
	t, _ := e.l.sc.Periodic(v)
	b, now := e.setup, e.expr(line.Start)
	if k > 0 {
		now = b.Op(vir.OpAdd, now.Type, now, b.Int(now.Type, int64(k)*line.Step))
	}
	if x.Type != now.Type {
		now = b.Op(vir.OpTrunc, x.Type, now)
	}
	if v.Op == vir.OpAnd {
		return b.Op(vir.OpAnd, v.Type, now, b.Int(v.Type, t.Modulus-1))
	}
	return b.Op(vir.OpUrem, v.Type, now, b.Int(v.Type, t.Modulus))
}

func (e *emitter) periodics(p *periodic, vs []*vir.Value, k int) []*vir.Value {
	out := make([]*vir.Value, len(vs))
	for i, v := range vs {
		out[i] = e.periodic(p, v, k)
	}
	return out
}

// checkPeriod makes check v for the iterations of a period.
func (e *emitter) checkPeriod(v *vir.Value) {
	p := e.l.periodicCheck(v)
	for k := range p.period {
		e.require(edit.Passes(e.setup, v, e.periodics(p, v.Args, k)))
	}
}

// turnsOf is v, a value of p, in so many lanes from the first iteration on.
func (e *emitter) turnsOf(p *periodic, v *vir.Value, lanes int) *vir.Value {
	key := splatKey{v, lanes}
	if x := e.splats[key]; x != nil {
		return x
	}
	b, t := e.setup, vir.Vec(v.Type.Elem, lanes)
	x := b.Op(vir.OpBroadcast, t, e.periodic(p, v, 0))
	for k := 1; k < p.period; k++ {
		these := make([]uint64, lanes)
		for i := range these {
			if i%p.period == k {
				these[i] = 1
			}
		}
		y := b.Op(vir.OpBroadcast, t, e.periodic(p, v, k))
		x = b.Op(vir.OpBlend, t, b.Lanes(vir.Vec(vir.Bool, lanes), these), y, x)
	}
	e.splats[key] = x
	return x
}

// after is x, lanes of a value of p, so many iterations later, in as many lanes.
func (p *periodic) after(b *vir.Builder, x *vir.Value, iterations int) *vir.Value {
	if iterations%p.period == 0 {
		return x
	}
	at := make([]int, x.Type.Lanes)
	for k := range at {
		at[k] = (k + iterations) % p.period
	}
	return b.Shuffle(x.Type, at, x, nil)
}

func (p *periodic) next(w *widener, kept []*vir.Value) []*vir.Value {
	var all []*vir.Value
	for _, x := range kept {
		all = append(all, p.after(w.b, x, w.lanes))
	}
	return all
}

// periodic is the lanes of v, one of the values of p.
func (w *widener) periodic(p *periodic, v *vir.Value) *vir.Value {
	x := w.held[p.slot][slices.Index(p.lanesOf(w.e.l), v)]
	n := x.Type.Lanes
	if w.lanes < n {
		return w.b.Subvec(x, 0, w.lanes)
	}
	var parts []*vir.Value
	for k := 0; k < w.lanes; k += n {
		parts = append(parts, p.after(w.b, x, k))
	}
	return w.concat(parts)
}

func (p *periodic) fold(e *emitter, b *vir.Builder, kept []*vir.Value, to int, _ bool) []*vir.Value {
	var all []*vir.Value
	for i, v := range p.lanesOf(e.l) {
		all = append(all, firstLanes(b, kept[i], p.lanes(e.l, v, to)))
	}
	return all
}

func (p *periodic) results(_ *emitter, b *vir.Builder, kept []*vir.Value) []*vir.Value {
	var all []*vir.Value
	for i := range p.vars {
		all = append(all, b.Extract(kept[i], 0))
	}
	return all
}
