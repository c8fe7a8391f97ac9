package lower

import "github.com/lanewise/lanewise/vir"

// Whether straight-line code has anything of which there are several.

// HasGroups reports whether straight-line code may have groups of equal work: as many stores
// or results of one type as fill lanes, or operations whose results are combined. Beside
// loops only what is more than their preparation counts. A single copy of something large
// is none, unless elements change places.
func (r *Region) HasGroups(besideLoops bool) bool {
	w := r.work()
	if len(r.Loop.Body.List) < 4 && !w.calculates() && !r.permutes() {
		return false
	}
	few, many := 3, 4
	if besideLoops {
		few, many = 4, 8
	}
	for _, n := range w.stores {
		if n >= 2 {
			return true
		}
	}
	for t, n := range w.results {
		if n >= 2 && w.most(t) >= 2 && (!besideLoops || n >= few) && (t != vir.Scalar(vir.I64) || n >= 4) {
			return true
		}
	}
	for t, n := range w.sources {
		if n >= many && w.most(t) >= few {
			return true
		}
	}
	return false
}

// A work counts what straight-line code does for the values that it stores and returns.
type work struct {
	stores, results map[vir.Type]int
	sources         map[vir.Type]int // loads, and values from outside
	ops             map[vir.Type]map[vir.Op]int
}

// calculates reports whether any operation occurs twice.
func (w *work) calculates() bool {
	for t := range w.ops {
		if w.most(t) >= 2 {
			return true
		}
	}
	return false
}

// fewMoved is the least number of elements that change places for which lanes are tried.
const fewMoved = 8

// permutes reports whether r stores elements that it loads, in another order.
func (r *Region) permutes() bool {
	distances := make(map[int64]bool)
	moved := 0
	for v := range r.Fn.Values {
		if !v.Op.IsStore() {
			continue
		}
		x := v.Stored()
		if !x.Op.IsLoad() {
			continue
		}
		moved++
		distances[offset(v)-offset(x)] = true
	}
	return moved >= fewMoved && len(distances) >= 3
}

// offset is the constant part of the address of v, in bytes.
func offset(v *vir.Value) int64 {
	a := v.Addr()
	off := a.Disp
	if i := a.Index; i != nil {
		if k, ok := i.ConstInt(); ok {
			off += k * a.Scale
		}
	}
	return off
}

// most is how often the most frequent operation on values of type t occurs.
func (w *work) most(t vir.Type) int {
	n := 0
	for _, k := range w.ops[t] {
		n = max(n, k)
	}
	return n
}

func (r *Region) work() *work {
	w := &work{
		stores: make(map[vir.Type]int), results: make(map[vir.Type]int), sources: make(map[vir.Type]int),
		ops: make(map[vir.Type]map[vir.Op]int),
	}
	seen := make(map[*vir.Value]bool)
	header := r.Fn.Blocks[1]
	for i, phi := range header.Phis() {
		if i > 0 && r.State[i].Live {
			w.results[phi.Type]++
			w.count(phi.Args[1], seen)
		}
		seen[phi] = true
	}
	for v := range r.Fn.Values {
		if v.Op.IsStore() {
			w.stores[v.Args[0].Type]++
			w.count(v.Args[0], seen)
		}
	}
	return w
}

// count counts what v is computed from.
func (w *work) count(v *vir.Value, seen map[*vir.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	switch {
	case v.Op.IsLoad(), v.Op == vir.OpParam:
		w.sources[v.Type]++
		return
	case v.Op != vir.OpConst && v.Op != vir.OpPhi:
		if w.ops[v.Type] == nil {
			w.ops[v.Type] = make(map[vir.Op]int)
		}
		w.ops[v.Type][v.Op]++
	}
	for _, a := range v.Args {
		w.count(a, seen)
	}
}
