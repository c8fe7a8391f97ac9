package rows

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// extract makes the region of the inner loop: what it uses from outside become
// parameters, in the normal form that plan.Region describes. live says which values
// of the outer loop they are.
func (n *Nest) extract(clauses plan.Clauses, held []plan.Held) {
	x := &extractor{n: n, f: vir.NewFunc(n.region.Label), to: make(map[*vir.Value]*vir.Value), blocks: make(map[*vir.Block]*vir.Block), names: make(map[string]bool)}
	x.f.Pos = n.header.Term().Pos
	if !x.f.Pos.IsValid() {
		x.f.Pos = n.region.Pos
	}
	r := &plan.Region{Fn: x.f, Pos: x.f.Pos, Func: n.region.Func, Twin: n.region.Twin, Label: n.region.Label, Clauses: clauses}
	n.live, n.phis = nil, nil
	x.params()
	x.states(r)
	x.build()
	plan.FindLive(x.f, r.State, nil)
	r.Held = x.heldInside(held)
	n.Inner = r
}

type extractor struct {
	n      *Nest
	f      *vir.Func
	to     map[*vir.Value]*vir.Value
	blocks map[*vir.Block]*vir.Block
	consts []*vir.Value // of outside
	names  map[string]bool
}

// param makes a parameter for v.
func (x *extractor) param(v *vir.Value, name string) *vir.Value {
	if name == "" {
		name = "v"
	}
	for base, k := name, 1; x.names[name]; k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	x.names[name] = true
	p := x.f.AddParam(name, v.Type)
	x.n.live = append(x.n.live, v)
	return p
}

// params makes parameters of what the loop uses, pointers first.
func (x *extractor) params() {
	var used []*vir.Value
	note := func(v *vir.Value) {
		inside := v.Block != nil && x.n.loop.Contains(v.Block)
		if !inside && !slices.Contains(used, v) {
			used = append(used, v)
			if l := v.Param.Len; l != nil && !slices.Contains(used, l) {
				used = append(used, l)
			}
		}
	}
	for _, b := range x.n.loop.Blocks {
		for _, v := range b.Insts {
			for i, a := range v.Args {
				if v.Op == vir.OpPhi && b == x.n.header && b.Preds[i] == x.n.pre {
					continue // a state's
				}
				note(a)
			}
		}
	}
	for _, pointers := range []bool{true, false} {
		for _, v := range used {
			switch {
			case v.Op == vir.OpConst:
				if !pointers {
					x.consts = append(x.consts, v)
				}
			case (v.Type.Elem == vir.Ptr) == pointers:
				x.to[v] = x.param(v, v.Name)
			}
		}
	}
	for _, v := range used {
		p := x.to[v]
		switch {
		case v.Op == vir.OpConst:
		case v.Op == vir.OpLoad && v.Type.Elem == vir.Ptr:
			x.row(v, p, used)
		default:
			p.Param = v.Param
			p.Param.Len = x.to[v.Param.Len]
		}
	}
}

// row states what is known of a row whose pointer v was loaded: the size of its
// elements by how they are accessed, and its length, which lies behind the pointer.
func (x *extractor) row(v, p *vir.Value, used []*vir.Value) {
	size := 0
	for _, b := range x.n.loop.Blocks {
		for _, a := range b.Insts {
			if a.Op.Info().Rule != vir.RuleMemory || a.Base() != v {
				continue
			}
			if a.Index() == nil || a.Scale <= 0 || size != 0 && size != int(a.Scale) {
				return
			}
			size = int(a.Scale)
		}
	}
	for _, n := range used {
		if n.Op == vir.OpLoad && n.Type == vir.Scalar(vir.I64) && n.Base() == v.Base() && n.Index() == v.Index() &&
			(!n.Indexed || n.Scale == v.Scale) && n.Disp == v.Disp+8 && size > 0 {
			p.Param = vir.ParamFacts{ElemSize: size, Len: x.to[n]}
		}
	}
}

// states makes parameters of the values before the loop.
func (x *extractor) states(r *plan.Region) {
	n := x.n
	at := n.header.PredIndex(n.pre)
	for _, phi := range n.header.Phis() {
		n.phis = append(n.phis, phi)
		init := phi.Args[at]
		s := plan.State{Param: len(x.f.Params), Live: n.usedBehind(phi)}
		if c, ok := init.ConstInt(); ok && init.Type.Elem.IsInt() {
			s.Init = &c
		}
		x.param(init, phi.Name+"0")
		r.State = append(r.State, s)
	}
}

func (n *Nest) usedBehind(phi *vir.Value) bool {
	for v := range n.fn().Values {
		if v.Block != nil && !n.loop.Contains(v.Block) && slices.Contains(v.Args, phi) {
			return true
		}
	}
	return false
}

// build copies the blocks.
func (x *extractor) build() {
	n, l := x.n, x.n.loop
	entry := x.f.NewBlock("entry")
	header := x.f.NewBlock("header")
	x.blocks[n.header] = header
	start := &vir.Block{Name: "body", Func: x.f}
	x.f.Blocks = append(x.f.Blocks, start)
	for _, b := range l.Blocks[1:] {
		x.blocks[b] = x.f.NewBlock("b." + b.Name)
	}
	latch, exit := x.f.NewBlock("latch"), x.f.NewBlock("exit")

	b := vir.NewBuilder(x.f, entry)
	b.Pos = x.f.Pos
	b.Jmp(header)
	header.Preds = append(header.Preds, latch)
	b.Cur = header
	states := x.f.Params[len(x.f.Params)-len(n.phis):]
	for i, phi := range n.phis {
		w := b.Phi(phi.Type)
		w.Name, w.Pos = phi.Name, phi.Pos
		w.Args = []*vir.Value{states[i], nil}
		x.to[phi] = w
	}
	for _, c := range x.consts {
		x.copy(b, c)
	}
	for _, from := range l.Blocks {
		b.Cur = x.blocks[from]
		for _, v := range from.Insts {
			if !v.Op.Info().Term && (v.Op != vir.OpPhi || from != n.header) {
				x.copy(b, v)
			}
		}
	}
	x.edges(b, start, latch, exit)
	for _, phi := range n.phis {
		x.to[phi].Args[1] = x.arg(phi.Args[1-n.header.PredIndex(n.pre)])
	}
	for _, from := range l.Blocks {
		for _, v := range from.Insts {
			if w := x.to[v]; w != nil && !(v.Op == vir.OpPhi && from == n.header) {
				w.Args = make([]*vir.Value, len(v.Args))
				for i, a := range v.Args {
					w.Args[i] = x.arg(a)
				}
			}
		}
	}
}

// edges ends the blocks: the first of the body marks the iteration, the last jump
// goes by way of a latch.
func (x *extractor) edges(b *vir.Builder, start, latch, exit *vir.Block) {
	n, l := x.n, x.n.loop
	header := x.blocks[n.header]
	term := n.header.Term()
	b.Pos = term.Pos
	b.Cur = header
	b.Br(x.arg(term.Args[0]), start, exit)
	b.Cur = start
	b.Append(&vir.Value{Op: vir.OpIter})
	first := x.blocks[n.header.Succs[0]]
	b.Append(&vir.Value{Op: vir.OpJmp})
	start.Succs = []*vir.Block{first}
	for _, from := range l.Blocks[1:] {
		to := x.blocks[from]
		for _, p := range from.Preds {
			q := x.blocks[p]
			if p == n.header {
				q = start
			}
			to.Preds = append(to.Preds, q)
		}
		b.Cur = to
		t := from.Term()
		w := &vir.Value{Op: t.Op, Pos: t.Pos}
		for _, a := range t.Args {
			w.Args = append(w.Args, x.arg(a))
		}
		b.Append(w)
		for _, s := range from.Succs {
			if s == n.header {
				to.Succs = append(to.Succs, latch)
				latch.Preds = append(latch.Preds, to)
			} else {
				to.Succs = append(to.Succs, x.blocks[s])
			}
		}
	}
	b.Cur = latch
	b.Append(&vir.Value{Op: vir.OpJmp})
	latch.Succs = []*vir.Block{header}
	b.Cur = exit
	var results []*vir.Value
	for _, phi := range n.phis {
		results = append(results, x.to[phi])
		x.f.Results = append(x.f.Results, phi.Type)
	}
	b.Ret(results...)
}

// copy appends a copy of v, whose operands are set later.
func (x *extractor) copy(b *vir.Builder, v *vir.Value) {
	w := *v
	w.Block = nil
	w.Bits, w.Lanes = slices.Clone(v.Bits), slices.Clone(v.Lanes)
	x.to[v] = b.Append(&w)
}

func (x *extractor) arg(v *vir.Value) *vir.Value {
	if w := x.to[v]; w != nil {
		return w
	}
	panic(fmt.Sprintf("rows: %s has no copy", v.Op))
}
