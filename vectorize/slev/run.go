package slev

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Run classifies the values of any function under the given assumptions.
func Run(f *vir.Func, o Options) *Result {
	a := &analysis{
		Result: &Result{
			shapes:  make(map[*vir.Value]Shape),
			addrs:   make(map[*vir.Value]Shape),
			control: make(map[*vir.Block]bool),
		},
		opt:    o,
		uses:   f.Uses(),
		dom:    loops.DomTree(f),
		queued: make(map[*vir.Value]bool),
	}
	for _, b := range o.Control {
		a.control[b] = true
	}
	for _, p := range f.Params {
		a.push(p)
	}
	for _, b := range loops.RPO(f) {
		a.phis = append(a.phis, b.Phis()...)
		for _, v := range b.Insts {
			a.push(v)
		}
	}
	a.solve()
	return a.Result
}

type analysis struct {
	*Result
	opt    Options
	uses   map[*vir.Value][]*vir.Value
	dom    *loops.Dom
	phis   []*vir.Value
	work   []*vir.Value // first in, first out
	queued map[*vir.Value]bool
}

func (a *analysis) push(v *vir.Value) {
	if !a.queued[v] {
		a.queued[v] = true
		a.work = append(a.work, v)
	}
}

func (a *analysis) solve() {
	for len(a.work) > 0 {
		v := a.work[0]
		a.work = a.work[1:]
		a.queued[v] = false
		a.visit(v)
	}
}

func (a *analysis) visit(v *vir.Value) {
	if v.Op.IsLoad() || v.Op.IsStore() {
		a.addrs[v] = join(a.addrs[v], a.address(v))
	}
	if v.Op == vir.OpBr {
		if a.IsDivergent(v.Block) {
			a.diverge(v.Block)
		}
		return
	}
	if v.Type.Elem == vir.Void {
		return
	}
	s := join(a.shapes[v], a.transfer(v))
	if s == a.shapes[v] {
		return
	}
	a.shapes[v] = s
	for _, u := range a.uses[v] {
		a.push(u)
	}
}

// diverge turns control divergence into data divergence: which uses does the
// divergent branch that ends b taint? Without influence regions, all joins are
// looked at again and decide for themselves (see joined). Uses outside an inner
// loop that lanes leave in different iterations belong here as well; until then
// the phis of such a loop are random.
func (a *analysis) diverge(*vir.Block) {
	for _, phi := range a.phis {
		a.push(phi)
	}
}

// phi is what comes in on any edge. Under a divergent branch, different lanes
// come in on different edges.
func (a *analysis) phi(v *vir.Value) Shape {
	var s Shape
	same := true
	for _, x := range v.Args {
		s = join(s, a.shapes[x])
		same = same && x == v.Args[0]
	}
	if s.Kind == Bottom || same || !a.joined(v.Block) {
		return s
	}
	return random
}

// joined reports whether some divergent branch lies on a way from the immediate
// dominator of b to b.
func (a *analysis) joined(b *vir.Block) bool {
	top := a.dom.Idom(b)
	seen := make(map[*vir.Block]bool)
	work := append([]*vir.Block(nil), b.Preds...)
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] || !a.dom.Has(p) {
			continue
		}
		seen[p] = true
		if a.IsDivergent(p) {
			return true
		}
		if p != top {
			work = append(work, p.Preds...)
		}
	}
	return false
}
