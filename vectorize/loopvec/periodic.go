package loopvec

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Periodic variables (Wolfe: Beyond induction variables, PLDI 1992), which are again what
// they were after a few iterations: sign = -sign; k = (k+1) % 3; a, b = b, a.
//
//	entry:   %k1 = (%k0+1) % 3; %k2 = (%k1+1) % 3; none unless (%k2+1) % 3 == %k0
//	         %k = %k0 %k1 %k2 %k0 %k1 %k2 %k0 %k1
//	vec8:    ... %k ...
//	         %k+8 = shuffle %k, {2, 0, 1, 2, 0, 1, 2, 0}
//
// What an iteration computes from them and from what is known before the loop is periodic
// too and computed in the entry. A block whose iterations are a multiple of the period leaves
// the lanes as they are. So is what repeats with the number of the iteration, i&1 or i%3.
//
// The period of variables is found by trying. Where it does not follow from the operations
// that what is found is one, the kernel asks.
type periodic struct {
	vars   []*vir.Value
	turns  []*vir.Value // what repeats with the number of the iteration
	vals   []*vir.Value // all of these and what follows from them, operands first
	period int
	always bool // whatever the variables are before the loop
	slot   int  // in loop.held

	// passes are whether checks of indices under conditions pass, among vals: such a check is
	// for those iterations of a period that make it.
	passes map[*vir.Value]*vir.Value
}

const (
	mostPeriod   = 16  // iterations
	mostPeriodic = 160 // operations in the entry
	trials       = 8
)

// findPeriodic is the variables of which phi is one; nil when they are not periodic.
func (l *loop) findPeriodic(phi *vir.Value) *periodic {
	if l.sc.Phi(phi) != scev.Recurrence {
		return nil
	}
	p := &periodic{}
	if !p.follow(l, phi) {
		return nil
	}
	p.period = p.tried(l)
	if p.period < 2 || len(p.vals)*p.period > mostPeriodic {
		return nil
	}
	if p.always = p.isAlways(l); !p.always && p.isData(l) {
		return nil
	}
	return p
}

// extend adds what follows, and what comes back as often.
func (p *periodic) extend(l *loop) {
	for _, v := range l.insts {
		if (len(p.vals)+1)*p.period > mostPeriodic || slices.Contains(p.vals, v) || l.periodics[v] != nil {
			continue
		}
		turns := l.turnsAfter(v)
		switch {
		case turns > 0 && p.period%turns == 0:
			p.turns = append(p.turns, v)
		case v.Op == vir.OpCheckIndex && v.Masked && slices.Contains(p.vals, v.Args[0]) && l.uniform(v.Args[1]):
			v = p.addPasses(l, v)
		case turns > 0 || !p.makes(l, v) && !p.reads(l, v):
			continue
		}
		p.vals = append(p.vals, v)
	}
}

// addPasses makes a value of whether check v passes.
func (p *periodic) addPasses(l *loop, v *vir.Value) *vir.Value {
	ok := l.region.Fn.NewValue(vir.OpIcmpUlt, vir.Scalar(vir.Bool), v.Args[0], v.Args[1])
	if p.passes == nil {
		p.passes = make(map[*vir.Value]*vir.Value)
	}
	p.passes[v] = ok
	return ok
}

// holdPeriodic finds the periodic variables.
func (l *loop) holdPeriodic() {
	for _, phi := range l.header.Phis() {
		if l.holder[phi] != nil || l.onlyCounts(phi) {
			continue
		}
		if p := l.findPeriodic(phi); p != nil {
			l.addPeriodic(p)
		}
	}
}

func (l *loop) addPeriodic(p *periodic) {
	p.slot = len(l.held)
	p.extend(l)
	for _, v := range p.vals {
		l.periodics[v] = p
	}
	l.partial = l.partial || !p.always
	l.addHeld(p)
	clear(l.forms) // of checks
}

// holdTurning finds what else is periodic.
func (l *loop) holdTurning() {
	for _, p := range l.turning() {
		l.addPeriodic(p)
	}
}

// dropIdle leaves out what repeats of which no lanes are needed, and no checks.
func (l *loop) dropIdle() error {
	for n := len(l.held) - 1; n >= 0; n-- {
		p, ok := l.held[n].(*periodic)
		checks := func(v *vir.Value) bool {
			return v.Op.IsCheck() && l.checkForm(v) == checkPeriodic && l.periodicCheck(v) == p
		}
		if !ok || len(p.lanesOf(l)) > 0 || slices.ContainsFunc(l.insts, checks) {
			return nil // others are held in a fixed order
		}
		l.held = l.held[:n]
		maps.DeleteFunc(l.periodics, func(_ *vir.Value, q *periodic) bool { return p == q })
	}
	return nil
}

// turning is what repeats with the number of the iteration, by periods of which none is part of
// another one.
func (l *loop) turning() []*periodic {
	of := make(map[*vir.Value]int)
	var all []*vir.Value
	for _, v := range l.insts {
		if n := l.turnsAfter(v); n > 0 && l.periodics[v] == nil {
			of[v] = n
			all = append(all, v)
		}
	}
	slices.SortStableFunc(all, func(v, w *vir.Value) int { return of[w] - of[v] })
	var ps []*periodic
	for _, v := range all {
		i := slices.IndexFunc(ps, func(p *periodic) bool { return p.period%of[v] == 0 && (len(p.vals)+1)*p.period <= mostPeriodic })
		if i < 0 {
			i, ps = len(ps), append(ps, &periodic{period: of[v], always: true})
		}
		ps[i].turns, ps[i].vals = append(ps[i].turns, v), append(ps[i].vals, v)
	}
	return ps
}

// turnsAfter is the number of iterations after which v, which repeats with the number of the
// iteration, comes back; 0 for others.
func (l *loop) turnsAfter(v *vir.Value) int {
	if v.Op != vir.OpAnd && v.Op != vir.OpUrem && v.Op != vir.OpSrem || l.uniform(v) {
		return 0
	}
	t, ok := l.sc.Periodic(v)
	if ok && v.Op != vir.OpZext && 2 <= t.Period && t.Period <= mostPeriod && len(t.Wrap) == 0 {
		return int(t.Period)
	}
	return 0
}

// follow takes up variable phi, what its next value is computed from, and so on. It fails at
// what neither follows from variables that are nothing else nor is known before the loop.
func (p *periodic) follow(l *loop, phi *vir.Value) bool {
	p.vars = append(p.vars, phi)
	p.vals = append(p.vals, phi)
	var visit func(v *vir.Value) bool
	visit = func(v *vir.Value) bool {
		switch {
		case l.uniform(v) || slices.Contains(p.vals, v):
			return true
		case v.Op == vir.OpPhi:
			return v.Block == l.header && l.holder[v] == nil && l.sc.Phi(v) == scev.Recurrence && p.follow(l, v)
		case l.turnsAfter(v) > 0:
			p.turns, p.vals = append(p.turns, v), append(p.vals, v)
			return true
		case !isPure(v) || len(p.vals) > mostSteps:
			return false
		}
		for _, a := range v.Args {
			if !visit(a) {
				return false
			}
		}
		p.vals = append(p.vals, v)
		return true
	}
	return visit(l.next(phi))
}

// isPure reports whether v can be computed for any operands.
func isPure(v *vir.Value) bool {
	i := v.Op.Info()
	if i.Reads || i.Effect || i.Term || v.Op.IsCheck() || v.Masked || v.Op == vir.OpPhi || v.Op == vir.OpParam || v.Op == vir.OpCall {
		return false
	}
	if edit.Divides(v.Op) {
		c, ok := v.Args[1].IsConst()
		return ok && c != 0
	}
	return true
}

// makes reports whether v follows from periodic values and what is known before the loop.
func (p *periodic) makes(l *loop, v *vir.Value) bool {
	follows := false
	for _, a := range v.Args {
		if slices.Contains(p.vals, a) {
			follows = true
		} else if !l.uniform(a) {
			return false
		}
	}
	return follows && isPure(v)
}

// reads reports whether load v is of memory that no iteration changes, at a periodic index.
func (p *periodic) reads(l *loop, v *vir.Value) bool {
	a := l.dp.Access(v)
	if v.Op != vir.OpLoad || a == nil || a.Kind != dep.Indexed && a.Kind != dep.Periodic || l.isRotated(a) || v.Base().Op != vir.OpParam {
		return false
	}
	if !slices.Contains(p.vals, v.Index()) || !l.staysSame(a) || l.region.Clauses.Independent && l.stores() {
		return false
	}
	return !v.Masked && l.indexChecked(v) || p.checkOf(l, v) != nil
}

// checkOf is the check, under the same condition, that masked load v is of an element of its slice;
// nil if there is none.
func (p *periodic) checkOf(l *loop, v *vir.Value) *vir.Value {
	facts := v.Base().Param
	if !v.Masked || !whole(v) {
		return nil
	}
	for _, c := range l.insts {
		if p.passes[c] != nil && c.Mask() == v.Mask() && c.Args[0] == v.Index() && isLength(c.Args[1], facts) {
			return c
		}
	}
	return nil
}

// indexChecked reports whether load v is inside the memory that its pointer stands for wherever
// checks of its index pass, whether the iteration that loads it is done or not.
func (l *loop) indexChecked(v *vir.Value) bool {
	facts := v.Base().Param
	if !whole(v) {
		return false
	}
	if r := l.ranges.Of(v.Index()); r.SLo >= 0 && r.SHi < facts.FixedLen {
		return true
	}
	return slices.ContainsFunc(l.insts, func(c *vir.Value) bool {
		if c.Op != vir.OpCheckIndex || c.Masked || c.Args[0] != v.Index() {
			return false
		}
		return isLength(c.Args[1], facts)
	})
}

// whole reports whether load v is of one element of what its pointer stands for.
func whole(v *vir.Value) bool {
	facts := v.Base().Param
	return v.Scale == int64(facts.ElemSize) && v.Disp == 0 && v.Access().Size() == facts.ElemSize
}

// isLength reports whether there are n elements, or more.
func isLength(n *vir.Value, facts vir.ParamFacts) bool {
	c, ok := n.ConstInt()
	return n == facts.Len || ok && c <= facts.FixedLen
}

// turnsPass is whether check v, under a condition, passes, as a periodic value; nil for others.
func (l *loop) turnsPass(v *vir.Value) *vir.Value {
	if v.Op == vir.OpCheckIndex && l.periodics[v.Args[0]] != nil {
		return l.periodics[v.Args[0]].passes[v]
	}
	return nil
}

// periodicCheck is the periodic values that check v is about; nil for others. Loops are left at
// some time, so exits are no such checks.
func (l *loop) periodicCheck(v *vir.Value) *periodic {
	var p *periodic
	if v.Masked || v.Op == vir.OpExit {
		return nil
	}
	for _, a := range v.Args {
		switch q := l.periodics[a]; {
		case q == nil && l.uniform(a):
		case q == nil || p != nil && p != q:
			return nil
		default:
			p = q
		}
	}
	return p
}
