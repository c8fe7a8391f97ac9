package simplify

import "github.com/lanewise/lanewise/vir"

// Values of f64 that are values of f32 need not be extended: conversions to integers and roundings
// to f32 have the same results from f32.
//
//	ftosi i32 (fmin (frint (fpext x)), 127)   ->   ftosi i32 (fmin (frint x), 127)

// A single makes f32 of f64 values that are equal to such.
type single struct {
	r     *rewriter
	known map[*vir.Value]bool
	made  map[*vir.Value]*vir.Value
}

func newSingle(r *rewriter) *single {
	return &single{r: r, known: make(map[*vir.Value]bool), made: make(map[*vir.Value]*vir.Value)}
}

// inSingle makes v on operands of f32, nil if not all of them have one.
func (r *rewriter) inSingle(v *vir.Value) *vir.Value {
	s := newSingle(r)
	if v.Args[0].Type.Elem != vir.F64 || !s.fitAll(v.Args) {
		return nil
	}
	return r.op(v.Op, v.Type, s.allOf(v.Args)...)
}

func (s *single) fitAll(xs []*vir.Value) bool {
	for _, x := range xs {
		if !s.fits(x) {
			return false
		}
	}
	return true
}

// fits reports whether x is the extension of an f32: made by operations on such that need no
// rounding.
func (s *single) fits(x *vir.Value) bool {
	if fits, ok := s.known[x]; ok {
		return fits
	}
	s.known[x] = s.exact(x)
	return s.known[x]
}

func (s *single) exact(x *vir.Value) bool {
	switch x.Op {
	case vir.OpFpext:
		return true
	case vir.OpConst:
		c, ok := floatConst(x)
		return ok && float64(float32(c)) == c
	case vir.OpSitof, vir.OpUitof:
		return x.Args[0].Type.Elem.Bits() <= 16
	case vir.OpSelect:
		return s.fitAll(x.Args[1:])
	}
	return x.Op.Unrounded() && s.fitAll(x.Args)
}

func (s *single) allOf(xs []*vir.Value) (ys []*vir.Value) {
	for _, x := range xs {
		ys = append(ys, s.of(x))
	}
	return ys
}

// of is the f32 that x, which fits, is the extension of.
func (s *single) of(x *vir.Value) *vir.Value {
	if s.made[x] == nil {
		s.made[x] = s.make(x)
	}
	return s.made[x]
}

func (s *single) make(x *vir.Value) *vir.Value {
	t := x.Type.WithElem(vir.F32)
	switch x.Op {
	case vir.OpFpext:
		return x.Args[0]
	case vir.OpConst:
		c, _ := floatConst(x)
		return s.r.floatValue(t, c)
	case vir.OpSitof, vir.OpUitof:
		return s.r.op(x.Op, t, x.Args[0])
	case vir.OpSelect:
		return s.r.op(x.Op, t, s.condition(x.Args[0]), s.of(x.Args[1]), s.of(x.Args[2]))
	}
	return s.r.op(x.Op, t, s.allOf(x.Args)...)
}

// condition is c with comparisons of f32 where it compares what fits. Others may still want c
// itself, in the lanes of f64 values, so that comparisons alone are no reason for f32.
func (s *single) condition(c *vir.Value) *vir.Value {
	if s.made[c] != nil {
		return s.made[c]
	}
	made := c
	switch c.Op {
	case vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe:
		if c.Args[0].Type.Elem == vir.F64 && s.fitAll(c.Args) {
			made = s.r.op(c.Op, c.Type, s.allOf(c.Args)...)
		}
	case vir.OpAnd, vir.OpOr, vir.OpNot:
		var args []*vir.Value
		for _, x := range c.Args {
			args = append(args, s.condition(x))
		}
		made = s.r.op(c.Op, c.Type, args...)
	}
	s.made[c] = made
	return made
}
