package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/fold"
)

// Sums in recurrences of minima and maxima may be grouped in another way as long as none of them
// overflows. No program is written for numbers that large, but few say so:
//
//	d = min(up+1, d+1, diag+cost)   ==>   check.rare: d, up, diag or cost is not small
//	                                      d = min(d+1, min(up+1, diag+cost))
//
// An iteration with others is left to the scalar code, and all behind it. Where nothing is added, nothing
// overflows.

// Speculate makes such checks where the unit asks for that, and tells whether there are variables that
// it may be good for. Behind it their next values are of the form of tropical.go.
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
		if !m.recurs(phi) || !phi.Type.Elem.IsInt() {
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
			u.Small[phi] = s.form.wait
			if s.checks {
				u.Note("speculate:Small", phi.Args[back].Pos, nil, "iterations in which %s or what is added to it is large are done as written", name(phi))
			}
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

// noLimit is beyond all sums of small numbers, on the side where op limits nothing, and adding to it does not
// overflow.
func noLimit(op vir.Op, e vir.Elem) uint64 {
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
	max, min  vir.Op // of the limits, with signs or without; OpInvalid for none
	adds      bool
	checks    bool // iterations that are not the first one
	known     *ranges.Info
	form      sumForm
	made      []*vir.Value
	steps     []*vir.Value // what is added
	numbers   []*vir.Value // what sums are compared with
}

// A sumForm is min(max(phi + add, lo), hi); nil stands for 0, and for no limit. In a fixed one phi does not
// matter at all. With limits on one side only it is the limit where ends holds, nil for nowhere.
type sumForm struct {
	add, lo, hi, ends *vir.Value
	fixed             bool
	low, high         bool    // never moves away from lo and from what it was below, and from hi above
	wait              float64 // cycles that code as written takes behind phi, with conditional moves
}

// newSpeculator is nil for variables of other forms.
func newSpeculator(m *matcher, phi, next *vir.Value) *speculator {
	s := &speculator{m: m, phi: phi, next: next, known: ranges.New()}
	s.follow(next, make(map[*vir.Value]bool))
	if (s.max == vir.OpSmax || s.min == vir.OpSmin) == s.unsigned() {
		return nil
	}
	form, ok := s.of(next)
	switch {
	case !ok, form.fixed, form.add == nil && !s.both():
		return nil
	case s.adds && (phi.Type.Elem.Bits() < 16 || len(s.steps) > mostAdded || !s.mayCheck() || slices.ContainsFunc(s.steps, s.unfit)):
		return nil
	}
	s.form = form
	return s
}

// follow finds the operations that lead from the variable to v.
func (s *speculator) follow(v *vir.Value, seen map[*vir.Value]bool) {
	if s.m.free(v) || v == s.phi || seen[v] {
		return
	}
	seen[v] = true
	switch v.Op {
	case vir.OpSmin, vir.OpUmin:
		s.min = v.Op
	case vir.OpSmax, vir.OpUmax:
		s.max = v.Op
	case vir.OpAdd, vir.OpSub:
		s.adds = true
	}
	for _, a := range v.Args {
		s.follow(a, seen)
	}
}

// both reports whether there are limits on both sides.
func (s *speculator) both() bool { return s.max != vir.OpInvalid && s.min != vir.OpInvalid }

func (s *speculator) unsigned() bool { return s.max == vir.OpUmax || s.min == vir.OpUmin }

// unfit reports whether step x is too large for sure, or may be below 0 where sums have no signs.
func (s *speculator) unfit(x *vir.Value) bool {
	_, fixed := x.IsConst()
	switch {
	case s.unsigned():
		return !s.within(x, 0, s.step())
	case fixed:
		return !s.within(x, -s.step(), s.step())
	}
	return false
}

// of is what v makes of the variable.
func (s *speculator) of(v *vir.Value) (sumForm, bool) {
	switch {
	case v == s.phi:
		return sumForm{low: true, high: true}, true
	case s.m.free(v):
		s.numbers = append(s.numbers, v)
		f := sumForm{fixed: true, low: true, high: true}
		if s.max != vir.OpInvalid {
			f.lo = v
		}
		if s.min != vir.OpInvalid {
			f.hi = v
		}
		return f, true
	case v.Op == vir.OpSelect:
		return s.choice(v)
	case v.Op != vir.OpAdd && v.Op != vir.OpSub && v.Op != s.max && v.Op != s.min:
		return sumForm{}, false
	}
	from, x := v.Args[0], v.Args[1]
	if s.m.free(from) && v.Op != vir.OpSub {
		from, x = x, from
	}
	if !s.m.free(x) {
		return sumForm{}, false
	}
	f, ok := s.of(from)
	switch {
	case !ok:
		return sumForm{}, false
	case v.Op == vir.OpAdd:
		return s.plus(f, x), true
	case v.Op == vir.OpSub:
		return s.plus(f, s.make(vir.OpNeg, x.Type, x)), true
	}
	return s.limited(f, v.Op, x), true
}

// limited is op(f, x).
func (s *speculator) limited(f sumForm, op vir.Op, x *vir.Value) sumForm {
	s.numbers = append(s.numbers, x)
	mine, other := &f.lo, &f.hi
	if op == s.min {
		mine, other = other, mine
	}
	f.low, f.high = f.low || op == s.max, f.high || op == s.min
	f.wait += 2
	*mine = s.joined(s.signed(op), *mine, x)
	if *other != nil {
		*other = s.make(s.signed(op), x.Type, *other, x)
	}
	return f
}

// signed is op, with signs where sums are known to be small: they do not matter then.
func (s *speculator) signed(op vir.Op) vir.Op {
	switch {
	case s.adds && op == vir.OpUmin:
		return vir.OpSmin
	case s.adds && op == vir.OpUmax:
		return vir.OpSmax
	}
	return op
}

// plus is f + x.
func (s *speculator) plus(f sumForm, x *vir.Value) sumForm {
	s.steps = append(s.steps, x)
	f.add = s.joined(vir.OpAdd, f.add, x)
	for _, limit := range []**vir.Value{&f.lo, &f.hi} {
		if *limit != nil {
			*limit = s.make(vir.OpAdd, x.Type, *limit, x)
		}
	}
	f.wait++
	r := s.known.Of(x)
	f.low, f.high = f.low && r.SLo >= 0, f.high && r.SHi <= 0
	return f
}

// choice is of for choices whose conditions do not depend on the variable.
func (s *speculator) choice(v *vir.Value) (sumForm, bool) {
	cond := v.Args[0]
	if !s.m.free(cond) {
		return sumForm{}, false
	}
	p, ok := s.inArm(v, 1)
	q, alsoOk := s.inArm(v, 2)
	if !ok || !alsoOk || p.fixed && q.fixed {
		return sumForm{}, false
	}
	f := sumForm{low: p.low && q.low, high: p.high && q.high, wait: 1 + max(p.wait, q.wait)}
	f.lo = s.chosen(cond, p.lo, q.lo, s.none(s.max))
	f.hi = s.chosen(cond, p.hi, q.hi, s.none(s.min))
	switch {
	case p.fixed:
		f.add = q.add
	case q.fixed:
		f.add = p.add
	default:
		f.add = s.chosen(cond, p.add, q.add, 0)
	}
	switch {
	case s.both():
	case p.fixed:
		f.ends = s.joined(vir.OpOr, q.ends, cond)
	case q.fixed:
		f.ends = s.joined(vir.OpOr, p.ends, s.make(vir.OpNot, cond.Type, cond))
	case p.ends != nil || q.ends != nil:
		return sumForm{}, false
	}
	return f, true
}

// inArm is of for operand i of choice v. Of what has been loaded for that only, nothing is known elsewhere.
func (s *speculator) inArm(v *vir.Value, i int) (sumForm, bool) {
	steps, numbers := len(s.steps), len(s.numbers)
	f, ok := s.of(v.Args[i])
	for _, xs := range [][]*vir.Value{s.steps[steps:], s.numbers[numbers:]} {
		for k, x := range xs {
			if s.mayLack(x) {
				args := []*vir.Value{v.Args[0], s.constant(0), s.constant(0)}
				args[i] = x
				xs[k] = s.make(vir.OpSelect, x.Type, args...)
			}
		}
	}
	return f, ok
}

// mayLack reports whether x is computed from a load under a condition.
func (s *speculator) mayLack(x *vir.Value) bool {
	return !edit.Known(x, func(v *vir.Value) edit.Verdict {
		switch {
		case v.Op.IsLoad():
			return edit.KnownIf(!v.Masked)
		case v.Op == vir.OpPhi, v.Op == vir.OpParam, v.Op == vir.OpConst:
			return edit.Given
		}
		return edit.KnownIf(true)
	})
}

// none is the limit of op that limits nothing.
func (s *speculator) none(op vir.Op) uint64 {
	switch {
	case op == vir.OpInvalid:
		return 0
	case !s.adds:
		return fold.Identity(op, s.phi.Type.Elem)
	}
	return noLimit(s.signed(op), s.phi.Type.Elem)
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
		at = max(at, s.m.behind(v))
	}
	return at
}

// mayCheck reports whether nothing is stored before a check could be made.
func (s *speculator) mayCheck() bool {
	checked := slices.DeleteFunc(slices.Clone(s.steps), func(x *vir.Value) bool { return s.within(x, -s.step(), s.step()) })
	for _, x := range append(checked, slices.DeleteFunc(slices.Clone(s.numbers), s.small)...) {
		at := s.m.behind(x)
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
	if s.adds {
		s.check(first)
	}
	if f.add == nil {
		f.add = s.constant(0)
	}
	limit := f.lo
	next := s.make(vir.OpAdd, s.phi.Type, s.phi, f.add)
	if f.lo != nil {
		next = s.make(s.signed(s.max), next.Type, next, f.lo)
	}
	if f.hi != nil {
		next, limit = s.make(s.signed(s.min), next.Type, next, f.hi), f.hi
	}
	if f.ends != nil {
		next = s.make(vir.OpSelect, next.Type, f.ends, limit, next)
	}
	at := s.place()
	for _, v := range s.made {
		v.Pos, v.Block = s.next.Pos, s.m.body
	}
	s.m.body.Insts = slices.Insert(s.m.body.Insts, at, s.made...)
	s.m.body.Func.ReplaceUses(s.next, next)
	edit.Sweep(s.m.body.Func)
}

// check stops at numbers that are not small. A variable that never moves away from what it is compared with,
// nor from what it began with, is as small as that.
func (s *speculator) check(first *vir.Value) {
	numbers := slices.Clone(s.numbers)
	if s.form.low && s.form.high {
		rest := s.made
		s.made = nil
		s.stop(s.distant(first))
		begin(s.m.body, s.next.Pos, s.made...)
		s.made = rest
	} else {
		numbers = append(numbers, s.phi)
	}
	s.checks = s.stop(s.moved(), s.distant(numbers...))
}

// moved is negative where a step is not within its bound; nil where all of them are known to be.
func (s *speculator) moved() (all *vir.Value) {
	step := s.step()
	for _, x := range s.steps {
		if s.within(x, -step, step) {
			continue
		}
		below := s.make(vir.OpAdd, x.Type, x, s.constant(uint64(step)))
		above := s.make(vir.OpSub, x.Type, s.constant(uint64(step-1)), x)
		all = s.joined(vir.OpOr, s.joined(vir.OpOr, all, below), above)
	}
	return all
}

// distant is negative where one of the xs is not small; nil where all of them are known to be.
func (s *speculator) distant(xs ...*vir.Value) (all *vir.Value) {
	bound := numberBound(s.phi.Type.Elem.Bits())
	for _, x := range slices.DeleteFunc(xs, s.small) {
		if s.unsigned() {
			all = s.joined(vir.OpOr, all, x)
		}
		all = s.joined(vir.OpOr, all, s.make(vir.OpAdd, x.Type, x, s.constant(uint64(bound-1))))
	}
	return all
}

// small reports whether number x is known to be small.
func (s *speculator) small(x *vir.Value) bool {
	bound := numberBound(s.phi.Type.Elem.Bits())
	if s.unsigned() {
		return s.within(x, 0, bound+1)
	}
	return s.within(x, 1-bound, bound+1)
}

// stop is the check that none of xs is negative, of which some may be nil; false where all are.
func (s *speculator) stop(xs ...*vir.Value) bool {
	var all *vir.Value
	for _, x := range xs {
		if x != nil {
			all = s.joined(vir.OpOr, all, x)
		}
	}
	if all != nil {
		s.make(vir.OpCheckRare, vir.Type{}, s.make(vir.OpIcmpSlt, vir.Scalar(vir.Bool), all, s.constant(0)))
	}
	return all != nil
}

// within reports whether x, taken with its sign, is known to lie in [lo, hi).
func (s *speculator) within(x *vir.Value, lo, hi int64) bool {
	r := s.known.Of(x)
	return lo <= r.SLo && r.SHi < hi
}
