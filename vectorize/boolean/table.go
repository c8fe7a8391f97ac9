package boolean

import "github.com/lanewise/lanewise/vir"

// A table holds truth values as functions of at most maxAtoms conditions that are
// not taken apart: bit r of a column is the value where condition k is bit k of r.
type table struct {
	atoms []*vir.Value
	seen  map[*vir.Value]uint64
	steps int
	full  bool // there are more conditions than the table has room for
}

const (
	maxAtoms = 6
	maxSteps = 64 // operations taken apart
)

// atom k alone, for all rows.
var columns = [maxAtoms]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// both are the columns of x and y in the rows that can be.
// It reports false where there are too many conditions.
func both(x, y *vir.Value) (cx, cy uint64, ok bool) {
	cols, _, ok := columnsOf(x, y)
	if !ok {
		return 0, 0, false
	}
	return cols[0], cols[1], true
}

// columnsOf are the columns of xs in the rows that can be, and those rows.
// It reports false where there are too many conditions.
func columnsOf(xs ...*vir.Value) (cols []uint64, rows uint64, ok bool) {
	t := &table{seen: make(map[*vir.Value]uint64)}
	for _, x := range xs {
		cols = append(cols, t.column(x))
	}
	if t.full {
		return nil, 0, false
	}
	rows = t.possible()
	for i := range cols {
		cols[i] &= rows
	}
	return cols, rows, true
}

func (t *table) column(v *vir.Value) uint64 {
	if c, ok := t.seen[v]; ok {
		return c
	}
	c := t.operation(v)
	t.seen[v] = c
	return c
}

func (t *table) operation(v *vir.Value) uint64 {
	if t.steps++; t.steps > maxSteps {
		t.full = true
		return 0
	}
	arg := func(k int) uint64 { return t.column(v.Args[k]) }
	if bits, ok := v.IsConst(); ok {
		return -(bits & 1)
	}
	switch v.Op {
	case vir.OpNot:
		return ^arg(0)
	case vir.OpAnd:
		return arg(0) & arg(1)
	case vir.OpOr:
		return arg(0) | arg(1)
	case vir.OpXor:
		return arg(0) ^ arg(1)
	}
	return t.atom(v)
}

// atom is the column of a condition, or of the inverse of one that is known.
func (t *table) atom(v *vir.Value) uint64 {
	for k, a := range t.atoms {
		if inverseCompares(v, a) {
			return ^columns[k]
		}
	}
	if len(t.atoms) == maxAtoms {
		t.full = true
		return 0
	}
	t.atoms = append(t.atoms, v)
	return columns[len(t.atoms)-1]
}

// possible is the rows in which no comparisons contradict each other.
func (t *table) possible() uint64 {
	rows := ^uint64(0)
	for i, x := range t.atoms {
		for _, k := range []kind{signed, unsigned, floats} {
			if compares[x.Op].kind&k != 0 {
				rows &= t.ordered(x, k)
			}
		}
		for j, y := range t.atoms[:i] {
			if x.Op == vir.OpIcmpEq && y.Op == vir.OpIcmpEq && x.Args[0] == y.Args[0] && differ(x.Args[1], y.Args[1]) {
				rows &^= columns[i] & columns[j] // one number cannot equal two
			}
		}
	}
	return rows
}

// ordered is the rows in which the comparisons of the operands of x agree: two
// numbers relate in exactly one way.
func (t *table) ordered(x *vir.Value, k kind) uint64 {
	rows := uint64(0)
	for _, o := range []order{less, equal, greater, unordered} {
		if o == unordered && k != floats {
			continue
		}
		agree := ^uint64(0)
		for j, y := range t.atoms {
			c := compares[y.Op]
			in := c.in
			switch {
			case c.kind&k == 0:
				continue
			case y.Args[0] == x.Args[0] && y.Args[1] == x.Args[1]:
			case y.Args[0] == x.Args[1] && y.Args[1] == x.Args[0]:
				in = mirror(in)
			default:
				continue
			}
			if in&o != 0 {
				agree &= columns[j]
			} else {
				agree &^= columns[j]
			}
		}
		rows |= agree
	}
	return rows
}

// An order is a way in which two numbers relate, or a set of them.
type order uint8

const (
	less order = 1 << iota
	equal
	greater
	unordered
)

// differ reports whether x and y are different integer constants.
func differ(x, y *vir.Value) bool {
	c, ok := x.ConstInt()
	d, ok2 := y.ConstInt()
	return ok && ok2 && x.Type.Elem.IsInt() && c != d
}

func mirror(s order) order {
	m := s &^ (less | greater)
	if s&less != 0 {
		m |= greater
	}
	if s&greater != 0 {
		m |= less
	}
	return m
}

type kind uint8

const (
	signed kind = 1 << iota
	unsigned
	floats
)

// compares are the orders that a comparison holds for, and of which numbers.
var compares = map[vir.Op]struct {
	kind kind
	in   order
}{
	vir.OpIcmpEq:  {signed | unsigned, equal},
	vir.OpIcmpNe:  {signed | unsigned, less | greater},
	vir.OpIcmpSlt: {signed, less},
	vir.OpIcmpSle: {signed, less | equal},
	vir.OpIcmpUlt: {unsigned, less},
	vir.OpIcmpUle: {unsigned, less | equal},
	vir.OpFcmpEq:  {floats, equal},
	vir.OpFcmpNe:  {floats, less | greater | unordered},
	vir.OpFcmpLt:  {floats, less},
	vir.OpFcmpLe:  {floats, less | equal},
}
