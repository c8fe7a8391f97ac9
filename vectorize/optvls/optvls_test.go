package optvls

import (
	"fmt"
	"testing"
)

// A ref is a memref of tests: everything with the same base is comparable.
type ref struct {
	name   string
	base   string
	off    int64
	access Access
	typ    Type
	stride int64
	order  int
	fences []int // of the program: nothing moves across
}

func (r *ref) Access() Access { return r.access }
func (r *ref) Type() Type     { return r.typ }
func (r *ref) Distance(from Memref) (int64, bool) {
	f := from.(*ref)
	return r.off - f.off, r.base == f.base
}
func (r *ref) SameElements(as Memref) bool { return r.typ.Lanes == as.(*ref).typ.Lanes }
func (r *ref) Stride() (int64, bool)       { return r.stride, !r.access.Indexed }
func (r *ref) CanMoveTo(to Memref) bool {
	a, b := r.order, to.(*ref).order
	for _, f := range r.fences {
		if min(a, b) < f && f <= max(a, b) {
			return false
		}
	}
	return true
}

// unitCosts is a client for which everything costs one.
type unitCosts struct{ gaps, masks bool }

func (c unitCosts) Access(in *Inst) (int, bool) {
	return 1, !in.Masked || c.masks || in.Type.Lanes == 1
}
func (c unitCosts) Shuffle(from Type, lanes []int) int { return 1 }
func (c unitCosts) MayRead(g *Group, from, to int64) bool {
	lo, hi := g.Extent()
	return c.gaps && from >= lo && to <= hi
}

// interleaved are the fields of one struct of the given number of elements.
func interleaved(access Access, bits, stride, vf int, fields ...int) []Memref {
	var refs []Memref
	for i, f := range fields {
		refs = append(refs, &ref{
			name: fmt.Sprint("m", i), off: int64(f * bits / 8), access: access, order: i,
			typ: Type{bits, vf}, stride: int64(stride * bits / 8),
		})
	}
	return refs
}

func TestTwoFieldsTakeTwoLoadsAndTwoShuffles(t *testing.T) {
	groups, of := Groups(interleaved(Access{}, 32, 2, 8, 0, 1), 32, Options{})
	if len(groups) != 1 || len(of) != 2 {
		t.Fatalf("%v", groups)
	}
	code, ok := Sequence(groups[0], unitCosts{})
	if !ok {
		t.Fatal("no sequence")
	}
	want := `%1 = mask.load.32.8 (<Base:0 Offset:0>, 11111111)
%2 = mask.load.32.8 (<Base:0 Offset:32>, 11111111)
%3 = shufflevector <8 x 32> %1, <8 x 32> %2, <8 x 32><0, 2, 4, 6, 8, 10, 12, 14>
%4 = shufflevector <8 x 32> %1, <8 x 32> %2, <8 x 32><1, 3, 5, 7, 9, 11, 13, 15>
`
	if got := code.String(); got != want || code.Cost != 4 {
		t.Errorf("cost %d\n%s", code.Cost, got)
	}
}

func fields(n int) []int {
	var f []int
	for i := range n {
		f = append(f, i)
	}
	return f
}
