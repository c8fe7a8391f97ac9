package slp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// runs is the number of random inputs that functions are compared on.
const runs = 24

// same runs two functions on random memory and arguments, pointers into objects of their
// own and into a common one, but for what r says must lie apart. Floats are compared
// roughly where sums may be reordered, but for the sign of zeros.
func same(want, got *vir.Func, r *Result, rough bool) error {
	for i := range runs {
		rnd := rand.New(rand.NewPCG(1, uint64(i)))
		mem, args := input(want, rnd, i%2 == 1)
		if !lieApart(r, got, args) {
			continue
		}
		mem2 := mem.Clone()
		res, err := interp.Run(want, mem, args)
		if errors.As(err, new(interp.Fault)) {
			continue // an index that leads astray
		}
		res2, err2 := interp.Run(got, mem2, args)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			return fmt.Errorf("input %d: %v instead of %v", i, err2, err)
		}
		for k := range res {
			if !equal(res[k], res2[k], rough) {
				return fmt.Errorf("input %d: result %d is %v instead of %v", i, k, res2[k], res[k])
			}
		}
		for k, o := range mem.Objects() {
			if o2 := mem2.Objects()[k]; string(o.Data) != string(o2.Data) && !rough {
				return fmt.Errorf("input %d: object %s differs", i, o.Name)
			}
		}
	}
	return nil
}

func equal(a, b interp.Value, rough bool) bool {
	if rough && a.Type.Elem.IsFloat() {
		x, y := a.Float(), b.Float()
		if x == 0 && y == 0 {
			return math.Signbit(x) == math.Signbit(y)
		}
		return math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.Abs(x-y) <= 1e-3*math.Abs(x)+1e-3
	}
	return interp.Equal(a, b)
}

// input makes arguments for f: small numbers, and pointers to the middle of memory full
// of small numbers, shared by all of them or not.
func input(f *vir.Func, rnd *rand.Rand, shared bool) (*interp.Memory, []interp.Value) {
	mem := new(interp.Memory)
	var common *interp.Object
	var args []interp.Value
	for _, p := range f.Params {
		switch {
		case p.Type.Elem != vir.Ptr:
			args = append(args, number(p.Type, rnd))
		case shared && common != nil && !p.Param.Immutable:
			args = append(args, common.Ptr(512+8*int64(rnd.IntN(20)-10)))
		default:
			obj := mem.Alloc(p.Name, contents(p.Param.ElemSize, rnd))
			if !p.Param.Immutable {
				common = obj
			}
			args = append(args, obj.Ptr(512))
		}
	}
	return mem, args
}

func number(t vir.Type, rnd *rand.Rand) interp.Value {
	switch t.Elem {
	case vir.F32:
		return interp.Float32(float32(rnd.IntN(2000)-1000) / 8)
	case vir.F64:
		return interp.Float64(float64(rnd.IntN(2000)-1000) / 8)
	}
	return interp.New(t, uint64(rnd.IntN(20))&(1<<min(63, t.Elem.Bits())-1))
}

// contents are 1024 bytes that make sense as integers of the size and as floats.
func contents(size int, rnd *rand.Rand) []byte {
	data := make([]byte, 1024)
	for i := range data {
		data[i] = byte(rnd.IntN(12))
		if size >= 4 && i%size >= 1 {
			data[i] = 0
		}
		if size >= 4 && i%size == size-1 && rnd.IntN(2) == 0 {
			data[i] = byte(0x3f + rnd.IntN(2)*0x80)
		}
	}
	return data
}

// lieApart reports whether ranges of r have no byte in common.
func lieApart(r *Result, f *vir.Func, args []interp.Value) bool {
	value := func(v *vir.Value) int64 {
		if v == nil {
			return 0
		}
		for i, p := range f.Params {
			if p == v {
				return int64(args[i].Bits[0])
			}
		}
		c, ok := v.ConstInt()
		if !ok {
			panic("not testable: " + v.Inst())
		}
		return c
	}
	for _, x := range r.Apart {
		a := value(x.A.Base) + value(x.A.Index)*x.A.Scale
		b := value(x.B.Base) + value(x.B.Index)*x.B.Scale
		if a+x.A.Lo < b+x.B.Hi && b+x.B.Lo < a+x.A.Hi {
			return false
		}
	}
	return true
}

// recounted is the cost of all trees, summed up anew.
func (g *Graph) recounted() float64 {
	total := 0.0
	for _, n := range g.nodes {
		total += g.costOf(n)
		for i, v := range n.scalars {
			if n.packs() && v != nil && g.needs(v) {
				total += g.extraction(n, i)
			}
		}
	}
	for v := range g.passing {
		total += g.waiting(v)
	}
	for _, s := range g.sums {
		total += s.cost(g.opt.Costs) * g.weight(s.root)
	}
	return total
}
