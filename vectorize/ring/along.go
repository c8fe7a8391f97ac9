package ring

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Circle is a variable that goes round: in the next iteration it is the remainder, by Size, of what it is and some steps more.
type Circle struct {
	Var  int // parameter of the region with its first value
	Size *plan.Expr
}

// Along is the table whose elements are loaded where the variable of c is, in the loop of r, in which it does not jump; nil for
// none. The loop does nothing else with table, variable and size.
func Along(r *plan.Region, c Circle) *plan.Ring {
	f := &finder{r: r, uses: r.Fn.Uses()}
	state := r.StateOf(c.Var)
	n, mask := f.size(c.Size)
	if state < 0 || n == nil {
		return nil
	}
	at := r.Fn.Blocks[1].Phis()[state]
	var table *vir.Value
	for _, u := range f.uses[at] {
		if u.Op.IsLoad() && u.Index() == at {
			table = u.Base()
		}
	}
	if !f.isTable(table) || mask && n == table.Param.Len || !f.onlyAlong(table, n, at) {
		return nil
	}
	ring := f.made(table, n, mask)
	if ring.Var = state; !f.apart(ring) {
		return nil
	}
	return ring
}

// size is the parameter that x is, or that x is one more than.
func (f *finder) size(x *plan.Expr) (n *vir.Value, mask bool) {
	if x.Op == plan.ExprAdd && x.Y.IsConst(1) {
		x, mask = x.X, true
	}
	if x.Op != plan.ExprParam || !f.isNumber(f.r.Fn.Params[x.Param]) {
		return nil, false
	}
	return f.r.Fn.Params[x.Param], mask
}

// onlyAlong reports whether nothing else is done with table, n, and the variable at, nor with the length of the table.
func (f *finder) onlyAlong(table, n, at *vir.Value) bool {
	length := table.Param.Len
	reads := func(u *vir.Value) bool { return f.isElement(u, table) && u.Index() == at }
	checks := func(u *vir.Value) bool { return u.Op == vir.OpCheckIndex && u.Args[1] == length && u.Args[0] == at }
	next := func(u *vir.Value) bool {
		return u.Op == vir.OpAdd && f.all(u, func(w *vir.Value) bool {
			return w == at || w.Op == vir.OpPhi && f.all(w, func(x *vir.Value) bool { return x == at })
		})
	}
	return f.all(table, reads) && f.all(at, func(u *vir.Value) bool { return reads(u) || checks(u) || next(u) || u.Op == vir.OpRet }) &&
		f.all(length, func(u *vir.Value) bool { return checks(u) || u.Op == vir.OpCheckDiv && n == length }) &&
		(n == length || f.all(n, func(u *vir.Value) bool { return u.Op == vir.OpCheckDiv }))
}
