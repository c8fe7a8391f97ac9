package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// What a block of lanes stores and the next one loads, all of it, x[i] = x[i-8]*k + y[i] in blocks of eight, stays in a register:
//
//	handed8: %first = load.unit f32x8 [%x + %t*4 - 32]     in front of the first block
//	vec8:    %x8 = phi [%first, handed8], [%stored, vec8]
//
// Memory would take as long as several operations to hand it on.

// handOn does so in the loops of one block that have one store.
func (e *emitter) handOn() {
	if e.l.isNest() {
		return
	}
	for _, b := range slices.Clone(e.f.Blocks) {
		store := onlyStore(b)
		if store == nil || len(b.Preds) != 2 || !slices.Contains(b.Preds, b) {
			continue
		}
		for _, v := range slices.Clone(b.Insts) {
			if handedBy(store, v) {
				e.hand(b, store, v)
			}
		}
	}
}

// onlyStore is the store of b, nil if there is none or more than one, or a call.
func onlyStore(b *vir.Block) (store *vir.Value) {
	for _, v := range b.Insts {
		switch {
		case v.Op == vir.OpCall || v.Op.IsStore() && store != nil:
			return nil
		case v.Op.IsStore():
			store = v
		}
	}
	return store
}

// handedBy reports whether v loads what store has stored in the turn before.
func handedBy(store, v *vir.Value) bool {
	if store.Op != vir.OpStoreUnit || v.Op != vir.OpLoadUnit || store.Masked || v.Masked || v.Type != store.Stored().Type || v == store.Stored() {
		return false
	}
	s, a := store.Addr(), v.Addr()
	if s.Base != a.Base || s.Index != a.Index || s.Scale != a.Scale || s.Index == nil || s.Index.Op != vir.OpPhi || s.Index.Block != v.Block {
		return false
	}
	next := s.Index.Args[slices.Index(v.Block.Preds, v.Block)]
	if next.Op != vir.OpAdd || next.Args[0] != s.Index {
		return false
	}
	step, ok := next.Args[1].ConstInt()
	return ok && a.Disp == s.Disp-step*s.Scale
}

// hand puts the value of store in the turn before in the place of v, a load of b.
func (e *emitter) hand(b *vir.Block, store, v *vir.Value) {
	back := slices.Index(b.Preds, b)
	from := b.Preds[1-back]
	front := &vir.Block{Name: "handed" + b.Name, Func: e.f, Preds: []*vir.Block{from}}
	e.f.Blocks = slices.Insert(e.f.Blocks, slices.Index(e.f.Blocks, b), front)
	from.Succs[slices.Index(from.Succs, b)] = front

	in := vir.NewBuilder(e.f, front)
	in.Pos = v.Pos
	at := v.Addr()
	at.Index = at.Index.Args[1-back]
	if c, ok := at.Index.ConstInt(); ok {
		at.Index, at.Disp = nil, at.Disp+c*at.Scale
	}
	first := in.Load(v.Op, v.Type, at, nil)
	in.Jmp(b)
	b.Preds = b.Preds[:2] // the jump has added another one
	b.Preds[1-back] = front

	phi := e.f.NewValue(vir.OpPhi, v.Type)
	phi.Block, phi.Name, phi.Pos = b, v.Name, v.Pos
	phi.Args = make([]*vir.Value, 2)
	phi.Args[1-back], phi.Args[back] = first, store.Stored()
	b.Insts = slices.Insert(b.Insts, len(b.Phis()), phi)
	e.f.ReplaceUses(v, phi)
	v.Remove()
}

// hands reports whether load v of blocks of lanes iterations gets what the store of the block before has stored from a register.
func (l *loop) hands(v *vir.Value, lanes int) bool {
	a := l.dp.Access(v)
	if l.isNest() || a == nil || a.Conditional || l.groups[v] != nil {
		return false
	}
	stores := 0
	handed := false
	for i := range l.dp.Accesses {
		s := &l.dp.Accesses[i]
		if s.Store {
			later, ok := l.readsLater(*s, *a)
			stores++
			handed = ok && later == int64(lanes) && !s.Conditional && l.groups[s.Inst] == nil && s.Kind == dep.Linear && s.Stream.Step == s.Stream.Size && a.Stream.Size == s.Stream.Size
		}
	}
	return stores == 1 && handed
}
