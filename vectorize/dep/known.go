package dep

import (
	"fmt"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vectorize/scev"
)

// checkSelf looks at a store alone. Its lanes keep their order, but two lanes
// that share bytes are not a plain vector store.
func (r *Result) checkSelf(a *Access) {
	s, size := a.Stream.Step, a.Stream.Size
	if a.Store && s != 0 && -size < s && s < size {
		r.refuse(a.Inst, "dep:Overlap", fmt.Sprintf("stores to %s of neighbouring iterations overlap", r.name(a.Inst)))
	}
}

// checkKnown limits the lanes by the pairs of a family, whose distances are known.
func (r *Result) checkKnown(f *family) {
	for k, b := range f.members {
		for _, a := range f.members[:k] {
			if !a.stores && !b.stores || r.apart(a.Access, b.Access) {
				continue
			}
			j, ok := r.distanceIn(f, a, b, a.first(b.Access))
			if ok && (r.MaxLanes == 0 || int64(r.MaxLanes) > j) {
				r.limit(a.Access, b.Access, j)
			}
		}
	}
}

// first is how many iterations later than b access a, done before b in a block, may
// be in the program without changing its order: 0 where a comes later in the program
// anyhow, so that the same iteration counts, else 1. No iteration does both of two
// accesses with masks of which one is false.
func (a *Access) first(b *Access) int64 {
	if a.Program < b.Program || a.excludes(b) {
		return 1
	}
	return 0
}

// excludes reports whether no iteration does both a and b.
func (a *Access) excludes(b *Access) bool {
	return a.Inst.Masked && b.Inst.Masked && boolean.Disjoint(a.Inst.Mask(), b.Inst.Mask())
}

// distanceIn is distance for two members of a family of any kind.
func (r *Result) distanceIn(f *family, a, b member, from int64) (int64, bool) {
	d := b.rel - a.rel
	switch f.lead.Kind {
	case Linear:
		return distance(d, f.first.Step, a.size, b.size, from)
	case Symbolic:
		r.longStep(a, b)
		return 0, false
	case Counted:
		if _, ok := f.lead.pairs(a.Access, b.Access); ok {
			return 0, false
		}
	case Periodic:
		// Different indexes are different memory: only a repeated one conflicts.
		if scale := f.lead.Scale; max(d, -d) <= far && max(d, -d)+max(a.size, b.size) <= max(scale, -scale) {
			return f.lead.Period, true
		}
	}
	return 1, true
}

func (r *Result) limit(a, b *Access, j int64) {
	if r.MaxLanes != 0 && int64(r.MaxLanes) <= j {
		return
	}
	r.MaxLanes = int(j)
	r.Limit = &scev.Refusal{Pos: r.pos(b.Inst), ID: "dep:Order", Msg: r.explain(a, b, j)}
	if j == 1 && r.Refusal == nil {
		r.Refusal = r.Limit
	}
}

func (r *Result) explain(a, b *Access, j int64) string {
	if a.Kind == Indexed && a.Index == b.Index && j == 1 {
		return fmt.Sprintf("two iterations may use the same element of %s and store to it, so that they cannot run side by side", r.name(a.Inst))
	}
	if a.Kind != b.Kind || a.Kind == Indexed || a.Kind == Symbolic || a.Stream.Step != b.Stream.Step {
		return fmt.Sprintf("an iteration may store to %s what an earlier or later one uses", r.name(a.Inst))
	}
	when := "the next iteration"
	if j > 1 {
		when = fmt.Sprintf("the iteration %d later", j)
	}
	x := r.name(a.Inst)
	switch {
	case b.Store && !a.Store:
		return fmt.Sprintf("%s reads what an iteration stores to %s", when, x)
	case a.Store && !b.Store:
		return fmt.Sprintf("%s overwrites what an iteration reads from %s", when, x)
	}
	return fmt.Sprintf("%s overwrites what an iteration stores to %s", when, x)
}

// far is a distance beyond that of any two bytes of one object.
const far = 1 << 48

// distance is the smallest j >= from such that B in some iteration t and A in
// iteration t+j touch a common byte, where d is the address of B minus that of A
// in the same iteration and both move by step; see the proof at window. Blocks
// of up to j lanes may do A before B.
func distance(d, step, sizeA, sizeB, from int64) (int64, bool) {
	if d < -far || d > far || step < -far || step > far {
		return from, true // out of the reach of the arithmetic below; impossible in memory
	}
	if step < 0 {
		d, step = -d, -step
		sizeA, sizeB = sizeB, sizeA
	}
	// -sizeB < d - j*step < sizeA
	if step == 0 {
		return from, -sizeB < d && d < sizeA
	}
	j := max(from, number.FloorDiv(d-sizeA, step)+1)
	return j, j*step < d+sizeB
}
