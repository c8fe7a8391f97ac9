package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Rows whose pointers inner loops load, the same in all lanes:
//
//	for j := range out {                          p = b[k]'s pointer
//		for k := range b { s += b[k][j] }         out of [out+j, out+j+lanes)?  else the block is handed over
//		out[j] = s                                load [p + j*8]
//
// Nothing tells before the loop where they are. What a turn loads is compared with what the block is going to
// store: lanes store behind all loads of the block, which may not see it.

// isRow reports whether v loads from such a row.
func (l *loop) isRow(v *vir.Value) bool { return slices.Contains(l.dp.Rows, v) }

// rowRules refuses rows that are not done from the address of the first lane on, and stores that cannot be told apart
// from them.
func (l *loop) rowRules() error {
	for _, v := range l.dp.Rows {
		if f := l.innerForm(v); f != innerUniform && f != innerUnit && f != innerReverse {
			return pass.Refuse("loopvec:PointerLanes", v, "different iterations use different pointers")
		}
	}
	for i := range l.dp.Accesses {
		a := &l.dp.Accesses[i]
		if len(l.dp.Rows) > 0 && a.Store && a.Kind != dep.Linear && !l.region.Clauses.Independent {
			return pass.Refuse("dep:Base", l.dp.Rows[0], "a slice is not known before the loop, which stores to places that are not, either")
		}
	}
	return nil
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

// rowsApart begins a block: it computes where its stores go.
func (n *nestWriter) rowsApart() {
	if len(n.e.l.dp.Rows) == 0 || n.e.l.region.Clauses.Independent {
		return
	}
	for i := range n.e.l.dp.Accesses {
		if a := &n.e.l.dp.Accesses[i]; a.Store {
			lo, size := n.stored(a)
			n.stores = append(n.stores, storedBytes{lo, size})
		}
	}
}

type storedBytes struct {
	lo   *vir.Value
	size int64
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
	for _, s := range n.stores {
		// apart if load - store, as an unsigned number, is neither in [0, s.size) nor in (-size, 0)
		d := n.b.Op(vir.OpAdd, i64, n.b.Op(vir.OpSub, i64, at, s.lo), n.b.Int(i64, disp+size-1))
		n.require(n.b.Cmp(vir.OpIcmpUle, n.b.Int(i64, size+s.size-1), d))
	}
}
