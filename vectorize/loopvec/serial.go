package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A serial is a cycle of values that neighbouring iterations hand to each other, through
// memory or through variables, which a block does lane by lane, with scalars:
//
//	b[i] = b[i-1] + a[i]       %b = load f32 [%b + t*4 - 4]
//	                           %b0 = fadd f32 %b, extract %a, 0;  store %b0
//	                           %b1 = fadd f32 %b0, extract %a, 1; store %b1
//
//	s = s*k + a[i]             %s0 = fadd f32 (fmul %s, %k), extract %a, 0
//	                           %s1 = fadd f32 (fmul %s0, %k), extract %a, 1
//
// What one lane stores and another one loads stays in a register, which scalar code
// as the compiler makes it does not do: that is most of the gain. What else the loop
// does is done in lanes before and behind it.
//
// A cycle is a strongly connected part of the graph of values and accesses. dep finds
// those with accesses, as it decides about the order; here the values in between and the
// variables are added. Variables are kept as scalars from block to block, as one of the
// kinds of loop.held.
type serial struct {
	nodes  []*vir.Value        // accesses, in the order of the program
	vars   []*vir.Value        // variables
	values map[*vir.Value]bool // what is computed
	slot   int                 // of the variables in loop.held
	behind []*vir.Value        // in a nest: what has to wait until all lanes are done
	alone  map[*vir.Value]bool // of a cycle by index: what nothing in lanes needs
}

// errSerial is for cycles that cannot be done lane by lane. Nobody reads it: the reason
// for a loop that stays scalar is the cycle.
var errSerial = pass.Refuse("loopvec:Recurrence", nil, "a recurrence that lanes cannot do one after the other")

// findSerials finds the cycles with accesses. Those of variables alone come later: many
// variables are kept in lanes, see inorder.go.
func (l *loop) findSerials() error {
	l.serials, l.members = make(map[*vir.Value]*serial), make(map[*vir.Value]*serial)
	l.held, l.holder = nil, make(map[*vir.Value]held)
	switch {
	case l.isNest():
		return l.findNestSerials()
	case !l.distribute:
		return nil
	}
	for _, part := range l.connected() {
		s := newSerial(part)
		if s.byIndex(l) {
			s.alone = s.onlyInside(l)
		}
		switch {
		case len(s.nodes) == 0:
			continue
		case !slices.ContainsFunc(l.dp.Serials, func(nodes []*vir.Value) bool { return slices.Equal(nodes, s.nodes) }) || !l.maySerialize(s):
			return errSerial
		default:
			l.addSerial(s)
		}
	}
	return nil
}

func newSerial(part []*vir.Value) *serial {
	s := &serial{values: make(map[*vir.Value]bool)}
	for _, v := range part {
		switch {
		case v.Op.IsLoad(), v.Op.IsStore():
			s.nodes = append(s.nodes, v)
		case v.Op == vir.OpPhi:
			s.vars = append(s.vars, v)
		default:
			s.values[v] = true
		}
	}
	return s
}

// connected are the strongly connected parts of more than one value, variables and
// values in the order of the program.
func (l *loop) connected() [][]*vir.Value {
	all := slices.DeleteFunc(slices.Clone(l.header.Phis()), func(phi *vir.Value) bool {
		k := l.sc.Phi(phi)
		return k != scev.Recurrence && k != scev.Reduction
	})
	all = append(all, l.insts...)
	at := make(map[*vir.Value]int)
	var numbers []int
	for i, v := range all {
		at[v] = i
		numbers = append(numbers, i)
	}
	last := make(map[*vir.Value]*vir.Value) // of the access before in a cycle of dep
	for _, nodes := range l.dp.Serials {
		for i, v := range nodes {
			last[v] = nodes[(i+len(nodes)-1)%len(nodes)]
		}
	}
	from := func(i int) (out []int) {
		v := all[i]
		args := v.Args
		if v.Op == vir.OpPhi {
			args = []*vir.Value{l.next(v)}
		}
		for _, a := range append(slices.Clone(args), last[v]) {
			if k, ok := at[a]; ok && a != v {
				out = append(out, k)
			}
		}
		return out
	}
	var parts [][]*vir.Value
	for _, p := range loops.Components(numbers, from) {
		if len(p) == 1 {
			continue
		}
		var part []*vir.Value
		for _, i := range p {
			part = append(part, all[i])
		}
		parts = append(parts, part)
	}
	return parts
}

// addSerial takes a cycle to be done lane by lane.
func (l *loop) addSerial(s *serial) {
	for _, v := range s.nodes {
		l.serials[v] = s
		if v.Op.IsLoad() {
			l.members[v] = s
		}
	}
	for v := range s.values {
		l.members[v] = s
	}
	for _, phi := range s.vars {
		l.members[phi] = s
	}
	s.slot = len(l.held)
	if len(s.vars) > 0 {
		l.addHeld(s)
	}
}

// maySerialize reports whether all operations of s can be done on scalars, and its
// accesses lane after lane.
func (l *loop) maySerialize(s *serial) bool {
	for v := range s.values {
		if !l.serialOperation(v) {
			return false
		}
	}
	for _, phi := range s.vars {
		if phi.Type.Elem == vir.Ptr {
			return false
		}
	}
	if s.byIndex(l) {
		return s.maySerializeByIndex(l)
	}
	for _, v := range s.nodes {
		if _, ok := s.sources(l, v); v.Op.IsLoad() && !ok {
			return false
		}
		if v.Op.IsStore() && v.Masked && !s.mayDefer(l, v) {
			return false
		}
	}
	return true
}

// serialOperation reports whether v can be done on scalars in a kernel. Choices of floats
// are made by masks of one lane.
func (l *loop) serialOperation(v *vir.Value) bool {
	i := v.Op.Info()
	if i.Reads || i.Effect || i.Term || v.Type.IsVector() || v.Type.Elem == vir.Ptr || v.Op == vir.OpFma {
		return false
	}
	return l.target.LegalValue(v)
}

// serialRules refuses what does not go with cycles that are done lane by lane.
func (l *loop) serialRules() error {
	if l.isNest() {
		return nil // see findNestSerials
	}
	for _, s := range l.serials {
		at := slices.Index(l.sched, s.nodes[0])
		if at < 0 || at+len(s.nodes) > len(l.sched) || !slices.Equal(l.sched[at:at+len(s.nodes)], s.nodes) {
			return errSerial
		}
		if slices.ContainsFunc(l.sched[at:], func(v *vir.Value) bool { return v.Op.IsCheck() }) {
			return errSerial // a block that is handed over must not have stored
		}
	}
	return nil
}

// A source is a store whose value a load may find, so many iterations later.
type source struct {
	store *vir.Value
	k     int
}

// sources are the stores of s of which load v may find the values, the latest one first;
// false when it is not known which.
func (s *serial) sources(l *loop, v *vir.Value) (all []source, ok bool) {
	if l.isNest() {
		if store, k := s.passedInside(l, v); store != nil {
			all = append(all, source{store, k})
		}
		return all, true
	}
	a := l.dp.Access(v)
	for i, w := range s.nodes {
		b := l.dp.Access(w)
		if !w.Op.IsStore() || !l.dp.Related(a, b) || l.dp.Apart(a, b, maxLanes) {
			continue
		}
		d, _ := scev.Diff(b.Stream.Off, a.Stream.Off)
		step := a.Stream.Step
		k := int(d / step)
		switch {
		case d%step != 0 || w.Stored().Type != v.Type:
			return nil, false
		case k < 0, k == 0 && i > slices.Index(s.nodes, v):
			continue // it comes later
		}
		all = append(all, source{w, k})
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(x, y source) int { return x.k - y.k })
	return all, true
}

// mayDefer reports whether masked store v may be done for all lanes behind the other
// accesses of s. Loads find its value in registers, so only other stores matter.
func (s *serial) mayDefer(l *loop, v *vir.Value) bool {
	a, behind := l.dp.Access(v), false
	for _, w := range s.nodes {
		b := l.dp.Access(w)
		if w == v {
			behind = true
			continue
		}
		if !w.Op.IsStore() || !l.dp.Related(a, b) || l.dp.Apart(a, b, maxLanes) {
			continue
		}
		d, _ := scev.Diff(b.Stream.Off, a.Stream.Off)
		if d != 0 || w.Stored().Type != v.Stored().Type || behind && !w.Masked {
			return false
		}
	}
	return true
}

// inPart says in the remark that a part of the loop stays scalar.
func (l *loop) inPart() string {
	n := len(l.eachSerial())
	if l.order != nil {
		return l.order.describe(l, n)
	}
	if n > 0 {
		return plural(n, "recurrence") + " lane by lane"
	}
	return ""
}

// eachSerial is the cycles with accesses that are done lane by lane.
func (l *loop) eachSerial() []*serial {
	var all []*serial
	add := func(s *serial) {
		if s != nil && len(s.nodes) > 0 && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, phi := range l.header.Phis() {
		add(l.members[phi])
	}
	for _, v := range l.insts {
		add(l.members[v])
	}
	return all
}
