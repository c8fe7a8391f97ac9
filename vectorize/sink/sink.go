// Package sink keeps in a register what a loop inside loads and stores again in each turn:
//
//	for j := range c {                    for j := range c {
//		c[j] = 0                              s := 0
//		for k := range b {          ==>       for k := range b {
//			c[j] += a[k] * b[k][j]                s += a[k] * b[k][j]
//		}                                     }
//	}                                         c[j] = s
//	                                      }
//
// The store stands behind the loop then, and lanes of the outer one may load what they like before: rows whose pointers
// the loop loads, which nothing tells apart from c before the loop.
//
// Requires: a region as the frontend makes it, with the loop directly inside of its own one. The loop inside turns at least
// once, or the element is stored before it: see Loop.Turns. What it loads besides is not the element: Loop.Apart.
//
// Not handled: stores that some turns leave out, where nothing was stored before.
package sink

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Loop is a region with stores behind the loops inside.
type Loop struct {
	Region *plan.Region
	Names  []string // of the memory that is stored to
	// Turns says that a loop inside without a turn would store what the region as it was does not.
	Turns bool
	// Apart is what must hold besides of the region's memory.
	Apart []plan.Overlap
}

// Split is r with what loops inside store in each turn in registers, nil where there is no such store.
func Split(r *plan.Region) *Loop {
	if r.Once || !storesAroundLoops(r.Fn) {
		return nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	s := &splitter{Loop: &Loop{Region: &c}, dom: loops.DomTree(c.Fn), sc: scev.New(&c), passed: make(map[*vir.Value]bool)}
	for _, l := range loops.Find(c.Fn).All {
		if l.Depth == 2 {
			s.loop(l)
		}
	}
	s.first()
	if s.stores == nil || !s.apart() {
		return nil
	}
	return s.Loop
}

// storesAroundLoops reports whether f has loops inside, and stores: most regions do not, and need no copy.
func storesAroundLoops(f *vir.Func) bool {
	return slices.ContainsFunc(loops.Find(f).All, func(l *loops.Loop) bool { return l.Depth == 2 }) && stores(f)
}

func stores(f *vir.Func) bool {
	for v := range f.Values {
		if v.Op.IsStore() {
			return true
		}
	}
	return false
}

type splitter struct {
	*Loop
	dom    *loops.Dom
	sc     *scev.Info
	stores []*vir.Value        // behind the loops inside
	passed map[*vir.Value]bool // accesses that come before such a store, and came behind it
}

// loop moves the stores of l behind it, all of them or none.
func (s *splitter) loop(l *loops.Loop) {
	pre, behind := surroundings(l)
	if pre == nil {
		return
	}
	var elements []*element
	for _, b := range l.Blocks {
		for _, v := range b.Insts {
			switch {
			case v.Op == vir.OpExit, v.Op.IsLoad() && v.Base().Op != vir.OpParam && s.Region.Clauses.Independent:
				return // kernels do not look where rows are if iterations are known to be apart, which says nothing of one by itself
			case v.Op.IsStore():
				e := s.element(l, v)
				if e == nil {
					return
				}
				elements = append(elements, e)
			}
		}
	}
	for i, e := range elements {
		if slices.ContainsFunc(elements[:i], func(f *element) bool { return f.store.Base() == e.store.Base() }) {
			return
		}
	}
	for _, e := range elements {
		s.sink(l, e, pre, behind)
	}
}

// surroundings are the block before l and that behind it, nil where l is entered or left in other ways.
func surroundings(l *loops.Loop) (pre, behind *vir.Block) {
	if len(l.Latches) != 1 || !l.EndsAtHeader() || len(l.Header.Preds) != 2 {
		return nil, nil
	}
	behind = l.Exits[0].To
	pre = l.Header.Preds[1-l.Header.PredIndex(l.Latches[0])]
	if len(behind.Preds) != 1 || len(pre.Succs) != 1 {
		return nil, nil
	}
	return pre, behind
}

// An element is what a loop inside stores to in each turn.
type element struct {
	store *vir.Value
	loads []*vir.Value // of it, in the loop
	index *vir.Value   // nil for none
}

// element is that of store v, nil where the loop uses its memory otherwise, or not in each turn.
func (s *splitter) element(l *loops.Loop, v *vir.Value) *element {
	base := v.Base()
	if v.Masked || base.Op != vir.OpParam || !s.dom.Dominates(v.Block, l.Latches[0]) || v.Index() != nil && !stays(l, v.Index()) {
		return nil
	}
	e := &element{store: v, index: v.Index()}
	for _, b := range l.Blocks {
		for _, u := range b.Insts {
			switch {
			case u == v || !u.Op.IsLoad() && !u.Op.IsStore() || u.Base() != base:
			case u.Op.IsStore() || u.Masked || !s.same(u, v) || s.precedes(v, u) == s.precedes(u, v):
				return nil
			default:
				e.loads = append(e.loads, u)
			}
		}
	}
	return e
}

// precedes reports whether a turn that comes to w has been at v.
func (s *splitter) precedes(v, w *vir.Value) bool {
	if v.Block == w.Block {
		return slices.Index(v.Block.Insts, v) < slices.Index(v.Block.Insts, w)
	}
	return s.dom.Dominates(v.Block, w.Block)
}

// same reports whether v and w access one element in each turn.
func (s *splitter) same(v, w *vir.Value) bool {
	return v.Disp == w.Disp && v.Access() == w.Access() && s.sameIndex(v, w)
}

// sameIndex reports whether they are at most some bytes apart, the same in each turn.
func (s *splitter) sameIndex(v, w *vir.Value) bool {
	x, y := v.Index(), w.Index()
	if v.Scale != w.Scale {
		return false
	}
	if x == y {
		return true
	}
	if x == nil || y == nil {
		return false
	}
	a, ok := s.sc.Nested(x)
	b, ok2 := s.sc.Nested(y)
	if !ok || !ok2 || len(a.Terms) > 1 || len(b.Terms) > 1 {
		return false
	}
	d, ok := scev.Diff(a.Start, b.Start)
	faster, ok2 := scev.Diff(a.Step(nil), b.Step(nil))
	return ok && ok2 && d == 0 && faster == 0
}

// stays reports whether x has one value in all turns of l, which can be computed before it.
func stays(l *loops.Loop, x *vir.Value) bool {
	any := func(*vir.Value) bool { return true }
	return edit.Known(x, func(v *vir.Value) edit.Verdict {
		if !l.Contains(v.Block) {
			return edit.Given
		}
		return edit.KnownIf(edit.Invariant(v, any))
	})
}

// ahead is x in front of l, where the builder stands. What made holds stands there already.
func ahead(b *vir.Builder, l *loops.Loop, x *vir.Value, made map[*vir.Value]*vir.Value) *vir.Value {
	if x == nil || !l.Contains(x.Block) {
		return x
	}
	if made[x] == nil {
		y := x.Block.Func.CopyValue(x)
		for i, a := range x.Args {
			y.Args[i] = ahead(b, l, a, made)
		}
		made[x] = b.Append(y)
	}
	return made[x]
}

// sink keeps e in a register as long as l runs, which pre comes before and behind after.
func (s *splitter) sink(l *loops.Loop, e *element, pre, behind *vir.Block) {
	f, v := s.Region.Fn, e.store
	b := vir.NewBuilder(f, pre)
	b.Pos = v.Pos
	typ := v.Stored().Type
	var index, first *vir.Value
	edit.Ahead(b, pre, func() {
		made := make(map[*vir.Value]*vir.Value)
		index = ahead(b, l, e.index, made)
		checks(b, l, e, made)
	})
	at := vir.Addr{Base: v.Base(), Index: index, Scale: v.Scale, Disp: v.Disp}
	if before := s.storedBefore(pre, e); before != nil {
		first = before.Stored()
		for _, u := range pre.Insts[slices.Index(pre.Insts, before):] {
			s.passed[u] = u.Op.IsLoad()
		}
		before.Remove()
	} else {
		edit.Ahead(b, pre, func() { first = b.Load(vir.OpLoad, typ, at, nil) })
		s.Turns = true
	}
	phi := f.NewValue(vir.OpPhi, typ)
	phi.Block, phi.Pos, phi.Args = l.Header, v.Pos, []*vir.Value{first, first}
	l.Header.Insts = slices.Insert(l.Header.Insts, 0, phi)
	phi.Args[l.Header.PredIndex(l.Latches[0])] = v.Stored()
	for _, u := range e.loads {
		now := phi
		if s.precedes(v, u) {
			now = v.Stored()
		}
		f.ReplaceUses(u, now)
	}
	for _, u := range e.loads {
		u.Remove()
	}
	for _, blk := range l.Blocks {
		for _, u := range blk.Insts {
			s.passed[u] = u.Op.IsLoad()
		}
	}
	v.Remove()
	end := len(behind.Phis())
	for slices.Contains(s.stores, behind.Insts[end]) {
		end++ // in their order
	}
	edit.InFront(b, behind.Insts[end], func() { b.Store(vir.OpStore, phi, at, nil) })
	s.stores = append(s.stores, behind.Insts[end])
	s.Names = append(s.Names, v.Base().Name)
}

// checks makes those of e's subscript in front of l, where it is accessed now.
func checks(b *vir.Builder, l *loops.Loop, e *element, made map[*vir.Value]*vir.Value) {
	n := e.store.Base().Param.Len
	for _, blk := range l.Blocks {
		for _, c := range blk.Insts {
			if c.Op == vir.OpCheckIndex && !c.Masked && n != nil && c.Args[1] == n && stays(l, c.Args[0]) {
				b.Check(vir.OpCheckIndex, nil, ahead(b, l, c.Args[0], made), n)
			}
		}
	}
}

// storedBefore is a store to e in pre, behind which that uses nothing of e's memory; nil for none.
func (s *splitter) storedBefore(pre *vir.Block, e *element) *vir.Value {
	for _, u := range slices.Backward(pre.Insts) {
		switch {
		case !u.Op.IsLoad() && !u.Op.IsStore():
		case u.Op.IsStore() && !u.Masked && u.Base() == e.store.Base() && s.same(u, e.store) && u.Stored().Type == e.store.Stored().Type:
			return u
		case u.Op.IsStore() || u.Base() == e.store.Base():
			return nil
		}
	}
	return nil
}

// apart tests the elements against what is loaded before they are stored now, and against each other.
func (s *splitter) apart() bool {
	sc := scev.New(s.Region)
	dp := dep.Accesses(s.Region, sc)
	if dp == nil {
		return false
	}
	for i, v := range s.stores {
		a := dp.Access(v)
		if a == nil || a.Kind != dep.Linear {
			return false
		}
		stored, ok := dp.Around(a)
		if !ok {
			return false
		}
		for k := range dp.Accesses {
			b := &dp.Accesses[k]
			at := slices.Index(s.stores, b.Inst)
			if at >= i || at < 0 && !s.passed[b.Inst] || b.Inst == v || s.Region.Fn.Params[b.Stream.Param].Param.Immutable {
				continue
			}
			other, ok := dp.Around(b)
			if !ok {
				return false
			}
			s.Apart = append(s.Apart, plan.Overlap{A: stored, B: other, Disjoint: true})
		}
	}
	return true
}
