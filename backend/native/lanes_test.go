package native_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/lanewise/lanewise/vir"
)

// sheets are the operations that have a function of their own to fill in a sheet.
var sheets = map[vir.Op]func(s *sheet){
	vir.OpParam:   (*sheet).params,
	vir.OpConst:   (*sheet).consts,
	vir.OpPoison:  (*sheet).poison,
	vir.OpPhi:     (*sheet).phis,
	vir.OpPtradd:  (*sheet).pointers,
	vir.OpSelect:  (*sheet).choices,
	vir.OpBlend:   (*sheet).choices,
	vir.OpBitcast: (*sheet).bitcasts,

	vir.OpBroadcast: (*sheet).broadcasts,
	vir.OpExtract:   (*sheet).extracts,
	vir.OpLane:      (*sheet).numbered,
	vir.OpInsert:    (*sheet).inserts,
	vir.OpSubvec:    (*sheet).subvecs,
	vir.OpConcat:    (*sheet).concats,
	vir.OpShuffle:   (*sheet).shuffles,
	vir.OpPermute:   (*sheet).permutes,
	vir.OpPrefix:    (*sheet).prefixes,
	vir.OpAny:       (*sheet).reductions,
	vir.OpAll:       (*sheet).reductions,
	vir.OpCount:     (*sheet).reductions,
	vir.OpFirst:     (*sheet).reductions,
	vir.OpBits:      (*sheet).reductions,

	vir.OpLoad:          (*sheet).loads,
	vir.OpStore:         (*sheet).stores,
	vir.OpLoadUnit:      (*sheet).loads,
	vir.OpStoreUnit:     (*sheet).stores,
	vir.OpLoadReverse:   (*sheet).loads,
	vir.OpStoreReverse:  (*sheet).stores,
	vir.OpGather:        (*sheet).gathers,
	vir.OpScatter:       (*sheet).scatters,
	vir.OpLoadExpand:    (*sheet).expands,
	vir.OpStoreCompress: (*sheet).compresses,
}

// inMemory is the element that shows lanes of e: bytes for truth values.
func inMemory(e vir.Elem) vir.Elem {
	if e == vir.Bool {
		return vir.I8
	}
	return e
}

// sign is whether the integers of stream s are negative.
func sign(s int, e vir.Elem) operand {
	return operand{"sign of " + e.String(), func(k *kern) *vir.Value { return k.truth(s) }, func(n *env, i int) uint64 {
		return n.in[s][i] >> (e.Bits() - 1)
	}}
}

// values has stream s of element e for it and gives ways to have them: of truth values the
// sign of integers of each size.
func (s *sheet) values(e vir.Elem) []operand {
	if e != vir.Bool {
		s.ins = append(s.ins, input{elem: e})
		return []operand{mem(len(s.ins) - 1), reg(len(s.ins) - 1)}
	}
	var all []operand
	for _, e := range intElems {
		s.ins = append(s.ins, input{elem: e})
		all = append(all, sign(len(s.ins)-1, e))
	}
	return all
}

// more are values, and of truth values complements besides, which masks may be held as.
func (s *sheet) more(e vir.Elem) []operand {
	xs := s.values(e)
	if e == vir.Bool {
		xs = append(xs, complement(xs[0]), complement(xs[2]))
	}
	return xs
}

// conditions are masks of all widths, in runs.
func (s *sheet) conditions() []operand {
	var all []operand
	for _, e := range intElems {
		s.ins = append(s.ins, input{elem: e, runs: true})
		all = append(all, sign(len(s.ins)-1, e))
	}
	return all
}

func (s *sheet) params() {
	r := s.row
	if r.from == vir.Ptr {
		s.pointers()
		return
	}
	s.scalar = r.from
	s.show(inMemory(r.from), param(r.from))
}

// pointers are compared, added to and used as addresses.
func (s *sheet) pointers() {
	s.ins = []input{{elem: vir.Ptr}, {elem: vir.Ptr}, {elem: vir.I32}}
	null := operand{"nil", func(k *kern) *vir.Value { return k.b.Const(vir.Scalar(vir.Ptr), 0) }, func(*env, int) uint64 { return 0 }}
	added := func(x operand, n int64) operand {
		return operand{fmt.Sprintf("%s + %d", x.name, n), func(k *kern) *vir.Value {
			d := k.b.Same(vir.OpAdd, k.nought(vir.Scalar(vir.I64)), k.b.Int(vir.Scalar(vir.I64), n))
			return k.b.Op(vir.OpPtradd, vir.Scalar(vir.Ptr), x.make(k), d)
		}, func(e *env, i int) uint64 { return x.is(e, i) + uint64(n) }}
	}
	for _, op := range []vir.Op{vir.OpIcmpEq, vir.OpIcmpNe} {
		if s.row.op != op && s.row.op.Info().Rule == vir.RuleIntCmp {
			continue
		}
		for _, xs := range [][2]operand{{mem(0), mem(1)}, {mem(0), null}, {null, mem(1)}, {added(mem(0), 8), added(mem(1), 1<<40)}, {added(mem(0), 0), null}} {
			s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, apply(op, vir.Ptr, vir.Bool, xs[0], xs[1])))
		}
	}
	// The element after next, by way of a pointer.
	s.outs = append(s.outs, output{form: "address", elem: vir.I32, make: func(k *kern) *vir.Value {
		p := k.ins[2]
		if k.i != nil {
			p = k.b.Op(vir.OpPtradd, p.Type, p, k.b.Same(vir.OpMul, k.i, k.b.Int(k.i.Type, 4)))
		}
		p = k.b.Op(vir.OpPtradd, p.Type, p, k.b.Int(vir.Scalar(vir.I64), -12))
		return k.b.Load(vir.OpLoad, vir.Scalar(vir.I32), vir.Addr{Base: p, Disp: 12}, nil)
	}, want: each(element(2))})
}

func (s *sheet) consts() {
	r := s.row
	if r.from == vir.Ptr {
		s.pointers()
		return
	}
	xs := []uint64{0, 1, r.from.Ones(), 0x5a, 0x8040201008040201, 1 << (r.from.Bits() - 1)}
	for _, x := range xs {
		s.show(inMemory(r.from), constant(r.from, x))
	}
	if r.lanes == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(1, uint64(r.lanes)))
	for kind := range 4 {
		bits := make([]uint64, r.lanes)
		for l := range bits {
			switch kind {
			case 0:
				bits[l] = rng.Uint64()
			case 1:
				bits[l] = uint64(l)
			case 2:
				bits[l] = uint64(rng.IntN(256) - 128)
			case 3:
				bits[l] = -uint64(l & 1)
			}
			bits[l] &= r.from.Ones()
		}
		s.show(inMemory(r.from), listed(r.from, bits))
	}
}

// listed is a constant that names each lane.
func listed(e vir.Elem, bits []uint64) operand {
	return operand{"lanes", func(k *kern) *vir.Value { return k.b.Lanes(k.typ(e), bits) }, func(_ *env, i int) uint64 { return bits[i%len(bits)] }}
}

// poison stands where nobody looks.
func (s *sheet) poison() {
	r := s.row
	s.loose = true
	undefined := operand{"poison", func(k *kern) *vir.Value { return k.b.Op(vir.OpPoison, k.typ(r.from)) }, func(*env, int) uint64 { return poisoned }}
	switch {
	case r.from == vir.Ptr:
		s.ins = []input{{elem: vir.Ptr}}
		x := apply(vir.OpIcmpEq, vir.Ptr, vir.Bool, mem(0), undefined)
		x.is = undefined.is
		s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, x))
		s.outs[0].want = each(undefined.is)
		return
	case r.from == vir.Bool:
		for _, m := range s.more(vir.Bool) {
			and := apply(vir.OpAnd, vir.Bool, vir.Bool, m, undefined)
			zext := apply(vir.OpZext, vir.Bool, vir.I8, and)
			zext.is = func(e *env, i int) uint64 {
				if m.is(e, i) == 0 {
					return 0
				}
				return poisoned
			}
			s.show(vir.I8, zext)
		}
		return
	}
	conds := s.conditions()
	choose := vir.OpBlend
	if r.lanes == 0 {
		choose = vir.OpSelect
	}
	for _, x := range s.values(r.from) {
		for _, m := range conds {
			s.show(r.from, apply(choose, r.from, r.from, m, x, undefined))
		}
	}
	s.show(r.from, undefined)
}

// phis are what a stream was in the round before.
func (s *sheet) phis() {
	r := s.row
	if r.from == vir.Ptr {
		s.ins = []input{{elem: vir.I32}}
		s.outs = []output{{form: "pointer", elem: vir.I32, make: func(k *kern) *vir.Value {
			if k.i == nil {
				return k.mem(0)
			}
			p := k.b.Phi(vir.Scalar(vir.Ptr))
			v := k.b.Load(vir.OpLoad, vir.Scalar(vir.I32), vir.Addr{Base: p}, nil)
			k.last = append(k.last, func() {
				p.Args = []*vir.Value{k.ins[0], k.b.Op(vir.OpPtradd, p.Type, p, k.b.Int(vir.Scalar(vir.I64), 4))}
			})
			return v
		}, want: each(element(0))}}
		return
	}
	start := uint64(1)
	for _, x := range s.more(r.from) {
		s.show(inMemory(r.from), operand{"last " + x.name, func(k *kern) *vir.Value {
			cur := k.b.Cur
			k.b.Cur = k.b.Func.Entry()
			init := k.b.Const(k.typ(r.from), start)
			k.b.Cur = cur
			if k.i == nil {
				return init
			}
			p := k.b.Phi(init.Type)
			next := x.make(k)
			k.last = append(k.last, func() { p.Args = []*vir.Value{init, next} })
			return p
		}, func(e *env, i int) uint64 {
			if i < e.lanes || !e.loop {
				return start
			}
			return x.is(e, i-e.lanes)
		}})
	}
}

// choices are blends and selects: by masks of all widths, or by truth values.
func (s *sheet) choices() {
	r := s.row
	if r.from == vir.Ptr {
		s.ins = []input{{elem: vir.I16}, {elem: vir.Ptr}, {elem: vir.Ptr}}
		x := apply(vir.OpSelect, vir.Ptr, vir.Ptr, sign(0, vir.I16), mem(1), mem(2))
		s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, apply(vir.OpIcmpEq, vir.Ptr, vir.Bool, x, mem(1))))
		return
	}
	conds := s.conditions()
	if r.op == vir.OpSelect && r.lanes > 0 {
		for i, c := range conds {
			e := intElems[i]
			conds[i] = operand{"first " + c.name, func(k *kern) *vir.Value { return k.sign(k.one(i)) }, func(n *env, j int) uint64 {
				return n.in[i][j-j%n.lanes] >> (e.Bits() - 1)
			}}
		}
	}
	xs, ys := s.more(r.from), s.more(r.from)
	k := constant(r.from, 0x41)
	for i, c := range conds {
		var all [][2]operand
		for j, x := range xs {
			all = append(all, [2]operand{x, ys[(i+j)%len(ys)]})
		}
		all = append(all, [2]operand{xs[0], k}, [2]operand{k, ys[0]}, [2]operand{xs[0], constant(r.from, 0)}, [2]operand{constant(r.from, 0), xs[0]})
		for _, p := range all {
			s.choice(apply(r.op, r.from, r.from, c, p[0], p[1]))
			s.choice(apply(r.op, r.from, r.from, complement(c), p[0], p[1]))
		}
	}
	if r.op == vir.OpBlend && r.from != vir.Bool {
		for _, every := range []int{1, 2, 3, 4, r.lanes} {
			bits := make([]uint64, r.lanes)
			for l := range bits {
				bits[l] = uint64(l / every & 1)
			}
			s.choice(apply(r.op, r.from, r.from, listed(vir.Bool, bits), xs[0], ys[1]))
		}
	}
}

func (s *sheet) choice(x operand) {
	if s.row.from == vir.Bool {
		x = apply(vir.OpZext, vir.Bool, vir.I8, x)
	}
	s.show(inMemory(s.row.from), x)
}

// bitcasts read lanes of other types and sizes in the same bytes.
func (s *sheet) bitcasts() {
	r := s.row
	s.ins = []input{{elem: r.from}}
	for _, from := range dataElems {
		t := vir.Type{Elem: from, Lanes: r.lanes * r.from.Size() / from.Size()}
		if t.Size() != r.typ().Size() || r.lanes > 0 && t.Lanes == 0 {
			continue
		}
		for _, opaque := range []bool{false, true} {
			s.show(r.from, operand{fmt.Sprintf("from %s, %t", t, opaque), func(k *kern) *vir.Value {
				x := k.b.Load(form(k.lanes, vir.OpLoad), t, k.at(0), nil)
				if opaque {
					x = k.opaque(x)
				}
				return k.b.Op(r.op, k.typ(r.from), x)
			}, element(0)})
		}
	}
}

// broadcasts have scalars from anywhere.
func (s *sheet) broadcasts() {
	r := s.row
	first := func(x operand) operand {
		return operand{"first of " + x.name, func(k *kern) *vir.Value {
			return k.b.Op(vir.OpBroadcast, k.typ(r.from), k.b.Extract(x.make(k), 0))
		}, func(e *env, i int) uint64 { return x.is(e, i-i%e.lanes) }}
	}
	s.scalar = r.from
	for _, x := range s.values(r.from) {
		s.choice(first(x))
		if r.from == vir.Bool {
			s.choice(first(complement(x)))
		}
	}
	s.choice(param(r.from))
	s.choice(operand{"constant", func(k *kern) *vir.Value { return k.spread(k.b.Const(vir.Scalar(r.from), 1)) }, func(*env, int) uint64 { return 1 }})
	for l := r.lanes - 1; l > 0; l = l / 3 * 2 {
		x := s.values(r.from)[0]
		s.choice(operand{fmt.Sprintf("lane %d", l), func(k *kern) *vir.Value {
			return k.b.Op(vir.OpBroadcast, k.typ(r.from), k.b.Extract(x.make(k), l))
		}, func(e *env, i int) uint64 { return x.is(e, i-i%e.lanes+l) }})
	}
	s.loaded()
}

// loaded are broadcasts of what a scalar load or a computation gives.
func (s *sheet) loaded() {
	r := s.row
	if r.from == vir.Bool {
		for i, e := range intElems {
			s.choice(operand{"sign of one " + e.String(), func(k *kern) *vir.Value { return k.spread(k.sign(k.one(i))) }, func(n *env, j int) uint64 {
				return n.in[i][j-j%n.lanes] >> (e.Bits() - 1)
			}})
		}
		return
	}
	s.choice(spread(0))
	s.choice(operand{"computed", func(k *kern) *vir.Value { return k.spread(k.opaque(k.one(0))) }, spread(0).is})
}

// extracts take vectors apart, lane by lane.
func (s *sheet) extracts() {
	r := s.row
	for i, x := range s.more(r.from) {
		s.outs = append(s.outs, output{form: x.name, elem: inMemory(r.from), store: func(k *kern, a vir.Addr) {
			v := x.make(k)
			for l := range k.lanes {
				b := a
				b.Disp += int64(l * inMemory(r.from).Size())
				y := k.b.Extract(v, (l*(2*i+1)+i)%k.lanes)
				if r.from == vir.Bool {
					y = k.b.Op(vir.OpZext, vir.Scalar(vir.I8), y)
				} else if i == 1 {
					y = k.opaque(y)
				}
				k.b.Store(vir.OpStore, y, b, nil)
			}
		}, want: func(e *env, first int, out []cell) {
			for l := range out {
				out[l].bits = x.is(e, first+(l*(2*i+1)+i)%e.lanes)
			}
		}})
	}
}

// numbered are lanes by number, one for each lane of a vector of numbers.
func (s *sheet) numbered() {
	r := s.row
	s.ins = []input{{elem: r.from}, {elem: vir.I64, limit: r.lanes}}
	for i, x := range []operand{mem(0), reg(0), constant(r.from, 0x35)} {
		s.outs = append(s.outs, output{form: x.name, elem: r.from, store: func(k *kern, a vir.Addr) {
			v := x.make(k)
			for l := range k.lanes {
				b := a
				b.Disp += int64(l * r.from.Size())
				y := k.b.Lane(v, k.b.Extract(k.mem(1), l))
				if i == 1 {
					y = k.opaque(y)
				}
				k.b.Store(vir.OpStore, y, b, nil)
			}
		}, want: func(e *env, first int, out []cell) {
			for l := range out {
				out[l].bits = x.is(e, first+int(e.in[1][first+l]))
			}
		}})
	}
}

// inserts replace one lane by a scalar.
func (s *sheet) inserts() {
	r := s.row
	s.scalar = r.from
	xs := s.values(r.from)
	for i, x := range xs {
		for _, l := range []int{0, r.lanes / 4, r.lanes / 2, r.lanes - 1} {
			for _, from := range []string{"parameter", "memory"} {
				s.choice(operand{fmt.Sprintf("%s into lane %d of %s", from, l, x.name), func(k *kern) *vir.Value {
					y := k.s
					switch {
					case from == "memory" && r.from == vir.Bool:
						y = k.sign(k.one(i))
					case from == "memory":
						y = k.one(0)
					}
					return k.b.Insert(x.make(k), y, l)
				}, func(e *env, j int) uint64 {
					switch first := j - j%e.lanes; {
					case j-first != l:
						return x.is(e, j)
					case from == "memory":
						return x.is(e, first)
					}
					return e.s & r.from.Ones()
				}})
			}
		}
	}
	// All lanes, one by one, in another order.
	x := xs[0]
	s.choice(operand{"built", func(k *kern) *vir.Value {
		v, from := k.b.Op(vir.OpPoison, k.typ(r.from)), x.make(k)
		for l := range k.lanes {
			v = k.b.Insert(v, k.b.Extract(from, k.lanes-1-l), l)
		}
		return v
	}, func(e *env, i int) uint64 { return x.is(e, i-i%e.lanes+e.lanes-1-i%e.lanes) }})
}

// subvecs are halves, quarters and so on, in reverse order.
func (s *sheet) subvecs() {
	r := s.row
	for _, x := range s.more(r.from) {
		for n := r.lanes; n > 0; n /= 2 {
			if n < r.lanes/8 && n > 1 {
				continue
			}
			s.outs = append(s.outs, output{form: fmt.Sprintf("%d of %s", n, x.name), elem: inMemory(r.from), store: func(k *kern, a vir.Addr) {
				v := x.make(k)
				for at := 0; at < k.lanes; at += n {
					b := a
					b.Disp += int64(at * inMemory(r.from).Size())
					y := k.b.Subvec(v, k.lanes-at-n, n)
					if r.from == vir.Bool {
						y = k.b.Op(vir.OpZext, y.Type.WithElem(vir.I8), y)
					}
					k.b.Store(vir.OpStoreUnit, y, b, nil)
				}
			}, want: func(e *env, first int, out []cell) {
				for l := range out {
					out[l].bits = x.is(e, first+e.lanes-l/n*n-n+l%n)
				}
			}})
		}
	}
}

// concats put parts together that are not where they were.
func (s *sheet) concats() {
	r := s.row
	n := len(s.values(r.from))
	for i := range n {
		e := s.ins[min(i, len(s.ins)-1)].elem
		for parts := 1; parts <= min(r.lanes, 8); parts *= 2 {
			part := r.lanes / parts
			s.choice(operand{fmt.Sprintf("%d parts, %d", parts, i), func(k *kern) *vir.Value {
				var vs []*vir.Value
				for p := range parts {
					a := k.at(min(i, len(s.ins)-1))
					a.Disp += int64((parts - 1 - p) * part * e.Size())
					v := k.b.Load(vir.OpLoadUnit, vir.Vec(e, part), a, nil)
					switch {
					case r.from == vir.Bool:
						v = k.sign(v)
					case i == 1:
						v = k.opaque(v)
					}
					vs = append(vs, v)
				}
				return k.b.Concat(k.typ(r.from), vs...)
			}, func(n *env, j int) uint64 {
				l := j % n.lanes
				x := n.in[min(i, len(s.ins)-1)][j-l+(parts-1-l/part)*part+l%part]
				if r.from == vir.Bool {
					x >>= e.Bits() - 1
				}
				return x
			}})
		}
	}
}

// shuffles have one source or two, as long as the result or longer or shorter, and lanes
// in patterns, anywhere, or poison.
func (s *sheet) shuffles() {
	r := s.row
	s.loose = true
	rng := rand.New(rand.NewPCG(uint64(r.lanes), uint64(r.from)))
	xs, ys := s.more(r.from), s.more(r.from)
	for round := range 16 {
		x, y := xs[round%len(xs)], ys[round/2%len(ys)]
		two, from := round%2 == 1, r.lanes
		total := from
		if two {
			total *= 2
		}
		lanes := make([]int, r.lanes)
		first, step := rng.IntN(total), 1+rng.IntN(4)
		for l := range lanes {
			switch round / 4 {
			case 0:
				lanes[l] = (first + l*step) % total
			case 1:
				lanes[l] = rng.IntN(total)
			case 2:
				lanes[l] = (l/2 + l%2*(total/2)) % total
			case 3:
				if lanes[l] = total - 1 - l; rng.IntN(3) == 0 {
					lanes[l] = -1
				}
			}
		}
		s.choice(operand{fmt.Sprintf("%v of %s and %s", lanes, x.name, y.name), func(k *kern) *vir.Value {
			var other *vir.Value
			if two {
				other = y.make(k)
			}
			return k.b.Shuffle(k.typ(r.from), lanes, x.make(k), other)
		}, func(e *env, i int) uint64 {
			at := lanes[i%e.lanes]
			switch first := i - i%e.lanes; {
			case at < 0:
				return poisoned
			case at < from:
				return x.is(e, first+at)
			default:
				return y.is(e, first+at-from)
			}
		}})
		if r.from == vir.Bool && round >= 12 { // zero extension would lose that it is poison
			o := &s.outs[len(s.outs)-1]
			want := o.want
			o.want = func(e *env, first int, out []cell) {
				want(e, first, out)
				for l := range out {
					if lanes[l] < 0 {
						out[l].kind = anything
					}
				}
			}
		}
	}
}

// permutes look up in tables of all sizes, constant or not.
func (s *sheet) permutes() {
	r := s.row
	index := vir.IntElem(r.from.Size())
	s.loose = true
	s.ins = []input{{elem: r.from, whole: true}, {elem: index}}
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256} {
		if r.from.Size() > 1 && n > 64 {
			continue
		}
		at := len(s.ins)
		s.ins = append(s.ins, input{elem: index, limit: n})
		bits := make([]uint64, n)
		for l := range bits {
			bits[l] = uint64(l*l*77+l*3+1) * 0x9e3779b97f4a7c15 & r.from.Ones()
		}
		for _, fixed := range []bool{false, true} {
			s.show(r.from, operand{fmt.Sprintf("table of %d, fixed %t", n, fixed), func(k *kern) *vir.Value {
				t := vir.Vec(r.from, n)
				table := k.b.Load(vir.OpLoadUnit, t, vir.Addr{Base: k.ins[0]}, nil)
				if fixed {
					table = k.b.Lanes(t, bits)
				}
				return k.b.Permute(table, k.mem(at))
			}, func(e *env, i int) uint64 {
				if fixed {
					return bits[e.in[at][i]]
				}
				return e.in[0][e.in[at][i]]
			}})
		}
		s.show(r.from, operand{fmt.Sprintf("table of %d, any index", n), func(k *kern) *vir.Value {
			return k.b.Permute(k.b.Load(vir.OpLoadUnit, vir.Vec(r.from, n), vir.Addr{Base: k.ins[0]}, nil), k.mem(1))
		}, func(e *env, i int) uint64 {
			if x := e.in[1][i]; x < uint64(n) {
				return e.in[0][x]
			}
			return poisoned
		}})
	}
}

// prefixes are of numbers around the number of lanes, and of any.
func (s *sheet) prefixes() {
	r := s.row
	s.ins = []input{{elem: vir.I64, limit: r.lanes + 3}, {elem: vir.I64}, {elem: vir.I64, runs: true}, {elem: vir.I8, limit: r.lanes + 2}}
	s.scalar = vir.I64
	below := func(n uint64, l int) uint64 {
		if int64(l) < int64(n) {
			return 1
		}
		return 0
	}
	for at := range s.ins {
		n := operand{fmt.Sprintf("number %d", at), func(k *kern) *vir.Value {
			x := k.one(at)
			if at == 3 {
				x = k.b.Op(vir.OpZext, vir.Scalar(vir.I64), x)
			}
			return k.b.Op(vir.OpPrefix, k.typ(vir.Bool), x)
		}, func(e *env, i int) uint64 { return below(e.in[at][i-i%e.lanes], i%e.lanes) }}
		s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, n))
		for _, e := range intElems {
			s.show(e, apply(vir.OpSext, vir.Bool, e, n))
		}
	}
	p := operand{"parameter", func(k *kern) *vir.Value { return k.b.Op(vir.OpPrefix, k.typ(vir.Bool), k.s) }, func(e *env, i int) uint64 {
		return below(e.s, i%e.lanes)
	}}
	s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, p))
	for _, n := range []uint64{0, 1, uint64(r.lanes - 1), uint64(r.lanes), ^uint64(0)} {
		c := operand{"constant", func(k *kern) *vir.Value {
			return k.b.Op(vir.OpPrefix, k.typ(vir.Bool), k.b.Const(vir.Scalar(vir.I64), n))
		}, func(e *env, i int) uint64 { return below(n, i%e.lanes) }}
		s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, c))
	}
}

// reductions of masks of all widths: to a truth value or a number, which stands in front.
func (s *sheet) reductions() {
	r := s.row
	reduce := func(m operand, e *env, first int) uint64 {
		active, lead, word := 0, e.lanes, uint64(0)
		for l := e.lanes - 1; l >= 0; l-- {
			if m.is(e, first+l) != 0 {
				active++
				lead = l
				word |= 1 << l
			}
		}
		switch r.op {
		case vir.OpCount:
			return uint64(active)
		case vir.OpFirst:
			return uint64(lead)
		case vir.OpBits:
			return word
		case vir.OpAny:
			return uint64(min(active, 1))
		}
		return uint64(active / e.lanes)
	}
	t := vir.Scalar(vir.I64)
	if r.op == vir.OpAny || r.op == vir.OpAll {
		t = vir.Scalar(vir.Bool)
	}
	for at, m := range s.conditions() {
		masks := []operand{m, complement(m), nonNegative(at, intElems[at])}
		for _, m := range masks {
			for _, way := range []string{"value", "branch"} {
				s.outs = append(s.outs, output{form: way + " by " + m.name, elem: inMemory(t.Elem), store: func(k *kern, a vir.Addr) {
					x := operand{make: func(k *kern) *vir.Value { return k.b.Op(r.op, t, m.make(k)) }}
					v := x.make(k)
					switch {
					case way == "value" && t.Elem == vir.Bool:
						v = k.b.Op(vir.OpZext, vir.Scalar(vir.I8), v)
					case way == "branch":
						if t.Elem == vir.Bool {
							v = branch(x, scalarConst(vir.I8, 1), scalarConst(vir.I8, 0)).make(k)
						} else {
							v = k.b.Same(vir.OpSub, v, k.b.Int(t, 1))
						}
					}
					k.b.Store(vir.OpStore, v, a, nil)
				}, want: func(e *env, first int, out []cell) {
					for l := range out {
						out[l].kind = kept
					}
					out[0] = cell{bits: reduce(m, e, first)}
					if way == "branch" && t.Elem != vir.Bool {
						out[0].bits--
					}
				}})
			}
		}
	}
}

// nonNegative is the complement of sign, written as a comparison.
func nonNegative(at int, e vir.Elem) operand {
	x := sign(at, e)
	return operand{"no " + x.name, func(k *kern) *vir.Value {
		return k.b.Cmp(vir.OpIcmpSle, k.b.Const(k.typ(e), 0), k.mem(at))
	}, func(e *env, i int) uint64 { return 1 - x.is(e, i) }}
}

func scalarConst(e vir.Elem, x uint64) operand {
	return operand{fmt.Sprint(x), func(k *kern) *vir.Value { return k.b.Const(vir.Scalar(e), x) }, func(*env, int) uint64 { return x }}
}
