package extremes

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// numbers are the operations on numbers alone.
var numbers = map[vir.Op]vir.Op{vir.OpFmin: vir.OpFminNnan, vir.OpFmax: vir.OpFmaxNnan}

// Pairs are values that are right where no NaN has come by, with those that are NaN where one
// has, which are computed in front of them. These have at most so many lanes: one of them is
// for several of a longer value, and for those of its parts.
type pairs struct {
	*web
	most int
	nans map[*vir.Value]*vir.Value
}

func newPairs(w *web) *pairs {
	return &pairs{w, w.nanLanes(), make(map[*vir.Value]*vir.Value)}
}

// typeFor is the type of the NaNs of values of type t.
func (p *pairs) typeFor(t vir.Type) vir.Type {
	if t.Lanes > p.most {
		return vir.Vec(t.Elem, p.most)
	}
	return t
}

func (p *pairs) phi(v *vir.Value) {
	p.nans[v] = vir.NewBuilder(p.f, v.Block).Phi(p.typeFor(v.Type))
}

func (p *pairs) value(v *vir.Value) {
	switch v.Op {
	case vir.OpSubvec:
		p.nans[v] = p.part(v)
	case vir.OpConcat:
		p.nans[v] = p.concat(v)
	case vir.OpBlend:
		n := p.f.CopyValue(v)
		n.Args[1], n.Args[2] = p.nan(v.Args[1], v), p.nan(v.Args[2], v)
		edit.Before(n, v)
		p.nans[v] = n
	default:
		v.Op = numbers[v.Op]
		x, y := v.Args[0], v.Args[1]
		if p.nans[x] != nil { // which is to be chosen last
			x, y = y, x
		}
		p.nans[v] = p.either(x, p.nan(y, v), v)
	}
}

// part is the NaNs of a subvec.
func (p *pairs) part(v *vir.Value) *vir.Value {
	n := p.nans[v.Args[0]]
	if v.Type.Lanes >= n.Type.Lanes {
		return n
	}
	s := before(p.f, v, vir.OpSubvec, v.Type, n)
	s.Imm = v.Imm % int64(n.Type.Lanes)
	return s
}

// concat is the NaNs of a concat.
func (p *pairs) concat(v *vir.Value) *vir.Value {
	if v.Type.Lanes > p.most {
		n := p.nan(v.Args[0], v)
		for _, a := range v.Args[1:] {
			n = p.either(a, n, v)
		}
		return n
	}
	n := p.f.CopyValue(v)
	for k, a := range n.Args {
		n.Args[k] = p.nan(a, v)
	}
	edit.Before(n, v)
	return n
}

func (p *pairs) edges(phi *vir.Value) {
	n := p.nans[phi]
	n.Args = make([]*vir.Value, len(phi.Args))
	for k, a := range phi.Args {
		n.Args[k] = p.nan(a, phi.Block.Preds[k].Term())
	}
}

func (p *pairs) plain(v, at *vir.Value) *vir.Value { return choose(p.f, p.nans[v], v, at) }

// nan is where NaNs of v are, in front of an instruction: a value that is no pair is one with itself.
func (p *pairs) nan(v, at *vir.Value) *vir.Value {
	if n := p.nans[v]; n != nil {
		return n
	}
	if v.Type.Lanes <= p.most {
		return v
	}
	if v.Op == vir.OpBroadcast {
		return before(p.f, at, vir.OpBroadcast, p.typeFor(v.Type), v.Args[0])
	}
	parts := p.parts(v, at)
	return p.among(parts[1:], parts[0], at)
}

// either is where NaNs of v or of n are, in front of an instruction.
func (p *pairs) either(v, n, at *vir.Value) *vir.Value {
	switch own := p.nans[v]; {
	case own == n:
		return n
	case own != nil:
		return choose(p.f, own, n, at)
	case v.Type.Lanes <= p.most:
		return choose(p.f, v, n, at)
	case p.chains[at] != nil:
		return p.unless(p.parts(v, at), n, at)
	}
	return p.among(p.parts(v, at), n, at)
}

// among is where NaNs of n or of the parts are.
func (p *pairs) among(parts []*vir.Value, n, at *vir.Value) *vir.Value {
	all := append([]*vir.Value{n}, parts...)
	for len(all) > 1 {
		all = halved(all, func(x, y *vir.Value) *vir.Value { return choose(p.f, y, x, at) })
	}
	return all[0]
}

// halved has op applied to the first two values, the next two, and so on.
func halved(vs []*vir.Value, op func(x, y *vir.Value) *vir.Value) (half []*vir.Value) {
	for two := range slices.Chunk(vs, 2) {
		v := two[0]
		if len(two) == 2 {
			v = op(v, two[1])
		}
		half = append(half, v)
	}
	return half
}

// parts are v in values of as many lanes as its NaNs have.
func (p *pairs) parts(v, at *vir.Value) (parts []*vir.Value) {
	for k := 0; k < v.Type.Lanes; k += p.most {
		s := before(p.f, at, vir.OpSubvec, p.typeFor(v.Type), v)
		s.Imm = int64(k)
		parts = append(parts, s)
	}
	return parts
}

// unless makes n with a NaN in the lanes where one of the parts has one, by comparisons, which are fewer than choices
// but need mask registers.
func (p *pairs) unless(parts []*vir.Value, n, at *vir.Value) *vir.Value {
	var all []*vir.Value // masks of where they are numbers
	for _, x := range parts {
		all = append(all, before(p.f, at, vir.OpFcmpEq, x.Type.WithElem(vir.Bool), x, x))
	}
	for len(all) > 1 { // two of the first ones are one comparison
		all = halved(all, func(x, y *vir.Value) *vir.Value { return before(p.f, at, vir.OpAnd, x.Type, x, y) })
	}
	nan := before(p.f, at, vir.OpConst, n.Type)
	nan.Bits = []uint64{quiet(n.Type.Elem)}
	return before(p.f, at, vir.OpBlend, n.Type, all[0], n, nan)
}

// quiet is a NaN of elements of type e.
func quiet(e vir.Elem) uint64 {
	if e == vir.F32 {
		return uint64(math.Float32bits(float32(math.NaN())))
	}
	return math.Float64bits(math.NaN())
}

// choose makes x where that is NaN, else y, in front of another instruction.
func choose(f *vir.Func, x, y, at *vir.Value) *vir.Value {
	nan := before(f, at, vir.OpFcmpNe, x.Type.WithElem(vir.Bool), x, x)
	return before(f, at, vir.OpBlend, x.Type, nan, x, y)
}
