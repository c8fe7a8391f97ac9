package native_test

import (
	"fmt"
	"math"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp/gosem"
)

// sheetOf is the sheet of a row; not ok if there is none.
func sheetOf(r row) (*sheet, bool) {
	s := &sheet{row: r}
	switch r.op.Info().Rule {
	default:
		if f := sheets[r.op]; f != nil {
			f(s)
		}
	case vir.RuleInt, vir.RuleLogic, vir.RuleIntCmp, vir.RuleFloat, vir.RuleFloatCmp:
		switch r.from {
		case vir.Bool:
			s.logic()
		case vir.Ptr:
			s.pointers()
		default:
			s.arithmetic()
		}
	case vir.RuleTrunc, vir.RuleExt, vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc:
		s.conversion()
	}
	return s, len(s.outs) > 0
}

// An operand is a way to get at a value and what it is for element i.
type operand struct {
	name string
	make func(k *kern) *vir.Value
	is   func(e *env, i int) uint64
}

func element(s int) func(e *env, i int) uint64 {
	return func(e *env, i int) uint64 { return e.in[s][i] }
}

// Ways to have an operand: in memory, in a register, loaded into all lanes, a parameter
// in all lanes, a constant.
func mem(s int) operand {
	return operand{"memory", func(k *kern) *vir.Value { return k.mem(s) }, element(s)}
}

func reg(s int) operand {
	return operand{"register", func(k *kern) *vir.Value { return k.reg(s) }, element(s)}
}

func spread(s int) operand {
	return operand{"spread", func(k *kern) *vir.Value { return k.spread(k.one(s)) }, func(e *env, i int) uint64 {
		return e.in[s][i-i%e.lanes]
	}}
}

func param(elem vir.Elem) operand {
	return operand{"parameter", func(k *kern) *vir.Value { return k.spread(k.s) }, func(e *env, _ int) uint64 {
		return e.s & elem.Ones()
	}}
}

func constant(elem vir.Elem, x uint64) operand {
	x &= elem.Ones()
	return operand{fmt.Sprintf("%#x", x), func(k *kern) *vir.Value { return k.b.Const(k.typ(elem), x) }, func(*env, int) uint64 { return x }}
}

// once is x, made once for all of its readers.
func once(x operand) operand {
	key := new(int)
	return operand{"shared " + x.name, func(k *kern) *vir.Value {
		if k.made[key] == nil {
			k.made[key] = x.make(k)
		}
		return k.made[key]
	}, x.is}
}

// apply is op on operands, with Go's idea of it.
func apply(op vir.Op, from, to vir.Elem, xs ...operand) operand {
	f := gosem.Of(op, from, to)
	name := op.String()
	for _, x := range xs {
		name += " " + x.name
	}
	return operand{name, func(k *kern) *vir.Value {
		var args []*vir.Value
		for _, x := range xs {
			args = append(args, x.make(k))
		}
		return k.b.Op(op, k.typ(to), args...)
	}, func(e *env, i int) uint64 {
		var a [3]uint64
		for k, x := range xs {
			a[k] = x.is(e, i)
		}
		r, ok := f(a[0], a[1], a[2])
		if !ok {
			return poisoned
		}
		return r
	}}
}

// complement is not x, a truth value or a mask.
func complement(x operand) operand {
	return operand{"not " + x.name, func(k *kern) *vir.Value { return k.b.Same(vir.OpNot, x.make(k)) }, func(e *env, i int) uint64 { return 1 - x.is(e, i) }}
}

// poisoned marks what is undefined; no test value is this number.
const poisoned = 0x706f69736f6e6564

// show adds an output of x.
func (s *sheet) show(elem vir.Elem, x operand) {
	s.outs = append(s.outs, output{form: x.name, elem: elem, make: x.make, want: each(x.is)})
}

func each(f func(e *env, i int) uint64) func(e *env, i int, out []cell) {
	return func(e *env, i int, out []cell) {
		for l := range out {
			x := f(e, i+l)
			if out[l] = (cell{bits: x}); x == poisoned {
				out[l].kind = anything
			}
		}
	}
}

// arithmetic has operands and result of one element, or compares them.
func (s *sheet) arithmetic() {
	r := s.row
	n := r.op.Info().Args
	if n > 3 {
		return
	}
	s.scalar = r.from
	for k := range n {
		s.ins = append(s.ins, input{elem: r.from, nonzero: k == 1 && isDivision(r.op) && r.lanes > 0})
	}
	for _, xs := range s.operands(n) {
		s.result(xs...)
	}
	if xs := []operand{reg(0), reg(1), reg(2)}[:n]; !r.byConstants() {
		s.called(r.from, xs...)
	}
}

// called has the operation in a local routine, which takes operands in registers and gives
// the result in one; truth values as integers. What takes too many registers has none.
func (s *sheet) called(to vir.Elem, xs ...operand) {
	r := s.row
	if max(r.from.Size(), to.Size())*max(1, r.lanes) > 64 {
		return
	}
	rule := r.op.Info().Rule
	truth := rule == vir.RuleIntCmp || rule == vir.RuleFloatCmp
	shown := apply(r.op, r.from, to, xs...)
	if truth {
		to = vir.I8
		shown = apply(vir.OpZext, vir.Bool, vir.I8, apply(r.op, r.from, vir.Bool, xs...))
	}
	s.show(to, operand{"called", func(k *kern) *vir.Value {
		routine := vir.NewFunc(k.b.Func.Name + "Part")
		routine.Local = true
		b := vir.NewBuilder(routine, routine.NewBlock("entry"))
		var args []*vir.Value
		for i, x := range xs {
			args = append(args, x.make(k))
			routine.AddParam(fmt.Sprintf("p%d", i), args[i].Type)
		}
		t := k.typ(to)
		routine.Results = []vir.Type{t}
		if truth {
			b.Ret(b.Op(vir.OpZext, t, b.Cmp(r.op, routine.Params[0], routine.Params[1])))
		} else {
			b.Ret(b.Op(r.op, t, routine.Params...))
		}
		call := k.b.Append(&vir.Value{Op: vir.OpCall, Args: args, Callee: routine})
		return k.b.Op(vir.OpResult, t, call)
	}, shown.is})
}

// operands are the combinations of forms of n operands.
func (s *sheet) operands(n int) (all [][]operand) {
	e := s.row.from
	division := isDivision(s.row.op)
	switch {
	case n == 1:
		all = [][]operand{{mem(0)}, {reg(0)}, {spread(0)}, {param(e)}}
	case n == 2 && s.row.byConstants():
	case n == 2:
		all = [][]operand{
			{mem(0), mem(1)}, {reg(0), reg(1)}, {mem(0), reg(1)}, {reg(0), mem(1)}, {reg(0), spread(1)}, {spread(0), reg(1)},
			{reg(0), param(e)}, {param(e), reg(1)},
		}
		if same := once(reg(0)); !division {
			all = append(all, []operand{same, same})
		}
	case n == 3:
		all = [][]operand{
			{mem(0), mem(1), mem(2)}, {reg(0), reg(1), reg(2)}, {reg(0), reg(1), mem(2)}, {reg(0), mem(1), reg(2)}, {mem(0), reg(1), reg(2)},
			{reg(0), spread(1), param(e)}, {param(e), reg(1), constant(e, one(e))}, {reg(0), constant(e, one(e)), mem(2)},
		}
	}
	if n == 2 {
		for _, c := range constants(s.row.op, e) {
			all = append(all, []operand{reg(0), constant(e, c)})
			if !division {
				all = append(all, []operand{constant(e, c), reg(1)})
			}
		}
		all = append(all, []operand{mem(0), constant(e, 3)})
	}
	return all
}

func one(e vir.Elem) uint64 {
	switch e {
	case vir.F32:
		return uint64(math.Float32bits(1))
	case vir.F64:
		return math.Float64bits(1)
	}
	return 1
}

// constants are those at which an operation may take another way.
func constants(op vir.Op, e vir.Elem) []uint64 {
	w := uint64(e.Bits())
	top := uint64(1) << (w - 1)
	switch {
	case e.IsFloat():
		sign := top
		inf := uint64(0x7f800000)
		if e == vir.F64 {
			inf = 0x7ff << 52
		}
		return []uint64{0, sign, one(e), one(e) | sign, inf, inf + inf/255}
	case vir.OpShl <= op && op <= vir.OpRotl:
		return []uint64{0, 1, w/2 - 1, w / 2, w - 1, w, w + 1, e.Ones()}
	case isDivision(op):
		return []uint64{1, 2, 3, 7, 10, w - 1, top, top - 1, e.Ones(), e.Ones() - 6}
	case op == vir.OpMul:
		return []uint64{0, 1, 2, 3, 10, top, e.Ones()}
	}
	return []uint64{0, 1, 0x5a, top - 1, top, e.Ones()}
}

// result adds the outputs of the operation on xs: of a comparison in all forms that
// readers of masks and truth values ask for.
func (s *sheet) result(xs ...operand) {
	r := s.row
	if c := r.op.Info().Rule; c != vir.RuleIntCmp && c != vir.RuleFloatCmp {
		s.show(r.from, apply(r.op, r.from, r.from, xs...))
		return
	}
	m := apply(r.op, r.from, vir.Bool, xs...)
	k := len(s.outs)
	s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, m))
	same := vir.IntElem(r.from.Size())
	if k%3 == 0 {
		s.show(same, apply(vir.OpSext, vir.Bool, same, m))
	}
	not := apply(vir.OpNot, vir.Bool, vir.Bool, m)
	choose := vir.OpBlend
	if r.lanes == 0 {
		choose = vir.OpSelect
	}
	x, y := once(xs[0]), once(xs[1])
	s.show(r.from, apply(choose, r.from, r.from, apply(r.op, r.from, vir.Bool, x, y), x, y))
	s.show(r.from, apply(choose, r.from, r.from, apply(r.op, r.from, vir.Bool, x, y), y, x))
	s.show(r.from, apply(choose, r.from, r.from, not, xs[0], xs[1]))
	if r.lanes == 0 {
		s.show(r.from, branch(m, xs[0], xs[1]))
	}
}

// branch is x where bool c holds, else y.
func branch(c, x, y operand) operand {
	return operand{"branch on " + c.name, func(k *kern) *vir.Value {
		f := k.b.Func
		yes, no, join := f.NewBlock(fmt.Sprintf("yes%d", len(f.Blocks))), f.NewBlock(fmt.Sprintf("no%d", len(f.Blocks))), f.NewBlock(fmt.Sprintf("join%d", len(f.Blocks)))
		k.b.Br(c.make(k), yes, no)
		k.b.Cur = yes
		a := x.make(k)
		k.b.Jmp(join)
		k.b.Cur = no
		b := y.make(k)
		k.b.Jmp(join)
		k.b.Cur = join
		v := k.b.Phi(a.Type)
		v.Args = []*vir.Value{a, b}
		return v
	}, func(e *env, i int) uint64 {
		if c.is(e, i) != 0 {
			return x.is(e, i)
		}
		return y.is(e, i)
	}}
}

// logic works on truth values: masks of all widths, which are whether integers are
// negative.
func (s *sheet) logic() {
	for _, e := range intElems {
		s.ins = append(s.ins, input{elem: e})
	}
	sign := func(x operand, e vir.Elem) operand {
		return operand{"sign " + x.name, func(k *kern) *vir.Value { return k.sign(x.make(k)) }, func(n *env, i int) uint64 {
			return x.is(n, i) >> (e.Bits() - 1)
		}}
	}
	r := s.row
	for i, e := range intElems {
		if r.op.Info().Args == 1 {
			m := apply(r.op, vir.Bool, vir.Bool, sign(mem(i), e))
			s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, m))
			s.show(e, apply(vir.OpSext, vir.Bool, e, apply(r.op, vir.Bool, vir.Bool, complement(sign(reg(i), e)))))
			continue
		}
		for j, e2 := range intElems {
			// Masks may be held as their complements.
			for k := range 4 {
				x, y := sign(reg(i), e), sign(mem(j), e2)
				if k&1 != 0 {
					x = complement(x)
				}
				if k&2 != 0 {
					y = complement(y)
				}
				m := apply(r.op, vir.Bool, vir.Bool, x, y)
				s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, m))
				if i == j {
					s.show(e, apply(vir.OpZext, vir.Bool, e, complement(m)))
				}
			}
		}
		s.show(e, apply(vir.OpSext, vir.Bool, e, apply(r.op, vir.Bool, vir.Bool, sign(mem(i), e), constant(vir.Bool, uint64(i&1)))))
	}
}

// conversion has another element as the result.
func (s *sheet) conversion() {
	r := s.row
	if r.from == vir.Bool {
		for i, e := range intElems {
			s.ins = append(s.ins, input{elem: e})
			m := operand{"sign", func(k *kern) *vir.Value { return k.truth(i) }, func(n *env, j int) uint64 {
				return n.in[i][j] >> (e.Bits() - 1)
			}}
			s.show(r.to, apply(r.op, r.from, r.to, m))
			s.show(r.to, apply(r.op, r.from, r.to, apply(vir.OpNot, vir.Bool, vir.Bool, m)))
		}
		return
	}
	s.ins = []input{{elem: r.from, ties: r.op >= vir.OpSitof}}
	s.scalar = r.from
	for _, x := range []operand{mem(0), reg(0), spread(0), param(r.from)} {
		s.show(r.to, apply(r.op, r.from, r.to, x))
	}
	s.called(r.to, reg(0))
}
