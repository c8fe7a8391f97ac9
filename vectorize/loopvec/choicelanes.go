package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// How a block keeps and combines what choices hold: see choice.go for what they are.

func (c *choice) kept(_ *loop, lanes int) []vir.Type {
	ts := []vir.Type{vir.Vec(c.unit, lanes)}
	if c.key != nil {
		ts = append(ts, vir.Vec(c.key.item.Type.Elem, lanes))
	}
	for _, p := range c.pays {
		if p.inLanes() {
			ts = append(ts, vir.Vec(p.phi.Type.Elem, lanes))
		}
	}
	return ts
}

func (c *choice) chain(l *loop, lanes int) float64 {
	if c.key == nil || l.sought != nil {
		return 1
	}
	t := vir.Vec(c.key.item.Type.Elem, lanes)
	return l.target.Cost(c.key.cmp, t).Latency + l.target.Cost(vir.OpBlend, t).Latency
}

// limit is what numbers of blocks can count.
func (c *choice) limit(lanes int) int64 {
	if c.unit.Size() > 2 {
		return 0
	}
	return int64(lanes) << (c.unit.Bits() - 1)
}

// What is kept is the number of the block or iteration, the key if there is one, and
// payloads in lanes.

func (c *choice) first(e *emitter, lanes int, main bool) []*vir.Value {
	elem := c.iterElem()
	if main {
		elem = c.unit
	}
	vs := []*vir.Value{e.setup.Int(vir.Vec(elem, lanes), -1)}
	if c.key != nil {
		vs = append(vs, e.splatOf(c.firstKey(e), lanes))
	}
	for _, p := range c.pays {
		if p.inLanes() {
			vs = append(vs, e.splatOf(e.l.initial(p.phi), lanes))
		}
	}
	return vs
}

// splatOf is uniform v of the region in lanes, in the entry: a part of what the
// widest stage has.
func (e *emitter) splatOf(v *vir.Value, lanes int) *vir.Value {
	x := e.broadcast(v, e.stages[0].lanes)
	if lanes < x.Type.Lanes {
		x = e.setup.Subvec(x, 0, lanes)
	}
	return x
}

func (c *choice) next(w *widener, kept []*vir.Value) []*vir.Value {
	b := w.b
	m := c.mask(w, kept)
	pick := func(x, old *vir.Value) *vir.Value { return b.Op(vir.OpBlend, old.Type, m, x, old) }
	out := []*vir.Value{pick(c.now(w), kept[0])}
	at := 1
	if c.key != nil {
		out = append(out, pick(w.value(c.key.item), kept[at]))
		at++
	}
	for _, p := range c.pays {
		if p.inLanes() {
			out = append(out, pick(w.value(p.value), kept[at]))
			at++
		}
	}
	return out
}

// mask is the lanes that choose this block.
func (c *choice) mask(w *widener, kept []*vir.Value) *vir.Value {
	switch {
	case c.key == nil && c.not:
		return w.b.Op(vir.OpNot, vir.Mask(w.lanes), w.value(c.cond))
	case c.key == nil:
		return w.value(c.cond)
	}
	m := c.key.compare(w.b, c.key.cmp, kept[1], w.value(c.key.item))
	if c.cond != nil {
		m = w.b.Op(vir.OpAnd, m.Type, w.value(c.cond), m)
	}
	return m
}

func (k *choiceKey) compare(b *vir.Builder, op vir.Op, old, item *vir.Value) *vir.Value {
	if k.swapped {
		old, item = item, old
	}
	return b.Cmp(op, old, item)
}

// now is what lanes call the iterations of this block: in the main loop all of them
// by the number of the block, or its first iteration where there is room for that.
func (c *choice) now(w *widener) *vir.Value {
	b, t := w.b, w.t
	if !w.main {
		x := w.iteration(c.iterElem(), t)
		if w.lanes == 1 {
			return x
		}
		return b.Op(vir.OpAdd, x.Type, x, b.Lanes(x.Type, multiples(1, w.lanes)))
	}
	if c.unit.Size() <= 2 {
		t = b.Op(vir.OpLshr, t.Type, t, b.Int(t.Type, log2(w.lanes)))
	}
	return w.iteration(c.unit, t)
}

// iteration is scalar t in lanes of elem.
func (w *widener) iteration(elem vir.Elem, t *vir.Value) *vir.Value {
	if elem != vir.I64 {
		t = w.b.Op(vir.OpTrunc, vir.Scalar(elem), t)
	}
	return w.b.Op(vir.OpBroadcast, vir.Vec(elem, w.lanes), t)
}

func log2(n int) int64 {
	k := int64(0)
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// multiples are the first n of k, from 0 on.
func multiples(k int64, n int) []uint64 {
	all := make([]uint64, n)
	for j := range all {
		all[j] = uint64(k * int64(j))
	}
	return all
}

func (c *choice) fold(e *emitter, b *vir.Builder, kept []*vir.Value, to int, main bool) []*vir.Value {
	kept = slices.Clone(kept)
	switch {
	case main && e.l.sought != nil:
		return c.spread(b, kept, to)
	case main:
		kept[0] = c.iterations(b, kept[0])
	}
	for n := kept[0].Type.Lanes / 2; n >= to; n /= 2 {
		lo, hi := make([]*vir.Value, len(kept)), make([]*vir.Value, len(kept))
		for i, x := range kept {
			lo[i], hi[i] = b.Subvec(x, 0, n), b.Subvec(x, n, n)
		}
		m := c.better(b, lo, hi)
		for i := range kept {
			kept[i] = b.Op(vir.OpBlend, lo[i].Type, m, hi[i], lo[i])
		}
	}
	return kept
}

// spread is one lane of what is kept in so many.
func (c *choice) spread(b *vir.Builder, one []*vir.Value, to int) []*vir.Value {
	if to == 1 {
		return one
	}
	all := make([]*vir.Value, len(one))
	for i, x := range one {
		all[i] = b.Op(vir.OpBroadcast, vir.Vec(x.Type.Elem, to), b.Extract(x, 0))
	}
	return all
}

// iterations makes iterations out of what the main loop has kept.
func (c *choice) iterations(b *vir.Builder, x *vir.Value) *vir.Value {
	n := x.Type.Lanes
	if e := c.iterElem(); x.Type.Elem != e {
		x = b.Op(vir.OpSext, x.Type.WithElem(e), x)
	}
	at := x
	if c.unit.Size() <= 2 {
		at = b.Op(vir.OpShl, x.Type, x, b.Int(x.Type, log2(n)))
	}
	at = b.Op(vir.OpAdd, x.Type, at, b.Lanes(x.Type, multiples(1, n)))
	return b.Op(vir.OpBlend, x.Type, b.Cmp(vir.OpIcmpSlt, x, b.Int(x.Type, 0)), x, at)
}

// equalKeys is the lanes in which x and y are equal, zeros of both signs among them.
func equalKeys(b *vir.Builder, x, y *vir.Value) *vir.Value {
	if x.Type.Elem.IsFloat() {
		return b.Cmp(vir.OpFcmpEq, x, y)
	}
	return b.Cmp(vir.OpIcmpEq, x, y)
}

// better is the lanes whose choice is that of hi.
func (c *choice) better(b *vir.Builder, lo, hi []*vir.Value) *vir.Value {
	if c.key == nil {
		return b.Cmp(vir.OpIcmpSlt, lo[0], hi[0])
	}
	strict, last := c.key.cmp, false
	switch c.key.cmp {
	case vir.OpFcmpLe:
		strict, last = vir.OpFcmpLt, true
	case vir.OpIcmpSle:
		strict, last = vir.OpIcmpSlt, true
	case vir.OpIcmpUle:
		strict, last = vir.OpIcmpUlt, true
	}
	m := c.key.compare(b, strict, lo[1], hi[1])
	tie := b.Cmp(vir.OpIcmpSlt, hi[0], lo[0])
	if last {
		tie = b.Cmp(vir.OpIcmpSlt, lo[0], hi[0])
	}
	tie = b.Op(vir.OpAnd, m.Type, equalKeys(b, lo[1], hi[1]), tie)
	return b.Op(vir.OpOr, m.Type, m, tie)
}

func (c *choice) results(e *emitter, b *vir.Builder, kept []*vir.Value) []*vir.Value {
	i64 := vir.Scalar(vir.I64)
	it := b.Extract(kept[0], 0)
	if it.Type != i64 {
		it = b.Op(vir.OpSext, i64, it)
	}
	some := b.Cmp(vir.OpIcmpSle, b.Int(i64, 0), it)
	at := 1
	var out []*vir.Value
	if c.key != nil {
		if c.key.phi != nil {
			out = append(out, b.Extract(kept[at], 0))
		}
		at++
	}
	for _, p := range c.pays {
		if p.inLanes() {
			out = append(out, b.Extract(kept[at], 0))
			at++
			continue
		}
		var x *vir.Value
		switch {
		case p.flag != nil:
			x = b.Const(p.phi.Type, 0)
			if *p.flag {
				x.Bits[0] = 1
			}
		case p.uniform:
			x = e.value(p.value)
		default:
			x = e.atIteration(b, p.affine, it, p.phi.Type)
		}
		out = append(out, b.Op(vir.OpSelect, x.Type, some, x, e.value(e.l.initial(p.phi))))
	}
	return out
}

// atIteration is the value of a in iteration it.
func (e *emitter) atIteration(b *vir.Builder, a *scev.Affine, it *vir.Value, t vir.Type) *vir.Value {
	x := it
	if a.Step != 1 {
		x = b.Op(vir.OpMul, x.Type, x, b.Int(x.Type, a.Step))
	}
	if a.Start.Op != plan.ExprConst || a.Start.Const != 0 {
		x = b.Op(vir.OpAdd, x.Type, x, e.expr(a.Start))
	}
	if t != x.Type {
		x = b.Op(vir.OpTrunc, t, x)
	}
	return x
}

// firstKey is the key before the first iteration, in the region.
func (c *choice) firstKey(e *emitter) *vir.Value {
	if c.key.phi != nil {
		return e.l.initial(c.key.phi)
	}
	if e.scalar[c.key.again] == nil {
		e.uniformLoad(c.key.again)
	}
	return c.key.again
}

// takesNaN reports whether s is a float minimum or maximum by comparison whose choices
// are exchanged: if !(x <= best) { best = x }.
func (l *loop) takesNaN(s state) bool {
	if s.next.Op != vir.OpSelect || s.next.Args[1] != s.phi || !s.phi.Type.Elem.IsFloat() {
		return false
	}
	_, _, ok := conjunct(s.next.Args[0], func(x *vir.Value) bool { return compares(x, s.phi, s.next.Args[2]) })
	return ok
}
