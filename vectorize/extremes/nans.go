package extremes

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// numbers are the operations on numbers alone.
var numbers = map[vir.Op]vir.Op{vir.OpFmin: vir.OpFminNnan, vir.OpFmax: vir.OpFmaxNnan}

// Pairs are values that are right where no NaN has come by, with those that are NaN where one
// has, which are computed in front of them.
type pairs struct {
	f    *vir.Func
	nans map[*vir.Value]*vir.Value
}

// keepNaNs gives c a variable for NaNs.
func (c *chain) keepNaNs(f *vir.Func) {
	n := vir.NewBuilder(f, c.loop.Header).Phi(c.phi.Type)
	n.Args = slices.Clone(c.phi.Args)
	p := &pairs{f: f, nans: map[*vir.Value]*vir.Value{c.phi: n}}
	m := newForm(f, c)
	m.part, m.operation = p.part, p.operation
	m.plain = func(v, at *vir.Value) *vir.Value { return choose(f, p.nans[v], v, at) }
	last := n
	for k, op := range c.ops {
		op.Op = numbers[op.Op]
		last = choose(f, c.with[k], last, op)
		p.nans[op] = last
	}
	n.Args[c.latch()] = last
	m.follow()
}

func (p *pairs) part(u *vir.Value) {
	part := p.f.CopyValue(u)
	part.Args[0] = p.nan(u.Args[0])
	edit.Before(part, u)
	p.nans[u] = part
}

func (p *pairs) operation(u *vir.Value) {
	u.Op = numbers[u.Op]
	p.nans[u] = choose(p.f, p.nan(u.Args[1]), p.nan(u.Args[0]), u)
}

// nan is where NaNs of v are: a value that is no pair is one with itself.
func (p *pairs) nan(v *vir.Value) *vir.Value {
	if n := p.nans[v]; n != nil {
		return n
	}
	return v
}

// choose makes x where that is NaN, else y, in front of another instruction.
func choose(f *vir.Func, x, y, at *vir.Value) *vir.Value {
	nan := before(f, at, vir.OpFcmpNe, x.Type.WithElem(vir.Bool), x, x)
	return before(f, at, vir.OpBlend, x.Type, nan, x, y)
}
