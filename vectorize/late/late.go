// Package late combines last what comes from the iteration before:
//
//	d = min(min(d+1, up+1), left)   ==>   d = min(d+1, min(up+1, left))
//
// The next iteration waits for one operation less, and what does not wait can be done in lanes. So it is in
// the recurrences of dynamic programming.
//
// Requires: one body block. Only integers and bools, whose operations may be grouped in any way.
package late

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run works on the region of u.
func Run(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) != 5 {
		return nil
	}
	s := &sorter{f: f, late: make(map[*vir.Value]bool), uses: make(map[*vir.Value]int), leads: make(map[*vir.Value]bool)}
	header, body := f.Blocks[1], f.Blocks[2]
	latch := header.PredIndex(f.Blocks[3])
	sc := scev.New(u.Region)
	for _, phi := range header.Phis() {
		if _, ok := sc.Evolution(phi); !ok {
			s.late[phi] = true
			s.lead(phi.Args[latch])
		}
	}
	if len(s.late) == 0 {
		return nil
	}
	for v := range f.Values {
		for _, a := range v.Args {
			s.uses[a]++
		}
	}
	for i := 0; i < len(body.Insts); i++ {
		v := body.Insts[i]
		if in, x := s.last(v); in != nil && u.Count() {
			s.regroup(v, in, x)
			i = slices.Index(body.Insts, v)
		}
		s.late[v] = slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return s.late[a] })
	}
	return nil
}

// A sorter knows what comes from the iteration before.
type sorter struct {
	f     *vir.Func
	late  map[*vir.Value]bool // what a variable of it is needed for
	leads map[*vir.Value]bool // what next values of such variables are computed from
	uses  map[*vir.Value]int
}

// lead notes what v is computed from.
func (s *sorter) lead(v *vir.Value) {
	if s.leads[v] {
		return
	}
	s.leads[v] = true
	for _, a := range v.Args {
		s.lead(a)
	}
}

// last is an operand of v, of the same operation, with the operand x in it that alone of what goes into
// v comes from the iteration before; nil for none.
func (s *sorter) last(v *vir.Value) (in, x *vir.Value) {
	if !s.leads[v] || !groups(v.Op) || v.Type.IsVector() || !v.Type.Elem.IsInt() && v.Type.Elem != vir.Bool {
		return nil, nil
	}
	for k, in := range v.Args {
		if in.Op != v.Op || in.Type != v.Type || s.uses[in] != 1 || in.Block != v.Block {
			continue
		}
		for j, x := range in.Args {
			if s.late[x] && !s.late[in.Args[1-j]] && !s.late[v.Args[1-k]] {
				return in, x
			}
		}
	}
	return nil, nil
}

// groups reports whether operands of op may be taken in any order.
func groups(op vir.Op) bool {
	switch op {
	case vir.OpAdd, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return true
	}
	return false
}

// regroup makes v the operation of x and of what else goes into it and into its operand in.
func (s *sorter) regroup(v, in, x *vir.Value) {
	y := s.f.NewValue(v.Op, v.Type, other(in, x), other(v, in))
	y.Pos = v.Pos
	edit.Before(y, v)
	s.uses[y], s.leads[y] = 1, true
	v.Args = []*vir.Value{x, y}
	in.Remove()
}

// other is the operand of v that x is not.
func other(v, x *vir.Value) *vir.Value {
	if v.Args[0] == x {
		return v.Args[1]
	}
	return v.Args[0]
}
