// Package alias says whether two accesses of one iteration touch the same memory, by
// their addresses alone: sums of multiples of values, taken apart and compared.
//
// Pointers that came in different ways may lead anywhere, also to each other's memory,
// except to memory that nobody writes. What cannot be told may be tested at run time:
// see Apart. The package knows vir. It must not know iterations: the values that an
// address is computed from are taken to be the same for both accesses.
package alias

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vir"
)

// A Relation is what is known of the bytes of two accesses.
type Relation uint8

const (
	Unknown Relation = iota // they may have some in common
	Disjoint
	Equal   // the same bytes, no others
	Overlap // some in common, not all
)

// A Range is the bytes [Base + Index*Scale + Lo, Base + Index*Scale + Hi); Index may be
// nil.
type Range struct {
	Base, Index   *vir.Value
	Scale, Lo, Hi int64
}

// Apart says of two ranges that they have no byte in common: something to be tested
// before it is relied on.
type Apart struct{ A, B Range }

// Values are those that the ranges of list are computed from.
func Values(list []Apart) (vs []*vir.Value) {
	for _, t := range list {
		for _, v := range []*vir.Value{t.A.Base, t.A.Index, t.B.Base, t.B.Index} {
			if v != nil {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// A Term is a multiple of a 64-bit integer.
type Term struct {
	Value  *vir.Value
	Factor int64
}

// A Distance says that two ranges overlap just where To - From + the sum of Terms lies
// between Lo and Hi, both included, wrapping.
type Distance struct {
	From, To *vir.Value // pointers
	Terms    []Term     // by value; what both addresses have is not among them
	Lo, Hi   int64
}

// Distance is where the ranges of t overlap.
func (t Apart) Distance() Distance {
	a, b := FormOf(t.A), FormOf(t.B)
	sa, sb := t.A.Hi-t.A.Lo, t.B.Hi-t.B.Lo
	if a.root.ID() > b.root.ID() {
		a, b, sa, sb = b, a, sb, sa
	}
	for _, x := range a.terms {
		b.plus(x.Value, -x.Factor)
	}
	b.order()
	at := a.disp - b.disp
	return Distance{From: a.root, To: b.root, Terms: b.terms, Lo: at - sb + 1, Hi: at + sa - 1}
}

// Of is the range of a memory operation without a mask.
func Of(v *vir.Value) Range {
	a := v.Addr()
	return Range{Base: a.Base, Index: a.Index, Scale: a.Scale, Lo: a.Disp, Hi: a.Disp + int64(v.Access().Size())}
}

// Compare compares the bytes of two memory operations. Stores do not change pointers in
// memory: they are of numbers.
func Compare(a, b *vir.Value) Relation {
	if a.Op.IsStore() && b.Type.Elem == vir.Ptr || b.Op.IsStore() && a.Type.Elem == vir.Ptr {
		return Disjoint
	}
	return Ranges(Of(a), Of(b))
}

// IsHeader reports whether v of f loads from a header of a slice in memory: its pointer, or its length, which lies behind the pointer that f
// loads too. Stores of numbers do not change headers.
func IsHeader(f *vir.Func, v *vir.Value) bool {
	switch {
	case v.Op != vir.OpLoad:
		return false
	case v.Type.Elem == vir.Ptr:
		return true
	case v.Type != vir.Scalar(vir.I64):
		return false
	}
	pointer := Of(v)
	pointer.Lo, pointer.Hi = pointer.Lo-8, pointer.Hi-8
	for w := range f.Values {
		if w.Op == vir.OpLoad && w.Type.Elem == vir.Ptr && Ranges(Of(w), pointer) == Equal {
			return true
		}
	}
	return false
}

// Ranges compares two ranges.
func Ranges(a, b Range) Relation {
	return FormOf(a).Compare(FormOf(b), a.Hi-a.Lo, b.Hi-b.Lo)
}

// Compare compares so many bytes from x on with so many from y on.
func (x Form) Compare(y Form, size, size2 int64) Relation {
	if x.root != y.root && (immutable(x.root) || immutable(y.root)) {
		return Disjoint
	}
	d, ok := x.Distance(y)
	switch {
	case !ok:
		return Unknown
	case d == 0 && size == size2:
		return Equal
	case d >= size || d <= -size2:
		return Disjoint
	}
	return Overlap
}

func immutable(p *vir.Value) bool { return p.Op == vir.OpParam && p.Param.Immutable }

// Root is the pointer that an address is computed from.
func Root(p *vir.Value) *vir.Value {
	for p.Op == vir.OpPtradd {
		p = p.Args[0]
	}
	return p
}

// Distance is how many bytes y lies behind x, if that is a constant.
func (x Form) Distance(y Form) (int64, bool) {
	return y.disp - x.disp, x.root == y.root && slices.Equal(x.terms, y.terms)
}

// Grain is the largest number, of those that divide n, that x and y differ by multiples of besides a constant, whatever their
// terms are in different turns of a loop. It is n if they have different roots.
func (x Form) Grain(y Form, n int64) int64 {
	if x.root != y.root {
		return n
	}
	for _, t := range slices.Concat(x.terms, y.terms) {
		n = number.GCD(n, max(t.Factor, -t.Factor))
	}
	return n
}

// Ago is x as it was so many turns of a loop before, if step knows what a turn adds to each
// of its values.
func (x Form) Ago(turns int64, step func(*vir.Value) (int64, bool)) (Form, bool) {
	if k, ok := step(x.root); !ok || k != 0 {
		return x, false
	}
	for _, t := range x.terms {
		k, ok := step(t.Value)
		if !ok {
			return x, false
		}
		x.disp -= turns * k * t.Factor
	}
	return x, true
}

// A Form is an address as root + sum of terms + disp.
type Form struct {
	root  *vir.Value
	terms []Term // by value, none with a factor of 0
	disp  int64
}

// Uses reports whether the address is computed from a value that is holds for.
func (x Form) Uses(is func(*vir.Value) bool) bool {
	return is(x.root) || slices.ContainsFunc(x.terms, func(t Term) bool { return is(t.Value) })
}

// Key is the same for equal addresses, and for no others.
func (x Form) Key() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%d", x.root.ID())
	for _, t := range x.terms {
		fmt.Fprintf(&sb, "+%d*%d", t.Value.ID(), t.Factor)
	}
	return fmt.Sprintf("%s+%d", sb.String(), x.disp)
}

// FormOf is where r begins.
func FormOf(r Range) Form {
	f := Form{root: r.Base, disp: r.Lo}
	for f.root.Op == vir.OpPtradd {
		f.add(f.root.Args[1], 1, 0)
		f.root = f.root.Args[0]
	}
	if r.Index != nil {
		f.add(r.Index, r.Scale, 0)
	}
	f.order()
	return f
}

func (f *Form) order() {
	slices.SortStableFunc(f.terms, func(a, b Term) int { return a.Value.ID() - b.Value.ID() })
	f.terms = slices.DeleteFunc(f.terms, func(t Term) bool { return t.Factor == 0 })
}

// maxDepth limits how far sums are taken apart.
const maxDepth = 12

// add adds v, a 64-bit integer, k times. Sums wrap like addresses.
func (f *Form) add(v *vir.Value, k int64, depth int) {
	c, ok := v.ConstInt()
	switch {
	case ok:
		f.disp += c * k
		return
	case depth > maxDepth:
	case v.Op == vir.OpAdd:
		f.add(v.Args[0], k, depth+1)
		f.add(v.Args[1], k, depth+1)
		return
	case v.Op == vir.OpSub:
		f.add(v.Args[0], k, depth+1)
		f.add(v.Args[1], -k, depth+1)
		return
	case v.Op == vir.OpMul:
		if c, ok := v.Args[1].ConstInt(); ok {
			f.add(v.Args[0], k*c, depth+1)
			return
		}
	case v.Op == vir.OpShl:
		if c, ok := v.Args[1].ConstInt(); ok && 0 <= c && c < 64 {
			f.add(v.Args[0], k<<c, depth+1)
			return
		}
	}
	f.plus(v, k)
}

func (f *Form) plus(v *vir.Value, k int64) {
	for i := range f.terms {
		if f.terms[i].Value == v {
			f.terms[i].Factor += k
			return
		}
	}
	f.terms = append(f.terms, Term{v, k})
}
