package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// A writer puts vectors into the function.
type writer struct {
	*Graph
	dom    *loops.Dom
	forest *loops.Forest
	done   map[*vir.Block]bool         // blocks whose instructions are in place
	scalar map[*vir.Value]*vir.Value   // what stands for packed scalars, and for sums
	late   map[*vir.Block][]*vir.Value // packed scalars that are wanted in one later block only
	out    *vir.Builder                // at the end of the block being written
}

// emit writes all trees, and tells which accesses must lie apart.
func (g *Graph) emit() []alias.Apart {
	w := &writer{Graph: g, dom: loops.DomTree(g.f), forest: loops.Find(g.f), done: make(map[*vir.Block]bool), scalar: make(map[*vir.Value]*vir.Value), late: make(map[*vir.Block][]*vir.Value)}
	var all []alias.Apart
	for _, b := range loops.RPO(g.f) {
		all = append(all, w.block(b)...)
		w.done[b] = true
	}
	w.loopOperands()
	w.replace()
	for i := range all {
		for _, r := range []*alias.Range{&all[i].A, &all[i].B} {
			r.Base, r.Index = w.current(r.Base), w.current(r.Index)
		}
	}
	return merged(all)
}

// current is what stands for v, which part of an address was computed from that is tested.
// Nothing else may need it as a scalar any more: then it is written once more.
func (w *writer) current(v *vir.Value) *vir.Value {
	for v != nil && w.scalar[v] != nil {
		v = w.scalar[v]
	}
	if v == nil || v.Op == vir.OpParam || slices.Contains(v.Block.Insts, v) {
		return v
	}
	if v.Op == vir.OpPhi {
		n := w.of[v]
		x := w.f.NewValue(vir.OpExtract, v.Type, n.vec)
		x.Imm, x.Pos, x.Block = int64(w.lane[v]), v.Pos, n.vec.Block
		x.Block.Insts = slices.Insert(x.Block.Insts, len(x.Block.Phis()), x)
		w.scalar[v] = x
		return x
	}
	for i, a := range v.Args {
		v.Args[i] = w.current(a)
	}
	v.Block.Insts = slices.Insert(v.Block.Insts, len(v.Block.Insts)-1, v)
	return v
}

// block writes the instructions of b anew.
func (w *writer) block(b *vir.Block) []alias.Apart {
	phis, term := slices.Clone(b.Phis()), b.Term()
	w.out = &vir.Builder{Func: w.f, Cur: b}
	r := w.regions[b]
	if r == nil && len(w.late[b]) == 0 && !slices.ContainsFunc(phis, func(v *vir.Value) bool { return w.of[v] != nil }) {
		return nil
	}
	if r == nil {
		r = w.newRegion(b)
	}
	units, soft := r.schedule()
	b.Insts = nil
	w.variables(phis)
	for _, v := range w.late[b] {
		w.scalar[v] = w.out.Extract(w.of[v].vec, w.lane[v])
	}
	for _, u := range units {
		v := r.insts[u]
		w.out.Pos = v.Pos
		switch {
		case w.of[v] != nil:
			w.pack(w.of[v])
		case w.inner[v] != nil:
			w.pack(w.inner[v])
		case w.inSum[v] != nil:
			w.sum(w.inSum[v])
		default:
			w.append(v)
		}
	}
	w.append(term)
	var all []alias.Apart
	for _, e := range soft {
		all = append(all, alias.Apart{A: alias.Of(r.insts[e.from]), B: alias.Of(r.insts[e.to])})
	}
	return all
}

func (w *writer) append(v *vir.Value) {
	v.Block = w.out.Cur
	w.out.Cur.Insts = append(w.out.Cur.Insts, v)
}

// variables writes the phis of a block. Their operands follow when all values exist.
func (w *writer) variables(phis []*vir.Value) {
	var packed []*node
	for _, v := range phis {
		n := w.of[v]
		switch {
		case n == nil:
			w.append(v)
		case !slices.Contains(packed, n):
			packed = append(packed, n)
			n.vec = w.out.Phi(n.typ())
			n.vec.Pos = v.Pos
		}
	}
	for _, n := range packed {
		w.extracts(n)
	}
}

// loopOperands gives phis their operands.
func (w *writer) loopOperands() {
	for _, n := range w.nodes {
		if n.kind != phis {
			continue
		}
		n.vec.Args = make([]*vir.Value, len(n.args))
		for k, a := range n.args {
			n.vec.Args[k] = w.behind(n.vec.Block.Preds[k], a)
		}
	}
}

// behind is the vector of n at the end of block b.
func (w *writer) behind(b *vir.Block, n *node) *vir.Value {
	w.out = &vir.Builder{Func: w.f, Cur: b}
	return w.vector(n)
}

// pack writes the vector that replaces the scalars of n.
func (w *writer) pack(n *node) {
	first := n.first()
	switch n.kind {
	case load:
		n.vec = w.out.Load(vir.OpLoadUnit, n.typ(), n.lowest().Addr(), w.mask(n))
	case span:
		n.vec = w.span(n)
	case store:
		x := w.vector(n.args[0])
		n.vec = w.out.Store(vir.OpStoreUnit, x, n.lowest().Addr(), w.mask(n))
	case operation:
		n.vec = w.operation(n, n.op)
	case alternate:
		x, y := w.operation(n, n.op), w.operation(n, n.alt)
		n.vec = w.blend(n, x, y, func(i int) bool { return n.scalars[i] == nil || n.scalars[i].Op == n.op })
	case super:
		n.vec = w.super(n)
	}
	n.vec.Pos = first.Pos
	w.extracts(n)
}

// blend takes lanes of x where first holds, others of y.
func (w *writer) blend(n *node, x, y *vir.Value, first func(lane int) bool) *vir.Value {
	bits := make([]uint64, n.width())
	for i := range bits {
		if first(i) {
			bits[i] = 1
		}
	}
	return w.out.Op(vir.OpBlend, n.typ(), w.out.Lanes(vir.Mask(n.width()), bits), x, y)
}

// super writes the operations of a super-node: terms that are added in pairs, others
// one by one, in the end what comes from the turn before of a loop.
func (w *writer) super(n *node) *vir.Value {
	sums := map[int][]*vir.Value{} // by rank of column
	for k, a := range n.args {
		r := columnRank(n.terms[k])
		if k == 0 {
			r = 0
		}
		sums[r] = append(sums[r], w.vector(a))
	}
	acc := w.paired(n.op, sums[0])
	for _, x := range sums[2] { // a sum of these might be +0 where each by itself leaves no -0
		acc = w.out.Same(n.alt, acc, x)
	}
	for k, x := range sums[3] {
		col := n.terms[len(n.terms)-len(sums[3])+k]
		acc = w.blend(n, w.out.Same(n.op, acc, x), w.out.Same(n.alt, acc, x), func(i int) bool { return !col[i].minus })
	}
	for _, x := range sums[1] {
		acc = w.out.Same(n.op, acc, x)
	}
	return acc
}

// paired combines values by op, neighbours first.
func (w *writer) paired(op vir.Op, xs []*vir.Value) *vir.Value {
	for len(xs) > 1 {
		var next []*vir.Value
		for i := 0; i+1 < len(xs); i += 2 {
			next = append(next, w.out.Same(op, xs[i], xs[i+1]))
		}
		if len(xs)%2 == 1 {
			next = append(next, xs[len(xs)-1])
		}
		xs = next
	}
	return xs[0]
}

// mask is that of the lanes somebody looks at; nil for all.
func (w *writer) mask(n *node) *vir.Value {
	if !slices.Contains(n.scalars, nil) {
		return nil
	}
	bits := make([]uint64, n.width())
	for i, v := range n.scalars {
		if v != nil {
			bits[i] = 1
		}
	}
	return w.out.Lanes(vir.Mask(n.width()), bits)
}

// operation writes op for all lanes of n.
func (w *writer) operation(n *node, op vir.Op) *vir.Value {
	var args []*vir.Value
	if n.uniform != nil {
		args = append(args, n.uniform)
	}
	for _, a := range n.args {
		args = append(args, w.vector(a))
	}
	if op == vir.OpSelect && n.uniform == nil {
		op = vir.OpBlend
	}
	return w.out.Op(op, n.typ(), args...)
}

// span reads a stretch of memory in one or two loads, and takes the elements out.
func (w *writer) span(n *node) *vir.Value {
	piece, second := n.pieces()
	t := vir.Vec(n.element(), piece)
	at := n.lowest().Addr()
	x := w.out.Load(vir.OpLoadUnit, t, at, nil)
	if second < 0 {
		return w.out.Shuffle(n.typ(), n.lanes, x, nil)
	}
	at.Disp += int64(second * n.element().Size())
	y := w.out.Load(vir.OpLoadUnit, t, at, nil)
	return w.out.Shuffle(n.typ(), n.fromPieces(piece, second), x, y)
}

// pieces are the loads of a span: their lanes, and the element with which the second one
// begins, which ends with the span; -1 if there is one load only.
func (n *node) pieces() (lanes, second int) {
	total := slices.Max(n.lanes) + 1
	lanes = 1
	for lanes*2 <= total {
		lanes *= 2
	}
	if lanes == total {
		return lanes, -1
	}
	return lanes, total - lanes
}

// fromPieces are the lanes of the span in two loads, of which the second begins with the
// given element.
func (n *node) fromPieces(piece, second int) []int {
	lanes := slices.Clone(n.lanes)
	for i, k := range lanes {
		if k >= piece {
			lanes[i] = k - second + piece
		}
	}
	return lanes
}

// extracts gets lanes of n that are needed one by one.
func (w *writer) extracts(n *node) {
	for i, v := range n.scalars {
		switch {
		case v == nil || !w.needs(v) || n.kind == store:
		case w.repeats(v):
			w.append(v)
		case w.later(v) != nil:
			b := w.later(v)
			w.late[b] = append(w.late[b], v)
		default:
			w.scalar[v] = w.out.Extract(n.vec, i)
		}
	}
}

// later is the block behind the current one that v is wanted in, which may be behind the
// loop that it is computed in; nil when there are several, or if it is the current one.
func (w *writer) later(v *vir.Value) *vir.Block {
	var in *vir.Block
	for _, u := range w.uses[v] {
		switch {
		case !w.usesScalar(u, v):
		case u.Op == vir.OpPhi || in != nil && u.Block != in:
			return nil
		default:
			in = u.Block
		}
	}
	if w.wanted[v] > 0 || in == w.out.Cur || in == nil || w.done[in] {
		return nil
	}
	if l := w.forest.Of(in); l != nil && !l.Contains(w.out.Cur) { // every time around
		return nil
	}
	return in
}

// replace makes everything use what stands for packed scalars.
func (w *writer) replace() {
	for v := range w.f.Values {
		for i, a := range v.Args {
			for w.scalar[a] != nil {
				a = w.scalar[a]
			}
			v.Args[i] = a
		}
	}
}

// merged is each pair of places once, with all bytes that are accessed there.
func merged(all []alias.Apart) []alias.Apart {
	type pair struct{ a, b place }
	index := make(map[pair]int)
	var out []alias.Apart
	for _, x := range all {
		p := pair{place{x.A.Base, x.A.Index, x.A.Scale}, place{x.B.Base, x.B.Index, x.B.Scale}}
		if p.a.compare(p.b) > 0 {
			p.a, p.b = p.b, p.a
			x.A, x.B = x.B, x.A
		}
		i, ok := index[p]
		if !ok {
			index[p] = len(out)
			out = append(out, x)
			continue
		}
		out[i].A.Lo, out[i].A.Hi = min(out[i].A.Lo, x.A.Lo), max(out[i].A.Hi, x.A.Hi)
		out[i].B.Lo, out[i].B.Hi = min(out[i].B.Lo, x.B.Lo), max(out[i].B.Hi, x.B.Hi)
	}
	return out
}
