package loopvec

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// How long the period of variables is, by computing a few iterations, and whether that is certain.

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
			if n := p.returnsAfter(l, vals, known, t); n > 0 {
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

// allTurns is the number of iterations after which all that repeats with their number comes back.
func (p *periodic) allTurns(l *loop) int {
	all := 1
	for _, v := range p.turns {
		all = leastMultiple(all, l.turnsAfter(v))
	}
	return all
}

// samples are what to try for values that are known before the loop.
var samples = [...]int{1, 3, 1000, 1023}

// number is x as the bits of an element.
func number(e vir.Elem, x int) uint64 {
	if e.IsFloat() {
		return e.FloatBits(float64(x))
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
// vals, and what repeats is, too; 0 if they are not soon. The counters begin with start.
func (p *periodic) returnsAfter(l *loop, vals map[*vir.Value]uint64, known, start int) int {
	first := maps.Clone(vals)
	turns := p.allTurns(l)
	for k := 1; k <= mostPeriod; k++ {
		for _, v := range p.turns {
			t, _ := l.sc.Periodic(v)
			vals[v] = uint64((start + (k-1)*int(t.Modulus/t.Period)) % int(t.Modulus))
		}
		if !p.iterate(l, vals, known) {
			return 0
		}
		if k%turns == 0 && !slices.ContainsFunc(p.vars, func(v *vir.Value) bool { return vals[v] != first[v] }) {
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
		if v.Op == vir.OpPhi || slices.Contains(p.turns, v) {
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
