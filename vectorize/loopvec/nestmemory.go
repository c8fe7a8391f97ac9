package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Rows whose pointers the loop loads. They may be the same in all lanes,
//
//	for j := range out {                          p = b[k]'s pointer
//		for k := range b { s += b[k][j] }         out of [out+j, out+j+lanes)?  else the block is handed over
//		out[j] = s                                load [p + j*8]
//
// or each lane has its own, which it loads where it is used. Nothing tells before the loop where they are. What a turn
// loads, or all of a lane's row, is compared with what the block is going to store: lanes store behind all loads of the
// block, which may not see it.

// isRow reports whether v loads from such a row.
func (l *loop) isRow(v *vir.Value) bool { return slices.Contains(l.dp.Rows, v) }

// rowRules refuses rows that are not done from the address of the first lane on, or by scalars, and stores that
// cannot be told apart from them.
func (l *loop) rowRules() error {
	for _, v := range l.dp.Rows {
		if f := l.innerForm(v); f != innerUniform && f != innerUnit && f != innerReverse && (f != innerSpread || l.uniform(v.Base())) {
			return pass.Refuse("loopvec:Rows", v, "each iteration works on a slice of its own")
		}
	}
	if l.region.Clauses.Independent {
		return nil
	}
	for _, v := range l.dp.Rows {
		for i := range l.dp.Accesses {
			a := &l.dp.Accesses[i]
			if a.Store && (a.Kind != dep.Linear || l.innerForm(v) == innerSpread && !l.isInside(v.Base())) {
				return pass.Refuse("dep:Base", v, "a slice is not known before the loop, which stores to places that are not, either")
			}
		}
	}
	return nil
}

// isInside reports whether a block may load pointers p, and the lengths behind them, from the start: they are elements of a slice
// of slices that the number of iterations keeps in range.
func (l *loop) isInside(p *vir.Value) bool {
	of := p.Base()
	if of.Op != vir.OpParam || of.Param.Len == nil || p.Scale != int64(of.Param.ElemSize) || p.Disp != 0 || l.isLocal(p.Index()) {
		return false
	}
	index, ok := l.sc.Affine(p.Index())
	n, ok2 := l.sc.Invariant(of.Param.Len)
	if ok && ok2 && l.tripKeepsInside(index, n) {
		return true
	}
	return slices.ContainsFunc(l.insts, func(v *vir.Value) bool {
		return v.Op == vir.OpCheckIndex && !v.Masked && !l.inside(v) && v.Args[0] == p.Index() && v.Args[1] == of.Param.Len && l.checkForm(v) == checkBound
	})
}

// stored are the bytes that the block stores to with access a, as integers.
func (n *nestWriter) stored(a *dep.Access) (lo *vir.Value, size int64) {
	i64 := vir.Scalar(vir.I64)
	at := n.at(n.e.address(a))
	span, first := a.Stream.Step*int64(n.lanes-1), at.Disp
	if span < 0 { // the last lane is the lowest
		span, first = -span, first+span
	}
	t := n.b.Op(vir.OpMul, i64, at.Index, n.b.Int(i64, at.Scale))
	lo = n.b.Op(vir.OpAdd, i64, n.b.Op(vir.OpAdd, i64, n.b.Op(vir.OpBitcast, i64, at.Base), t), n.b.Int(i64, first))
	return lo, span + a.Stream.Size
}

// rowsApart begins a block: it computes where its stores go, and hands it over where that is in a row of some lane.
func (n *nestWriter) rowsApart() {
	l := n.e.l
	if len(l.dp.Rows) == 0 || l.region.Clauses.Independent {
		return
	}
	for i := range l.dp.Accesses {
		if a := &l.dp.Accesses[i]; a.Store {
			lo, size := n.stored(a)
			n.stores = append(n.stores, storedBytes{lo, size})
		}
	}
	tested := make(map[*vir.Value]bool)
	for _, v := range l.dp.Rows {
		if p := v.Base(); l.innerForm(v) == innerSpread && len(n.stores) > 0 && !tested[p] {
			tested[p] = true
			n.rowsNotStored(p, v.Scale)
		}
	}
}

// rowsNotStored tests the rows of all lanes that begin at p, of elements of so many bytes.
func (n *nestWriter) rowsNotStored(p *vir.Value, size int64) {
	i64 := vir.Scalar(vir.I64)
	for lane := range n.lanes {
		a := n.apartAddr(p, lane)
		at := n.b.Op(vir.OpBitcast, i64, n.b.Load(vir.OpLoad, p.Type, a, nil))
		a.Disp += 8
		n.notIn(n.stores, at, n.b.Op(vir.OpMul, i64, n.b.Load(vir.OpLoad, i64, a, nil), n.b.Int(i64, size)))
	}
}

// notStored hands the block over where load v of a row reads what the block is going to store.
func (n *nestWriter) notStored(v *vir.Value) {
	if !n.e.l.isRow(v) || len(n.stores) == 0 {
		return
	}
	i64 := vir.Scalar(vir.I64)
	a := n.firstAddr(v)
	at := n.b.Op(vir.OpBitcast, i64, a.Base)
	if a.Index != nil {
		at = n.b.Op(vir.OpAdd, i64, at, n.b.Op(vir.OpMul, i64, a.Index, n.b.Int(i64, a.Scale)))
	}
	size, disp := int64(v.Access().Size()), a.Disp
	if f := n.e.l.innerForm(v); f.inRow() {
		if f == innerReverse {
			disp -= size * int64(n.lanes-1)
		}
		size *= int64(n.lanes)
	}
	n.notIn(n.stores, n.b.Op(vir.OpAdd, i64, at, n.b.Int(i64, disp)), n.b.Int(i64, size))
}

// storedBytes are size bytes from address lo on.
type storedBytes struct {
	lo   *vir.Value
	size int64
}

// notIn hands the block over where some of so many bytes at an address are in one of stores: where they begin less than
// its size above it, or less than their number below.
func (n *nestWriter) notIn(stores []storedBytes, at, bytes *vir.Value) {
	i64 := vir.Scalar(vir.I64)
	for _, s := range stores {
		last := n.b.Op(vir.OpSub, i64, bytes, n.b.Int(i64, 1))
		above := n.b.Op(vir.OpAdd, i64, n.b.Op(vir.OpSub, i64, at, s.lo), last)
		n.require(n.b.Cmp(vir.OpIcmpUle, n.b.Op(vir.OpAdd, i64, last, n.b.Int(i64, s.size)), above))
	}
}
