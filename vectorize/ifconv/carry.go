package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// What an iteration keeps when it leaves a loop in which others stay:
//
//   - a phi of the header that is read behind the loop: it stays as it is from then on
//     (frozen), next = select stay, next, phi. One that is the same for all that are in
//     the loop is better left alone, the loop counts by it: a carrier goes with it. An
//     induction's carrier counts on its own;
//   - other values: a carrier, a phi that takes the value whenever the iteration computes it;
//   - the exit that it took: one carrier per exit but the last.
//
// Behind the loop there is one value for each edge that leads there.

// A carrier holds for an iteration of the region what v was when it was last there.
type carrier struct {
	v    *vir.Value
	phi  *vir.Value
	now  *vir.Value // at the current point of the loop
	step int64      // of an induction, else 0
	cut  *vir.Value // the truncation of v that is all that is read, nil for v itself
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

// carry makes the carriers.
func (w *loopWriter) carry() {
	if !w.in.masks {
		return
	}
	for _, x := range w.in.exits[:len(w.in.exits)-1] {
		k := &carrier{now: w.zero(vir.Scalar(vir.Bool))}
		if !x.joint {
			k.phi = w.phi(k.now)
			k.now = k.phi
		}
		w.lefts = append(w.lefts, k)
	}
	for _, v := range w.in.live {
		if w.frozen(v) {
			continue
		}
		k := &carrier{v: v, cut: w.truncated(v)}
		start := w.zero(k.read().Type)
		if slices.Contains(w.phis, v) {
			if k.step = w.stepOf(v); k.step != 0 {
				start = w.first(k)
			}
		}
		k.phi = w.phi(start)
		k.now = k.phi
		w.carriers = append(w.carriers, k)
	}
}

// frozen reports whether v is a phi that keeps its value by itself.
func (w *loopWriter) frozen(v *vir.Value) bool {
	return slices.Contains(w.phis, v) && !w.lanes.IsUniform(v)
}

// read is the value that is read behind the loop.
func (k *carrier) read() *vir.Value {
	if k.cut != nil {
		return k.cut
	}
	return k.v
}

// truncated is the one truncation by which v is read behind the loop, else nil.
func (w *loopWriter) truncated(v *vir.Value) *vir.Value {
	var cut *vir.Value
	for _, u := range w.uses[v] {
		switch {
		case w.in.loop.Contains(w.home[u]):
		case u.Op != vir.OpTrunc || cut != nil && cut.Type != u.Type:
			return nil
		default:
			cut = u
		}
	}
	return cut
}

// stepOf is the constant by which integer phi changes, 0 for others.
func (w *loopWriter) stepOf(phi *vir.Value) int64 {
	next := phi.Args[1]
	if !phi.Type.Elem.IsInt() || next.Op != vir.OpAdd {
		return 0
	}
	for i, a := range next.Args {
		if c, ok := next.Args[1-i].ConstInt(); ok && a == phi {
			return c
		}
	}
	return 0
}

// first is the value with which the carrier of a phi starts.
func (w *loopWriter) first(k *carrier) *vir.Value {
	x := k.v.Args[0]
	if k.cut == nil {
		return x
	}
	pre := w.head.Preds[0]
	t := w.f.NewValue(vir.OpTrunc, k.cut.Type, x)
	t.Block = pre
	pre.Insts = slices.Insert(pre.Insts, len(pre.Insts)-1, t)
	return t
}

// keep notes what node i, just written, means behind the loop.
func (w *loopWriter) keep(i int) {
	s := w.in.scope
	for n, k := range w.lefts {
		if x := w.in.exits[n]; s.at[x.From] == i && !x.joint {
			leaves := w.and(s.base, s.edge(x.To, x.To.PredIndex(x.From), s.root))
			k.now = w.b.Op(vir.OpOr, k.now.Type, k.now, w.value(leaves))
		}
	}
	for _, k := range w.carriers {
		if k.step != 0 || s.at[w.home[k.v]] != i {
			continue
		}
		ran, x := w.and(s.base, s.predicate(i, s.root)), w.now(k.v)
		if k.cut != nil {
			x = w.b.Op(vir.OpTrunc, k.cut.Type, x)
		}
		k.now = w.b.Op(vir.OpSelect, x.Type, w.value(ran), x, k.phi)
	}
}

// next completes the phis of the header, given the condition to stay in the loop.
func (w *loopWriter) next(stay literal) {
	for _, phi := range w.phis {
		next := w.now(phi.Args[1])
		if w.active != nil && next != phi && slices.Contains(w.in.live, phi) && w.frozen(phi) {
			next = w.b.Op(vir.OpSelect, phi.Type, w.value(stay), next, phi)
		}
		phi.Args[1] = next
	}
	for _, k := range w.carriers {
		if k.step != 0 {
			k.now = w.count(k, stay)
		}
	}
	for _, k := range slices.Concat(w.carriers, w.lefts) {
		if k.phi != nil { // of a joint exit there is none
			k.phi.Args = append(k.phi.Args, k.now)
		}
	}
}

// count adds the step for iterations that stay. In lanes a condition is 0 or -1.
func (w *loopWriter) count(k *carrier, stay literal) *vir.Value {
	t := k.phi.Type
	on := w.b.Op(vir.OpSext, t, w.value(stay))
	if k.step == 1 {
		return w.b.Op(vir.OpSub, t, k.phi, on)
	}
	return w.b.Op(vir.OpAdd, t, k.phi, w.b.Op(vir.OpAnd, t, on, w.b.Int(t, k.step)))
}

// way notes the values behind the loop for an edge that is about to be made to there.
// All iterations still in the loop leave by exit joint, unless that is -1.
func (w *loopWriter) way(joint int) {
	var vs []*vir.Value
	s := w.in.scope
	bool1 := vir.Scalar(vir.Bool)
	for n := range w.in.exits[:len(w.in.exits)-1] {
		switch {
		case w.in.masks && n == joint:
			vs = append(vs, w.b.Op(vir.OpOr, bool1, w.lefts[n].now, w.value(s.base)))
		case w.in.masks:
			vs = append(vs, w.lefts[n].now)
		case n == joint:
			vs = append(vs, w.b.Const(bool1, 1))
		default:
			vs = append(vs, w.b.Const(bool1, 0))
		}
	}
	for _, v := range w.in.live {
		vs = append(vs, w.atEdge(v))
	}
	w.ways = append(w.ways, vs)
}

// atEdge is what stands for live value v behind the loop, when it is left here.
func (w *loopWriter) atEdge(v *vir.Value) *vir.Value {
	for _, k := range w.carriers {
		if k.v == v {
			return k.now
		}
	}
	switch {
	case slices.Contains(w.phis, v):
		return v
	case w.in.scope.at[w.home[v]] < w.written:
		return w.now(v)
	}
	return w.zero(v.Type) // nobody reads it when the loop was left here
}

// leave makes known what stands for the values of the loop from here on. When the
// loop may have been passed by, they come from nowhere then.
func (w *loopWriter) leave() {
	last := len(w.in.exits) - 1
	var any literal
	for n := range w.in.exits[:last] {
		x := literal{v: w.merged(n)}
		w.in.exits[n].left = x
		if any.v == nil {
			any = x
		} else {
			any = w.or(any, x)
		}
	}
	if any.v != nil {
		w.in.exits[last].left = literal{v: any.v, neg: !any.neg}
	}
	for n, v := range w.in.live {
		x := w.merged(last + n)
		if k := w.carrierOf(v); k != nil && k.cut != nil {
			w.cuts(v, x)
			w.repl[v] = w.zero(v.Type) // of the truncations themselves
		} else if x != v {
			w.repl[v] = x
		}
	}
}

func (w *loopWriter) carrierOf(v *vir.Value) *carrier {
	for _, k := range w.carriers {
		if k.v == v {
			return k
		}
	}
	return nil
}

// cuts makes x stand for the truncations of v behind the loop.
func (w *loopWriter) cuts(v, x *vir.Value) {
	for _, u := range w.uses[v] {
		if !w.in.loop.Contains(w.home[u]) {
			w.repl[u] = x
		}
	}
}

// merged is value n of the edges to the block behind the loop.
func (w *loopWriter) merged(n int) *vir.Value {
	first, same := w.ways[0][n], !w.guard
	for _, way := range w.ways {
		same = same && way[n] == first
	}
	if same {
		return first
	}
	var args []*vir.Value
	if w.guard {
		args = append(args, w.zero(first.Type))
	}
	for _, way := range w.ways {
		args = append(args, way[n])
	}
	if len(args) == 1 {
		return first
	}
	p := w.b.Phi(first.Type)
	p.Args = args
	return p
}
