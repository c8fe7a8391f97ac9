package loopvec

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/fold"
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
// the lanes as they are.
//
// The period is found by trying: if it does not follow from the operations that what is found is
// one, the kernel asks.
type periodic struct {
	vars   []*vir.Value
	vals   []*vir.Value // variables and what follows from them, operands first
	period int
	always bool // whatever the variables are before the loop
	slot   int  // in loop.held
}

const (
	mostPeriod   = 16 // iterations
	mostPeriodic = 64 // operations in the entry
	trials       = 8
)

// findPeriodic is the variables of which phi is one; nil when they are not periodic.
func (l *loop) findPeriodic(phi *vir.Value) *periodic {
	if l.sc.Phi(phi) != scev.Recurrence {
		return nil
	}
	p := &periodic{slot: len(l.held)}
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
	for _, v := range l.insts {
		if (len(p.vals)+1)*p.period <= mostPeriodic && !slices.Contains(p.vals, v) && (p.makes(l, v) || p.reads(l, v)) {
			p.vals = append(p.vals, v)
		}
	}
	return p
}

// holdPeriodic finds the periodic variables.
func (l *loop) holdPeriodic() {
	for _, phi := range l.header.Phis() {
		if l.holder[phi] != nil || l.onlyCounts(phi) {
			continue
		}
		if p := l.findPeriodic(phi); p != nil {
			for _, v := range p.vals {
				l.periodics[v] = p
			}
			l.partial = l.partial || !p.always
			l.addHeld(p)
			clear(l.forms) // of checks
		}
	}
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
	if v.Op != vir.OpLoad || v.Masked || a == nil || a.Kind != dep.Indexed || v.Base().Op != vir.OpParam {
		return false
	}
	if !slices.Contains(p.vals, v.Index()) || !l.staysSame(a) || l.region.Clauses.Independent && l.stores() {
		return false
	}
	return l.indexChecked(v)
}

// indexChecked reports whether load v is inside the memory that its pointer stands for wherever
// checks of its index pass, whether the iteration that loads it is done or not.
func (l *loop) indexChecked(v *vir.Value) bool {
	facts := v.Base().Param
	if v.Scale != int64(facts.ElemSize) || v.Disp != 0 || v.Access().Size() != facts.ElemSize {
		return false
	}
	if r := l.ranges.Of(v.Index()); r.SLo >= 0 && r.SHi < facts.FixedLen {
		return true
	}
	return slices.ContainsFunc(l.insts, func(c *vir.Value) bool {
		if c.Op != vir.OpCheckIndex || c.Masked || c.Args[0] != v.Index() {
			return false
		}
		n, ok := c.Args[1].ConstInt()
		return c.Args[1] == facts.Len || ok && n <= facts.FixedLen
	})
}

// periodicCheck is the periodic variables that check v is about; nil for others.
func (l *loop) periodicCheck(v *vir.Value) *periodic {
	var p *periodic
	if v.Masked {
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

// tried is the period from several values before the loop, 0 if there is none. Some may
// never come back: k++; if k == 3 { k = 0 } from 5 on. But some do, whatever else is known
// before the loop: k = (k+1) % n does not where n is large.
func (p *periodic) tried(l *loop) int {
	all := 1
	for _, known := range samples {
		comes := false
		for t := range trials {
			vals := make(map[*vir.Value]uint64)
			for i, v := range p.vars {
				vals[v] = number(v.Type.Elem, t*(i+1)+i)
			}
			if n := p.returnsAfter(l, vals, known); n > 0 {
				comes, all = true, leastMultiple(all, n)
			}
			if all > mostPeriod {
				return 0
			}
		}
		if !comes {
			return 0
		}
	}
	return all
}

// samples are what to try for values that are known before the loop.
var samples = [...]int{1, 3, 1000, 1023}

// number is x as the bits of an element.
func number(e vir.Elem, x int) uint64 {
	if e.IsFloat() {
		return floatBits(e, float64(x))
	}
	return uint64(x) & e.Ones()
}

func leastMultiple(x, y int) int {
	n := x
	for n%y != 0 {
		n += x
	}
	return n
}

// returnsAfter is the number of iterations after which the variables are again what they are in
// vals; 0 if they are not soon.
func (p *periodic) returnsAfter(l *loop, vals map[*vir.Value]uint64, known int) int {
	first := maps.Clone(vals)
	for k := 1; k <= mostPeriod; k++ {
		if !p.iterate(l, vals, known) {
			return 0
		}
		if !slices.ContainsFunc(p.vars, func(v *vir.Value) bool { return vals[v] != first[v] }) {
			return k
		}
	}
	return 0
}

// iterate makes the values of an iteration from those of the variables in vals, and the variables
// those of the next one. What is known before the loop is the number known.
func (p *periodic) iterate(l *loop, vals map[*vir.Value]uint64, known int) bool {
	of := func(v *vir.Value) uint64 {
		if x, ok := v.IsConst(); ok {
			return x
		}
		if x, ok := vals[v]; ok {
			return x
		}
		return number(v.Type.Elem, known)
	}
	for _, v := range p.vals {
		if v.Op == vir.OpPhi {
			continue
		}
		var args []uint64
		for _, a := range v.Args {
			args = append(args, of(a))
		}
		x, ok := fold.Lane(v, args)
		if !ok {
			return false
		}
		vals[v] = x
	}
	var next []uint64
	for _, v := range p.vars {
		next = append(next, of(l.next(v)))
	}
	for i, v := range p.vars {
		vals[v] = next[i]
	}
	return true
}

// isAlways reports whether the variables return to what they were whatever that was: each is one
// of those before, times something, plus something, and after a period it is itself.
func (p *periodic) isAlways(l *loop) bool {
	var invs []*vir.Value
	from, step := make([]int, len(p.vars)), make([]affineValue, len(p.vars))
	for i, v := range p.vars {
		var ok bool
		if from[i], step[i], invs, ok = p.source(l, l.next(v), invs); !ok {
			return false
		}
	}
	for i, v := range p.vars {
		var path []affineValue // what is done to it, last things first
		at := i
		for range p.period {
			path = append(path, step[at])
			at = from[at]
		}
		now := affineValue{mul: 1}
		for _, a := range slices.Backward(path) {
			now = now.times(a.mul).plus(affineValue{add: a.add, inv: a.inv}, 1)
		}
		if at != i || !now.isIdentity(v.Type.Elem) {
			return false
		}
	}
	return true
}

// source is the variable from which v is computed alone, and how. Floats and truth values are the variable
// itself or its opposite.
func (p *periodic) source(l *loop, v *vir.Value, invs []*vir.Value) (from int, a affineValue, _ []*vir.Value, ok bool) {
	opposite := affineValue{mul: 1}
	for ; v.Op == vir.OpFneg; v = v.Args[0] {
		opposite = opposite.times(^uint64(0))
	}
	for ; isOpposite(v); v = v.Args[0] {
		opposite.add++
	}
	for i, phi := range p.vars {
		if v == phi {
			return i, opposite, invs, true
		}
		c := &stepper{vals: []affineValue{{v: phi, mul: 1}}, invs: invs, known: l.knownBefore}
		if a, ok := c.of(v); ok && phi.Type.Elem.IsInt() && a.mul != 0 {
			return i, a, c.invs, true
		}
	}
	return 0, a, invs, false
}

// isData reports whether a variable is a float from memory: it may be anything, of which few
// numbers come back exactly. a[i] = 1 - a[i-1]
func (p *periodic) isData(l *loop) bool {
	return slices.ContainsFunc(p.vars, func(phi *vir.Value) bool {
		i := slices.Index(l.header.Phis(), phi)
		return phi.Type.Elem.IsFloat() && (l.initial(phi).Op != vir.OpParam || l.region.State[i].Stored)
	})
}

// isOpposite reports whether v is the opposite of its first operand, a truth value.
func isOpposite(v *vir.Value) bool {
	switch {
	case v.Type.Elem != vir.Bool:
		return false
	case v.Op == vir.OpXor:
		c, ok := v.Args[1].IsConst()
		return ok && c == 1
	}
	return v.Op == vir.OpNot
}
