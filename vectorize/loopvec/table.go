package loopvec

import (
	"math/bits"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Lookups in tables that fit into registers, tab[x[i]&15], and in keys that
// repeat, key[i&3].
//
// A table is a constant, or an array that no store of the loop may touch. It is
// loaded once per call. The elements of a key, which no store may touch either,
// are loaded once per call in the order in which the iterations use them; blocks start at multiples of their
// lanes, so that a period that divides these gives the same lanes to all blocks.

// tableLanes is the number of lanes of the table that a looks up; 0 when there is
// none. What lies behind the end of the table is never looked up.
func (l *loop) tableLanes(a *dep.Access) int {
	p := l.region.Fn.Params[a.Stream.Param].Param
	size := a.Stream.Size
	if !l.staysSame(a) || a.Kind != dep.Indexed && a.Kind != dep.Periodic || int64(p.ElemSize) != size || a.Scale != size || p.FixedLen < 2 {
		return 0
	}
	if c, ok := isConstExpr(a.Stream.Off); !ok || c != 0 {
		return 0
	}
	n := 1 << bits.Len64(uint64(p.FixedLen-1))
	n = max(n, 16/int(size))
	if n*int(size) > 256 {
		return 0
	}
	if p.Content == "" && (int64(n) != p.FixedLen || l.region.Clauses.Independent && l.stores()) {
		return 0
	}
	t := vir.Vec(a.Inst.Type.Elem, 32/int(size))
	if l.target.PermuteCost(t, n).Throughput > l.target.GatherCost(t, vir.I32, a.Inst.Masked).Throughput {
		return 0
	}
	return n
}

// staysSame reports whether the loop stores nothing to the memory that a loads
// from. An iteration may well store to tab[i&7] what the one after the next seven
// reads: that keeps the order of accesses, but the table is another one in the
// next block. Memory of other parameters is tested to be disjoint.
func (l *loop) staysSame(a *dep.Access) bool {
	for i := range l.dp.Accesses {
		if b := &l.dp.Accesses[i]; b.Store && b.Stream.Param == a.Stream.Param {
			return false
		}
	}
	return !a.Store
}

func (l *loop) stores() bool {
	for i := range l.dp.Accesses {
		if l.dp.Accesses[i].Store {
			return true
		}
	}
	return false
}

// lookUp is the lanes of table access a.
func (w *widener) lookUp(a *dep.Access) *vir.Value {
	e := vir.IntElem(int(a.Stream.Size))
	var x *vir.Value
	if isNarrow(a.Index) {
		x = w.extended(a.Index, e)
	} else {
		x = w.value(a.Index)
	}
	if x.Type.Elem.Size() > e.Size() {
		x = w.b.Op(vir.OpTrunc, x.Type.WithElem(e), x)
	}
	return w.b.Permute(w.e.table(a), x)
}

// table is the content of the table of access a.
func (e *emitter) table(a *dep.Access) *vir.Value {
	if t := e.tables[a.Stream.Param]; t != nil {
		return t
	}
	p := e.l.region.Fn.Params[a.Stream.Param]
	size := int(a.Stream.Size)
	t := vir.Vec(a.Inst.Type.Elem, e.l.tableLanes(a))
	var x *vir.Value
	if p.Param.Content == "" {
		x = e.setup.Load(vir.OpLoadUnit, t, vir.Addr{Base: e.live(p)}, nil)
	} else {
		lanes := make([]uint64, t.Lanes)
		for k := range lanes {
			lanes[k], _ = p.Param.Known(int64(k*size), size) // 0 behind the table
		}
		x = e.setup.Lanes(t, lanes)
	}
	x.Name = p.Name
	e.tables[a.Stream.Param] = x
	return x
}

func isConstExpr(x *plan.Expr) (int64, bool) { return x.Const, x.Op == plan.ExprConst }

// maxPeriod is the longest period of a key that is kept in registers.
const maxPeriod = 32

// isRotated reports whether a reads a key: by the low bits of an induction, in
// memory that is known to have them all.
func (l *loop) isRotated(a *dep.Access) bool {
	if a.Kind != dep.Periodic || a.Modulus&(a.Modulus-1) != 0 || a.Period > maxPeriod || a.Period&(a.Period-1) != 0 {
		return false
	}
	return l.holdsKey(a)
}

// holdsKey reports whether all elements that periodic load a may need are known
// to be there, and stay as they are during a call.
func (l *loop) holdsKey(a *dep.Access) bool {
	if c, ok := isConstExpr(a.Stream.Off); !ok || c != 0 || !l.staysSame(a) || l.region.Clauses.Independent && l.stores() {
		return false
	}
	param := l.region.Fn.Params[a.Stream.Param]
	p := param.Param
	if int64(p.ElemSize) != a.Scale || a.Stream.Size > a.Scale {
		return false
	}
	if p.FixedLen > 0 {
		return p.FixedLen >= a.Modulus
	}
	for _, c := range l.insts {
		if c.Op == vir.OpCheckIndex && c.Args[0] == a.Inst.Index() && c.Args[1] == p.Len && l.checkForm(c) == checkRange && a.Index == a.Inst.Index() {
			return true
		}
	}
	return false
}

// turn is the number whose low bits are the index of key access a.
func turn(a *dep.Access) *vir.Value {
	v := a.Index
	if v.Op == vir.OpZext && v.Args[0].Type.Elem.IsInt() {
		v = v.Args[0]
	}
	if _, ok := v.Args[0].ConstInt(); ok && v.Op == vir.OpAnd {
		return v.Args[1]
	}
	return v.Args[0]
}

// rotated is the lanes of key access a.
func (w *widener) rotated(a *dep.Access) *vir.Value {
	period := int(a.Period)
	if w.lanes%period != 0 {
		return w.fromKey(w.b, a, w.t, w.lanes)
	}
	all := w.e.keys[a.Inst]
	if all == nil {
		all = w.e.key(a)
		w.e.keys[a.Inst] = all
	}
	n := all.Type.Lanes
	if w.lanes <= n {
		return w.part(all, 0, w.lanes)
	}
	parts := make([]*vir.Value, w.lanes/n)
	for i := range parts {
		parts[i] = all
	}
	return w.concat(parts)
}

// key is as many lanes of a key as fill a register, from iteration 0 on.
func (e *emitter) key(a *dep.Access) *vir.Value {
	period := int(a.Period)
	w := &widener{e: e, b: e.setup}
	once := w.fromKey(e.setup, a, e.zero, period)
	n := max(period, e.l.target.Lanes(a.Inst.Type.Elem))
	if n == period {
		return once
	}
	lanes := make([]int, n)
	for k := range lanes {
		lanes[k] = k % period
	}
	return e.setup.Shuffle(vir.Vec(a.Inst.Type.Elem, n), lanes, once, nil)
}

// fromKey loads n elements of a key one by one, from iteration t on.
func (w *widener) fromKey(b *vir.Builder, a *dep.Access, t *vir.Value, n int) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	aff, _ := w.e.l.sc.Affine(turn(a))
	ad := w.e.address(a)
	x := b.Op(vir.OpPoison, vir.Vec(a.Inst.Type.Elem, n))
	at := b.Op(vir.OpAdd, i64, b.Op(vir.OpMul, i64, t, b.Int(i64, aff.Step)), w.e.expr(aff.Start))
	for k := range n {
		i := b.Op(vir.OpAnd, i64, at, b.Int(i64, a.Modulus-1))
		x = b.Insert(x, b.Load(vir.OpLoad, a.Inst.Type, vir.Addr{Base: ad.base, Index: i, Scale: a.Scale, Disp: ad.disp}, nil), k)
		at = b.Op(vir.OpAdd, i64, at, b.Int(i64, aff.Step))
	}
	return x
}
