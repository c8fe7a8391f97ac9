package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A loop inside the body becomes
//
//	pre:    br %under, head, behind            when not every iteration gets here
//	head:   phis, instructions of the header
//	        %in = and bool %active, %c
//	        br %in, body, behind               in lanes: while any lane is in
//	body:   straight line under %in
//	        jmp head
//	behind: ...
//
// %active holds while the iteration of the region is in the loop. One that has left
// keeps the values it left with, see carry.go. Without an exit at the header, the
// branch stands at the end.
//
// An exit that all iterations take together, which are still in the loop, stays a
// branch: the condition is uniform, and each iteration of the loop comes by (joint). A
// loop with such exits only needs no %active.
type inner struct {
	loop  *loops.Loop
	scope *scope
	exits []exit
	live  []*vir.Value // defined inside, used outside
	masks bool         // iterations leave one after the other: there is %active
}

// An exit is an edge out of the loop.
type exit struct {
	loops.Edge
	joint bool
	left  literal // behind the loop: it was taken
}

// newInner looks at loop l, a node of an iteration of outer.
func (c *converter) newInner(l, outer *loops.Loop) (*inner, error) {
	if l == nil || l.Parent != outer || len(l.Latches) != 1 {
		return nil, refuseShape(outer)
	}
	in := &inner{loop: l}
	var err error
	if in.scope, err = c.newScope(l, l.Header); err != nil {
		return nil, err
	}
	for _, e := range l.Exits {
		x := exit{Edge: e, joint: c.isJoint(in, e)}
		in.exits = append(in.exits, x)
		in.masks = in.masks || !x.joint
	}
	if len(in.exits) == 0 {
		return nil, refuseShape(outer)
	}
	in.live = c.liveOut(l)
	return in, nil
}

// isJoint reports whether all iterations that are still in the loop leave it by e
// together: each comes by, and the condition is uniform among them.
func (c *converter) isJoint(in *inner, e loops.Edge) bool {
	s := in.scope
	i := s.at[e.From]
	if s.nodes[i].inner != nil || c.lanes.IsDivergent(e.From) || len(e.From.Succs) != 2 || !c.scalar(e.From.Term().Args[0]) {
		return false
	}
	for d := s.at[in.loop.Latches[0]]; ; d = s.idom[d] {
		if d == i || d == 0 {
			return d == i
		}
	}
}

// scalar reports whether uniform v is the same also in iterations that take no part:
// it is calculated, from loop counters at most. What is loaded by some iterations only
// has no value in the others.
func (c *converter) scalar(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		switch f := c.forest.Of(v.Block); {
		case v.Op == vir.OpParam || v.Op == vir.OpConst || v.Op == vir.OpLeast:
			return edit.Given
		case !c.lanes.IsUniform(v):
			return edit.Unknown
		case c.calculated(v):
			return edit.Given // the operands may differ: (i+1)*n - i*n
		case v.Op.IsLoad():
			return edit.KnownIf(!c.lanes.IsPartial(v.Block))
		case v.Op == vir.OpPhi && f.Header != v.Block:
			return edit.Unknown // becomes a choice
		}
		return edit.Computed
	})
}

// calculated reports whether v follows from what is known at the start of the iteration.
func (c *converter) calculated(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		i := v.Op.Info()
		switch {
		case v.Op == vir.OpParam || v.Op == vir.OpConst:
			return edit.Given
		case v.Op == vir.OpPhi && c.forest.Of(v.Block).Depth == 1 && v.Block == c.forest.Of(v.Block).Header:
			return edit.Given
		}
		return edit.KnownIf(v.Op != vir.OpPhi && !i.Reads && !i.Effect && !edit.Divides(v.Op))
	})
}

// liveOut are the values of l that are used behind it, in order of definition.
// Constants are made again there.
func (c *converter) liveOut(l *loops.Loop) []*vir.Value {
	outside := func(u *vir.Value) bool { return !l.Contains(c.home[u]) }
	var live []*vir.Value
	for _, b := range l.Blocks {
		for _, v := range b.Insts {
			if v.Op != vir.OpConst && slices.ContainsFunc(c.uses[v], outside) {
				live = append(live, v)
			}
		}
	}
	return live
}

// left is the condition that the loop was left by the edge from p to b, given that
// it was run.
func (in *inner) left(p, b *vir.Block) literal {
	for _, x := range in.exits {
		if x.From == p && x.To == b {
			return x.left
		}
	}
	return literal{}
}

// inner writes the loop of node n.
func (c *converter) inner(s *scope, n *node) {
	in := n.inner
	c.b.Pos = in.loop.Header.Term().Pos
	w := &loopWriter{converter: c, in: in, head: c.newBlock(in.loop.Header.Name), behind: c.newBlock("behind")}
	w.begin(s, s.under(n.block))
	w.body()
	w.end()
	c.place(w.behind)
	w.leave()
}

// A loopWriter writes one loop.
type loopWriter struct {
	*converter
	in           *inner
	head, behind *vir.Block
	active       *vir.Value // nil without masks
	phis         []*vir.Value
	carriers     []*carrier
	lefts        []*carrier // of exits; the last has none
	ways         [][]*vir.Value
	guard        bool // the loop may be passed by
	tested       bool // whether any iteration stays is asked at the header
	written      int  // nodes so far
}

// begin enters the header and makes its phis.
func (w *loopWriter) begin(s *scope, under literal) {
	in := w.in
	for _, phi := range in.loop.Header.Phis() {
		w.phis = append(w.phis, phi)
		phi.Args = []*vir.Value{w.initial(s, phi), phi.Args[phi.Block.PredIndex(in.loop.Latches[0])]}
	}
	start := w.value(under)
	if w.guard = under.v != nil && under != s.base; w.guard {
		w.b.Br(start, w.head, w.behind)
	} else {
		w.b.Jmp(w.head) // whoever branched here saw an iteration that goes on
	}
	w.place(w.head)
	for _, phi := range w.phis {
		w.move(phi)
	}
	in.scope.base = under
	if in.masks {
		w.active = w.phi(start)
		in.scope.base = literal{v: w.active}
	}
	w.carry()
}

// initial is the value of a header phi on entry.
func (w *loopWriter) initial(s *scope, phi *vir.Value) *vir.Value {
	header := w.in.loop.Header
	i := s.at[header]
	_, edges := s.entries(s.nodes[i])
	last := len(edges) - 1
	r := w.now(phi.Args[edges[last]])
	for _, k := range slices.Backward(edges[:last]) {
		x := w.now(phi.Args[k])
		if e := s.edge(header, k, s.idom[i]); x != r && e.v != nil {
			r = w.b.Op(vir.OpSelect, phi.Type, w.value(e), x, r)
		}
	}
	return r
}

// body writes the iteration, with branches out of the loop where all iterations leave
// together, and behind the header.
func (w *loopWriter) body() {
	s := w.in.scope
	for i, n := range s.nodes {
		if n.inner != nil {
			w.inner(s, n)
		} else {
			w.block(s, n.block)
		}
		w.written = i + 1
		w.keep(i)
		for k, x := range w.in.exits {
			if x.From == n.block && !slices.Contains(x.From.Succs, w.in.loop.Header) && (x.joint || i == 0) && n.inner == nil {
				w.branch(k)
			}
		}
	}
}

// branch leaves the loop by exit k: all iterations that are in it, or if none stays.
func (w *loopWriter) branch(k int) {
	s, x := w.in.scope, w.in.exits[k]
	on := x.From.Succs[0]
	if !s.inside(on) {
		on = x.From.Succs[1]
	}
	stay := w.taken(x.From, on, on.PredIndex(x.From))
	next := w.newBlock(x.From.Name)
	if x.joint {
		if w.in.masks {
			s.base = s.under(x.From) // without those that have left on the way
		}
		w.way(k)
		w.b.Br(w.value(stay), next, w.behind)
	} else {
		stay = w.and(s.base, stay)
		s.base, w.tested = stay, true
		w.way(-1)
		w.b.Br(w.value(stay), next, w.behind)
	}
	s.root = s.at[on]
	w.place(next)
}

// end goes back to the header and completes its phis.
func (w *loopWriter) end() {
	s := w.in.scope
	latch, header := w.in.loop.Latches[0], w.in.loop.Header
	stay := s.edge(header, header.PredIndex(latch), s.root)
	if w.active != nil {
		stay = w.and(s.base, stay)
		w.active.Args = append(w.active.Args, w.value(stay))
	}
	w.next(stay)
	if len(latch.Succs) == 1 && (w.tested || !w.in.masks) {
		w.b.Jmp(w.head)
		return
	}
	last := -1
	if !w.in.masks {
		last = slices.IndexFunc(w.in.exits, func(x exit) bool { return x.From == latch })
	}
	w.way(last)
	w.b.Br(w.value(stay), w.head, w.behind)
}
