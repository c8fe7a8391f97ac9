package loopvec

import (
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// What the compiler makes of a scalar loop. Short runs are fitted to the original
// loops of the examples at lengths up to 24, each at several places in memory:
// the place alone makes a loop up to 1.5 times slower. The figures are nearer to
// good places.
const (
	scalarIssue    = 8.0  // operations per cycle in long runs: some are fused into others
	longOverlap    = 0.4  // throughputs of unlike operations overlap by that much
	shortIssue     = 10.0 // the same of short runs, of which the rest
	shortOverlap   = 0.17 // goes on beside what follows
	nestOverlap    = 0.3  // inner loops begin and end
	shortDivision  = 0.8  // of the time of float divisions, in which processors differ, and
	shortRoot      = 0.6  // of roots and integer divisions, in which they differ more
	scalarQuotient = 6    // throughput of divisions of 64 bits by constants
	shortLoop      = 0.5  // cycles for the loop itself in short runs
	branchCycles   = 1.25 // a branch on data, predicted badly one time in fifteen
	keepCycles     = 2.0  // one that decides what is kept, which is worth a loop where data vary
)

// scalarCost is cycles per iteration of the scalar loop in a long run. The
// processor overlaps iterations, so it is bound by throughput or by the chains
// between iterations.
func (l *loop) scalarCost() float64 {
	if l.u.Written != nil {
		return l.u.Written.Long
	}
	if l.order != nil && !l.isNest() {
		return max(l.order.scalarCost(l), l.serialChain(passCycles, true))
	}
	total, n := l.scalarWork()
	cost := writtenLong(total, n) + l.branchCost() + farScalar*l.farAccesses()
	cost = max(cost, l.chains(false), l.updateChain())
	for _, s := range l.states {
		if s.red != nil {
			cost = max(cost, l.scalarChain(s.red))
		}
	}
	for _, s := range l.scans {
		cost = max(cost, s.by.wait())
	}
	switch {
	case l.isNest():
	case l.handsOnSometimes():
		n, slow := l.sureWork()
		if l.countsActive() {
			n += l.someWork()
		}
		cost = max(n/manyIssue, slow*slowShare, l.serialChain(passCycles, true))
	default:
		cost = max(cost, l.serialChain(passCycles, true), l.follow)
	}
	return cost
}

// writtenLong and writtenShort are cycles per iteration of scalarWork.
func writtenLong(total, n float64) float64 { return max(total*longOverlap, (n+2)/scalarIssue, 1) }

func writtenShort(total, n float64) float64 { return shortLoop + max(total*shortOverlap, n/shortIssue) }

// scalarShort is cycles per iteration in a short run. Chains are left out: they
// overlap with the code around the loop. Branches on data count as if
// all were predicted.
func (l *loop) scalarShort() float64 {
	if l.u.Written != nil {
		return l.u.Written.Short
	}
	total, n := l.scalarWork()
	total += l.underMasks()
	if l.isNest() {
		return max(total*nestOverlap, shortLoop+n/shortIssue)
	}
	return max(writtenShort(total, n), l.scalarDivisions())
}

// scalarDivisions is the time of the divisions and roots of an iteration on a processor that is good
// at them, one after the other, beside which the rest goes on. It is 0 where there are branches, which
// may leave them out.
func (l *loop) scalarDivisions() float64 {
	total := 0.0
	if l.branches() > 0 {
		return total
	}
	for _, v := range slices.Concat(l.insts, l.u.Divisions) {
		switch {
		case !edit.Divides(v.Op) && v.Op != vir.OpFdiv && v.Op != vir.OpFsqrt:
		case l.order != nil: // threshold allows for how processors differ
			total += slowShare * l.throughput(v)
		case v.Op == vir.OpFdiv:
			total += shortDivision * l.throughput(v)
		default:
			total += shortRoot * l.throughput(v)
		}
	}
	return total
}

// scalarWork is the throughput that an iteration of the scalar loop takes, one
// operation after the other, and the number of instructions.
func (l *loop) scalarWork() (total, n float64) {
	often := l.often()
	for _, v := range l.insts {
		if l.isStrip(v.Block) || l.widens(v) {
			continue // the rest of a strip is the loop as it was, which has variables as wide as they are wanted
		}
		weight := innerWeight(l.depth(v.Block))
		if v.Masked {
			weight *= l.reach(v.Mask())
		} else if share, ok := often[v]; ok {
			weight *= share
		}
		total += weight * l.throughput(v)
		n += weight * instructions(v)
	}
	for _, v := range l.u.Divisions {
		total += l.throughput(v)
		n += instructions(v)
	}
	return total, n
}

// underMasks is what accesses under masks take in short runs of the scalar loop besides what
// they are: in those the branches around them are predicted worse.
func (l *loop) underMasks() (total float64) {
	for _, v := range l.insts {
		if v.Masked && !l.isStrip(v.Block) {
			more := l.target.CostValue(v).Throughput - l.target.CostValue(unmasked(v)).Throughput
			total += innerWeight(l.depth(v.Block)) * l.reach(v.Mask()) * more
		}
	}
	return total
}

// unmasked is v as if it had no mask.
func unmasked(v *vir.Value) *vir.Value {
	w := *v
	w.Masked = false
	return &w
}

// throughput is what v takes in the scalar loop, where a mask is a branch.
func (l *loop) throughput(v *vir.Value) float64 {
	t := l.target.CostValue(unmasked(v)).Throughput
	switch {
	case vir.OpTrunc <= v.Op && v.Op <= vir.OpFptrunc:
		t = min(t, 0.5) // the table knows what lanes cost
	case byPower(v):
		t = instructions(v) / 2 // shifts, which wait for each other
	case edit.Divides(v.Op) && v.Type.Elem == vir.I64 && v.Args[1].Op == vir.OpConst:
		t = min(t, scalarQuotient) // the high half of a product is one instruction
	}
	return t
}

// byPower reports whether v is a division of integers by a power of two.
func byPower(v *vir.Value) bool {
	if !edit.Divides(v.Op) {
		return false
	}
	c, ok := v.Args[1].ConstInt()
	return ok && c > 0 && c&(c-1) == 0
}

// shifts is how many instructions the compiler makes of a division by a power of two.
func shifts(v *vir.Value) float64 {
	switch v.Op {
	case vir.OpSdiv:
		return 4
	case vir.OpSrem:
		return 6
	}
	return 1
}

// instructions is how many instructions scalar v takes.
func instructions(v *vir.Value) float64 {
	switch {
	case v.Op == vir.OpConst || v.Op == vir.OpIter || v.Op == vir.OpLeast:
		return 0
	case v.Op.IsCheck():
		return 0.6 // compare and branch are one operation
	case byPower(v):
		return shifts(v)
	case vir.OpSmin <= v.Op && v.Op <= vir.OpUmax:
		return 2 // compare and move
	case v.Op == vir.OpPopcnt && v.Type.Elem != vir.I8:
		return 2.5 // behind a test whether the CPU has it; bytes look it up
	case vir.OpFfloor <= v.Op && v.Op <= vir.OpFrint:
		return 8 + throughFloat64(v) // the same, and what a call would leave where it is
	case v.Op == vir.OpFcopysign:
		return 6 + throughFloat64(v) // in general registers
	case v.Op == vir.OpFabs:
		return 1 + throughFloat64(v)
	case v.Op == vir.OpFmin:
		return 5
	case v.Op == vir.OpFmax:
		return 7
	}
	return 1
}

// throughFloat64 is how many instructions convert to float64 and back for v, a function
// that package math has for float64 alone.
func throughFloat64(v *vir.Value) float64 {
	if v.Type.Elem == vir.F32 {
		return 4
	}
	return 0
}

// branchCost is the cycles of an iteration of the scalar loop for branches that are predicted badly.
func (l *loop) branchCost() float64 {
	if slices.ContainsFunc(l.dp.Accesses, l.keeps) {
		return keepCycles * l.branches()
	}
	return branchCycles * l.branches()
}

// keeps reports whether a stores side by side what a condition keeps.
func (l *loop) keeps(a dep.Access) bool {
	if !a.Store || a.Index == nil {
		return false
	}
	_, ok := l.sc.Counted(a.Index)
	return ok
}

// branches is the number of conditions on data that the compiled scalar loop
// branches on, those behind others by how often it gets to them. The Go compiler makes
// conditional moves only of integers of two bytes or more; other choices, and what happens
// under a mask, stay branches.
func (l *loop) branches() (n float64) {
	conds := make(map[*vir.Value]bool)
	count := func(c *vir.Value, often float64) {
		if c != nil && !conds[positive(c)] {
			conds[positive(c)] = true
			n += often
		}
	}
	for _, v := range l.insts {
		switch {
		case v.Masked:
			if c := l.asWritten(v.Mask()); c != nil {
				count(c, l.reach(c))
			}
		case v.Op == vir.OpSelect && !movable(v.Type.Elem):
			if c := l.asWritten(v.Args[0]); c != nil {
				count(c, l.reach(c))
			}
		case vir.OpSmin <= v.Op && v.Op <= vir.OpUmax && !movable(v.Type.Elem):
			count(v, 1)
		}
	}
	return n + l.innerBranches()
}

// innerBranches is the number of conditions by which loops inside choose several variables that they carry,
// as a binary search does: the compiler branches, and branches that have learned little.
func (l *loop) innerBranches() (n float64) {
	chosen := make(map[*vir.Block]int)
	for _, v := range l.insts {
		if v.Op != vir.OpPhi || !movable(v.Type.Elem) || l.depth(v.Block) == 0 {
			continue
		}
		if slices.ContainsFunc(v.Args, func(x *vir.Value) bool { return x.Op == vir.OpSelect }) {
			if chosen[v.Block]++; chosen[v.Block] == 2 {
				n += innerWeight(l.depth(v.Block))
			}
		}
	}
	return n
}

// reach is how often the scalar loop gets to the last of the conditions that mask m is made of: each one
// holds every other time. In nests they tell how long loops run.
func (l *loop) reach(m *vir.Value) float64 {
	often := 1.0
	if l.isNest() {
		return often
	}
	for m = positive(m); m.Op == vir.OpAnd && often > 1.0/256; m = positive(m) {
		often /= 2
		if m.Args[0].Op == vir.OpAnd || m.Args[1].Op != vir.OpAnd {
			m = m.Args[0]
		} else {
			m = m.Args[1]
		}
	}
	return often
}

// positive is c without negations: both ways of one branch.
func positive(c *vir.Value) *vir.Value {
	for c.Op == vir.OpNot {
		c = c.Args[0]
	}
	return c
}

// movable reports whether there is a conditional move of e.
func movable(e vir.Elem) bool { return e != vir.Bool && e != vir.I8 && !e.IsFloat() }

func (l *loop) scalarChain(r *reduction) float64 {
	t := vir.Scalar(r.phi.Type.Elem)
	if r.op == vir.OpSelect {
		return 1.5 // a predicted branch, mostly
	}
	chain := l.target.Cost(r.op, t).Latency
	if r.line != nil {
		chain += l.scalarMultiply(r.line, t)
	}
	return chain
}

// scalarMultiply is how long multiplying a variable takes: compilers shift where they
// can, and subtract in place of multiplying by -1.
func (l *loop) scalarMultiply(x *line, t vir.Type) float64 {
	switch {
	case x.by == nil && x.mul == ^uint64(0)>>(64-t.Elem.Bits()):
		return 0
	case x.by == nil && bits.OnesCount64(x.mul) == 1:
		return l.target.Cost(vir.OpShl, t).Latency
	}
	return l.target.Cost(vir.OpMul, t).Latency
}
