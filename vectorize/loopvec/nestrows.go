package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/optvls"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Groups of loads in inner loops, of lanes that lie apart: a few neighbours of each row, which
// optvls brings into lanes as in transposing a matrix.
//
//	m[i*n+j], m[i*n+j+1], ...     lane 0: a0 a1 a2 a3     a0 b0 c0 d0
//	                              lane 1: b0 b1 b2 b3     a1 b1 c1 d1
//	                              lane 2: c0 c1 c2 c3     a2 b2 c2 d2
//	                              lane 3: d0 d1 d2 d3     a3 b3 c3 d3

// A rowref is a load of such a group, as the server sees it.
type rowref struct {
	l     *loop
	v     *vir.Value
	lanes int
}

func (r *rowref) Access() optvls.Access { return optvls.Access{Indexed: true} }

func (r *rowref) Type() optvls.Type {
	return optvls.Type{Bits: 8 * r.v.Access().Size(), Lanes: r.lanes}
}

// Distance is known of loads of one block with one index.
func (r *rowref) Distance(from optvls.Memref) (int64, bool) {
	v, w := r.v, from.(*rowref).v
	if v.Block != w.Block || v.Base() != w.Base() || v.Index() != w.Index() || v.Scale != w.Scale {
		return 0, false
	}
	return v.Disp - w.Disp, true
}

func (r *rowref) SameElements(optvls.Memref) bool { return true }

func (r *rowref) Stride() (int64, bool) { return 0, false }

// CanMoveTo reports whether nothing is stored on the way up, and nothing checked that may protect the load: any
// subscript, or one of lanes that lie a step apart where those of the load do.
func (r *rowref) CanMoveTo(to optvls.Memref) bool {
	insts := r.v.Block.Insts
	from, end := slices.Index(insts, r.v), slices.Index(insts, to.(*rowref).v)
	return !slices.ContainsFunc(insts[min(from, end):max(from, end)], func(v *vir.Value) bool {
		return v.Op.IsStore() || v.Op == vir.OpExit || v.Op == vir.OpCheckIndex && (r.l.hasStep(v.Args[0]) || !r.l.hasStep(r.v.Index()))
	})
}

// findRows makes groups of the loads of inner loops whose lanes lie apart.
func (l *loop) findRows(vf int) {
	if !l.isNest() {
		return
	}
	var refs []optvls.Memref
	for _, v := range l.rowAccesses() {
		if v.Op.IsLoad() {
			refs = append(refs, &rowref{l, v, vf})
		}
	}
	groups, _ := optvls.Groups(refs, l.target.VectorBytes, optvls.Options{})
	for _, s := range groups {
		if len(s.Members) < 2 {
			continue
		}
		g := l.newGroup(s, func(m optvls.Memref) *dep.Access { return l.rowAccess(m.(*rowref).v) })
		g.rows = true
		l.addGroup(g)
	}
}

// noParam is the parameter of a row that the loop loads.
const noParam = -1

// rowAccess is the access of a load of a row.
func (l *loop) rowAccess(v *vir.Value) *dep.Access {
	if l.isRow(v) {
		return &dep.Access{Inst: v, Kind: dep.Indexed, Index: v.Index(), Scale: v.Scale, Stream: plan.Stream{Param: noParam, Size: int64(v.Access().Size())}}
	}
	return l.dp.Access(v)
}
