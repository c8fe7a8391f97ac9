package loopvec

import (
	"errors"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// What memory costs between a store and a load of the same element that follows, in
// cycles of latency. Zen 5 does it nearly for nothing in general registers, unless the
// load extends what is stored.
const (
	passCycles    = 7.0
	passRegisters = 0.5
	failCycles    = 15.0 // when two stores have parts of what is loaded
)

// inRegisters reports whether values of e pass from a store to a load without memory.
func inRegisters(e vir.Elem) bool { return e.IsInt() && e.Size() >= 4 }

// passOf is pass for values of e.
func passOf(e vir.Elem, pass float64) float64 {
	if inRegisters(e) {
		return min(pass, passRegisters)
	}
	return pass
}

// passing is what iterations of the loop as written wait because they hand values on through
// memory. A kernel does that in registers; what they wait for besides, it waits for as well.
func (l *loop) passing() float64 {
	if l.isNest() || l.handsOnSometimes() {
		return 0
	}
	all := l.eachSerial()
	if l.order != nil && !l.order.idles() {
		all = append(all, l.order.serial)
	}
	most := 0.0
	for _, s := range all {
		most = max(most, l.chainOf(s, passCycles, true)-l.chainOf(s, 0, true))
	}
	return most
}

// handsOnSometimes reports whether a cycle has conditions: lanes wait for it in any case, the
// loop as written where they hold.
func (l *loop) handsOnSometimes() bool {
	for _, s := range l.eachSerial() {
		if slices.ContainsFunc(s.nodes, func(v *vir.Value) bool { return v.Masked }) {
			return true
		}
		for v := range s.values {
			if v.Op == vir.OpSelect && !movable(v.Type.Elem) {
				return true
			}
		}
	}
	return false
}

// passOf is pass for a variable that the loop as written has in memory, else 0.
func (l *loop) passOf(phi *vir.Value, pass float64) float64 {
	if i := slices.Index(l.header.Phis(), phi); i < 0 || !l.region.State[i].Stored {
		return 0
	}
	return passOf(phi.Type.Elem, pass)
}

// serialMargin is the gain that estimates have to promise: what is passed on in registers
// depends on the processor.
const serialMargin = 1.2

// A timing estimates the cycles by which iterations follow each other where they wait for
// nothing but values of a cycle.
type timing struct {
	l    *loop
	s    *serial
	pass float64 // from a store to the load of the same element
	// Compiled code branches on conditions, so that only the arm that is taken counts,
	// which may be the shorter one whenever it is asked.
	branches bool
	// Of so many iterations that run side by side; 1 where they run one after the other.
	lanes int
	// Blocks of so many, which a kernel does one after the other.
	block int
	done  map[laneKey]float64
}

// serialChain is the largest one of all cycles.
func (l *loop) serialChain(pass float64, branches bool) float64 {
	most := 0.0
	for _, s := range l.eachSerial() {
		most = max(most, l.chainOf(s, pass, branches))
	}
	return most
}

// chain is that of the variables of s, as one of loop.held.
func (s *serial) chain(l *loop, lanes int) float64 {
	return l.chainOf(s, 0, false) * float64(lanes)
}

func (l *loop) chainOf(s *serial, pass float64, branches bool) float64 {
	c := &timing{l: l, s: s, pass: pass, branches: branches, lanes: 1}
	return c.perIteration()
}

// perIteration runs a few iterations.
func (c *timing) perIteration() float64 {
	s, start, end := c.s, 8*c.lanes, 40*c.lanes
	c.done = make(map[laneKey]float64)
	at := func(j int) (most float64) {
		for v := range s.values {
			most = max(most, c.of(v, j))
		}
		for _, v := range s.nodes {
			if v.Op.IsLoad() {
				most = max(most, c.of(v, j))
			}
		}
		for _, phi := range s.vars {
			most = max(most, c.of(phi, j))
		}
		return most
	}
	var first, last float64
	for j := range end {
		last = at(j)
		if j == start {
			first = last
		}
	}
	return (last - first) / float64(end-1-start)
}

// of is when v of iteration j is known.
func (c *timing) of(v *vir.Value, j int) float64 {
	if c.l.members[v] != c.s {
		return 0
	}
	key := laneKey{v, j}
	t, ok := c.done[key]
	if !ok {
		// Under conditions that exclude each other, lanes that are loaded together seem to
		// wait for themselves. They do not.
		c.done[key] = 0
		t = c.find(v, j)
		c.done[key] = t
	}
	return t
}

func (c *timing) find(v *vir.Value, j int) float64 {
	switch {
	case v.Op == vir.OpPhi && j == 0:
		return 0
	case v.Op == vir.OpPhi:
		return c.of(c.l.next(v), j-1) + c.l.passOf(v, c.pass)
	case v.Op.IsLoad() && c.lanes > 1:
		return c.straddled(v, j)
	case v.Op.IsLoad():
		return c.loaded(v, j)
	case c.branches && calledMinMax(v):
		return c.of(v.Args[2], j) + calledCycles
	case v.Op == vir.OpSelect && c.branches && !movable(v.Type.Elem):
		return min(c.of(v.Args[1], j), c.of(v.Args[2], j))
	}
	t := 0.0
	for _, a := range v.Args {
		t = max(t, c.of(a, j))
	}
	return t + c.latency(v)
}

// loaded is when load v of iteration j has what was stored.
func (c *timing) loaded(v *vir.Value, j int) float64 {
	if c.s.byIndex(c.l) {
		return 0 // another element, most often
	}
	pass := passOf(v.Type.Elem, c.pass)
	sources, _ := c.s.sources(c.l, v)
	t := 0.0
	for _, p := range sources {
		switch {
		case p.k > j:
			return t
		case !p.store.Masked:
			return max(t, c.of(p.store.Stored(), j-p.k)+pass)
		case c.branches:
			return 0 // nothing may have been stored for long
		}
		t = max(t, c.of(p.store.Stored(), j-p.k), c.of(p.store.Mask(), j-p.k)) + c.choice(v)
	}
	return t
}

// straddled is when the lanes of load v are known that iteration j belongs to. They wait
// for the last one of those stored, and longer where two stores have some each.
func (c *timing) straddled(v *vir.Value, j int) float64 {
	if c.s.byIndex(c.l) {
		return 0
	}
	t, first := 0.0, j-j%c.lanes
	sources, _ := c.s.sources(c.l, v)
	for _, p := range sources {
		pass := passCycles
		switch {
		case p.k == c.block && c.l.hands(v, c.block):
			pass = 0
		case p.k%c.lanes != 0:
			pass = failCycles
		}
		for i := range c.lanes {
			if first+i >= p.k {
				t = max(t, c.of(p.store.Stored(), first+i-p.k)+pass)
			}
		}
	}
	return t
}

// choice is the latency of a choice of values such as v.
func (c *timing) choice(v *vir.Value) float64 {
	if v.Type.Elem.IsFloat() {
		return c.l.target.Cost(vir.OpBlend, vir.Vec(v.Type.Elem, 1)).Latency
	}
	return 1
}

// The latency of min or max of floats as the compiler does it, and how much more that of package math takes, a call with
// operands in memory.
const (
	compiledMinMax = 10
	calledCycles   = 12
)

// calledMinMax reports whether v is math.Min or math.Max as the frontend makes it: an infinity wins.
func calledMinMax(v *vir.Value) bool {
	if v.Op != vir.OpSelect || v.Args[1].Op != vir.OpConst || v.Args[2].Op != vir.OpFmin && v.Args[2].Op != vir.OpFmax {
		return false
	}
	x := v.Args[1].Bits[0]
	if v.Type.Elem == vir.F32 {
		return math.IsInf(float64(math.Float32frombits(uint32(x))), 0)
	}
	return math.IsInf(math.Float64frombits(x), 0)
}

func (c *timing) latency(v *vir.Value) float64 {
	switch {
	case v.Op == vir.OpSelect && !c.branches:
		return c.choice(v)
	case c.branches && (v.Op == vir.OpFmin || v.Op == vir.OpFmax):
		return compiledMinMax
	case c.lanes == 1 && v.Type.Elem.IsInt():
		if t, ok := inGeneralRegister(v); ok {
			return t
		}
	}
	t := c.l.target.CostValue(v).Latency
	if c.lanes > 1 {
		t = max(t, c.l.target.Cost(v.Op, vir.Vec(v.Type.Elem, c.lanes)).Latency)
	}
	return t
}

// inGeneralRegister is the latency of operations on integers that are quicker there than in lanes, where iterations are done one after the other.
func inGeneralRegister(v *vir.Value) (latency float64, ok bool) {
	switch v.Op {
	case vir.OpTrunc:
		return 0, true
	case vir.OpZext, vir.OpSext:
		return 1, true
	case vir.OpShl, vir.OpLshr, vir.OpAshr:
		_, ok = v.Args[1].ConstInt()
		return 1, ok
	}
	return 0, false
}

// serialMin is the least number of iterations of loops with cycles through memory: runs
// that do not wait for it, but start before it has what they load, are over before
// lanes gain.
func (l *loop) serialMin(c *candidate) int64 {
	if len(l.serials) > 0 && !l.isNest() && l.serialChain(passCycles, true) < waitsLong {
		return int64(max(24, c.vf+c.vf/2))
	}
	return 0
}

// waitsLong is the cycles per iteration from which on few iterations wait, too.
const waitsLong = 6

// shortCycles adds to plans without lanes one by one what waiting for memory costs them
// where iterations at a small distance need each other. It returns the loop with the
// cycles done lane by lane, and its plans, if that or the scalar loop is better.
func (l *loop) shortCycles(u *pass.Unit, plans []*candidate) (*loop, []*candidate) {
	if l.distribute || l.isNest() || l.dp.MaxLanes == 0 || l.dp.MaxLanes >= shortDistance {
		return l, plans
	}
	l2, err := analyze(u, true)
	if err != nil || len(l2.serials) == 0 {
		return l, plans
	}
	for _, p := range plans {
		for _, s := range l2.eachSerial() {
			c := &timing{l: l2, s: s, lanes: p.vf, block: p.vf * p.uf}
			p.cost = max(p.cost, c.perIteration())
		}
	}
	l.follow = l2.serialChain(passCycles, true)
	more, err := l2.candidates()
	if cost := cheapest(plans).cost; err != nil || cost <= serialMargin*cheapest(more).cost && cost < l2.scalarCost() {
		return l, plans
	}
	l2.short = l.dp.Limit
	return l2, more
}

// shortDistance is the distance from which on iterations that need each other do not wait
// for memory.
const shortDistance = 64

// distributed vectorizes what can be done in lanes beside a part that stays scalar, if
// that gains; otherwise the reason is why all of it cannot.
func distributed(u *pass.Unit, why *pass.Refusal) error {
	err := vectorized(u, true)
	var r *pass.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &r) && r.ID == "loopvec:Unprofitable":
		return gainless(why)
	}
	return why
}

// gainless is the reason of a part that may stay scalar beside lanes, to no good.
func gainless(why *pass.Refusal) error {
	if why.Args["legal"] == true {
		return why // said already
	}
	c := *why
	c.Msg += ", and in order lanes would gain nothing"
	c.Args = map[string]any{"legal": true}
	return &c
}
