package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
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
// keeps the values it left with: phis that somebody reads behind the loop choose
// between their next value and the one they have, other values are carried along in
// phis of their own. Without an exit at the header, the branch stands at the end.
//
// A loop that all iterations of a block leave together (uniform) needs none of that:
// its branch stays, and there is no %active.
type inner struct {
	loop    *loops.Loop
	scope   *scope
	uniform bool
	live    []*vir.Value // defined inside, used outside

	exits []exit
}

// An exit is an edge out of the loop. Behind the loop, left tells whether it was taken;
// the last exit needs no carrier: it is taken when no other is.
type exit struct {
	loops.Edge
	carrier
	left literal
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
		in.exits = append(in.exits, exit{Edge: e})
	}
	in.uniform = c.leavesTogether(in)
	in.live = c.liveOut(l)
	return in, nil
}

// leavesTogether reports whether all iterations of a block leave the loop at once: by
// one exit, which each iteration of the loop passes, on a uniform condition.
func (c *converter) leavesTogether(in *inner) bool {
	if len(in.exits) != 1 {
		return false
	}
	from := in.exits[0].From
	s := in.scope
	i, latch := s.at[from], s.at[in.loop.Latches[0]]
	if s.nodes[i].inner != nil || c.uniform.IsDivergent(from) {
		return false
	}
	for d := latch; ; d = s.idom[d] {
		if d == i {
			return true
		}
		if d == 0 {
			return false
		}
	}
}

// liveOut are the values of l that are used behind it, in order of definition.
func (c *converter) liveOut(l *loops.Loop) []*vir.Value {
	var live []*vir.Value
	for _, b := range l.Blocks {
		for _, v := range b.Insts {
			outside := func(u *vir.Value) bool {
				if u.Op != vir.OpPhi {
					return !l.Contains(c.home[u])
				}
				for k, x := range u.Args {
					if x == v && !l.Contains(c.home[u]) && c.home[u] != nil && k < len(c.home[u].Preds) {
						return true
					}
				}
				return false
			}
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
	if in.uniform || len(in.exits) == 1 {
		return literal{}
	}
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
	under := s.under(n.block)
	w := &loopWriter{converter: c, in: in, head: c.newBlock(in.loop.Header.Name), behind: c.newBlock("behind")}
	w.begin(s, under)
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
	active       *vir.Value // nil for a uniform loop
	phis         []*vir.Value
	carried      []*carrier
	guard        bool // the loop may be passed by
	out          bool // the branch out of the loop has been written
}

// A carrier holds the value that v had when the iteration last computed it.
type carrier struct {
	v, phi, next *vir.Value
	early        bool // next is computed before the branch out of the loop
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
	if in.uniform {
		in.scope.base = under
		return
	}
	w.active = w.phi(start)
	in.scope.base = literal{v: w.active}
	for i := range in.exits[:len(in.exits)-1] {
		in.exits[i].carrier = carrier{phi: w.phi(w.zero(start.Type))}
	}
	for _, v := range in.live {
		if !slices.Contains(w.phis, v) {
			w.carried = append(w.carried, &carrier{v: v, phi: w.phi(w.zero(v.Type))})
		}
	}
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

// zero is a constant before the loop.
func (w *loopWriter) zero(t vir.Type) *vir.Value {
	pre := w.head.Preds[0]
	z := w.f.NewValue(vir.OpConst, t)
	z.Bits, z.Block = []uint64{0}, pre
	pre.Insts = slices.Insert(pre.Insts, len(pre.Insts)-1, z)
	return z
}

// phi makes a phi of the header; its second operand follows.
func (w *loopWriter) phi(start *vir.Value) *vir.Value {
	p := w.b.Phi(start.Type)
	p.Args = []*vir.Value{start}
	return p
}

// body writes the iteration. The branch out of the loop stands behind the block with
// the exit where all iterations of a block pass that, or behind the header.
func (w *loopWriter) body() {
	s := w.in.scope
	early := w.early()
	for i, n := range s.nodes {
		if n.inner != nil {
			w.inner(s, n)
		} else {
			w.block(s, n.block)
		}
		w.keep(i)
		if n.block == early {
			w.branch(n.block)
		}
	}
}

// early is the block behind which the loop is left, nil for the end.
func (w *loopWriter) early() *vir.Block {
	for _, x := range w.in.exits {
		if (w.in.uniform || x.From == w.in.loop.Header) && !slices.Contains(x.From.Succs, w.in.loop.Header) {
			return x.From
		}
	}
	return nil
}

// branch leaves the loop behind block b if no iteration stays.
func (w *loopWriter) branch(b *vir.Block) {
	s := w.in.scope
	on := b.Succs[0]
	if !s.inside(on) {
		on = b.Succs[1]
	}
	stay := w.taken(b, on, on.PredIndex(b))
	s.root = s.at[on]
	if w.active != nil {
		stay = w.and(s.base, stay)
		s.base = stay
	}
	next := w.newBlock(b.Name)
	w.b.Br(w.value(stay), next, w.behind)
	w.place(next)
	w.out = true
}

// keep notes what node i, just written, means behind the loop: by which edges
// iterations left, and the values they may leave with.
func (w *loopWriter) keep(i int) {
	if w.active == nil {
		return
	}
	s := w.in.scope
	for k := range w.in.exits[:len(w.in.exits)-1] {
		x := &w.in.exits[k]
		if s.at[x.From] == i {
			leaves := w.and(s.base, s.edge(x.To, x.To.PredIndex(x.From), s.root))
			x.next, x.early = w.b.Op(vir.OpOr, x.phi.Type, x.phi, w.value(leaves)), !w.out
		}
	}
	for _, k := range w.carried {
		if s.at[w.home[k.v]] == i {
			ran := w.and(s.base, s.predicate(i, s.root))
			k.next, k.early = w.b.Op(vir.OpSelect, k.v.Type, w.value(ran), w.now(k.v), k.phi), !w.out
		}
	}
}

// end goes back to the header and completes its phis.
func (w *loopWriter) end() {
	s := w.in.scope
	latch, header := w.in.loop.Latches[0], w.in.loop.Header
	stay := s.edge(header, header.PredIndex(latch), s.root)
	if w.active != nil {
		stay = w.and(s.base, stay)
	}
	for _, phi := range w.phis {
		next := w.now(phi.Args[1])
		if w.active != nil && next != phi && slices.Contains(w.in.live, phi) {
			next = w.b.Op(vir.OpSelect, phi.Type, w.value(stay), next, phi)
		}
		phi.Args[1] = next
	}
	if w.active != nil {
		w.active.Args = append(w.active.Args, w.value(stay))
	}
	for i := range w.in.exits[:len(w.in.exits)-1] {
		w.in.exits[i].complete()
	}
	for _, k := range w.carried {
		k.complete()
	}
	if w.out {
		w.b.Jmp(w.head)
		return
	}
	w.b.Br(w.value(stay), w.head, w.behind)
}

func (k *carrier) complete() {
	if k.phi != nil {
		k.phi.Args = append(k.phi.Args, k.next)
	}
}

// behind is the value of the carrier behind the loop.
func (k *carrier) behind(out bool) *vir.Value {
	if out && !k.early {
		return k.phi
	}
	return k.next
}

// leave makes known what stands for the values of the loop from here on. When the
// loop may have been passed by, they come from nowhere then.
func (w *loopWriter) leave() {
	expose := func(x *vir.Value) *vir.Value {
		if !w.guard {
			return x
		}
		p := w.b.Phi(x.Type)
		p.Args = []*vir.Value{w.zero(x.Type), x}
		return p
	}
	carried := make(map[*vir.Value]*vir.Value)
	for _, k := range w.carried {
		carried[k.v] = k.behind(w.out)
	}
	w.exits(expose)
	for _, v := range w.in.live {
		x := carried[v]
		if x == nil {
			x = w.now(v)
		}
		if x = expose(x); x != v {
			w.repl[v] = x
		}
	}
}

// exits tells by which edges the loop was left.
func (w *loopWriter) exits(expose func(*vir.Value) *vir.Value) {
	last := len(w.in.exits) - 1
	var any literal
	for i := range w.in.exits[:last] {
		x := &w.in.exits[i]
		x.left = literal{v: expose(x.behind(w.out))}
		if any.v == nil {
			any = x.left
		} else {
			any = w.or(any, x.left)
		}
	}
	if any.v != nil {
		w.in.exits[last].left = literal{v: any.v, neg: true}
	}
}
