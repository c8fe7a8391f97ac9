package loops

import "github.com/lanewise/lanewise/vir"

// An Iteration is what a kernel that runs a region as it is does for an iteration of it,
// behind the checks:
//
//	header or entry --> checks, one block after the other --> First ... Last
//	                      \--> Fail
type Iteration struct {
	First *vir.Block // of the statements
	Last  *vir.Block // jumps to the header, or returns 1; every way from First leads there
	Fail  *vir.Block // where iterations go that are handed over; nil when none is
	Loop  *Loop      // of the iterations; nil for straight-line code
	// Blocks are those from First to Last in reverse post-order.
	Blocks []*vir.Block
}

// IterationOf finds the iteration of a kernel; nil when there is none in this form.
// Forest is that of its function. A kernel with a loop of iterations returns in one
// place, which is where iterations go that are handed over.
func IterationOf(f *vir.Func, forest *Forest, once bool) *Iteration {
	it := &Iteration{First: f.Entry()}
	for _, b := range f.Blocks {
		term := b.Term()
		if term.Op != vir.OpRet {
			continue
		}
		if c, ok := term.Args[0].ConstInt(); ok && c == 1 && once {
			it.Last = b
		} else {
			it.Fail = b
		}
	}
	if !once {
		h := f.Blocks[1]
		it.Loop = forest.Of(h)
		if it.Loop == nil || it.Loop.Header != h || len(it.Loop.Latches) != 1 {
			return nil
		}
		it.Last, it.First = it.Loop.Latches[0], h
	}
	for it.Fail != nil && len(it.First.Succs) == 2 && it.First.Succs[1] == it.Fail {
		it.First = it.First.Succs[0]
	}
	if it.Last == nil || !once && it.First == f.Blocks[1] {
		return nil
	}
	for _, b := range RPO(f) {
		if b == it.First || len(it.Blocks) > 0 && b != it.Fail {
			it.Blocks = append(it.Blocks, b)
		}
	}
	return it
}
