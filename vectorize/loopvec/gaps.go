package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/optvls"
	"github.com/lanewise/lanewise/vir"
)

// Stores of groups that do not touch all bytes between the first and the last: what
// no member stores keeps what it has.
//
//	p[i].x, p[i].y, p[i].z of { x, y, z, w float32 }
//	store.unit f32x8 %v, [...] mask {1, 1, 1, 0, 1, 1, 1, 0}
//
// Under a condition each lane has the mask of its iteration:
//
//	shuffle maskx8 %m, %none, {0, 0, 0, none, 1, 1, 1, none}
//
// If nobody else looks at the memory (clause exclusive), gaps and inactive lanes may
// get back what was loaded from them.

// masked is the price of a store of some lanes; loads and rows by index have none.
func (c *client) masked(in *optvls.Inst) (int, bool) {
	if in.Op != optvls.Store || c.g.server.Access.Indexed {
		return 0, false
	}
	cost, _ := c.g.partialCost(in, c.lanes)
	return int(costUnit * cost), true
}

// partialCost is the price of a store of some lanes, of code for so many iterations,
// and whether the others had better be written back.
func (g *group) partialCost(in *optvls.Inst, lanes int) (cost float64, blend bool) {
	t := g.l.target
	ty := vir.Vec(vir.IntElem(in.Type.Bits/8), in.Type.Lanes)
	cost = t.CostValue(g.maskedStore(in, ty)).Throughput
	if g.mayBlend(in, lanes) {
		back := 0.0
		for _, op := range []vir.Op{vir.OpLoadUnit, vir.OpBlend, vir.OpStoreUnit} {
			back += t.Cost(op, ty).Throughput
		}
		if back < cost {
			cost, blend = back, true
		}
	}
	if g.server.Access.Masked {
		cost += t.Cost(vir.OpShuffle, ty.WithElem(vir.Bool)).Throughput
	}
	return cost, blend
}

// maskedStore is a store as the target wants to see it.
func (g *group) maskedStore(in *optvls.Inst, ty vir.Type) *vir.Value {
	mask := &vir.Value{Op: vir.OpParam, Type: ty.WithElem(vir.Bool)}
	if !g.server.Access.Masked {
		mask.Op, mask.Bits = vir.OpConst, activeLanes(in.Rows)
	}
	return &vir.Value{Op: vir.OpStoreUnit, Masked: true, Args: []*vir.Value{{Type: ty}, {Type: vir.Scalar(vir.Ptr)}, mask}}
}

// activeLanes is the mask of the lanes that have a row.
func activeLanes(rows []int) []uint64 {
	bits := make([]uint64, len(rows))
	for i, r := range rows {
		if r >= 0 {
			bits[i] = 1
		}
	}
	return bits
}

// blends reports whether stores of the group may write back what others see: by
// leave of the user, and with no other store in the loop that could come between.
func (g *group) blends() bool {
	if !g.l.region.Clauses.Exclusive || !g.members[0].Store || g.server.Access.Indexed {
		return false
	}
	stores := 0
	for i := range g.l.dp.Accesses {
		if g.l.dp.Accesses[i].Store {
			stores++
		}
	}
	for _, a := range g.members {
		if a.Inst.Masked && !g.l.covered[a.Inst] {
			return false
		}
	}
	return stores == len(g.members)
}

// mayBlend reports whether all lanes of the store, of code for so many iterations,
// may be read and written back.
func (g *group) mayBlend(in *optvls.Inst, lanes int) bool {
	if !g.blends() {
		return false
	}
	s := *g.server
	s.Lanes = lanes
	lo, hi := (&client{g: g}).readable(&s)
	return lo <= in.Offset && in.Offset+int64(in.Type.Bytes()) <= hi
}

// storePart stores x as in says, for the n iterations of the block from o on.
func (w *widener) storePart(g *group, in *optvls.Inst, x *vir.Value, o, n int) {
	at := w.inGroup(g, in, o)
	if !in.Masked {
		w.b.Store(vir.OpStoreUnit, x, at, nil)
		return
	}
	t := x.Type.WithElem(vir.Bool)
	var mask *vir.Value
	if g.server.Access.Masked {
		mask = w.spreadMask(w.part(w.value(g.members[0].Inst.Mask()), o, n), t, in.Rows)
	} else {
		mask = w.b.Lanes(t, activeLanes(in.Rows))
	}
	if _, blend := g.partialCost(in, n); blend {
		old := w.b.Load(vir.OpLoadUnit, x.Type, at, nil)
		x, mask = w.b.Op(vir.OpBlend, x.Type, mask, x, old), nil
	}
	w.b.Store(vir.OpStoreUnit, x, at, mask)
}

// spreadMask is a mask of type t with the lanes of m that rows names.
func (w *widener) spreadMask(m *vir.Value, t vir.Type, rows []int) *vir.Value {
	lanes := make([]int, len(rows))
	gaps := false
	for i, r := range rows {
		lanes[i] = r
		if r < 0 {
			lanes[i], gaps = m.Type.Lanes, true
		}
	}
	if !gaps {
		return w.b.Shuffle(t, lanes, m, nil)
	}
	return w.b.Shuffle(t, lanes, m, w.b.Const(m.Type, 0))
}
