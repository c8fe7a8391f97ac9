package outline

import "github.com/lanewise/lanewise/vir"

// rounds is how many operations deep prints look.
const rounds = 6

// A print is a number for what a value does, without regard to names, constants, and the
// order of operands where that does not matter. Congruent values have equal prints.
type print = uint64

// prints of f: those of all values, and one of the function.
type prints struct {
	of    map[*vir.Value]print
	whole print
	moved bool // displacements do not matter
}

func printsOf(f *vir.Func, moved bool) *prints {
	p := &prints{of: make(map[*vir.Value]print), moved: moved}
	place := placesOf(f)
	for range rounds {
		next := make(map[*vir.Value]print, len(p.of))
		for v := range f.Values {
			next[v] = p.value(v, place)
		}
		p.of = next
	}
	for _, b := range reached(f) {
		for _, v := range b.Insts {
			if v.Op.Info().Effect {
				p.whole = mix(p.whole, p.of[v])
			}
		}
		p.whole = mix(p.whole, uint64(len(b.Succs)))
	}
	for _, t := range f.Results {
		p.whole = mix(p.whole, uint64(t.Elem), uint64(t.Lanes))
	}
	return p
}

// value is the print of v, given those of its operands one round before.
func (p *prints) value(v *vir.Value, place map[*vir.Block]int) print {
	t := v.Type
	if _, ok := atomOf(v); ok || isInput(v) {
		return mix(1, uint64(t.Size()), uint64(t.Lanes))
	}
	h := mix(2, uint64(v.Op), uint64(t.Size()), uint64(t.Lanes), uint64(place[v.Block]), uint64(v.Imm), uint64(v.Scale))
	if !p.moved {
		h = mix(h, uint64(v.Disp))
	}
	if !moves(v.Op) {
		h = mix(h, uint64(t.Elem))
	}
	for _, l := range v.Lanes {
		h = mix(h, uint64(l))
	}
	sum := uint64(0)
	for _, a := range v.Args {
		if v.Op == vir.OpPhi || v.Op.Info().Commutative {
			sum += mix(3, p.of[a])
		} else {
			sum = mix(sum, p.of[a])
		}
	}
	return mix(h, sum)
}

// mix hashes words.
func mix(words ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// reached lists the blocks of f in the order in which branches lead to them.
func reached(f *vir.Func) []*vir.Block {
	list := []*vir.Block{f.Entry()}
	seen := map[*vir.Block]bool{f.Entry(): true}
	for i := 0; i < len(list); i++ {
		for _, s := range list[i].Succs {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// placesOf numbers blocks in that order.
func placesOf(f *vir.Func) map[*vir.Block]int {
	place := make(map[*vir.Block]int)
	for i, b := range reached(f) {
		place[b] = i
	}
	return place
}
