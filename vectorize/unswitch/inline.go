package unswitch

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// version writes kernel k from block start on, which is placed now.
func (j *joiner) version(start *vir.Block, k *plan.Kernel) {
	if start == nil {
		return
	}
	j.place(start)
	if k == nil {
		j.nothing()
		return
	}
	count := j.count(k)
	c := &inliner{joiner: j, from: k, name: start.Name, values: make(map[*vir.Value]*vir.Value), blocks: make(map[*vir.Block]*vir.Block)}
	for i, p := range k.Fn.Params {
		if c.values[p] = j.args[j.moved(k, k.Args[i])]; k.Args[i].Kind == plan.ArgCount {
			c.values[p] = count
		}
	}
	c.copy()
}

func (j *joiner) place(b *vir.Block) {
	j.k.Fn.Blocks = append(j.k.Fn.Blocks, b)
	j.b.Cur = b
}

// nothing ends a call that does nothing.
func (j *joiner) nothing() {
	results := []*vir.Value{j.b.Int(vir.Scalar(vir.I64), 0)}
	for _, i := range j.results {
		results = append(results, j.live(j.r.State[i].Param))
	}
	j.b.Ret(results...)
}

// count is the number of iterations that k may do: bounds that all iterations of k
// must keep may be conditional here.
func (j *joiner) count(k *plan.Kernel) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	n := j.args[plan.Arg{Kind: plan.ArgCount}]
	all := n
	for i, b := range j.k.Bounds {
		if b.Conditional && asks(k, b) {
			n = j.b.Op(vir.OpSmin, i64, n, j.arg(plan.Arg{Kind: plan.ArgBound, Index: i}, fmt.Sprintf("b%d", i), i64))
		}
	}
	if n != all {
		// Kernels rely on having something to do. It may be less than the minimum: what
		// is left after an interruption.
		some, none := j.block("some"), j.block("none")
		j.b.Br(j.b.Cmp(vir.OpIcmpSlt, j.b.Int(i64, 0), n), some, none)
		j.place(none)
		j.nothing()
		j.place(some)
	}
	return n
}

// An inliner copies the blocks of a kernel.
type inliner struct {
	*joiner
	from   *plan.Kernel
	name   string // of the version
	values map[*vir.Value]*vir.Value
	blocks map[*vir.Block]*vir.Block
}

func (c *inliner) copy() {
	f := c.from.Fn
	for i, b := range f.Blocks {
		c.blocks[b] = &vir.Block{Name: c.name + "." + b.Name, Func: c.k.Fn}
		if i == 0 {
			c.b.Jmp(c.blocks[b])
		}
	}
	var all []*vir.Value
	for _, b := range f.Blocks {
		to := c.blocks[b]
		for _, p := range b.Preds {
			to.Preds = append(to.Preds, c.blocks[p])
		}
		c.place(to)
		for _, v := range b.Insts {
			if v.Op == vir.OpRet {
				continue
			}
			w := *v
			c.values[v] = c.b.Append(&w)
			all = append(all, c.values[v])
		}
		for _, s := range b.Succs {
			to.Succs = append(to.Succs, c.blocks[s])
		}
	}
	for _, w := range all {
		w.Args = c.operands(w.Args)
	}
	for _, b := range f.Blocks {
		if t := b.Term(); t.Op == vir.OpRet {
			c.b.Cur = c.blocks[b]
			c.ret(t)
		}
	}
}

func (c *inliner) operands(args []*vir.Value) []*vir.Value {
	out := make([]*vir.Value, len(args))
	for i, a := range args {
		out[i] = c.values[a]
	}
	return out
}

// ret hands back what the joined kernel promises.
func (c *inliner) ret(t *vir.Value) {
	have := c.operands(t.Args)
	results := have[:1:1]
	for _, i := range c.results {
		p := c.live(c.r.State[i].Param)
		switch o := c.from.Outs[i]; o.Kind {
		case plan.OutResult:
			results = append(results, have[o.Index])
		case plan.OutExpr:
			results = append(results, c.narrow(c.planned(o.Expr, have[0]), p.Type))
		default:
			results = append(results, p)
		}
	}
	c.b.Ret(results...)
}

func (c *inliner) narrow(v *vir.Value, t vir.Type) *vir.Value {
	if v.Type == t {
		return v
	}
	return c.b.Op(vir.OpTrunc, t, v)
}

// planned is an expression of live-ins, and of the number of iterations done.
func (c *inliner) planned(x *plan.Expr, done *vir.Value) *vir.Value {
	switch x.Op {
	case plan.ExprParam:
		return c.live(x.Param)
	case plan.ExprDone:
		return done
	}
	return x.Emit(c.b, func(y *plan.Expr) *vir.Value { return c.planned(y, done) })
}
