package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// The two largest integers, or the two smallest ones:
//
//	if v > first { first, second = v, first } else if v > second { second = v }
//
// While second <= first, the second one is a maximum of what is left over by the first one,
//
//	check.rare first0 < second0      what the call begins with
//	second' = max(second, min(first, v))
//
// of which lanes know the first one as a running maximum.

// A runnerUp is second' = beaten ? first : op(second, v), where beaten is that v is beyond first.
type runnerUp struct {
	first, second *vir.Value // variables
	v             *vir.Value
	op            vir.Op
	choice        *vir.Value
}

// contrary are the operations that keep what those of a maximum or minimum drop.
var contrary = map[vir.Op]vir.Op{vir.OpSmax: vir.OpSmin, vir.OpSmin: vir.OpSmax, vir.OpUmax: vir.OpUmin, vir.OpUmin: vir.OpUmax}

// runnersUp rewrites the second ones.
func runnersUp(u *pass.Unit) {
	f := u.Region.Fn
	header, body := f.Blocks[1], f.Blocks[2]
	back := 1 - header.PredIndex(f.Entry())
	for _, first := range header.Phis() {
		for _, second := range header.Phis() {
			r := findRunnerUp(first, second, back)
			if r != nil && u.Count() {
				r.rewrite(body, header.PredIndex(f.Entry()))
			}
		}
	}
}

// findRunnerUp is nil where second is none of first.
func findRunnerUp(first, second *vir.Value, back int) *runnerUp {
	p, q := first.Args[back], second.Args[back]
	if first == second || !first.Type.Elem.IsInt() || first.Type != second.Type {
		return nil
	}
	if p.Op == vir.OpSelect && q.Op == vir.OpSelect && p.Args[0] == q.Args[0] {
		for k := 1; k <= 2; k++ { // both stay what they are under a condition
			if p.Args[3-k] == first && q.Args[3-k] == second {
				p, q = p.Args[k], q.Args[k]
				break
			}
		}
	}
	if contrary[p.Op] == vir.OpInvalid || !slices.Contains(p.Args, first) {
		return nil
	}
	r := &runnerUp{first: first, second: second, v: p.Args[0], op: p.Op, choice: q}
	if r.v == first {
		r.v = p.Args[1]
	}
	if q.Op != vir.OpSelect || r.v == second {
		return nil
	}
	then, rest := q.Args[1], q.Args[2]
	beaten, ok := r.beaten(q.Args[0])
	if !beaten {
		then, rest = rest, then
	}
	if !ok || then != first || rest.Op != r.op || !slices.Contains(rest.Args, second) || !slices.Contains(rest.Args, r.v) {
		return nil
	}
	return r
}

// beaten reports whether c holds where v is beyond first, rather than where first is beyond v. For equal
// ones it does not matter.
func (r *runnerUp) beaten(c *vir.Value) (beaten, ok bool) {
	if c.Op == vir.OpNot {
		beaten, ok = r.beaten(c.Args[0])
		return !beaten, ok
	}
	less := []vir.Op{vir.OpIcmpSlt, vir.OpIcmpSle}
	if r.op == vir.OpUmax || r.op == vir.OpUmin {
		less = []vir.Op{vir.OpIcmpUlt, vir.OpIcmpUle}
	}
	if !slices.Contains(less, c.Op) {
		return false, false
	}
	rises := r.op == vir.OpSmax || r.op == vir.OpUmax
	switch {
	case c.Args[0] == r.first && c.Args[1] == r.v:
		return rises, true
	case c.Args[0] == r.v && c.Args[1] == r.first:
		return !rises, true
	}
	return false, false
}

// rewrite makes a maximum of the choice, and a check of what the variables are at first.
func (r *runnerUp) rewrite(body *vir.Block, entry int) {
	f, t := body.Func, r.first.Type
	left := f.NewValue(contrary[r.op], t, r.first, r.v)
	best := f.NewValue(r.op, t, r.second, left)
	at := slices.Index(body.Insts, r.choice)
	for _, v := range []*vir.Value{left, best} {
		v.Pos, v.Block = r.choice.Pos, body
	}
	body.Insts = slices.Insert(body.Insts, at, left, best)
	for v := range f.Values {
		for i, a := range v.Args {
			if a == r.choice {
				v.Args[i] = best
			}
		}
	}
	lesser, greater := r.first.Args[entry], r.second.Args[entry]
	if r.op == vir.OpSmin || r.op == vir.OpUmin {
		lesser, greater = greater, lesser
	}
	less := vir.OpIcmpSlt
	if r.op == vir.OpUmax || r.op == vir.OpUmin {
		less = vir.OpIcmpUlt
	}
	out := f.NewValue(less, vir.Scalar(vir.Bool), lesser, greater)
	begin(body, r.choice.Pos, out, f.NewValue(vir.OpCheckRare, vir.Type{}, out))
}
