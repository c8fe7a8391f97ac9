package loopvec

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// An instance makes values of the body anew, for variables that are constants. They stand in no block.
type instance struct {
	m    *matcher
	memo map[*vir.Value]*vir.Value
}

// instance is that for vars, which m follows or one that they depend on.
func (m *matcher) instance(vars []*vir.Value, bits []uint64) *instance {
	s := &instance{m, make(map[*vir.Value]*vir.Value)}
	for i, v := range vars {
		s.memo[v] = s.constant(v.Type, bits[i])
	}
	return s
}

func (s *instance) constant(t vir.Type, bits uint64) *vir.Value {
	v := s.m.body.Func.NewValue(vir.OpConst, t)
	v.Bits = []uint64{bits}
	return v
}

// of is v, or what it is there; nil for what is loaded depending on a variable, and for other variables.
func (s *instance) of(v *vir.Value) *vir.Value {
	x, ok := s.memo[v]
	if !ok {
		x = s.make(v)
		s.memo[v] = x
	}
	return x
}

func (s *instance) make(v *vir.Value) *vir.Value {
	if s.m.free(v) {
		return v
	}
	if v.Op == vir.OpPhi || v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() || len(v.Args) == 0 {
		return nil
	}
	var args []*vir.Value
	var bits []uint64
	for i, a := range v.Args {
		if v.Op == vir.OpSelect && i == 1 && len(bits) == 1 {
			return s.of(v.Args[2-bits[0]&1])
		}
		x := s.of(a)
		if x == nil {
			return nil
		}
		args = append(args, x)
		if c, ok := x.IsConst(); ok {
			bits = append(bits, c)
		}
	}
	if len(bits) == len(args) {
		if c, ok := fold.Lane(v, bits); ok {
			return s.constant(v.Type, c)
		}
	}
	x := s.m.body.Func.NewValue(v.Op, v.Type, args...)
	x.Pos = v.Pos
	s.m.bound[x] = false
	return x
}
