package vectorize

import (
	"reflect"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// Widen adds to k, a kernel of r, what it does on CPUs of level wide, of which t is the
// target: the kernel that r has there, if callers call it in the same way, otherwise the
// same operations. Kernels of straight-line code, which are short, stay as they are. Of a kernel
// made by Rows, along are the clauses of the loop along a row; nil for others.
func Widen(k *plan.Kernel, r *plan.Region, along *plan.Clauses, wide *target.Target, opt Options) {
	if r.Once {
		return
	}
	k.Wide, k.WideMin = k.Fn, k.Min
	opt.Dump, opt.Watch = nil, nil
	var w *plan.Kernel
	if along != nil {
		w, _ = Rows(r, *along, wide, opt)
	} else {
		w, _ = Run(r, wide, opt)
	}
	if w != nil && k.Short > 0 {
		w = ByLength(r, w, k.Short, wide, opt)
	}
	if w != nil && calledAlike(k, w) {
		k.Wide, k.WideMin = w.Fn, w.Min
		serveBoth(k, w)
	}
}

// serveBoth makes calls of k such that w may be called instead: for no more iterations than either takes, of streams that are as
// far apart as either wants, and with as many iterations over what stops one as either has in a block.
func serveBoth(k, w *plan.Kernel) {
	k.Strip = min(k.Strip, w.Strip)
	if k.Partial {
		k.Block = max(k.Block, w.Block)
	}
	for i := range k.Overlaps {
		o := &k.Overlaps[i]
		o.Lo, o.Hi = min(o.Lo, w.Overlaps[i].Lo), max(o.Hi, w.Overlaps[i].Hi)
	}
}

// WideOnly vectorizes region r, which has no kernel otherwise, for CPUs of level wide alone.
func WideOnly(r *plan.Region, wide *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	opt.Dump, opt.Watch = nil, nil
	return Run(r, wide, opt)
}

// calledAlike reports whether calls of a may call b instead, once they serve both.
func calledAlike(a, b *plan.Kernel) bool {
	plain := func(k *plan.Kernel) plan.Kernel {
		p := *k
		p.Fn, p.Level, p.Min, p.Wide, p.WideMin = nil, "", 0, nil, 0
		p.InnerMin, p.InnerTotal, p.InnerEach, p.InnerJoined = 0, 0, 0, 0 // about as many
		p.Strip, p.Block = 0, 0
		p.Overlaps = slices.Clone(k.Overlaps)
		for i := range p.Overlaps {
			p.Overlaps[i].Lo, p.Overlaps[i].Hi = 0, 0
		}
		return p
	}
	x, y := plain(a), plain(b)
	if !x.Complete && !x.Partial {
		y.Complete = false // who asks how many iterations are done hears that all are
	}
	if y.Rest {
		y.Rest, y.Redo, y.RedoApart = x.Rest, x.Redo, x.RedoApart // who asks for some again hears that they are done
	}
	return plan.SameSignature(a.Fn, b.Fn) && reflect.DeepEqual(x, y)
}
