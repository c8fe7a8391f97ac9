package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Cycles in inner loops. An iteration of the inner loop is done for all lanes before the
// next one, what lies on the cycle lane by lane:
//
//	for i := range n {                            for each j:
//		for j := range n {                            %b0 = fadd [b + ...], [c + ...]; store %b0
//			b[j][i] = b[j][i-1] + c[j][i]             %b1 = fadd %b0, [c + ... + 4];   store %b1
//
// Lanes wait for each other, but iterations of the inner loop do not wait for the one
// before, and memory is gone through along rows. All of a cycle is done where its last
// access stands; what follows from it is done behind that. A load for nothing but the cycle
// is done by lanes as well, which spares taking a register apart.

// findNestSerials finds the cycles of a nest.
func (l *loop) findNestSerials() error {
	l.waiting = make(map[*vir.Value]bool)
	for _, nodes := range l.dp.Serials {
		s := &serial{nodes: nodes, values: l.between(nodes)}
		s.nodes = slices.Concat(l.inputs(s), nodes)
		slices.SortFunc(s.nodes, func(a, b *vir.Value) int { return slices.Index(l.insts, a) - slices.Index(l.insts, b) })
		for _, v := range l.insts {
			if s.values[v] && !l.serialOperation(v) {
				return errSerial
			}
		}
		for _, v := range s.nodes {
			if !l.isInLine(v) || l.serials[v] != nil {
				return errSerial
			}
		}
		l.addSerial(s)
		if err := l.behind(s); err != nil {
			return err
		}
		for _, v := range s.behind {
			l.waiting[v] = true
		}
	}
	return nil
}

// between are the values of a nest that are computed from loads among nodes, and that
// stores among them are computed from.
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

// isInLine reports whether the lanes of access v lie at a constant distance, from an
// address on that the body computes.
func (l *loop) isInLine(v *vir.Value) bool {
	return l.localAddress(v) && !v.Masked && l.sl.Address(v).Kind == slev.Strided
}

// besides reports whether the lanes of v, which is in line, are neighbours.
func (l *loop) besides(v *vir.Value) bool {
	return l.sl.Address(v).Stride == int64(v.Access().Size())
}

// inputs are loads for s alone. Nothing that stands between them and s may store there.
func (l *loop) inputs(s *serial) []*vir.Value {
	block := s.nodes[0].Block
	last := s.nodes[len(s.nodes)-1]
	var all []*vir.Value
	for i, v := range block.Insts {
		if v == last {
			break
		}
		if !v.Op.IsLoad() || slices.Contains(s.nodes, v) || !l.isInLine(v) || l.usedBeyond(s, v) {
			continue
		}
		param := l.dp.Access(v).Stream.Param
		met := slices.ContainsFunc(block.Insts[i:], func(x *vir.Value) bool {
			return x.Op.IsStore() && !slices.Contains(s.nodes, x) && l.dp.Access(x).Stream.Param == param
		})
		if !met {
			all = append(all, v)
		}
	}
	return all
}

// usedBeyond reports whether anything but s asks for v.
func (l *loop) usedBeyond(s *serial, v *vir.Value) bool {
	for _, x := range l.insts {
		if !s.values[x] && slices.Contains(x.Args, v) && !(x.Op.IsStore() && slices.Contains(s.nodes, x)) {
			return true
		}
	}
	return slices.ContainsFunc(l.header.Phis(), func(phi *vir.Value) bool { return slices.Contains(phi.Args, v) })
}

// behind finds what follows from s, but stands before its last access.
func (l *loop) behind(s *serial) error {
	waits := make(map[*vir.Value]bool)
	for _, v := range s.nodes {
		waits[v] = v.Op.IsLoad()
	}
	last := s.nodes[len(s.nodes)-1]
	for _, v := range last.Block.Insts {
		switch {
		case v == last:
			return nil
		case v.Op == vir.OpPhi || l.serials[v] == s || !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return waits[a] }):
			continue
		case v.Op.IsLoad() || v.Op.Info().Effect:
			return errSerial
		}
		waits[v] = true
		s.behind = append(s.behind, v)
	}
	return nil
}

// needSerials marks where cycles begin.
func (l *loop) needSerials() {
	if !l.isNest() {
		return
	}
	for _, v := range l.insts {
		if l.serials[v] != nil {
			l.needAddress(v)
		}
	}
}

// passedInside is the store of s, in a nest, whose value load v reads k iterations later; nil
// when it is not known which one that is: memory has everything that the lanes before have
// stored.
func (s *serial) passedInside(l *loop, v *vir.Value) (store *vir.Value, k int) {
	a, ok := l.sc.NestedAddress(v)
	if !ok {
		return nil, 0
	}
	for _, w := range s.nodes {
		if !w.Op.IsStore() || l.dp.Access(w).Stream.Param != l.dp.Access(v).Stream.Param {
			continue
		}
		b, ok := l.sc.NestedAddress(w)
		d, ok2 := scev.Diff(b.Start, a.Start)
		step := a.Step(nil)
		if store != nil || !ok || !ok2 || !sameTerms(a, b) || w.Stored().Type != v.Type || step.Op != plan.ExprConst || step.Const == 0 {
			return nil, 0
		}
		if d%step.Const != 0 || d/step.Const < 1 || d/step.Const > maxLanes {
			return nil, 0
		}
		store, k = w, int(d/step.Const)
	}
	return store, k
}

// sameTerms reports whether a and b move by the same steps.
func sameTerms(a, b scev.Nested) bool {
	same := func(t scev.Term) bool {
		d, ok := scev.Diff(t.Step, b.Step(t.Loop))
		return ok && d == 0
	}
	return len(a.Terms) == len(b.Terms) && !slices.ContainsFunc(a.Terms, func(t scev.Term) bool { return !same(t) })
}

// cycleOf does v if it belongs to a cycle or has to wait for one, with all others
// when the last of them has come.
func (n *nestWriter) cycleOf(v *vir.Value) bool {
	l := n.e.l
	s := l.serials[v]
	if s == nil {
		return l.waiting[v]
	}
	if s.nodes[len(s.nodes)-1] != v {
		return true
	}
	n.cycle(s)
	for _, x := range slices.Concat(s.nodes, s.behind) {
		if !x.Op.IsStore() && (!s.values[x] && !x.Op.IsLoad() || l.usedBeyond(s, x)) {
			n.compute(x)
		}
	}
	return true
}

// cycle does s for all lanes.
func (n *nestWriter) cycle(s *serial) {
	n.flush()
	for j := range n.lanes {
		for _, v := range s.nodes {
			addr := n.firstAddr(v)
			addr.Disp += int64(j) * n.e.l.sl.Address(v).Stride
			if v.Op.IsStore() {
				n.b.Store(vir.OpStore, n.single(v.Stored(), j), addr, nil)
				continue
			}
			n.singles[laneKey{v, j}] = n.readBack(s, v, j, addr)
		}
	}
}

// nestSerialMin is the least number of iterations of nests with cycles: where inner loops
// are short, too, single blocks do not gain.
func (l *loop) nestSerialMin() int64 {
	if l.isNest() && len(l.serials) > 0 {
		return 16
	}
	return 0
}

// aside is how many iterations of an inner loop the processor has in work, of which each
// waits for nothing but its own lanes.
const aside = 4

// nestSerialChain is the cycles of a block in which nothing but lanes wait for each
// other.
func (l *loop) nestSerialChain(lanes int) float64 {
	total := 0.0
	for _, f := range l.nest.forest.All {
		for _, nodes := range l.dp.Serials {
			if l.inInnermost(f, nodes[0]) {
				total += innerWeight(f.Depth-1) * l.chainOf(l.serials[nodes[0]], 0, false) * float64(lanes) / aside
			}
		}
	}
	return total
}

func (l *loop) inInnermost(f *loops.Loop, v *vir.Value) bool { return l.nest.forest.Of(v.Block) == f }
