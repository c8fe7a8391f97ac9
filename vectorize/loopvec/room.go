package loopvec

import (
	"slices"
	"sync"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Loops that are left where there is no more room: a counter has reached a limit.
//
//	if v > lim {
//		if k >= len(out) {               exit (v > lim) & (len(out) <= k)
//			break               ==>  check.index k, len(out) mask v > lim
//		}
//		out[k] = v
//		k++
//	}
//
// A kernel stops before the block in which a check fails, whatever that is about: the scalar
// code does the block, and leaves the loop there.

// Room makes such checks of exits. Behind it the region panics where it was left: it is the
// region of a kernel.
func Room(u *pass.Unit) error {
	counts := sync.OnceValue(func() *scev.Info { return scev.New(u.Region) }) // few loops ask
	for _, v := range slices.Collect(u.Region.Fn.Values) {
		if v.Op != vir.OpExit || v.Masked {
			continue
		}
		conds := conjuncts(literal{v.Args[0], false}, nil)
		for i, c := range conds {
			if r, ok := reached(counts(), c); ok && u.Count() {
				r.check(v, slices.Delete(conds, i, i+1))
				break
			}
		}
	}
	return nil
}

// A room is what a counter has: it stays below a limit, or does not pass it.
type room struct {
	counter, limit *vir.Value
	passed         bool
}

// reached reads c as the condition that a counter has reached a limit.
func reached(sc *scev.Info, cond literal) (r room, ok bool) {
	c, negated := cond.v, cond.not
	if len(c.Args) != 2 {
		return room{}, false
	}
	x, y := c.Args[0], c.Args[1]
	switch {
	case c.Op == vir.OpIcmpSle && !negated: // limit <= counter
		r = room{y, x, false}
	case c.Op == vir.OpIcmpSlt && negated: // not counter < limit
		r = room{x, y, false}
	case c.Op == vir.OpIcmpSlt: // limit < counter
		r = room{y, x, true}
	case c.Op == vir.OpIcmpSle: // not counter <= limit
		r = room{x, y, true}
	case c.Op == vir.OpIcmpEq && !negated || c.Op == vir.OpIcmpNe && negated:
		r = room{x, y, false}
		if _, ok := sc.Counted(x); !ok {
			r = room{y, x, false}
		}
	default:
		return room{}, false
	}
	_, counts := sc.Counted(r.counter)
	return r, counts && sc.IsInvariant(r.limit)
}

// check makes a check of exit v, under the conditions that go with the counter's. No check has
// a limit below zero.
func (r room) check(v *vir.Value, conds []literal) {
	f := v.Block.Func
	before := func(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
		x := f.NewValue(op, t, args...)
		edit.Before(x, v)
		return x
	}
	number := func(c uint64) *vir.Value {
		x := before(vir.OpConst, r.limit.Type)
		x.Bits = []uint64{c}
		return x
	}
	limit := r.limit
	if r.passed { // wraps to one that nothing stays below
		limit = before(vir.OpAdd, limit.Type, limit, number(1))
	}
	if !f.IsLength(limit) {
		limit = before(vir.OpSmax, limit.Type, limit, number(0))
	}
	v.Op, v.Args = vir.OpCheckIndex, []*vir.Value{r.counter, limit}
	if mask := conjunction(nil, conds, before); mask != nil {
		v.SetMask(mask)
	}
}
