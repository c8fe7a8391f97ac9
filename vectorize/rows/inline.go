package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// value is what parameter p of the inner region stands for.
func (j *joiner) value(p int) *vir.Value { return j.live[p] }

// expr is an expression over parameters of the inner region.
func (j *joiner) expr(x *plan.Expr) *vir.Value {
	switch x.Op {
	case plan.ExprConst:
		return j.constant(x.Const)
	case plan.ExprParam:
		return j.value(x.Param)
	case plan.ExprDone:
		return j.n
	}
	return x.Emit(j.b, j.expr)
}

// outerExpr is an expression over live-ins of the nest.
func (j *joiner) outerExpr(x *plan.Expr) *vir.Value {
	switch x.Op {
	case plan.ExprConst:
		return j.constant(x.Const)
	case plan.ExprParam:
		return j.fn().Params[x.Param]
	}
	return x.Emit(j.b, j.outerExpr)
}

// inline copies the kernel of the inner loop to where the builder is, before block
// over, and gives for each of its states the value behind it, nil when that is the
// one before.
func (j *joiner) inline(over *vir.Block) []*vir.Value {
	k := j.k
	to := make(map[*vir.Value]*vir.Value)
	for i, a := range k.Args {
		p := k.Fn.Params[i]
		switch a.Kind {
		case plan.ArgParam:
			to[p] = j.value(a.Index)
		case plan.ArgCount, plan.ArgBound: // bounds have been tested
			to[p] = j.n
		}
	}
	blocks := j.copyBlocks(to)
	end := edit.InsertBlock(blocks[len(blocks)-1], "end")
	j.b.Jmp(blocks[0])
	var rets []*vir.Value // of all versions of the kernel
	for _, b := range blocks {
		if t := b.Term(); t.Op == vir.OpRet {
			rets = append(rets, t)
			b.Insts = b.Insts[:len(b.Insts)-1]
			j.b.Cur = b
			j.b.Jmp(end)
		}
	}
	j.b.Cur = end
	var out []*vir.Value
	for i, o := range k.Outs {
		var v *vir.Value
		switch o.Kind {
		case plan.OutResult:
			v = j.result(rets, o.Index)
		case plan.OutExpr:
			v = j.expr(o.Expr)
			if t := j.phis[i].Type; t != v.Type {
				v = j.b.Op(vir.OpTrunc, t, v)
			}
		}
		out = append(out, v)
	}
	return out
}

// result is result i of the kernel where its returns have come together.
func (j *joiner) result(rets []*vir.Value, i int) *vir.Value {
	if len(rets) == 1 {
		return rets[0].Args[i]
	}
	v := j.b.Phi(rets[0].Args[i].Type)
	for _, r := range rets {
		v.Args = append(v.Args, r.Args[i])
	}
	return v
}

// copyBlocks copies the blocks of the kernel behind the current one.
func (j *joiner) copyBlocks(to map[*vir.Value]*vir.Value) []*vir.Block {
	f, blocks := j.fn(), make(map[*vir.Block]*vir.Block)
	var list []*vir.Block
	at := j.b.Cur
	for _, b := range j.k.Fn.Blocks {
		at = edit.InsertBlock(at, "row_"+b.Name)
		blocks[b] = at
		list = append(list, at)
		for _, v := range b.Insts {
			w := f.NewValue(v.Op, v.Type)
			fill(w, v)
			w.Block = at
			at.Insts = append(at.Insts, w)
			to[v] = w
		}
	}
	for _, b := range j.k.Fn.Blocks {
		c := blocks[b]
		for _, p := range b.Preds {
			c.Preds = append(c.Preds, blocks[p])
		}
		for _, s := range b.Succs {
			c.Succs = append(c.Succs, blocks[s])
		}
		for _, w := range c.Insts {
			for i, a := range w.Args {
				w.Args[i] = to[a]
			}
		}
	}
	return list
}

// fill gives w the fields of v; operands are still those of v.
func fill(w, v *vir.Value) {
	w.Args = slices.Clone(v.Args)
	w.Name, w.Pos = v.Name, v.Pos
	w.Bits, w.Lanes = slices.Clone(v.Bits), slices.Clone(v.Lanes)
	w.Imm, w.Scale, w.Disp, w.Indexed, w.Masked = v.Imm, v.Scale, v.Disp, v.Indexed, v.Masked
}
