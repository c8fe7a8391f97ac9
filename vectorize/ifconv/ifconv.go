// Package ifconv turns the body of a scalar region into straight lines: control
// dependence becomes data dependence. It knows scalar vir and the shape of a
// plan.Region, and nothing of lanes.
//
//	   body                     body:
//	  /    \                      %c = ...
//	then   else      ==>          then's values, memory operations mask %c
//	  \    /                      else's values, memory operations mask %nc
//	   join                       %p = select %c, %then, %else
//
// Requires: the shape of plan.Region; the body leaves only through the latch; its
// loops have one header and one latch. Afterwards the latch only jumps, and the body
// is one block, or, around loops, one block before, between and behind them. Memory
// operations and checks that not every iteration executes carry the bool under which
// they do; exits hold under it alone. All other operations run in every iteration: none of them can panic, a
// division by zero that was not reached before gives poison that nobody looks at.
//
// Loops inside the body stay loops. What they branch on afterwards is meant for all
// lanes together: "go on while some lane does". See inner.go.
//
// Predicates follow the immediate dominators (Allen, Kennedy, Porterfield,
// Warren: Conversion of control dependence to data dependence, POPL 1983): a
// block that runs whenever its immediate dominator runs shares its predicate.
//
// Remarks: ifconv:InnerLoop, ifconv:EarlyExit.
package ifconv

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
)

// Run converts the region of u.
func Run(u *pass.Unit) error {
	f := u.Region.Fn
	forest := loops.Find(f)
	region := forest.Of(f.Blocks[1])
	if region == nil || region.Header != f.Blocks[1] || forest.Irreducible || len(region.Latches) != 1 {
		return pass.Refuse("ifconv:InnerLoop", nil, "the loop contains jumps that are no loop")
	}
	for _, e := range region.Exits {
		if e.From != region.Header {
			return pass.Refuse("ifconv:EarlyExit", e.From.Term(), "the loop is left from inside its body")
		}
	}
	c := &converter{
		f: f, forest: forest, header: region.Header, exit: f.Blocks[1].Succs[1],
		repl: make(map[*vir.Value]*vir.Value), home: make(map[*vir.Value]*vir.Block), names: make(map[string]bool),
	}
	for v := range f.Values {
		c.home[v] = v.Block
	}
	c.uses = f.Uses()
	if len(region.Children) > 0 {
		c.lanes = slev.Analyze(u.Region, scev.New(u.Region))
	}
	body, err := c.newScope(region, region.Header.Succs[0])
	if err != nil {
		return err
	}
	c.run(body)
	return nil
}

type converter struct {
	f            *vir.Func
	forest       *loops.Forest
	header, exit *vir.Block
	b            *vir.Builder
	blocks       []*vir.Block              // of the new body
	repl         map[*vir.Value]*vir.Value // what stands for a value from here on
	home         map[*vir.Value]*vir.Block // blocks of the values before anything was moved
	uses         map[*vir.Value][]*vir.Value
	lanes        *slev.Result // nil without inner loops
	names        map[string]bool
}

func (c *converter) run(body *scope) {
	c.b = vir.NewBuilder(c.f, nil)
	c.place(c.newBlock("body"))
	c.scope(body)
	for _, phi := range c.header.Phis() {
		c.operands(phi)
	}
	c.rewire(body)
}

// newBlock makes a block that is not yet placed.
func (c *converter) newBlock(name string) *vir.Block {
	unique := name
	for i := 2; c.names[unique]; i++ {
		unique = fmt.Sprintf("%s%d", name, i)
	}
	c.names[unique] = true
	return &vir.Block{Name: unique, Func: c.f}
}

// place goes on in b.
func (c *converter) place(b *vir.Block) {
	c.blocks = append(c.blocks, b)
	c.b.Cur = b
}

// scope writes the nodes of s.
func (c *converter) scope(s *scope) {
	for _, n := range s.nodes {
		if n.inner != nil {
			c.inner(s, n)
		} else {
			c.block(s, n.block)
		}
	}
}

// block moves the instructions of b to the current point.
func (c *converter) block(s *scope, b *vir.Block) {
	under := s.under(b)
	for _, v := range b.Insts {
		c.operands(v)
		switch {
		case v.Op == vir.OpPhi && b == s.loop.Header:
			// It was placed when the loop was begun.
		case v.Op == vir.OpPhi:
			c.b.Pos = v.Pos
			c.repl[v] = s.choose(v)
		case v.Op.Info().Term:
		default:
			if v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() {
				c.mask(v, under)
			}
			c.move(v)
		}
	}
}

func (c *converter) move(v *vir.Value) {
	v.Block = c.b.Cur
	c.b.Cur.Insts = append(c.b.Cur.Insts, v)
}

func (c *converter) operands(v *vir.Value) {
	for i := range v.Args {
		v.Args[i] = c.now(v.Args[i])
	}
}

// now is what stands for v at the current point. Constants of a loop are made again
// behind it.
func (c *converter) now(v *vir.Value) *vir.Value {
	if r := c.repl[v]; r != nil {
		return r
	}
	if v.Op == vir.OpConst && c.home[v] != nil && c.forest.Of(c.home[v]) != c.forest.Of(c.header) && c.b.Cur != nil {
		return c.b.Const(v.Type, v.Bits[0])
	}
	return v
}

func (c *converter) mask(v *vir.Value, under literal) {
	if under.v == nil {
		return
	}
	c.b.Pos = v.Pos
	if v.Op == vir.OpExit && !v.Masked {
		v.Args[0] = c.leaves(v.Args[0], under)
		return
	}
	m := c.value(under)
	if v.Masked {
		m = c.b.Op(vir.OpAnd, m.Type, m, v.Mask())
		v.Args[len(v.Args)-1] = m
		return
	}
	v.Args = append(v.Args, m)
	v.Masked = true
}

// leaves is the condition of an exit that is reached under a condition: both, so
// that it needs no mask.
func (c *converter) leaves(x *vir.Value, under literal) *vir.Value {
	if bits, ok := x.IsConst(); ok && bits != 0 {
		return c.value(under)
	}
	return c.b.Op(vir.OpAnd, x.Type, c.value(under), x)
}

// choose replaces phi v by selects between its operands. What most edges bring needs no
// condition; those of the others only have to be right when the immediate dominator runs.
// Poison comes from where the loop is left, so that nobody will look.
func (s *scope) choose(v *vir.Value) *vir.Value {
	c := s.c
	i := s.at[c.home[v]]
	dom := s.idom[i]
	most := usual(v)
	r := most
	for k, x := range slices.Backward(v.Args) {
		if x == most || x.Op == vir.OpPoison {
			continue
		}
		e := s.edge(c.home[v], k, dom)
		switch {
		case e.v == nil:
			r = x
		case e.neg:
			r = c.b.Op(vir.OpSelect, v.Type, e.v, r, x)
		default:
			r = c.b.Op(vir.OpSelect, v.Type, e.v, x, r)
		}
	}
	if r.Name == "" {
		r.Name = v.Name
	}
	return r
}

// usual is the operand of phi v that most edges bring, the last one of several: when a condition of
// many parts holds, one edge has another value, and its condition is the shortest to say.
func usual(v *vir.Value) *vir.Value {
	edges := make(map[*vir.Value]int)
	for _, x := range v.Args {
		if x.Op != vir.OpPoison {
			edges[x]++
		}
	}
	most := v.Args[len(v.Args)-1]
	for _, x := range slices.Backward(v.Args) {
		if edges[x] > edges[most] {
			most = x
		}
	}
	return most
}

// rewire puts the new body between header and a latch that only jumps.
func (c *converter) rewire(body *scope) {
	latch := &vir.Block{Name: "latch", Func: c.f, Succs: []*vir.Block{c.header}}
	c.header.Preds[c.header.PredIndex(body.loop.Latches[0])] = latch
	first := c.blocks[0]
	c.header.Succs[0] = first
	first.Preds = []*vir.Block{c.header}
	c.b.Jmp(latch)
	vir.NewBuilder(c.f, latch).Append(&vir.Value{Op: vir.OpJmp})
	all := append([]*vir.Block{c.f.Blocks[0], c.header}, c.blocks...)
	c.f.Blocks = append(all, latch, c.exit)
}
