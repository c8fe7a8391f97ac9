package loopvec

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A serial is a cycle of dependences between neighbouring iterations, which a block
// does lane by lane, with scalars:
//
//	b[i] = b[i-1] + a[i]       %b = load f32 [b + t*4 - 4]
//	                           %b0 = fadd f32 %b, extract %a, 0;  store %b0
//	                           %b1 = fadd f32 %b0, extract %a, 1; store %b1
//
// What one lane stores and the next one loads stays in a register, which scalar code
// as the compiler makes it does not do: that is most of the gain. What else the loop
// does is done in lanes before and behind it.
type serial struct {
	nodes  []*vir.Value        // accesses, in the order of the program
	values map[*vir.Value]bool // between its loads and stores
	behind []*vir.Value        // in a nest: what has to wait until all lanes are done
}

// errSerial is for cycles that cannot be done lane by lane. Nobody reads it: the reason
// for a loop that stays scalar is the cycle.
var errSerial = pass.Refuse("loopvec:Recurrence", nil, "a recurrence that lanes cannot do one after the other")

// findSerials finds the cycles that are to be done lane by lane.
func (l *loop) findSerials() error {
	l.serials = make(map[*vir.Value]*serial)
	if l.isNest() {
		return l.findNestSerials()
	}
	for _, nodes := range l.dp.Serials {
		s := &serial{nodes: nodes, values: l.between(nodes)}
		for _, v := range l.insts {
			if s.values[v] && !l.serialOperation(v) {
				return errSerial
			}
		}
		for _, v := range nodes {
			l.serials[v] = s
			if store, _ := s.passedOn(l, v); v.Op.IsLoad() && store == nil {
				return errSerial
			}
		}
	}
	return nil
}

// serialOperation reports whether v can be done on scalars in a kernel.
func (l *loop) serialOperation(v *vir.Value) bool {
	switch v.Op {
	case vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFsqrt, vir.OpFpext, vir.OpFptrunc,
		vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor:
		return !v.Type.IsVector() && v.Type.Elem != vir.Bool && l.target.LegalValue(v)
	}
	return false
}

// between are the values that are computed from loads among nodes, and that stores
// among them are computed from.
func (l *loop) between(nodes []*vir.Value) map[*vir.Value]bool {
	from := make(map[*vir.Value]bool)
	for _, v := range l.insts {
		if v.Op.IsLoad() {
			from[v] = slices.Contains(nodes, v)
			continue
		}
		from[v] = slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return from[a] })
	}
	values := make(map[*vir.Value]bool)
	var back func(v *vir.Value)
	back = func(v *vir.Value) {
		if from[v] && !v.Op.IsLoad() && !values[v] {
			values[v] = true
			for _, a := range v.Args {
				back(a)
			}
		}
	}
	for _, v := range nodes {
		if v.Op.IsStore() {
			back(v.Stored())
		}
	}
	return values
}

// serialRules refuses what does not go with cycles that are done lane by lane.
func (l *loop) serialRules() error {
	if len(l.dp.Serials) == 0 {
		return nil
	}
	switch {
	case l.isNest():
		return nil // see findNestSerials
	case l.hasLaneChecks() || len(l.held) > 0:
		return errSerial
	}
	for _, s := range l.serials {
		at := slices.Index(l.sched, s.nodes[0])
		if at < 0 || at+len(s.nodes) > len(l.sched) || !slices.Equal(l.sched[at:at+len(s.nodes)], s.nodes) {
			return errSerial
		}
	}
	return nil
}

// passedOn is the store of s whose value load v reads k iterations later; nil when it
// is not known which one that is.
func (s *serial) passedOn(l *loop, v *vir.Value) (store *vir.Value, k int) {
	if l.isNest() {
		return s.passedInside(l, v)
	}
	a := l.dp.Access(v)
	for _, w := range s.nodes {
		if !w.Op.IsStore() {
			continue
		}
		b := l.dp.Access(w)
		d, ok := scev.Diff(b.Stream.Off, a.Stream.Off)
		step := a.Stream.Step
		switch {
		case l.dp.Apart(a, b, maxLanes):
		case store != nil, !ok, a.Stream.Param != b.Stream.Param, b.Stream.Step != step, w.Stored().Type != v.Type, d%step != 0, d/step < 1, d/step > maxLanes:
			return nil, 0
		default:
			store, k = w, int(d/step)
		}
	}
	return store, k
}

// serial writes a cycle.
func (w *widener) serial(s *serial) {
	l := w.e.l
	w.flush()
	at := make(map[*vir.Value]func() vir.Addr)
	for _, v := range s.nodes {
		at[v] = w.walk(l.dp.Access(v))
	}
	for j := range w.lanes {
		for _, v := range s.nodes {
			addr := at[v]()
			if v.Op.IsStore() {
				w.b.Store(vir.OpStore, w.single(s, v.Stored(), j), addr, nil)
				continue
			}
			x := w.passed(s, v, j)
			if x == nil {
				x = w.b.Load(vir.OpLoad, v.Type, addr, nil)
			}
			w.singles[laneKey{v, j}] = x
		}
	}
	w.done(s)
}

// done makes the values of s known to lanes.
func (w *widener) done(s *serial) {
	for _, v := range w.e.l.insts {
		if s.values[v] || slices.Contains(s.nodes, v) && v.Op.IsLoad() {
			w.serialOf[v] = s
		}
	}
}

// passed is what load v of lane j reads, if a lane before has stored it.
func (w *widener) passed(s *serial, v *vir.Value, j int) *vir.Value {
	store, k := s.passedOn(w.e.l, v)
	if store == nil || j < k {
		return nil
	}
	return w.single(s, store.Stored(), j-k)
}

// single is lane j of v as a scalar, computed as such where it belongs to s.
func (w *widener) single(s *serial, v *vir.Value, j int) *vir.Value {
	key := laneKey{v, j}
	if x := w.singles[key]; x != nil {
		return x
	}
	var x *vir.Value
	switch {
	case s.values[v]:
		c := &vir.Value{Op: v.Op, Type: v.Type, Name: v.Name, Pos: v.Pos}
		for _, a := range v.Args {
			c.Args = append(c.Args, w.single(s, a, j))
		}
		x = w.b.Append(c)
	case v.Op == vir.OpConst:
		x = w.b.Const(v.Type, v.Bits[0])
	case !w.e.l.inLanes(v):
		x = w.scalar(v)
	default:
		x = w.b.Extract(w.value(v), j)
	}
	w.singles[key] = x
	return x
}

// together is v, which belongs to a cycle that has been done, in lanes.
func (w *widener) together(v *vir.Value) *vir.Value {
	s := w.serialOf[v]
	return w.lanesOf(v.Type.Elem, func(k int) *vir.Value { return w.single(s, v, k) })
}

// What memory costs between a store and a load of the same element that follows, in
// cycles of latency. Zen 5 does it nearly for nothing in general registers, unless the
// load extends what is stored.
const (
	passCycles    = 7.0
	passRegisters = 0.5
)

// inRegisters reports whether values of e pass from a store to a load without memory.
func inRegisters(e vir.Elem) bool { return e.IsInt() && e.Size() >= 4 }

// serialMargin is the gain that estimates have to promise: what is passed on in registers
// depends on the processor.
const serialMargin = 1.2

// serialChain is the cycles by which iterations follow each other where they wait for
// nothing but values of cycles, and pass from a store to the load of the same element.
func (l *loop) serialChain(pass float64) float64 {
	most := 0.0
	for _, nodes := range l.dp.Serials {
		most = max(most, l.chainOf(l.serials[nodes[0]], pass))
	}
	return most
}

// chainOf runs a few iterations of s.
func (l *loop) chainOf(s *serial, pass float64) float64 {
	const start, end = 8, 40
	done := make(map[laneKey]float64)
	var at [end]float64
	for j := range end {
		for _, v := range l.insts {
			key := laneKey{v, j}
			switch {
			case s.values[v]:
				for _, a := range v.Args {
					done[key] = max(done[key], done[laneKey{a, j}])
				}
				done[key] += l.target.CostValue(v).Latency
			case v.Op.IsLoad() && l.serials[v] == s:
				pass := pass
				if inRegisters(v.Type.Elem) {
					pass = min(pass, passRegisters)
				}
				if store, k := s.passedOn(l, v); store != nil && j >= k {
					done[key] = done[laneKey{store.Stored(), j - k}] + pass
				}
			}
			at[j] = max(at[j], done[key])
		}
	}
	return (at[end-1] - at[start]) / (end - 1 - start)
}

// inPart says in the remark that a part of the loop stays scalar.
func (l *loop) inPart() string {
	if l.order != nil {
		return l.order.describe(l)
	}
	if n := len(l.dp.Serials); n > 0 {
		return plural(n, "recurrence") + " lane by lane"
	}
	return ""
}

// distributed vectorizes what can be done in lanes beside a part that stays scalar, if
// that gains; otherwise the reason is why all of it cannot.
func distributed(u *pass.Unit, why *pass.Refusal) error {
	err := vectorized(u, true)
	var r *pass.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &r) && r.ID == "loopvec:Unprofitable":
		c := *why
		c.Msg += ", and in order lanes would gain nothing"
		c.Args = map[string]any{"legal": true}
		return &c
	}
	return why
}
