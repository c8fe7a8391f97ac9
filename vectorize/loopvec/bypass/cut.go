package bypass

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// cut makes the region a block of its own.
func (r *region) cut(o Options) (in, end *vir.Block) {
	b, f := r.b, r.b.Func
	in, end = &vir.Block{Name: o.Name(), Func: f}, &vir.Block{Name: o.Name(), Func: f}
	var before, behind []*vir.Value
	for i, v := range b.Insts {
		switch {
		case r.in[i]:
			in.Insts = append(in.Insts, v)
			v.Block = in
		case r.pre[i]:
			before = append(before, v)
		default:
			behind = append(behind, v)
			v.Block = end
		}
	}
	b.Insts, end.Insts = before, behind
	end.Succs = b.Succs
	for _, s := range end.Succs {
		s.Preds = slices.Clone(s.Preds)
		s.Preds[s.PredIndex(b)] = end
	}
	at := slices.Index(f.Blocks, b)
	f.Blocks = slices.Insert(f.Blocks, at+1, in, end)
	r.branch(in, end)
	r.outputs(in, end)
	if o.Made != nil {
		o.Made(Region{in, end, r.guard.mask, r.cost})
	}
	return in, end
}

// branch enters the region if a lane of the guard is active.
func (r *region) branch(in, end *vir.Block) {
	b := vir.NewBuilder(r.b.Func, r.b)
	b.Pos = in.Insts[0].Pos
	m, bool := r.guard.mask, vir.Scalar(vir.Bool)
	switch {
	case m.Op == vir.OpBroadcast && r.guard.neg:
		b.Br(m.Args[0], end, in)
	case m.Op == vir.OpBroadcast:
		b.Br(m.Args[0], in, end)
	case r.guard.neg:
		b.Br(b.Op(vir.OpAll, bool, m), end, in)
	default:
		b.Br(b.Op(vir.OpAny, bool, m), in, end)
	}
	b.Cur = in
	b.Jmp(end)
}

// outputs makes phis for values of the region that are chosen from behind it.
func (r *region) outputs(in, end *vir.Block) {
	b := vir.NewBuilder(r.b.Func, end)
	for _, v := range slices.Clone(in.Insts) {
		i, ok := r.at[v]
		if !ok { // the jump behind the region
			continue
		}
		if r.isLink(v) {
			r.unless(v, in, end)
			continue
		}
		var phi *vir.Value
		for _, n := range r.uses[i] {
			if n == elsewhere || r.insts[n].Block != end {
				continue
			}
			u := r.insts[n]
			if phi == nil {
				b.Cur = r.b
				none := b.Op(vir.OpPoison, v.Type)
				// In front of the branch.
				n := len(r.b.Insts)
				r.b.Insts[n-1], r.b.Insts[n-2] = r.b.Insts[n-2], r.b.Insts[n-1]
				b.Cur, b.Pos = end, v.Pos
				phi = b.Phi(v.Type)
				phi.Name = v.Name
				for _, p := range end.Preds {
					if p == in {
						phi.Args = append(phi.Args, v)
					} else {
						phi.Args = append(phi.Args, none)
					}
				}
			}
			for k, a := range u.Args {
				if a == v {
					u.Args[k] = phi
				}
			}
		}
	}
}

// unless makes a phi for v, a step of a sum, where somebody outside of the region reads it.
func (r *region) unless(v *vir.Value, in, end *vir.Block) {
	var readers []*vir.Value
	for u := range r.b.Func.Values {
		if u.Block != in && slices.Contains(u.Args, v) {
			readers = append(readers, u)
		}
	}
	if len(readers) == 0 {
		return
	}
	b := vir.NewBuilder(r.b.Func, end)
	b.Pos = v.Pos
	phi := b.Phi(v.Type)
	phi.Name = v.Name
	for _, p := range end.Preds {
		if p == in {
			phi.Args = append(phi.Args, v)
		} else {
			phi.Args = append(phi.Args, r.unlinked(v))
		}
	}
	for _, u := range readers {
		for k, a := range u.Args {
			if a == v {
				u.Args[k] = phi
			}
		}
	}
}
