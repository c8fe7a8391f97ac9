package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
)

// What lanes gain that are added in order. The additions wait for each other in the kernel
// as in the loop, so the gain is what the scalar loop takes beyond that: divisions,
// conversions, many instructions. How long an addition takes is a matter of the processor,
// 2 cycles on Zen 5, 3 on Zen 4, 4 on most others. The fastest one decides, since on the
// others the loop and the kernel wait alike. But where the loop adds under a condition, it may add
// nothing for long, while lanes add zeros: then it is the slowest one, and what the loop
// does in any case has to take longer than its additions.
//
// Fitted to a grid of terms (loads to polynomials), types and numbers of sums on Zen 5, with
// functions at three places each: the place of a compiled loop alone makes it up to 1.5
// times slower.
const (
	orderMargin = 1.1 // what estimates have to promise

	quickest      = 0.5 // of the latency in the table
	orderOverhead = 1.0 // cycles per iteration of taking lanes apart, beyond what operations cost

	orderStart = 6.0  // cycles of a call until there is something to add
	orderClose = 1.25 // gains below that want twice the iterations

	// Instructions per cycle of such loops, with those below: of one addition per
	// iteration in bad places, since in good ones the loop and the kernel take the same
	// time, of more in good ones.
	oneIssue  = 3.2
	manyIssue = 5.0

	slowShare     = 0.8 // of the throughput of divisions and roots, which nothing shortens
	convertExtra  = 3.0 // integers to floats: the register is cleared first
	extremeExtra  = 5.0 // min and max of floats: signs of zeros, NaNs
	absExtra      = 3.0 // by way of a general register
	indexedExtra  = 1.0 // an address that is computed
	branchesExtra = 3.0 // a branch on data, predicted well

	// Work under conditions from which on it counts, half: the kernel leaves so much out, too, where no lane
	// needs it.
	muchWork = 20.0
)

func (o *inOrder) chain(l *loop, lanes int) float64 {
	if o.allActive() {
		return 0
	}
	cycles := l.chainOf(o.serial, 0, false) * float64(lanes)
	if o.idles() {
		return cycles
	}
	return quickest * cycles
}

// mostActive is the number of lanes of a block for all groups that are done in loops of their own: behind the first one a
// processor looks ahead to the others, which have been waited for side by side by the loop as written.
const mostActive = 64

// activeLanes is that of blocks of so many lanes.
func (o *inOrder) activeLanes(lanes int) int {
	if o == nil {
		return 0
	}
	return lanes * len(o.groups)
}

// overhead is what taking so many lanes apart costs beyond what operations do.
func (o *inOrder) overhead(lanes int) float64 {
	cycles := activeEnd * float64(len(o.groups))
	if !o.allActive() {
		cycles += orderOverhead * float64(lanes)
	}
	return cycles
}

// idles reports whether there are iterations that leave a variable alone.
func (o *inOrder) idles() bool {
	for _, x := range o.terms {
		if x.Op == vir.OpSelect && (isNeutral(x.Args[1]) || isNeutral(x.Args[2])) {
			return true
		}
	}
	return false
}

// decides reports whether conditions follow from the variables, so that branches on them
// come again and again in the same way.
func (o *inOrder) decides() bool {
	for v := range o.values {
		if v.Type.Elem == vir.Bool {
			return true
		}
	}
	return slices.ContainsFunc(o.vars, func(phi *vir.Value) bool { return phi.Type.Elem == vir.Bool })
}

// isNeutral reports whether x is a zero or 1, which additions or multiplications leave
// alone.
func isNeutral(x *vir.Value) bool {
	bits, ok := x.IsConst()
	if !ok || !x.Type.Elem.IsFloat() {
		return false
	}
	f := floatValue(x.Type.Elem, bits)
	return f == 0 || f == 1
}

// scalarCost is the fewest cycles per iteration of the scalar loop on any data, with the
// latencies of the fastest processor.
func (o *inOrder) scalarCost(l *loop) float64 {
	n, slow := l.sureWork()
	if !o.decides() {
		n += branchesExtra * l.branches()
	}
	issue := manyIssue
	if len(o.serial.values) == 1 {
		issue = oneIssue
	}
	cost := max(n/issue, slow*slowShare)
	if !o.idles() {
		chain := l.chainOf(o.serial, 0, true)
		cost = max(cost, quickest*chain+l.chainOf(o.serial, passCycles, true)-chain)
	}
	if o.goesOn(l) && !o.decides() && !slices.ContainsFunc(l.insts, isExceptional) {
		cost += branchCycles * l.branches() // lanes wait for no more additions
	}
	return cost
}

// goesOn reports whether each iteration changes each variable, if not in the same way.
func (o *inOrder) goesOn(l *loop) bool {
	return !slices.ContainsFunc(o.vars, func(phi *vir.Value) bool { return o.changes(l.next(phi), phi) != always })
}

// isExceptional reports whether v is a choice about numbers that hardly any data have.
func isExceptional(v *vir.Value) bool { return v.Op == vir.OpSelect && exceptional(v) }

// sureWork is the number of instructions that every iteration does, whatever conditions on
// data say, and the throughput of what nothing shortens.
func (l *loop) sureWork() (n, slow float64) {
	sure := l.inAnyCase()
	var perhapsN, perhapsSlow, work float64
	for _, v := range l.insts {
		more := instructions(v) + l.orderExtra(v)
		division := 0.0
		if v.Op == vir.OpFdiv || v.Op == vir.OpFsqrt {
			division = l.throughput(v)
		}
		if sure[v] {
			n, slow = n+more, slow+division
		} else {
			perhapsN, perhapsSlow, work = perhapsN+more, perhapsSlow+division, work+l.throughput(v)
		}
	}
	if work >= muchWork {
		n, slow = n+perhapsN/2, slow+perhapsSlow/2
	}
	return n, slow
}

// orderExtra is what else the compiler needs for v. Constants of floats are loaded where
// they are needed.
func (l *loop) orderExtra(v *vir.Value) float64 {
	n := 0.0
	for _, a := range v.Args {
		if a.Op == vir.OpConst && a.Type.Elem.IsFloat() {
			n++
		}
	}
	switch {
	case v.Op == vir.OpSitof || v.Op == vir.OpUitof:
		n += convertExtra
	case v.Op == vir.OpFabs:
		n += absExtra
	case v.Op == vir.OpFmin || v.Op == vir.OpFmax:
		n += extremeExtra
	case v.Op.IsLoad() && l.dp.Access(v) != nil && l.dp.Access(v).Kind == dep.Indexed:
		n += indexedExtra
	}
	return n
}

// exceptional reports whether choice v is about numbers that hardly any data have: NaNs and infinities, what
// is beyond all that is computed with. Zeros are another matter: matrices may be full of them.
func exceptional(v *vir.Value) bool {
	return special(v.Args[0]) || isSpecial(v.Args[1]) || isSpecial(v.Args[2])
}

// special reports whether condition c hardly ever holds, or hardly ever does not.
func special(c *vir.Value) bool {
	switch c.Op {
	case vir.OpNot, vir.OpOr, vir.OpAnd:
		return !slices.ContainsFunc(c.Args, func(a *vir.Value) bool { return !special(a) })
	case vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe:
		return c.Args[0] == c.Args[1] || slices.ContainsFunc(c.Args, isSpecial)
	}
	return false
}

// farAway is in the range of all types of floats, and beyond the numbers that programs compute with.
const farAway = 1e30

// isSpecial reports whether x is NaN, an infinity, or nearly one.
func isSpecial(x *vir.Value) bool {
	bits, ok := x.IsConst()
	return ok && x.Type.Elem.IsFloat() && !(math.Abs(floatValue(x.Type.Elem, bits)) < farAway)
}

// inAnyCase are the values of the body that every iteration computes, whatever conditions
// on data say.
func (l *loop) inAnyCase() map[*vir.Value]bool {
	sure := make(map[*vir.Value]bool)
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		if sure[v] {
			return
		}
		sure[v] = true
		if v.Op == vir.OpSelect && !exceptional(v) {
			visit(v.Args[0])
			return
		}
		for _, a := range v.Args {
			visit(a)
		}
	}
	for _, v := range l.insts {
		switch {
		case v.Masked:
			visit(v.Mask())
		case v.Op.IsStore() || v.Op.IsCheck():
			visit(v)
		}
	}
	for _, phi := range l.header.Phis() {
		visit(l.next(phi))
	}
	return sure
}
