package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An address is where an access is in iteration 0, and how it goes on.
type address struct {
	base    *vir.Value // computed in the entry
	disp    int64
	step    int64
	reverse bool // neighbours, downwards: the index runs down with positive scale
}

// A streamBase is a register that several accesses of one parameter share:
// their offsets differ by constants.
type streamBase struct {
	param int
	off   *plan.Expr
	ptr   *vir.Value
}

// address finds or makes the address of access a.
func (e *emitter) address(a *dep.Access) address {
	if ad, ok := e.addrs[a.Inst]; ok {
		return ad
	}
	s := a.Stream
	ad := address{step: s.Step, reverse: s.Step == -s.Size}
	ad.base, ad.disp = e.base(s)
	e.addrs[a.Inst] = ad
	return ad
}

func (e *emitter) base(s plan.Stream) (*vir.Value, int64) {
	for _, b := range e.bases {
		d, ok := scev.Diff(s.Off, b.off)
		if ok && b.param == s.Param && math.MinInt32 <= d && d <= math.MaxInt32 {
			return b.ptr, d
		}
	}
	// The constant part stays a displacement, so that x[i] and x[i+1] share.
	off, c := splitConst(s.Off)
	p := e.live(e.l.region.Fn.Params[s.Param])
	ptr := p
	if x := e.expr(off); !isZero(x) {
		ptr = e.setup.Op(vir.OpPtradd, p.Type, p, x)
	}
	e.bases = append(e.bases, streamBase{s.Param, off, ptr})
	return ptr, c
}

func isZero(v *vir.Value) bool { return isInt(v, 0) }

func isInt(v *vir.Value, x int64) bool {
	c, ok := v.ConstInt()
	return ok && c == x
}

// splitConst takes a small constant term off x.
func splitConst(x *plan.Expr) (rest *plan.Expr, c int64) {
	small := func(c int64) bool { return math.MinInt32 <= c && c <= math.MaxInt32 }
	switch {
	case x.Op == plan.ExprConst && small(x.Const):
		return plan.Const(0), x.Const
	case x.Op == plan.ExprAdd && x.Y.Op == plan.ExprConst && small(x.Y.Const):
		return x.X, x.Y.Const
	}
	return x, 0
}

// at is the address of the block that starts with iteration t. Going down over
// neighbours, the index runs negative.
func (w *widener) at(ad address) vir.Addr {
	t, step := w.t, ad.step
	if ad.reverse {
		step = -step
		if w.down == nil {
			w.down = w.b.Op(vir.OpSub, t.Type, w.e.zero, t)
		}
		t = w.down
	}
	return vir.Addr{Base: ad.base, Index: t, Scale: step, Disp: ad.disp}
}
