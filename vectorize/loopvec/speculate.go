package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Sums in recurrences of minima and maxima may be grouped in another way as long as none of them
// overflows. No program is written for numbers that large, but few say so:
//
//	d = min(up+1, d+1, diag+cost)   ==>   check.rare: d, up, diag or cost is not small
//	                                      d = min(d+1, min(up+1, diag+cost))
//
// An iteration with others is left to the scalar code, and all behind it.

// Speculate makes such checks where the unit asks for that, and tells whether there are variables that
// it may be good for. Behind it their next values are ends ? with : min(phi + add, with), or of maxima, see
// tropical.go.
//
// Requires the straight body of if-conversion, minima and maxima of integers seen as such.
func Speculate(u *pass.Unit) error {
	r := u.Region
	if len(r.Fn.Blocks) != 5 {
		return nil
	}
	m := newMatcher(r, scev.New(r))
	back := 1 - m.header.PredIndex(r.Fn.Entry())
	for _, phi := range m.header.Phis() {
		k, e := m.sc.Phi(phi), phi.Type.Elem
		if k != scev.Reduction && k != scev.Recurrence || !e.IsInt() || e.Bits() < 16 {
			continue
		}
		m.follow(phi)
		s := newSpeculator(m, phi, phi.Args[back])
		if s == nil {
			continue
		}
		u.Speculative = true
		if u.Speculate && u.Count() {
			s.rewrite(phi.Args[1-back])
			m.uses = nil // the loop has changed
			u.Small[phi] = true
			u.Note("speculate:Small", phi.Args[back].Pos, nil, "iterations in which %s or what is added to it is large are done as written", name(phi))
		}
	}
	return nil
}

// Of so many bits, small numbers are above -numberBound and at most numberBound, which those are that stand
// for infinity in programs.
func numberBound(bits int) int64 { return 1 << (bits - 2) }

// mostAdded bounds how often something is added in an iteration.
const mostAdded = 4

// step bounds what is added each time, so that the lanes of a register, which are up to 32, add up
// at most 1 << (bits-4).
func (s *speculator) step() int64 { return (1 << (s.phi.Type.Elem.Bits() - 9)) / int64(len(s.steps)) }

// far is larger than all sums of small numbers, or smaller for maxima, and adding to it does not overflow.
func far(op vir.Op, e vir.Elem) uint64 {
	x := int64(3) << (e.Bits() - 3)
	if op == vir.OpSmax {
		x = -x
	}
	return uint64(x) & e.Ones()
}

// A speculator writes what iterations do to a variable in the form that lanes are combined in.
type speculator struct {
	m         *matcher
	phi, next *vir.Value
	op        vir.Op // OpSmin or OpSmax
	unsigned  bool   // as written: small numbers are not below 0 then, and the operations do the same
	form      sumForm
	made      []*vir.Value
	steps     []*vir.Value // what is added
	numbers   []*vir.Value // what sums are compared with
	open      bool         // some iterations add without comparing
}

// A sumForm is ends ? with : op(phi + add, with); nil stands for never, 0 and far. In a fixed one phi
// does not matter at all.
type sumForm struct {
	add, with, ends *vir.Value
	fixed           bool
}

// newSpeculator is nil for variables of other forms.
func newSpeculator(m *matcher, phi, next *vir.Value) *speculator {
	s := &speculator{m: m, phi: phi, next: next}
	written := s.extreme(next, make(map[*vir.Value]bool))
	switch written {
	case vir.OpSmin, vir.OpUmin:
		s.op = vir.OpSmin
	case vir.OpSmax, vir.OpUmax:
		s.op = vir.OpSmax
	default:
		return nil
	}
	form, ok := s.of(next, written)
	if !ok || form.fixed || form.add == nil || len(s.steps) > mostAdded || !s.mayCheck() {
		return nil
	}
	s.unsigned = written == vir.OpUmin || written == vir.OpUmax
	known := ranges.New()
	unfit := func(x *vir.Value) bool {
		_, fixed := x.IsConst()
		switch {
		case s.unsigned: // below 0 sums would be large
			return !s.within(known, x, 0, s.step())
		case fixed:
			return !s.within(known, x, -s.step(), s.step())
		}
		return false
	}
	if slices.ContainsFunc(s.steps, unfit) {
		return nil
	}
	s.form = form
	return s
}

// extreme is the operation of the minima or maxima that lead from the variable to v.
func (s *speculator) extreme(v *vir.Value, seen map[*vir.Value]bool) vir.Op {
	if s.m.free(v) || v == s.phi || seen[v] {
		return vir.OpInvalid
	}
	seen[v] = true
	switch v.Op {
	case vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return v.Op
	}
	for _, a := range v.Args {
		if op := s.extreme(a, seen); op != vir.OpInvalid {
			return op
		}
	}
	return vir.OpInvalid
}

// of is what v makes of the variable, of operations op.
func (s *speculator) of(v *vir.Value, op vir.Op) (sumForm, bool) {
	switch {
	case v == s.phi:
		return sumForm{}, true
	case s.m.free(v):
		s.numbers = append(s.numbers, v)
		return sumForm{with: v, fixed: true}, true
	}
	switch v.Op {
	case vir.OpSelect:
		return s.choice(v, op)
	case op, vir.OpAdd, vir.OpSub:
	default:
		return sumForm{}, false
	}
	from, x := v.Args[0], v.Args[1]
	if s.m.free(from) && v.Op != vir.OpSub {
		from, x = x, from
	}
	if !s.m.free(x) {
		return sumForm{}, false
	}
	f, ok := s.of(from, op)
	switch {
	case !ok:
		return sumForm{}, false
	case v.Op == op:
		s.numbers = append(s.numbers, x)
		f.with = s.joined(s.op, f.with, x)
		return f, true
	case v.Op == vir.OpSub:
		x = s.make(vir.OpNeg, v.Type, x)
	}
	s.steps = append(s.steps, x)
	f.add = s.joined(vir.OpAdd, f.add, x)
	if f.with != nil {
		f.with = s.make(vir.OpAdd, v.Type, f.with, x)
	}
	return f, true
}

// choice is of for choices whose conditions do not depend on the variable.
func (s *speculator) choice(v *vir.Value, op vir.Op) (sumForm, bool) {
	cond := v.Args[0]
	if !s.m.free(cond) {
		return sumForm{}, false
	}
	p, ok := s.of(v.Args[1], op)
	q, alsoOk := s.of(v.Args[2], op)
	if !ok || !alsoOk {
		return sumForm{}, false
	}
	s.open = s.open || p.with == nil || q.with == nil
	f := sumForm{with: s.chosen(cond, p.with, q.with, far(s.op, v.Type.Elem))}
	switch {
	case p.fixed:
		f.add, f.ends = q.add, s.joined(vir.OpOr, q.ends, cond)
	case q.fixed:
		f.add, f.ends = p.add, s.joined(vir.OpOr, p.ends, s.make(vir.OpNot, cond.Type, cond))
	default:
		f.add = s.chosen(cond, p.add, q.add, 0)
		if p.ends != nil || q.ends != nil {
			return sumForm{}, false
		}
	}
	return f, true
}

// chosen is cond ? x : y, where nil stands for other.
func (s *speculator) chosen(cond, x, y *vir.Value, other uint64) *vir.Value {
	if x == y {
		return x
	}
	for _, p := range []**vir.Value{&x, &y} {
		if *p == nil {
			*p = s.constant(other)
		}
	}
	return s.make(vir.OpSelect, s.phi.Type, cond, x, y)
}

// joined is x op y, or y where x is nil.
func (s *speculator) joined(op vir.Op, x, y *vir.Value) *vir.Value {
	if x == nil {
		return y
	}
	return s.make(op, y.Type, x, y)
}

func (s *speculator) constant(bits uint64) *vir.Value {
	v := s.make(vir.OpConst, s.phi.Type)
	v.Bits = []uint64{bits & s.phi.Type.Elem.Ones()}
	return v
}

func (s *speculator) make(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	v := s.m.body.Func.NewValue(op, t, args...)
	s.made = append(s.made, v)
	return v
}

// place is where all is known that the form is computed from.
func (s *speculator) place() int {
	at := 1 // behind iter
	for _, v := range s.made {
		for _, a := range v.Args {
			at = max(at, slices.Index(s.m.body.Insts, a)+1)
		}
	}
	return at
}

// mayCheck reports whether nothing is stored before a check could be made.
func (s *speculator) mayCheck() bool {
	for _, x := range slices.Concat(s.steps, s.numbers) {
		at := slices.Index(s.m.body.Insts, x) + 1
		if slices.ContainsFunc(s.m.body.Insts[:at], func(v *vir.Value) bool { return v.Op.IsStore() }) {
			return false
		}
	}
	return true
}

// rewrite brings the next value to the form, behind a check that what it is made of is small. The
// variable begins with first.
func (s *speculator) rewrite(first *vir.Value) {
	f := s.form
	s.check(first)
	next := s.make(vir.OpAdd, s.phi.Type, s.phi, f.add)
	next = s.make(s.op, next.Type, next, f.with)
	if f.ends != nil {
		next = s.make(vir.OpSelect, next.Type, f.ends, f.with, next)
	}
	at := s.place()
	for _, v := range s.made {
		v.Pos, v.Block = s.next.Pos, s.m.body
	}
	s.m.body.Insts = slices.Insert(s.m.body.Insts, at, s.made...)
	s.m.body.Func.ReplaceUses(s.next, next)
	edit.Sweep(s.m.body.Func)
}

// check stops at numbers that are not small. A variable that is compared in all iterations, and never
// moved away from what it is compared with, is as small as that.
func (s *speculator) check(first *vir.Value) {
	known, step := ranges.New(), s.step()
	numbers := s.numbers
	stays := s.op == vir.OpSmin && s.within(known, s.form.add, 0, step) || s.op == vir.OpSmax && s.within(known, s.form.add, -step, 1)
	if stays && !s.open {
		s.stop(s.distant(known, first))
	} else {
		numbers = append(numbers, s.phi)
	}
	s.stop(s.moved(known), s.distant(known, numbers...))
}

// moved is negative where a step is not within its bound; nil where all of them are known to be.
func (s *speculator) moved(known *ranges.Info) (all *vir.Value) {
	step := s.step()
	for _, x := range s.steps {
		if s.within(known, x, -step, step) {
			continue
		}
		below := s.make(vir.OpAdd, x.Type, x, s.constant(uint64(step)))
		above := s.make(vir.OpSub, x.Type, s.constant(uint64(step-1)), x)
		all = s.joined(vir.OpOr, s.joined(vir.OpOr, all, below), above)
	}
	return all
}

// distant is negative where one of the xs is not small; nil where all of them are known to be.
func (s *speculator) distant(known *ranges.Info, xs ...*vir.Value) (all *vir.Value) {
	bound := numberBound(s.phi.Type.Elem.Bits())
	low := 1 - bound
	if s.unsigned {
		low = 0
	}
	for _, x := range xs {
		if s.within(known, x, low, bound+1) {
			continue
		}
		if s.unsigned {
			all = s.joined(vir.OpOr, all, x)
		}
		all = s.joined(vir.OpOr, all, s.make(vir.OpAdd, x.Type, x, s.constant(uint64(bound-1))))
	}
	return all
}

// stop is the check that none of xs is negative, of which some may be nil.
func (s *speculator) stop(xs ...*vir.Value) {
	var all *vir.Value
	for _, x := range xs {
		if x != nil {
			all = s.joined(vir.OpOr, all, x)
		}
	}
	if all != nil {
		s.make(vir.OpCheckRare, vir.Type{}, s.make(vir.OpIcmpSlt, vir.Scalar(vir.Bool), all, s.constant(0)))
	}
}

// within reports whether x, taken with its sign, is known to lie in [lo, hi).
func (s *speculator) within(known *ranges.Info, x *vir.Value, lo, hi int64) bool {
	r := known.Of(x)
	return lo <= r.SLo && r.SHi < hi
}
