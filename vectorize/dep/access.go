package dep

import (
	"fmt"

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
			if r.isRow(v) {
				r.Rows = append(r.Rows, v)
				continue
			}
			a := Access{Inst: v, Store: v.Op.IsStore(), Conditional: v.Masked || !always, Program: len(r.Accesses)}
			r.locate(&a, sc)
			r.Accesses = append(r.Accesses, a)
		}
	}
}

// isRow reports whether v loads from memory whose pointer the loop has loaded.
func (r *Result) isRow(v *vir.Value) bool {
	p := v.Base()
	return v.Op.IsLoad() && p.Op.IsLoad() && !p.Masked
}

// checkRows refuses rows that are read when an iteration may have stored something.
func (r *Result) checkRows() {
	if len(r.Rows) == 0 {
		return
	}
	order := make(map[*vir.Value]int)
	for v := range r.region.Fn.Values {
		order[v] = len(order)
	}
	for _, v := range r.Rows {
		for _, a := range r.Accesses {
			if a.Store && (r.sc.Depth(a.Inst) > 0 || order[a.Inst] < order[v]) {
				r.refuse(v, "dep:Base", "a slice is not known before the loop, which stores before it is used")
			}
		}
	}
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
