// Package ifconv turns the body of a scalar region into one straight line:
// control dependence becomes data dependence. It knows scalar vir and the shape
// of a plan.Region, and nothing of lanes.
//
//	   body                     body:
//	  /    \                      %c = ...
//	then   else      ==>          then's values, memory operations mask %c
//	  \    /                      else's values, memory operations mask %nc
//	   join                       %p = select %c, %then, %else
//
// Requires: the shape of plan.Region; the body has no cycle and leaves only
// through the latch. Afterwards the blocks are entry, header, body, latch, exit;
// the body is one block, the latch only jumps. Memory operations and checks that
// not every iteration executes carry the bool under which they do. All other
// operations run in every iteration: none of them can panic, a division by zero
// that was not reached before gives poison that nobody looks at.
//
// Predicates follow the immediate dominators (Allen, Kennedy, Porterfield,
// Warren: Conversion of control dependence to data dependence, POPL 1983): a
// block that runs whenever its immediate dominator runs shares its predicate.
//
// Remarks: ifconv:InnerLoop, ifconv:EarlyExit.
package ifconv

import (
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Run converts the region of u.
func Run(u *pass.Unit) error {
	s, err := newShape(u.Region.Fn)
	if err != nil {
		return err
	}
	c := &converter{shape: s, repl: make(map[*vir.Value]*vir.Value), preds: make(map[blockPair]literal)}
	c.run()
	return nil
}

type converter struct {
	*shape
	out  *vir.Block
	b    *vir.Builder
	repl map[*vir.Value]*vir.Value // phis by what replaced them

	preds map[blockPair]literal
}

func (c *converter) run() {
	c.out = &vir.Block{Name: "body", Func: c.f}
	c.b = vir.NewBuilder(c.f, c.out)
	for _, b := range c.order {
		c.block(b)
	}
	for _, phi := range c.header.Phis() {
		c.operands(phi)
	}
	c.rewire()
}

func (c *converter) block(b *vir.Block) {
	under := c.predicate(b, c.order[0])
	for _, v := range b.Insts {
		c.operands(v)
		switch {
		case v.Op == vir.OpPhi:
			c.b.Pos = v.Pos
			c.repl[v] = c.choose(v)
		case v.Op.Info().Term:
		default:
			if v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() {
				c.mask(v, under)
			}
			v.Block = c.out
			c.out.Insts = append(c.out.Insts, v)
		}
	}
}

func (c *converter) operands(v *vir.Value) {
	for i, a := range v.Args {
		if r := c.repl[a]; r != nil {
			v.Args[i] = r
		}
	}
}

func (c *converter) mask(v *vir.Value, under literal) {
	if under.v == nil {
		return
	}
	c.b.Pos = v.Pos
	v.Args = append(v.Args, c.value(under))
	v.Masked = true
}

// choose replaces phi v by selects between its operands. All but the last edge
// need a condition, which only has to be right when the immediate dominator runs.
func (c *converter) choose(v *vir.Value) *vir.Value {
	dom := c.order[c.idom[c.at[v.Block]]]
	n := len(v.Args)
	r := v.Args[n-1]
	for k := n - 2; k >= 0; k-- {
		if v.Args[k] == r {
			continue
		}
		e := c.edge(v.Block, k, dom)
		switch {
		case e.v == nil:
			r = v.Args[k]
		case e.neg:
			r = c.b.Op(vir.OpSelect, v.Type, e.v, r, v.Args[k])
		default:
			r = c.b.Op(vir.OpSelect, v.Type, e.v, v.Args[k], r)
		}
	}
	if r.Name == "" {
		r.Name = v.Name
	}
	return r
}

// rewire puts the new body between header and a latch that only jumps.
func (c *converter) rewire() {
	latch := &vir.Block{Name: "latch", Func: c.f, Succs: []*vir.Block{c.header}}
	c.header.Preds[c.header.PredIndex(c.latch)] = latch
	c.header.Succs[0] = c.out
	c.out.Preds = []*vir.Block{c.header}
	c.b.Jmp(latch)
	vir.NewBuilder(c.f, latch).Append(&vir.Value{Op: vir.OpJmp})
	c.f.Blocks = []*vir.Block{c.f.Blocks[0], c.header, c.out, latch, c.exit}
}
