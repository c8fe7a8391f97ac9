package avx2

import (
	"github.com/lanewise/lanewise/backend/target/shuffle"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// insertLanes puts scalars into lanes. A chain of inserts is looked at as a
// whole: what is put together from scalars only is built half by half.
func insertLanes(c partOf) vec {
	s := c.s
	base, xs := c.inserted()
	missing := 0
	for _, x := range xs {
		if x == nil {
			missing++
		}
	}
	switch {
	case missing == len(xs):
		return s.part(base, c.p)
	case missing == 0 || base.Op == vir.OpPoison:
		return s.build(c.elem(), xs)
	case base.Op == vir.OpConst && (missing < len(xs)-1 || c.size <= 16):
		return s.build(c.elem(), c.overConst(base, xs))
	}
	r := s.part(base, c.p)
	for k, x := range xs {
		if x != nil {
			r = s.insertLane(r, c.size, c.elem(), k, x)
		}
	}
	return r
}

// overConst has the lanes of a constant where there is no scalar.
func (c partOf) overConst(base *vir.Value, xs []*vir.Value) []*vir.Value {
	all := make([]*vir.Value, len(xs))
	for k, x := range xs {
		if all[k] = x; x == nil {
			bits := base.Bits[min(c.first()+k, len(base.Bits)-1)]
			all[k] = &vir.Value{Op: vir.OpConst, Type: c.v.Type.Lane(), Bits: []uint64{bits}, Block: c.v.Block}
		}
	}
	return all
}

// inserted follows a chain of inserts that nobody else reads, and gives what it
// starts from and the scalars put into the lanes of this part, nil for none.
func (c partOf) inserted() (base *vir.Value, xs []*vir.Value) {
	s, v := c.s, c.v
	xs = make([]*vir.Value, c.lanes())
	for v.Op == vir.OpInsert {
		parts := s.vecs[v]
		if v != c.v && (len(s.a.uses[v]) != 1 || v.Block != s.block || parts != nil && parts[c.p] != nil) {
			break
		}
		if k := int(v.Imm) - c.first(); 0 <= k && k < len(xs) && xs[k] == nil {
			xs[k] = v.Args[1]
		}
		v = v.Args[0]
	}
	return v, xs
}

// A lane is a scalar to be put into a vector: a function that gives its operand,
// a general register for integers, a vector register for floats, or memory. It
// is nil for a lane without a value.
type lane func() operand.Op

func (s *selector) laneOf(x *vir.Value) lane {
	return func() operand.Op {
		switch {
		case s.pending(x, 0):
			return s.loadMem(x, 0, 1)
		case x.Type.Elem.IsFloat():
			return s.part(x, 0)
		}
		return s.gp(x)
	}
}

// assemble puts lanes into a register.
func (s *selector) assemble(e vir.Elem, xs []lane) vec {
	n := 16 / e.Size()
	if len(xs) <= n {
		return s.assembleHalf(e, xs)
	}
	low, high := s.assembleHalf(e, xs[:n]), s.assembleHalf(e, xs[n:])
	return s.join(low, high)
}

func (s *selector) assembleHalf(e vir.Elem, xs []lane) vec {
	var r vec
	for k, x := range xs {
		switch {
		case x == nil:
		case r == nil && k == 0:
			r = s.firstLane(e, x())
		default:
			if r == nil {
				r = s.zero()
			}
			r = s.nextLane(e, r, k, x())
		}
	}
	if r == nil {
		return s.f.Vec(16)
	}
	return r
}

// firstLane is a register with a scalar in lane 0.
func (s *selector) firstLane(e vir.Elem, x operand.Op) vec {
	switch x := x.(type) {
	case operand.Mem:
		return s.load(x, e.Size())
	case vec:
		return x
	default:
		d := s.f.Vec(16)
		if e.Size() == 8 {
			s.op("VMOVQ", x, d)
		} else {
			s.op("VMOVD", x.(gpr).As32(), d)
		}
		return d
	}
}

// nextLane puts a scalar into lane k of half a register.
func (s *selector) nextLane(e vir.Elem, r vec, k int, x operand.Op) vec {
	d := s.f.Vec(16)
	switch {
	case e == vir.F32:
		s.op("VINSERTPS", operand.U8(k<<4), at(x, 16), r.AsX(), d)
	case e == vir.F64 && inMemory(x): // lane 1: lane 0 starts a register
		s.op("VMOVHPD", x, r.AsX(), d)
	case e == vir.F64:
		s.op("VUNPCKLPD", at(x, 16), r.AsX(), d)
	default:
		s.op("VPINSR"+letter(e), operand.U8(k), gpOrMem(x, e.Size()), r.AsX(), d)
	}
	return d
}

// gpOrMem is x as operand of VPINSR.
func gpOrMem(x operand.Op, size int) operand.Op {
	if r, ok := x.(gpr); ok && size < 8 {
		return r.As32()
	}
	return x
}

// insertLane puts x into lane k of r. Integers go straight into half a register;
// everything else is a rearrangement of r and a register with x.
func (s *selector) insertLane(r vec, size int, e vir.Elem, k int, x *vir.Value) vec {
	if !e.IsFloat() && size == 16 && !s.isLane(x) {
		return s.nextLane(e, r, k, s.laneOf(x)())
	}
	var y vec
	lane := 0
	if s.isLane(x) {
		y, lane = s.laneInHalf(x)
	} else {
		y = s.firstLane(e, s.laneOf(x)())
	}
	want := shuffle.None()
	for i := range size {
		want[i] = shuffle.Of(0, i)
		if i/e.Size() == k {
			want[i] = shuffle.Of(1, lane*e.Size()+i%e.Size())
		}
	}
	from := supply{reg: func(n int) vec { return [2]vec{r, y}[n] }}
	return s.rearrange(&want, from, e.IsFloat())
}

// maskInsert puts a bool into a lane of a mask.
func (s *selector) maskInsert(v *vir.Value, width, p int) vec {
	n := min(v.Type.Lanes, regBytes/width)
	r := s.truePart(v.Args[0], width, p)
	k := int(v.Imm) - p*n
	if k < 0 || k >= n {
		return r
	}
	size := s.maskSize(v, width)
	y := s.spread(s.gp(v.Args[1]), size)
	want := shuffle.None()
	for i := range n * width {
		want[i] = shuffle.Of(0, i)
		if i/width == k {
			want[i] = shuffle.Of(1, i)
		}
	}
	from := supply{reg: func(n int) vec { return [2]vec{r, y}[n] }}
	return s.rearrange(&want, from, false)
}
