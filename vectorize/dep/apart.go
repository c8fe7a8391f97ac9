package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
)

// apart reports whether two accesses of one parameter never touch a common byte
// in any iterations, because they use different parts of the elements: the
// fields x and y of ps[i] and ps[j], whatever i and j are. Those of a cycle that is
// done lane by lane count as well where their distance is known, or all of it is in memory: they keep their order.
// So do those of an update, of which the order does not matter.
//
// Subscripts are exact once they are known to be in range, so that an address
// that is the sum of multiples of the element's size and a constant has that
// constant's residue even if the computation of the subscript wrapped.
func (r *Result) apart(a, b *Access) bool {
	inOrder := a.inCycleOf(b) && (r.Nest || a.Kind == Indexed || r.Related(a, b))
	return a.updates(b) || inOrder || r.otherParts(a, b)
}

// inCycleOf reports whether a and b are done lane by lane together.
func (a *Access) inCycleOf(b *Access) bool { return a.serial != 0 && a.serial == b.serial }

func (r *Result) otherParts(a, b *Access) bool {
	size := int64(r.region.Fn.Params[a.Stream.Param].Param.ElemSize)
	x, ok := a.residue(size)
	y, ok2 := b.residue(size)
	if a.Stream.Param != b.Stream.Param || !ok || !ok2 {
		return false
	}
	d := ((y-x)%size + size) % size
	return d >= a.Stream.Size && d+b.Stream.Size <= size
}

// residue is where in an element of the given size a is, if always in the same
// place.
func (a *Access) residue(size int64) (int64, bool) {
	if size <= 0 || a.Stream.Step%size != 0 || a.Scale%size != 0 {
		return 0, false
	}
	if a.Step != nil {
		if m, ok := scev.Residue(a.Step, size); !ok || m != 0 {
			return 0, false
		}
	}
	return scev.Residue(a.Stream.Off, size)
}
