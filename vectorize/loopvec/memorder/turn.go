package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Accesses to neighbours downwards are those upwards, with lanes turned round:
//
//	%x = load.reverse f32x4 [%p + %t*4]   ->   %u = load.unit f32x4 [%p + %t*4 - 12]
//	                                           %x = shuffle f32x4 %u, {3, 2, 1, 0}
//
// so that a loop that runs down may compute in the order of memory as well. Iterations that
// store to what others use have an order, too, in which backends go through the lanes, first to
// last. So what is stored is made register by register, which have no order within them, from
// the first iterations on.

// A turned is the accesses downwards of a block, which have been turned round.
type turned struct {
	were  map[*vir.Value]vir.Value // what they were
	loads []*vir.Value             // upwards
}

// turn turns round what b accesses downwards, but for loads under masks.
func turn(b *vir.Block) *turned {
	t := &turned{were: make(map[*vir.Value]vir.Value)}
	nb := vir.NewBuilder(b.Func, b)
	for _, v := range slices.Clone(b.Insts) {
		if v.Op != vir.OpStoreReverse && (v.Op != vir.OpLoadReverse || v.Masked) {
			continue
		}
		was := *v
		was.Args = slices.Clone(v.Args)
		t.were[v] = was
		edit.InFront(nb, v, func() {
			if v.Op == vir.OpLoadReverse {
				t.load(nb, v)
			} else {
				t.store(nb, v)
			}
		})
	}
	return t
}

func (t *turned) load(b *vir.Builder, v *vir.Value) {
	up := &vir.Value{Op: vir.OpLoadUnit, Type: v.Type, Args: v.Args, Indexed: v.Indexed, Scale: v.Scale, Disp: lowest(v), Pos: v.Pos}
	t.loads = append(t.loads, b.Append(up))
	v.Op, v.Args, v.Lanes = vir.OpShuffle, []*vir.Value{up}, downwards(v.Type.Lanes)
	v.Indexed, v.Scale, v.Disp = false, 0, 0
}

func (t *turned) store(b *vir.Builder, v *vir.Value) {
	v.Op, v.Disp = vir.OpStoreUnit, lowest(v)
	turn := func(i int) {
		x := v.Args[i]
		v.Args[i] = b.Shuffle(x.Type, downwards(x.Type.Lanes), x, nil)
	}
	turn(0)
	if v.Masked {
		turn(len(v.Args) - 1)
	}
}

// lowest is the displacement of the last lane of an access downwards.
func lowest(v *vir.Value) int64 {
	a := v.Access()
	return v.Disp - int64(a.Elem.Size()*(a.Lanes-1))
}

// downwards are n lanes, the last one first.
func downwards(n int) []int {
	lanes := make([]int, n)
	for k := range lanes {
		lanes[k] = n - 1 - k
	}
	return lanes
}

// loadsDown makes loads downwards again of what nobody could do without.
func (t *turned) loadsDown() {
	for v, was := range t.were {
		if was.Op == vir.OpLoadReverse {
			*v = was
		}
	}
}

// restore makes everything what it was.
func (t *turned) restore() {
	for v, was := range t.were {
		*v = was
	}
}

// storeDown makes anew what s, a store downwards turned round, stores, register by register. It
// is false if that is not possible.
func (m *maker) storeDown(s *vir.Value) bool {
	m.begin(s)
	t := s.Access()
	n := min(t.Lanes, m.registerLanes())
	for first := t.Lanes - n; first >= 0; first -= n {
		part := *s
		part.Args = slices.Clone(s.Args)
		part.Disp += int64(first * t.Elem.Size())
		if !m.remake(&part, stored{s, first, n}) {
			return false
		}
		nb := vir.NewBuilder(m.b.Func, m.b)
		edit.InFront(nb, s, func() { nb.Append(&part) })
		if m.first == s {
			m.first = &part
		}
	}
	at := slices.Index(m.b.Insts, s)
	m.b.Insts = slices.Delete(m.b.Insts, at, at+1)
	return true
}

// registerLanes is the number of lanes of which no value of the block takes more than a register.
func (m *maker) registerLanes() int {
	widest := 1
	for _, v := range m.b.Insts {
		for _, x := range slices.Concat(v.Args, []*vir.Value{v}) {
			if x.Type.IsVector() && !x.Type.IsMask() {
				widest = max(widest, x.Type.Elem.Size())
			}
		}
	}
	return m.target.VectorBytes / widest
}
