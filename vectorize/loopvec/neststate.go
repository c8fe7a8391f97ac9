package loopvec

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An inner loop without a small bound may take longer than a call may. When the fuel
// is spent in the middle of a block, the phis of that loop go to memory of the
// caller, and the next call goes on there:
//
//	before:  ...                                what comes before the loop is done again
//	gate:    br (first word = lanes), load, enter
//	load:    the phis from memory; first word = 0
//	head:    phis [initial, enter], [loaded, load], [next, ...]
//	         br (fuel left), ..., save
//	save:    the phis to memory; first word = lanes
//	         end of the call
//
// The first word tells which stage has been interrupted. Others leave the block alone.
type savedState struct {
	head  *vir.Block        // of the loop, in the region
	slots map[slotKey]int64 // byte offsets
	size  int64
}

// A slotKey is a phi of the loop, in lanes or as a scalar.
type slotKey struct {
	phi    *vir.Value
	scalar bool
}

// planState adds the parameter for the memory of the caller, if there is something to
// keep in it.
func (e *emitter) planState() {
	if !e.l.isNest() || e.l.storesMidway() {
		return // what comes before the loop must not be done again
	}
	size := int64(creditAt)
	if e.k.Idles = e.keepsAccount(); e.k.Idles {
		size += 8
	}
	if s := e.savable(size); s != nil {
		e.saved, size = s, s.size
	}
	if size > creditAt {
		e.state = e.f.AddParam(e.fresh("state"), vir.Scalar(vir.Ptr))
		e.k.Args = append(e.k.Args, plan.Arg{Kind: plan.ArgState})
		e.k.State = int(size / 8)
	}
}

// savable finds the loop whose state may be saved: the only one that the body contains
// directly, without pointers among its phis. A loop that carries nothing is not interrupted.
// The slots come behind so many bytes.
func (e *emitter) savable(behind int64) *savedState {
	s := &savedState{slots: make(map[slotKey]int64), size: behind}
	for _, b := range e.l.blocks {
		f := e.l.nest.forest.Of(b)
		if f == nil || f.Header != b || f.Depth != 2 || e.l.isRest(b) {
			continue
		}
		if s.head != nil || len(b.Preds) != 2 {
			return nil
		}
		s.head = b
	}
	widest := int64(e.stages[0].lanes)
	for _, v := range s.head.Phis() {
		if v.Type.Elem == vir.Ptr {
			return nil
		}
		if e.l.demand[v] {
			s.slot(slotKey{v, false}, widest*int64(savedAs(v).Size()))
		}
		if e.l.nest.scalars[v] {
			s.slot(slotKey{v, true}, int64(savedAs(v).Size()))
		}
	}
	if len(s.slots) == 0 {
		return nil
	}
	return s
}

// savedAs is the type in which phi v is saved. Conditions are saved as integers.
func savedAs(v *vir.Value) vir.Elem {
	if v.Type.Elem == vir.Bool {
		return vir.I32
	}
	return v.Type.Elem
}

func (s *savedState) slot(k slotKey, size int64) {
	s.slots[k] = s.size
	s.size += (size + 7) &^ 7
}

// inState is an address in the memory of the caller.
func (e *emitter) inState(off int64) vir.Addr { return vir.Addr{Base: e.state, Disp: off} }

// mayStart is ok, no other stage has left a block unfinished or found it idle, and stage i may do a block in this call.
func (e *emitter) mayStart(b *vir.Builder, i int, state edge, ok *vir.Value) *vir.Value {
	s := e.stages[i]
	ok = e.unlessSpent(b, i, state, e.unlessWide(b, s, ok))
	if e.state == nil {
		return ok
	}
	i64 := vir.Scalar(vir.I64)
	word := b.Load(vir.OpLoad, i64, e.inState(0), nil)
	mine := b.Op(vir.OpOr, ok.Type, b.Cmp(vir.OpIcmpEq, word, b.Int(i64, 0)), b.Cmp(vir.OpIcmpEq, word, b.Int(i64, int64(s.lanes))))
	return b.Op(vir.OpAnd, ok.Type, ok, mine)
}

// unlessWide is ok, unless blocks of stage s would take too long, or have more lanes than rows allow: a stage of fewer lanes does them
// then.
func (e *emitter) unlessWide(b *vir.Builder, s stage, ok *vir.Value) *vir.Value {
	least := narrowest(e.stages)
	if s.lanes <= least {
		return ok
	}
	if e.need != nil {
		ok = b.Op(vir.OpAnd, ok.Type, ok, e.enoughFuel(b, s.lanes, e.need))
	}
	fewer := e.l.dp.RowTests(least)
	for i, t := range e.l.dp.RowTests(s.lanes) {
		if t.Least > fewer[i].Least {
			bytes := e.expr(t.Bytes)
			ok = b.Op(vir.OpAnd, ok.Type, ok, b.Cmp(vir.OpIcmpSle, b.Int(bytes.Type, t.Least), bytes))
		}
	}
	return ok
}

// A loadedState is what comes into the head of the loop from memory.
type loadedState struct {
	block *vir.Block
	fuel  *vir.Value
	vals  map[slotKey]*vir.Value
}

// give adds the operands of phi v for the edge from where its value was loaded.
func (s *loadedState) give(n *nestWriter, v *vir.Value) {
	if n.e.l.demand[v] {
		n.vec[v].Args = append(n.vec[v].Args, s.vals[slotKey{v, false}])
	}
	if n.e.l.nest.scalars[v] {
		n.scal[v].Args = append(n.scal[v].Args, s.vals[slotKey{v, true}])
	}
}

// each calls f for the slots of the loop's phis in order.
func (s *savedState) each(f func(k slotKey, off int64)) {
	for _, v := range s.head.Phis() {
		for _, k := range []slotKey{{v, false}, {v, true}} {
			if off, ok := s.slots[k]; ok {
				f(k, off)
			}
		}
	}
}

// resume enters the loop with the given head, where it was interrupted if it was.
func (n *nestWriter) resume(head *vir.Block) {
	s, i64 := n.e.saved, vir.Scalar(vir.I64)
	load, enter := n.split(), n.split()
	word := n.b.Load(vir.OpLoad, i64, n.e.inState(0), nil)
	n.b.Br(n.b.Cmp(vir.OpIcmpEq, word, n.b.Int(i64, int64(n.lanes))), load, enter)
	n.e.place(n.b, load)
	n.loaded = loadedState{block: load, fuel: n.fuel, vals: make(map[slotKey]*vir.Value)}
	s.each(func(k slotKey, off int64) { n.loaded.vals[k] = n.loadSlot(k, off) })
	n.b.Store(vir.OpStore, n.b.Int(i64, 0), n.e.inState(0), nil)
	n.b.Jmp(n.target(head))
	n.e.place(n.b, enter)
	n.entered = enter
	n.b.Jmp(n.target(head))
}

func (n *nestWriter) loadSlot(k slotKey, off int64) *vir.Value {
	op, t := vir.OpLoadUnit, vir.Vec(savedAs(k.phi), n.lanes)
	if k.scalar {
		op, t = vir.OpLoad, vir.Scalar(savedAs(k.phi))
	}
	x := n.b.Load(op, t, n.e.inState(off), nil)
	if k.phi.Type.Elem == vir.Bool {
		x = n.b.Cmp(vir.OpIcmpNe, x, n.b.Const(t, 0))
	}
	return x
}

// save ends the call when there is no fuel left, with the state of the loop in memory.
func (n *nestWriter) save() {
	s, i64 := n.e.saved, vir.Scalar(vir.I64)
	out, on := n.split(), n.split()
	n.b.Br(n.b.Cmp(vir.OpIcmpSlt, n.e.zero, n.fuel), on, out)
	n.e.place(n.b, out)
	s.each(n.saveSlot)
	n.b.Store(vir.OpStore, n.b.Int(i64, int64(n.lanes)), n.e.inState(0), nil)
	n.stop(n.fuel)
	n.e.place(n.b, on)
}

func (n *nestWriter) saveSlot(k slotKey, off int64) {
	op, x := vir.OpStoreUnit, n.vec[k.phi]
	if k.scalar {
		op, x = vir.OpStore, n.scal[k.phi]
	}
	if k.phi.Type.Elem == vir.Bool {
		x = n.b.Op(vir.OpSext, x.Type.WithElem(savedAs(k.phi)), x)
	}
	n.b.Store(op, x, n.e.inState(off), nil)
}
