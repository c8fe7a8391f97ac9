package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Shift registers that run down, v = v>>2 | item: what an item has become n iterations later is shifted by n times as much, and
// shifts leave bits that are joined where they are to each other. Lanes are combined as those of sums are, shifted by as much as
// they are apart; those that run up are polynomials.
type shiftScan struct {
	item   *vir.Value
	shift  vir.Op // OpLshr or OpAshr
	amount uint64
	join   vir.Op // OpOr or OpXor
}

// shiftScanOf is nil for other variables.
func (l *loop) shiftScanOf(m *matcher, phi *vir.Value) *shiftScan {
	next := l.next(phi)
	if !phi.Type.Elem.IsInt() || l.sc.Phi(phi) != scev.Recurrence || len(next.Args) != 2 {
		return nil
	}
	for i, a := range next.Args {
		item := next.Args[1-i]
		if a.Op != vir.OpLshr && a.Op != vir.OpAshr || a.Args[0] != phi || !m.free(item) {
			continue
		}
		join := next.Op
		if join == vir.OpAdd && noBitInCommon(ranges.New(), item, a) {
			join = vir.OpOr
		}
		n, ok := a.Args[1].IsConst()
		lanes := vir.Vec(phi.Type.Elem, l.target.Lanes(phi.Type.Elem))
		if ok && 0 < n && n < uint64(phi.Type.Elem.Bits()) && (join == vir.OpOr || join == vir.OpXor) && l.target.Legal(a.Op, lanes) {
			return &shiftScan{item: item, shift: a.Op, amount: n, join: join}
		}
	}
	return nil
}

// noBitInCommon reports whether y ends below where the bits of x begin.
func noBitInCommon(known *ranges.Info, x, y *vir.Value) bool {
	return known.Of(y).UHi>>zerosBelow(x) == 0
}

func (s *shiftScan) made() []*vir.Value { return []*vir.Value{s.item} }

func (s *shiftScan) latency(l *loop, t vir.Type) float64 {
	return l.target.Cost(s.shift, t).Latency + 1
}

func (s *shiftScan) wait() float64 { return 2 }

func (s *shiftScan) combine(w *widener, c *carry) {
	x := w.value(s.item)
	plus := func(x, y *vir.Value) *vir.Value { return w.b.Op(s.join, x.Type, x, y) }
	w.inPieces(c, func(at, n int, last *vir.Value) (lanes, next *vir.Value) {
		y := w.piece(x, at, n)
		for d := 1; d < n; d *= 2 {
			y = plus(y, s.shifted(w, upBy(w.b, 0, y, d), func(int) int { return d }))
		}
		lanes = plus(y, s.shifted(w, last, func(k int) int { return k + 1 }))
		return lanes, plus(w.spreadLast(y), s.shifted(w, last, func(int) int { return n }))
	})
}

// shifted is x, lane k of it as it is so many iterations later.
func (s *shiftScan) shifted(w *widener, x *vir.Value, later func(k int) int) *vir.Value {
	by := make([]uint64, x.Type.Lanes)
	for k := range by {
		by[k] = min(s.amount*uint64(later(k)), uint64(x.Type.Elem.Bits())) // as much as there is
	}
	return w.b.Op(s.shift, x.Type, x, w.e.setup.Lanes(x.Type, by))
}
