package outline

import (
	"github.com/lanewise/lanewise/vir"
)

// A text is all straight code of some functions as one sequence of classes.
type text struct {
	items []item
	at    map[*vir.Value]int // where a value stands

	structures structureTree
}

// An item is a value, or the end of a straight piece.
type item struct {
	v     *vir.Value // nil at the end of a piece
	fn    int        // which function it is of
	class int        // ends are unlike everything else

	// What is known of the uses of v decides whether it is an output: the place of the
	// last one in the same piece, and whether there are others.
	last  int
	away  bool
	users int
}

// An alphabet numbers classes.
type alphabet struct {
	numbers map[string]int
	ends    int
}

func (a *alphabet) number(v *vir.Value) int {
	name := class(v)
	n, ok := a.numbers[name]
	if !ok {
		n = len(a.numbers)
		a.numbers[name] = n
	}
	return n
}

// end is a class of its own, below all others.
func (a *alphabet) end() int {
	a.ends++
	return -a.ends
}

// isScalar holds for arithmetic of scalars in general registers.
func isScalar(v *vir.Value) bool {
	if v.Type.IsVector() || v.Type.Elem.IsFloat() || v.Op.IsLoad() || v.Op.Info().Effect {
		return false
	}
	for _, a := range v.Args {
		if a.Type.IsVector() || a.Type.Elem.IsFloat() {
			return false
		}
	}
	return true
}

// A reading says which values a text is made of. Others may stand between them if they can
// be moved: a constant is part of what uses it, a comparison is part of a branch.
type reading func(v *vir.Value) bool

// withoutSums leaves out sums of scalar integers, which mostly are part of an address. What
// promises most is found without them.
func withoutSums(v *vir.Value) bool {
	return isItem(v) && !(isScalar(v) && (v.Op == vir.OpAdd || v.Op == vir.OpSub || v.Op == vir.OpShl || v.Op == vir.OpPtradd))
}

// isItem holds for values that routines may be made of.
func isItem(v *vir.Value) bool {
	if v.Type == vir.Scalar(vir.Bool) && v.Op != vir.OpAny && v.Op != vir.OpAll {
		return false
	}
	switch v.Op {
	case vir.OpConst, vir.OpPoison, vir.OpPhi, vir.OpCall, vir.OpResult, vir.OpIter, vir.OpLeast:
		return false
	case vir.OpSubvec:
		return v.Args[0].Op != vir.OpBroadcast && !wholeRegisters(v.Type)
	case vir.OpConcat:
		return !wholeRegisters(v.Args[0].Type)
	}
	return !v.Op.IsCheck() && !v.Op.Info().Term
}

// wholeRegisters holds for parts of which the machine has registers: to take them is no
// work. Masks have any width.
func wholeRegisters(t vir.Type) bool { return t.IsMask() || t.Size()%registerBytes == 0 }

// newText reads functions.
func newText(fs []*vir.Func, a *alphabet, read reading, allow func(fn int, b *vir.Block) bool) *text {
	t := &text{at: make(map[*vir.Value]int), structures: structureTree{make(map[step]int), make(map[int][]int)}}
	for n, f := range fs {
		for _, b := range f.Blocks {
			if !allow(n, b) {
				continue
			}
			for _, v := range b.Insts {
				switch {
				case read(v):
					t.at[v] = len(t.items)
					t.items = append(t.items, item{v: v, fn: n, class: a.number(v), last: -1})
				case v.Op.Info().Effect || v.Op.IsLoad():
					t.end(n, a) // nothing that it may not be moved over
				}
			}
			t.end(n, a)
		}
		t.uses(f)
	}
	return t
}

func (t *text) end(fn int, a *alphabet) {
	if n := len(t.items); n > 0 && t.items[n-1].v != nil {
		t.items = append(t.items, item{fn: fn, class: a.end()})
	}
}

// uses fills in who uses the values of f.
func (t *text) uses(f *vir.Func) {
	for u := range f.Values {
		to, known := t.at[u]
		for _, a := range u.Args {
			from, ok := t.at[a]
			if ok {
				t.items[from].users++
			}
			switch {
			case !ok:
			case known && t.samePiece(from, to):
				t.items[from].last = max(t.items[from].last, to)
			default:
				t.items[from].away = true
			}
		}
	}
}

// samePiece reports whether no piece ends between two items.
func (t *text) samePiece(from, to int) bool {
	if from > to || t.items[from].v.Block != t.items[to].v.Block {
		return false
	}
	for k := from; k < to; k++ {
		if t.items[k].v == nil {
			return false
		}
	}
	return true
}
