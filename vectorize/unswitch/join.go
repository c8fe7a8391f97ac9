package unswitch

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Join makes one kernel for r of the kernels for its versions, which Split made. A
// version without kernel (nil) is left to the scalar loop: a call does nothing. The
// result is nil when the kernels do not fit together, or there is none.
//
//	entry:   br %c, yes, no          as the tree asks
//	yes:     %n0 = smin %n, %b0      bounds that are this version's alone
//	         ...                     its kernel
//	no:      ...
func Join(r *plan.Region, t *Tree, versions []*plan.Kernel) *plan.Kernel {
	j := &joiner{r: r, versions: versions, args: make(map[plan.Arg]*vir.Value), starts: make([]*vir.Block, len(versions))}
	if !j.plan() {
		return nil
	}
	j.fn()
	j.tree(t, j.b.Cur)
	for i, k := range versions {
		j.version(j.starts[i], k)
	}
	return j.k
}

type joiner struct {
	r        *plan.Region
	versions []*plan.Kernel
	k        *plan.Kernel
	b        *vir.Builder
	args     map[plan.Arg]*vir.Value
	starts   []*vir.Block // of versions
	results  []int        // states that are results of the kernel
	names    int
}

// plan is what the versions ask of the caller together.
func (j *joiner) plan() bool {
	for _, k := range j.versions {
		if k == nil {
			continue
		}
		if j.k == nil {
			j.k = &plan.Kernel{Level: k.Level, Trip: k.Trip, Strip: k.Strip, Rest: true, Complete: true}
		}
		if !reflect.DeepEqual(k.Trip, j.k.Trip) {
			return false
		}
		j.join(k)
	}
	if j.k == nil {
		return false
	}
	for i := range j.k.Bounds {
		j.k.Bounds[i].Conditional = slices.ContainsFunc(j.versions, func(k *plan.Kernel) bool { return k == nil || !asks(k, j.k.Bounds[i]) })
		j.k.Partial = j.k.Partial || j.k.Bounds[i].Conditional
	}
	j.redo()
	j.k.Pause = j.pause()
	j.k.Partial = j.k.Partial || slices.Contains(j.versions, nil)
	j.k.Complete = j.k.Complete && !j.k.Partial
	j.outs()
	return true
}

// pause is that of the kernels that may stop early, if they have it in common and
// nothing else stops the joined one.
func (j *joiner) pause() int64 {
	if slices.Contains(j.versions, nil) || slices.ContainsFunc(j.k.Bounds, func(b plan.Bound) bool { return b.Conditional }) {
		return 0
	}
	pause := int64(-1)
	for _, k := range j.versions {
		switch {
		case !k.Partial:
		case pause >= 0 && pause != k.Pause:
			return 0
		default:
			pause = k.Pause
		}
	}
	return max(pause, 0)
}

func (j *joiner) join(k *plan.Kernel) {
	j.k.Min, j.k.Block = max(j.k.Min, k.Min), max(j.k.Block, k.Block)
	j.k.Peel, j.k.First = max(j.k.Peel, k.Peel), max(j.k.First, k.First)
	j.k.Again = j.k.Again && k.Again
	j.k.Rest = j.k.Rest && k.Rest
	j.k.Strip, j.k.State = min(j.k.Strip, k.Strip), max(j.k.State, k.State)
	j.k.Partial, j.k.Timed = j.k.Partial || k.Partial, j.k.Timed || k.Timed
	j.k.Complete, j.k.Idles = j.k.Complete && k.Complete, j.k.Idles || k.Idles
	for _, b := range k.Bounds {
		if j.bound(b) < 0 {
			j.k.Bounds = append(j.k.Bounds, b)
		}
	}
	j.k.Overlaps = dep.Merged(slices.Concat(j.k.Overlaps, k.Overlaps))
}

// redo is the number of iterations that may be done again, if all versions that leave some over have it in common, and the
// other ones may do as many.
func (j *joiner) redo() {
	for _, k := range j.versions {
		switch {
		case k == nil || k.Redo == 0 || !k.Rest && j.k.Redo != 0 && j.k.Redo != k.Redo:
			j.k.Redo, j.k.RedoApart = 0, nil
			return
		case !k.Rest:
			j.k.Redo = k.Redo
		}
		j.k.RedoApart = dep.Merged(slices.Concat(j.k.RedoApart, k.RedoApart))
	}
	if slices.ContainsFunc(j.versions, func(k *plan.Kernel) bool { return k.Redo < j.k.Redo }) {
		j.k.Redo, j.k.RedoApart = 0, nil
	}
}

// asks reports whether k has b as an unconditional bound.
func asks(k *plan.Kernel, b plan.Bound) bool {
	return slices.ContainsFunc(k.Bounds, func(x plan.Bound) bool { return !x.Conditional && sameBound(x, b) })
}

func sameBound(x, y plan.Bound) bool {
	x.Conditional = y.Conditional
	return reflect.DeepEqual(x, y)
}

// bound is the position of b, -1 if it is not there.
func (j *joiner) bound(b plan.Bound) int {
	return slices.IndexFunc(j.k.Bounds, func(x plan.Bound) bool { return sameBound(x, b) })
}

// outs decides how states get their values: as in the versions if these agree, else
// as results.
func (j *joiner) outs() {
	for i := range j.r.State {
		o, same := plan.Out{Kind: plan.OutResult}, true
		var first *plan.Out
		for _, k := range j.versions {
			switch {
			case k == nil:
			case first == nil:
				first = &k.Outs[i]
			default:
				same = same && first.Kind != plan.OutResult && reflect.DeepEqual(*first, k.Outs[i])
			}
		}
		if same && first.Kind != plan.OutResult {
			o = *first
		} else {
			j.results = append(j.results, i)
			o.Index = len(j.results)
		}
		j.k.Outs = append(j.k.Outs, o)
	}
}

// fn makes the function with its parameters.
func (j *joiner) fn() {
	f := vir.NewFunc(j.r.Label)
	f.Pos = j.r.Pos
	j.k.Fn = f
	j.b = vir.NewBuilder(f, f.NewBlock("entry"))
	j.b.Pos = j.r.Pos
	j.arg(plan.Arg{Kind: plan.ArgCount}, "n", vir.Scalar(vir.I64))
	for _, k := range j.versions {
		if k == nil {
			continue
		}
		for i, a := range k.Args {
			p := k.Fn.Params[i]
			facts := p.Param
			facts.Len = nil // one of k's own
			j.arg(j.moved(k, a), p.Name, p.Type).Param = facts
		}
	}
	f.Results = []vir.Type{vir.Scalar(vir.I64)}
	for _, i := range j.results {
		f.Results = append(f.Results, j.r.Fn.Params[j.r.State[i].Param].Type)
	}
}

// moved is argument a of k with the number of the bound here.
func (j *joiner) moved(k *plan.Kernel, a plan.Arg) plan.Arg {
	if a.Kind == plan.ArgBound {
		a.Index = j.bound(k.Bounds[a.Index])
	}
	return a
}

// arg is the parameter for a.
func (j *joiner) arg(a plan.Arg, name string, t vir.Type) *vir.Value {
	if p := j.args[a]; p != nil {
		return p
	}
	p := j.k.Fn.AddParam(j.k.Fn.UnusedName(name), t)
	j.args[a] = p
	j.k.Args = append(j.k.Args, a)
	return p
}

// live is the parameter for live-in i of the region.
func (j *joiner) live(i int) *vir.Value {
	p := j.r.Fn.Params[i]
	q := j.arg(plan.Arg{Kind: plan.ArgParam, Index: i}, p.Name, p.Type)
	if q.Param == (vir.ParamFacts{}) {
		q.Param = vir.ParamFacts{ElemSize: p.Param.ElemSize, Immutable: p.Param.Immutable}
	}
	return q
}

// tree writes the questions of t into block at.
func (j *joiner) tree(t *Tree, at *vir.Block) {
	j.b.Cur = at
	if t.IsLeaf() {
		j.b.Jmp(j.start(t.Version))
		return
	}
	c := j.expr(t.fn, t.cond, make(map[*vir.Value]*vir.Value))
	yes, no := j.side(t.yes), j.side(t.no)
	j.b.Br(c, yes, no)
	for _, s := range []struct {
		t  *Tree
		at *vir.Block
	}{{t.yes, yes}, {t.no, no}} {
		if !s.t.IsLeaf() {
			j.k.Fn.Blocks = append(j.k.Fn.Blocks, s.at)
			j.tree(s.t, s.at)
		}
	}
}

// side is where t begins.
func (j *joiner) side(t *Tree) *vir.Block {
	if t.IsLeaf() {
		return j.start(t.Version)
	}
	return j.block("ask")
}

// block makes a block with a name of its own.
func (j *joiner) block(name string) *vir.Block {
	j.names++
	return &vir.Block{Name: fmt.Sprintf("%s.%d", name, j.names), Func: j.k.Fn}
}

func (j *joiner) start(version int) *vir.Block {
	if j.starts[version] == nil {
		j.starts[version] = &vir.Block{Name: fmt.Sprintf("version%d", version), Func: j.k.Fn}
	}
	return j.starts[version]
}

// expr is v of a version as a value of the kernel.
func (j *joiner) expr(f *vir.Func, v *vir.Value, have map[*vir.Value]*vir.Value) *vir.Value {
	if w := have[v]; w != nil {
		return w
	}
	if v.Op == vir.OpParam {
		return j.live(slices.Index(f.Params, v))
	}
	w := *v
	w.Args = nil
	for _, a := range v.Args {
		w.Args = append(w.Args, j.expr(f, a, have))
	}
	have[v] = j.b.Append(&w)
	return have[v]
}
