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

func (p *pairs) phi(v *vir.Value) {
	p.nans[v] = vir.NewBuilder(p.f, v.Block).Phi(v.Type)
}

func (p *pairs) value(v *vir.Value) {
	switch v.Op {
	case vir.OpSubvec, vir.OpConcat, vir.OpBlend:
		n := p.f.CopyValue(v)
		for k, a := range n.Args {
			n.Args[k] = p.nan(a)
		}
		edit.Before(n, v)
		p.nans[v] = n
	default:
		v.Op = numbers[v.Op]
		x, y := v.Args[0], v.Args[1]
		if p.nans[x] != nil { // which is to be chosen last
			x, y = y, x
		}
		p.nans[v] = choose(p.f, p.nan(x), p.nan(y), v)
	}
}

func (p *pairs) edges(phi *vir.Value) {
	n := p.nans[phi]
	n.Args = slices.Clone(phi.Args)
	for k, a := range n.Args {
		n.Args[k] = p.nan(a)
	}
}

func (p *pairs) plain(v, at *vir.Value) *vir.Value { return choose(p.f, p.nans[v], v, at) }

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
