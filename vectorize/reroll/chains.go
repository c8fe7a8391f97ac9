package reroll

import (
	"cmp"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A chain is a variable that an iteration hands on from value to value: every way from
// what it was to what it becomes leads through all of them.
type chain struct {
	phi    *vir.Value
	values []*vir.Value // the last one is the next value of phi
}

// findChains finds the variables that are no inductions and hand on something.
func (l *lifter) findChains() {
	for i, phi := range l.header.Phis() {
		if !l.carried(phi) || l.sc.Phi(phi) == scev.Anew && !l.region.State[i].Live {
			continue
		}
		if l.sc.Phi(phi) != scev.Anew {
			l.asChain(phi)
			if c := l.waypoints(phi, l.next(phi)); len(c) > 0 {
				l.chains = append(l.chains, chain{phi, c})
			}
		}
	}
}

// carried reports whether phi is neither an induction nor the same all the time.
func (l *lifter) carried(phi *vir.Value) bool {
	a, ok := l.sc.Affine(phi)
	return !(ok && len(a.Wrap) == 0) && !l.sc.IsInvariant(phi)
}

func (l *lifter) next(phi *vir.Value) *vir.Value {
	return phi.Args[1-l.header.PredIndex(l.region.Fn.Entry())]
}

func (l *lifter) setNext(phi, v *vir.Value) {
	phi.Args[1-l.header.PredIndex(l.region.Fn.Entry())] = v
}

// waypoints are the values on all ways from phi to next, in order; none when there is
// no way.
func (l *lifter) waypoints(phi, next *vir.Value) (points []*vir.Value) {
	on := map[*vir.Value]bool{phi: true}
	last := map[*vir.Value]int{} // where the last user on a way stands
	for _, v := range l.body.Insts {
		if slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return on[a] }) {
			on[v] = true
		}
	}
	if !on[next] {
		return nil
	}
	needed := map[*vir.Value]bool{next: true}
	for i := len(l.body.Insts) - 1; i >= 0; i-- {
		v := l.body.Insts[i]
		if !needed[v] || !on[v] {
			continue
		}
		for _, a := range v.Args {
			if on[a] {
				needed[a] = true
				last[a] = max(last[a], i)
			}
		}
	}
	far := last[phi]
	for i, v := range l.body.Insts {
		if !on[v] || !needed[v] {
			continue
		}
		if far <= i {
			points = append(points, v)
		}
		far = max(far, last[v])
	}
	return points
}

// reordered reports whether operands of op may be taken in any order and grouping.
func (l *lifter) reordered(op vir.Op) bool {
	switch op {
	case vir.OpAdd, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return true
	case vir.OpFadd, vir.OpFmul:
		return l.region.Clauses.Reassoc
	}
	return false
}

// asChain makes a chain of a sum, s + (a+b+c+d), or anything of its kind: one term after
// the other, in the order of what they load.
func (l *lifter) asChain(phi *vir.Value) {
	next := l.next(phi)
	if !l.reordered(next.Op) || next.Block != l.body {
		return
	}
	uses := l.region.Fn.Uses()
	var terms []*vir.Value
	var flatten func(v *vir.Value)
	flatten = func(v *vir.Value) {
		if v != phi && v.Op == next.Op && v.Block == l.body && (v == next || len(uses[v]) == 1) {
			flatten(v.Args[0])
			flatten(v.Args[1])
			return
		}
		terms = append(terms, v)
	}
	flatten(next)
	i := slices.Index(terms, phi)
	if i < 0 || len(terms) < 3 || len(uses[next]) > 2 {
		return
	}
	terms = l.inOrder(slices.Delete(terms, i, i+1))
	acc := phi
	for _, t := range terms {
		v := l.region.Fn.NewValue(next.Op, next.Type, acc, t)
		v.Block, v.Pos = l.body, next.Pos
		n := len(l.body.Insts) - 1
		l.body.Insts = slices.Insert(l.body.Insts, n, v)
		l.at[v] = n
		acc = v
	}
	l.setNext(phi, acc)
	for _, u := range uses[next] {
		if u.Block == l.region.Fn.Blocks[4] {
			for k, a := range u.Args {
				if a == next {
					u.Args[k] = acc
				}
			}
		}
	}
}

// inOrder sorts terms by where one of their loads is, if all load from the same memory.
func (l *lifter) inOrder(terms []*vir.Value) []*vir.Value {
	lead := l.load(terms[0], nil, 8)
	if lead == nil {
		return terms
	}
	from, _ := l.linear(lead)
	keys := make(map[*vir.Value]int64)
	for _, t := range terms {
		v := l.load(t, lead.Base(), 8)
		if v == nil {
			return terms
		}
		a, _ := l.linear(v)
		d, ok := scev.Diff(a.off, from.off)
		if a.step != from.step || !ok {
			return terms
		}
		if a.step < 0 {
			d = -d
		}
		keys[t] = d
	}
	slices.SortStableFunc(terms, func(a, b *vir.Value) int { return cmp.Compare(keys[a], keys[b]) })
	return terms
}

// load is the first load that v is computed from, of base if that is not nil.
func (l *lifter) load(v, base *vir.Value, depth int) *vir.Value {
	if v.Op == vir.OpLoad {
		if a, ok := l.linear(v); ok && a.step != 0 && (base == nil || base == v.Base()) {
			return v
		}
		return nil
	}
	if depth == 0 || v.Block != l.body {
		return nil
	}
	for _, a := range v.Args {
		if x := l.load(a, base, depth-1); x != nil {
			return x
		}
	}
	return nil
}

// teams are variables that are alike in all copies, one for each copy, in their order:
// s0 += x[i]; s1 += x[i+1]. Nil when they do not go together. A block must not mix them, so
// that their number is a power of two.
func (l *lifter) teams(g int) (teams [][]*vir.Value, ok bool) {
	left := l.single(g)
	if len(left) > 0 && g&(g-1) != 0 {
		return nil, false
	}
	for len(left) > 0 {
		lead := l.load(l.next(left[0].phi), nil, 12)
		if lead == nil {
			return nil, false
		}
		from, _ := l.linear(lead)
		var phis []*vir.Value
		var offs []int64
		var rest []chain
		for _, c := range left {
			next := l.next(c.phi)
			v := l.load(next, lead.Base(), 12)
			if v == nil || next.Op != l.next(left[0].phi).Op || c.phi.Type != left[0].phi.Type {
				rest = append(rest, c)
				continue
			}
			a, _ := l.linear(v)
			d, ok := scev.Diff(a.off, from.off)
			if a.step != from.step || !ok || a.step%int64(g) != 0 {
				return nil, false
			}
			phis, offs = append(phis, c.phi), append(offs, d)
		}
		cols := spread(phis, offs, g, from.step/int64(g))
		if cols == nil {
			return nil, false
		}
		teams, left = append(teams, cols...), rest
	}
	return teams, true
}

// out is what becomes of variable i after a call, unless it is of the rolled loop.
func (l *lifter) out(i int, phi *vir.Value) plan.Out {
	if a, ok := l.sc.Affine(phi); ok && len(a.Wrap) == 0 && a.Step != 0 {
		return plan.Out{Kind: plan.OutExpr, Expr: scev.Simplify(plan.Add(a.Start, plan.Mul(plan.Const(a.Step), plan.Done())))}
	}
	return plan.Out{Kind: plan.OutSame}
}
