package loopvec

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Variables that every iteration reads are computed in no more bits than they need, as far as their steps and
// limits say what that is:
//
//	if key { if c < 20 { c++ } } else if c > 0 { c-- }     c stays in 0..20: 16 bits
//	if x > limit { n++ } else { n = 0 }                    n rises by 1: 32 bits for many iterations
//
// Programs count in int, and lanes of 64 bits are few. A call asks whether the variable begins in its range, and is
// too short to leave it. Where a step is only taken below a limit that nothing is above, it is a minimum:
//
//	c < 20 ? c + 1 : c    ==>   min(c + 1, 20)

// Confine rewrites such variables.
//
// Requires the straight body of if-conversion.
func Confine(u *pass.Unit) error {
	f := u.Region.Fn
	if len(f.Blocks) != 5 {
		return nil
	}
	edit.Sweep(f) // what other passes have left seems to read variables
	m, known, inner := newMatcher(u.Region, scev.New(u.Region)), ranges.New(), make(map[*vir.Value]bool)
	for i, phi := range m.header.Phis() {
		if !m.recurs(phi) || !phi.Type.Elem.IsInt() || m.others(u, phi) != nil {
			continue
		}
		m.follow(phi)
		c := &confiner{m: m, phi: phi, next: phi.Args[1-m.header.PredIndex(f.Entry())], known: known, inner: inner}
		if i < len(u.Region.State) && u.Region.State[i].Init != nil {
			c.first = *u.Region.State[i].Init
		}
		if c.confines() && u.Count() {
			c.rewrite(u)
			m.uses = nil // the loop has changed
		}
	}
	return nil
}

// A confiner computes a variable anew, in the width of its range.
type confiner struct {
	m         *matcher
	phi, next *vir.Value
	first     int64 // what it begins with, as far as that is known
	known     *ranges.Info
	inner     map[*vir.Value]bool // variables that are narrow by now, and their next values
	signed    bool                // some limits are
	unsigned  bool
	guarded   bool     // steps are taken below or above a limit only
	fixed     bool     // some iterations set it to something else
	r, in     interval // where it begins, and where it is in a call
	all       interval // of all that its next value is made of
	width     int
	beyond    beyond
}

// confines finds the range, and the width.
func (c *confiner) confines() bool {
	switch {
	case c.m.free(c.next), !c.follow(c.next, make(map[*vir.Value]bool)), c.signed && c.unsigned:
		return false // what was set in the iteration before has the bits of that
	case c.places() || !c.read() && !c.limitedByInner():
		return false
	}
	bits := c.phi.Type.Elem.Bits()
	c.width = max(16, min(max(32, bits), c.loaded()))
	if c.settles() {
		for !c.all.within(span(c.width, 0)) {
			if c.width *= 2; c.width > 64 {
				return false
			}
		}
		c.extend()
		return (c.width < bits || c.guarded) && c.clamps()
	}
	c.width = max(32, c.width)
	if c.unsigned || bits < 32 || !c.grows() || !c.all.within(span(c.width, 0)) || !c.clamps() {
		return false
	}
	_, returns := c.returns(c.next)
	return c.width < bits || returns
}

// loaded is the bits of the largest element that is loaded.
func (c *confiner) loaded() int {
	most := 0
	for _, v := range c.m.body.Insts {
		if v.Op.IsLoad() {
			most = max(most, v.Type.Elem.Bits())
		}
	}
	return most
}

// places reports whether an address, a check, or the end of the loop depends on it.
func (c *confiner) places() bool {
	for v := range c.m.body.Func.Values {
		switch {
		case !c.m.bound[v]:
		case v.Op.IsCheck(), v.Op == vir.OpExit, v.Block == c.m.header && v.Op != vir.OpPhi:
			return true
		case (v.Op.IsLoad() || v.Op.IsStore()) && (c.m.depends(v.Base()) || v.Index() != nil && c.m.depends(v.Index())):
			return true
		}
	}
	return false
}

// read reports whether lanes of the variable are needed for more than its next values.
func (c *confiner) read() bool {
	leads := c.leading()
	for v := range c.m.body.Func.Values {
		if c.m.depends(v) && !leads[v] && v.Op != vir.OpRet && v.Op != vir.OpPhi {
			return true
		}
	}
	return false
}

// leading are the values of the variable that lead to its next value.
func (c *confiner) leading() map[*vir.Value]bool {
	leads := make(map[*vir.Value]bool)
	var lead func(v *vir.Value)
	lead = func(v *vir.Value) {
		if !leads[v] && c.m.depends(v) && v != c.phi {
			leads[v] = true
			for _, a := range v.Args {
				lead(a)
			}
		}
	}
	lead(c.next)
	return leads
}

// limitedByInner reports whether it is the maximum or minimum of a variable that is narrow by now.
func (c *confiner) limitedByInner() bool {
	return slices.ContainsFunc(c.next.Args, func(v *vir.Value) bool {
		return (v.Op == vir.OpSext || v.Op == vir.OpZext) && c.inner[v.Args[0]]
	})
}

// follow reports whether the variable leads to v by steps, limits and choices, and notes of which kind.
func (c *confiner) follow(v *vir.Value, seen map[*vir.Value]bool) bool {
	if v == c.phi || seen[v] || c.m.free(v) {
		return true
	}
	seen[v] = true
	switch v.Op {
	case vir.OpUmin, vir.OpUmax:
		c.unsigned, c.fixed = true, true
	case vir.OpSmin, vir.OpSmax:
		c.signed, c.fixed = true, true
	case vir.OpAdd, vir.OpSub:
	case vir.OpSelect:
		if g := c.guard(v); g != nil {
			c.guarded, c.unsigned, c.signed = true, c.unsigned || g.unsigned, c.signed || !g.unsigned && !g.any
			return true
		}
		c.fixed = c.fixed || c.m.free(v.Args[1]) || c.m.free(v.Args[2])
		return c.m.free(v.Args[0]) && c.follow(v.Args[1], seen) && c.follow(v.Args[2], seen)
	default:
		return false
	}
	return c.follow(v.Args[0], seen) && c.follow(v.Args[1], seen)
}

// rewrite computes the variable in its width, in the place of the old one.
func (c *confiner) rewrite(u *pass.Unit) {
	f, body, header := c.m.body.Func, c.m.body, c.m.header
	entry := header.PredIndex(f.Entry())
	first, t := c.phi.Args[entry], vir.Scalar(vir.IntElem(c.width/8))
	b := vir.NewBuilder(f, f.Entry())
	b.Pos = c.next.Pos
	phi := c.phi
	if t != phi.Type {
		phi = c.m.inForm(c.phi, t)
		edit.Ahead(b, f.Entry(), func() { phi.Args[entry] = c.entered(b, first, t) })
		c.known.Assume(phi, c.in.lo, c.in.hi)
	}
	rest := slices.Clone(body.Insts[slices.Index(body.Insts, c.next):])
	body.Insts = body.Insts[:len(body.Insts)-len(rest)]
	b.Cur = body
	next := c.build(b, c.next, t, map[*vir.Value]*vir.Value{c.phi: phi})
	wide := c.resized(b, next, c.phi.Type)
	body.Insts = append(body.Insts, rest...)
	c.replace(c.next, wide)
	phi.Args[1-entry] = next
	out := c.outside(first)
	if phi != c.phi {
		now := f.NewValue(c.conversion(t, c.phi.Type), c.phi.Type, phi)
		c.replace(c.phi, now)
		widened := func(b *vir.Builder, x, first *vir.Value) *vir.Value {
			return c.left(b, b.Op(now.Op, now.Type, x), first)
		}
		c.m.handOver(u, c.phi, phi, widened, c.unlessOutside)
		out = append(out, now)
		c.inner[phi], c.inner[next] = true, true
	}
	begin(body, c.next.Pos, out...)
	edit.Sweep(f)
	r, text := c.allowed(), fmt.Sprintf("%s is computed in %d bits", name(c.phi), c.width)
	if r != c.held() {
		text = fmt.Sprintf("%s is taken to begin between %d and %d, and computed in %d bits", name(c.phi), r.lo, r.hi, c.width)
	}
	u.Note("confine:Range", c.next.Pos, map[string]any{"lo": r.lo, "hi": r.hi, "bits": c.width}, "%s", text)
}

// build is v in its width.
func (c *confiner) build(b *vir.Builder, v *vir.Value, t vir.Type, made map[*vir.Value]*vir.Value) *vir.Value {
	if x := made[v]; x != nil {
		return x
	}
	x := c.make(b, v, t, func(v *vir.Value) *vir.Value { return c.build(b, v, t, made) })
	made[v] = x
	return x
}

// signedOf are the operations on numbers that are not negative.
var signedOf = map[vir.Op]vir.Op{vir.OpUmin: vir.OpSmin, vir.OpUmax: vir.OpSmax}

func (c *confiner) make(b *vir.Builder, v *vir.Value, t vir.Type, of func(*vir.Value) *vir.Value) *vir.Value {
	op := v.Op
	if s, ok := signedOf[op]; ok {
		op = s
	}
	switch {
	case c.m.free(v):
		return c.resized(b, v, t)
	case op == vir.OpSelect:
		if g := c.guard(v); g != nil {
			by, limit := int64(1), vir.OpSmin
			if !g.up {
				by, limit = -1, vir.OpSmax
			}
			step := b.Op(limit, t, b.Op(vir.OpAdd, t, of(c.phi), b.Int(t, by)), c.resized(b, g.limit, t))
			if g.when == nil {
				return step
			}
			return b.Op(vir.OpSelect, t, g.when, step, of(c.phi))
		}
		if r, ok := c.returns(v); ok {
			return r.least(b, of(c.phi))
		}
		return b.Op(op, t, v.Args[0], of(v.Args[1]), of(v.Args[2]))
	case op != vir.OpAdd && op != vir.OpSub:
		return b.Op(op, t, of(v.Args[0]), of(v.Args[1]))
	}
	from, x := v.Args[0], v.Args[1]
	if c.m.free(from) && op == vir.OpAdd {
		from, x = x, from
	}
	step := c.resized(b, x, t)
	if k, ok := x.ConstInt(); ok {
		step = b.Int(t, k)
	}
	return b.Op(op, t, of(from), step)
}

// resized is x as a number of type t.
func (c *confiner) resized(b *vir.Builder, x *vir.Value, t vir.Type) *vir.Value {
	switch r, ok := c.free(x); {
	case ok && x.Op == vir.OpConst:
		return b.Int(t, r.lo)
	case x.Type == t:
		return x
	}
	return b.Op(c.conversion(x.Type, t), t, x)
}

// conversion is the operation from one type to the other.
func (c *confiner) conversion(from, to vir.Type) vir.Op {
	switch {
	case from.Elem.Bits() > to.Elem.Bits():
		return vir.OpTrunc
	case c.unsigned:
		return vir.OpZext
	}
	return vir.OpSext
}

// outside is the check of what the variable begins with, nil where that may be anything.
func (c *confiner) outside(first *vir.Value) []*vir.Value {
	f, t, r := c.m.body.Func, first.Type, c.allowed()
	if r == c.held() {
		return nil
	}
	lo, most := c.constant(t, r.lo), c.constant(t, r.hi-r.lo)
	from := f.NewValue(vir.OpSub, t, first, lo)
	out := f.NewValue(vir.OpIcmpUlt, vir.Scalar(vir.Bool), most, from)
	return []*vir.Value{lo, most, from, out, f.NewValue(vir.OpCheckRare, vir.Type{}, out)}
}

// replace lets what the body does with x be done with y, but for what y is made of.
func (c *confiner) replace(x, y *vir.Value) {
	for _, v := range c.m.body.Insts {
		if v == y {
			continue
		}
		for i, a := range v.Args {
			if a == x {
				v.Args[i] = y
			}
		}
	}
}

func (c *confiner) constant(t vir.Type, k int64) *vir.Value {
	v := c.m.body.Func.NewValue(vir.OpConst, t)
	v.Bits = []uint64{uint64(k) & t.Elem.Ones()}
	v.Block = c.m.body
	c.m.bound[v] = false
	return v
}

// unlessOutside is x, or what the variable begins with where that is out of its range: no iteration is done then.
func (c *confiner) unlessOutside(b *vir.Builder, x *vir.Value) *vir.Value {
	t, first := c.phi.Type, c.phi.Args[c.m.header.PredIndex(b.Func.Entry())]
	r := c.allowed()
	from := b.Op(vir.OpSub, t, first, b.Int(t, r.lo))
	out := b.Cmp(vir.OpIcmpUlt, b.Int(t, r.hi-r.lo), from)
	return b.Op(vir.OpSelect, t, out, first, x)
}
