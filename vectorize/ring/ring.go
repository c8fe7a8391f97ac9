// Package ring finds tables that a loop goes round in, again and again: the key that a text is combined with, the weights of
// the hours of a day.
//
//	dst[i] = src[i] ^ key[i%len(key)]
//
// Such loops are done in stretches between two jumps, which are as short as the table. A copy of the table that holds it several
// times has longer ones, and the same element at each remainder: with r the remainder of x by m*n, r by n is that of x by n.
package ring

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Of is the table that the loop of r goes round in, nil for none. All that the loop does with the table is to load elements at
// remainders by a number, and all that it does with the number is to take these remainders.
func Of(r *plan.Region) *plan.Ring {
	f := &finder{r: r, uses: r.Fn.Uses()}
	for v := range r.Fn.Values {
		if n, mask := f.divisor(v); n != nil {
			return f.around(n, mask)
		}
	}
	return nil
}

type finder struct {
	r    *plan.Region
	uses map[*vir.Value][]*vir.Value
}

// divisor is the number by which v is a remainder, or, for powers of two, the mask: one less than the number.
func (f *finder) divisor(v *vir.Value) (n *vir.Value, mask bool) {
	switch v.Op {
	case vir.OpSrem, vir.OpUrem:
		if x, n := v.Args[0], v.Args[1]; f.isNumber(n) && x != n && !edit.Divides(x.Op) { // a quotient goes round slowly
			return n, false
		}
	case vir.OpAnd:
		for i, m := range v.Args {
			switch n := oneMore(m); {
			case v.Args[1-i] == m:
			case f.isNumber(m):
				return m, true
			case n != nil && f.isNumber(n) && v.Args[1-i] != n:
				return n, false
			}
		}
	}
	return nil, false
}

// oneMore is x for x - 1.
func oneMore(v *vir.Value) *vir.Value {
	if v.Op != vir.OpAdd && v.Op != vir.OpSub {
		return nil
	}
	if c, ok := v.Args[1].ConstInt(); ok && (v.Op == vir.OpSub && c == 1 || v.Op == vir.OpAdd && c == -1) {
		return v.Args[0]
	}
	return nil
}

// isNumber reports whether v is a number of 64 bits that is the same in all iterations.
func (f *finder) isNumber(v *vir.Value) bool {
	return v.Op == vir.OpParam && v.Type == vir.Scalar(vir.I64) && !f.carried(v)
}

func (f *finder) carried(p *vir.Value) bool { return f.r.StateOf(f.param(p)) >= 0 }

// around is the table whose elements are loaded at remainders by n.
func (f *finder) around(n *vir.Value, mask bool) *plan.Ring {
	table := f.table(n)
	if !f.isTable(table) {
		return nil
	}
	ring := f.made(table, n, mask)
	if mask && ring.Size == ring.Len || !f.only(table, n, mask) || !f.apart(ring) {
		return nil
	}
	return ring
}

func (f *finder) made(table, n *vir.Value, mask bool) *plan.Ring {
	return &plan.Ring{Var: -1, Table: f.param(table), Size: f.param(n), Mask: mask, Len: f.param(table.Param.Len), Elem: int64(table.Param.ElemSize)}
}

// isTable reports whether v points to elements of which it is known how many there are.
func (f *finder) isTable(v *vir.Value) bool {
	return v != nil && v.Op == vir.OpParam && !f.carried(v) && v.Param.Len != nil && v.Param.ElemSize != 0 && !f.carried(v.Param.Len)
}

// isElement reports whether u loads an element of table, or part of one, at its index.
func (f *finder) isElement(u, table *vir.Value) bool {
	size := int64(table.Param.ElemSize)
	return u.Op.IsLoad() && u.Base() == table && u.Index() != nil && u.Scale == size && u.Disp >= 0 && u.Disp+int64(u.Access().Size()) <= size
}

// table is what is loaded from at remainders by n; which one of several does not matter.
func (f *finder) table(n *vir.Value) *vir.Value {
	for v := range f.r.Fn.Values {
		if !v.Op.IsLoad() || v.Index() == nil {
			continue
		}
		if d, _ := f.divisor(v.Index()); d == n {
			return v.Base()
		}
	}
	return nil
}

func (f *finder) param(v *vir.Value) int { return slices.Index(f.r.Fn.Params, v) }

// only reports whether nothing else is done with table and n, nor with the length of the table.
func (f *finder) only(table, n *vir.Value, mask bool) bool {
	length := table.Param.Len
	isRem := func(v *vir.Value) bool {
		d, m := f.divisor(v)
		return d == n && m == mask
	}
	checks := func(u *vir.Value) bool { return u.Op == vir.OpCheckIndex && u.Args[1] == length && isRem(u.Args[0]) }
	reads := func(u *vir.Value) bool { return f.isElement(u, table) && isRem(u.Index()) }
	takes := func(u *vir.Value) bool {
		return isRem(u) && f.all(u, func(w *vir.Value) bool { return reads(w) || checks(w) })
	}
	divides := func(u *vir.Value) bool {
		return u.Op == vir.OpCheckDiv || takes(u) || !mask && oneMore(u) == n && f.all(u, takes)
	}
	return f.all(table, reads) &&
		f.all(n, func(u *vir.Value) bool { return divides(u) || n == length && checks(u) }) &&
		(n == length || f.all(length, checks))
}

func (f *finder) all(v *vir.Value, ok func(*vir.Value) bool) bool {
	return !slices.ContainsFunc(f.uses[v], func(u *vir.Value) bool { return !ok(u) })
}

// apart adds the tests that the loop stores to nothing of the table, false where it is not known where it stores to.
func (f *finder) apart(ring *plan.Ring) bool {
	sc := scev.New(f.r)
	table, known := sc.Whole(ring.Table)
	if !known {
		return false
	}
	seen := make(map[int]bool)
	for v := range f.r.Fn.Values {
		if !v.Op.IsStore() || seen[f.param(v.Base())] {
			continue
		}
		p := f.param(v.Base())
		if p < 0 || f.carried(v.Base()) {
			return false
		}
		stored, known := sc.Whole(p)
		if !known {
			return false
		}
		seen[p] = true
		ring.Apart = append(ring.Apart, plan.Overlap{A: table, B: stored, Disjoint: true})
	}
	return true
}
