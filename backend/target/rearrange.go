package target

import (
	"github.com/lanewise/lanewise/backend/target/shuffle"
	"github.com/lanewise/lanewise/vir"
)

// ShuffleCost is the cost of a shuffle with the given list of lanes (-1 for lanes
// that are not looked at), out of operands of type source: that of the
// instructions that are emitted for it. Lanes count through all operands, of which
// there may be more than two. Parts of a result count on their own, although
// instructions that they share are emitted once.
func (t *Target) ShuffleCost(lanes []int, source vir.Type) (c Cost) {
	width := t.laneBytes(source)
	l := shuffle.Layout{Lanes: source.Lanes, Width: width}
	n := min(len(lanes), t.VectorBytes/width)
	for first := 0; first < len(lanes); first += n {
		p := shuffle.For(l.Want(lanes[first : first+n]))
		c.Throughput += p.Cost.Throughput
		c.Latency = max(c.Latency, p.Cost.Latency)
	}
	return c
}

// laneBytes is the size of a lane in a register; masks are taken for such of
// 32-bit lanes.
func (t *Target) laneBytes(ty vir.Type) int {
	if ty.IsMask() {
		return 4
	}
	return ty.Elem.Size()
}

// ConcatCost is the cost of joining n vectors of type part: nothing if they fill
// registers.
func (t *Target) ConcatCost(part vir.Type, n int) Cost {
	if part.Lanes*t.laneBytes(part) >= t.VectorBytes {
		return Cost{}
	}
	return t.ShuffleCost(inOrder(0, n*part.Lanes), part)
}

// SubvecCost is the cost of n lanes of a vector of type ty from lane first on.
func (t *Target) SubvecCost(ty vir.Type, first, n int) Cost {
	return t.ShuffleCost(inOrder(first, n), ty)
}

// inOrder lists n lanes from first on.
func inOrder(first, n int) []int {
	lanes := make([]int, n)
	for i := range lanes {
		lanes[i] = first + i
	}
	return lanes
}

// rearrange is the cost of operations that only move lanes; ok says that v is one.
func (t *Target) rearrange(v *vir.Value) (c Cost, ok bool) {
	switch v.Op {
	case vir.OpShuffle:
		return t.ShuffleCost(v.Lanes, v.Args[0].Type), true
	case vir.OpConcat:
		return t.ConcatCost(v.Args[0].Type, len(v.Args)), true
	}
	return Cost{}, false
}
