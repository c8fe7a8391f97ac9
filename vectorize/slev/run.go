package slev

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Run classifies the values of f under the given assumptions. The lanes run
// through all of f, or through one iteration of o.Loop.
func Run(f *vir.Func, o Options) *Result {
	region := loops.Whole(f)
	if o.Loop != nil {
		region = o.Loop.Body()
	}
	a := &analysis{
		Result: &Result{
			region:    region,
			cycles:    region.Cycles(),
			post:      region.PostDom(),
			shapes:    make(map[*vir.Value]Shape),
			addrs:     make(map[*vir.Value]Shape),
			divergent: make(map[*vir.Block]bool),
			mixed:     make(map[*vir.Value]mixture),
			partial:   make(map[*vir.Block]bool),
			late:      make(map[operand]bool),
			apart:     make(map[*loops.Cycle]map[*vir.Block]bool),
			exits:     make(map[*loops.Cycle]map[loops.Edge]bool),
		},
		opt:      o,
		uses:     f.Uses(),
		queued:   make(map[*vir.Value]bool),
		together: make(map[*vir.Block]bool),
		seen:     make(map[parted]bool),
	}
	for _, b := range o.Control {
		a.together[b] = true
	}
	a.same = newCongruence(f, region, a.cycles, o.Shapes)
	for _, p := range f.Params {
		a.push(p)
	}
	for _, b := range loops.RPO(f) {
		for _, v := range b.Insts {
			a.push(v)
		}
	}
	a.solve()
	for a.settlePoison() {
		a.solve()
	}
	a.summarize()
	return a.Result
}

// settlePoison raises a phi that nothing but poison comes into, directly or
// around a cycle: it takes the value of the other lanes, if it has any. Before
// everything else is known this would spoil phis to which a stride comes later.
func (a *analysis) settlePoison() bool {
	for _, b := range a.region.Blocks {
		for _, phi := range b.Phis() {
			if a.shapes[phi].Kind != Bottom {
				continue
			}
			a.shapes[phi] = uniform
			for _, u := range a.uses[phi] {
				a.push(u)
			}
			return true
		}
	}
	return false
}

type analysis struct {
	*Result
	opt      Options
	uses     map[*vir.Value][]*vir.Value
	together map[*vir.Block]bool // see Options.Control
	work     []*vir.Value        // first in, first out
	queued   map[*vir.Value]bool
	seen     map[parted]bool
	walk     []parted
}

func (a *analysis) push(v *vir.Value) {
	if !a.queued[v] {
		a.queued[v] = true
		a.work = append(a.work, v)
	}
}

// solve ends because shapes only rise, branches only become divergent, and what
// divergent branches add (mixed, apart) only grows: all are finite.
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
		a.branch(v)
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

// branch lets the lanes part at br once its condition differs between them.
func (a *analysis) branch(br *vir.Value) {
	b := br.Block
	if a.divergent[b] || a.together[b] || !a.region.Contains(b) || a.Use(br, 0).Kind <= Uniform {
		return
	}
	a.divergent[b] = true
	a.diverge(b)
}

// phi is what comes in on any edge, unless lanes that come in together do so with
// different values. Where an edge brings poison, a lane may as well have the
// value of the others.
func (a *analysis) phi(v *vir.Value) Shape {
	if a.mixed[v] != 0 {
		return random
	}
	s := Shape{}
	for i, x := range v.Args {
		if !a.same.undefined(x) {
			s = join(s, a.Use(v, i))
		}
	}
	return s
}
