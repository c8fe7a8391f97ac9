package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Lanes of cycles, one after the other: see serial. A value of one lane is a scalar. Bools
// that come from floats are masks of one lane, which stay in vector registers, and are
// what floats are chosen by.

// serial writes the accesses of a cycle. Masked stores are done for all lanes behind
// them, as masks.
func (w *widener) serial(s *serial) {
	l := w.e.l
	w.flush()
	at := make(map[*vir.Value]func() vir.Addr)
	for _, v := range s.nodes {
		if !v.Masked || v.Op.IsLoad() {
			at[v] = w.walk(l.dp.Access(v))
		}
	}
	for j := range w.lanes {
		for _, v := range s.nodes {
			switch {
			case v.Op.IsLoad():
				w.singles[laneKey{v, j}] = w.readBack(s, v, j, at[v]())
			case v.Masked:
				w.single(v.Stored(), j)
				w.single(v.Mask(), j)
			default:
				w.b.Store(vir.OpStore, w.single(v.Stored(), j), at[v](), nil)
			}
		}
	}
	for _, v := range s.nodes {
		if v.Op.IsStore() && v.Masked {
			w.store(v)
		}
	}
}

// readBack is what load v of lane j reads: what a lane before has stored, or memory.
func (w *widener) readBack(s *serial, v *vir.Value, j int, from vir.Addr) *vir.Value {
	sources, _ := s.sources(w.e.l, v)
	var masked []source
	var x *vir.Value
	for _, p := range sources {
		if p.k > j {
			break
		}
		if !p.store.Masked {
			x = w.single(p.store.Stored(), j-p.k)
			break
		}
		masked = append(masked, p)
	}
	if x == nil {
		x = w.b.Load(vir.OpLoad, v.Type, from, nil)
	}
	for i := len(masked) - 1; i >= 0; i-- {
		p := masked[i]
		x = w.choose(w.single(p.store.Mask(), j-p.k), w.single(p.store.Stored(), j-p.k), x)
	}
	return x
}

// single is lane j of v as a scalar, computed as such where it belongs to a cycle.
func (w *widener) single(v *vir.Value, j int) *vir.Value {
	key := laneKey{v, j}
	x := w.singles[key]
	if x == nil {
		x = w.makeSingle(v, j)
		w.singles[key] = x
	}
	return x
}

func (w *widener) makeSingle(v *vir.Value, j int) *vir.Value {
	l := w.e.l
	s := l.members[v]
	switch {
	case s != nil && v.Op == vir.OpPhi && j == 0:
		return w.held[s.slot][slices.Index(s.vars, v)]
	case s != nil && v.Op == vir.OpPhi:
		return w.single(l.next(v), j-1)
	case s != nil && v.Op.IsLoad():
		panic("a cycle is asked for before it has been done")
	case s != nil:
		return w.operated(v, j)
	case v.Op == vir.OpConst:
		return w.b.Const(v.Type, v.Bits[0])
	case !l.inLanes(v):
		return w.scalar(v)
	case v.Type.Elem == vir.Bool:
		if w.lanes == 1 {
			return w.value(v)
		}
		return w.b.Subvec(w.value(v), j, 1)
	}
	return w.b.Extract(w.value(v), j)
}

// operated is the operation of v on lane j.
func (w *widener) operated(v *vir.Value, j int) *vir.Value {
	args := make([]*vir.Value, len(v.Args))
	for i, a := range v.Args {
		args[i] = w.single(a, j)
	}
	return w.operate(v, args)
}

// operate is the operation of v on args, which are of one lane.
func (w *widener) operate(v *vir.Value, args []*vir.Value) *vir.Value {
	masks := slices.ContainsFunc(args, func(x *vir.Value) bool { return x.Type.IsMask() })
	bools := v.Args[0].Type.Elem == vir.Bool
	switch {
	case v.Op == vir.OpSelect:
		return w.choose(args[0], args[1], args[2])
	case vir.OpFcmpEq <= v.Op && v.Op <= vir.OpFcmpLe:
		return w.b.Cmp(v.Op, w.lane(args[0]), w.lane(args[1]))
	case bools && v.Type.Elem == vir.Bool && masks:
		for i := range args {
			args[i] = w.lane(args[i])
		}
		return w.b.Op(v.Op, vir.Mask(1), args...)
	case bools:
		for i := range args {
			args[i] = w.scalarOf(args[i])
		}
	}
	c := &vir.Value{Op: v.Op, Type: v.Type, Name: v.Name, Pos: v.Pos, Args: args, Imm: v.Imm}
	return w.b.Append(c)
}

// choose is x where c holds, else y, all of them of one lane.
func (w *widener) choose(c, x, y *vir.Value) *vir.Value {
	masks := c.Type.IsMask() || x.Type.IsMask() || y.Type.IsMask()
	switch {
	case x.Type.Elem == vir.Bool && masks:
		return w.b.Op(vir.OpBlend, vir.Mask(1), w.lane(c), w.lane(x), w.lane(y))
	case x.Type.Elem.IsFloat():
		return w.scalarOf(w.b.Op(vir.OpBlend, vir.Vec(x.Type.Elem, 1), w.lane(c), w.lane(x), w.lane(y)))
	}
	return w.b.Op(vir.OpSelect, x.Type, w.scalarOf(c), x, y)
}

// lane is scalar x as a vector of one lane.
func (w *widener) lane(x *vir.Value) *vir.Value {
	if x.Type.IsVector() {
		return x
	}
	return w.b.Op(vir.OpBroadcast, vir.Vec(x.Type.Elem, 1), x)
}

// scalarOf is a vector of one lane as a scalar.
func (w *widener) scalarOf(x *vir.Value) *vir.Value {
	if !x.Type.IsVector() {
		return x
	}
	return w.b.Extract(x, 0)
}

// together is v, which belongs to a cycle, in lanes. Conditions are asked once more, in
// lanes.
func (w *widener) together(v *vir.Value) *vir.Value {
	e := v.Type.Elem
	switch {
	case e == vir.Bool && v.Op != vir.OpPhi:
		return w.widened(v)
	case e == vir.Bool:
		x := w.lanesOf(vir.I32, func(j int) *vir.Value {
			return w.b.Op(vir.OpZext, vir.Scalar(vir.I32), w.scalarOf(w.single(v, j)))
		})
		return w.b.Cmp(vir.OpIcmpNe, x, w.b.Int(x.Type, 0))
	}
	return w.lanesOf(e, func(j int) *vir.Value { return w.single(v, j) })
}

// The variables of a cycle as one of the kinds of loop.held.

func (s *serial) phis() []*vir.Value { return s.vars }

func (s *serial) kept(_ *loop, _ int) []vir.Type {
	var types []vir.Type
	for _, phi := range s.vars {
		types = append(types, phi.Type)
	}
	return types
}

func (s *serial) need(l *loop) {
	for _, phi := range s.vars {
		l.need(l.next(phi))
	}
}

func (s *serial) limit(int) int64 { return 0 }

func (s *serial) first(e *emitter, _ int, _ bool) []*vir.Value {
	var vs []*vir.Value
	for _, phi := range s.vars {
		vs = append(vs, e.value(e.l.initial(phi)))
	}
	return vs
}

func (s *serial) next(w *widener, _ []*vir.Value) []*vir.Value {
	var vs []*vir.Value
	for _, phi := range s.vars {
		vs = append(vs, w.scalarOf(w.single(w.e.l.next(phi), w.lanes-1)))
	}
	return vs
}

func (s *serial) fold(_ *emitter, _ *vir.Builder, kept []*vir.Value, _ int, _ bool) []*vir.Value {
	return kept
}

func (s *serial) results(_ *emitter, _ *vir.Builder, kept []*vir.Value) []*vir.Value { return kept }
