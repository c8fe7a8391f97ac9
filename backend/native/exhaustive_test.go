package native_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// plain is s with two forms: operands in memory and in registers.
func (s *sheet) plain() *sheet {
	c := *s
	c.outs = nil
	s, c.scalar = &c, vir.Void
	n := s.row.op.Info().Args
	for _, f := range []func(int) operand{mem, reg} {
		var xs []operand
		for k := range n {
			xs = append(xs, f(k))
		}
		switch {
		case isConversion(s.row.op):
			s.show(s.row.to, apply(s.row.op, s.row.from, s.row.to, xs...))
		case s.row.op.Info().Rule == vir.RuleIntCmp:
			s.show(vir.I8, apply(vir.OpZext, vir.Bool, vir.I8, apply(s.row.op, s.row.from, vir.Bool, xs...)))
		default:
			s.show(s.row.from, apply(s.row.op, s.row.from, s.row.from, xs...))
		}
	}
	return s
}

// narrowRows are the rows whose operands are integers e, of so many.
func narrowRows(tgt *target.Target, e vir.Elem, operands int) (all []*sheet) {
	for _, r := range legalRows(tgt) {
		info := r.op.Info()
		isInt := slices.Contains([]vir.Rule{vir.RuleInt, vir.RuleLogic, vir.RuleIntCmp}, info.Rule)
		if r.from != e || info.Args != operands || !isInt && !isConversion(r.op) || r.byConstants() {
			continue
		}
		s, _ := sheetOf(r)
		all = append(all, s.plain())
	}
	return all
}

func given(ins []input, values ...[]uint64) *data {
	d := new(data)
	for k, xs := range values {
		if ins[k].nonzero {
			xs = slices.Clone(xs)
			for i, x := range xs {
				xs[i] = max(x, 1)
			}
		}
		d.values = append(d.values, xs)
		d.packed = append(d.packed, pack(ins[k].elem, xs))
	}
	return d
}

// TestAllBytes runs every operation of two operands on all pairs of bytes.
func TestAllBytes(t *testing.T) {
	xs, ys := make([]uint64, 1<<16), make([]uint64, 1<<16)
	for i := range xs {
		xs[i], ys[i] = uint64(i&0xff), uint64(i>>8)
	}
	runGiven(t, narrowRows(level(), vir.I8, 2), xs, ys)
}

// TestAllNumbers runs every operation of one operand on all bytes, or on all numbers of 16
// bits.
func TestAllNumbers(t *testing.T) {
	for _, e := range []vir.Elem{vir.I8, vir.I16} {
		xs := make([]uint64, 1<<e.Bits())
		for i := range xs {
			xs[i] = uint64(i)
		}
		t.Run(e.String(), func(t *testing.T) { runGiven(t, narrowRows(level(), e, 1), xs) })
	}
}

// TestAllBy16 has all numbers of 16 bits on one side, and special values on the other.
func TestAllBy16(t *testing.T) {
	sp := specials(vir.I16)
	for i := range sp {
		sp[i] &= 0xffff
	}
	slices.Sort(sp)
	sp = slices.Compact(sp)
	sheets := narrowRows(level(), vir.I16, 2)
	if !*long {
		sp = sp[:2]
		sheets = slices.DeleteFunc(sheets, func(s *sheet) bool { return s.row.lanes != 0 && s.row.lanes != 16 })
	}
	xs, ys := make([]uint64, len(sp)<<16), make([]uint64, len(sp)<<16)
	for i := range xs {
		xs[i], ys[i] = uint64(i&0xffff), sp[i>>16]
	}
	t.Run("left", func(t *testing.T) { runGiven(t, sheets, xs, ys) })
	if *long {
		t.Run("right", func(t *testing.T) { runGiven(t, sheets, ys, xs) })
	}
}

// TestConvertFloats converts numbers of all exponents: at random, and next to powers of two.
func TestConvertFloats(t *testing.T) {
	for _, e := range []vir.Elem{vir.F32, vir.F64} {
		rng := rand.New(rand.NewPCG(1, uint64(e)))
		fraction := map[vir.Elem]int{vir.F32: 23, vir.F64: 52}[e]
		exponents := uint64(1) << (e.Bits() - 1 - fraction)
		each := 1 << 17 / int(exponents)
		var xs []uint64
		for x := range exponents {
			for k := range each {
				f := rng.Uint64()
				switch k % 4 {
				case 0:
					f = uint64(int64(k/4%7) - 3)
				case 1: // an integer that leaves few bits behind the point
					f = f << rng.IntN(fraction)
				}
				f &= 1<<fraction - 1
				xs = append(xs, rng.Uint64()>>63<<(e.Bits()-1)|x<<fraction|f)
			}
		}
		t.Run(e.String(), func(t *testing.T) { runGiven(t, narrowRows(level(), e, 1), xs) })
	}
}

func runGiven(t *testing.T, sheets []*sheet, values ...[]uint64) {
	t.Helper()
	b := newBatch(t, level())
	only := regexp.MustCompile(*rowsRun)
	plain, nonzero := (*data)(nil), (*data)(nil)
	for _, s := range sheets {
		if !only.MatchString(s.row.String()) {
			continue
		}
		d := &plain
		if isDivision(s.row.op) {
			d = &nonzero
		}
		if *d == nil {
			*d = given(s.ins, values...)
		}
		b.add(s, *d, len(values[0]), true)
	}
	b.done()
}

// divisors are all numbers up to some, powers of two and their neighbours, and for signed
// divisions what is below zero.
func divisors(op vir.Op, e vir.Elem, most int) (all []uint64) {
	w := e.Bits()
	add := func(d uint64) {
		all = append(all, d&e.Ones())
		if op == vir.OpSdiv || op == vir.OpSrem {
			all = append(all, -d&e.Ones())
		}
	}
	for d := 1; d <= most; d++ {
		if w > 8 || d < 256 {
			add(uint64(d))
		}
	}
	for k := 1; k < w; k++ {
		if most < 100 && k%5 != 0 && k < w-2 {
			continue
		}
		for d := uint64(1)<<k - 1; d <= 1<<k+1; d++ {
			add(d)
		}
	}
	for _, d := range []uint64{641, 1000, 999, 100, 125, e.Ones(), e.Ones() - 1, e.Ones() / 3, e.Ones() / 3 * 2} {
		add(d)
	}
	rng := rand.New(rand.NewPCG(3, uint64(w)))
	for range 3 + most/50 {
		add(rng.Uint64() >> rng.IntN(w))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if all[0] == 0 {
		all = all[1:]
	}
	return all
}

// dividends for some divisors: all there are of narrow ones, else those around multiples,
// extremes and random ones.
func dividends(e vir.Elem, ds []uint64) (xs []uint64) {
	if e.Bits() <= 16 {
		for x := range uint64(1) << e.Bits() {
			xs = append(xs, x)
		}
		return xs
	}
	rng := rand.New(rand.NewPCG(4, ds[0]))
	all := e.Ones()
	around := func(x uint64) { xs = append(xs, (x-1)&all, x&all, (x+1)&all) }
	for _, d := range ds {
		m := min(d, -d&all)
		for _, most := range []uint64{all, all >> 1} {
			for _, q := range []uint64{1, 2, most / m, most/m - 1, rng.Uint64() % max(1, most/m), rng.Uint64() % max(1, most/m) >> rng.IntN(e.Bits())} {
				around(q * m)
				around(-q * m)
			}
		}
		around(d)
	}
	for _, x := range specials(e) {
		around(x)
	}
	for len(xs)%512 != 0 {
		xs = append(xs, random(rng, e))
	}
	return xs
}

// TestDivideByConstant divides by constants, in vectors of different lengths and as
// scalars: by every number up to 1000 in the long run, else by few. All powers of two and
// their neighbours are among them, and random ones.
func TestDivideByConstant(t *testing.T) {
	most, perKernel := 11, 12
	if *long {
		most = 1000
	}
	b := newBatch(t, level())
	only := regexp.MustCompile(*rowsRun)
	count := 0
	for op := vir.OpSdiv; op <= vir.OpUrem; op++ {
		for _, e := range intElems {
			ds := divisors(op, e, most)
			count += len(ds)
			for k := 0; k < len(ds); k += perKernel {
				part := ds[k:min(k+perKernel, len(ds))]
				d := given([]input{{elem: e}}, dividends(e, part))
				lanes := []int{0, 32 / e.Size()}
				if *long {
					// Below and above a register every other time.
					lanes = append(lanes, []int{1, 2, 64, 4, 8}[k/perKernel%5])
				}
				for _, lanes := range lanes {
					s := &sheet{row: row{op: op, from: e, lanes: lanes}, ins: []input{{elem: e}}}
					if !only.MatchString(s.row.String()) {
						continue
					}
					for i, c := range part {
						x := mem(0)
						if i%2 == 0 {
							x = reg(0)
						}
						s.show(e, apply(op, e, e, x, constant(e, c)))
					}
					b.add(s, d, len(d.values[0]), true)
				}
			}
		}
	}
	b.done()
	t.Logf("%d divisors", count)
}
