package gen

import (
	"strings"

	"github.com/lanewise/lanewise/vir"
)

// Small expressions, numbered, so that tests can go through all of them, or through some that
// are spread evenly. A shape says where operations of which kind stand:
//
//	B binary   U unary   K comparison   G logic of conditions   N its complement
//	C choice   Z number of a condition   E extension   T low or high half   L leaf
//
// Each letter is a digit of the expression's number.

// TreeShapes are the shapes, those with few expressions first.
var TreeShapes = []string{
	"UL", "BLL", "UBLL", "BULL", "BLUL", "UUL",
	"ZKLL", "CKLLLL", "TBELEL", "ZKELEL",
	"BBLLL", "BLBLL", "ZNKLL", "CNKLLLL", "UCKLLLL",
	"BBLLBLL", "BBBLLLL", "BLBLBLL", "CKBLLLLL", "CKLLBLLL", "CKLLLBLL", "BCKLLLLL", "CKLLUBLLL",
	"TBBELELEL", "TBELBELEL", "ZKBELELEL", "TCKELELELEL", "BTBELELL",
	"ZGKLLKLL", "CGKLLKLLLL", "CGNKLLKLLLL", "CKLLCKLLLLL", "CKLLLCKLLLL", "ZGGKLLKLLKLL", "ZGKLLGKLLNKLL",
}

var treeOps = map[byte][]vir.Op{
	'B': {vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpRotl,
		vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax, vir.OpUdiv, vir.OpUrem, vir.OpSdiv, vir.OpSrem},
	'U': {vir.OpNeg, vir.OpNot, vir.OpPopcnt, vir.OpClz, vir.OpCtz, vir.OpBitrev},
	'K': {vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle},
	'G': {vir.OpAnd, vir.OpOr, vir.OpXor},
	'E': {vir.OpZext, vir.OpSext},
	'Z': {vir.OpZext, vir.OpSext},
}

// treeConsts are the constants among leaves; the first two leaves are variables.
var treeConsts = []int64{0, 1, 2, 3, 7, 8, 127, -128, -1}

// radix is the number of choices at a letter.
func radix(letter byte) uint64 {
	switch letter {
	case 'L':
		return uint64(2 + len(treeConsts))
	case 'T':
		return 2
	case 'C', 'N':
		return 1
	}
	return uint64(len(treeOps[letter]))
}

// Trees is the number of expressions of a shape; the largest number where there are more.
func Trees(shape string) uint64 {
	n := uint64(1)
	for i := range len(shape) {
		if n > 1<<50 {
			return n
		}
		n *= radix(shape[i])
	}
	return n
}

// Tree builds expression number n of a shape over x and y, which are integers of less than 64 bits,
// scalars or vectors.
func Tree(b *vir.Builder, shape string, n uint64, x, y *vir.Value) *vir.Value {
	t := &treeMaker{b: b, n: n, x: x, y: y, typ: x.Type}
	return t.next(strings.NewReader(shape))
}

type treeMaker struct {
	b    *vir.Builder
	n    uint64
	x, y *vir.Value
	typ  vir.Type
}

func (t *treeMaker) digit(letter byte) int {
	r := radix(letter)
	d := t.n % r
	t.n /= r
	return int(d)
}

func (t *treeMaker) next(r *strings.Reader) *vir.Value {
	letter, err := r.ReadByte()
	if err != nil {
		panic("gen: a shape ends too soon")
	}
	d := t.digit(letter)
	op := vir.OpInvalid
	if ops := treeOps[letter]; ops != nil {
		op = ops[d]
	}
	switch letter {
	case 'L':
		return t.leaf(d)
	case 'U':
		x := t.next(r)
		return t.b.Op(op, x.Type, x)
	case 'B', 'G':
		x := t.next(r)
		y := t.next(r)
		return t.b.Op(op, x.Type, x, y)
	case 'N':
		x := t.next(r)
		return t.b.Op(vir.OpNot, x.Type, x)
	case 'K':
		x := t.next(r)
		return t.b.Cmp(op, x, t.next(r))
	case 'Z':
		return t.b.Op(op, t.typ, t.next(r))
	case 'E':
		return t.b.Op(op, t.double(), t.next(r))
	case 'T':
		x := t.next(r)
		if d == 1 {
			x = t.b.Op(vir.OpLshr, x.Type, x, t.b.Int(x.Type, int64(t.typ.Elem.Bits())))
		}
		return t.b.Op(vir.OpTrunc, t.typ, x)
	case 'C':
		c := t.next(r)
		x := t.next(r)
		choose := vir.OpSelect
		if c.Type.IsVector() {
			choose = vir.OpBlend
		}
		return t.b.Op(choose, x.Type, c, x, t.next(r))
	}
	panic("gen: no letter of shapes: " + string(letter))
}

func (t *treeMaker) leaf(d int) *vir.Value {
	switch d {
	case 0:
		return t.x
	case 1:
		return t.y
	}
	return t.b.Int(t.typ, treeConsts[d-2])
}

// double has elements of twice the size.
func (t *treeMaker) double() vir.Type { return t.typ.WithElem(vir.IntElem(2 * t.typ.Elem.Size())) }
