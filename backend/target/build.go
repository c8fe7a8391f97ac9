package target

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Where scalars and vectors meet: building vectors from scalars, taking lanes out of
// them. Cycles lie between Zen 4 and 5 and Skylake, like those of the shuffles. What
// moves from a general register to a vector or back takes a unit that there is one
// of, and 3 cycles on the way.
//
// The scalars themselves, with their loads, are not counted: a scalar that is loaded
// for a lane and for nothing else is an operand in memory of the instruction that
// puts it there, so that its load costs what it costs alone.
var (
	toVector   = Cost{1, 3}    // VMOVD, VMOVQ
	fromVector = Cost{1, 3}    // the same backwards
	pinsr      = Cost{1.5, 4}  // VPINSRD and the like from a general register
	pextr      = Cost{1.5, 4}  // VPEXTRD and the like
	oneLane    = Cost{0.65, 1} // VINSERTPS, VUNPCKLPS, VMOVHPD, VPINSRD from memory, VPERMILPS
	laneStore  = Cost{0.5, 1}  // what VEXTRACTPS and VPEXTRD to memory take more than a store
	halfUp     = Cost{0.75, 3} // VINSERTF128
	halfDown   = Cost{0.85, 3} // VEXTRACTF128
	spreadHalf = Cost{0.65, 1} // VSHUFPS, VPSHUFD, VMOVDDUP; VPBROADCASTB takes 8 or 16 bits
	spreadFull = Cost{0.85, 3} // VBROADCASTSS
	useConst   = Cost{0.25, 0} // a constant as starting point
)

// BuildCost is the cost of a vector whose lane k is the scalar xs[k]; nil is a lane
// that nobody looks at. It says what the backend does for a chain of inserts or a
// broadcast: constants together are one constant, equal scalars everywhere are a
// broadcast, lanes of vectors are shuffled, and the rest is put in lane by lane,
// floats pairwise. A scalar that sole holds for is a load that only this vector
// reads; without sole there are none.
func (t *Target) BuildCost(xs []*vir.Value, sole func(*vir.Value) bool) (c Cost) {
	b := builder{t: t, sole: sole}
	for _, x := range xs {
		if x != nil && x.Op != vir.OpPoison {
			b.elem = x.Type.Elem
		}
	}
	if b.elem == vir.Void {
		return Cost{}
	}
	if b.elem == vir.Bool {
		return Cost{2.5, 7}.times(len(xs)) // through lanes of 0 and -1
	}
	n := t.Lanes(b.elem)
	for first := 0; first < len(xs); first += n {
		part := b.register(xs[first:min(first+n, len(xs))])
		c.Throughput += part.Throughput
		c.Latency = max(c.Latency, part.Latency)
	}
	return c
}

// BroadcastCost is the cost of scalar x in all lanes of ty. sole says that x is a
// load that nothing else reads.
func (t *Target) BroadcastCost(x *vir.Value, ty vir.Type, sole bool) Cost {
	size := ty.Elem.Size()
	spread := spreadHalf
	if ty.Size() > t.VectorBytes/2 {
		spread = spreadFull
	}
	switch {
	case ty.IsMask():
		return Cost{1.5, 5}
	case x.Op == vir.OpConst:
		return Cost{}
	case x.Op == vir.OpExtract:
		return spread
	case sole && x.Op == vir.OpLoad && size >= 4, x.Op == vir.OpParam && size >= 4:
		return Cost{}
	case sole && x.Op == vir.OpLoad:
		return Cost{0.5, 1}
	case x.Type.Elem.IsFloat():
		return spread
	}
	return toVector.Add(spread)
}

// ExtractCost is the cost of a lane of a vector of type ty as a scalar. stored says
// that all that happens to it is a store, which then takes it from the vector.
func (t *Target) ExtractCost(ty vir.Type, lane int, stored bool) (c Cost) {
	if ty.IsMask() {
		return Cost{2.5, 6}
	}
	size := ty.Elem.Size()
	off := lane * size % t.VectorBytes
	if off >= t.VectorBytes/2 {
		c, off = halfDown, off-t.VectorBytes/2
	}
	switch {
	case stored && off == 0 && size >= 4, stored && size == 8 && ty.Elem.IsFloat():
		return c
	case stored:
		return c.Add(laneStore)
	case off == 0 && ty.Elem.IsFloat():
		return c
	case ty.Elem.IsFloat():
		return c.Add(oneLane)
	case off == 0:
		return c.Add(fromVector)
	}
	return c.Add(pextr)
}

// A builder prices vectors built from scalars of one type.
type builder struct {
	t    *Target
	elem vir.Elem
	sole func(*vir.Value) bool
}

func (b builder) folds(x *vir.Value) bool {
	return x.Op == vir.OpLoad && b.sole != nil && b.sole(x)
}

// register is the cost of one register of lanes.
func (b builder) register(xs []*vir.Value) Cost {
	if x := splatOf(xs); x != nil && len(xs) > 1 {
		return b.t.BroadcastCost(x, vir.Vec(b.elem, len(xs)), b.folds(x))
	}
	if c, ok := b.shuffled(xs); ok {
		return c
	}
	n := b.t.Lanes(b.elem) / 2
	if len(xs) <= n {
		return b.half(xs)
	}
	low := b.half(xs[:n])
	if slices.Equal(xs[:n], xs[n:]) {
		return low.Add(halfUp)
	}
	high := b.half(xs[n:])
	return Cost{low.Throughput + high.Throughput + halfUp.Throughput, max(low.Latency, high.Latency) + halfUp.Latency}
}

// splatOf is the scalar that all lanes are, nil if they are not.
func splatOf(xs []*vir.Value) (x *vir.Value) {
	for _, y := range xs {
		switch {
		case y == nil || y.Op == vir.OpPoison:
		case x == nil:
			x = y
		case x != y:
			return nil
		}
	}
	return x
}

// shuffled is the cost of lanes that all come out of vectors of one type.
func (b builder) shuffled(xs []*vir.Value) (c Cost, ok bool) {
	lanes := make([]int, len(xs))
	var from []*vir.Value
	for k, x := range xs {
		lanes[k] = -1
		if x == nil || x.Op == vir.OpPoison {
			continue
		}
		if x.Op != vir.OpExtract || len(from) > 0 && x.Args[0].Type != from[0].Type {
			return Cost{}, false
		}
		v := x.Args[0]
		n := 0
		for n < len(from) && from[n] != v {
			n++
		}
		if n == len(from) {
			from = append(from, v)
		}
		lanes[k] = n*v.Type.Lanes + int(x.Imm)
	}
	if len(from) == 0 {
		return Cost{}, false
	}
	return b.t.ShuffleCost(lanes, from[0].Type), true
}

// half is the cost of up to 16 bytes.
func (b builder) half(xs []*vir.Value) (c Cost) {
	if distinct, _, ok := Repeated(xs); ok {
		return b.half(distinct).Add(spreadHalf)
	}
	var constants, lanes int
	started := false
	for k, x := range xs {
		switch {
		case x == nil || x.Op == vir.OpPoison:
		case x.Op == vir.OpConst:
			constants++
		case b.elem.IsFloat() || b.folds(x):
			lanes++
			if k == 0 {
				started = true // is in place
			} else {
				c = c.Add(oneLane)
			}
			if x.Op == vir.OpExtract {
				c.Latency = max(c.Latency, 2)
			}
		case k == 0:
			c, started = c.Add(toVector), true
		default:
			c = c.Add(Cost{pinsr.Throughput, oneLane.Latency})
			c.Latency = max(c.Latency, pinsr.Latency)
		}
	}
	if constants > 0 && len(xs) > constants {
		c = c.Add(useConst)
		if started && b.elem.IsFloat() {
			c = c.Add(oneLane)
		}
	}
	if b.elem == vir.F32 && lanes == 4 {
		c.Latency = 2 // pairs of pairs
	}
	return c
}

// Repeated are the scalars among integers that a half of a register is built of, each once, and which of them each lane is, -1 for
// lanes that nobody looks at: three colours over and over. Put in once each they are shuffled to their places. Not where
// there are constants, which come first, or where hardly any scalar comes twice.
func Repeated(xs []*vir.Value) (distinct []*vir.Value, lanes []int, ok bool) {
	used := 0
	for _, x := range xs {
		switch {
		case x == nil || x.Op == vir.OpPoison:
			lanes = append(lanes, -1)
			continue
		case x.Op == vir.OpConst || !x.Type.Elem.IsInt():
			return nil, nil, false
		}
		used++
		k := slices.Index(distinct, x)
		if k < 0 {
			k = len(distinct)
			distinct = append(distinct, x)
		}
		lanes = append(lanes, k)
	}
	return distinct, lanes, len(distinct) > 1 && 2*len(distinct) <= used
}
