package native

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Cut moves a random straight piece of f into a local routine of the given name, which
// f then calls. Values that the piece needs are its parameters, those needed behind it
// its results. Constants stay in f; the routine has its own, or takes them as others.
// It returns nil, and leaves f alone, if the piece has nothing to move or a mask
// would cross its border.
func Cut(f *vir.Func, rng *rand.Rand, name string) *vir.Func {
	b := f.Blocks[rng.IntN(len(f.Blocks))]
	first := rng.IntN(len(b.Insts))
	last := min(len(b.Insts), first+1+rng.IntN(30))
	c := &cutter{f: f, rng: rng, r: vir.NewFunc(name), moved: make(map[*vir.Value]*vir.Value)}
	c.r.Local, c.r.InOrder = true, f.InOrder
	c.b = vir.NewBuilder(c.r, c.r.NewBlock("entry"))
	piece := b.Insts[first:last]
	for k, v := range piece {
		if v.Op == vir.OpPhi || v.Op.Info().Term || v.Op.IsCheck() || v.Op == vir.OpIter || v.Op == vir.OpCall || v.Op == vir.OpResult {
			piece = piece[:k]
			break
		}
	}
	if !c.copyPiece(piece) {
		return nil
	}
	outs := c.results(piece)
	if slices.ContainsFunc(outs, func(v *vir.Value) bool { return v.Type.IsMask() }) {
		return nil
	}
	c.rewrite(b, first, piece, outs)
	return c.r
}

type cutter struct {
	f, r  *vir.Func
	b     *vir.Builder
	rng   *rand.Rand
	moved map[*vir.Value]*vir.Value // what stands for a value in the routine
	args  []*vir.Value
}

// copyPiece fills the routine; false if that cannot be or it would be empty.
func (c *cutter) copyPiece(piece []*vir.Value) bool {
	some := false
	for _, v := range piece {
		if v.Op == vir.OpConst || v.Op == vir.OpPoison {
			continue
		}
		w := *v
		w.Args = nil
		for _, a := range v.Args {
			x := c.inside(a)
			if x == nil {
				return false
			}
			w.Args = append(w.Args, x)
		}
		c.moved[v] = c.b.Append(&w)
		some = true
	}
	return some
}

// inside is what v is in the routine, nil for masks from elsewhere.
func (c *cutter) inside(v *vir.Value) *vir.Value {
	if w := c.moved[v]; w != nil {
		return w
	}
	isConst := v.Op == vir.OpConst || v.Op == vir.OpPoison
	switch {
	case isConst && (v.Type.IsMask() || c.rng.IntN(4) > 0):
		w := *v
		c.moved[v] = c.b.Append(&w)
	case v.Type.IsMask():
		return nil
	default:
		p := c.r.AddParam(fmt.Sprintf("p%d", len(c.args)), v.Type)
		p.Param.Immutable = v.Param.Immutable
		c.moved[v] = p
		c.args = append(c.args, v)
	}
	return c.moved[v]
}

// results are the values of the piece that others use, in a random order.
func (c *cutter) results(piece []*vir.Value) (outs []*vir.Value) {
	uses := c.f.Uses()
	for _, v := range piece {
		if c.moved[v] == nil || v.Op == vir.OpConst || v.Op == vir.OpPoison {
			continue
		}
		if slices.ContainsFunc(uses[v], func(u *vir.Value) bool { return !slices.Contains(piece, u) }) {
			outs = append(outs, v)
		}
	}
	c.rng.Shuffle(len(outs), func(i, j int) { outs[i], outs[j] = outs[j], outs[i] })
	return outs
}

// rewrite puts a call in the place of the piece.
func (c *cutter) rewrite(b *vir.Block, first int, piece, outs []*vir.Value) {
	var rets []*vir.Value
	for _, v := range outs {
		rets = append(rets, c.moved[v])
		c.r.Results = append(c.r.Results, v.Type)
	}
	c.b.Ret(rets...)
	call := c.f.NewValue(vir.OpCall, vir.Type{}, c.args...)
	call.Callee, call.Block = c.r, b
	var now []*vir.Value
	for _, v := range piece {
		if v.Op == vir.OpConst || v.Op == vir.OpPoison {
			now = append(now, v)
		}
	}
	now = append(now, call)
	rest := slices.Clone(b.Insts[first+len(piece):])
	b.Insts = append(b.Insts[:first:first], now...)
	var fresh []*vir.Value
	for k, v := range outs {
		x := c.f.NewValue(vir.OpResult, v.Type, call)
		x.Imm, x.Block = int64(k), b
		fresh = append(fresh, x)
	}
	b.Insts = append(append(b.Insts, fresh...), rest...)
	for k, v := range outs {
		c.f.ReplaceUses(v, fresh[k])
	}
}
