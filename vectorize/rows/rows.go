// Package rows puts the scalar loop around a vectorized loop into the kernel: one
// call for many rows of a matrix instead of one for each.
//
//	for i := range rows {             header: i, rows done, fuel
//		t := a[i*n+k]                     scalar code; checks hand over
//		for j := range n {                row: trip count, bounds, overlaps; else hand over
//			c[i*n+j] += t * b[j]          the kernel of the inner loop, inlined
//		}                             latch
//	}                             stop: rows done, variables of the outer loop
//
// Split takes the inner loop out as a region of its own, which is vectorized like
// any other. Join puts the kernel back in its place. At the start of each row it
// computes what a twin computes before a call. When a test fails the kernel returns
// before that iteration of the outer loop: the caller does it in the user's code. So
// every test stands before the first store of the iteration; checks behind one are
// moved to its start, where failing too often costs time only.
//
// A call has fuel for so many iterations of the inner loop, with an allowance for
// each row; a row that would take half of it is handed over, since only the caller
// can cut it into strips.
//
// Rows that adjoin, each of which goes on where the one before has ended, are done
// together: see flat.go and adjoin.go.
//
// Requires: a region as the frontend makes it, with one loop inside that has no
// loops itself, is left by its condition only and reached in every iteration, or skipped as skip.go says.
// Not handled: inner kernels that stop early, or leave iterations over.
//
// The package knows vir and plans. It must not know how loops are vectorized.
package rows

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Nest is a loop with one loop in it.
type Nest struct {
	Inner *plan.Region // the loop inside, as a region
	Brief bool         // calls do a row or two: for tests

	original *plan.Region
	region   *plan.Region // the outer one; Fn is a copy that Join changes
	sc       *scev.Info   // of the original
	trip     plan.Trip
	bounds   []plan.Bound

	loop   *loops.Loop
	header *vir.Block // of the inner loop
	pre    *vir.Block // jumps to it
	behind *vir.Block // follows it
	live   []*vir.Value
	phis   []*vir.Value // of its header, one per state of Inner
	stores bool         // the inner loop stores
	flat   *flat        // nil unless rows adjoin
	skips  bool         // some iterations have no turn because they skip the inner loop
}

// Adjoining reports whether rows adjoin, so that a call does many of them as one.
func (n *Nest) Adjoining() bool { return n.flat != nil }

const id = "loopvec:OneRowPerCall"

// Split takes the nest of r apart. Clauses are those of the inner loop.
func Split(r *plan.Region, clauses plan.Clauses) (*Nest, error) {
	n := &Nest{original: r, sc: scev.New(r)}
	var err error
	if n.trip, n.bounds, err = n.sc.Trip(); err != nil {
		return nil, pass.Refuse(id, nil, "%v", err)
	}
	c := *r
	c.Fn = r.Fn.Clone()
	n.region = &c
	for _, step := range []func() error{n.find, n.shape, n.uses} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	n.lift()
	n.liftHeaders()
	n.extract(clauses, n.keepHeld())
	if !n.skips {
		n.asFlat()
	}
	return n, nil
}

func (n *Nest) fn() *vir.Func { return n.region.Fn }

func (n *Nest) outerHeader() *vir.Block { return n.fn().Blocks[1] }
func (n *Nest) exit() *vir.Block        { return n.fn().Blocks[len(n.fn().Blocks)-1] }
func (n *Nest) latch() *vir.Block       { return plan.Latch(n.fn()) }

// find finds the inner loop.
func (n *Nest) find() error {
	forest := loops.Find(n.fn())
	outer := forest.Of(n.outerHeader())
	switch {
	case forest.Irreducible || outer == nil || outer.Header != n.outerHeader():
		return pass.Refuse(id, nil, "the loop has no simple form")
	case len(outer.Children) == 0:
		return pass.Refuse(id, nil, "the loop inside has become copies of its body, which a kernel of both has no lanes for")
	case len(outer.Children) != 1 || len(outer.Children[0].Children) != 0:
		return pass.Refuse(id, nil, "the loop contains several others")
	case !outer.EndsAtHeader():
		return pass.Refuse(id, nil, "the loop is left from inside")
	}
	n.loop = outer.Children[0]
	n.header = n.loop.Header
	return nil
}

// shape looks at the edges around the inner loop.
func (n *Nest) shape() error {
	l := n.loop
	if !l.EndsAtHeader() || len(l.Latches) != 1 || len(n.header.Preds) != 2 {
		return pass.Refuse(id, nil, "the inner loop is left from inside")
	}
	n.behind = l.Exits[0].To
	for _, p := range n.header.Preds {
		if !l.Contains(p) {
			n.pre = p
		}
	}
	term := n.header.Term()
	if n.pre == nil || n.pre.Term().Op != vir.OpJmp || term.Op != vir.OpBr || l.Contains(term.Block.Succs[1]) {
		return pass.Refuse(id, nil, "the inner loop has no simple form")
	}
	if l.Latches[0] == n.header || l.Latches[0].Term().Op != vir.OpJmp {
		return pass.Refuse(id, nil, "the inner loop has no simple form")
	}
	if loops.DomTree(n.fn()).Dominates(n.pre, n.latch()) {
		return nil
	}
	if n.skips = n.skip(); !n.skips {
		return pass.Refuse(id, nil, "the inner loop is not reached in every iteration")
	}
	return nil
}

// uses allows what leaves the inner loop to be phis of its header alone.
func (n *Nest) uses() error {
	inner := func(v *vir.Value) bool { return v.Block != nil && n.loop.Contains(v.Block) }
	for v := range n.fn().Values {
		switch {
		case v.Op == vir.OpExit:
			return pass.Refuse(id, v, "the loop is left from inside")
		case inner(v) && v.Op.IsStore():
			n.stores = true
		case v.Type.IsVector():
			return pass.Refuse(id, v, "the nest is not scalar")
		}
		if inner(v) {
			continue
		}
		for _, a := range v.Args {
			if inner(a) && (a.Op != vir.OpPhi || a.Block != n.header) {
				return pass.Refuse(id, v, "a value of the inner loop is used behind it")
			}
		}
	}
	return nil
}
