package simplify

import "github.com/lanewise/lanewise/vir"

// shuffle makes a shuffle of shuffles one, where all its lanes come from one
// vector in the end and one instruction is enough for sure:
//
//	%a = shuffle %x, {0, 2, 1, 3}
//	%b = shuffle %y, {0, 2, 1, 3}
//	%c = shuffle %a, %b, {0, 2, 1, 3}        -> %x
//
// That is what loads of a group come to that are stored as a group again. No target
// is asked: bytes that stay within 16 bytes, and whole 4 or 8 bytes that
// move anywhere, are taken for one instruction.
func (r *rewriter) shuffle(v *vir.Value) *vir.Value {
	from := traced(v)
	if from == nil {
		return nil
	}
	best := (*vir.Value)(nil)
	var lanes []int
	for deeper := true; deeper; {
		from, deeper = expanded(from)
		if x := soleSource(from); deeper && x != nil && x.Type == v.Type && moves(v.Type, from) {
			best, lanes = x, numbers(from)
		}
	}
	switch {
	case best == nil:
		return nil
	case isIdentity(lanes):
		return best
	case inPlace(v):
		return nil // costs nothing as it is
	}
	w := r.f.NewValue(vir.OpShuffle, v.Type, best)
	w.Lanes = lanes
	w.Pos = v.Pos
	return r.pure(w)
}

// A lane is one of a vector; of is nil where anything will do.
type lane struct {
	of *vir.Value
	k  int
}

// traced is where the lanes of a shuffle come from.
func traced(v *vir.Value) []lane {
	if size := v.Type.Size(); v.Type.IsMask() || size != 16 && size != 32 {
		return nil
	}
	from := make([]lane, len(v.Lanes))
	for i := range from {
		from[i] = sourceOf(v, i)
	}
	return from
}

func sourceOf(v *vir.Value, i int) lane {
	l := v.Lanes[i]
	if l < 0 {
		return lane{}
	}
	n := v.Args[0].Type.Lanes
	return lane{v.Args[l/n], l % n}
}

// expanded goes through one level of shuffles.
func expanded(from []lane) (next []lane, deeper bool) {
	next = make([]lane, len(from))
	for i, l := range from {
		next[i] = l
		if l.of != nil && l.of.Op == vir.OpShuffle {
			next[i], deeper = sourceOf(l.of, l.k), true
		}
	}
	return next, deeper
}

// soleSource is the vector that all lanes are of, nil when there are several.
func soleSource(from []lane) *vir.Value {
	var x *vir.Value
	for _, l := range from {
		if l.of == nil {
			continue
		}
		if x != nil && l.of != x {
			return nil
		}
		x = l.of
	}
	return x
}

func numbers(from []lane) []int {
	lanes := make([]int, len(from))
	for i, l := range from {
		lanes[i] = l.k
		if l.of == nil {
			lanes[i] = -1
		}
	}
	return lanes
}

func isIdentity(lanes []int) bool {
	for i, l := range lanes {
		if l >= 0 && l != i {
			return false
		}
	}
	return true
}

// inPlace reports whether v has the lanes of one of its operands.
func inPlace(v *vir.Value) bool {
	n := v.Args[0].Type.Lanes
	for a := range v.Args {
		same := true
		for i, l := range v.Lanes {
			same = same && (l < 0 || l == a*n+i)
		}
		if same {
			return true
		}
	}
	return false
}

// moves reports whether one instruction does it.
func moves(t vir.Type, from []lane) bool {
	size := t.Elem.Size()
	inHalves, inWords := true, size >= 4
	for i, l := range from {
		if l.of != nil && i*size/16 != l.k*size/16 {
			inHalves = false
		}
	}
	if size < 4 {
		inWords = true
		n := 4 / size
		for i, l := range from {
			if l.of == nil {
				continue
			}
			if first := from[i/n*n]; l.k%n != i%n || first.of != nil && first.k/n != l.k/n {
				inWords = false
			}
		}
	}
	return inHalves || inWords
}
