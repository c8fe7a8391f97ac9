package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// What was stored a moment ago is not in the cache yet. A processor passes it on to a load if
// one store has all bytes of the load; otherwise the load, and what is behind it, waits until
// the stores are done:
//
//	store f64x2, [b + 24]    3 4
//	store f64,   [b + 40]        5
//	load f64x2,  [b + 32]      4 5       waits
//	load f64,    [b + 32]      4         does not
//
// So a group of loads is charged where its bytes come out of several stores as they are
// grouped now, out of one that has some of them only, or of one under a mask. Bytes that
// nobody looks at count, as they are loaded as well. What a group of stores means for the
// loads behind it is looked at again whenever it comes or goes. Where turns go on to an element
// that is found at run time, a group of loads may be of parts of what the turn before stored.

// recent is how many stores back, in the order of the program and over the turns of a
// loop, one may still be on its way.
const recent = 32

// A passing is a store that a load comes soon after.
type passing struct {
	store *vir.Value
	at    int64 // bytes from the load
	same  bool  // it is in the same turn of the loop
}

// An extent is size bytes from at on, counted from an access.
type extent struct{ at, size int64 }

func (s extent) meets(o extent) bool { return s.at < o.at+o.size && o.at < s.at+s.size }

func (s extent) covers(o extent) bool {
	return s.at <= o.at && o.at+o.size <= s.at+s.size
}

// findPassing lists the stores that loads come soon after.
func (g *Graph) findPassing() {
	var loads, stores []*vir.Value
	for _, b := range loops.RPO(g.f) {
		for _, v := range b.Insts {
			switch {
			case !isAccess(v):
				continue
			case v.Op == vir.OpStore:
				stores = append(stores, v)
			default:
				loads = append(loads, v)
			}
			g.places[v] = len(g.places)
		}
	}
	if len(stores) == 0 {
		return
	}
	forest := loops.Find(g.f)
	for _, v := range loads {
		before, _ := slices.BinarySearchFunc(stores, v, func(s, v *vir.Value) int { return g.places[s] - g.places[v] })
		g.passingOf(v, stores[:before], stores, forest.Of(v.Block))
	}
}

// passingOf lists the stores that v comes soon after, the last one first: those before it,
// and if it is in a loop, all of that in the turns before.
func (g *Graph) passingOf(v *vir.Value, before, all []*vir.Value, l *loops.Loop) {
	left := recent
	for _, s := range slices.Backward(before) {
		if left--; left < 0 {
			return
		}
		if at, ok := g.behind(v, s); ok {
			g.passed(v, passing{s, at, true})
		}
	}
	if l == nil {
		return
	}
	all = slices.DeleteFunc(slices.Clone(all), func(s *vir.Value) bool { return !l.Contains(s.Block) })
	g.grains[v] = g.grain(v, all, l)
	for turn := int64(1); len(all) > 0; turn++ {
		for _, s := range slices.Backward(all) {
			if left--; left < 0 {
				return
			}
			from, ok := g.address(s).Ago(turn, func(x *vir.Value) (int64, bool) { return stepIn(l, x) })
			if !ok {
				continue
			}
			if at, ok := g.address(v).Distance(from); ok {
				g.passed(v, passing{s, at, false})
			}
		}
	}
}

// grain is what v lies away by a multiple of from some of the stores of other turns of l, of which nobody knows where they are;
// 0 for none.
func (g *Graph) grain(v *vir.Value, stores []*vir.Value, l *loops.Loop) (n int64) {
	found := func(x *vir.Value) bool {
		_, ok := stepIn(l, x)
		return !ok
	}
	for _, s := range stores {
		if x, y := g.address(v), g.address(s); x.Uses(found) || y.Uses(found) {
			n = x.Grain(y.Form, n)
		}
	}
	return n
}

func (g *Graph) passed(v *vir.Value, p passing) {
	g.passing[v] = append(g.passing[v], p)
	if r := g.readers[p.store]; len(r) == 0 || r[len(r)-1] != v {
		g.readers[p.store] = append(r, v)
	}
}

// stepIn is what a turn of l adds to v, if that is a constant.
func stepIn(l *loops.Loop, v *vir.Value) (int64, bool) {
	switch {
	case v.Block == nil || !l.Contains(v.Block):
		return 0, true
	case v.Op != vir.OpPhi || v.Block != l.Header || len(v.Args) != 2 || len(l.Latches) != 1:
		return 0, false
	}
	next := v.Args[v.Block.PredIndex(l.Latches[0])]
	if next.Op != vir.OpAdd || next.Args[0] != v {
		return 0, false
	}
	return next.Args[1].ConstInt()
}

// waiting is what load v waits, with the groups as they are, beyond what it does without
// any. What a group waits is that of its first lane.
func (g *Graph) waiting(v *vir.Value) float64 {
	if len(g.places) == 0 || g.opt.Costs.Wait() == 0 {
		return 0
	}
	n := g.of[v]
	alone := []*vir.Value{v}
	times := 0
	switch {
	case n == nil:
		times = g.waits(alone, bytesOf(v), g.groupOf)
	case n.first() == v:
		for _, b := range n.loaded() {
			times += g.waits(present(n.scalars), b, g.groupOf)
		}
	}
	times -= g.waits(alone, bytesOf(v), func(*vir.Value) *node { return nil })
	return (float64(times) + g.mayWait(v)) * g.opt.Costs.Wait() * g.weight(v)
}

// partly is how often a load waits that may be of a part of what was stored: elements next to each other often come one after
// the other.
const partly = 0.5

// mayWait is how often a group whose first lane is v waits for stores to elements that are found at run time.
func (g *Graph) mayWait(v *vir.Value) float64 {
	n, grain := g.of[v], g.grains[v]
	if grain == 0 || n == nil || n.first() != v || grain%n.loaded()[0].size == 0 {
		return 0
	}
	return partly
}

func (g *Graph) groupOf(v *vir.Value) *node { return g.of[v] }

func bytesOf(v *vir.Value) extent { return extent{0, int64(v.Access().Size())} }

// loaded are the bytes that each load of n has, counted from the lowest access.
func (n *node) loaded() []extent {
	size := int64(n.element().Size())
	if n.kind != span {
		return []extent{{0, int64(n.width()) * size}}
	}
	piece, second := n.pieces()
	all := []extent{{0, int64(piece) * size}}
	if second >= 0 {
		all = append(all, extent{int64(second) * size, int64(piece) * size})
	}
	return all
}

// waits is 1 if a load of b, counted from the lowest of vs, waits, else 0. All of vs are
// loaded together; group tells what is stored together.
func (g *Graph) waits(vs []*vir.Value, b extent, group func(*vir.Value) *node) int {
	low, last := vs[0], vs[0]
	for _, v := range vs[1:] {
		if d, _ := g.behind(low, v); d < 0 {
			low = v
		}
		if g.places[v] > g.places[last] {
			last = v
		}
	}
	d, _ := g.behind(last, low)
	b.at += d
	g.spent += len(g.passing[last])
	for _, p := range g.passing[last] {
		from, n := extent{p.at, int64(p.store.Access().Size())}, group(p.store)
		lane := from
		if n != nil {
			from = extent{from.at - int64(g.lane[p.store])*from.size, int64(n.width()) * from.size}
		}
		switch {
		case !from.meets(b) || p.same && g.loadedBefore(vs, p.store):
		case from.covers(b) && (n == nil || !slices.Contains(n.scalars, nil)) || lane.covers(b):
			return 0
		default:
			return 1
		}
	}
	return 0
}

// loadedBefore reports whether one of vs must come before the store.
func (g *Graph) loadedBefore(vs []*vir.Value, s *vir.Value) bool {
	return slices.ContainsFunc(vs, func(v *vir.Value) bool {
		at, ok := g.behind(v, s)
		return g.places[v] < g.places[s] && ok && bytesOf(v).meets(extent{at, int64(s.Access().Size())})
	})
}

// await looks again at what loads wait, of vs and behind stores of vs, as what packs vs
// changed.
func (g *Graph) await(vs []*vir.Value) {
	for _, v := range present(vs) {
		switch v.Op {
		case vir.OpLoad:
			g.awaitOne(v)
		case vir.OpStore:
			for _, r := range g.readers[v] {
				g.awaitOne(r)
				if n := g.of[r]; n != nil {
					g.awaitOne(n.first())
				}
			}
		}
	}
}

func (g *Graph) awaitOne(v *vir.Value) {
	now := g.waiting(v)
	g.total += now - g.waited[v]
	g.waited[v] = now
}

// awaits is what the loads of n wait.
func (g *Graph) awaits(n *node) float64 {
	total := 0.0
	if n.kind == load || n.kind == span {
		for _, v := range present(n.scalars) {
			total += g.waited[v]
		}
	}
	return total
}
