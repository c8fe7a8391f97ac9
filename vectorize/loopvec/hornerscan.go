package loopvec

import (
	"math/bits"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Polynomials in Horner's form, h = h*m + item, or shifted bits, h = h<<5 ^ item, that every iteration reads: hashes of all prefixes. One iteration
// behind another multiplies with the product of both factors, so lanes are combined as those of sums are,
// multiplied with as many factors as they are apart.
type polynomials struct {
	line line
	item *vir.Value
	step vir.Op // OpAdd, OpSub, OpOr or OpXor
}

// polynomialsOf is nil for other variables.
func (l *loop) polynomialsOf(m *matcher, phi *vir.Value) *polynomials {
	x, ok := m.horner(phi, l.next(phi))
	if !ok || l.sc.Phi(phi) != scev.Recurrence {
		return nil
	}
	item, step := hornerItem(phi, l.next(phi))
	if item == nil || !m.free(item) {
		return nil
	}
	l.lowBits(&x)
	return &polynomials{line: x, item: item, step: step}
}

func (p *polynomials) made() []*vir.Value { return []*vir.Value{p.item} }

func (p *polynomials) latency(l *loop, t vir.Type) float64 {
	return l.target.Cost(vir.OpMul, t).Latency + 1
}

// wait is that of a product and a sum. The compiler multiplies with 32 by a shift, with 31 or 33 by a shift and
// another sum.
func (p *polynomials) wait() float64 {
	k := p.line.mul
	switch {
	case p.line.by == nil && bits.OnesCount64(k) == 1:
		return 2
	case p.line.by == nil && (bits.OnesCount64(k-1) <= 1 || bits.OnesCount64(k+1) <= 1):
		return 3
	}
	return 4
}

func (p *polynomials) combine(w *widener, s *carry) {
	b, x := w.b, w.value(p.item)
	if p.step == vir.OpSub {
		x = b.Op(vir.OpNeg, x.Type, x)
	}
	powers := p.powers(w.e, w.held[s.slot][0].Type)
	multiple := func(x, by *vir.Value) *vir.Value { return b.Op(vir.OpMul, x.Type, x, by) }
	plus := func(x, y *vir.Value) *vir.Value { return b.Op(p.line.joins(), x.Type, x, y) }
	w.inPieces(s, func(at, n int, last *vir.Value) (lanes, next *vir.Value) {
		y := w.piece(x, at, n)
		for d := 1; d < n; d *= 2 {
			y = plus(y, multiple(upBy(b, 0, y, d), w.power(powers, d-1)))
		}
		return p.line.kept(w.e, b, plus(y, multiple(last, powers))), p.line.kept(w.e, b, plus(w.spreadLast(y), multiple(last, w.power(powers, n-1))))
	})
}

// powers are the factor, its square, and so on.
func (p *polynomials) powers(e *emitter, t vir.Type) *vir.Value {
	if p.line.by == nil {
		k, x := make([]uint64, t.Lanes), uint64(1)
		for at := range k {
			x *= p.line.mul
			k[at] = x & t.Elem.Ones()
		}
		return e.setup.Lanes(t, k)
	}
	by := e.setup.Op(vir.OpMul, vir.Scalar(t.Elem), e.value(p.line.by), e.setup.Const(vir.Scalar(t.Elem), p.line.mul))
	products := &reduction{op: vir.OpMul, unit: 1}
	return products.prefixes(e.setup, e.setup.Op(vir.OpBroadcast, t, by), t.Elem.Size())
}

// power is lane k of x, which is known before the loop, in all lanes.
func (w *widener) power(x *vir.Value, k int) *vir.Value {
	if x.Op == vir.OpConst {
		return w.b.Const(x.Type, constLanes(x)[k])
	}
	at := make([]int, x.Type.Lanes)
	for i := range at {
		at[i] = k
	}
	return w.e.setup.Shuffle(x.Type, at, x, nil)
}
