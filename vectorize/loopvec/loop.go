package loopvec

import (
	"errors"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vectorize/sva"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A loop is what is known of a region before a plan is made: that it is legal,
// and what a caller must see to for it to stay so.
type loop struct {
	u      *pass.Unit
	region *plan.Region
	target *target.Target
	header *vir.Block
	blocks []*vir.Block           // the body: one block, or those of a nest
	insts  []*vir.Value           // of all of them
	nest   *nest                  // nil without inner loops
	depths map[*vir.Block]int     // of blocks of kernels, in inner loops
	shares map[*vir.Block]float64 // of the turns of these loops in which they run, where not in all
	halves map[*vir.Value]float64 // see often
	sc     *scev.Info
	sl     *slev.Result
	nat    *sva.Result
	dp     *dep.Result
	moves  map[[2]*dep.Access]bool // what movable found out

	trip      plan.Trip
	bounds    []plan.Bound // each once
	states    []state
	held      []held
	alone     map[*vir.Value]bool      // recurrences that are reductions after all
	holder    map[*vir.Value]held      // by header phi
	carries   map[*vir.Value]*carry    // by header phi
	series    map[*vir.Value]*series   // by the values that follow from them alone
	periodics map[*vir.Value]*periodic // as well
	order     *inOrder                 // nil for none
	scans     map[*vir.Value]*carry    // by the value behind an iteration
	partial   bool                     // a call may stop early

	distribute bool          // parts of the loop may stay scalar
	short      *scev.Refusal // what limits the lanes of a plan that has all of it in lanes; else nil
	follow     float64       // cycles by which iterations as written follow each other through memory, where lanes do not wait for that one by one

	sched     []*vir.Value           // accesses and checks in lanes, in the order in which a block makes them
	serials   map[*vir.Value]*serial // by access
	waiting   map[*vir.Value]bool    // what waits for cycles in nests
	members   map[*vir.Value]*serial // by value, load or variable
	groups    map[*vir.Value]*group  // accesses that are made together
	sought    *choice                // see seeks
	groupList []*group

	ranges *ranges.Info
	forms  map[*vir.Value]checkForm

	reordered bool                // the kernel computes in the order of memory
	blends    map[*vir.Value]bool // stores under a mask that may write all lanes (exclusive)
	covered   map[*vir.Value]bool // those at a stride that may, by bounds; their groups decide
	demand    map[*vir.Value]bool // values the vector program computes lane by lane
	spread    map[*vir.Value]bool // those whose steps are known but not their start: scalar by nature, needed in lanes
	wanted    map[*vir.Value]bool // uniform values it needs
	cuts      map[*vir.Value]*cut // comparisons that hold for the first lanes or for the last ones
}

// state is what becomes of a variable that the loop carries.
type state struct {
	phi   *vir.Value
	next  *vir.Value
	kind  scev.PhiKind
	red   *reduction // of a Reduction that somebody reads
	held  bool       // one of loop.held
	last  bool       // set anew in each iteration; the kernel returns the last value
	expr  *plan.Expr // the same, when it follows from the iterations done
	moves bool       // by what is known before the loop, each time
	count *counter   // of a counter, whose value is returned
}

// analyze decides whether the region may be vectorized at all.
func analyze(u *pass.Unit, distribute bool) (*loop, error) {
	l, err := analyzeAs(u, distribute, u.Whole)
	if err == nil && u.Whole && len(l.dp.Splits) > 0 && !l.resumes() {
		return analyzeAs(u, distribute, false)
	}
	return l, err
}

// analyzeAs does, with resumes for kernels that go on in the same call where accesses have met.
func analyzeAs(u *pass.Unit, distribute, resumes bool) (*loop, error) {
	r := u.Region
	l := newLoop(u, scev.New(r))
	l.distribute = distribute
	l.ranges, l.forms = ranges.New(), make(map[*vir.Value]checkForm)
	l.sl = slev.Joint(r, l.sc)
	dropIdleChoices(r.Fn, l.sl)
	l.dp = dep.Analyze(r, l.sc, dep.Options{Whole: u.Whole || l.isNest(), Resumes: resumes, Distribute: distribute, Kept: u.Kept})
	l.nat = sva.Analyze(r, l.sc, l.sl, sva.Options{Walks: l.walks})
	if errs := l.nat.Check(); errs != nil {
		panic(errors.Join(errs...))
	}
	for _, step := range []func() error{l.count, l.memory, l.findSerials, l.classify, l.turnRules, l.countedAccesses, l.checks, l.nestRules, l.rowRules, l.findDemand, l.dropIdle, l.operations, l.schedule, l.serialRules} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// dropIdleChoices puts what selects are in any case in their place: they have the shape of that, and
// conditions of another one.
func dropIdleChoices(f *vir.Func, sl *slev.Result) {
	instead := make(edit.Replaced)
	for v := range f.Values {
		if v.Op == vir.OpSelect {
			instead[v] = sl.Chosen(v)
		}
	}
	for v := range f.Values {
		for i, a := range v.Args {
			v.Args[i] = instead.Now(a)
		}
	}
}

// newLoop is the loop of u as far as nothing has been found out about it.
func newLoop(u *pass.Unit, sc *scev.Info) *loop {
	r := u.Region
	l := &loop{
		u: u, region: r, target: u.Target, sc: sc,
		header: r.Fn.Blocks[1], blocks: r.Fn.Blocks[2 : len(r.Fn.Blocks)-2],
	}
	for _, b := range l.blocks {
		l.insts = append(l.insts, b.Insts...)
	}
	l.nest, l.depths = l.newNest(), make(map[*vir.Block]int)
	l.shares = make(map[*vir.Block]float64)
	return l
}

// walks reports whether access v is done from the address of its first lane.
func (l *loop) walks(v *vir.Value) bool {
	a := l.dp.Access(v)
	return a != nil && (a.Kind == dep.Linear || a.Kind == dep.Symbolic)
}

// refusal makes the refusals of analyses ours.
func refusal(err error) error {
	var r *scev.Refusal
	if errors.As(err, &r) {
		return &pass.Refusal{ID: r.ID, Pos: r.Pos, Msg: r.Msg}
	}
	return err
}

func (l *loop) count() error {
	trip, bounds, err := l.sc.Trip()
	if err != nil {
		return refusal(err)
	}
	l.trip = trip
	l.addBounds(bounds)
	l.addBounds(l.u.Bounds)
	return nil
}

// addBounds adds bounds that are not there yet.
func (l *loop) addBounds(bounds []plan.Bound) {
	for _, b := range bounds {
		l.addBound(b)
	}
}

// addBound adds b, unless it is there.
func (l *loop) addBound(b plan.Bound) { l.bounds = l.sc.Add(l.bounds, b) }

// next is the value of phi in the next iteration.
func (l *loop) next(phi *vir.Value) *vir.Value {
	return phi.Args[1-l.header.PredIndex(l.region.Fn.Entry())]
}

// classify decides what every state variable is.
func (l *loop) classify() error {
	if err := l.hold(); err != nil {
		return err
	}
	for i, phi := range l.header.Phis() {
		s := state{phi: phi, next: l.next(phi), kind: l.sc.Phi(phi)}
		live := l.region.State[i].Live
		if l.holder[phi] != nil {
			s.held = true
			l.states = append(l.states, s)
			continue
		}
		if l.alone[phi] {
			// Dead or not, whether the scalar code panics may follow from it.
			s.kind, live = scev.Reduction, true
		}
		switch s.kind {
		case scev.Recurrence:
			if !l.counted(&s) {
				return l.recurrence(s)
			}
		case scev.Reduction:
			if !live {
				break
			}
			red, err := l.findReduction(phi, s.next)
			if err != nil {
				return err
			}
			s.red = red
		case scev.Anew:
			if live {
				l.lastValue(&s)
			}
		}
		l.states = append(l.states, s)
	}
	return nil
}

func (l *loop) recurrence(s state) error {
	if l.takesNaN(s) {
		return pass.Refuse("loopvec:Recurrence", s.next, "each iteration needs the value that %s got in the one before: a NaN would replace it", name(s.phi))
	}
	return pass.Refuse("loopvec:Recurrence", s.next, "each iteration needs the value that %s got in the one before", name(s.phi))
}

// name is how a remark calls a value: the Go name where there is one.
func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	return "a value"
}

// uniform reports whether v is the same in all iterations of a call. Lanes that
// are equal in a block of every start are equal in all iterations.
func (l *loop) uniform(v *vir.Value) bool { return l.sl.IsUniform(v) || v.Op == vir.OpParam }

// inLanes reports whether the vector program computes v lane by lane. What it
// does not is uniform where it is needed in lanes, and broadcast there.
func (l *loop) inLanes(v *vir.Value) bool { return l.nat.Inst(v).Has(sva.Vector) || l.spread[v] }

// ramp reports whether the lanes of v are a first value plus a constant step:
// inductions, also cut to a narrower type or extended where that cannot wrap.
// Arithmetic on them is done in lanes like any other.
func (l *loop) ramp(v *vir.Value) bool {
	switch v.Op {
	case vir.OpPhi:
		k := l.sc.Phi(v)
		return v.Block == l.header && (k == scev.Main || k == scev.Induction)
	case vir.OpTrunc, vir.OpZext, vir.OpSext:
		a, ok := l.sc.Affine(v)
		return ok && len(a.Wrap) == 0 && l.ramp(v.Args[0])
	}
	return false
}
