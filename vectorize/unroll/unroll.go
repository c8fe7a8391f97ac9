// Package unroll makes copies of the body of small loops inside of a region that turn a
// constant number of times:
//
//	for c := range 4 {             last[0] += x[i+0]
//		last[c] += x[i+c]          last[1] += x[i+1]
//	}                              last[2] += x[i+2]
//	                               last[3] += x[i+3]
//
// What such a loop does in its turns stands side by side then, and elements of memory
// that its counter selects have addresses of their own.
//
// Requires: a region as the frontend makes it. Afterwards it has the same form. Innermost
// loops come first, so that whole nests of small loops become straight-line code.
//
// Not handled: loops that are left from inside, and those whose counter does not start
// with a constant. Straight-line code is left alone: the frontend knows which of its loops
// are better off as loops.
//
// The package knows vir and loops. It must not know what copies are good for.
package unroll

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Limits: turns of a loop, values in all copies of its body.
const (
	maxTurns  = 16
	maxValues = 1500
)

// Run unrolls the loops in the region of u.
func Run(u *pass.Unit) error {
	if n := region(u.Region, u.Count); n > 0 {
		u.Note("unroll:Copies", vir.Pos{}, map[string]any{"turns": n}, "small loops inside become copies of their bodies: %d", n)
	}
	return nil
}

// Region is r with the loops inside unrolled; r itself if there are none.
func Region(r *plan.Region) *plan.Region {
	c := *r
	c.Fn = r.Fn.Clone()
	if region(&c, func() bool { return true }) == 0 {
		return r
	}
	return &c
}

// region unrolls the loops in r and returns the number of copies.
func region(r *plan.Region, count func() bool) (copies int) {
	if r.Once {
		return 0
	}
	for {
		l := next(r.Fn, count)
		if l == nil {
			break
		}
		copies += int(l.turns)
		l.unroll()
		join(r.Fn)
	}
	r.Unrolled += copies
	return copies
}

// next is a loop to be unrolled, nil for none.
func next(f *vir.Func, count func() bool) *loop {
	forest := loops.Find(f)
	if forest.Irreducible {
		return nil
	}
	for _, b := range f.Blocks[2:] {
		l := forest.Of(b)
		if l == nil || l.Header != b || l.Parent == nil {
			continue
		}
		if x := recognize(f, l, forest); x != nil && count() {
			return x
		}
	}
	return nil
}

// A loop is one that turns a constant number of times.
type loop struct {
	f *vir.Func
	*loops.Loop
	pre, latch, done *vir.Block // in front of it, its end, behind it
	body             *vir.Block // where the header leads to
	turns            int64
}

// recognize is l if it is small and innermost, and left in its header only.
func recognize(f *vir.Func, l *loops.Loop, forest *loops.Forest) *loop {
	h := l.Header
	innermost := !slices.ContainsFunc(l.Blocks, func(b *vir.Block) bool { return forest.Of(b) != l })
	term := h.Term()
	if !innermost || len(l.Latches) != 1 || len(h.Preds) != 2 || term.Op != vir.OpBr || len(l.Latches[0].Succs) != 1 {
		return nil
	}
	if slices.ContainsFunc(l.Exits, func(e loops.Edge) bool { return e.From != h }) || l.Latches[0] == h {
		return nil
	}
	x := &loop{f: f, Loop: l, latch: l.Latches[0], body: h.Succs[0], done: h.Succs[1]}
	x.pre = h.Preds[1-h.PredIndex(x.latch)]
	if !l.Contains(x.body) || l.Contains(x.done) {
		return nil
	}
	values := int64(0)
	for _, b := range l.Blocks {
		values += int64(len(b.Insts))
	}
	var ok bool
	if x.turns, ok = x.count(term.Args[0]); !ok || x.turns*values > maxValues {
		return nil
	}
	return x
}

// count is how often condition c holds: a comparison of a counter with a constant.
func (l *loop) count(c *vir.Value) (n int64, ok bool) {
	if c.Op.Info().Rule != vir.RuleIntCmp {
		return 0, false
	}
	counter := c.Args[0]
	limit, ok := c.Args[1].ConstInt()
	if !ok || counter.Op != vir.OpPhi || counter.Block != l.Header {
		return 0, false
	}
	x, ok := counter.Args[l.Header.PredIndex(l.pre)].ConstInt()
	inc := counter.Args[l.Header.PredIndex(l.latch)]
	if !ok || inc.Op != vir.OpAdd || inc.Args[0] != counter {
		return 0, false
	}
	step, ok := inc.Args[1].ConstInt()
	bits := uint(counter.Type.Elem.Bits())
	for ok && c.Op.Holds(x, limit) {
		x += step
		n++
		if n > maxTurns || x != x<<(64-bits)>>(64-bits) {
			return 0, false
		}
	}
	return n, ok
}

// unroll replaces l by its copies, one behind the other, and a last one of its header.
func (l *loop) unroll() {
	h := l.Header
	from := l.pre
	in := h.PredIndex(l.pre)
	values := make(map[*vir.Value]*vir.Value) // of the copy before
	for k := int64(0); k <= l.turns; k++ {
		c := &copier{loop: l, values: make(map[*vir.Value]*vir.Value), blocks: make(map[*vir.Block]*vir.Block)}
		for _, phi := range h.Phis() {
			a := phi.Args[in]
			if w := values[a]; w != nil {
				a = w
			}
			c.values[phi] = a
		}
		first := c.copy(from, k == l.turns)
		from.Succs[slices.Index(from.Succs, h)] = first
		first.Preds = []*vir.Block{from}
		from, in, values = c.blocks[l.latch], h.PredIndex(l.latch), c.values
		if k == l.turns {
			from = first
		}
	}
	l.leave(from, values)
}

// leave lets the last copy of the header lead to what is behind the loop, which is
// dropped. Nothing behind it uses what its body computed.
func (l *loop) leave(last *vir.Block, values map[*vir.Value]*vir.Value) {
	l.done.Preds[l.done.PredIndex(l.Header)] = last
	l.f.Blocks = slices.DeleteFunc(l.f.Blocks, func(b *vir.Block) bool { return l.Contains(b) })
	for v := range l.f.Values {
		for i, a := range v.Args {
			if w := values[a]; w != nil {
				v.Args[i] = w
			}
		}
	}
}

// A copier makes one copy.
type copier struct {
	*loop
	values map[*vir.Value]*vir.Value
	blocks map[*vir.Block]*vir.Block
}

// copy copies the loop behind block from, or its header only, which leads to what is
// behind the loop. It returns the copy of the header.
func (c *copier) copy(from *vir.Block, headerOnly bool) *vir.Block {
	list := []*vir.Block{c.Header}
	if !headerOnly {
		list = c.Blocks
	}
	at := from
	for _, b := range list {
		to := edit.InsertBlock(at, b.Name)
		c.blocks[b], at = to, to
	}
	var made []*vir.Value
	for _, b := range list {
		made = append(made, c.block(b, headerOnly)...)
	}
	for _, v := range made { // phis use what comes later
		for i, a := range v.Args {
			if w := c.values[a]; w != nil {
				v.Args[i] = w
			}
		}
	}
	return c.blocks[c.Header]
}

// block fills the copy of b.
func (c *copier) block(b *vir.Block, last bool) (made []*vir.Value) {
	to := c.blocks[b]
	for _, v := range b.Insts {
		if b == c.Header && (v.Op == vir.OpPhi || v == b.Term()) {
			continue
		}
		w := c.f.CopyValue(v)
		w.Block, w.Name = to, ""
		to.Insts = append(to.Insts, w)
		c.values[v] = w
		made = append(made, w)
	}
	if b == c.Header {
		jmp := c.f.NewValue(vir.OpJmp, vir.Type{})
		jmp.Block = to
		to.Insts = append(to.Insts, jmp)
		next := c.done
		if !last {
			next = c.blocks[c.body]
			next.Preds = []*vir.Block{to}
		}
		to.Succs = []*vir.Block{next}
		return made
	}
	for _, s := range b.Succs {
		if s != c.Header {
			s = c.blocks[s]
		}
		to.Succs = append(to.Succs, s)
	}
	if b != c.body {
		for _, p := range b.Preds {
			to.Preds = append(to.Preds, c.blocks[p])
		}
	}
	return made
}

// join joins the blocks of the body of which one is the only way to the other.
func join(f *vir.Func) {
	for i := 2; i < len(f.Blocks)-2; {
		b := f.Blocks[i]
		latch := f.Blocks[len(f.Blocks)-2]
		if s := b.Succs[0]; len(b.Succs) == 1 && len(s.Preds) == 1 && s != b && s != latch {
			edit.Join(b, s)
			i = 2
			continue
		}
		i++
	}
}
