// Package narrow computes integers in no more bits than their uses need. Go
// programs compute in int; lanes of 8 or 16 bits do four to eight times as much.
//
//	trunc i8 (lshr i64 (mul i64 (zext i64 %b), 77), 8)
//	==> trunc i8 (lshr i16 (mul i16 (zext i16 %b), 77), 8)
//
// The low bits of sums, products and logic depend on the low bits of their
// operands only; those of a shift to the right by c on c bits more. Divisions by constants,
// minima and comparisons need the whole operand, which must be known to fit (vectorize/ranges):
// demanded bits, as in J. Stephenson, J. Babb, S. Amarasinghe, Bitwidth Analysis with Application
// to Silicon Compilation, PLDI 2000. What stays the same in the loop is cut off outside of it,
// and a limit that elements are compared with is brought into their range there. Starting points
// are truncations, comparisons, conversions to float, subscripts made of elements, and what a reduction adds:
//
//	add i64 %sum, (sext i64 (mul i32 ...))      stays, but the item is an extension
//
// so that the loop vectorizer can accumulate in narrow lanes.
//
// Requires what if-conversion leaves: a straight body, or one with loops inside, the variables of
// which are narrowed first (variable.go). Afterwards the old computation may be unused.
//
// Remarks: narrow:Variable.
package narrow

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run narrows the body of u's region.
func Run(u *pass.Unit) error {
	n := &narrower{f: u.Region.Fn, ranges: ranges.New(), memo: make(map[key]*vir.Value), turns: make(map[*vir.Value]*counter), data: make(map[*vir.Value]bool), replaced: make(map[*vir.Value]*variable)}
	forest := loops.Find(n.f)
	if len(forest.All) > 1 {
		n.variables(u, forest)
	}
	n.believe(u.Region)
	n.dom = loops.DomTree(n.f)
	body := slices.DeleteFunc(loops.RPO(n.f), func(b *vir.Block) bool { return b == n.f.Blocks[1] || forest.Of(b) == nil })
	for _, b := range body {
		n.block(u, b)
	}
	n.state(u)
	edit.Sweep(n.f)
	for _, b := range body {
		n.quotients(b)
	}
	return nil
}

func (n *narrower) block(u *pass.Unit, b *vir.Block) {
	old := b.Insts
	b.Insts = nil
	n.b = vir.NewBuilder(n.f, b)
	for _, v := range old {
		n.b.Pos = v.Pos
		if n.wants(v) && u.Count() {
			n.root(v)
		}
		if k := n.index(v); k >= 0 && u.Count() {
			n.subscript(v, k)
		}
		v.Block = b
		b.Insts = append(b.Insts, v)
	}
}

type key struct {
	v    *vir.Value
	bits int
}

type narrower struct {
	f      *vir.Func
	b      *vir.Builder
	ranges *ranges.Info
	memo   map[key]*vir.Value
	data   map[*vir.Value]bool // whether a value is computed from what is loaded
	dom    *loops.Dom
	turns  map[*vir.Value]*counter // of inner loops, by their phis
	narrow map[*vir.Value]bool     // variables that are taken to be there in the bits that are asked for
	// replaced are variables in fewer bits, by their phis.
	replaced map[*vir.Value]*variable

	counted *assumption   // about counters
	small   []*assumption // about parameters
}

// wants reports whether v is a starting point.
func (n *narrower) wants(v *vir.Value) bool {
	switch v.Op {
	case vir.OpTrunc, vir.OpSitof, vir.OpUitof,
		vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		return v.Args[0].Type.Elem.IsInt()
	case vir.OpCheckDiv:
		return n.arithmetic(v.Args[0])
	case vir.OpAdd, vir.OpSub:
		return v.Args[0].Op == vir.OpPhi && v.Type.Elem.IsInt()
	}
	return false
}

func (n *narrower) root(v *vir.Value) {
	switch v.Op {
	case vir.OpTrunc:
		if !n.truncation(v, 64) && v.Type.Elem.Size() <= 2 {
			n.assumingSmall(v, func(bits int) bool { return n.truncation(v, bits) })
		}
	case vir.OpSitof, vir.OpUitof:
		if !n.toFloat(v) {
			n.assuming(v, n.counted, func() bool { return n.toFloat(v) })
		}
	case vir.OpAdd, vir.OpSub:
		n.item(v)
	case vir.OpCheckDiv:
		n.divisor(v)
	default:
		if !n.comparison(v, 64) && !n.againstFixed(v) {
			n.assumingSmall(v, func(bits int) bool { return n.comparison(v, bits) })
		}
	}
}

// widths below that of an element, from narrow to wide.
func widths(from, below int) []int {
	var out []int
	for _, w := range []int{8, 16, 32} {
		if from <= w && w < below {
			out = append(out, w)
		}
	}
	return out
}

// truncation computes the operand in the fewest bits possible, at most so many, if that is less than it has.
func (n *narrower) truncation(v *vir.Value, most int) bool {
	x := v.Args[0]
	for _, w := range widths(v.Type.Elem.Bits(), x.Type.Elem.Bits()) {
		if w <= most && n.arithmetic(x) && n.can(x, w, v.Type.Elem.Bits(), 1) {
			v.Args[0] = n.at(x, w)
			if v.Args[0].Type == v.Type { // no truncation left: or with itself
				v.Op, v.Args = vir.OpOr, []*vir.Value{v.Args[0], v.Args[0]}
			}
			return true
		}
	}
	return false
}

// divisor checks in the bits in which quotients are computed that the divisor is not 0.
func (n *narrower) divisor(v *vir.Value) {
	x := v.Args[0]
	r := n.ranges.Of(x)
	for _, w := range widths(quotientBits, x.Type.Elem.Bits()) {
		if (r.FitsU(w) || r.FitsS(w)) && n.can(x, w, w, 0) {
			v.Args[0] = n.at(x, w)
			return
		}
	}
}

// arithmetic reports whether v computes something that could be done elsewhere.
func (n *narrower) arithmetic(v *vir.Value) bool {
	switch v.Op {
	case vir.OpPhi, vir.OpParam, vir.OpConst, vir.OpLoad, vir.OpZext, vir.OpSext:
		return false
	}
	return true
}

// comparison compares in the fewest bits that hold both operands, at most so many.
func (n *narrower) comparison(v *vir.Value, most int) bool {
	x, y := v.Args[0], v.Args[1]
	rx, ry := n.ranges.Of(x), n.ranges.Of(y)
	for _, w := range widths(8, x.Type.Elem.Bits()) {
		if w > most || !n.can(x, w, w, 0) || !n.can(y, w, w, 0) {
			continue
		}
		fitU := rx.FitsU(w) && ry.FitsU(w)
		fitS := rx.FitsS(w) && ry.FitsS(w)
		op := v.Op
		switch op {
		case vir.OpIcmpUlt, vir.OpIcmpUle:
			if !fitU {
				continue
			}
		case vir.OpIcmpSlt, vir.OpIcmpSle:
			switch {
			case fitS:
			case fitU && rx.SLo >= 0 && ry.SLo >= 0:
				op = unsignedOf[op]
			default:
				continue
			}
		default:
			if !fitU && !fitS {
				continue
			}
		}
		v.Op = op
		v.Args = []*vir.Value{n.at(x, w), n.at(y, w)}
		return true
	}
	return false
}

var unsignedOf = map[vir.Op]vir.Op{
	vir.OpIcmpSlt: vir.OpIcmpUlt, vir.OpIcmpSle: vir.OpIcmpUle, vir.OpSmin: vir.OpUmin, vir.OpSmax: vir.OpUmax,
	vir.OpSdiv: vir.OpUdiv, vir.OpSrem: vir.OpUrem,
}

// toFloat converts from 32 bits what is known to fit them, if that is less.
func (n *narrower) toFloat(v *vir.Value) bool {
	x := v.Args[0]
	r := n.ranges.Of(x)
	fits := r.FitsS(32) && (v.Op == vir.OpSitof || r.FitsU(31))
	if x.Type.Elem.Bits() > 32 && fits && n.can(x, 32, 32, 1) {
		v.Op, v.Args = vir.OpSitof, []*vir.Value{n.at(x, 32)}
		return true
	} else if v.Op == vir.OpUitof && r.FitsU(x.Type.Elem.Bits()-1) {
		v.Op = vir.OpSitof
	}
	return x.Type.Elem.Bits() <= 32
}

// index is the place of the operand of v that is a subscript made from what is loaded, -1 for none.
func (n *narrower) index(v *vir.Value) int {
	x := v.Index()
	if v.Op == vir.OpCheckIndex {
		x = v.Args[0]
	}
	if x == nil || !n.arithmetic(x) || !n.fromData(x) {
		return -1
	}
	return slices.Index(v.Args, x)
}

// fromData reports whether v is computed from what the body loads.
func (n *narrower) fromData(v *vir.Value) bool {
	is, ok := n.data[v]
	if !ok {
		n.data[v] = false // until known: variables go round
		is = v.Op.IsLoad() || v.Op != vir.OpPhi && slices.ContainsFunc(v.Args, n.fromData)
		n.data[v] = is
	}
	return is
}

// subscript makes operand k an extension of a narrow value, as it is where elements are subscripts as they are.
func (n *narrower) subscript(v *vir.Value, k int) {
	x := v.Args[k]
	r := n.ranges.Of(x)
	for _, w := range widths(8, x.Type.Elem.Bits()) {
		if r.FitsU(w) && n.can(x, w, w, 0) {
			v.Args[k] = n.b.Op(vir.OpZext, x.Type, n.at(x, w))
			return
		}
	}
}

// item makes what is added to a variable an extension of a narrow value.
func (n *narrower) item(v *vir.Value) {
	x := v.Args[1]
	r := n.ranges.Of(x)
	if !n.arithmetic(x) {
		return
	}
	for _, w := range widths(8, x.Type.Elem.Bits()) {
		op := vir.OpZext
		switch {
		case r.FitsU(w):
		case r.FitsS(w):
			op = vir.OpSext
		default:
			continue
		}
		if n.can(x, w, w, 0) {
			v.Args = []*vir.Value{v.Args[0], n.b.Op(op, x.Type, n.at(x, w))}
			return
		}
	}
}
