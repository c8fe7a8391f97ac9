package dep

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

func (r *Result) findAccesses(sc *scev.Info) {
	f := r.region.Fn
	header := f.Entry().Succs[0]
	loop := loops.Find(f).Of(header)
	if loop == nil {
		return
	}
	dom := loops.DomTree(f)
	for _, b := range loop.Blocks {
		always := true
		for _, latch := range loop.Latches {
			always = always && dom.Dominates(b, latch)
		}
		for _, v := range b.Insts {
			if !v.Op.IsLoad() && !v.Op.IsStore() {
				continue
			}
			if b == header {
				r.refuse(v, "dep:Condition", "the loop condition reads or writes memory")
			}
			a := Access{Inst: v, Store: v.Op.IsStore(), Conditional: v.Masked || !always}
			r.locate(&a, sc)
			r.Accesses = append(r.Accesses, a)
		}
	}
}

// locate fills in the stream: base + index*scale + disp, where the base is a
// parameter plus any number of affine offsets.
func (r *Result) locate(a *Access, sc *scev.Info) {
	v := a.Inst
	off := plan.Const(v.Disp)
	a.Stream.Size = int64(v.Access().Size())
	add := func(x *vir.Value, scale int64) bool {
		e, ok := sc.Affine(x)
		if !ok {
			r.refuse(v, "dep:Subscript", fmt.Sprintf("the subscript of %s does not change by a constant", r.name(v)))
			return false
		}
		off = plan.Add(off, plan.Mul(e.Start, plan.Const(scale)))
		a.Stream.Step += e.Step * scale
		a.Wrap = append(a.Wrap, e.Wrap...)
		return true
	}
	if x := v.Index(); x != nil && !add(x, v.Scale) {
		return
	}
	base := v.Base()
	for base.Op == vir.OpPtradd {
		if !add(base.Args[1], 1) {
			return
		}
		base = base.Args[0]
	}
	a.Stream.Param = slices.Index(r.region.Fn.Params, base)
	if a.Stream.Param < 0 {
		r.refuse(v, "dep:Base", "a pointer is not known before the loop")
		return
	}
	a.Stream.Off = scev.Simplify(off)
}

// name is what the user calls the memory that v uses.
func (r *Result) name(v *vir.Value) string {
	base := v.Base()
	for base.Op == vir.OpPtradd {
		base = base.Args[0]
	}
	if base.Name == "" {
		return "a pointer"
	}
	return base.Name
}

func distinct(accesses []Access) []plan.Bound {
	var all []plan.Bound
	seen := make(map[string]bool)
	for _, a := range accesses {
		for _, b := range a.Wrap {
			if key := fmt.Sprint(b.Start, b.Step, b.Lo, b.Hi); !seen[key] {
				seen[key] = true
				all = append(all, b)
			}
		}
	}
	return all
}
