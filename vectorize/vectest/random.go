package vectest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// A generator makes inputs for a region: lengths around multiples of lane
// counts, pointers into the same memory, special values. Nothing lies directly
// behind or before an object, so that the interpreter sees every access outside.
type generator struct {
	*rand.Rand
	r     *plan.Region
	elems map[*vir.Value]vir.Elem // pointer parameters by what is loaded or stored
	lens  map[*vir.Value]bool
	index map[*vir.Value]bool // pointer parameters to indices of others
	size  int
	exact bool // only small integers, so that sums and products of floats do not round
	roles map[*vir.Value]role
	minus bool // all floats are -0: a sum is then -0 too
}

func newGenerator(r *plan.Region, rnd *rand.Rand) *generator {
	g := &generator{Rand: rnd, r: r, elems: make(map[*vir.Value]vir.Elem), lens: make(map[*vir.Value]bool), exact: r.Clauses.Reassoc || r.Clauses.Contract}
	for v := range r.Fn.Values {
		if v.Op.IsLoad() || v.Op.IsStore() {
			g.elems[v.Base()] = v.Access().Elem
		}
	}
	for _, p := range r.Fn.Params {
		if p.Param.Len != nil {
			g.lens[p.Param.Len] = true
		}
	}
	g.findIndices()
	return g
}

// findIndices looks for slices that hold indices: those whose elements are checked.
func (g *generator) findIndices() {
	g.index = make(map[*vir.Value]bool)
	for v := range g.r.Fn.Values {
		if v.Op != vir.OpCheckIndex {
			continue
		}
		x := v.Args[0]
		for x.Op == vir.OpZext || x.Op == vir.OpSext || x.Op == vir.OpAdd {
			x = x.Args[0]
		}
		if x.Op.IsLoad() {
			g.index[x.Base()] = true
		}
	}
}

// Random makes an input of a size up to max iterations or so.
func Random(r *plan.Region, rnd *rand.Rand, max int) Input {
	return newGenerator(r, rnd).input(max)
}

// Roomy makes one in which most subscripts are in range, also those of matrices.
func Roomy(r *plan.Region, rnd *rand.Rand, max int) Input {
	g := newGenerator(r, rnd)
	g.findRoles()
	return g.input(max)
}

func (g *generator) input(max int) Input {
	r := g.r
	g.minus = g.IntN(12) == 0
	in := Input{Mem: &interp.Memory{}, Args: make([]interp.Value, len(r.Fn.Params))}
	n := g.IntN(max + 1)
	g.size = n
	lens := make(map[*vir.Value]int)
	for i, p := range r.Fn.Params {
		switch {
		case g.lens[p]:
			lens[p] = g.length(n)
			if g.roles != nil && !g.roles[p].limit {
				lens[p] = 3*n + 64
			}
			in.Args[i] = interp.Int(int64(lens[p]))
		case p.Type.Elem == vir.I64 && strings.HasSuffix(p.Name, "_len"): // of a slice that nothing is loaded from
			in.Args[i] = interp.Int(int64(g.length(n)))
		case p.Type.Elem == vir.I64 && p.Name == stepName:
			in.Args[i] = interp.Int(int64(g.IntN(9)) - 2)
			if g.IntN(8) == 0 {
				in.Args[i] = interp.Int(g.integer(n))
			}
		case g.roles != nil && p.Type.Elem.IsInt() && g.IntN(10) > 0:
			in.Args[i] = interp.New(p.Type, uint64(g.small(p, n)))
		case p.Type.Elem == vir.I64:
			in.Args[i] = interp.Int(g.integer(n))
		case p.Type.Elem != vir.Ptr:
			in.Args[i] = interp.New(p.Type, g.element(p.Type.Elem))
		}
	}
	for i := range r.State {
		if s := r.State[i]; s.Init != nil {
			init := *s.Init
			if g.IntN(4) == 0 {
				init += int64(g.IntN(n + 1))
			}
			in.Args[s.Param] = interp.New(r.Fn.Params[s.Param].Type, uint64(init))
		}
	}
	g.pointers(in, lens)
	return in
}

// length is about n: mostly the same for all slices.
func (g *generator) length(n int) int {
	switch g.IntN(6) {
	case 0:
		return max(0, n-1-g.IntN(3))
	case 1:
		return n + g.IntN(20)
	}
	return n
}

func (g *generator) integer(n int) int64 {
	switch g.IntN(12) {
	case 0:
		return int64(g.IntN(8)) - 4
	case 1:
		return math.MaxInt64 - int64(g.IntN(4))
	case 2:
		return math.MinInt64 + int64(g.IntN(4))
	case 3:
		return int64(n) - int64(g.IntN(4))
	case 4:
		return 0
	case 5:
		return int64(g.IntN(n + 1))
	case 6:
		return 1
	}
	return int64(n)
}

// pointers places the slices: each in memory of its own, or some in the same.
func (g *generator) pointers(in Input, lens map[*vir.Value]int) {
	var shared *interp.Object
	share := g.IntN(3) == 0
	for i, p := range g.r.Fn.Params {
		if p.Type.Elem != vir.Ptr {
			continue
		}
		size := g.bytes(p, lens)
		if h := g.headersOf(p); h != nil {
			in.Args[i] = g.rows(in.Mem, fmt.Sprintf("%s%d", p.Name, i), size, p.Param.ElemSize, h).Ptr(0)
			continue
		}
		if p.Param.FixedLen > 0 && g.checksNil(p) && g.IntN(6) == 0 {
			in.Args[i] = interp.Ptr(0)
			continue
		}
		if share && shared != nil && !p.Param.Immutable && len(shared.Data) >= size {
			// At every small distance, also across elements of other sizes, but for floats: of a NaN that is
			// read in parts the bits would matter.
			room := len(shared.Data) - size
			off := min(room, g.IntN(40))
			if e := p.Param.ElemSize; e > 0 && (g.IntN(4) > 0 || g.elems[p].IsFloat()) {
				off -= off % e
			}
			in.Args[i] = shared.Ptr(int64(off))
			continue
		}
		o := in.Mem.Alloc(fmt.Sprintf("%s%d", p.Name, i), g.data(p, size))
		if share && !p.Param.Immutable && shared == nil {
			o.Data = append(o.Data, g.data(p, 80)...)
			shared = o
		}
		in.Args[i] = o.Ptr(0)
	}
}

// checksNil reports whether the region expects that p may be nil.
func (g *generator) checksNil(p *vir.Value) bool {
	for v := range g.r.Fn.Values {
		if v.Op == vir.OpCheckNil && v.Args[0] == p {
			return true
		}
	}
	return false
}

func (g *generator) bytes(p *vir.Value, lens map[*vir.Value]int) int {
	elem := max(p.Param.ElemSize, 1)
	if p.Param.Len != nil {
		return lens[p.Param.Len] * elem
	}
	if p.Param.FixedLen > 0 {
		return int(p.Param.FixedLen) * elem
	}
	return 8
}

func (g *generator) data(p *vir.Value, size int) []byte {
	if p.Param.Content != "" {
		return []byte(p.Param.Content)
	}
	e, ok := g.elems[p]
	if !ok {
		e = vir.I8
	}
	draw := g.drawer(e)
	if g.index[p] {
		draw = g.indices(e, g.IntN(3)*50)
	}
	return fill(e, size, draw)
}

// indices draws small numbers, now and then anything: once in so many, never for 0.
func (g *generator) indices(e vir.Elem, wrong int) func() uint64 {
	most := max(1, g.size-4)
	if e.Bits() < 64 {
		most = min(most, 1<<(e.Bits()-1))
	}
	return func() uint64 {
		if wrong > 0 && g.IntN(wrong) == 0 {
			return g.element(e)
		}
		return uint64(g.IntN(most))
	}
}

// drawer chooses how the elements of a slice are spread: anything, mostly one
// value (so that conditions hold rarely), or a few values that repeat (so that
// extremes are tied, zeros of both signs among them).
func (g *generator) drawer(e vir.Elem) func() uint64 {
	var few []uint64
	for range 1 + g.IntN(3) {
		few = append(few, g.element(e))
	}
	zero := uint64(0)
	if e.IsFloat() && g.IntN(2) == 0 {
		zero = 1 << (e.Bits() - 1)
	}
	switch g.IntN(4) {
	case 0:
		return func() uint64 {
			if g.IntN(16) > 0 {
				return zero
			}
			return g.element(e)
		}
	case 1:
		return func() uint64 { return few[g.IntN(len(few))] }
	case 2:
		few = append(few[:1], 0, 1<<(e.Bits()-1))
		return func() uint64 { return few[g.IntN(len(few))] }
	}
	return func() uint64 { return g.element(e) }
}

var floats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 3, -7, 1e30, -1e30, 1e-40, math.Inf(1), math.Inf(-1), math.NaN()}

func (g *generator) element(e vir.Elem) uint64 {
	if e.IsFloat() {
		x := g.Float64()*200 - 100
		if g.IntN(3) == 0 {
			x = floats[g.IntN(len(floats))]
		}
		if g.exact {
			x = float64(g.IntN(17) - 8)
			if x == 0 && g.IntN(2) == 0 {
				x = math.Copysign(0, -1)
			}
		}
		if g.minus {
			x = math.Copysign(0, -1)
		}
		if e == vir.F32 {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x)
	}
	x := g.Uint64()
	switch g.IntN(4) {
	case 0:
		x = uint64(g.IntN(7) - 3)
	case 1:
		x = uint64(g.IntN(300))
	}
	if e.Bits() < 64 {
		x &= 1<<e.Bits() - 1
	}
	return x
}
