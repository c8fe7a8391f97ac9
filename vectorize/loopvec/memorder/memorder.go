// Package memorder lets a kernel compute in the order of memory what it would
// transpose, compute and transpose back. Groups of interleaved accesses come as one
// vector for each member, and that is what all operations work on:
//
//	memory    x0 y0 z0 w0 | x1 y1 z1 w1 | ...
//	          shuffles: x0 x1 ... | y0 y1 ... | z0 z1 ... | w0 w1 ...
//	          fmul by w, three times
//	          shuffles
//	memory    x0 y0 z0 -- | x1 y1 z1 -- | ...
//
// If all lanes of a stored vector come from the same operation, it may as well be
// done on what the lanes come from, in the order in which they are stored:
//
//	shuffle(fmul(a, b), fmul(c, d))   ->   fmul(shuffle(a, c), shuffle(b, d))
//
// and so on up to loads, where lanes of successive addresses are a load, up to
// uniform values, which are brought into any order before the loop, and up to
// whatever stays a shuffle. Lanes that a constant mask excludes may be anything. Loops that
// run down turn lanes round for nothing in the same way: see turn.go.
//
// Requires: blocks as loopvec writes them, verified. Afterwards every block stores
// the same as before, and costs less or is as it was. New loads read only bytes that
// loads of the block read before its first store. Masks are rearranged alike.
// Lanes that may be anything are cleared where arithmetic would meet them, see clear.go.
// Not handled: lanes from different operations, loads behind stores.
package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// Block rewrites the stores of b where that lowers its cost, and reports whether it
// did: with accesses downwards turned round, or else without. Uniform values are put together
// in the blocks that have them.
func Block(b *vir.Block, t *target.Target, cost func(b *vir.Block) float64) bool {
	runsDown := slices.ContainsFunc(b.Insts, func(v *vir.Value) bool { return v.Op == vir.OpStoreReverse })
	if !runsDown && len(candidates(b)) == 0 {
		return false
	}
	saved := save(b.Func)
	saved.cost = cost(b)
	return runsDown && rewrite(b, t, cost, turn(b), saved) || rewrite(b, t, cost, &turned{}, saved)
}

// rewrite is Block with the accesses in down turned round; saved is b as it was.
func rewrite(b *vir.Block, t *target.Target, cost func(b *vir.Block) float64, down *turned, saved *snapshot) bool {
	m := newMaker(b, t)
	changed := false
	for _, s := range candidates(b) {
		if _, ok := down.were[s]; !ok {
			changed = m.store(s) || changed
		} else if changed = m.storeDown(s); !changed {
			break
		}
	}
	if changed {
		dropUnused(b)
		loadFirst(b, slices.Concat(saved.insts[slices.Index(b.Func.Blocks, b)], down.loads))
		down.loadsDown()
		dropUnused(b)
		changed = cost(b)-m.clearCost(b) < saved.cost
	}
	if !changed {
		saved.restore()
		down.restore()
	}
	return changed
}

// loadFirst moves new loads, those not in old, to before the first store that they
// share bytes with: they read what loads of the block have read before any store.
// A load that overlaps in part what has just been stored waits until that has left
// the store buffer, a dozen cycles and more.
func loadFirst(b *vir.Block, old []*vir.Value) {
	for _, l := range slices.Clone(b.Insts) {
		if l.Op != vir.OpLoadUnit || l.Masked || slices.Contains(old, l) {
			continue
		}
		from := slices.Index(b.Insts, l)
		to := slices.IndexFunc(b.Insts[:from], func(s *vir.Value) bool { return s.Op == vir.OpStoreUnit && touch(s, l) })
		if to < 0 || slices.ContainsFunc(b.Insts[to:from], func(v *vir.Value) bool { return slices.Contains(l.Args, v) }) {
			continue
		}
		b.Insts = slices.Insert(slices.Delete(b.Insts, from, from+1), to, l)
	}
}

// touch reports whether the ranges of v and w, as far as they are known, share bytes.
func touch(v, w *vir.Value) bool {
	return sameWalk(v, w) && v.Disp < w.Disp+bytes(w) && w.Disp < v.Disp+bytes(v)
}

// bytes is how many bytes v reaches over, masks aside.
func bytes(v *vir.Value) int64 {
	return int64(v.Access().Elem.Size() * v.Access().Lanes)
}

// candidates are the stores of rearranged lanes.
func candidates(b *vir.Block) (stores []*vir.Value) {
	for _, v := range b.Insts {
		if v.Op == vir.OpStoreUnit && moves(v.Stored()) {
			stores = append(stores, v)
		}
	}
	return stores
}

// moves reports whether v only moves lanes.
func moves(v *vir.Value) bool {
	return v.Op == vir.OpShuffle || v.Op == vir.OpConcat || v.Op == vir.OpSubvec
}

// A snapshot is what the blocks and stores of a function were.
type snapshot struct {
	f     *vir.Func
	insts [][]*vir.Value
	args  map[*vir.Value][]*vir.Value // of stores
	cost  float64                     // of the block
}

func save(f *vir.Func) *snapshot {
	s := &snapshot{f: f, args: make(map[*vir.Value][]*vir.Value)}
	for _, b := range f.Blocks {
		s.insts = append(s.insts, slices.Clone(b.Insts))
		for _, v := range b.Insts {
			if v.Op.IsStore() {
				s.args[v] = slices.Clone(v.Args)
			}
		}
	}
	return s
}

func (s *snapshot) restore() {
	for i, b := range s.f.Blocks {
		b.Insts = slices.Clone(s.insts[i])
		for _, v := range b.Insts {
			if args, ok := s.args[v]; ok {
				v.Args = slices.Clone(args)
			}
		}
	}
}

// dropUnused removes from b what nothing needs.
func dropUnused(b *vir.Block) {
	used := make(map[*vir.Value]bool)
	var need func(v *vir.Value)
	need = func(v *vir.Value) {
		if used[v] {
			return
		}
		used[v] = true
		for _, a := range v.Args {
			need(a)
		}
	}
	keeps := func(v *vir.Value) bool {
		return v.Block != b || v.Op == vir.OpPhi || v.Op.Info().Effect || v.Op.Info().Term
	}
	for v := range b.Func.Values {
		if keeps(v) {
			need(v)
		}
	}
	b.Insts = slices.DeleteFunc(b.Insts, func(v *vir.Value) bool { return !used[v] })
}
