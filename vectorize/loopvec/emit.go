package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A stage is a copy of the loop at a number of lanes: repeated while a block of
// that many iterations is left, or done at most once; of a rest for fewer iterations.
type stage struct {
	lanes int
	loop  bool
	rest  bool
	part  bool // lanes are less than a register has
	// seeks is the fewest iterations of which the stage, a loop, seeks the best one: it does all that there are. 0 for
	// other stages.
	seeks int
}

// name is that of the first block of the stage.
func (s stage) name() string {
	if s.rest {
		return fmt.Sprintf("rest%d", s.lanes)
	}
	return fmt.Sprintf("vec%d", s.lanes)
}

// An emitter writes the kernel of one plan.
//
//	entry:   uniform values, addresses at the first iteration, constants in lanes;
//	         tests of what must hold in every iteration (else: none)
//	vec32:   main loop, 32 lanes
//	done32:  accumulators folded to 8 lanes
//	vec8:    loop at 8 lanes
//	done8:   accumulators folded to 4 lanes
//	vec4:    once, and so on down to vec1
//	done1:   results
//
// All stages are the same text at different lanes. A stage that cannot do a
// block (a check would fail in it) goes on with the next one, which gets closer
// to the iteration in question; so the kernel always stops right before it.
type emitter struct {
	l      *loop
	k      *plan.Kernel
	f      *vir.Func
	setup  *vir.Builder // entry, or what follows the last test in it
	none   *vir.Block   // returns 0 iterations done; nil while nobody goes there
	stages []stage

	param    map[*vir.Value]*vir.Value // of the region, by parameter of the kernel
	scalar   map[*vir.Value]*vir.Value // uniform values of the region
	exprs    map[string]*vir.Value
	powers   map[powerKey]*vir.Value
	splats   map[splatKey]*vir.Value
	products map[productKey]*vir.Value
	addrs    map[*vir.Value]address
	bases    []streamBase
	count    *vir.Value // iterations that this call may do
	zero     *vir.Value
	reds     []*reduction
	lasts    []*state                // variables whose last value is returned
	limits   map[limitKey]*vir.Value // largest good indices
	tables   map[int]*vir.Value      // by parameter
	keys     map[*vir.Value]*vir.Value
	rings    map[ringKey]*vir.Value
	phases   []phase
	asked    map[string]bool        // steps that are known to be moderate
	turns    map[turnKey]*vir.Value // of periodic values
	iterates bool                   // there is an iteration, if the entry goes on

	resumed *resumed // of a kernel that goes on where accesses have met, else nil

	need *vir.Value // fuel that each block takes, of a nest that stores midway; nil for none

	splits int // blocks into which stages are split
	fuels  []fuelConst
	state  *vir.Value  // memory of the caller that a nest keeps something in, else nil
	saved  *savedState // of a nest that can be interrupted, else nil
	looks  []lookCost
	rare   []*vir.Block       // which seldom run
	depths map[*vir.Block]int // of blocks of inner loops
}

type splatKey struct {
	v     *vir.Value
	lanes int
}

// An edge leads into a block with iterations done, accumulators and flags.
type edge struct {
	t      *vir.Value
	accs   []*vir.Value
	lasts  []*vir.Value   // scalars
	phases []*vir.Value   // subscripts that repeat
	flags  []*vir.Value   // per reduction, nil where the signs of zeros do not matter: see emitter.noFlags
	held   [][]*vir.Value // of loop.held
	fuel   *vir.Value     // of a nest, else nil
}

// emit writes the kernel for the given stages.
func (l *loop) emit(stages []stage) *plan.Kernel {
	f := vir.NewFunc(l.region.Label)
	f.Pos = l.region.Pos
	e := &emitter{
		l: l, f: f, stages: stages,
		k:        &plan.Kernel{Fn: f, Level: l.target.Name, Trip: l.trip, Bounds: l.bounds, Partial: l.partial, Timed: l.isNest()},
		param:    make(map[*vir.Value]*vir.Value),
		scalar:   make(map[*vir.Value]*vir.Value),
		exprs:    make(map[string]*vir.Value),
		powers:   make(map[powerKey]*vir.Value),
		splats:   make(map[splatKey]*vir.Value),
		products: make(map[productKey]*vir.Value),
		addrs:    make(map[*vir.Value]address),
		limits:   make(map[limitKey]*vir.Value),
		tables:   make(map[int]*vir.Value),
		keys:     make(map[*vir.Value]*vir.Value),
		rings:    make(map[ringKey]*vir.Value),
		phases:   l.phases(),
		asked:    make(map[string]bool),
		turns:    make(map[turnKey]*vir.Value),
		depths:   l.depths,
	}
	for _, s := range l.states {
		if s.red != nil {
			e.reds = append(e.reds, s.red)
		}
	}
	e.lasts = l.lastsOf()
	e.setup = vir.NewBuilder(f, f.NewBlock("entry"))
	e.setup.Pos = l.region.Pos
	e.zero = e.setup.Int(vir.Scalar(vir.I64), 0)
	e.counts()
	e.resume()
	e.untilMet()
	e.planState()
	e.preconditions()
	for _, h := range l.held {
		switch h := h.(type) {
		case *series:
			e.exactFrom(h)
		case *periodic:
			e.period(h)
		}
	}
	if len(l.dp.Splits) > 0 && e.resumed == nil {
		if l.onlyMeets() {
			e.k.Pause = 1
		}
		e.k.Partial = true
	}
	e.k.Resumes = e.resumed != nil
	e.run()
	e.handOn()
	e.sinkRare()
	e.setFuel()
	e.setLooks()
	e.outs()
	return e.k
}

// counts adds the parameters that say how many iterations there are.
func (e *emitter) counts() {
	e.count = e.f.AddParam(e.fresh("n"), vir.Scalar(vir.I64))
	e.k.Args = append(e.k.Args, plan.Arg{Kind: plan.ArgCount})
	for i, b := range e.l.bounds {
		if !b.Conditional {
			continue
		}
		p := e.f.AddParam(e.fresh(fmt.Sprintf("b%d", i)), vir.Scalar(vir.I64))
		e.k.Args = append(e.k.Args, plan.Arg{Kind: plan.ArgBound, Index: i})
		e.count = e.setup.Op(vir.OpSmin, p.Type, e.count, p)
	}
}

// fresh is a parameter name that the region does not use.
func (e *emitter) fresh(name string) string {
	for e.l.region.Fn.Param(name) != nil || e.f.Param(name) != nil {
		name += "_"
	}
	return name
}

// live is the kernel parameter for a parameter of the region.
func (e *emitter) live(p *vir.Value) *vir.Value {
	if q := e.param[p]; q != nil {
		return q
	}
	q := e.f.AddParam(e.fresh(p.Name), p.Type)
	if e.l.region.Fn.Param(p.Name) == p && e.f.Param(p.Name) == nil {
		q.Name = p.Name
	}
	q.Param = vir.ParamFacts{ElemSize: p.Param.ElemSize, Immutable: p.Param.Immutable}
	e.param[p] = q
	for i, r := range e.l.region.Fn.Params {
		if r == p {
			e.k.Args = append(e.k.Args, plan.Arg{Kind: plan.ArgParam, Index: i})
		}
	}
	e.param[p] = e.now(p, q)
	return e.param[p]
}

// preconditions tests what must hold in every iteration, and loads what is the
// same in every iteration, in the order of the body. Without iterations nothing
// may be loaded.
func (e *emitter) preconditions() {
	unchecked := false
	for _, v := range e.l.insts {
		form := checkBound
		if v.Op.IsCheck() {
			form = e.l.checkForm(v)
		}
		test := form != checkBound && form != checkLocal && form < checkLanes
		unchecked = unchecked || v.Op == vir.OpCheckIndex && form != checkBound && !test
		load := v.Op.IsLoad() && e.l.uniform(v) && e.l.used(v) && !e.l.isLocal(v)
		if !test && !load {
			continue
		}
		e.requireIteration()
		if test {
			e.precheck(v)
		} else {
			if unchecked {
				e.inside(v)
			}
			e.uniformLoad(v)
		}
	}
	e.prestores()
}

// requireIteration goes on only if there is an iteration.
func (e *emitter) requireIteration() {
	if e.iterates {
		return
	}
	e.iterates = true
	if e.count.Op != vir.OpParam {
		e.require(e.setup.Cmp(vir.OpIcmpSlt, e.zero, e.count))
	}
}

// inside goes on only if load v is of the memory that its pointer stands for: checks in front of it that are
// made in each block may be what its subscript rests on, as x[id[i]:end[k]][0] says of id[i].
func (e *emitter) inside(v *vir.Value) {
	if v.Index() == nil {
		return
	}
	size, ok := e.l.bytesOf(v.Base().Param)
	if !ok {
		size = plan.Const(0) // of nothing: no call does anything
	}
	bytes := e.expr(size)
	off := e.value(v.Index())
	off = e.setup.Op(vir.OpMul, off.Type, off, e.setup.Int(off.Type, v.Scale))
	off = e.setup.Op(vir.OpAdd, off.Type, off, e.setup.Int(off.Type, v.Disp))
	e.require(e.setup.Cmp(vir.OpIcmpUlt, off, bytes))
	end := e.setup.Op(vir.OpAdd, off.Type, off, e.setup.Int(off.Type, int64(v.Access().Size())))
	e.require(e.setup.Cmp(vir.OpIcmpUle, end, bytes))
}

func (e *emitter) uniformLoad(v *vir.Value) {
	a := v.Addr()
	a.Base = e.value(a.Base)
	if a.Index != nil {
		a.Index = e.value(a.Index)
	}
	w := e.setup.Load(vir.OpLoad, v.Type, a, nil)
	w.Name = v.Name
	e.scalar[v] = w
}

func (e *emitter) scalars(vs []*vir.Value) []*vir.Value {
	out := make([]*vir.Value, len(vs))
	for i, v := range vs {
		out[i] = e.value(v)
	}
	return out
}

// require goes on only if ok holds; otherwise nothing is done by this call.
func (e *emitter) require(ok *vir.Value) {
	next := e.f.NewBlock(fmt.Sprintf("ok%d", len(e.noneDone().Preds)))
	e.setup.Br(ok, next, e.noneDone())
	e.setup.Cur = next
}

// noneDone is the block for calls that do nothing.
func (e *emitter) noneDone() *vir.Block {
	if e.none == nil {
		e.none = &vir.Block{Name: "none", Func: e.f}
	}
	return e.none
}

// value is uniform value v of the region as a scalar of the kernel. Inductions
// stand for their first value: what is uniform does not depend on which.
func (e *emitter) value(v *vir.Value) *vir.Value {
	if w := e.scalar[v]; w != nil {
		return w
	}
	w := e.compute(v)
	e.scalar[v] = w
	return w
}

func (e *emitter) compute(v *vir.Value) *vir.Value {
	switch {
	case v.Op == vir.OpParam:
		return e.live(v)
	case v.Op == vir.OpPhi && v.Block == e.l.header:
		return e.value(v.Args[e.l.header.PredIndex(e.l.region.Fn.Entry())])
	case v.Op == vir.OpPhi:
		panic(fmt.Sprintf("%s has no value before the loop", name(v)))
	}
	return e.copyOf(v, e.scalars(v.Args))
}

// copyOf is v of the region with other operands, in the entry.
func (e *emitter) copyOf(v *vir.Value, args []*vir.Value) *vir.Value {
	w := *v
	w.Args, w.Block = args, nil
	return e.setup.Append(&w)
}

// expr is an expression of live-ins as a scalar of the kernel.
func (e *emitter) expr(x *plan.Expr) *vir.Value {
	key := x.String()
	if w := e.exprs[key]; w != nil {
		return w
	}
	w := e.computeExpr(x)
	e.exprs[key] = w
	return w
}

func (e *emitter) computeExpr(x *plan.Expr) *vir.Value {
	if x.Op == plan.ExprParam {
		return e.live(e.l.region.Fn.Params[x.Param])
	}
	return x.Emit(e.setup, e.expr)
}

// outs says how the state variables get their values after a call. Results come
// in the order of the reductions, then last values, what is held in lanes, and what
// reductions have beside their first variable.
func (e *emitter) outs() {
	lasts := 0
	for _, s := range e.l.states {
		o := plan.Out{Kind: plan.OutSame}
		switch {
		case s.red != nil:
			o.Kind = plan.OutResult
			for i, r := range e.reds {
				if r == s.red {
					o.Index = i + 1
				}
			}
		case s.last:
			o.Kind = plan.OutResult
			o.Index = 1 + len(e.reds) + lasts
			lasts++
		case s.held:
			o.Kind = plan.OutResult
			o.Index = 1 + len(e.reds) + len(e.lasts) + slices.Index(e.l.heldPhis(), s.phi)
		case slices.Contains(e.l.others(), s.phi):
			o.Kind = plan.OutResult
			o.Index = 1 + len(e.reds) + len(e.lasts) + len(e.l.heldPhis()) + slices.Index(e.l.others(), s.phi)
		case s.expr != nil:
			o.Kind, o.Expr = plan.OutExpr, s.expr
		case s.kind == scev.Main || s.kind == scev.Induction:
			a, _ := e.l.sc.Affine(s.phi)
			o.Kind = plan.OutExpr
			o.Expr = plan.Add(a.Start, plan.Mul(plan.Done(), plan.Const(a.Step)))
		}
		e.k.Outs = append(e.k.Outs, o)
	}
}
