package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// keepHeld asks in front of the inner loop what it asks in each iteration about numbers in memory that the caller has read,
// so that they are known to be what they were when a row begins.
func (n *Nest) keepHeld() (held []plan.Held) {
	b := vir.NewBuilder(n.fn(), nil)
	for _, h := range n.region.Held {
		x, base := n.fn().Params[h.Value], n.fn().Params[h.Base]
		if !n.asks(h) {
			continue
		}
		edit.Ahead(b, n.pre, func() {
			now := b.Load(vir.OpLoad, x.Type, vir.Addr{Base: base, Disp: h.Disp}, nil)
			b.Check(vir.OpCheckRare, nil, b.Cmp(vir.OpIcmpNe, now, x))
		})
		held = append(held, h)
	}
	return held
}

// asks reports whether the inner loop asks about h.
func (n *Nest) asks(h plan.Held) bool {
	r := *n.region
	r.Held = []plan.Held{h}
	return slices.ContainsFunc(n.loop.Blocks, func(b *vir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(v *vir.Value) bool {
			_, ok := r.Unchanged(v)
			return ok
		})
	})
}

// heldInside is what is held in terms of the parameters of the inner loop.
func (x *extractor) heldInside(held []plan.Held) (inside []plan.Held) {
	for _, h := range held {
		value := slices.Index(x.f.Params, x.to[x.n.fn().Params[h.Value]])
		base := slices.Index(x.f.Params, x.to[x.n.fn().Params[h.Base]])
		if value >= 0 && base >= 0 {
			inside = append(inside, plan.Held{Value: value, Base: base, Disp: h.Disp})
		}
	}
	return inside
}
