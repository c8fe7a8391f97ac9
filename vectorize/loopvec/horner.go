package loopvec

import (
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Integer variables that an iteration multiplies with what no iteration changes
// before it adds an item are polynomials in Horner's form, h = h*m + item. With B
// lanes
//
//	acc = acc * m^B + items                     a block
//	acc = lower half * m^(B/2) + upper half     a fold
//
// and lane B-1 starts from the first value of the variable. Integers wrap, so that
// this is exact.

// A line is mul*by*phi + item, of which the bits of low are kept; by is nil for 1, and low for all. Where join is or or xor, it
// is what stands in the place of the sum, and mul a power of two: shifts leave the bits of both where they are to each other.
type line struct {
	mul     uint64
	by, low *vir.Value
	join    vir.Op // OpInvalid without an item
}

// joins is how an item comes to the multiple of phi.
func (x *line) joins() vir.Op {
	if x.join == vir.OpOr || x.join == vir.OpXor {
		return x.join
	}
	return vir.OpAdd
}

// horner finds what next multiplies phi with, modulo the width of the type, and
// reports false where it does something else with it or next is a sum.
func (m *matcher) horner(phi, next *vir.Value) (line, bool) {
	if !phi.Type.Elem.IsInt() || phi == next {
		return line{}, false
	}
	p := newPolynomial(m, phi)
	long, low := keptBits(next)
	x := p.line(long)
	if x == nil || x.mul == 0 || x.mul == 1 && x.by == nil {
		return line{}, false
	}
	return line{x.mul, x.by, low, x.join}, true
}

// addDisjoint makes sums of what the variable that m follows is joined with, where both have no bit in common:
//
//	k<<2 | code&3    ==>    k<<2 + code&3
func (m *matcher) addDisjoint(count func() bool) {
	known := ranges.New()
	for _, v := range m.body.Insts {
		if (v.Op == vir.OpOr || v.Op == vir.OpXor) && v.Type.Elem.IsInt() && m.depends(v) {
			if x, y := v.Args[0], v.Args[1]; (noBitInCommon(known, x, y) || noBitInCommon(known, y, x)) && count() {
				v.Op = vir.OpAdd
			}
		}
	}
}

// zerosBelow is the number of low bits of x that are known to be 0.
func zerosBelow(x *vir.Value) int {
	if x.Op == vir.OpShl {
		if n, ok := x.Args[1].IsConst(); ok && n < uint64(x.Type.Elem.Bits()) {
			return int(n)
		}
	}
	return 0
}

// Where only low bits of the variable are kept, h = (h*31 + c) & 0xffff, these depend on low bits alone: lanes compute
// all bits, and drop them behind. That a parameter has all of the low bits and no others is known before the loop.

// keptBits is x where next is x & low, of as many low bits as low has; next itself and nil for others.
func keptBits(next *vir.Value) (x, low *vir.Value) {
	if next.Op != vir.OpAnd {
		return next, nil
	}
	for i, a := range next.Args {
		if k, ok := a.IsConst(); ok && k&(k+1) == 0 || a.Op == vir.OpParam {
			return next.Args[1-i], a
		}
	}
	return next, nil
}

// lowBits makes it a condition of calls that the bits which x keeps are low ones.
func (l *loop) lowBits(x *line) {
	if x.low == nil || x.low.Op != vir.OpParam {
		return
	}
	p := plan.Zext(plan.Param(slices.Index(l.region.Fn.Params, x.low)), x.low.Type.Elem.Bits())
	gaps := plan.And(p, plan.Add(p, plan.Const(1)))
	l.addBounds([]plan.Bound{{Start: gaps, Lo: plan.Const(0), Hi: plan.Const(1)}})
}

// kept are the bits of v, a value or lanes of x, that are kept.
func (x *line) kept(e *emitter, b *vir.Builder, v *vir.Value) *vir.Value {
	if x.low == nil {
		return v
	}
	if low, ok := x.low.IsConst(); ok {
		return b.Op(vir.OpAnd, v.Type, v, b.Const(v.Type, low))
	}
	low := e.value(x.low)
	if v.Type.IsVector() {
		low = e.setup.Op(vir.OpBroadcast, v.Type, low)
	}
	return b.Op(vir.OpAnd, v.Type, v, low)
}

// keptOf is the result x of a reduction that may keep low bits, behind t iterations: behind none it is what it was.
func (e *emitter) keptOf(b *vir.Builder, r *reduction, x, t *vir.Value) *vir.Value {
	if r.line == nil || r.line.low == nil {
		return x
	}
	none := b.Cmp(vir.OpIcmpEq, t, b.Int(t.Type, 0))
	return b.Op(vir.OpSelect, x.Type, none, e.value(e.first(r)), r.line.kept(e, b, x))
}

// hornerForm brings next to phi*m + item, with one multiplication.
func (m *matcher) hornerForm(phi, next *vir.Value, x line) *vir.Value {
	if item, _ := hornerItem(phi, next); item != nil {
		return next
	}
	p := newPolynomial(m, phi)
	long, low := keptBits(next)
	item := p.item(long)
	by := p.constant(next, x.mul)
	switch {
	case x.by != nil && x.mul == 1:
		by = x.by
	case x.by != nil:
		by = p.build(vir.OpMul, next, x.by, by)
	}
	short := p.build(x.joins(), next, p.build(vir.OpMul, next, phi, by), item)
	if low != nil {
		short = p.build(vir.OpAnd, next, short, low)
	}
	return short
}

// hornerItem is the item where next is a multiple of phi and an item, and whether it
// is added, subtracted or joined by bits; nil where it is not.
func hornerItem(phi, next *vir.Value) (item *vir.Value, step vir.Op) {
	next, _ = keptBits(next)
	if next.Op != vir.OpAdd && next.Op != vir.OpSub && next.Op != vir.OpOr && next.Op != vir.OpXor {
		return nil, vir.OpInvalid
	}
	x, y := next.Args[0], next.Args[1]
	switch {
	case isMultiple(phi, x):
		return y, next.Op
	case isMultiple(phi, y) && next.Op == vir.OpSub:
		return x, vir.OpAdd
	case isMultiple(phi, y):
		return x, next.Op
	}
	return nil, vir.OpInvalid
}

// isMultiple reports whether v is phi times something that no iteration changes.
func isMultiple(phi, v *vir.Value) bool {
	switch v.Op {
	case vir.OpMul:
		return isMultiple(phi, v.Args[0]) && unchanging(v.Args[1])
	case vir.OpShl:
		return isMultiple(phi, v.Args[0]) && v.Args[1].Op == vir.OpConst
	case vir.OpNeg:
		return isMultiple(phi, v.Args[0])
	}
	return v == phi
}

// unchanging reports whether v is a constant, a live-in or a product of these.
func unchanging(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		switch v.Op {
		case vir.OpConst, vir.OpParam:
			return edit.Given
		case vir.OpShl:
			return edit.KnownIf(v.Args[1].Op == vir.OpConst)
		}
		return edit.KnownIf(v.Op == vir.OpMul)
	})
}

// A polynomial takes the operations apart that lead from phi to its next value.
type polynomial struct {
	*matcher
	phi   *vir.Value
	lines map[*vir.Value]*line
	items map[*vir.Value]*vir.Value
}

func newPolynomial(m *matcher, phi *vir.Value) *polynomial {
	return &polynomial{matcher: m, phi: phi, lines: make(map[*vir.Value]*line), items: make(map[*vir.Value]*vir.Value)}
}

func (p *polynomial) line(v *vir.Value) *line {
	x, ok := p.lines[v]
	if !ok {
		x = p.find(v)
		p.lines[v] = x
	}
	return x
}

func (p *polynomial) find(v *vir.Value) *line {
	if v == p.phi {
		return &line{mul: 1}
	}
	if p.free(v) {
		return &line{}
	}
	switch v.Op {
	case vir.OpNeg:
		return p.sum(&line{}, p.line(v.Args[0]), minus)
	case vir.OpAdd:
		return p.sum(p.line(v.Args[0]), p.line(v.Args[1]), 1)
	case vir.OpSub:
		return p.sum(p.line(v.Args[0]), p.line(v.Args[1]), minus)
	case vir.OpMul:
		if p.free(v.Args[0]) {
			return p.product(p.line(v.Args[1]), v.Args[0])
		}
		return p.product(p.line(v.Args[0]), v.Args[1])
	case vir.OpShl:
		if n, ok := v.Args[1].IsConst(); ok && n < uint64(v.Type.Elem.Bits()) {
			return p.times(p.line(v.Args[0]), 1<<n)
		}
	case vir.OpOr, vir.OpXor:
		if p.free(v.Args[0]) {
			return joined(p.line(v.Args[1]), v.Op)
		} else if p.free(v.Args[1]) {
			return joined(p.line(v.Args[0]), v.Op)
		}
	case vir.OpSelect:
		x, y := p.line(v.Args[1]), p.line(v.Args[2])
		if !p.free(v.Args[0]) || x == nil || y == nil || x.mul != y.mul || x.by != y.by {
			return nil
		}
		if x.join == vir.OpInvalid {
			return y
		}
		if y.join == vir.OpInvalid || x.join == y.join {
			return x
		}
	}
	return nil
}

// joined is x with an item joined by or or xor.
func joined(x *line, op vir.Op) *line {
	if x == nil || x.by != nil || bits.OnesCount64(x.mul) != 1 || x.join != vir.OpInvalid && x.join != op {
		return nil
	}
	return &line{mul: x.mul, join: op}
}

const minus = ^uint64(0)

// sum is x + sign*y.
func (p *polynomial) sum(x, y *line, sign uint64) *line {
	switch {
	case x == nil || y == nil || x.joins() != vir.OpAdd || y.joins() != vir.OpAdd:
		return nil
	case x.mul == 0:
		return p.added(p.times(y, sign))
	case y.mul == 0:
		return p.added(x)
	case x.by != y.by:
		return nil
	}
	return p.added(p.times(&line{mul: x.mul + sign*y.mul, by: x.by}, 1))
}

// added is x with an item that is added.
func (p *polynomial) added(x *line) *line {
	if x == nil || x.mul == 0 {
		return x
	}
	return &line{mul: x.mul, by: x.by, join: vir.OpAdd}
}

func (p *polynomial) times(x *line, c uint64) *line {
	if x == nil || x.joins() != vir.OpAdd && bits.OnesCount64(c) != 1 {
		return nil
	}
	return &line{mul: x.mul * c & p.phi.Type.Elem.Ones(), by: x.by, join: x.join}
}

// product is x times y, which no iteration changes.
func (p *polynomial) product(x *line, y *vir.Value) *line {
	if x == nil {
		return nil
	}
	switch c, ok := y.IsConst(); {
	case ok:
		return p.times(x, c)
	case x.joins() != vir.OpAdd:
		return nil
	case y.Op == vir.OpParam && x.by == nil:
		return &line{mul: x.mul, by: y, join: x.join}
	case y.Op == vir.OpMul && unchanging(y):
		return p.product(p.product(x, y.Args[0]), y.Args[1])
	case y.Op == vir.OpShl && unchanging(y):
		n, _ := y.Args[1].IsConst()
		return p.product(p.times(x, 1<<n), y.Args[0])
	}
	return nil
}

// item is what v would be if phi were 0.
func (p *polynomial) item(v *vir.Value) *vir.Value {
	switch {
	case v == p.phi:
		return p.constant(v, 0)
	case p.free(v):
		return v
	case p.items[v] == nil:
		args := make([]*vir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = p.item(a)
		}
		p.items[v] = p.build(v.Op, v, args...)
	}
	return p.items[v]
}

func (p *polynomial) constant(at *vir.Value, c uint64) *vir.Value {
	k := p.build(vir.OpConst, at)
	k.Bits = []uint64{c}
	return k
}

func (p *polynomial) build(op vir.Op, at *vir.Value, args ...*vir.Value) *vir.Value {
	return p.append(p.phi.Type, op, at, args...)
}

// power is m^n in all of n lanes, n a power of two.
func (e *emitter) power(r *reduction, n int) *vir.Value {
	if w := e.powers[powerKey{r, n}]; w != nil {
		return w
	}
	x := e.setup.Const(vir.Scalar(r.lane), r.line.mul)
	if r.line.by != nil {
		x = e.setup.Op(vir.OpMul, x.Type, e.value(r.line.by), x)
	}
	for k := 1; k < n; k *= 2 {
		x = e.setup.Op(vir.OpMul, x.Type, x, x)
	}
	w := e.setup.Op(vir.OpBroadcast, vir.Vec(x.Type.Elem, n), x)
	e.powers[powerKey{r, n}] = w
	return w
}

type powerKey struct {
	r *reduction
	n int // 0 for the accumulator that holds the first value
}
