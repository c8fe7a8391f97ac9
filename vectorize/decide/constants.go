package decide

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/fold"
)

// Constants takes out branches of a region whose way constants tell, so that nobody prepares for what is
// never done: what a function that is called with constants does for other arguments.
func Constants(u *pass.Unit) error {
	f := u.Region.Fn
	latch := f.Blocks[len(f.Blocks)-2]
	for again := true; again; {
		known := constants(f)
		again = edit.FoldBy(f, func(b *vir.Block) (holds, ok bool) {
			bits, ok := known[b.Term().Args[0]]
			ok = ok && b != f.Blocks[1] // the condition of the loop stays where it is
			return bits&1 != 0, ok && u.Count()
		})
	}
	if f.Blocks[len(f.Blocks)-2] != latch {
		return pass.Refuse("decide:Once", nil, "no iteration goes on to the next one")
	}
	return nil
}

// constants are the values of f that constants tell, with their bits.
func constants(f *vir.Func) map[*vir.Value]uint64 {
	known := make(map[*vir.Value]uint64)
	for _, b := range loops.RPO(f) {
		for _, v := range b.Insts {
			if v.Type.Elem == vir.Ptr || v.Type.Elem == vir.Void || v.Type.IsVector() {
				continue
			}
			if bits, ok := v.IsConst(); ok {
				known[v] = bits
			} else if args, ok := operands(v, known); ok {
				if bits, ok := fold.Lane(v, args); ok {
					known[v] = bits
				}
			}
		}
	}
	return known
}

// operands are the bits of the operands of v, if all of them are known.
func operands(v *vir.Value, known map[*vir.Value]uint64) (args []uint64, ok bool) {
	for _, a := range v.Args {
		bits, ok := known[a]
		if !ok {
			return nil, false
		}
		args = append(args, bits)
	}
	return args, v.Op != vir.OpPhi
}
