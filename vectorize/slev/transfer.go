package slev

import "github.com/lanewise/lanewise/vir"

// transfer is the shape of v's result by what its operation does to the shapes
// of its operands; Bottom while an operand is.
func (a *analysis) transfer(v *vir.Value) Shape {
	if s, ok := a.opt.Shapes[v]; ok {
		return s
	}
	switch {
	case v.Op != vir.OpParam && !a.region.Contains(v.Block):
		return uniform // there is no more than one lane
	case v.Type.IsVector():
		return random
	case v.Op == vir.OpPhi:
		return a.phi(v)
	case v.Op == vir.OpLeast:
		return uniform
	}
	all := uniform
	for i := range v.Args {
		if s := a.Use(v, i); s.Kind == Bottom {
			return s
		} else if s.Kind != Uniform {
			all = random
		}
	}
	switch {
	case v.Op == vir.OpLoad:
		return a.load(v)
	case v.Op.Info().Reads:
		return random
	case all == uniform:
		return uniform
	}
	if s := a.arithmetic(v); s.Kind != Random || a.opt.Stride == nil {
		return s
	}
	if k, ok := a.opt.Stride(v); ok {
		return StridedBy(k)
	}
	return random
}

// arithmetic is the shape of an operation with an operand that is not uniform.
func (a *analysis) arithmetic(v *vir.Value) Shape {
	x := a.Use(v, 0)
	var y Shape
	if len(v.Args) > 1 {
		y = a.Use(v, 1)
	}
	switch v.Op {
	case vir.OpAdd, vir.OpPtradd:
		return strided(v, x.Stride+y.Stride, x, y)
	case vir.OpSub:
		return strided(v, x.Stride-y.Stride, x, y)
	case vir.OpNeg, vir.OpNot:
		return strided(v, -x.Stride, x)
	case vir.OpTrunc:
		return strided(v, x.Stride, x)
	case vir.OpMul:
		if c, ok := v.Args[1].ConstInt(); ok {
			return strided(v, x.Stride*c, x)
		}
		if c, ok := v.Args[0].ConstInt(); ok {
			return strided(v, y.Stride*c, y)
		}
	case vir.OpShl:
		if c, ok := v.Args[1].IsConst(); ok && c < 64 {
			return strided(v, x.Stride<<c, x)
		}
	case vir.OpIcmpEq, vir.OpIcmpNe:
		// Differences that are the same in all lanes compare alike; an order
		// would not, because values wrap.
		if x.affine() && x == y {
			return uniform
		}
	case vir.OpSelect:
		return a.choice(v)
	}
	return random
}

// strided is stride k in the width of v, if all of xs have a stride.
func strided(v *vir.Value, k int64, xs ...Shape) Shape {
	for _, x := range xs {
		if !x.affine() {
			return random
		}
	}
	sh := 64 - v.Type.Elem.Bits()
	return StridedBy(k << sh >> sh)
}

func (a *analysis) choice(v *vir.Value) Shape {
	switch k := a.same.chosen(v); {
	case k > 0:
		return a.Use(v, k)
	case a.Use(v, 0).Kind == Uniform:
		return join(a.Use(v, 1), a.Use(v, 2))
	}
	return random
}

// load is uniform when all lanes read one address; under a mask that differs
// between lanes, some have no value at all.
func (a *analysis) load(v *vir.Value) Shape {
	if v.Masked && a.Use(v, len(v.Args)-1).Kind != Uniform {
		return random
	}
	if a.address(v).Kind == Uniform {
		return uniform
	}
	return random
}

// address is the shape of base + index*scale + disp.
func (a *analysis) address(v *vir.Value) Shape {
	if !a.region.Contains(v.Block) {
		return uniform
	}
	at := 0
	if v.Op.IsStore() {
		at = 1 // behind the stored value
	}
	base := a.Use(v, at)
	index := uniform
	if x := v.Index(); x != nil {
		index = a.Use(v, at+1)
		if index.Kind == Random && a.opt.Subscript != nil {
			if k, ok := a.opt.Subscript(x); ok {
				index = StridedBy(k)
			}
		}
	}
	switch {
	case base.Kind == Bottom || index.Kind == Bottom:
		return Shape{}
	case !base.affine() || !index.affine():
		return random
	}
	return StridedBy(base.Stride + index.Stride*v.Scale)
}
