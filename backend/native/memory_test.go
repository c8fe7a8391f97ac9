package native_test

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
)

// moved is where an operation of reversed order finds the first lane of a block.
func (k *kern) moved(op vir.Op, e vir.Elem, a vir.Addr) vir.Addr {
	if op == vir.OpLoadReverse || op == vir.OpStoreReverse {
		a.Disp += int64((k.lanes - 1) * e.Size())
	}
	return a
}

// lane is where lane l of a block is in memory for op.
func lane(op vir.Op, e *env, i int) int {
	if op == vir.OpLoadReverse || op == vir.OpStoreReverse {
		return i - i%e.lanes + e.lanes - 1 - i%e.lanes
	}
	return i
}

// loads, with and without masks of all widths: known, from memory, prefixes.
func (s *sheet) loads() {
	r := s.row
	if r.from == vir.Ptr {
		s.pointers()
		return
	}
	s.ins = []input{{elem: r.from}}
	at := func(k *kern) vir.Addr { return k.moved(r.op, r.from, k.at(0)) }
	is := func(e *env, i int) uint64 { return e.in[0][lane(r.op, e, i)] }
	s.show(r.from, operand{"plain", func(k *kern) *vir.Value { return k.b.Load(r.op, k.typ(r.from), at(k), nil) }, is})
	s.show(r.from, operand{"by pointer", func(k *kern) *vir.Value {
		a := at(k)
		d := k.b.Int(vir.Scalar(vir.I64), a.Disp+40)
		a.Base, a.Disp = k.b.Op(vir.OpPtradd, a.Base.Type, a.Base, d), -40
		return k.b.Load(r.op, k.typ(r.from), a, nil)
	}, is})
	if r.lanes == 0 {
		return
	}
	for _, m := range s.masks() {
		for _, rest := range []operand{reg(0), constant(r.from, 0), constant(r.from, 0x33)} {
			s.show(r.from, operand{fmt.Sprintf("under %s, else %s", m.name, rest.name), func(k *kern) *vir.Value {
				mask := m.make(k)
				v := k.b.Load(r.op, k.typ(r.from), at(k), mask)
				return k.b.Op(vir.OpBlend, v.Type, mask, v, rest.make(k))
			}, func(e *env, i int) uint64 {
				if m.is(e, i) != 0 {
					return is(e, i)
				}
				return rest.is(e, i)
			}})
		}
	}
}

// masks are conditions of all widths, as they are and complemented, prefixes of the lanes,
// and constants.
func (s *sheet) masks() (all []operand) {
	for _, c := range s.conditions() {
		all = append(all, c, complement(c))
	}
	n := len(s.ins)
	s.ins = append(s.ins, input{elem: vir.I64, limit: s.row.lanes + 2})
	all = append(all, operand{"prefix", func(k *kern) *vir.Value {
		return k.b.Op(vir.OpPrefix, k.typ(vir.Bool), k.one(n))
	}, func(e *env, i int) uint64 {
		if uint64(i%e.lanes) < e.in[n][i-i%e.lanes] {
			return 1
		}
		return 0
	}})
	for _, every := range []int{1, 3} {
		bits := make([]uint64, s.row.lanes)
		for l := range bits {
			if l%(every+1) != every {
				bits[l] = 1
			}
		}
		x := listed(vir.Bool, bits)
		x.name = "constant"
		all = append(all, x)
	}
	return all
}

// under is an output of a store of x: what is not stored stays.
func (s *sheet) under(m *operand, x operand, store func(k *kern, x *vir.Value, a vir.Addr, mask *vir.Value)) {
	r := s.row
	name := "all"
	if m != nil {
		name = m.name
	}
	s.outs = append(s.outs, output{form: fmt.Sprintf("%s under %s", x.name, name), elem: r.from, store: func(k *kern, a vir.Addr) {
		var mask *vir.Value
		if m != nil {
			mask = m.make(k)
		}
		store(k, x.make(k), a, mask)
	}, want: func(e *env, first int, out []cell) {
		for l := range out {
			out[l].kind = kept
		}
		for l := range out {
			if m == nil || m.is(e, first+l) != 0 {
				out[lane(r.op, e, first+l)-first] = cell{bits: x.is(e, first+l)}
			}
		}
	}})
}

// stores, with and without masks.
func (s *sheet) stores() {
	r := s.row
	xs := append(s.values(r.from), constant(r.from, 0x77))
	store := func(k *kern, x *vir.Value, a vir.Addr, mask *vir.Value) {
		k.b.Store(r.op, x, k.moved(r.op, r.from, a), mask)
	}
	for _, x := range xs {
		s.under(nil, x, store)
	}
	if r.lanes == 0 {
		return
	}
	for _, m := range s.masks() {
		for _, x := range xs {
			s.under(&m, x, store)
		}
	}
}

// indices has streams of numbers below the lanes for it, and gives ways to have an index of
// lanes of element x: as it is in memory, from narrow numbers, computed, constant.
func (s *sheet) indices(x vir.Elem) []operand {
	n := len(s.ins)
	s.ins = append(s.ins, input{elem: x, limit: s.row.lanes}, input{elem: vir.I8, limit: s.row.lanes})
	bits := make([]uint64, s.row.lanes)
	for l := range bits {
		bits[l] = uint64((l*5 + 3) % len(bits))
	}
	fixed := listed(x, bits)
	fixed.name = "constant"
	return []operand{
		mem(n),
		{"narrow", func(k *kern) *vir.Value { return k.b.Op(vir.OpSext, k.typ(x), k.mem(n+1)) }, element(n + 1)},
		reg(n),
		fixed,
	}
}

// scaled are the distances of neighbours in memory by elements: forward and backward.
var scaled = []int64{1, -1}

// gathers read lanes of the same block, by indices of both sizes.
func (s *sheet) gathers() {
	r := s.row
	s.ins = []input{{elem: r.from}}
	masks := append([]operand{{}}, s.masks()...)
	for k, x := range []vir.Elem{vir.I32, vir.I64} {
		for j, index := range s.indices(x) {
			for i, m := range masks {
				scale := scaled[(i+j+k)%2]
				if i > 0 && (i+j+k)%3 > 0 {
					continue
				}
				s.gather(index, m, scale)
			}
		}
	}
}

func (s *sheet) gather(index, m operand, scale int64) {
	r := s.row
	rest := constant(r.from, 0x44)
	s.show(r.from, operand{fmt.Sprintf("index %s, mask %s, %d", index.name, m.name, scale), func(k *kern) *vir.Value {
		a := s.indexed(k, k.at(0), index.make(k), scale)
		if m.make == nil {
			return k.b.Gather(k.typ(r.from), a, nil)
		}
		mask := m.make(k)
		v := k.b.Gather(k.typ(r.from), a, mask)
		return k.b.Op(vir.OpBlend, v.Type, mask, v, rest.make(k))
	}, func(e *env, i int) uint64 {
		if m.make != nil && m.is(e, i) == 0 {
			return rest.is(e, i)
		}
		return e.in[0][s.place(e, index, i, scale)]
	}})
}

// place is the element that the index of element i names.
func (s *sheet) place(e *env, index operand, i int, scale int64) int {
	x := int(index.is(e, i))
	if scale < 0 {
		x = e.lanes - 1 - x
	}
	return i - i%e.lanes + x
}

// indexed is the address of elements of the block at a by a vector.
func (s *sheet) indexed(k *kern, a vir.Addr, index *vir.Value, scale int64) vir.Addr {
	size := int64(s.row.from.Size())
	if a.Index != nil {
		d := k.b.Same(vir.OpMul, a.Index, k.b.Int(a.Index.Type, a.Scale))
		a.Base = k.b.Op(vir.OpPtradd, a.Base.Type, a.Base, d)
	}
	a.Index, a.Scale = index, scale*size
	if scale < 0 {
		a.Disp += int64(s.row.lanes-1) * size
	}
	return a
}

// scatters write lanes in order, where the last of equal addresses wins.
func (s *sheet) scatters() {
	r := s.row
	xs := append(s.values(r.from), constant(r.from, 0x77))
	masks := append([]operand{{}}, s.masks()...)
	for k, e := range []vir.Elem{vir.I32, vir.I64} {
		for j, index := range s.indices(e) {
			for i, m := range masks {
				if i == 0 || (i+j+k)%3 == 0 {
					s.scatter(xs[(i+j+k)%len(xs)], index, m, scaled[(i+j+k)%2])
				}
			}
		}
	}
}

func (s *sheet) scatter(x, index, m operand, scale int64) {
	s.outs = append(s.outs, output{form: fmt.Sprintf("%s by %s, mask %s, %d", x.name, index.name, m.name, scale), elem: s.row.from, store: func(k *kern, a vir.Addr) {
		var mask *vir.Value
		if m.make != nil {
			mask = m.make(k)
		}
		k.b.Scatter(x.make(k), s.indexed(k, a, index.make(k), scale), mask)
	}, want: func(e *env, first int, out []cell) {
		for l := range out {
			out[l].kind = kept
		}
		for l := range out {
			if m.make == nil || m.is(e, first+l) != 0 {
				out[s.place(e, index, first+l, scale)-first] = cell{bits: x.is(e, first+l)}
			}
		}
	}})
}

// expands deal the first elements of a block to its active lanes. There is room for all
// of them, for those that are dealt, or for some.
func (s *sheet) expands() {
	r := s.row
	s.loose = true
	s.ins = []input{{elem: r.from}}
	n := 1
	s.ins = append(s.ins, input{elem: vir.I64, limit: r.lanes + 1})
	i64 := vir.Scalar(vir.I64)
	for _, m := range s.masks() {
		for _, room := range []string{"all", "count", "some"} {
			s.outs = append(s.outs, output{form: fmt.Sprintf("mask %s, room for %s", m.name, room), elem: r.from, make: func(k *kern) *vir.Value {
				mask := m.make(k)
				size := k.b.Int(i64, int64(k.lanes))
				switch room {
				case "count":
					size = k.b.Op(vir.OpCount, i64, mask)
				case "some":
					size = k.one(n)
				}
				return k.b.Expand(k.typ(r.from), k.at(0), size, mask)
			}, want: func(e *env, first int, out []cell) {
				rank, size := 0, e.lanes
				if room == "some" {
					size = int(e.in[n][first])
				}
				for l := range out {
					out[l].kind = anything
					if m.is(e, first+l) != 0 {
						if rank < size {
							out[l] = cell{bits: e.in[0][first+rank]}
						}
						rank++
					}
				}
			}})
		}
	}
}

// compresses store active lanes side by side.
func (s *sheet) compresses() {
	r := s.row
	xs := append(s.values(r.from), constant(r.from, 0x77))
	for _, m := range s.masks() {
		for _, x := range xs {
			s.outs = append(s.outs, output{form: fmt.Sprintf("%s under %s", x.name, m.name), elem: r.from, store: func(k *kern, a vir.Addr) {
				k.b.Store(vir.OpStoreCompress, x.make(k), a, m.make(k))
			}, want: func(e *env, first int, out []cell) {
				n := 0
				for l := range out {
					out[l].kind = kept
				}
				for l := range out {
					if m.is(e, first+l) != 0 {
						out[n] = cell{bits: x.is(e, first+l)}
						n++
					}
				}
			}})
		}
	}
}
