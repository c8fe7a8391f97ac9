package kernelize

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Guard adds tests of what passes take for granted of memory, u.Apart, to the kernel of u:
// where an iteration starts, or in front of the loop if they are the same for all of them.
// An iteration that fails is handed over. All pointers and indices must be known there,
// without loads of the iteration.
func Guard(u *pass.Unit) error {
	if len(u.Apart) == 0 {
		return nil
	}
	g := &guard{f: u.Func(), once: u.Region.Once}
	g.b = vir.NewBuilder(g.f, g.f.Entry())
	g.b.Pos = u.Region.Pos
	if g.it = loops.IterationOf(g.f, loops.Find(g.f), g.once); g.it == nil {
		return fmt.Errorf("no iteration to be guarded")
	}
	for _, t := range u.Apart {
		d := t.Distance()
		if slices.ContainsFunc(u.Tested, func(o alias.Distance) bool { return covers(o, d) }) {
			continue
		}
		if !g.add(d) {
			return pass.Refuse("slp:Overlap", nil, "what should be apart overlaps")
		}
	}
	u.Apart = nil
	if len(g.groups) == 0 {
		return nil
	}
	if err := g.build(); err != nil {
		return err
	}
	u.Note("slp:Overlap", vir.Pos{}, nil, "memory that should not overlap is compared when a call begins, or an iteration: tests: %d", g.tests())
	for _, x := range g.groups {
		for _, e := range x.ends {
			d := x.Distance
			d.Lo, d.Hi = e.lo, e.hi
			u.Tested = append(u.Tested, d)
		}
	}
	u.Kernel.Partial, u.Kernel.Complete = true, false
	if u.Kernel.Pause == 0 {
		u.Kernel.Pause = pause
	}
	return nil
}

// Testable tells which values are known where the tests of Guard are made.
func Testable(f *vir.Func, once bool) func(v *vir.Value) bool {
	g := &guard{f: f, once: once}
	at := &vir.Block{} // in front of the entry
	if !once {
		at = f.Blocks[1]
	}
	return func(v *vir.Value) bool { return g.known(v, at) }
}

// covers reports whether a test of o makes one of d superfluous.
func covers(o, d alias.Distance) bool {
	return o.From == d.From && o.To == d.To && slices.Equal(o.Terms, d.Terms) && o.Lo <= d.Lo && d.Hi <= o.Hi
}

type guard struct {
	f      *vir.Func
	b      *vir.Builder
	it     *loops.Iteration
	once   bool
	groups []*group
}

// A group is tests of one distance.
type group struct {
	alias.Distance
	ends []interval // where the distance must not lie, in order
}

type interval struct{ lo, hi int64 }

// add notes that d must not lie where it says; false when it always does.
func (g *guard) add(d alias.Distance) bool {
	if d.From == d.To && len(d.Terms) == 0 {
		return d.Lo > 0 || d.Hi < 0
	}
	same := func(o *group) bool { return o.From == d.From && o.To == d.To && slices.Equal(o.Terms, d.Terms) }
	i := slices.IndexFunc(g.groups, same)
	if i < 0 {
		i = len(g.groups)
		g.groups = append(g.groups, &group{Distance: d})
	}
	g.groups[i].insert(interval{d.Lo, d.Hi})
	return true
}

// maxTests is the most intervals of one distance: those closest to each other are joined.
const maxTests = 4

func (g *group) insert(x interval) {
	g.ends = append(g.ends, x)
	slices.SortFunc(g.ends, func(a, b interval) int {
		if a.lo != b.lo {
			return map[bool]int{true: -1, false: 1}[a.lo < b.lo]
		}
		return 0
	})
	out := g.ends[:1]
	for _, y := range g.ends[1:] {
		last := &out[len(out)-1]
		if y.lo <= last.hi+1 {
			last.hi = max(last.hi, y.hi)
		} else {
			out = append(out, y)
		}
	}
	g.ends = out
}

// join joins intervals until there are few.
func (g *group) join() {
	for len(g.ends) > maxTests {
		best := 0
		for i := range g.ends[:len(g.ends)-1] {
			if g.ends[i+1].lo-g.ends[i].hi < g.ends[best+1].lo-g.ends[best].hi {
				best = i
			}
		}
		g.ends[best].hi = g.ends[best+1].hi
		g.ends = slices.Delete(g.ends, best+1, best+2)
	}
}

func (g *guard) tests() (n int) {
	for _, x := range g.groups {
		n += len(x.ends)
	}
	return n
}

// build writes the tests.
func (g *guard) build() error {
	var before, each []*group
	for _, x := range g.groups {
		x.join()
		if !g.once && g.ready(x, g.f.Entry()) {
			before = append(before, x)
		} else {
			each = append(each, x)
		}
	}
	if len(before) > 0 {
		g.inFront(before)
	}
	if len(each) == 0 {
		return nil
	}
	at := g.front()
	for _, x := range each {
		if !g.ready(x, at) {
			return pass.Refuse("slp:Overlap", nil, "memory may overlap, and by how much is not known where an iteration starts")
		}
	}
	g.branch(at, each)
	return nil
}

// inFront lets the loop do nothing when a test fails.
func (g *guard) inFront(list []*group) {
	h := g.f.Blocks[1]
	count := h.Term().Args[0] // t < n
	edit.Ahead(g.b, g.f.Entry(), func() {
		n := count.Args[1]
		zero := g.b.Int(n.Type, 0)
		count.Args[1] = g.b.Op(vir.OpSelect, n.Type, g.condition(list), n, zero)
	})
}

// front is a new block where the iteration starts, with a jump to what follows.
func (g *guard) front() *vir.Block {
	if g.once {
		old := g.f.Entry()
		b := edit.InsertBlock(old, "apart")
		g.f.Blocks[0], g.f.Blocks[1] = b, old
		g.b.Cur = b
		g.b.Jmp(old)
		return b
	}
	h := g.f.Blocks[1]
	to := h.Succs[0]
	b := edit.InsertBlock(h, "apart")
	h.Succs[0] = b
	b.Preds = []*vir.Block{h}
	b.Succs = []*vir.Block{to}
	to.Preds[to.PredIndex(h)] = b
	jmp := g.f.NewValue(vir.OpJmp, vir.Type{})
	jmp.Block = b
	b.Insts = []*vir.Value{jmp}
	return b
}

// start reports whether b is behind nothing of an iteration where at is.
func (g *guard) start(b, at *vir.Block) bool {
	return b == nil || b == at || !g.once && (b == g.f.Entry() || at != g.f.Entry() && b == g.f.Blocks[1])
}

// ready reports whether the distance of x can be computed in block at.
func (g *guard) ready(x *group, at *vir.Block) bool {
	for _, v := range x.values() {
		if !g.known(v, at) {
			return false
		}
	}
	return true
}

func (x *group) values() []*vir.Value {
	vs := []*vir.Value{x.From, x.To}
	for _, t := range x.Terms {
		vs = append(vs, t.Value)
	}
	return vs
}

// known reports whether v can be computed in block at.
func (g *guard) known(v *vir.Value, at *vir.Block) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if g.start(v.Block, at) {
			return edit.Given
		}
		i := v.Op.Info()
		return edit.KnownIf(v.Op != vir.OpPhi && !i.Effect && !i.Reads && !edit.Divides(v.Op))
	})
}

// fetch moves v to the end of the block that is built.
func (g *guard) fetch(v *vir.Value) *vir.Value {
	at := g.b.Cur
	if g.start(v.Block, at) {
		return v
	}
	for _, a := range v.Args {
		g.fetch(a)
	}
	v.Remove()
	v.Block = at
	at.Insts = append(at.Insts, v)
	return v
}

// condition builds that all distances of list are as they should be.
func (g *guard) condition(list []*group) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	var all *vir.Value
	for _, x := range list {
		from, to := g.fetch(x.From), g.fetch(x.To)
		d := g.b.Int(i64, 0)
		if from != to {
			d = g.b.Op(vir.OpSub, i64, g.b.Op(vir.OpBitcast, i64, to), g.b.Op(vir.OpBitcast, i64, from))
		}
		for _, t := range x.Terms {
			d = g.b.Op(vir.OpAdd, i64, d, g.b.Op(vir.OpMul, i64, g.fetch(t.Value), g.b.Int(i64, t.Factor)))
		}
		for _, e := range x.ends {
			ok := g.b.Cmp(vir.OpIcmpUlt, g.b.Int(i64, e.hi-e.lo), g.b.Op(vir.OpAdd, i64, d, g.b.Int(i64, -e.lo)))
			if all != nil {
				ok = g.b.Op(vir.OpAnd, ok.Type, all, ok)
			}
			all = ok
		}
	}
	return all
}

// branch hands the iteration over unless the distances of list, computed in block at, are
// as they should be.
func (g *guard) branch(at *vir.Block, list []*group) {
	to := at.Succs[0]
	at.Insts, at.Succs, to.Preds = at.Insts[:len(at.Insts)-1], nil, nil
	fail := g.it.Fail
	if g.once {
		fail = g.nothing()
	}
	g.b.Cur = at
	g.b.Br(g.condition(list), to, fail)
}

// nothing is the block that returns that nothing was done, whatever comes before it.
func (g *guard) nothing() *vir.Block {
	b := g.it.Fail
	if b == nil {
		b = edit.InsertBlock(g.f.Blocks[len(g.f.Blocks)-1], "fail")
	}
	b.Insts = nil
	g.b.Cur = b
	var zeros []*vir.Value
	for _, t := range g.f.Results {
		zeros = append(zeros, g.b.Const(t, 0))
	}
	g.b.Ret(zeros...)
	return b
}
