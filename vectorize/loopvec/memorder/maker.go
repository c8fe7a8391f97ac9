package memorder

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A maker makes vectors lane by lane for the stores of one block.
type maker struct {
	b       *vir.Block
	target  *target.Target
	made    map[string]*vir.Value
	current *vir.Value    // what is being made
	fresh   []*vir.Value  // what was made for it, in order
	loads   []*vir.Value  // of the block, before its first store
	first   *vir.Value    // the first store
	done    []*vir.Value  // stores before the present one
	new     []*vir.Value  // loads made
	early   []*vir.Value  // of fresh, what belongs before the first store
	setup   []placedValue // what belongs at the end of other blocks
	numbers map[place]bool
	clears  []*vir.Value
}

// A placedValue belongs at the end of a block.
type placedValue struct {
	v  *vir.Value
	at *vir.Block
}

func newMaker(b *vir.Block, t *target.Target) *maker {
	m := &maker{b: b, target: t, made: make(map[string]*vir.Value), numbers: numbersOf(b)}
	for _, v := range b.Insts {
		if v.Op.IsStore() {
			m.first = v
			break
		}
		if v.Op == vir.OpLoadUnit && !v.Masked {
			m.loads = append(m.loads, v)
		}
	}
	return m
}

// store makes anew what s stores; false if that is not possible.
func (m *maker) store(s *vir.Value) bool {
	m.begin(s)
	return m.remake(s, stored{s, 0, s.Access().Lanes})
}

// begin takes note of the stores before s.
func (m *maker) begin(s *vir.Value) {
	m.done = m.done[:0]
	for _, v := range m.b.Insts {
		if v == s {
			break
		}
		if v.Op.IsStore() {
			m.done = append(m.done, v)
		}
	}
	m.current = s
}

// A stored is n lanes of what a store of the block stores, from one on.
type stored struct {
	s        *vir.Value
	first, n int
}

// remake makes anew what part stores, which are lanes x; false if that is not possible.
func (m *maker) remake(part *vir.Value, x stored) bool {
	m.fresh, m.early, m.setup = nil, nil, nil
	known, loads := len(m.made), len(m.new)
	v, mask := m.lanes(x)
	if v == nil {
		if known != len(m.made) {
			m.made = make(map[string]*vir.Value) // some of it is nowhere
		}
		m.new = m.new[:loads]
		return false
	}
	m.place()
	part.Args[0] = v
	if mask != nil {
		part.Args[len(part.Args)-1] = mask
	}
	return true
}

// lanes gives the vector and the mask, nil if it stays, of x.
func (m *maker) lanes(x stored) (v, mask *vir.Value) {
	s, t := x.s, x.s.Access()
	lanes := make([]lane, x.n)
	for k := range lanes {
		lanes[k] = trace(s.Stored(), x.first+k)
	}
	if s.Masked {
		off := make([]bool, x.n) // lanes that are never stored
		conds := make([]lane, x.n)
		var on []uint64
		for k := range lanes {
			conds[k] = trace(s.Mask(), x.first+k)
			if conds[k].v != nil {
				bits, known := conds[k].bits()
				off[k] = known && bits&1 == 0
			}
			if off[k] {
				lanes[k], conds[k] = lane{}, lane{}
				on = append(on, 0)
			} else {
				on = append(on, 1)
			}
		}
		if moves(s.Mask()) {
			mask = m.vector(conds, vir.Bool)
			if mask == nil {
				return nil, nil
			}
			if slices.Contains(on, 0) {
				c := m.add(&vir.Value{Op: vir.OpConst, Type: mask.Type, Bits: on})
				mask = m.add(&vir.Value{Op: vir.OpAnd, Type: mask.Type, Args: []*vir.Value{mask, c}})
			}
		}
	}
	return m.vector(lanes, t.Elem), mask
}

// vector is a vector of lanes of type e; nil when none is found.
func (m *maker) vector(lanes []lane, e vir.Elem) *vir.Value {
	key := keyOf(lanes, e)
	if v := m.made[key]; v != nil {
		return v
	}
	v := m.make(lanes, vir.Vec(e, len(lanes)))
	if v != nil {
		m.made[key] = v
	}
	return v
}

func (m *maker) make(lanes []lane, t vir.Type) *vir.Value {
	some := defined(lanes)
	if len(some) == 0 {
		return m.add(&vir.Value{Op: vir.OpPoison, Type: t})
	}
	all := func(is func(l lane) bool) bool {
		return !slices.ContainsFunc(some, func(l lane) bool { return !is(l) })
	}
	l := some[0]
	switch {
	case all(func(o lane) bool {
		return o.isLoad() && slices.Contains(m.loads, o.v) && sameWalk(o.v, l.v) && o.v.Type.Elem == t.Elem
	}):
		return m.loaded(lanes, t)
	case all(func(o lane) bool { return o.v == l.v }) && m.inPlace(lanes, l.v):
		return l.v
	case all(func(o lane) bool { return o == l && o.v.Op == vir.OpBroadcast }):
		return m.splat(l.v, t)
	case all(func(o lane) bool { return o.v.Op == vir.OpConst }):
		return m.constant(lanes, some, t)
	case all(func(o lane) bool { return o.uniform(m.b) }):
		return m.mixed(lanes, t)
	case all(func(o lane) bool { return o.v.Block == m.b && o.v.Op == l.v.Op && lanewise(o.v) && sameTypes(o.v, l.v) }):
		return m.operation(lanes, l, t)
	}
	return m.shuffled(lanes, t)
}

// inPlace reports whether the lanes are those of v.
func (m *maker) inPlace(lanes []lane, v *vir.Value) bool {
	if v.Type.Lanes != len(lanes) || v.Op == vir.OpBroadcast {
		return false
	}
	for k, l := range lanes {
		if l.v != nil && l.k != k {
			return false
		}
	}
	return true
}

// sameTypes reports whether v and w have operands and results of the same elements.
func sameTypes(v, w *vir.Value) bool {
	if v.Type.Elem != w.Type.Elem || len(v.Args) != len(w.Args) {
		return false
	}
	for i := range v.Args {
		if v.Args[i].Type.Elem != w.Args[i].Type.Elem {
			return false
		}
	}
	return true
}

// operation does the operation of all lanes on vectors of their operands.
func (m *maker) operation(lanes []lane, first lane, t vir.Type) *vir.Value {
	v := &vir.Value{Op: first.v.Op, Type: t, Pos: first.v.Pos}
	columns := make([][]lane, len(first.v.Args))
	for i := range columns {
		columns[i] = make([]lane, len(lanes))
	}
	start := slices.Index(lanes, first)
	for k, l := range lanes {
		if l.v == nil {
			continue
		}
		for i := range columns {
			columns[i][k] = l.operand(i)
		}
		if l.v.Op.Info().Commutative && k > start && m.crossed(columns, start, k) {
			columns[0][k], columns[1][k] = columns[1][k], columns[0][k]
		}
	}
	for i, c := range columns {
		a := m.vector(c, first.v.Args[i].Type.Elem)
		if a == nil {
			return nil
		}
		if calculates(v.Op) {
			a = m.cleared(a, c)
		}
		v.Args = append(v.Args, a)
	}
	if !m.target.LegalValue(v) {
		return nil
	}
	return m.add(v)
}

// crossed reports whether the operands of lane k go better with those of the first
// lane when they are exchanged.
func (m *maker) crossed(columns [][]lane, start, k int) bool {
	a, b := columns[0], columns[1]
	straight := alike(a[start], a[k], k-start) + alike(b[start], b[k], k-start)
	across := alike(a[start], b[k], k-start) + alike(b[start], a[k], k-start)
	return across > straight
}

// shuffled takes the lanes out of one or two vectors.
func (m *maker) shuffled(lanes []lane, t vir.Type) *vir.Value {
	var from []*vir.Value
	v := &vir.Value{Op: vir.OpShuffle, Type: t, Lanes: make([]int, len(lanes))}
	for k, l := range lanes {
		v.Lanes[k] = -1
		if l.v == nil {
			continue
		}
		i := slices.Index(from, l.v)
		if i < 0 {
			i = len(from)
			from = append(from, l.v)
		}
		if i > 1 || l.v.Type != from[0].Type || !l.v.Type.IsVector() {
			return nil
		}
		v.Lanes[k] = i*l.v.Type.Lanes + l.k
	}
	v.Args = from
	return m.add(v)
}

// add takes note of a value made for the present store.
func (m *maker) add(v *vir.Value) *vir.Value {
	m.fresh = append(m.fresh, v)
	return v
}

// place puts what was made into the function.
func (m *maker) place() {
	before := func(b *vir.Block, at *vir.Value, vs []*vir.Value) {
		nb := vir.NewBuilder(b.Func, b)
		nb.Pos = at.Pos
		edit.InFront(nb, at, func() {
			for _, v := range vs {
				nb.Append(v)
			}
		})
	}
	for _, p := range m.setup {
		before(p.at, p.at.Insts[len(p.at.Insts)-1], []*vir.Value{p.v})
	}
	before(m.b, m.first, m.early)
	before(m.b, m.current, m.fresh)
}
