package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// body makes the function that all members of g can call: that of the first, with what is
// known of the memory behind parameters as far as it holds for all. The parameters that
// nothing uses are left out, and holes are parameters behind the others.
func (g *group) body() (*vir.Func, []*hole) {
	leader := g.members[0]
	f := leader.kernel.Fn.Clone()
	values := make(map[*vir.Value]*vir.Value)
	clones := slices.Collect(f.Values)
	i := 0
	for v := range leader.kernel.Fn.Values {
		values[v] = clones[i]
		i++
	}
	hs := g.holes()
	fill(f, hs, values)
	for _, p := range leader.kernel.Fn.Params {
		values[p].Param = g.facts(p, values)
	}
	edit.Sweep(f)
	dropUnused(f)
	return f, hs
}

// facts is what is known of parameter p of the leader for all members.
func (g *group) facts(p *vir.Value, values map[*vir.Value]*vir.Value) vir.ParamFacts {
	x := p.Param
	for _, m := range g.members[1:] {
		q := m.matching.params[p]
		if q == nil {
			return vir.ParamFacts{}
		}
		y := q.Param
		if x.ElemSize != y.ElemSize {
			x.ElemSize = 0
		}
		if x.FixedLen != y.FixedLen {
			x.FixedLen = 0
		}
		if x.Len != nil && (y.Len == nil || m.matching.params[x.Len] != y.Len) {
			x.Len = nil
		}
		x.Immutable = x.Immutable && y.Immutable
		if x.Content != y.Content {
			x.Content = ""
		}
	}
	if x.Len != nil {
		x.Len = values[x.Len]
	}
	return x
}

// dropUnused drops the parameters that no instruction uses.
func dropUnused(f *vir.Func) {
	uses := f.Uses()
	f.Params = slices.DeleteFunc(f.Params, func(p *vir.Value) bool { return len(uses[p]) == 0 })
	for _, p := range f.Params {
		if p.Param.Len != nil && !slices.Contains(f.Params, p.Param.Len) {
			p.Param.Len = nil
		}
	}
}

// replace gives the kernels of g a common function.
func (g *group) replace(out []*plan.Kernel, opt Options) (merged []Merged) {
	f, hs := g.body()
	bytes := g.saved(f, hs, opt)
	for i, m := range g.members {
		k := *m.kernel
		k.Fn, k.Args = f, g.args(i, f, hs)
		k.Wide, k.WideMin = g.members[0].kernel.Wide, g.members[0].kernel.WideMin
		out[m.at] = &k
		if i > 0 {
			merged = append(merged, Merged{Kernel: m.at, Into: g.members[0].at, Bytes: bytes[i]})
		}
	}
	return merged
}

// args are the arguments that the twin of member i passes to f.
func (g *group) args(i int, f *vir.Func, hs []*hole) (args []plan.Arg) {
	m := g.members[i]
	for _, p := range f.Params {
		if h := slices.IndexFunc(hs, func(h *hole) bool { return h.value == p }); h >= 0 {
			args = append(args, hs[h].arg(m, i))
			continue
		}
		q := g.members[0].kernel.Fn.Param(p.Name)
		if i > 0 {
			q = m.matching.params[q]
		}
		args = append(args, m.kernel.Args[slices.Index(m.kernel.Fn.Params, q)])
	}
	return args
}
