package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/slev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loops inside the body: lanes are iterations of the outer loop, an inner loop runs
// until its last lane has left. If-conversion has made all branches in the body
// joint: "go on while some lane does".
//
//	for i := range out {            vec8:  a block of 8 i
//		z, n := c[i], 0             head:  phis of lanes and scalars
//		for z < 4 { z, n = f(z) }          br any(%in), body, behind
//		out[i] = n                  body:  ...
//	}                               behind: store
//
// Values of the body that are the same for all lanes, but not before the loop, are
// scalars of the block: counters of inner loops, what they load from one address,
// first lanes of addresses. They are written where the program has them, as are the
// lanes of all other values.
//
// A check that fails hands the block over, so that nothing may have been stored
// before it. An inner loop may run for long: each call has fuel for so many
// iterations of inner loops. When half of it is spent the call ends; when all of it
// goes into one block, that block is handed over.
type nest struct {
	forest  *loops.Forest
	local   map[*vir.Value]bool // depends on something that only the body knows
	scalars map[*vir.Value]bool // needed as scalars of the block
	splats  map[*vir.Value]bool // local, uniform, and needed in lanes
	steps   map[*vir.Value]bool // what hasStep found out
	stores  *stores             // nil where nothing is stored before all inner loops have ended, or it may be stored twice
}

// isNest reports whether the body contains loops.
func (l *loop) isNest() bool { return l.nest != nil }

// newNest looks at the loops of the body; nil without any.
func (l *loop) newNest() *nest {
	if len(l.blocks) == 1 {
		return nil
	}
	n := &nest{forest: l.sc.Loops(), local: make(map[*vir.Value]bool), scalars: make(map[*vir.Value]bool), splats: make(map[*vir.Value]bool), steps: make(map[*vir.Value]bool)}
	for _, v := range l.insts {
		n.local[v] = v.Op == vir.OpPhi || v.Op == vir.OpLeast || v.Op.IsLoad() && l.depth(v.Block) > 0
		for _, a := range v.Args {
			n.local[v] = n.local[v] || n.local[a]
		}
	}
	return n
}

// depth is the number of inner loops around b.
func (l *loop) depth(b *vir.Block) int {
	if l.nest == nil || l.nest.forest.Of(b) == nil {
		return 0
	}
	return l.nest.forest.Of(b).Depth - 1
}

// isRest reports whether b belongs to what strips leave of a loop.
func (l *loop) isRest(b *vir.Block) bool { return l.u.Rests[l.head(b)] > 0 }

// isStrip reports whether b belongs to the strips of a loop.
func (l *loop) isStrip(b *vir.Block) bool { return l.u.Strips[l.head(b)] > 0 }

// head is the header of the innermost loop around b in a nest, else nil.
func (l *loop) head(b *vir.Block) *vir.Block {
	if l.nest == nil || l.nest.forest.Of(b) == nil {
		return nil
	}
	return l.nest.forest.Of(b).Header
}

// isLocal reports whether v is known in the body only.
func (l *loop) isLocal(v *vir.Value) bool { return l.nest != nil && l.nest.local[v] }

// latch is the block that goes back to the header.
func (l *loop) latch() *vir.Block { return plan.Latch(l.region.Fn) }

// inside reports whether v stands in an inner loop.
func (l *loop) inside(v *vir.Value) bool { return l.nest != nil && l.depthOf(v) > 0 }

// lanesStayTogether reports whether all lanes of a block branch alike, inside of nests too.
func (l *loop) lanesStayTogether() bool {
	return !l.isNest() || !slices.ContainsFunc(l.blocks, func(b *vir.Block) bool {
		t := b.Term()
		return t.Op == vir.OpBr && !l.uniform(t.Args[0])
	})
}

// loopsBehind reports whether inner loops run when v is done: one around it, or one that comes later
// in the iteration.
func (l *loop) loopsBehind(v *vir.Value) bool {
	behind := l.blocks[slices.Index(l.blocks, v.Block):]
	return slices.ContainsFunc(behind, func(b *vir.Block) bool { return l.depth(b) > 0 })
}

func (l *loop) depthOf(v *vir.Value) int {
	if f := l.nest.forest.Of(v.Block); f != nil {
		return f.Depth - 1
	}
	return 0
}

// nestRules refuses what cannot be done around inner loops.
func (l *loop) nestRules() error {
	if l.nest == nil {
		return nil
	}
	if slices.ContainsFunc(l.insts, func(v *vir.Value) bool { return v.Op.IsStore() && l.loopsBehind(v) }) {
		refused := l.findStores()
		if refused == nil {
			return nil
		}
		if _, ok := l.repeatTests(maxLanes); !ok {
			return refused
		}
		l.nest.stores = nil
	}
	stored := false
	for _, v := range l.insts {
		switch {
		case v.Op.IsStore():
			stored = true
		case v.Op.IsCheck() && stored && l.laneCheck(v):
			return pass.Refuse("loopvec:LateCheck", v, "%s behind a store of the same iteration", checked(v))
		}
	}
	return nil
}

// repeatTests are the tests that allow a block of so many lanes that is interrupted, or
// handed over, in an inner loop to do again what it has done before that loop, stores
// included: what it loads there is not what it stores. ok tells whether that can be at all.
func (l *loop) repeatTests(lanes int) (tests []plan.Overlap, ok bool) {
	for i := range l.dp.Accesses {
		b := &l.dp.Accesses[i]
		if !b.Store || !l.loopsBehind(b.Inst) {
			continue
		}
		if l.inside(b.Inst) {
			return nil, false
		}
		for k := range i {
			if a := &l.dp.Accesses[k]; !a.Store {
				more, ok := l.dp.Moved(a, b, lanes) // the load of the second time is behind the store of the first
				if !ok {
					return nil, false
				}
				tests = append(tests, more...)
			}
		}
	}
	return tests, true
}

// needScalar marks v as needed in one piece: the value of the first lane.
func (l *loop) needScalar(v *vir.Value) {
	if !l.isLocal(v) && l.uniform(v) || v.Op == vir.OpConst {
		l.want(v)
		return
	}
	if l.nest.scalars[v] {
		return
	}
	l.nest.scalars[v] = true
	if l.ramp(v) || v.Op == vir.OpLeast {
		return
	}
	for _, a := range v.Args {
		l.needScalar(a)
	}
}

// needAddress marks the address of the first lane of v.
func (l *loop) needAddress(v *vir.Value) {
	if p := v.Base(); l.uniform(p) {
		l.needScalar(p)
	} else { // each lane loads its own
		l.needAddress(p)
		l.needStep(p.Index())
	}
	switch x := v.Index(); {
	case x == nil:
	case l.innerForm(v) == innerSpread && !l.knownStep(v):
		l.needLanes(x)
	default:
		l.needScalar(x)
	}
}

// isLocalCheck reports whether check v compares what only the body knows.
func (l *loop) isLocalCheck(v *vir.Value) bool {
	return slices.ContainsFunc(v.WithoutMask(), l.isLocal)
}

// localForm is the form of such a check: by scalars where the lanes agree, or are
// neighbours of which the first and the last are compared.
func (l *loop) localForm(v *vir.Value) checkForm {
	k, ok := l.sl.Stride(v.Args[0])
	neighbours := v.Op == vir.OpCheckIndex && ok && -maxLaneStep <= k && k <= maxLaneStep && l.uniform(v.Args[1])
	switch {
	case neighbours && v.Masked && k != 0:
		return checkNeighbours
	case v.Op == vir.OpCheckIndex && l.uniform(v.Args[1]) && !l.isLocal(v.Args[1]) && !l.uniform(v.Args[0]) && l.isNarrowCheck(v):
		return checkNarrow
	case v.Masked:
		return checkLanes
	case neighbours || l.uniformCheck(v):
		return checkLocal
	case l.endsDecide(v):
		return checkLocal
	}
	return checkLanes
}

// needBranches marks the conditions of inner loops.
func (l *loop) needBranches() {
	if l.nest == nil {
		return
	}
	for _, b := range l.blocks {
		t := b.Term()
		if t.Op != vir.OpBr {
			continue
		}
		if c := t.Args[0]; l.uniform(c) {
			l.needScalar(c)
		} else {
			l.need(c)
		}
	}
}

// An innerForm is how an access of an inner loop is made, when its place, or whether it is
// made at all, is not known before the loop.
type innerForm uint8

const (
	innerNone    innerForm = iota // as any other
	innerUniform                  // one scalar load
	innerUnit                     // neighbours, from the address of the first lane on
	innerReverse                  // the same downwards
	innerGuarded                  // one scalar load behind a branch, where all lanes have one condition
	innerSerial                   // lane by lane, as a part of a cycle
	innerSpread                   // an access of each lane, at a distance from the first one that all share
)

// inRow reports whether the lanes are neighbours in memory.
func (f innerForm) inRow() bool { return f == innerUnit || f == innerReverse }

// oneByOne reports whether lanes are stored one by one.
func (f innerForm) oneByOne() bool { return f == innerNone || f == innerSpread }

// fromFirst reports whether the address of the first lane is all that is needed.
func (f innerForm) fromFirst() bool { return f.inRow() || f == innerSpread }

// innerForm is the form of access v by the shape of its address.
func (l *loop) innerForm(v *vir.Value) innerForm {
	switch {
	case l.nest == nil || !v.Op.IsLoad() && !v.Op.IsStore():
		return innerNone
	case l.serials[v] != nil:
		return innerSerial
	case l.isRow(v) && !l.uniform(v.Base()):
		if l.lanesLieApart(v) {
			return innerSpread
		}
		return innerNone
	case l.isRow(v) && v.Index() != nil && !l.hasStep(v.Index()):
		return innerNone // a narrow subscript may wrap around, for which nothing else limits the iterations
	case v.Op.IsLoad() && v.Masked && l.isLocal(v) && l.uniform(v):
		return innerGuarded
	case !l.localAddress(v):
		return innerNone
	}
	switch a := l.sl.Address(v); {
	case a.Kind == slev.Uniform && !v.Masked && v.Op.IsLoad():
		return innerUniform
	case a.Kind == slev.Strided && a.Stride == int64(v.Access().Size()):
		return innerUnit
	case a.Kind == slev.Strided && a.Stride == -int64(v.Access().Size()):
		return innerReverse
	case l.lanesLieApart(v):
		return innerSpread
	}
	return innerNone
}

// localAddress reports whether the address of v is known in the body only.
func (l *loop) localAddress(v *vir.Value) bool {
	return l.isLocal(v.Base()) || v.Index() != nil && l.isLocal(v.Index())
}

// CommonChecks takes the mask off checks of inner loops whose operands are the same
// in all lanes, and off the loads that they protect: where some lane is to do the
// check, the block may as well be handed over when it fails for all.
func CommonChecks(u *pass.Unit) error {
	r := u.Region
	if len(r.Fn.Blocks) <= 5 {
		return nil
	}
	for {
		sc := scev.New(r)
		c := &commonChecks{u: u, sl: slev.Joint(r, sc)}
		forest := loops.Find(r.Fn)
		for _, b := range r.Fn.Blocks[2:] {
			if f := forest.Of(b); f != nil && f.Depth > 1 {
				c.block(b)
			}
		}
		if !c.changed {
			return nil
		}
	}
}

type commonChecks struct {
	u       *pass.Unit
	sl      *slev.Result
	changed bool
}

func (c *commonChecks) block(b *vir.Block) {
	shown := make(map[[2]*vir.Value]bool) // index and length
	for _, v := range slices.Clone(b.Insts) {
		switch {
		case v.Op == vir.OpCheckIndex:
			if v.Masked {
				c.check(v)
			}
			if !v.Masked {
				shown[[2]*vir.Value{v.Args[0], v.Args[1]}] = true
			}
		case v.Op.IsCheck():
			if v.Masked && c.sl.IsUniform(v.Args[0]) && c.u.Count() {
				c.unmask(v)
			}
		case v.Op == vir.OpLoad && v.Masked:
			p := v.Base().Param
			if v.Base().Op == vir.OpParam && p.Len != nil && shown[[2]*vir.Value{v.Index(), p.Len}] &&
				int(v.Scale) == p.ElemSize && v.Disp >= 0 && v.Disp+int64(v.Type.Size()) <= int64(p.ElemSize) && c.u.Count() {
				c.unmask(v)
			}
		}
	}
}

// check takes the mask off check v of a subscript that all lanes have in common. Of others lanes that
// are not concerned may be the reason why it fails: lanes that have left the loop, or are beyond an
// edge. What the mask tells by itself is not checked.
func (c *commonChecks) check(v *vir.Value) {
	x, n := v.Args[0], v.Args[1]
	k, ok := c.sl.Stride(x)
	same := k == 0 && c.sl.IsUniform(n)
	switch {
	case !ok || k < -maxLaneStep || k > maxLaneStep:
	case !same && below(v.Mask(), x, n) && c.u.Count():
		c.signOnly(v)
	case same && c.u.Count():
		c.unmask(v)
	}
}

// below reports whether mask m holds only where signed x < y.
func below(m, x, y *vir.Value) bool {
	return implies(m, func(m *vir.Value) bool { return m.Op == vir.OpIcmpSlt && m.Args[0] == x && m.Args[1] == y })
}

// notNegative reports whether mask m holds only where x is not negative.
func notNegative(m, x *vir.Value) bool {
	return implies(m, func(m *vir.Value) bool {
		if m.Op != vir.OpIcmpSlt && m.Op != vir.OpIcmpSle || m.Args[1] != x {
			return false
		}
		c, ok := m.Args[0].ConstInt()
		return ok && (c >= 0 || c == -1 && m.Op == vir.OpIcmpSlt)
	})
}

// implies reports whether m is a conjunction with something that holds.
func implies(m *vir.Value, holds func(*vir.Value) bool) bool {
	return holds(m) || m.Op == vir.OpAnd && (implies(m.Args[0], holds) || implies(m.Args[1], holds))
}

// signOnly leaves of check v that the subscript is not negative, where its mask tells that it is not
// too large, without the mask; nothing where the mask tells that as well.
func (c *commonChecks) signOnly(v *vir.Value) {
	if notNegative(v.Mask(), v.Args[0]) {
		v.Remove()
		c.changed = true
		return
	}
	most := c.u.Region.Fn.NewValue(vir.OpConst, v.Args[1].Type)
	most.Bits = []uint64{math.MaxInt64}
	edit.Before(most, v)
	v.Args[1] = most
	c.unmask(v)
}

// maxLaneStep bounds the distance between neighbouring lanes, so that the indices of
// a block in range at both ends do not wrap around in between.
const maxLaneStep = 1 << 20

func (c *commonChecks) unmask(v *vir.Value) {
	v.DropMask()
	c.changed = true
}
