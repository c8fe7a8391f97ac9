package loopvec

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Maxima and minima as package math has them:
//
//	m = math.Max(m, x[i])
//
// There infinity is above NaN, and NaN above all other numbers, while the builtin max has NaN above all. With NaN
// and infinity in each other's place one is the other,
//
//	math.Max(x, y) = swap(max(swap(x), swap(y)))
//
// so that variables of these are computed swapped, by plain maxima. Minima are the same with -infinity.

// mathExtremes rewrites such variables.
func mathExtremes(u *pass.Unit) {
	f := u.Region.Fn
	if len(f.Blocks) != 5 || !slices.ContainsFunc(f.Blocks[2].Insts, func(v *vir.Value) bool { _, _, ok := mathExtreme(v); return ok }) {
		return
	}
	m := newMatcher(u.Region, scev.New(u.Region))
	for _, phi := range m.header.Phis() {
		if !m.recurs(phi) || !phi.Type.Elem.IsFloat() {
			continue
		}
		m.follow(phi)
		s := &swapper{m: m, phi: phi, next: phi.Args[1-m.header.PredIndex(f.Entry())]}
		if s.leads(s.next, make(map[*vir.Value]bool)) && s.op != vir.OpInvalid && u.Count() {
			s.rewrite(u)
			m.uses = nil // the loop has changed
		}
	}
}

// mathExtreme is the operation that v is one of package math of, and the infinity that it has above NaN, or
// below.
func mathExtreme(v *vir.Value) (op vir.Op, infinity *vir.Value, ok bool) {
	if v.Op != vir.OpSelect || v.Args[2].Op != vir.OpFmax && v.Args[2].Op != vir.OpFmin {
		return 0, nil, false
	}
	op, infinity = v.Args[2].Op, v.Args[1]
	if bits, is := infinity.IsConst(); !is || bits != infinityOf(op, v.Type.Elem) {
		return 0, nil, false
	}
	either := []*vir.Value{v.Args[0]}
	if v.Args[0].Op == vir.OpOr {
		either = v.Args[0].Args
	}
	for _, c := range either {
		if c.Op != vir.OpFcmpEq || c.Args[1] != infinity || !slices.Contains(v.Args[2].Args, c.Args[0]) {
			return 0, nil, false
		}
	}
	for _, x := range v.Args[2].Args {
		_, known := x.IsConst() // one that is no infinity is not asked about
		if !known && !slices.ContainsFunc(either, func(c *vir.Value) bool { return c.Args[0] == x }) {
			return 0, nil, false
		}
	}
	return op, infinity, true
}

// infinityOf is the infinity that package math has above NaN, or below it, with op.
func infinityOf(op vir.Op, e vir.Elem) uint64 {
	if op == vir.OpFmin {
		return e.FloatBits(math.Inf(-1))
	}
	return e.FloatBits(math.Inf(1))
}

// A swapper computes a variable with NaN and infinity in each other's place.
type swapper struct {
	m         *matcher
	phi, next *vir.Value
	op        vir.Op // OpFmax or OpFmin; OpInvalid before there is one
}

// leads reports whether v is made of the variable by one of the operations and choices.
func (s *swapper) leads(v *vir.Value, seen map[*vir.Value]bool) bool {
	if v == s.phi || s.m.free(v) || seen[v] {
		return true
	}
	seen[v] = true
	if op, _, ok := mathExtreme(v); ok {
		if s.op != vir.OpInvalid && s.op != op {
			return false
		}
		s.op = op
		return s.leads(v.Args[2].Args[0], seen) && s.leads(v.Args[2].Args[1], seen)
	}
	return v.Op == vir.OpSelect && s.m.free(v.Args[0]) && s.leads(v.Args[1], seen) && s.leads(v.Args[2], seen)
}

// rewrite puts the swapped variable in the place of the variable.
func (s *swapper) rewrite(u *pass.Unit) {
	f, body := u.Region.Fn, s.m.body
	entry := s.m.header.PredIndex(f.Entry())
	for _, other := range s.m.others(u, s.phi) {
		phi := s.enters(other)
		phi.Args[1-entry] = phi
		s.m.handOver(u, other, phi, s.swapped, nil)
	}
	b := vir.NewBuilder(f, body)
	b.Pos = s.next.Pos
	phi := s.enters(s.phi)
	var now, then, next *vir.Value
	edit.InFront(b, body.Insts[slices.Index(body.Insts, s.next)+1], func() {
		next = s.build(b, s.next, map[*vir.Value]*vir.Value{s.phi: phi})
		then = s.swap(b, next)
	})
	edit.InFront(b, body.Insts[1], func() { now = s.swap(b, phi) })
	f.ReplaceUses(s.next, then)
	phi.Args[1-entry] = next
	s.m.handOver(u, s.phi, phi, s.swapped, nil)
	f.ReplaceUses(s.phi, now)
	edit.Sweep(f)
}

// enters is a variable that begins with what old does, swapped.
func (s *swapper) enters(old *vir.Value) *vir.Value {
	f := old.Block.Func
	entry := s.m.header.PredIndex(f.Entry())
	phi := s.m.inForm(old, old.Type)
	b := vir.NewBuilder(f, s.m.body)
	b.Pos = old.Pos
	edit.Ahead(b, f.Entry(), func() { phi.Args[entry] = s.swap(b, old.Args[entry]) })
	return phi
}

// build is v swapped.
func (s *swapper) build(b *vir.Builder, v *vir.Value, made map[*vir.Value]*vir.Value) *vir.Value {
	if x := made[v]; x != nil {
		return x
	}
	var x *vir.Value
	of := func(v *vir.Value) *vir.Value { return s.build(b, v, made) }
	switch op, _, ok := mathExtreme(v); {
	case s.m.free(v):
		x = s.swap(b, v)
	case ok:
		x = b.Op(op, v.Type, of(v.Args[2].Args[0]), of(v.Args[2].Args[1]))
	default:
		x = b.Op(vir.OpSelect, v.Type, v.Args[0], of(v.Args[1]), of(v.Args[2]))
	}
	made[v] = x
	return x
}

// swap is x with NaN and infinity in each other's place.
func (s *swapper) swapped(b *vir.Builder, x, _ *vir.Value) *vir.Value { return s.swap(b, x) }

func (s *swapper) swap(b *vir.Builder, x *vir.Value) *vir.Value {
	e := x.Type.Elem
	infinity, nan := b.Const(x.Type, infinityOf(s.op, e)), b.Const(x.Type, e.FloatBits(math.NaN()))
	number := b.Op(vir.OpSelect, x.Type, b.Cmp(vir.OpFcmpEq, x, infinity), nan, x)
	return b.Op(vir.OpSelect, x.Type, b.Cmp(vir.OpFcmpEq, x, x), number, infinity)
}
